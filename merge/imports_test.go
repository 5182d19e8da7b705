package merge_test

import (
	"os/exec"
	"strings"
	"testing"
)

// TestImports checks that this package depends on yaml.v3, and on nothing else outside
// of the standard library and this module.
func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	modules := map[string]bool{}
	for _, m := range strings.Fields(string(out)) {
		modules[m] = true
	}
	for _, m := range []string{"github.com/git-merge-yaml/git-merge-yaml", "gopkg.in/yaml.v3"} {
		if !modules[m] {
			t.Errorf("%s is not among the modules", m)
		}
		delete(modules, m)
	}
	for m := range modules {
		t.Errorf("merge imports %s", m)
	}
}
