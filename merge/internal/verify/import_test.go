package verify

import (
	"go/build"
	"slices"
	"strings"
	"testing"
)

// The verifier is worth something only as long as it shares no decision with what
// it judges: definitions (schema, what a tree says of itself, which resource is which, how
// lines align) and trees, and nothing else.
func TestImports(t *testing.T) {
	const module = "github.com/git-merge-yaml/git-merge-yaml/"
	allowed := []string{"merge/internal/diff3", "merge/internal/schema", "merge/internal/syntax", "merge/internal/template", "merge/internal/text", "merge/internal/three"}
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
