package verify

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

func parse(t testing.TB, s string) *syntax.Stream {
	t.Helper()
	st, err := syntax.Parse(text.New([]byte(s)))
	if err != nil {
		t.Fatalf("%v in:\n%s", err, s)
	}
	return st
}

// parseTemplates returns the merge of three templates, without claims, with its result.
func parseTemplates(t testing.TB, o, d, u, r string) (m Merge) {
	t.Helper()
	for v, in := range []string{o, d, u, r} {
		p, err := template.Parse(text.New([]byte(in)))
		if err != nil {
			t.Fatal(err)
		}
		*[...]**syntax.Stream{&m.Base, &m.Ours, &m.Theirs, &m.Result}[v], m.Facts[v] = p.Stream, p.Facts()
	}
	return m
}

// check verifies a result without claims.
func check(t testing.TB, o, d, u, r string) *Violation {
	t.Helper()
	return Check(Merge{Base: parse(t, o), Ours: parse(t, d), Theirs: parse(t, u), Result: parse(t, r)})
}

// checkClaimed verifies a result with the claims of claimNodes.
func checkClaimed(t testing.TB, o, d, u, r string) *Violation {
	t.Helper()
	c := Merge{Base: parse(t, o), Ours: parse(t, d), Theirs: parse(t, u), Result: parse(t, r)}
	for i := range min(len(c.Base.Docs), len(c.Ours.Docs), len(c.Theirs.Docs)) {
		c.ClaimedMatches = append(c.ClaimedMatches, claimNodes(c.Base.Docs[i].Root, c.Ours.Docs[i].Root, c.Theirs.Docs[i].Root)...)
	}
	return Check(c)
}

// claimNodes returns claims like those of a merge by fields: for fields with the same mapping key, for a field in the
// place of a deleted one, and for items at the same index of lists of equal length or with an added item.
func claimNodes(o, d, u *syntax.Node) (all []three.Nodes) {
	if o == nil || d == nil || u == nil || o.Kind != d.Kind || o.Kind != u.Kind {
		return nil
	}
	for i, e := range o.Entries {
		x, y := counterpartIn(o, d, i), counterpartIn(o, u, i)
		if x == nil || y == nil {
			continue
		}
		one := three.Nodes{e.Value, x, y}
		all = append(append(all, one), claimNodes(one[0], one[1], one[2])...)
	}
	n := len(o.Entries)
	if o.Kind == syntax.Sequence && len(d.Entries) == n+1 && len(u.Entries) == n+1 {
		all = append(all, three.Nodes{nil, d.Entries[n].Value, u.Entries[n].Value})
	}
	return all
}

// counterpartIn returns the node of v that corresponds to entry i of o.
func counterpartIn(o, v *syntax.Node, i int) *syntax.Node {
	if o.Kind == syntax.Mapping {
		if e := v.Field(o.Entries[i].Key.Value); e != nil {
			return e.Value
		}
		if i < len(v.Entries) && o.Field(v.Entries[i].Key.Value) == nil {
			return v.Entries[i].Value
		}
		return nil
	}
	if len(v.Entries) == len(o.Entries) || len(v.Entries) == len(o.Entries)+1 {
		return v.Entries[i].Value
	}
	return nil
}

// A merge is a test case: three versions and a result.
type merge struct{ name, o, d, u, r string }

