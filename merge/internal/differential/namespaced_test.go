package differential

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

// TestNamespaced checks that IsNamespaced is right for every built-in kind, according to the markers in the sources of
// their types.
func TestNamespaced(t *testing.T) {
	clusterScoped := map[string]bool{} // by folder and type
	dir := moduleDir(t, "k8s.io/api")
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "types.go" {
			return err
		}
		folder, err := filepath.Rel(dir, filepath.Dir(path))
		for _, name := range nonNamespaced(t, path) {
			clusterScoped["k8s.io/api/"+filepath.ToSlash(folder)+"."+name] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	scheme := runtime.NewScheme()
	if err := addToScheme.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	seen := map[bool]int{}
	for gvk, goType := range scheme.AllKnownTypes() {
		if _, ok := goType.FieldByName("ObjectMeta"); !ok || slices.Contains(notApplied, gvk.Kind) {
			continue
		}
		version, kind := gvk.ToAPIVersionAndKind()
		want := !clusterScoped[goType.PkgPath()+"."+goType.Name()]
		seen[want]++
		if got := schema.IsNamespaced(version, kind); got != want {
			t.Errorf("%s %s: namespaced is %v, want %v", version, kind, got, want)
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("none of a scope: %v", seen)
	}
}

// nonNamespaced returns the types in a Go file that have the marker +genclient:nonNamespaced.
func nonNamespaced(t *testing.T, path string) (names []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.TYPE {
			continue
		}
		// The marker can be in a separate comment above the comment of the declaration.
		for _, c := range f.Comments {
			if before := g.Pos() - c.End(); before >= 0 && before < 2000 && strings.Contains(text0(c), "+genclient:nonNamespaced") && !declaredBetween(f, c.End(), g.Pos()) {
				names = append(names, g.Specs[0].(*ast.TypeSpec).Name.Name)
				break
			}
		}
	}
	return names
}

// text0 returns the text of a comment, including its directives.
func text0(c *ast.CommentGroup) string {
	var b strings.Builder
	for _, l := range c.List {
		b.WriteString(l.Text + "\n")
	}
	return b.String()
}

// declaredBetween reports whether a declaration starts between two positions.
func declaredBetween(f *ast.File, from, to token.Pos) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool { return from <= d.Pos() && d.Pos() < to })
}
