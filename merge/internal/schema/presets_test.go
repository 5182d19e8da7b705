package schema

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
)

func TestPresetsAreValid(t *testing.T) {
	for _, e := range splitPresets(presetText) {
		if err := e.readLines(); err != nil {
			t.Error(err)
		}
		if len(e.Files) != len(strings.Fields(e.files)) || len(e.Kinds) != len(strings.Fields(e.kinds)) {
			t.Errorf("%s has two lines with files or kinds", e.name)
		}
		known := len(e.Lists) + len(e.OneOf) + len(e.Images)
		if len(e.Files)+len(e.Kinds) == 0 && known > 0 {
			t.Errorf("%s is for every file", e.name)
		}
		if known+len(e.Access)+len(e.Units)+len(e.unique)+len(e.references)+len(e.distinct) == 0 {
			t.Errorf("%s says nothing", e.name)
		}
	}
}

// TestPresets checks each rule for lists of a preset: the kind of a typical list, and the identities of its items.
func TestPresets(t *testing.T) {
	for _, c := range []struct {
		file, resource, path string
		want                 string
		items                string
		same                 string // a letter for each item, as identities returns them
	}{
		{"app/kustomization.yaml", " ", "resources", "set", "[a.yaml, b.yaml, ../a]", "abc"},
		{"app/kustomization.yaml", "kustomize.config.k8s.io/v1beta1 Kustomization", "images", "map name", "[{name: nginx, newTag: 1}, {name: redis}]", "ab"},
		{"kustomization.yml", " ", "configMapGenerator", "map name,namespace=", "[{name: a}, {name: a, namespace: x}]", "ab"},
		{"Kustomization", " ", "secretGenerator.*.literals", "map", "[A=1, 'A=2=3', B=]", "aab"},
		{"kustomization.yaml", " ", "configMapGenerator.*.files", "map", "[a.txt, b=a.txt, c=a.txt]", "abc"},
		{"kustomization.yaml", " ", "patches", "ordered", "", ""},
		{"kustomization.yaml", " ", "helmCharts", "ordered", "", ""},
		{"charts/x/Chart.yaml", " ", "dependencies", "map alias|name", "[{name: redis}, {name: redis, alias: cache}, {name: kafka}]", "abc"},
		{"Chart.lock", " ", "dependencies", "map alias|name", "[{name: redis}, {name: kafka}]", "ab"},
		{"Chart.yaml", " ", "maintainers", "map name", "[{name: A}, {name: B}]", "ab"},
		{".github/workflows/ci.yml", " ", "jobs.build.steps", "ordered", "", ""},
		{".github/workflows/ci.yml", " ", "jobs.build.needs", "set", "[a, b]", "ab"},
		{".github/workflows/ci.yaml", " ", "jobs.build.strategy.matrix.go", "", "", ""}, // a version may replace another
		{".github/workflows/ci.yaml", " ", "jobs.build.strategy.matrix.include", "ordered", "", ""},
		{"x/.github/workflows/ci.yaml", " ", "jobs.build.steps", "", "", ""},
		{"setup/action.yml", " ", "runs.steps", "ordered", "", ""},
		{".github/dependabot.yml", " ", "updates", "map package-ecosystem,directory=,target-branch=",
			"[{package-ecosystem: npm, directory: /}, {package-ecosystem: npm, directory: /, target-branch: dev}, {package-ecosystem: gomod, directories: [/, /x]}]", "abc"},
		{"docker-compose.yml", " ", "services.web.environment", "map", "[A=1, A=2, B]", "aab"},
		{"compose.prod.yaml", " ", "services.web.labels", "map", "['a.b=x=y', a.c]", "ab"},
		{"compose.yaml", " ", "services.web.build.args", "map", "[A=1, B=1]", "ab"},
		{"compose.yaml", " ", "services.web.volumes", "map target", "[{type: bind, target: /a}, {type: bind, target: /b}, './x:/y', './z:/y:ro', './z:/b', /data]", "abccbd"},
		{"compose.yaml", " ", "services.web.command", "ordered", "", ""},
		{"compose.yaml", " ", "services.web.depends_on", "set", "[db, cache]", "ab"},
		{"compose.yaml", " ", "services.web.ports", "map published", "['8080:80', '9090:80', '8080:81', {target: 80, published: 8080}, {target: 80}]", "abaa-"},
		{".gitlab-ci.yml", " ", "build.needs", "set", "[a, {job: b}]", "ab"},
		{"prometheus.yml", " ", "scrape_configs", "map job_name", "[{job_name: a}, {job_name: b}]", "ab"},
		{"api/openapi.yaml", " ", "paths./x.get.parameters", "map $ref|name,in=",
			"[{name: id, in: path}, {name: id, in: query}, {$ref: '#/a'}, {$ref: '#/b'}]", "abcd"},
		{"api/openapi.yaml", " ", "components.schemas.A.required", "set", "[a, b]", "ab"},
		{"api/openapi.yaml", " ", "components.schemas.A.anyOf", "ordered", "", ""},
		{"api/openapi.json", " ", "tags", "map name", "[{name: a}, {name: b, description: x}]", "ab"},
		{"api/swagger.json", " ", "paths./x.get.parameters", "map $ref|name,in=", "[{name: id, in: path}, {name: id, in: query}]", "ab"},
		{"web/package.json", " ", "files", "set", "[a, b]", "ab"},
		{"package.json", " ", "workspaces", "set", "[a, b]", "ab"},
		{"tsconfig.build.json", " ", "compilerOptions.lib", "set", "[dom, es2020]", "ab"},
		{"tsconfig.json", " ", "references", "map path", "[{path: ./a}, {path: ./b}]", "ab"},
		{"tsconfig.json", " ", "compilerOptions.paths.@a", "ordered", "", ""},
		{"x/dashboards/a.json", " ", "panels", "map id", "[{id: 1, title: x}, {id: 2, title: x}, {title: y}]", "ab-"},
		{"dashboard.json", " ", "panels.*.targets", "map refId", "[{refId: A}, {refId: B}]", "ab"},
		{"dashboard.json", " ", "templating.list", "map name", "[{name: a}, {name: b}]", "ab"},
		{".vscode/launch.json", " ", "configurations", "map name", "[{name: a, type: go}, {name: b, type: go}]", "ab"},
		{"x/.vscode/tasks.json", " ", "tasks", "map label", "[{label: a}, {label: b}]", "ab"},
		{".vscode/extensions.json", " ", "recommendations", "set", "[a, b]", "ab"},
		{"a.code-workspace", " ", "folders", "map path", "[{path: a}, {path: b}]", "ab"},
		{"x.yaml", "tekton.dev/v1 Task", "spec.steps", "ordered", "", ""},
		{"x.yaml", "tekton.dev/v1 Pipeline", "spec.tasks.*.params", "map name", "[{name: a, value: 1}, {name: b}]", "ab"},
		{"x.yaml", "tekton.dev/v1 Pipeline", "spec.tasks.*.runAfter", "set", "[a, b]", "ab"},
		{"x.yaml", "argoproj.io/v1alpha1 Application", "spec.source.helm.parameters", "map name", "[{name: a}, {name: b}]", "ab"},
		{"x.yaml", "argoproj.io/v1alpha1 Application", "spec.syncPolicy.syncOptions", "map", "[CreateNamespace=true, CreateNamespace=false, Prune=true]", "aab"},
		{"x.yaml", "argoproj.io/v1alpha1 Application", "spec.sources", "ordered", "", ""},
		{"x.yaml", "networking.istio.io/v1 VirtualService", "spec.http", "ordered", "", ""},
		{"x.yaml", "networking.istio.io/v1 VirtualService", "spec.hosts", "set", "[a, b]", "ab"},
		{"x.yaml", "networking.istio.io/v1 DestinationRule", "spec.subsets", "map name", "[{name: v1}, {name: v2}]", "ab"},
		{"x.yaml", "networking.istio.io/v1 Gateway", "spec.servers", "map port.number,port.name=",
			"[{port: {number: 80, name: http}}, {port: {number: 443, name: a}}, {port: {number: 443, name: b}}, {hosts: []}]", "abc-"},
		{"x.yaml", "gateway.networking.k8s.io/v1 Gateway", "spec.listeners", "map name", "[{name: a}, {name: b}]", "ab"},
		{"x.yaml", "gateway.networking.k8s.io/v1 HTTPRoute", "spec.rules", "ordered", "", ""},
		{"x.yaml", "gateway.networking.k8s.io/v1 HTTPRoute", "spec.rules.*.backendRefs", "ordered", "", ""},
		{"requirements.yml", " ", "roles", "map name|src", "[{name: a}, {src: b}]", "ab"},
		{"roles/x/tasks/main.yml", " ", "", "ordered", "", ""},
		{"roles/x/tasks/main.yml", " ", "*.block", "ordered", "", ""},
		{"playbook.yml", " ", "*.tasks", "ordered", "", ""},
		{"environment.yml", " ", "dependencies", "map", "[python=3.11, 'numpy>=1.2', 'python <4', 'numpy[x]', pip, {pip: [x]}, 'conda-forge::python=1', '::x', '::']", "ababcdae-"},
		{"environment.yml", " ", "dependencies.*.pip", "map", "['a==1', 'a>=2', 'b[x]==1', 'b; python_version < 3']", "aabb"},
		{"environment.yml", " ", "channels", "ordered", "", ""},
		{".pre-commit-config.yaml", " ", "repos.*.hooks", "ordered", "", ""},
		{"x.yaml", "apiextensions.k8s.io/v1 CustomResourceDefinition", "spec.versions", "map name", "[{name: v1}, {name: v2}]", "ab"},
	} {
		p := place(c.resource, c.path)
		if c.path == "" {
			p.Path = nil
		}
		p.File = c.file
		l, ok := declared(p)
		if got := describe(l, ok); got != c.want || ok && !strings.HasPrefix(l.Source, "preset ") {
			t.Errorf("%s %s %s: %q from %q, want %q", c.file, c.resource, c.path, got, l.Source, c.want)
			continue
		}
		if c.items != "" {
			if got := identities(l, trees.Root(t, c.items)); got != c.same {
				t.Errorf("%s %s: %s, want %s", c.file, c.path, got, c.same)
			}
		}
	}
}

// TestPresetsSkipBuiltinKinds checks that a preset for files does not apply to a resource of a built-in kind in such a
// file.
func TestPresetsSkipBuiltinKinds(t *testing.T) {
	p := Place{File: "compose.yaml", Path: []string{"services", "web", "environment"}}
	if _, known := declared(p); !known {
		t.Error("the preset says nothing of a list of compose")
	}
	p.APIVersion, p.Kind = "apps/v1", "Deployment"
	if l, known := declared(p); known {
		t.Errorf("a Deployment has %+v", l)
	}
}

func BenchmarkPresets(b *testing.B) {
	for b.Loop() {
		splitPresets(presetText)
	}
}
