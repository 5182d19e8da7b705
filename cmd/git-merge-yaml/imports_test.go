package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// commandImports lists the internal packages of the command, each with its imports from that list.
const commandImports = `
build:
disk:
terminal:
git: disk, terminal
situation: git
session: build, disk, git, situation, terminal
driver: session, situation, terminal
history: disk, driver, git, session
show: driver, git, history, session, situation, terminal
resolve: disk, driver, git, history, session, show, situation, terminal
regenerate: disk, git, session, situation, terminal
setup: build, disk, driver, git, session, terminal
app: build, disk, driver, git, history, regenerate, resolve, session, setup, show, terminal
scripttest:
`

// TestImportOrder checks that commandImports lists the internal packages of the command and what each imports, that
// each imports only packages that precede it in the list, that only app imports the library for the command line, and
// that docs/architecture.md lists the packages in the same order.
func TestImportOrder(t *testing.T) {
	const internal = "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/"
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	listed := map[string]string{}
	for row := range strings.Lines(strings.TrimSpace(commandImports)) {
		name, imports, _ := strings.Cut(strings.TrimSpace(row), ":")
		names = append(names, name)
		listed[name] = strings.TrimSpace(imports)
	}
	list := "**Packages of the command:** `" + strings.Join(names, "`, `") + "`."
	if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), list) {
		t.Errorf("docs/architecture.md does not have this list: %s", list)
	}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./internal/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name := strings.TrimPrefix(words[0], internal)
		at := slices.Index(names, name)
		if at < 0 {
			t.Errorf("commandImports does not list %s", name)
			continue
		}
		var imports []string
		for _, p := range words[1:] {
			if below, own := strings.CutPrefix(p, internal); own {
				if imports = append(imports, below); !slices.Contains(names[:at], below) {
					t.Errorf("%s imports %s, which does not precede it", name, below)
				}
			}
			if strings.Contains(p, "/urfave/cli") && name != "app" {
				t.Errorf("%s imports %s", name, p)
			}
		}
		if want := strings.Join(imports, ", "); listed[name] != want {
			t.Errorf("commandImports: %s imports %s, not %s", name, want, listed[name])
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
