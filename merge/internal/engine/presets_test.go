package engine

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
)

// TestPresetCombinations checks that presets find fields that must not be combined.
func TestPresetCombinations(t *testing.T) {
	for _, r := range mergetest.PresetConflicts {
		raw, opts := r.Raw(), Options{Path: r.Path}
		checkSwap(t, raw, opts)
		res, err := Merge(raw[0], raw[1], raw[2], opts)
		switch {
		case err != nil:
			t.Errorf("%s: %v", r.Path, err)
		case res.Clean():
			t.Errorf("%s, %s: clean:\n%s", r.Path, r.Want, res.Bytes)
		case !strings.Contains(res.Conflicts[0].Detail, r.Want):
			t.Errorf("%s: %q, want %q", r.Path, res.Conflicts[0].Detail, r.Want)
		}
	}
}
