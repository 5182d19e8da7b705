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

// rooms are the packages of the library. Each may import only those that precede it in this list.
var rooms = []string{
	"internal/text", "internal/diff3", "linemerge", "internal/syntax", "internal/template", "internal/access", "internal/schema",
	"internal/team", "internal/three",
	"internal/ident", "internal/pair", "internal/verify", "internal/read", "internal/elide", "internal/plan", "internal/overlay", "internal/page",
	"internal/bump", "internal/proof", "internal/compare", "internal/engine", "internal/dialog", "internal/bridge", ".", "kube",
	"program",
}

// TestRooms checks that each package of rooms imports only packages that precede it in the list, and that it has a
// package comment.
func TestRooms(t *testing.T) {
	for i, room := range rooms {
		documented := false
		for _, f := range goFiles(t, filepath.FromSlash(room)) {
			for _, path := range importsOf(t, f) {
				below, ok := strings.CutPrefix(path, "github.com/git-merge-yaml/git-merge-yaml/merge")
				if below = strings.TrimPrefix(below, "/"); below == "" {
					below = "."
				}
				if ok && !slices.Contains(rooms[:i], below) {
					t.Errorf("%s imports %s, which does not precede it", f, below)
				}
			}
			documented = documented || packageComment(t, f)
		}
		if !documented {
			t.Errorf("%s does not say what it is", room)
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