// validMerges are correct results.
var validMerges = []merge{
	{"fields of both", "a: 1\nb: 2\n", "a: 9\nb: 2\n", "a: 1\nb: 8\n", "a: 9\nb: 8\n"},
	{"changed by both in the same way", "a: 1\n", "a: 2\n", "a: 2\n", "a: 2\n"},
	{"added by both", "a: 1\n", "a: 1\nx: 1\n", "y: 1\na: 1\n", "y: 1\na: 1\nx: 1\n"},
	{"deleted and added", "a: 1\nb: 2\n", "b: 2\n", "a: 1\nb: 2\nc: 3\n", "b: 2\nc: 3\n"},
	{"key requoted, value changed", "z: 1\na: 1\n", "\"z\": 1\na: 1\n", "z: 2\na: 1\n", "\"z\": 2\na: 1\n"},
	{"value requoted beside a change", "a: b\nc: 1\n", "a: 'b'\nc: 1\n", "a: b\nc: 2\n", "a: 'b'\nc: 2\n"},
	{"flow mapping", "{a: 1, b: 2}\n", "{a: 3, b: 2}\n", "{a: 1, b: 4}\n", "{a: 3, b: 4}\n"},
	{"flow to block beside a change", "m: {a: 1, b: 2}\n", "m:\n  a: 1\n  b: 2\n", "m: {a: 1, b: 3}\n", "m:\n  a: 1\n  b: 3\n"},
	{"re-indented beside a change", "m:\n  a: 1\n  b: 2\n", "m:\n    a: 1\n    b: 2\n", "m:\n  a: 1\n  b: 3\n  c: 4\n", "m:\n    a: 1\n    b: 3\n    c: 4\n"},
	{"value and comment of one line", "a: 1 # x\n", "a: 2 # x\n", "a: 1 # y\n", "a: 2 # y\n"},
	{"removed comment in an added copy of its mapping", "m:\n  # x\n  a: 1\n", "m:\n  a: 1\n", "m:\n  # x\n  a: 1\nn:\n  # x\n  a: 1\n", "m:\n  a: 1\nn:\n  # x\n  a: 1\n"},
	{"comment added, value changed", "a: 1\nb: 2\n", "# why\na: 1\nb: 2\n", "a: 5\nb: 2\n", "# why\na: 5\nb: 2\n"},
	{"keyed items", "l:\n- name: a\n  v: 1\n- name: b\n  v: 1\n", "l:\n- name: a\n  v: 2\n- name: b\n  v: 1\n", "l:\n- name: a\n  v: 1\n- name: b\n  v: 3\n", "l:\n- name: a\n  v: 2\n- name: b\n  v: 3\n"},
	{"map of strings added by both", "apiVersion: v1\nkind: Pod\n", "apiVersion: v1\nkind: Pod\nmetadata: {labels: {x: a, z: c}}\n", "apiVersion: v1\nkind: Pod\nmetadata: {labels: {x: a, y: b}}\n", "apiVersion: v1\nkind: Pod\nmetadata: {labels: {x: a, z: c, y: b}}\n"},
	{"keyed items added by both", "l:\n- name: a\n", "l:\n- name: a\n- name: b\n", "l:\n- name: a\n- name: c\n", "l:\n- name: a\n- name: b\n- name: c\n"},
	{"ordered items of both", "- a\n- b\n- c\n", "- x\n- a\n- b\n- c\n", "- a\n- b\n- c\n- y\n", "- x\n- a\n- b\n- c\n- y\n"},
	{"ordered item merged", "- {a: 1, b: 2}\n- z\n", "- {a: 9, b: 2}\n- z\n", "- {a: 1, b: 8}\n- z\n", "- {a: 9, b: 8}\n- z\n"},
	{"ordered item contains the other's change", "- {a: 1, b: 2}\n- z\n", "- {a: 9, b: 8}\n- z\n", "- {a: 9, b: 2}\n- z\n", "- {a: 9, b: 8}\n- z\n"},
	{"two items merged", "- {a: 1, b: 1}\n- {a: 2, b: 2}\n", "- {a: 1, b: 9}\n- {a: 2, b: 9}\n", "- {a: 7, b: 1}\n- {a: 8, b: 2}\n", "- {a: 7, b: 9}\n- {a: 8, b: 9}\n"},
	{"item inserted by both contains the other", "- z\n", "- z\n- {a: 1, b: 2, c: 3, d: 4}\n", "- z\n- {a: 1, b: 2, c: 3}\n", "- z\n- {a: 1, b: 2, c: 3, d: 4}\n"},
	{"contained insertion", "- a\n", "- a\n- x\n", "- a\n- x\n- y\n", "- a\n- x\n- y\n"},
	{"block scalar lines", "t: |\n  a\n  b\n  c\n", "t: |\n  x\n  b\n  c\n", "t: |\n  a\n  b\n  y\n", "t: |\n  x\n  b\n  y\n"},
	{"block scalar added lines", "t: |\n  a\n  b\n  c\n", "t: |\n  0\n  a\n  b\n  c\n", "t: |\n  a\n  b\n  c\n  d\n", "t: |\n  0\n  a\n  b\n  c\n  d\n"},
	{"block scalar lines that touch", "t: |\n  a\n  b\n  c\n", "t: |\n  x\n  c\n", "t: |\n  a\n  b\n  y\n", "t: |\n  x\n  y\n"},
	{"block scalar lines at one place, theirs first", "t: |\n  a\n", "t: |\n  x\n  a\n", "t: |\n  y\n  a\n", "t: |\n  y\n  x\n  a\n"},
	{"block scalar lines at one place, ours first", "t: |\n  a\n", "t: |\n  x\n  a\n", "t: |\n  y\n  a\n", "t: |\n  x\n  y\n  a\n"},
	{"block scalar line inserted after a deleted one", "t: |\n  a\n  b\n", "t: |\n  b\n", "t: |\n  a\n  y\n  b\n", "t: |\n  y\n  b\n"},
	{"block scalar re-indented beside an added line", "t: |\n  a\n  b\n", "t: |\n    a\n    b\n", "t: |\n  a\n  b\n  c\n", "t: |\n    a\n    b\n    c\n"},
	{"folded lines", "t: >\n  a\n  b\n  c\n", "t: >\n  x\n  b\n  c\n", "t: >\n  a\n  b\n  y\n", "t: >\n  x\n  b\n  y\n"},
	{"chomping and a line", "t: |\n  a\n  b\n", "t: |-\n  a\n  b\n", "t: |\n  a\n  c\n", "t: |-\n  a\n  c\n"},
	{"rename followed", "old:\n  a: 1\n  b: 2\n  c: 3\n  d: 4\nz: 1\n", "new:\n  a: 1\n  b: 2\n  c: 3\n  d: 4\nz: 1\n", "old:\n  a: 1\n  b: 2\n  c: 3\n  d: 5\nz: 1\n", "new:\n  a: 1\n  b: 2\n  c: 3\n  d: 5\nz: 1\n"},
	{"rename of a scalar in place", "a: 1\nold: 2\nz: 3\n", "a: 1\nnew: 2\nz: 3\n", "a: 1\nold: 5\nz: 3\n", "a: 1\nnew: 5\nz: 3\n"},
	{"renamed by both, edits of both", "old: {a: 1, b: 2, c: 3, d: 4}\n", "new: {a: 9, b: 2, c: 3, d: 4}\n", "new: {a: 1, b: 2, c: 3, d: 8}\n", "new: {a: 9, b: 2, c: 3, d: 8}\n"},
	{"keyed item renamed", "l:\n- name: a\n  x: 1\n  y: 2\n  z: 3\n- name: q\n", "l:\n- name: b\n  x: 1\n  y: 2\n  z: 3\n- name: q\n", "l:\n- name: a\n  x: 5\n  y: 2\n  z: 3\n- name: q\n", "l:\n- name: b\n  x: 5\n  y: 2\n  z: 3\n- name: q\n"},
	{"resources", "kind: A\nmetadata: {name: x}\nv: 1\n---\nkind: B\nmetadata: {name: x}\nv: 1\n", "kind: A\nmetadata: {name: x}\nv: 2\n---\nkind: B\nmetadata: {name: x}\nv: 1\n", "kind: A\nmetadata: {name: x}\nv: 1\n---\nkind: B\nmetadata: {name: x}\nv: 3\n---\nkind: C\nmetadata: {name: x}\n", "kind: A\nmetadata: {name: x}\nv: 2\n---\nkind: B\nmetadata: {name: x}\nv: 3\n---\nkind: C\nmetadata: {name: x}\n"},
	{"both append a document", "a: 1\n", "a: 1\n---\nb: 1\n", "a: 1\n---\nc: 1\n", "a: 1\n---\nb: 1\n---\nc: 1\n"},
	{"both append the same document", "a: 1\n", "a: 1\n---\nb: 1\n", "a: 1\n---\nb: 1\n", "a: 1\n---\nb: 1\n"},
	{"api version bumped beside a change", "apiVersion: g/v1\nkind: A\nmetadata: {name: x}\nv: 1\n---\nq: 1\n", "apiVersion: g/v2\nkind: A\nmetadata: {name: x}\nv: 1\n---\nq: 1\n", "apiVersion: g/v1\nkind: A\nmetadata: {name: x}\nv: 2\n---\nq: 1\n", "apiVersion: g/v2\nkind: A\nmetadata: {name: x}\nv: 2\n---\nq: 1\n"},
	{"new alias beside a change of its anchor", "a: &x 1\nb: *x\nc: 0\n", "a: &x 2\nb: *x\nc: 0\n", "a: &x 1\nb: *x\nc: *x\nd: *x\n", "a: &x 2\nb: *x\nc: *x\nd: *x\n"},
	{"merge key beside a change of its anchor", "a: &x {t: 1}\nb: {v: 1}\n", "a: &x {t: 2}\nb: {v: 1}\n", "a: &x {t: 1}\nb: {v: 1, <<: *x}\n", "a: &x {t: 2}\nb: {v: 1, <<: *x}\n"},
	{"anchors of one name", "m: 1\n", "a: &x 1\no: *x\nm: 1\n", "m: 1\nz: &x 9\nt: *x\n", "a: &x 1\no: *x\nm: 1\nz: &x 9\nt: *x\n"},
	{"anchor renamed beside a change", "a: &x 1\nb: *x\nc: 1\n", "a: &y 1\nb: *y\nc: 1\n", "a: &x 1\nb: *x\nc: 2\n", "a: &y 1\nb: *y\nc: 2\n"},
	{"anchor moved by one side", "a: &x 1\nb: 1\nc: *x\nd: 1\n", "a: 1\nb: &x 1\nc: *x\nd: 1\n", "a: &x 1\nb: 1\nc: *x\nd: 2\n", "a: 1\nb: &x 1\nc: *x\nd: 2\n"},
	{"crlf converted beside a change", "a: 1\nb: 2\n", "a: 1\r\nb: 2\r\n", "a: 1\nb: 3\n", "a: 1\r\nb: 3\r\n"},
	{"item changed by both in the same way, its fields reordered by theirs", "- a: 1\n  b: 1\n- c: 1\n", "- a: 1\n  b: 2\n- c: 2\n", "- b: 2\n  a: 1\n- c: 1\n", "- b: 2\n  a: 1\n- c: 2\n"},
	{"final newline added beside a change", "a: 1\nb: 2", "a: 1\nb: 2\n", "a: 5\nb: 2", "a: 5\nb: 2\n"},
	{"added to nothing by both", "", "a: 1\n", "b: 1\n", "a: 1\nb: 1\n"},
	{"reordered beside a change", "a: 1\nb: 2\nc: 3\n", "c: 3\na: 1\nb: 2\n", "a: 1\nb: 2\nc: 4\n", "c: 4\na: 1\nb: 2\n"},
	{"item moved by one side, changed by the other", "- {a: 1}\n- x\n- y\n", "- x\n- y\n- {a: 1}\n", "- {a: 2}\n- x\n- y\n", "- x\n- y\n- {a: 2}\n"},
	{"cycle", "&a [*a]\n", "&a [*a, 1]\n", "&a [*a]\n", "&a [*a, 1]\n"},
	{"null survives", "a: 1\nb: 1\n", "a:\nb: 1\n", "a: 1\nb: 2\n", "a:\nb: 2\n"},
	{"items of a list of resources", "kind: List\nitems:\n- kind: A\n  metadata: {name: x}\n  v: 1\n- kind: B\n  metadata: {name: x}\n  v: 1\n", "kind: List\nitems:\n- kind: A\n  metadata: {name: x}\n  v: 2\n- kind: B\n  metadata: {name: x}\n  v: 1\n", "kind: List\nitems:\n- kind: A\n  metadata: {name: x}\n  v: 1\n- kind: B\n  metadata: {name: x}\n  v: 2\n", "kind: List\nitems:\n- kind: A\n  metadata: {name: x}\n  v: 2\n- kind: B\n  metadata: {name: x}\n  v: 2\n"},
	{"list rewritten by one side, its key renamed by the other", "a: [x, y]\nb: 1\n", "a:\n- x\n- y\nb: 1\n", "c: [x, y]\nb: 1\n", "c:\n- x\n- y\nb: 1\n"},
	{"one comment, added by both at two entries", "a: 1\nb: 1\n", "# x\na: 1\nb: 1\n", "a: 1\n# x\nb: 1\n", "# x\na: 1\n# x\nb: 1\n"},
	{"emptied by one side, added to by the other", "m:\n  a: 1\n", "m: {}\n", "m:\n  a: 1\n  b: 1\n", "m:\n  b: 1\n"},
	{"one of two equal items removed, another one added", "- a\n- a\n- b\n", "- a\n- b\n- c\n", "- a\n- a\n- a\n- b\n", "- a\n- a\n- b\n- c\n"},
	{"added by both, one holds the other, beside what both removed", "old:\n  p: 1\n  q: 2\n  y: 1\n", "m:\n  x: 1\n  y: 1\n", "m:\n  x: 1\n", "m:\n  x: 1\n  y: 1\n"},
	{"comment moved with an equal item, beside one removed", "# x\na: 1\nb: 1\n", "# x\na: 1\n# x\nb: 1\n", "a: 1\n# x\nb: 1\n", "a: 1\n# x\nb: 1\n"},
	{"ports of two protocols", "ports:\n- port: 53\n  protocol: TCP\n- port: 53\n  protocol: UDP\n", "ports:\n- port: 53\n  protocol: TCP\n  name: t\n- port: 53\n  protocol: UDP\n", "ports:\n- port: 53\n  protocol: TCP\n- port: 53\n  protocol: UDP\n  name: u\n", "ports:\n- port: 53\n  protocol: TCP\n  name: t\n- port: 53\n  protocol: UDP\n  name: u\n"},
}

