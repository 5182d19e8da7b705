package law

import (
	"go/build"
	"slices"
	"strings"
	"testing"
)

// The law is worth something only as long as it shares no code with what
// it judges.
func TestImports(t *testing.T) {
	pkg, err := build.ImportDir(".", 0)
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/git-merge-yaml/git-merge-yaml/"
	allowed := []string{"merge/internal/schema", "merge/internal/syntax", "merge/internal/template", "merge/internal/text"}
	for _, path := range pkg.Imports {
		name, ours := strings.CutPrefix(path, module)
		if ours && !slices.Contains(allowed, name) || !ours && strings.Contains(path, ".") {
			t.Errorf("the law imports %s", path)
		}
	}
}
