package replay

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// resource finds the kind of a Kubernetes resource at the top of a document. It
// is compiled when it is needed: a merge driver starts for every file.
var resource = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^kind: *["']?[A-Z]`) })

// kinds are what files are called that are known by their path.
var kinds = []struct {
	kind  string
	match func(dir, name string) bool
}{
	{"GitHub workflow", func(dir, _ string) bool { return strings.HasPrefix(dir, ".github") }},
	{"GitLab CI", func(_, name string) bool { return strings.HasPrefix(name, ".gitlab-ci") }},
	{"Compose", func(_, name string) bool {
		return strings.HasPrefix(name, "docker-compose") || strings.HasPrefix(name, "compose.")
	}},
	{"Helm chart", func(_, name string) bool { return stem(name) == "Chart" || stem(name) == "requirements" }},
	{"Helm values", func(_, name string) bool { return strings.HasPrefix(name, "values") }},
	{"Kustomize", func(_, name string) bool { return stem(name) == "kustomization" }},
	{"lock file", func(_, name string) bool {
		return strings.HasSuffix(stem(name), "-lock") || strings.HasSuffix(stem(name), ".lock")
	}},
	{"Ansible", func(dir, _ string) bool {
		return slices.ContainsFunc(strings.Split(dir, "/"), func(s string) bool {
			return slices.Contains([]string{"tasks", "handlers", "playbooks", "group_vars", "host_vars"}, s)
		})
	}},
}

// kindOf says what a file is, for people, by its path and its content.
func kindOf(file string, content []byte) string {
	if bytes.Contains(content, []byte("{{")) && !strings.HasPrefix(file, ".github") {
		return "template"
	}
	for _, k := range kinds {
		if k.match(path.Split(file)) {
			return k.kind
		}
	}
	if resource().Match(content) && bytes.Contains(content, []byte("apiVersion:")) {
		return "Kubernetes"
	}
	return "other"
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
