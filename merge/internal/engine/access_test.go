package engine

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
)

// TestAccessMerges checks that fields that grant access are combined if the result grants nothing that neither side
// grants.
func TestAccessMerges(t *testing.T) {
	for _, r := range mergetest.AccessMerges {
		checkCleanRow(t, r.Raw(), Options{Path: r.Path}, string(r.File(r.Want)))
	}
}

// checkCleanRow checks that the merge is clean with the bytes want, also by field alone, and that the laws hold for it.
func checkCleanRow(t *testing.T, raw [3][]byte, opts Options, want string) {
	t.Helper()
	for _, by := range []order{asMerge, fieldsOnly} {
		res, err := mergeBy(by, raw, opts)
		switch {
		case err != nil:
			t.Fatal(err)
		case string(res.Bytes) != want:
			t.Errorf("%s: got\n%s\nwant\n%s", opts.Path, res.Bytes, want)
		}
	}
	checkLaws(t, raw, opts)
	if broken := remergeDifference(t, raw, opts); broken != "" {
		t.Errorf("%s: merged again:\n%s", opts.Path, broken)
	}
}
