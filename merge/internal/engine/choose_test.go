package engine

import (
	"errors"
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// fieldMerger returns a merger after it has merged the three versions by field.
func fieldMerger(t *testing.T, base, ours, theirs string) *merger {
	t.Helper()
	m := newMerger([3][]byte{[]byte(base), []byte(ours), []byte(theirs)}, Options{})
	if _, err := m.mergeBy(unelided); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestMend checks which changes of a line merge with a defect (such as a duplicate key) addConflictsUntilNoDefect puts in conflict.
func TestMend(t *testing.T) {
	for _, c := range []struct {
		name, base, ours, theirs string
		want                     []int // nil if the defects cannot be turned into conflicts
	}{
		{"both added a key", "a: 1\nb: 1\nc: 1\n", "k: 1\na: 1\nb: 1\nc: 2\n", "a: 1\nk: 2\nb: 1\nc: 1\n", []int{0, 1}},
		{"an alias without its anchor, and a change between", "a: &x 1\nb: 1\nc: 1\nd: 1\ne: 1\n", "a: 1\nb: 1\nc: 2\nd: 1\ne: 1\n", "a: &x 1\nb: 1\nc: 1\nd: 1\ne: *x\n", []int{0, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := fieldMerger(t, c.base, c.ours, c.theirs)
			v := diff3.NewVersions(m.in.Data[three.Original], m.in.Data[three.Dest], m.in.Data[three.Updated])
			var got []int
			p := m.addConflictsUntilNoDefect(v.CountOneSided(diff3.Merge), func(contested []int) *page.Page {
				parts, err := v.Parts(diff3.Options{As: diff3.Merge, ForcedConflicts: contested})
				if err != nil {
					t.Fatal(err)
				}
				got = contested
				return page.FromLineMerge(m.in.Data, parts, v.Merging(diff3.Merge, contested))
			})
			slices.Sort(got)
			if (p != nil) != (c.want != nil) || p != nil && !slices.Equal(got, c.want) {
				t.Errorf("%v of %v", got, p != nil)
			}
		})
	}
}

// TestEncryptedWithoutMergeByField checks that a file encrypted by SOPS is in conflict as a whole if the merge by field
// cannot be verified, even if git's line merge is clean.
func TestEncryptedWithoutMergeByField(t *testing.T) {
	base, ours, theirs := "a: 1\nx: 1\ny: 1\nb: 1\nsops:\n  mac: m\n", "a: 2\nx: 1\ny: 1\nb: 1\nsops:\n  mac: m\n", "a: 1\nx: 1\ny: 1\nb: 2\nsops:\n  mac: m\n"
	m := newMerger([3][]byte{[]byte(base), []byte(ours), []byte(theirs)}, Options{})
	o, err := m.merge([]way{{"none", true, func(*merger) (outcome, error) { return outcome{}, errors.New("not verified") }}})
	want := "<<<<<<< ours\n" + ours + "=======\n" + theirs + ">>>>>>> theirs\n"
	if err != nil || string(o.Bytes) != want || len(o.Conflicts) != 1 || o.Conflicts[0].Kind != plan.ConflictEncrypted {
		t.Errorf("%v, %v\n%s", err, o.Conflicts, o.Bytes)
	}
}
