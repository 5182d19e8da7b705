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
	{"GitHub workflow", within(".github")},
	{"GitLab CI", starts(".gitlab-ci")},
	{"CI of another service", func(dir, name string) bool {
		return within(".circleci", ".buildkite", ".azure-pipelines", ".tekton", ".gitea", ".forgejo", ".woodpecker")(dir, name) ||
			starts(".travis", ".drone", ".cirrus", "azure-pipelines", "bitbucket-pipelines", "cloudbuild", "appveyor", ".appveyor", "Jenkinsfile")(dir, name)
	}},
	{"Compose", starts("docker-compose", "compose.")},
	{"Helm chart", is("Chart", "requirements")},
	{"Helm template", within("templates")},
	{"Helm values", func(_, name string) bool {
		return strings.HasPrefix(name, "values") || strings.HasSuffix(stem(name), "values")
	}},
	{"Kustomize", is("kustomization")},
	{"lock file", func(_, name string) bool {
		return strings.HasSuffix(stem(name), "-lock") || strings.HasSuffix(stem(name), ".lock")
	}},
	{"Ansible", within("tasks", "handlers", "playbooks", "group_vars", "host_vars", "roles")},
	{"translations", within("locales", "locale", "i18n", "translations", "lang")},
	{"OpenAPI", func(_, name string) bool {
		return strings.Contains(name, "openapi") || strings.Contains(name, "swagger")
	}},
	{"package or environment", is("environment", "pubspec", "conda", "meta", "snapcraft", "galaxy", "package")},
	{"documentation", is("mkdocs", "_config", "antora", "_toc", "_data")},
	{"settings of a tool", func(_, name string) bool { return strings.HasPrefix(name, ".") }},
}

func within(names ...string) func(dir, name string) bool {
	return func(dir, _ string) bool {
		return slices.ContainsFunc(strings.Split(dir, "/"), func(s string) bool { return slices.Contains(names, s) })
	}
}

func starts(prefixes ...string) func(dir, name string) bool {
	return func(_, name string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
	}
}

func is(stems ...string) func(dir, name string) bool {
	return func(_, name string) bool { return slices.Contains(stems, stem(name)) }
}

// contents are what files are that are known by what is in them.
var contents = []struct{ kind, has string }{
	{"OpenAPI", "openapi:"}, {"OpenAPI", "swagger:"}, {"CloudFormation", "AWSTemplateFormatVersion:"}, {"Ansible", "- hosts:"},
	{"package or environment", "channels:"},
	{"Prow jobs", "presubmits:"}, {"Prow jobs", "postsubmits:"}, {"Prow jobs", "periodics:"}, {"Prow jobs", "presets:"},
	{"TestGrid", "dashboards:"}, {"TestGrid", "test_groups:"}, {"TestGrid", "dashboard_groups:"},
	{"Prometheus rules", "groups:"}, {"Helmfile", "releases:"}, {"Helmfile", "helmfiles:"},
	{"Jenkins jobs", "- job:"}, {"Jenkins jobs", "- job-template:"}, {"Jenkins jobs", "- project:"},
}

// kindOf says what a file is, for people, by its path and its content; where that says
// nothing, in which folder it is.
func kindOf(file string, content []byte) string {
	for _, k := range kinds {
		if k.match(path.Split(file)) {
			return k.kind
		}
	}
	for _, c := range contents {
		if has(content, c.has) {
			return c.kind
		}
	}
	if bytes.Contains(content, []byte("{{")) {
		return "template"
	}
	if resource().Match(content) && (has(content, "apiVersion:") || has(content, "metadata:") || has(content, "spec:")) {
		return "Kubernetes"
	}
	if folder, _, ok := strings.Cut(file, "/"); ok {
		return "in " + folder + "/"
	}
	return "at the top"
}

// has reports whether content has a line that begins with what.
func has(content []byte, what string) bool {
	return bytes.HasPrefix(content, []byte(what)) || bytes.Contains(content, []byte("\n"+what))
}

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }
