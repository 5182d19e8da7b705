package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// packageOrder are the internal packages of the command. Each may import only packages before it.
var packageOrder = []string{
	"build", "disk", "terminal", "git", "repo", "situation", "session", "driver", "history", "show",
	"resolve", "regenerate", "setup", "app", "scripttest",
}

// TestImportOrder checks that packages import each other only in packageOrder, and that only app imports the library
// for the command line.
func TestImportOrder(t *testing.T) {
	const internal = "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/"
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./internal/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name := strings.TrimPrefix(words[0], internal)
		at := slices.Index(packageOrder, name)
		if at < 0 {
			t.Errorf("%s is not in packageOrder", name)
			continue
		}
		for _, p := range words[1:] {
			if below, own := strings.CutPrefix(p, internal); own && !slices.Contains(packageOrder[:at], below) {
				t.Errorf("%s imports %s, which is not before it in packageOrder", name, below)
			}
			if strings.Contains(p, "/urfave/cli") && name != "app" {
				t.Errorf("%s imports %s", name, p)
			}
		}
	}
}

// TestDependenciesAreDocumented checks that docs/dependencies.md says of each module whether it is in the program that
// is installed, and whether it is only in one that is built without the tag urfave_cli_no_docs.
func TestDependenciesAreDocumented(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("..", "..", "docs", "dependencies.md"))
	if err != nil {
		t.Fatal(err)
	}
	modulesOf := func(args ...string) (modules []string) {
		out, err := exec.Command("go", append(append([]string{"list", "-deps"}, args...), "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".")...).Output()
		if err != nil {
			t.Fatal(err)
		}
		modules = strings.Fields(string(out))
		slices.Sort(modules)
		return slices.Compact(modules)
	}
	installed, plain := modulesOf("-tags", "urfave_cli_no_docs"), modulesOf()
	parts := map[string][]string{}
	for line := range strings.Lines(string(document)) {
		if cells := strings.Split(line, " | "); len(cells) == 4 && strings.HasPrefix(line, "| `") {
			part := strings.TrimSuffix(strings.TrimSpace(cells[3]), " |")
			parts[part] = append(parts[part], strings.Trim(cells[0], "| `"))
		}
	}
	plain = slices.DeleteFunc(plain, func(m string) bool { return slices.Contains(installed, m) })
	if !slices.Equal(parts["the program"], installed) {
		t.Errorf("the program has %q, but the document says %q", installed, parts["the program"])
	}
	if !slices.Equal(parts["a build without the tag"], plain) {
		t.Errorf("a build without the tag also has %q, but the document says %q", plain, parts["a build without the tag"])
	}
}

// TestNoNetwork checks that the program does not import a package for network access.
func TestNoNetwork(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		if name == "net" || strings.HasPrefix(name, "net/") && name != "net/url" && name != "net/netip" {
			t.Errorf("it needs %s", name)
		}
	}
}
