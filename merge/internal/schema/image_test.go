package schema

import (
	_ "embed"
	"strings"
	"testing"
)

// imageRows lists all image references that the documentation of Kubernetes' types mentions: type, field, resource and
// path. Package gen generates it.
//
//go:embed testdata/images.tsv
var imageRows string

func TestImageRows(t *testing.T) {
	n := 0
	for line := range strings.Lines(imageRows) {
		n++
		c := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if !new(Rules).IsImage(place(c[2], c[3]+"."+c[1])) {
			t.Errorf("%s.%s at %s %s is no image", c[0], c[1], c[2], c[3])
		}
	}
	if n != 3 {
		t.Errorf("%d rows", n)
	}
}

func TestIsImage(t *testing.T) {
	team, err := Parse("f", []byte("rules:\n- kinds: argoproj.io/Workflow\n  images: spec.templates.*.container.image\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rules                *Rules
		file, resource, path string
		want                 bool
	}{
		{nil, "", "apps/v1 Deployment", "spec.template.spec.containers.*.image", true},
		{nil, "", "apps/v1 Deployment", "spec.template.spec.initContainers.*.image", true},
		{nil, "", "apps/v9 Deployment", "spec.template.spec.containers.*.image", true},
		{nil, "", "batch/v1 CronJob", "spec.jobTemplate.spec.template.spec.containers.*.image", true},
		{nil, "", "v1 Pod", "spec.ephemeralContainers.*.image", true},
		{nil, "", "apps/v1 DeploymentList", "items.*.spec.template.spec.containers.*.image", true},
		{nil, "", "apps/v1 Deployment", "spec.template.spec.containers.image", false},
		{nil, "", "apps/v1 Deployment", "spec.template.spec.containers.*.image.*", false},
		{nil, "", "apps/v1 Deployment", "spec.template.spec.containers.*.name", false},
		{nil, "", "apps/v1 Deployment", "spec.image", false},
		{nil, "", "example.com/v1 Deployment", "spec.template.spec.containers.*.image", false},
		{nil, "", "argoproj.io/v1alpha1 Workflow", "spec.templates.*.container.image", false},
		{team, "", "argoproj.io/v1alpha1 Workflow", "spec.templates.*.container.image", true},
		{team, "", "apps/v1 Deployment", "spec.template.spec.containers.*.image", true},
		{nil, "docker-compose.yml", " ", "services.web.image", true},
		{nil, "docker-compose.yml", " ", "services.web.build", false},
		{nil, "values.yaml", " ", "services.web.image", false},
		{nil, ".github/workflows/ci.yaml", " ", "jobs.a.container", true},
		{nil, ".github/workflows/ci.yaml", " ", "jobs.a.container.image", true},
		{nil, ".github/workflows/ci.yaml", " ", "jobs.a.services.db.image", true},
		{nil, ".github/workflows/ci.yaml", " ", "jobs.a.image", false},
	} {
		p := place(c.resource, c.path)
		p.File = c.file
		if got := c.rules.IsImage(p); got != c.want {
			t.Errorf("%s %s %s: %v", c.file, c.resource, c.path, got)
		}
	}
}

func TestImageIsNotAList(t *testing.T) {
	if l, ok := new(Rules).DeclaredList(place("v1 Pod", "spec.containers.*.image")); ok {
		t.Errorf("an image is a list: %v", l)
	}
}
