package plan

import (
	"slices"
	"testing"
)

// mergeVersions returns the plan of a merge.
func mergeVersions(t *testing.T, v ...string) *Merge {
	t.Helper()
	return newTestWalker(t, v...).Merge(nil)
}

// conflictsOf returns the conflicts in a document, in the format of conflicts. For a document that is in conflict as a
// whole, it returns the kind.
func conflictsOf(d Document) []string {
	switch d := d.(type) {
	case *DocumentConflict:
		return []string{string(d.Kind)}
	case *MergedDocument:
		return conflicts(d.Root)
	}
	return nil
}

// conflicts returns the paths of the conflicts in a plan, each with its kind.
func conflicts(m *Value) (all []string) {
	for _, l := range m.Lines {
		if l.Conflict != nil {
			all = append(all, "a line")
		}
	}
	for _, e := range m.Children {
		switch c := e.(type) {
		case *EntryConflict:
			all = append(all, c.Path.String()+": "+string(c.Kind))
		case *MergedEntry:
			if c.Comment.Conflict {
				all = append(all, c.Path.String()+": comment")
			} else {
				all = append(all, conflicts(c.Value)...)
			}
		}
	}
	return all
}

func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name    string
		o, d, u string
		want    []string
	}{
		{"two fields", "a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 2\n", nil},
		{"one field", "a: 1\n", "a: 2\n", "a: 3\n", []string{"a: " + string(ConflictValue)}},
		{"one field, identically", "a: 1\n", "a: 2\n", "a: 2\n", nil},
		{"deleted and changed", "m:\n  a: 1\nb: 1\n", "m:\n  a: 2\nb: 1\n", "b: 1\n", []string{"m: " + string(ConflictDeleteModify)}},
		{"deleted and reformatted", "a: 1\nb: 1\n", "a:   1\nb: 1\n", "b: 1\n", nil},
		{"two comments", "a: 1\n", "a: 1 # d\n", "a: 1 # u\n", []string{"a: comment"}},
		{"a renamed field, changed", "a: {x: 1, y: 2, z: 3}\n", "b: {x: 1, y: 2, z: 3}\n", "a: {x: 1, y: 2, z: 4}\n", []string{"b: " + string(ConflictReplace)}},
		{"items with names", "l:\n- name: a\n  v: 1\n- name: b\n", "l:\n- name: a\n  v: 2\n- name: b\n", "l:\n- name: a\n  v: 1\n- name: b\n  w: 1\n", nil},
		{"one item of an ordered list", "l:\n- 1\n- 2\n", "l:\n- 3\n- 2\n", "l:\n- 4\n- 2\n", []string{"l[0]: " + string(ConflictValue)}},
		{"lines of a text", "a: |\n  1\n  2\n  3\n", "a: |\n  0\n  2\n  3\n", "a: |\n  1\n  2\n  4\n", nil},
		{"one line of a text", "a: |\n  1\n  2\n", "a: |\n  3\n  2\n", "a: |\n  4\n  2\n", []string{"a line"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := conflictsOf(mergeVersions(t, c.o, c.d, c.u).Documents[0]); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestFollowedRenames tests that the changes of an item are applied to the renamed item.
func TestFollowedRenames(t *testing.T) {
	o := "containers:\n- name: web\n  image: a\n  command: b\n  tty: true\n"
	d := "containers:\n- name: site\n  image: a\n  command: b\n  tty: true\n"
	u := "containers:\n- name: web\n  image: c\n  command: b\n  tty: true\n"
	m := mergeVersions(t, o, d, u)
	if len(m.FollowedRenames) != 1 || m.FollowedRenames[0].From != "name=web" || m.FollowedRenames[0].To != "name=site" {
		t.Errorf("got %+v", m.FollowedRenames)
	}
}

// TestOutcomes tests the example in the package comment.
func TestOutcomes(t *testing.T) {
	docs := mergeVersions(t, "a: 1\nm:\n  b: 1\n  c: 1\n", "a: 2\nm:\n  b: 2\n  c: 1\n", "a: 1\nm:\n  b: 3\n  d: 2\n").Documents
	var got []string
	var outcomes func(m *Value)
	outcomes = func(m *Value) {
		for _, e := range m.Children {
			switch c := e.(type) {
			case *TakenEntry:
				got = append(got, "taken from "+c.Side.String())
			case *EntryConflict:
				got = append(got, "conflict: "+string(c.Kind))
			case *MergedEntry:
				got = append(got, "merged")
				outcomes(c.Value)
			}
		}
		for range m.Deleted {
			got = append(got, "deleted")
		}
	}
	outcomes(docs[0].(*MergedDocument).Root)
	if want := []string{"taken from ours", "merged", "conflict: value", "taken from theirs", "deleted"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
