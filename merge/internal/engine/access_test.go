package engine

import (
	"cmp"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
)

// TestAccessMerges checks that fields that grant access are combined if the result grants nothing that neither side
// grants.
func TestAccessMerges(t *testing.T) {
	for _, r := range mergetest.AccessMerges {
		checkRow(t, r, string(r.File(r.Want)))
	}
}

// checkRow checks that the merge of r is clean with the bytes want, also by field alone, and that the laws hold for it.
// If want is empty, it checks that the merge has a conflict, also with swapped sides. It returns the result.
func checkRow(t *testing.T, r mergetest.Row, want string) Result {
	t.Helper()
	raw, opts := r.Raw(), Options{Path: r.Path}
	res, err := Merge(raw[0], raw[1], raw[2], opts)
	switch {
	case err != nil:
		t.Fatalf("%s: %v", r.Path, err)
	case want != "" && string(res.Bytes) != want, want == "" && res.Clean():
		t.Errorf("%s, %s, %s: got\n%s\nwant\n%s", r.Path, r.Ours, r.Theirs, res.Bytes, cmp.Or(want, "a conflict"))
	}
	if want == "" {
		checkSwap(t, raw, opts)
		return res
	}
	if byFields, err := mergeBy(fieldsOnly, raw, opts); err != nil || string(byFields.Bytes) != want {
		t.Errorf("%s, %s, %s by field: %v, got\n%s\nwant\n%s", r.Path, r.Ours, r.Theirs, err, byFields.Bytes, want)
	}
	if broken := checkLaws(t, raw, opts); broken != "" {
		t.Errorf("%s: merged again:\n%s", r.Path, broken)
	}
	return res
}
