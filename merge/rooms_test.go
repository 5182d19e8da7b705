package merge_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rooms are the packages in merge/internal. Each may import only those that precede it in this list.
var rooms = []string{
	"text", "diff3", "syntax", "template", "schema", "three",
	"verify", "read", "elide", "pair", "plan", "overlay", "page", "bump", "proof", "engine",
}

// TestRooms checks that each package of rooms, and package merge, imports only packages that precede it in the list.
// Each package has to have a package comment and tests, too.
func TestRooms(t *testing.T) {
	for i, room := range append(slices.Clone(rooms), "") {
		dir := filepath.Join("internal", room)
		if room == "" {
			dir = "."
		}
		documented := false
		for _, f := range goFiles(t, dir) {
			for _, path := range importsOf(t, f) {
				_, below, ok := strings.Cut(path, "/merge/internal/")
				if ok && !slices.Contains(rooms[:i], below) {
					t.Errorf("%s imports %s, which does not stand below it", f, below)
				}
			}
			documented = documented || packageComment(t, f)
		}
		if tests, err := filepath.Glob(filepath.Join(dir, "*_test.go")); err != nil || len(tests) == 0 {
			t.Errorf("%s has no tests of its own", dir)
		}
		if !documented {
			t.Errorf("%s does not say what it is", dir)
		}
	}
}

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