func TestValidMerges(t *testing.T) {
	for _, m := range validMerges {
		t.Run(m.name, func(t *testing.T) {
			if r := check(t, m.o, m.d, m.u, m.r); r != nil && checkClaimed(t, m.o, m.d, m.u, m.r) != nil {
				t.Errorf("refused: %v\n%s", r, m.r)
			}
			if r := check(t, m.o, m.u, m.d, m.r); r != nil && checkClaimed(t, m.o, m.u, m.d, m.r) != nil {
				t.Errorf("refused with the sides swapped: %v", r)
			}
		})
	}
}

// invalidMerges are results that must have a violation of the given rule.
var invalidMerges = []struct {
	merge
	rule string
}{
	{merge{"one of two equal comments behind added fields is lost", "a: 1\nb: 1\nc: 1\nd: 1\n", "a: 1\nx: 2 # c\nb: 1\nc: 1\nd: 1\n", "a: 1\nb: 1\nc: 1\ny: 3 # c\nd: 1\n", "a: 1\nx: 2\nb: 1\nc: 1\ny: 3 # c\nd: 1\n"}, "wrong comment"},
	{merge{"moved below another key with the edit", "a:\n  x: 1\n  y: 2\n", "a:\n  x: 1\nb:\n  y: 2\n", "a:\n  x: 1\n  y: 3\n", "a:\n  x: 1\nb:\n  y: 3\n"}, "deleted and modified"},                                                                            // no claim covers this
	{merge{"moved deep with the edit", "a:\n  x: 1\n  y:\n    p: 1\n    q: 2\n", "a:\n  x: 1\nb:\n  c: 1\n  y:\n    p: 1\n    q: 2\n", "a:\n  x: 1\n  y:\n    p: 1\n    q: 3\n", "a:\n  x: 1\nb:\n  c: 1\n  y:\n    p: 1\n    q: 3\n"}, "deleted and modified"}, // no claim covers this
	{merge{"moved, with a field that the other side removed", "a:\n  x: 1\n  y: 2\n  z: 1\n", "a:\n  z: 1\nb:\n  x: 1\n  y: 2\n", "a:\n  y: 3\n  z: 1\n", "a:\n  z: 1\nb:\n  y: 3\n"}, "deleted and modified"},                                                  // no claim covers this
	{merge{"item inserted by both, merged", "- z\n", "- z\n- {id: a, b: 2}\n- y\n", "- z\n- {id: a, c: 3}\n", "- z\n- {id: a, b: 2, c: 3}\n- y\n"}, "lost"},
	{merge{"null made a mapping by both", "m:\n", "m:\n  x: 1\n", "m:\n  y: 2\n", "m:\n  x: 1\n  y: 2\n"}, "added by both"},
	{merge{"map of strings added by both, an entry lost", "apiVersion: v1\nkind: Pod\n", "apiVersion: v1\nkind: Pod\nmetadata: {labels: {x: a, z: c}}\n", "apiVersion: v1\nkind: Pod\nmetadata: {labels: {x: a, y: b}}\n", "apiVersion: v1\nkind: Pod\nmetadata: {labels: {x: a, z: c}}\n"}, "lost"},
	{merge{"map of strings added by both, a key differs", "apiVersion: v1\nkind: Pod\n", "apiVersion: v1\nkind: Pod\nmetadata: {labels: {x: a, z: c}}\n", "apiVersion: v1\nkind: Pod\nmetadata: {labels: {x: b, y: b}}\n", "apiVersion: v1\nkind: Pod\nmetadata: {labels: {x: a, y: b, z: c}}\n"}, "added by both"},
	{merge{"mapping added by both", "a: 1\n", "a: 1\nm:\n  x: 1\n", "a: 1\nm:\n  y: 2\n", "a: 1\nm:\n  x: 1\n  y: 2\n"}, "added by both"},
	{merge{"alias for a copy, beside a change of its anchor", "a: &x 1\nb: *x\nc: 1\n", "a: &x 2\nb: *x\nc: 1\n", "a: &x 1\nb: *x\nc: *x\n", "a: &x 2\nb: *x\nc: *x\n"}, "wrong alias"},
	{merge{"merge key for a copy, beside a new field of its anchor", "a: {t: 1}\nc: {t: 1}\n", "a: {t: 1, u: 2}\nc: {t: 1}\n", "a: &x {t: 1}\nc: {<<: *x}\n", "a: &x {t: 1, u: 2}\nc: {<<: *x}\n"}, "wrong alias"},
	{merge{"own field and merge key deleted", "a: &a {x: 1}\nc:\n  <<: *a\n  m: 0\n  x: 1\n", "a: &a {x: 1}\nc:\n  <<: *a\n  m: 0\n", "a: &a {x: 1}\nc:\n  m: 0\n  x: 1\n", "a: &a {x: 1}\nc:\n  m: 0\n"}, "lost in a move"},
	{merge{"field lost", "a: 1\nb: 2\nc: 3\n", "a: 9\nb: 2\nc: 3\n", "a: 1\nb: 8\nc: 3\n", "a: 9\nb: 8\n"}, "lost"},
	{merge{"added field lost", "a: 1\n", "a: 1\nx: 1\n", "a: 1\ny: 1\n", "a: 1\ny: 1\n"}, "lost"},
	{merge{"edit lost", "a: 1\nb: 2\n", "a: 9\nb: 2\n", "a: 1\nb: 8\n", "a: 1\nb: 8\n"}, "wrong value"},
	{merge{"value invented", "a: 1\nb: 2\n", "a: 9\nb: 2\n", "a: 1\nb: 8\n", "a: 9\nb: 7\n"}, "wrong value"},
	{merge{"field invented", "a: 1\nb: 2\n", "a: 9\nb: 2\n", "a: 1\nb: 8\n", "a: 9\nb: 8\nc: 1\n"}, "unexpected"},
	{merge{"value under another key", "a: 1\nb: 2\n", "a: 9\nb: 2\n", "a: 1\nb: 2\nc: 1\n", "a: 1\nb: 9\nc: 1\n"}, "wrong value"},
	{merge{"a side chosen", "a: 1\n", "a: 2\n", "a: 3\n", "a: 3\n"}, "wrong value"},
	{merge{"deletion of a changed field", "a: 1\nb: 1\n", "b: 1\n", "a: 2\nb: 1\n", "b: 1\n"}, "deleted and modified"},
	{merge{"deletion below an edit", "a:\n  x: 1\nb: 1\n", "b: 1\n", "a:\n  x: 2\nb: 1\n", "b: 1\n"}, "deleted and modified"},
	{merge{"deletion ignored", "a: 1\nb: 1\n", "b: 1\n", "a: 2\nb: 1\n", "a: 2\nb: 1\n"}, "deleted and modified"},
	{merge{"deletion undone", "a: 1\nb: 1\n", "b: 1\n", "a: 1\nb: 2\n", "a: 1\nb: 2\n"}, "undone"},
	{merge{"scalar or mapping", "a: 1\n", "a: {x: 1}\n", "a: 2\n", "a: {x: 1}\n"}, "wrong value"},
	{merge{"matched by value", "a: 1\nb: 2\n", "a: 2\nb: 1\n", "a: 1\nb: 3\n", "a: 3\nb: 1\n"}, "wrong value"},
	{merge{"key doubled", "a: 1\nm: 1\n", "z: 1\na: 1\nm: 1\n", "a: 1\nm: 1\nz: 1\n", "z: 1\na: 1\nm: 1\nz: 1\n"}, "duplicate"},
	{merge{"key doubled in quotes", "a: 1\nm: 1\n", "z: 1\na: 1\nm: 1\n", "a: 1\nm: 1\n\"z\": 1\n", "z: 1\na: 1\nm: 1\n\"z\": 1\n"}, "duplicate"},
	{merge{"key doubled in flow", "{a: 1,\nb: 1}\n", "{x: 1, a: 1,\nb: 1}\n", "{a: 1,\nb: 1, x: 1}\n", "{x: 1, a: 1,\nb: 1, x: 1}\n"}, "duplicate"},
	{merge{"env name doubled", "env:\n- name: A\n  value: x\n- name: M\n  value: x\n", "env:\n- name: Z\n  value: x\n- name: A\n  value: x\n- name: M\n  value: x\n", "env:\n- name: A\n  value: x\n- name: M\n  value: x\n- name: Z\n  value: x\n", "env:\n- name: Z\n  value: x\n- name: A\n  value: x\n- name: M\n  value: x\n- name: Z\n  value: x\n"}, "duplicate"},
	{merge{"named item that both added, at two places", "- a: 1\n- b: 1\n", "- name: x\n  v: 1\n- a: 1\n- b: 1\n", "- a: 1\n- b: 1\n- name: x\n  v: 1\n", "- name: x\n  v: 1\n- a: 1\n- b: 1\n- name: x\n  v: 1\n"}, "duplicate"},
	{merge{"item that both added, twice in a row", "- p: 1\n- p: 2\n", "- p: 1\n- q: 1\n  x: 1\n- p: 2\n  v: 1\n", "- p: 1\n  v: 1\n- q: 1\n  x: 1\n- p: 2\n", "- p: 1\n  v: 1\n- q: 1\n  x: 1\n- q: 1\n  x: 1\n- p: 2\n  v: 1\n"}, "duplicate"},
	{merge{"edit in a copy under another name", "- name: a\n  src: 1\n  dst: 1\n- b\n", "- name: a\n  src: 1\n  dst: 2\n- name: copy\n  src: 1\n  dst: 1\n- b\n", "- name: a\n  src: 2\n  dst: 1\n- b\n", "- name: a\n  src: 1\n  dst: 2\n- name: copy\n  src: 2\n  dst: 1\n- b\n"}, "lost"},
	{merge{"resource doubled", "kind: M\nmetadata: {name: x}\n", "kind: A\nmetadata: {name: x}\n---\nkind: M\nmetadata: {name: x}\n", "kind: M\nmetadata: {name: x}\n---\nkind: A\nmetadata: {name: x}\n", "kind: A\nmetadata: {name: x}\n---\nkind: M\nmetadata: {name: x}\n---\nkind: A\nmetadata: {name: x}\n"}, "duplicate"},
	{merge{"document tripled", "a: 1\n---\nb: 1\n", "a: 1\n---\nb: 1\n---\nc: 1\n", "a: 2\n---\nb: 1\n", "a: 2\n---\nb: 1\n---\nc: 1\n---\nc: 1\n"}, "duplicate"},
	{merge{"document lost", "a: 1\n---\nb: 1\n", "a: 1\n---\nb: 1\n---\nc: 1\n", "a: 2\n---\nb: 1\n", "a: 2\n---\nb: 1\n"}, "lost"},
	{merge{"resource lost", "kind: A\nmetadata: {name: x}\nv: 1\n---\nkind: B\nmetadata: {name: x}\n", "kind: A\nmetadata: {name: x}\nv: 2\n---\nkind: B\nmetadata: {name: x}\n", "kind: A\nmetadata: {name: x}\nv: 1\n---\nkind: B\nmetadata: {name: x}\n---\nkind: C\nmetadata: {name: x}\n", "kind: A\nmetadata: {name: x}\nv: 2\n---\nkind: C\nmetadata: {name: x}\n"}, "lost"},
	{merge{"resources reordered", "kind: A\nmetadata: {name: x}\nv: 1\n---\nkind: B\nmetadata: {name: x}\n", "kind: A\nmetadata: {name: x}\nv: 2\n---\nkind: B\nmetadata: {name: x}\n", "kind: A\nmetadata: {name: x}\nv: 1\n---\nkind: B\nmetadata: {name: x}\nw: 1\n", "kind: B\nmetadata: {name: x}\nw: 1\n---\nkind: A\nmetadata: {name: x}\nv: 2\n"}, "wrong order"},
	{merge{"documents reordered", "a: 1\n---\nb: 1\n", "a: 1\n---\nb: 1\n---\nc: 1\n", "a: 1\n---\nb: 1\n", "b: 1\n---\na: 1\n---\nc: 1\n"}, "wrong order"},
	{merge{"alias changed its meaning", "m: 1\n", "a: &x 1\nm: 1\no: *x\n", "z: &x 9\nm: 1\nt: *x\n", "a: &x 1\nz: &x 9\nm: 1\no: *x\nt: *x\n"}, "wrong alias"},
	{merge{"alias captured by a new anchor", "a: &x 1\nb: 1\nc: *x\n", "a: &x 1\nb: &x 2\nc: 1\n", "a: &x 1\nb: 1\nc: *x\nd: *x\n", "a: &x 1\nb: &x 2\nc: 1\nd: *x\n"}, "wrong alias"},
	{merge{"anchor renamed", "a: &x 1\nb: 1\n", "a: &x 1\nb: 2\n", "a: &x 1\nb: 1\nc: 1\n", "a: &y 1\nb: 2\nc: 1\n"}, "wrong anchor or tag"},
	{merge{"anchor lost", "a: &x 1\nb: 1\n", "a: &x 1\nb: 2\n", "a: &x 1\nb: 1\nc: 1\n", "a: 1\nb: 2\nc: 1\n"}, "wrong anchor or tag"},
	{merge{"tag lost", "a: !t 1\nb: 1\n", "a: !t 1\nb: 2\n", "a: !t 1\nb: 1\nc: 1\n", "a: 1\nb: 2\nc: 1\n"}, "wrong anchor or tag"},
	{merge{"comment lost", "a: 1 # x\nb: 1\n", "a: 1 # x\nb: 2\n", "a: 1 # x\nb: 1\nc: 1\n", "a: 1\nb: 2\nc: 1\n"}, "wrong comment"},
	{merge{"own-line comment lost", "# x\na: 1\nb: 1\n", "# x\na: 1\nb: 2\n", "# x\na: 1\nb: 1\nc: 1\n", "a: 1\nb: 2\nc: 1\n"}, "wrong comment"},
	{merge{"added comment lost", "a: 1\nb: 1\n", "# x\na: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 2\nb: 1\n"}, "wrong comment"},
	{merge{"added directive lost", "a: 1\nb: 1\n", "%YAML 1.1\n---\na: 1\nb: 1\n", "a: 1\nb: 2\n", "a: 1\nb: 2\n"}, "wrong comment"},
	{merge{"comment doubled", "# x\na: 1\nb: 1\n", "# x\na: 2\nb: 1\n", "# x\na: 1\nb: 2\n", "# x\n# x\na: 2\nb: 2\n"}, "wrong comment"},
	{merge{"comment's removal undone", "# x\na: 1\nb: 1\n", "a: 1\nb: 1\n", "# x\na: 1\nb: 2\n", "# x\na: 1\nb: 2\n"}, "wrong comment"},
	{merge{"removed comment back at an added field", "a: 1\n# x\nb: 1\n", "a: 1\nb: 1\n", "a: 1\n# x\nc: {}\nb: 1\n", "a: 1\n# x\nc: {}\nb: 1\n"}, "wrong comment"},
	{merge{"one of two comments back at an added field", "# x\na: 1\n# x\nb: 1\n", "# x\na: 1\nb: 1\n", "# x\na: 1\n# x\nc: {}\nb: 1\n", "# x\na: 1\n# x\nc: {}\nb: 1\n"}, "wrong comment"},
	{merge{"removed comment back in a list at the column of its key", "l:\n- a\n# x\n", "l:\n- a\n", "l:\n- a\n# x\n- c\n", "l:\n- a\n# x\n- c\n"}, "wrong comment"},
	{merge{"removed comment back in an empty mapping", "m: {}\n  # x\nb: 1\n", "m: {}\nb: 1\n", "m:\n  # x\n  c: 1\nb: 1\n", "m:\n  # x\n  c: 1\nb: 1\n"}, "wrong comment"},
	{merge{"block line lost", "t: |\n  a\n  b\n  c\n", "t: |\n  x\n  a\n  b\n  c\n", "t: |\n  a\n  b\n  c\n  y\n", "t: |\n  x\n  a\n  b\n  c\n"}, "wrong text"},
	{merge{"block lines that touch, swapped", "t: |\n  a\n  b\n  c\n", "t: |\n  x\n  b\n  c\n", "t: |\n  a\n  y\n  c\n", "t: |\n  y\n  x\n  c\n"}, "wrong text"},
	{merge{"block lines that touch, theirs first, swapped", "t: |\n  a\n  b\n", "t: |\n  a\n  x\n", "t: |\n  y\n  b\n", "t: |\n  x\n  y\n"}, "wrong text"},
	{merge{"block line inserted at the end of what was replaced", "t: |\n  a\n  b\n  c\n", "t: |\n  x\n  c\n", "t: |\n  a\n  b\n  y\n  c\n", "t: |\n  y\n  x\n  c\n"}, "wrong text"},
	{merge{"block line inserted at the start of what was replaced", "t: |\n  a\n  c\n", "t: |\n  x\n  c\n", "t: |\n  y\n  a\n  c\n", "t: |\n  x\n  y\n  c\n"}, "wrong text"},
	{merge{"block side dropped", "t: |\n  a\n", "t: |\n  a\n  b\n", "t: |\n  a\n  c\n", "t: |\n  a\n  b\n"}, "wrong text"},
	{merge{"block line invented", "t: |\n  a\n  b\n  c\n", "t: |\n  x\n  a\n  b\n  c\n", "t: |\n  a\n  b\n  c\n  y\n", "t: |\n  x\n  a\n  b\n  q\n  c\n  y\n"}, "wrong text"},
	{merge{"block lines swapped", "t: |\n  a\n  b\n  c\n", "t: |\n  x\n  a\n  b\n  c\n", "t: |\n  a\n  b\n  c\n  y\n", "t: |\n  x\n  b\n  a\n  c\n  y\n"}, "wrong text"},
	{merge{"folded side dropped", "t: >\n  a\n  b\n", "t: >\n  x\n  b\n", "t: >\n  a\n  y\n", "t: >\n  x\n  b\n"}, "wrong text"},
	{merge{"chomping changed", "t: |\n  a\n  b\n", "t: |\n  a\n  b\n  c\n", "t: |\n  0\n  a\n  b\n", "t: |-\n  0\n  a\n  b\n  c\n"}, "wrong text"},
	{merge{"chomping changed beside", "t: |\n  a\nb: 1\n", "t: |\n  a\nb: 2\n", "t: |\n  a\nb: 1\nc: 1\n", "t: |-\n  a\nb: 2\nc: 1\n"}, "wrong value"},
	{merge{"folded for literal", "t: |\n  a\n  b\nb: 1\n", "t: |\n  a\n  b\nb: 2\n", "t: |\n  a\n  b\nb: 1\nc: 1\n", "t: >\n  a\n  b\nb: 2\nc: 1\n"}, "wrong value"},
	{merge{"values swapped", "a: 1\nb: 2\nc: 3\n", "a: 1\nb: 2\nc: 4\n", "a: 1\nb: 2\nc: 3\nd: 1\n", "a: 2\nb: 1\nc: 4\nd: 1\n"}, "wrong value"},
	{merge{"keys swapped", "a: 1\nb: 2\nc: 3\n", "a: 1\nb: 2\nc: 4\n", "a: 1\nb: 2\nc: 3\nd: 1\n", "b: 2\na: 1\nc: 4\nd: 1\n"}, "wrong order"},
	{merge{"item under another parent", "p:\n- a\n- b\nq:\n- c\nz: 1\n", "p:\n- a\n- b\nq:\n- c\nz: 2\n", "p:\n- a\n- b\nq:\n- c\nz: 1\ny: 1\n", "p:\n- a\nq:\n- b\n- c\nz: 2\ny: 1\n"}, "lost"},
	{merge{"field under another parent", "p:\n  a: 1\n  b: 1\nq:\n  c: 1\nz: 1\n", "p:\n  a: 1\n  b: 1\nq:\n  c: 1\nz: 2\n", "p:\n  a: 1\n  b: 1\nq:\n  c: 1\nz: 1\ny: 1\n", "p:\n  a: 1\nq:\n  b: 1\n  c: 1\nz: 2\ny: 1\n"}, "lost"},
	{merge{"items swapped beside a moved one", "- {a: 1}\n- x\n- y\n", "- x\n- y\n- {a: 1}\n", "- {a: 2}\n- x\n- y\n", "- y\n- x\n- {a: 2}\n"}, "wrong order"},
	{merge{"item reordered", "- a\n- b\n- c\n", "- a\n- b\n- c\n- d\n", "- 0\n- a\n- b\n- c\n", "- 0\n- b\n- a\n- c\n- d\n"}, "wrong order"},
	{merge{"leaves in a wrapper, in an item that one side renamed", "l:\n- {name: a, p: p, x: x, y: y, z: z, u: u, v: v}\n- q\n", "l:\n- {name: b, p: p, y: y, x: x, z: z, u: u, v: v}\n- q\n", "l:\n- {name: a, p: p, w: {x: x, y: y}, z: z, u: u, v: v}\n- q\n", "l:\n- {name: b, p: p, w: {x: x, y: y}, z: z, u: u, v: v}\n- q\n"}, ""},
	{merge{"leaves in a wrapper, in a mapping that one side renamed", "a: {p: p, x: x, y: y, z: z, u: u, v: v}\nq: q\n", "b: {p: p, y: y, x: x, z: z, u: u, v: v}\nq: q\n", "a: {p: p, w: {x: x, y: y}, z: z, u: u, v: v}\nq: q\n", "b: {p: p, w: {x: x, y: y}, z: z, u: u, v: v}\nq: q\n"}, ""},
	{merge{"item doubled", "- a\n- b\n", "- a\n- b\n- c\n", "- 0\n- a\n- b\n", "- 0\n- a\n- a\n- b\n- c\n"}, "duplicate"},
	{merge{"item lost", "- a\n- b\n", "- a\n- b\n- c\n", "- 0\n- a\n- b\n", "- 0\n- a\n- c\n"}, "lost"},
	{merge{"added item lost", "- a\n- b\n", "- a\n- b\n- c\n", "- 0\n- a\n- b\n", "- 0\n- a\n- b\n"}, "lost"},
	{merge{"item's deletion undone", "- a\n- b\n", "- b\n", "- a\n- b\n- c\n", "- a\n- b\n- c\n"}, "undone"},
	{merge{"items inserted by both mixed", "- z\n", "- z\n- {id: a, b: 2}\n", "- z\n- {id: b, c: 3}\n", "- z\n- {id: a, b: 2, c: 3}\n"}, "lost"},
	{merge{"items of little in common mixed", "- z\n", "- z\n- {a: 1, b: 2}\n", "- z\n- {a: 1, c: 3}\n", "- z\n- {a: 1, b: 2, c: 3}\n"}, "lost"},
	{merge{"items inserted by both of one key mixed", "- z\n", "- z\n- {key: a, b: 2}\n", "- z\n- {key: a, c: 3}\n", "- z\n- {key: a, b: 2, c: 3}\n"}, "lost"},
	{merge{"item inserted by both lacks a field", "- z\n", "- z\n- {id: a, b: 2}\n", "- z\n- {id: a, c: 3}\n", "- z\n- {id: a, b: 2}\n"}, "lost"},
	{merge{"item invented", "- a\n- b\n", "- a\n- b\n- c\n", "- 0\n- a\n- b\n", "- 0\n- a\n- b\n- c\n- q\n"}, "unexpected"},
	{merge{"item's edit lost", "- {a: 1, b: 2}\n- z\n", "- {a: 9, b: 2}\n- z\n", "- {a: 1, b: 8}\n- z\n", "- {a: 9, b: 2}\n- z\n"}, "lost"},
	{merge{"items merged crosswise", "- {a: 1, b: 1}\n- {a: 2, b: 2}\n", "- {a: 1, b: 8}\n- {a: 2, b: 9}\n", "- {a: 7, b: 1}\n- {a: 6, b: 2}\n", "- {a: 7, b: 9}\n- {a: 6, b: 8}\n"}, "lost"},
	{merge{"keyed item's edit lost", "- name: a\n  v: 1\n- name: b\n  v: 1\n", "- name: a\n  v: 2\n- name: b\n  v: 1\n", "- name: a\n  v: 1\n- name: b\n  v: 2\n", "- name: a\n  v: 1\n- name: b\n  v: 2\n"}, "wrong value"},
	{merge{"null dropped", "a:\nb: 1\n", "a:\nb: 2\n", "a:\nb: 1\nc: 1\n", "b: 2\nc: 1\n"}, "lost"},
	{merge{"number to string", "a: 1\nb: 1\n", "a: 1\nb: 2\n", "a: 1\nb: 1\nc: 1\n", "a: \"1\"\nb: 2\nc: 1\n"}, "wrong value"},
	{merge{"yes to string", "a: yes\nb: 1\n", "a: yes\nb: 2\n", "a: yes\nb: 1\nc: 1\n", "a: \"yes\"\nb: 2\nc: 1\n"}, "wrong value"},
	{merge{"octal to string", "a: 010\nb: 1\n", "a: 010\nb: 2\n", "a: 010\nb: 1\nc: 1\n", "a: '010'\nb: 2\nc: 1\n"}, "wrong value"},
	{merge{"both added another alias", "x: &x 1\ny: &y 2\n", "x: &x 1\ny: &y 2\na: *x\n", "x: &x 1\ny: &y 2\na: *y\n", "x: &x 1\ny: &y 2\na: *x\n"}, "added by both"},
	{merge{"line re-indented into another mapping", "a:\n  x: 1\nb: 1\nc: 1\n", "a:\n  x: 1\nb: 1\nc: 2\n", "a:\n  x: 1\nb: 1\nc: 1\nd: 1\n", "a:\n  x: 1\n  b: 1\nc: 2\nd: 1\n"}, "unexpected"},
	{merge{"edit lost after a rename", "old:\n  a: 1\n  b: 2\n  c: 3\n  d: 4\nz: 1\n", "new:\n  a: 1\n  b: 2\n  c: 3\n  d: 4\nz: 1\n", "old:\n  a: 1\n  b: 2\n  c: 3\n  d: 5\nz: 1\n", "new:\n  a: 1\n  b: 2\n  c: 3\n  d: 4\nz: 1\n"}, "deleted and modified"},
	{merge{"edit lost after a move", "a:\n  x: 1\n  y: 2\n", "a:\n  x: 1\nb:\n  y: 2\n", "a:\n  x: 1\n  y: 3\n", "a:\n  x: 1\nb:\n  y: 2\n"}, "deleted and modified"},
	{merge{"edit moved to what stood before", "a:\n  y: 2\nb:\n  y: 2\n  x: 1\n", "b:\n  y: 2\n  x: 1\n", "a:\n  y: 3\nb:\n  y: 2\n  x: 1\n", "b:\n  y: 3\n  x: 1\n"}, "deleted and modified"},
	{merge{"api version lost", "apiVersion: g/v1\nkind: A\nmetadata: {name: x}\nv: 1\n---\nq: 1\n", "apiVersion: g/v2\nkind: A\nmetadata: {name: x}\nv: 1\n---\nq: 1\n", "apiVersion: g/v1\nkind: A\nmetadata: {name: x}\nv: 2\n---\nq: 1\n", "apiVersion: g/v1\nkind: A\nmetadata: {name: x}\nv: 2\n---\nq: 1\n"}, "wrong value"},
	{merge{"port of the other protocol changed", "ports:\n- port: 53\n  protocol: TCP\n- port: 53\n  protocol: UDP\n", "ports:\n- port: 53\n  protocol: TCP\n  name: t\n- port: 53\n  protocol: UDP\n", "ports:\n- port: 53\n  protocol: TCP\n- port: 53\n  protocol: UDP\n  name: u\n", "ports:\n- port: 53\n  protocol: TCP\n  name: u\n- port: 53\n  protocol: UDP\n  name: t\n"}, ""},
	{merge{"comment of an untouched resource lost", "kind: A\nmetadata: {name: x}\n# a\n---\nkind: B\nmetadata: {name: x}\nv: 1\n", "kind: A\nmetadata: {name: x}\n# A\n---\nkind: B\nmetadata: {name: x}\nv: 1\n", "kind: A\nmetadata: {name: x}\n# a\n---\nkind: B\nmetadata: {name: x}\nv: 2\n", "kind: A\nmetadata: {name: x}\n---\nkind: B\nmetadata: {name: x}\nv: 2\n"}, "wrong comment"},
	{merge{"end comment moved to another line", "a: 1 # x\nb: 1\nc: 1\n", "a: 1 # x\nb: 1\nc: 2\n", "a: 1 # x\nb: 1\nc: 1\nd: 1\n", "a: 1\nb: 1 # x\nc: 2\nd: 1\n"}, "wrong comment"},
	{merge{"end comment moved from what became a mapping", "a: 1 # x\nb: 1\n", "a: # y\n  c: 1\nb: 1\n", "a: 1 # x\nb: 2\n", "a:\n  c: 1\nb: 2 # y\n"}, "wrong comment"},
	{merge{"end comment moved from what one side added", "a: 1\nb: 1\n", "a: 1\nc: 1 # y\nb: 1\n", "a: 1\nb: 2\n", "a: 1\nc: 1\nb: 2 # y\n"}, ""},
	{merge{"end comment moved from a line of both", "a: 1\nb: 1\nc: 1\n", "a: 1 # x\nb: 2\nc: 1\n", "a: 2\nb: 1 # y\nc: 1\n", "a: 2\nb: 2 # x\nc: 1 # y\n"}, "wrong comment"},
	{merge{"end comments of lines of both swapped", "a: 1\nb: 1\n", "a: 1 # x\nb: 2\n", "a: 2\nb: 1 # y\n", "a: 2 # y\nb: 2 # x\n"}, "wrong comment"},
	{merge{"end comments in flow swapped", "m: {\n  a: 1, # x\n  b: 1, # y\n  c: 1\n}\n", "m: {\n  a: 2, # x\n  b: 1, # y\n  c: 1\n}\n", "m: {\n  a: 1, # x\n  b: 1, # y\n  c: 2\n}\n", "m: {\n  a: 2, # y\n  b: 1, # x\n  c: 2\n}\n"}, "wrong comment"},
	{merge{"comment added to another resource", "kind: B\nmetadata: {name: x}\n", "# new\nkind: A\nmetadata: {name: x}\n---\nkind: B\nmetadata: {name: x}\n", "kind: B\nmetadata: {name: x}\nv: 1\n", "# new\nkind: A\nmetadata: {name: x}\n---\nkind: B # new\nmetadata: {name: x}\nv: 1\n"}, ""},
	{merge{"text that no side has", "t: |\n  a\n\n  b\n\n  c\n", "t: |\n  a\n\n\n  b\n\n  c\n", "t: |\n  a\n\n  b\n  c\n", "t: |\n  a\n\n  b\n\n  c\n"}, "undone"},
	{merge{"second of two equal items lost", "- a\n- b\n", "- A\n- b\n", "- a\n- b\n- b\n", "- A\n- b\n"}, "lost"},
	{merge{"list that no side has", "- x\n- a\n- x\n", "- x\n- x\n- a\n- x\n", "- x\n- a\n", "- x\n- a\n- x\n"}, "undone"},
	{merge{"JSON with a comma after the last item", `{"a": 1, "b": 1}`, `{"a": 2, "b": 1}`, `{"a": 1, "b": 2}`, `{"a": 2, "b": 2,}`}, "not JSON"},
	{merge{"JSON with a key without quotes", `[{"a": 1}]`, `[{"a": 1}, {"b": 1}]`, `[{"a": 2}]`, `[{"a": 2}, {b: 1}]`}, "not JSON"},
	{merge{"JSON with a comment none has", `{"a": 1, "b": 1}`, `{"a": 2, "b": 1}`, `{"a": 1, "b": 2}`, "{\"a\": 2, \"b\": 2} # x"}, "not JSON"},
	{merge{"resources of one name swapped between API groups", ingress("a", "1") + "---\n" + ingress("b", "2"), ingress("b", "2") + "---\n" + ingress("a", "3"), ingress("a", "1") + "---\n" + ingress("b", "4"), ingress("b", "3") + "---\n" + ingress("a", "4")}, "wrong value"},
	{merge{"document cut in two", "", "a: 1\n", "b: 1\n", "a: 1\n---\nb: 1\n"}, "lost"},
	{merge{"everything lost", "a: 1\n", "a: 1\nb: 1\n", "c: 1\na: 1\n", ""}, "lost"},
}

