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
		{"one item of an ordered list", "l:\n- 1\n- 2\n", "l:\n- 3\n- 2\n", "l:\n- 4\n- 2\n", []string{"l[0]: " + string(ConflictList)}},
		{"lines of a text", "a: |\n  1\n  2\n  3\n", "a: |\n  0\n  2\n  3\n", "a: |\n  1\n  2\n  4\n", nil},
		{"different fields of a mapping", "m:\n  a: 1\n  b: 1\n", "m:\n  a: 2\n  b: 1\n", "m:\n  a: 1\n  b: 2\n", nil},
		{"both added a field, differently", "a: 1\n", "a: 1\nb: 1\n", "a: 1\nb: 2\n", []string{"b: value"}},
		{"both added a field, identically", "a: 1\n", "a: 1\nb: 1\n", "a: 1\nb: 1\n", nil},
		{"both added fields in one place", "a: 1\n", "a: 1\nb: 1\n", "a: 1\nc: 1\n", nil},
		{"both added a mapping", "a: 1\n", "a: 1\nm:\n  b: 1\n", "a: 1\nm:\n  c: 1\n", []string{"m.b: add/add", "m.c: add/add"}},
		{"a mapping became a scalar", "m:\n  a: 1\n", "m: 1\n", "m:\n  a: 2\n", []string{"m: value"}},
		{"deleted by both", "a: 1\nb: 1\n", "b: 1\n", "b: 1\n", nil},
		{"deleted by one, a field below changed by the other", "m:\n  a:\n    b: 1\nz: 1\n", "z: 1\n", "m:\n  a:\n    b: 2\nz: 1\n", []string{"m: delete/modify"}},
		{"deleted by one, its comment changed by the other", "# x\na: 1\nb: 1\n", "b: 1\n", "# y\na: 1\nb: 1\n", []string{"a: delete/modify"}},
		{"the version of an image", "image: r/web:1\n", "image: r/web:2\n", "image: r/web:3\n", []string{"image: value"}},
		{"the anchor of one side, the value of the other", "a: 1\n", "a: &x 1\n", "a: 2\n", nil},
		{"two anchors", "a: 1\n", "a: &x 1\n", "a: &y 1\n", []string{"a: value"}},
		{"a tag of each side", "a: 1\n", "a: !x 1\n", "a: !y 1\n", []string{"a: value"}},
		{"quotes of one, value of the other", "a: x\n", "a: \"x\"\n", "a: y\n", nil},
		{"block by one, flow by the other", "a: [1, 2]\n", "a:\n- 1\n- 2\n", "a: [1, 2, 3]\n", nil},
		{"a comment above, two lines", "# 1\n# 2\n# 3\na: 1\n", "# 0\n# 2\n# 3\na: 1\n", "# 1\n# 2\n# 4\na: 1\n", nil},
		{"items of a set", "l: [a, b]\n", "l: [a, b, c]\n", "l: [a, b, d]\n", nil},
		{"both appended items", "l:\n- 1\n", "l:\n- 1\n- 2\n", "l:\n- 1\n- 3\n", []string{"l[1]: add/add"}},
		{"an item inserted by each, at other places", "l:\n- 1\n- 2\n", "l:\n- 0\n- 1\n- 2\n", "l:\n- 1\n- 2\n- 3\n", nil},
		{"an item deleted and changed", "l:\n- name: a\n  v: 1\n- name: b\n", "l:\n- name: b\n", "l:\n- name: a\n  v: 2\n- name: b\n", []string{"l[name=a]: delete/modify"}},
		{"a folded text", "a: >\n  1\n  2\n  3\n", "a: >\n  0\n  2\n  3\n", "a: >\n  1\n  2\n  4\n", nil},
		{"the indicator of a text, and its lines", "a: |\n  1\n  2\n", "a: |-\n  1\n  2\n", "a: |\n  1\n  3\n", nil},
		{"a document added by each", "kind: A\nmetadata: {name: x}\n", "kind: A\nmetadata: {name: x}\n---\nkind: B\nmetadata: {name: y}\n", "kind: A\nmetadata: {name: x}\n---\nkind: C\nmetadata: {name: z}\n", nil},
		{"an empty file filled by both", "", "a: 1\n", "b: 1\n", nil},
		{"all emptied by one", "a: 1\n", "", "a: 2\n", []string{"delete/modify"}},
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
