package engine

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mutant"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestDoubledKeyMutants checks that a clean line merge with a duplicate key is never
// accepted. It duplicates each key in the clean line merges of all test cases and of
// generated merges, in turn, and LineMergeDefect has to find a defect every time.
func TestDoubledKeyMutants(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	tried := 0
	spoil := func(name string, raw [3][]byte, opts Options) {
		b, conflicts, err := mergeLines(raw[0], raw[1], raw[2], text.Markers{})
		if err != nil || conflicts > 0 || slices.ContainsFunc(raw[:], doubles) {
			return
		}
		m := newMerger(raw, opts)
		if o, err := m.mergeBy(fieldsOnly); err != nil || o.Method == Delegated || m.in.Language == read.Template {
			return
		}
		mutant.Each(b, func(way string, _ int) bool { return way == "double the key" }, func(x mutant.Mutant) {
			if !doubles(x.Stream.File.Bytes()) {
				return // the copy was appended to a line without a line break, so no key is duplicate
			}
			if tried++; m.proof.LineMergeDefect(x.Stream.File.Bytes(), x.Stream, nil) == nil {
				t.Errorf("%s: taken with a key twice, line %d:\n%s", name, x.Line, x.Stream.File.Bytes())
			}
		})
	}
	for _, f := range files {
		c := readCase(t, f)
		spoil(strings.TrimSuffix(filepath.Base(f), ".txtar"), c.Raw, c.opts)
	}
	for seed := range 40 {
		spoil("generated", newGenerated(seed).raw, Options{})
	}
	if tried < 100 {
		t.Errorf("%d tried", tried)
	}
}