func ingress(group, port string) string {
	return "apiVersion: " + group + "/v1\nkind: Ingress\nmetadata:\n  name: web\nport: " + port + "\n"
}

// TestJSONMessages tests that the violation about a file that is not JSON says how it differs from the versions.
func TestJSONMessages(t *testing.T) {
	for result, want := range map[string]string{
		`{"a": 2, b: 2}`:                "not JSON: base, ours and theirs are JSON, but the result is not",
		`{"a": 2, "b": 2,}`:             "not JSON: the result has trailing commas, unlike base, ours and theirs",
		"{\"a\": 2, // c\n\"b\": 2\n}":  "not JSON: the result has comments, unlike base, ours and theirs",
		"{\"a\": 2, // c\n\"b\": 2,\n}": "not JSON: the result has comments and trailing commas, unlike base, ours and theirs",
	} {
		masked, _, ok := text.MaskJSON([]byte(result))
		if !ok {
			masked = []byte(result)
		}
		st, err := syntax.ParseAs(text.New([]byte(result)), masked, nil)
		if err != nil {
			t.Fatal(err)
		}
		claim := Merge{Base: parse(t, `{"a": 1, "b": 1}`), Ours: parse(t, `{"a": 2, "b": 1}`), Theirs: parse(t, `{"a": 1, "b": 2}`), Result: st}
		if r := Check(claim); r == nil || r.Error() != want {
			t.Errorf("%s: got %v, want %s", result, r, want)
		}
	}
}

