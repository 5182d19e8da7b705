package engine

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mutant"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
)

// TestGuardMutants checks that verification refuses a merged template if its guards are
// wrong. It takes the clean merges of the template test cases and of generated templates
// and changes one block at a time: it negates, removes, renames or extends the block,
// removes its else or swaps its branches.
func TestGuardMutants(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/merge/template-*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	tried := 0
	spoil := func(name string, raw [3][]byte, opts Options) {
		m := newMerger(raw, opts)
		o, err := m.mergeBy(fieldsOnly)
		if err != nil {
			t.Fatal(err)
		}
		if o.Method != Structural || !o.Clean() || m.in.Language != read.Template {
			return
		}
		mutant.EachGuardMutant(o.Bytes, func(way string, line int, b []byte) {
			if slices.ContainsFunc(raw[:], func(v []byte) bool { return bytes.Equal(v, b) }) {
				return
			}
			if tried++; m.proof.Verify(b) == nil {
				t.Errorf("accepted: %s: %s, line %d:\n%s", name, way, line, b)
			}
		})
	}
	for _, f := range files {
		c := readCase(t, f)
		spoil(strings.TrimSuffix(filepath.Base(f), ".txtar"), c.Raw, c.opts)
	}
	for seed := range uint64(60) {
		raw, _ := newMadeTemplate(seed)
		spoil(fmt.Sprintf("made %d", seed), raw, Options{})
	}
	if tried < 100 {
		t.Errorf("%d tried", tried)
	}
}
