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

// room returns the folder of a package of libraryImports.
func room(name string) string {
	switch name {
	case "merge":
		return "."
	case "linemerge", "kube", "program":
		return name
	}
	return "internal/" + name
}

// libraryImports lists the packages of the library, each with its imports from the library.
const libraryImports = `
text:
diff3: text
linemerge: diff3, text
syntax: text
template: syntax, text
access: syntax
schema: access, syntax
team: access, schema, syntax, text
three: schema, syntax
ident: diff3, schema, syntax, team, text, three
pair: diff3, ident, schema, syntax, team, template, text, three
verify: diff3, ident, pair, schema, syntax, team, template, text, three
read: diff3, syntax, template, text, three
elide: diff3, read, schema, syntax, text
plan: diff3, ident, pair, schema, syntax, team, template, text, three
overlay: ident, pair, plan, schema, syntax, team, text, three, verify
page: diff3, plan, schema, syntax, team, text, three
bump: ident, page, pair, read, syntax, team, text, three
proof: diff3, page, read, syntax, team, template, text, three, verify
engine: bump, diff3, elide, ident, overlay, page, pair, plan, proof, read, schema, syntax, team, template, text, three, verify
bridge: engine, team
merge: bridge, bump, diff3, engine, page, pair, plan, read, schema, syntax, team, template, text, three, verify
kube: bridge, engine, merge
program: bridge, merge, team
`

// TestRooms checks that libraryImports lists the packages of the library and what each imports, that each imports only
// packages that precede it in the list, that it has a package comment, and that docs/architecture.md lists the packages
// in the same order.
func TestRooms(t *testing.T) {
	page, err := os.ReadFile(filepath.FromSlash("../docs/architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for row := range strings.Lines(strings.TrimSpace(libraryImports)) {
		name, listed, _ := strings.Cut(strings.TrimSpace(row), ":")
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
		if got := strings.TrimSpace(listed); got != want {
			t.Errorf("libraryImports: %s imports %s, not %s", name, want, got)
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
	list := "**Packages of the library:** `" + strings.Join(names, "`, `") + "`."
	if !strings.Contains(strings.Join(strings.Fields(string(page)), " "), list) {
		t.Errorf("docs/architecture.md does not have this list: %s", list)
	}
	entries, err := os.ReadDir("internal")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); e.IsDir() && !slices.Contains(names, name) && !slices.Contains(testOnly, name) {
			t.Errorf("libraryImports does not list %s", name)
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