// TestAtomicListMessages tests that the violation about a list that is merged as a unit names the expected side.
func TestAtomicListMessages(t *testing.T) {
	rules, err := team.Parse("rules", []byte("rules: [{lists: {l: atomic}}]"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [...]struct{ ours, theirs, result, want string }{
		{"a", "b", "a", "wrong value: the list is merged as a unit; expected the list of theirs"},
		{"b", "a", "a", "wrong value: the list is merged as a unit; expected the list of ours"},
		{"b", "c", "b", "one value: ours and theirs changed the list differently, and the list is merged as a unit"},
	} {
		list := func(item string) *syntax.Stream { return parse(t, "l: ["+item+"]\n") }
		r := Check(Merge{Base: list("a"), Ours: list(c.ours), Theirs: list(c.theirs), Result: list(c.result), Rules: rules})
		if r == nil || r.Error() != c.want {
			t.Errorf("%s, %s, %s: got %v, want %s", c.ours, c.theirs, c.result, r, c.want)
		}
	}
}

// TestAPIGroups tests that two resources with the same kind and name are distinguished by their API groups, wherever
// they are.
func TestAPIGroups(t *testing.T) {
	o := ingress("a", "1") + "---\n" + ingress("b", "2")
	d := ingress("b", "2") + "---\n" + ingress("a", "3")
	u := ingress("a", "1") + "---\n" + ingress("b", "4")
	if r := check(t, o, d, u, ingress("b", "4")+"---\n"+ingress("a", "3")); r != nil {
		t.Error(r)
	}
}

// TestClaimsInjective tests that of two claims about the same node, only the first is accepted.
func TestClaimsInjective(t *testing.T) {
	var n [6]*syntax.Node
	for i := range n {
		n[i] = syntax.NewNode(syntax.Scalar, 0)
	}
	c := indexClaims([]three.Nodes{{n[0], n[1], n[2]}, {n[3], n[1], n[4]}, {n[3], n[5], nil}})
	for i, want := range [...]struct {
		v     version
		claim int
		ok    bool
	}{{base, 0, true}, {ours, 0, true}, {theirs, 0, true}, {base, 2, true}, {theirs, 0, false}, {ours, 2, true}} {
		if k, ok := c[want.v][n[i]]; k != want.claim || ok != want.ok {
			t.Errorf("node %d is of claim %d, %t", i, k, ok)
		}
	}
}

func TestInvalidMerges(t *testing.T) {
	for _, m := range invalidMerges {
		t.Run(m.name, func(t *testing.T) {
			r := check(t, m.o, m.d, m.u, m.r)
			switch {
			case r == nil:
				t.Errorf("accepted:\n%s", m.r)
			case m.rule != "" && r.Rule.String() != m.rule:
				t.Errorf("refused by %q, want %q: %v", r.Rule, m.rule, r)
			}
			if check(t, m.o, m.u, m.d, m.r) == nil {
				t.Errorf("accepted with the sides swapped:\n%s", m.r)
			}
			if checkClaimed(t, m.o, m.d, m.u, m.r) == nil || checkClaimed(t, m.o, m.u, m.d, m.r) == nil {
				t.Errorf("accepted for what was claimed:\n%s", m.r)
			}
		})
	}
}

// TestTrivialMerges tests that trivial merges have no violations.
func TestTrivialMerges(t *testing.T) {
	var all []string
	for _, m := range validMerges {
		all = append(all, m.o, m.d, m.u, m.r)
	}
	for _, m := range invalidMerges {
		all = append(all, m.o, m.d, m.u, m.r)
	}
	for i, x := range all {
		checkTrivialMerge(t, all[(i+1)%len(all)], x)
		checkTrivialMerge(t, all[(i*7+3)%len(all)], x)
	}
}

func checkTrivialMerge(t *testing.T, o, x string) {
	t.Helper()
	for _, m := range []merge{{"O, X, O", o, x, o, x}, {"O, O, X", o, o, x, x}, {"O, X, X", o, x, x, x}} {
		if r := check(t, m.o, m.d, m.u, m.r); r != nil {
			t.Errorf("%s refused: %v\n--- O\n%s\n--- X\n%s", m.name, r, o, x)
		}
	}
}

func TestViolationPositions(t *testing.T) {
	o := "spec:\n  c:\n  - name: web\n    v: 1\nz: 1\n"
	r := check(t, o, "spec:\n  c:\n  - name: web\n    v: 1\nz: 2\n",
		"spec:\n  c:\n  - name: web\n    v: 2\nz: 1\n", "spec:\n  c:\n  - name: web\n    v: 1\nz: 2\n")
	if r == nil || r.Rule != RuleValue {
		t.Fatalf("got %v", r)
	}
	for v, at := range r.At {
		if want := strings.Index(o, "    v: 1"); at.Start != want {
			t.Errorf("version %d: offset %d, want %d", v, at.Start, want)
		}
	}
}

// TestGuards tests which merges of guards and lines with directives are correct.
func TestGuards(t *testing.T) {
	const plain = "a: 1\nb: 1\nc: 1\n"
	const printing = "a: 1\n{{ include \"l\" . }}\n"
	guarded := func(guard, inside, below string) string {
		return "{{- if " + guard + " }}\n" + inside + "{{- end }}\n" + below
	}
	for _, c := range []struct {
		name                       string
		base, ours, theirs, Result string
		want                       string // in the message; "" if it is right
	}{
		{"theirs put a guard around a", plain, plain, guarded(".x", "a: 1\n", "b: 1\nc: 1\n"), guarded(".x", "a: 1\n", "b: 1\nc: 1\n"), ""},
		{"it is lost", plain, plain, guarded(".x", "a: 1\n", "b: 1\nc: 1\n"), plain, "if .x"},
		{"it is around b", plain, plain, guarded(".x", "a: 1\n", "b: 1\nc: 1\n"), guarded(".x", "a: 1\nb: 1\n", "c: 1\n"), `: inside "if .x"`},
		{"guard that no version has", plain, plain, plain, guarded(".y", "a: 1\n", "b: 1\nc: 1\n"), ".y"},
		{"both changed one differently", guarded(".x", plain, ""), guarded(".y", plain, ""), guarded(".z", plain, ""), guarded(".z", plain, ""), ".y"},
		{"the branches are swapped", guarded(".x", "a: 1\n{{- else }}\na: 2\n", ""), guarded(".x", "a: 1\n{{- else }}\na: 2\n", "b: 1\n"), guarded(".x", "a: 1\n{{- else }}\na: 2\n", ""), guarded(".x", "a: 2\n{{- else }}\na: 1\n", "b: 1\n"), "expected"},
		{"an added line", plain, plain, plain + "{{ include \"l\" . }}\n", plain + "{{ include \"l\" . }}\n", ""},
		{"it is lost too", plain, plain, plain + "{{ include \"l\" . }}\n", plain, "include"},
		{"it is repeated", plain, plain, plain + "{{ include \"l\" . }}\n", plain + "{{ include \"l\" . }}\n{{ include \"l\" . }}\n", "include"},
		{"what both added is repeated", plain, plain + "{{ include \"l\" . }}\n", plain + "{{ include \"l\" . }}\n", plain + "{{ include \"l\" . }}\n{{ include \"l\" . }}\n", "include"},
		{"a block that both added is repeated", plain, plain + guarded(".x", "{{ fail \"l\" }}\n", ""), plain + guarded(".x", "{{ fail \"l\" }}\n", ""), plain + guarded(".x", "{{ fail \"l\" }}\n", guarded(".x", "{{ fail \"l\" }}\n", "")), "more often than in base, ours or theirs"},
		{"a line that prints is outside of the block that ours put around it", printing, guarded(".x", printing, ""), printing, guarded(".x", "a: 1\n", "{{ include \"l\" . }}\n"), ".x"},
		{"it is in the block", printing, guarded(".x", printing, ""), printing, guarded(".x", printing, ""), ""},
		{"theirs added in a block that ours put into another one", guarded(".x", "a: 1\n", ""), guarded(".y", guarded(".x", "a: 1\n", ""), ""), guarded(".x", "a: 1\nd: 1\n", ""), guarded(".y", guarded(".x", "a: 1\nd: 1\n", ""), ""), ""},
		{"it is outside of the other one", guarded(".x", "a: 1\n", ""), guarded(".y", guarded(".x", "a: 1\n", ""), ""), guarded(".x", "a: 1\nd: 1\n", ""), guarded(".y", guarded(".x", "a: 1\n", ""), guarded(".x", "d: 1\n", "")), ".y"},
	} {
		switch bad := Check(parseTemplates(t, c.base, c.ours, c.theirs, c.Result)); {
		case bad == nil && c.want != "":
			t.Errorf("%s: it is taken for right", c.name)
		case bad != nil && (c.want == "" || !strings.Contains(bad.Error(), c.want)):
			t.Errorf("%s: %v", c.name, bad)
		}
	}
}
