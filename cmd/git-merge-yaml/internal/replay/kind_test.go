package replay

import "testing"

func TestKindOf(t *testing.T) {
	for _, c := range []struct{ path, content, want string }{
		{"a.yaml", "apiVersion: v1\nkind: Pod\n", "Kubernetes"},
		{"x/a.yaml", "a: 1\n", "in x/"},
		{"a.yaml", "a: 1\n", "at the top"},
		{"charts/a/templates/a.yaml", "a: {{ b }}\n", "Helm template"},
		{"charts/a/values.yaml", "# {{ x }}\na: 1\n", "Helm values"},
		{"x/a.yaml", "a: {{ b }}\n", "template"},
		{"patches/a.yaml", "kind: Pod\nspec: {}\n", "Kubernetes"},
		{"jobs/a.yaml", "presubmits:\n", "Prow jobs"},
		{"monitoring/a.yaml", "groups:\n", "Prometheus rules"},
		{".github/workflows/ci.yml", "run: ${{ x }}\n", "GitHub workflow"},
		{".circleci/config.yml", "", "CI of another service"},
		{"azure-pipelines.yml", "", "CI of another service"},
		{"config/locales/de.yml", "de:\n", "translations"},
		{"api/v1.yaml", "info: 1\nopenapi: 3.0.0\n", "OpenAPI"},
		{".golangci.yml", "", "settings of a tool"},
		{"site.yml", "- hosts: all\n", "Ansible"},
		{"env/environment.yml", "", "package or environment"},
		{"charts/a/Chart.yaml", "", "Helm chart"},
		{"pnpm-lock.yaml", "", "lock file"},
	} {
		if got := kindOf(c.path, []byte(c.content)); got != c.want {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}
