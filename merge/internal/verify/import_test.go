package verify

import (
	"go/build"
	"slices"
	"strings"
	"testing"
)

// TestImports tests that the verifier shares no decisions with the packages that create results. It may import
// definitions (list rules, properties of nodes, identities of resources, alignment of lines), trees, and pair: git's line
// merge, the only result that the verifier judges with its pairing, is made without it.
func TestImports(t *testing.T) {
	const module = "github.com/git-merge-yaml/git-merge-yaml/"
	allowed := []string{"merge/internal/diff3", "merge/internal/ident", "merge/internal/pair", "merge/internal/schema", "merge/internal/syntax", "merge/internal/team", "merge/internal/template", "merge/internal/text", "merge/internal/three"}
	pkg, err := build.ImportDir(".", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range pkg.Imports {
		name, own := strings.CutPrefix(path, module)
		if own && !slices.Contains(allowed, name) || !own && strings.Contains(path, ".") {
			t.Errorf("%s imports %s", pkg.Name, path)
		}
	}
}
