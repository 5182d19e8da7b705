package merge_test

import (
	"cmp"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// room returns the folder of a package of the library, as docs/architecture.md names it.
func room(name string) string {
	switch name {
	case "merge":
		return "."
	case "linemerge", "kube", "program":
		return name
	}
	return "internal/" + name
}

// TestRooms checks that docs/architecture.md lists the packages of the library and what each imports, that each imports
// only packages that precede it in the list, and that it has a package comment.
func TestRooms(t *testing.T) {
	page, err := os.ReadFile(filepath.FromSlash("../docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| package of the library | imports |\n|---|---|\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var names []string
	for row := range strings.Lines(table + "\n") {
		cells := strings.Split(row, "|")
		name := strings.Trim(cells[1], " `")
		documented := false
		imports := map[string]bool{}
		for _, f := range goFiles(t, filepath.FromSlash(room(name))) {
			for _, path := range importsOf(t, f) {
				if below, ok := strings.CutPrefix(path, "github.com/git-merge-yaml/git-merge-yaml/merge"); ok {
					below = strings.TrimPrefix(strings.TrimPrefix(below, "/"), "internal/")
					imports[cmp.Or(below, "merge")] = true
				}
			}
			documented = documented || packageComment(t, f)
		}
		want := strings.Join(slices.Sorted(maps.Keys(imports)), ", ")
		if got := strings.Trim(cells[2], " –"); got != want {
			t.Errorf("docs/architecture.md: %s imports %s, not %s", name, want, got)
		}
		for below := range imports {
			if !slices.Contains(names, below) {
				t.Errorf("%s imports %s, which does not precede it", name, below)
			}
		}
		if !documented {
			t.Errorf("%s does not say what it is", name)
		}
		names = append(names, name)
	}
	entries, err := os.ReadDir("internal")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); e.IsDir() && !slices.Contains(names, name) && !slices.Contains(testOnly, name) {
			t.Errorf("docs/architecture.md does not list %s", name)
		}
	}
}

// testOnly are the internal packages for tests.
var testOnly = []string{"differential", "features", "mergetest", "mutant", "render"}

// goFiles returns the paths of the Go files in dir, without tests.
func goFiles(t *testing.T, dir string) (files []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		if n := f.Name(); strings.HasSuffix(n, ".go") && !strings.HasSuffix(n, "_test.go") {
			files = append(files, filepath.Join(dir, n))
		}
	}
	return files
}

// importsOf returns the import paths of a Go file.
func importsOf(t *testing.T, file string) (paths []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range f.Imports {
		path, err := strconv.Unquote(s.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// packageComment reports whether a Go file has a package comment.
func packageComment(t *testing.T, file string) bool {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return f.Doc != nil
}
