package engine

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
)

// TestPresetCombinations checks that presets find fields that must not be combined, and only these.
func TestPresetCombinations(t *testing.T) {
	for _, r := range mergetest.PresetConflicts {
		if res := checkRow(t, r, ""); !res.Clean() && !strings.Contains(res.Conflicts[0].Detail, r.Want) {
			t.Errorf("%s, %s: %q, want %q", r.Path, r.Ours, res.Conflicts[0].Detail, r.Want)
		}
	}
	for _, r := range mergetest.PresetMerges {
		checkRow(t, r, string(r.File(r.Want)))
	}
}
