package engine

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestMendedIsAsked checks that the user can resolve a conflict of a line merge whose defects were turned into a
// conflict, and that an answer that is not valid YAML is rejected.
func TestMendedIsAsked(t *testing.T) {
	const fields = "  # The name is that of the branch.\n  # It is also that of the image.\n  name: main\n  image: main\n  user: ci\n  cpu: 1\n  memory: 2\n  disk: 3\n  time: 4\n  swap: 5\n"
	base := "build:\n" + fields
	ours := strings.NewReplacer("  name", "- name", "disk: 3", "disk: 33").Replace(base)
	theirs := "build:\n  stage: test\n" + strings.NewReplacer("user: ci", "user: bot", "swap: 5", "swap: 55").Replace(fields)
	x, err := NewResolution([]byte(base), []byte(ours), []byte(theirs), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r := x.Result(); r.Method != Delegated || r.Refused == "" || len(x.Questions()) != 1 {
		t.Fatalf("%v, %q, %d questions", r.Method, r.Refused, len(x.Questions()))
	}
	if err := x.Decide(0, Answer{Take: TakeText, Text: "  stage: test\n- name: main\n"}); err == nil {
		t.Error("what is no YAML was accepted")
	}
	if err := x.Decide(0, Answer{Take: TakeTheirs}); err != nil || string(x.Result().Bytes) != strings.Replace(theirs, "disk: 3", "disk: 33", 1) {
		t.Errorf("%v\n%s", err, x.Result().Bytes)
	}
}

// fieldMerger returns a merger after it has merged the three versions by field.
func fieldMerger(t *testing.T, base, ours, theirs string) *merger {
	t.Helper()
	m := newMerger([3][]byte{[]byte(base), []byte(ours), []byte(theirs)}, Options{})
	if _, err := m.mergeBy(unelided); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestTightened checks that splitConflicts takes lines that only one side changed out of a conflict.
func TestTightened(t *testing.T) {
	m := fieldMerger(t, "a: 1\nb: 1\nc: 1\n", "a: 2\nb: 1\nc: 1\n", "a: 3\nb: 1\nc: 2\n")
	whole := &page.Page{Parts: []page.Part{{Conflict: page.WholeFileConflict(m.in.Data)}}}
	p := m.splitConflicts(m.newRenderer(), whole)
	if len(p.Conflicts()) != 1 {
		t.Fatalf("%d conflicts", len(p.Conflicts()))
	}
	if got := string(p.Resolve(three.Dest)); got != "a: 2\nb: 1\nc: 2\n" {
		t.Errorf("with ours: %q", got)
	}
	if got := string(p.Resolve(three.Updated)); got != "a: 3\nb: 1\nc: 2\n" {
		t.Errorf("with theirs: %q", got)
	}
	if r := m.proof.VerifyPage(p); r != nil {
		t.Error(r)
	}
}

// TestMend checks which changes of a defective line merge forceDefectConflicts puts in conflict.
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
			p := m.forceDefectConflicts(v.CountOneSided(diff3.Merge), func(contested []int) *page.Page {
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
