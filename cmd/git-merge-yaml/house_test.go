package main

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/git-merge-yaml/git-merge-yaml/"

// room is a row of the house's table: a folder of the command, and what of this
// module it imports.
var room = regexp.MustCompile("(?m)^\\| `(cmd/[^`]*)` \\|.*\\| ?([^|]*?) ?\\|$")

// TestHouse holds that the command's packages import each other as
// docs/architecture.md says, and that one alone knows the command line's
// library.
func TestHouse(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, m := range room.FindAllStringSubmatch(string(doc), -1) {
		names := strings.Split(m[2], ", ")
		slices.Sort(names)
		want[m[1]] = strings.Join(names, ", ")
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		folder := strings.TrimPrefix(words[0], module)
		var own []string
		for _, p := range words[1:] {
			if strings.HasPrefix(p, module) {
				own = append(own, path.Base(p))
			}
			if strings.Contains(p, "/urfave/cli") && path.Base(folder) != "app" {
				t.Errorf("%s imports %s", folder, p)
			}
		}
		slices.Sort(own)
		if said, ok := want[folder]; !ok || said != strings.Join(own, ", ") {
			t.Errorf("%s imports %q, docs/architecture.md says %q", folder, own, said)
		}
		delete(want, folder)
	}
	for folder := range want {
		t.Errorf("docs/architecture.md has %s, which is no package", folder)
	}
}
