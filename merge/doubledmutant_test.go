package merge

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mutant"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
)

// TestDoubledKeyMutants puts a second one beside a key in clean line merges, of the cases
// and of generated merges: none of these is taken for git's clean merge.
func TestDoubledKeyMutants(t *testing.T) {
	files, err := filepath.Glob("../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	tried := 0
	spoil := func(name string, raw [3][]byte, opts Options) {
		b, conflicts, err := MergeLines(raw[0], raw[1], raw[2], Markers{})
		if err != nil || conflicts > 0 || slices.ContainsFunc(raw[:], doubles) {
			return
		}
		m := newMerger(raw, opts)
		if o, err := m.mergeBy(fieldsOnly); err != nil || o.Method == Delegated || m.in.Language == read.Template {
			return
		}
		mutant.Each(b, func(way string, _ int) bool { return way == "double the key" }, func(x mutant.Mutant) {
			if !doubles(x.Stream.File.Bytes()) {
				return // the line was put behind one without a line end
			}
			if tried++; m.proof.LineMergeDefect(x.Stream.File.Bytes(), x.Stream, nil) == nil {
				t.Errorf("%s: taken with a key twice, line %d:\n%s", name, x.Line, x.Stream.File.Bytes())
			}
		})
	}
	for _, f := range files {
		c := readCase(t, f)
		spoil(strings.TrimSuffix(filepath.Base(f), ".txtar"), c.raw, c.opts)
	}
	for seed := range 40 {
		spoil("generated", newGenerated(seed).raw, Options{})
	}
	if tried < 100 {
		t.Errorf("%d tried", tried)
	}
}
