package verify

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// args is the beginning of a list that is atomic in Kubernetes.
const args = "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - name: a\n    args:\n"

// conflictCases are merges with one conflict. The text between « and » is in the conflict. ours and theirs are the
// results with that side chosen.
var conflictCases = []struct {
	name, o, d, u string
	ours, theirs  string
	wrong         []string // refused for both sides
}{
	{
		"wrong value", "«a: 1\n»b: 1\n", "«a: 2\n»b: 1\nc: 1\n", "«a: 3\n»b: 5\n",
		"a: 2\nb: 5\nc: 1\n", "a: 3\nb: 5\nc: 1\n",
		[]string{"a: 1\nb: 5\nc: 1\n", "a: 2\nb: 1\nc: 1\n", "a: 3\nb: 5\n", "b: 5\nc: 1\n"},
	},
	{
		"deleted and modified", "«a: 1\n»b: 1\n", "b: 2\n", "«a: 3\n»b: 1\n",
		"b: 2\n", "a: 3\nb: 2\n",
		[]string{"a: 1\nb: 2\n", "a: 3\nb: 1\n", "b: 1\n"},
	},
	{
		"one field of a keyed item", "- name: x\n«  a: 1\n»  b: 1\n", "- name: x\n«  a: 2\n»  b: 7\n", "- name: x\n«  a: 3\n»  b: 1\n  c: 1\n",
		"- name: x\n  a: 2\n  b: 7\n  c: 1\n", "- name: x\n  a: 3\n  b: 7\n  c: 1\n",
		[]string{"- name: x\n  a: 2\n  b: 1\n  c: 1\n", "- name: x\n  a: 3\n  b: 7\n"},
	},
	{
		"items of an ordered list", "- p\n«- a\n»- q\n", "- 0\n- p\n«- b\n- c\n»- q\n", "- p\n«- d\n»- q\n- r\n",
		"- 0\n- p\n- b\n- c\n- q\n- r\n", "- 0\n- p\n- d\n- q\n- r\n",
		[]string{"- p\n- b\n- c\n- q\n- r\n", "- 0\n- p\n- d\n- q\n", "- 0\n- p\n- b\n- q\n- r\n", "- 0\n- p\n- b\n- c\n- d\n- q\n- r\n", "- 0\n- p\n- a\n- q\n- r\n"},
	},
	{
		"wrong comment", "«# x\n»a: 1\nb: 1\n", "«# y\n»a: 2\nb: 1\n", "«# z\n»a: 1\nb: 3\n",
		"# y\na: 2\nb: 3\n", "# z\na: 2\nb: 3\n",
		[]string{"a: 2\nb: 3\n", "# y\na: 1\nb: 3\n", "# z\na: 2\nb: 1\n", "# q\na: 2\nb: 3\n"},
	},
	{
		"lines of a text", "t: |\n  p\n«  a\n»  q\n  s\n", "t: |\n  p\n«  b\n»  q\n  s\n", "t: |\n  p\n«  c\n»  q\n  r\n  s\n",
		"t: |\n  p\n  b\n  q\n  r\n  s\n", "t: |\n  p\n  c\n  q\n  r\n  s\n",
		[]string{"t: |\n  p\n  a\n  q\n  r\n  s\n", "t: |\n  p\n  b\n  q\n  s\n", "t: |\n  p\n  b\n  c\n  q\n  r\n  s\n"},
	},
	{
		"items of an atomic list", args + "    - p\n«    - a\n»    - q\n", args + "    - p\n«    - b\n»    - q\n", args + "    - p\n«    - c\n»    - q\n    - r\n",
		args + "    - p\n    - b\n    - q\n    - r\n", args + "    - p\n    - c\n    - q\n    - r\n",
		[]string{args + "    - p\n    - a\n    - q\n    - r\n", args + "    - p\n    - b\n    - q\n"},
	},
	{
		"document", "a: 1\n«---\nb: 1\n»", "a: 2\n«---\nb: 2\n»", "a: 1\n«---\nb: 3\n»---\nc: 1\n",
		"a: 2\n---\nb: 2\n---\nc: 1\n", "a: 2\n---\nb: 3\n---\nc: 1\n",
		[]string{"a: 2\n---\nb: 1\n---\nc: 1\n", "a: 1\n---\nb: 2\n---\nc: 1\n", "a: 2\n---\nb: 3\n"},
	},
}

// cutMarks returns s without « and », and the span of the text between them.
func cutMarks(s string) (string, text.Span) {
	before, rest, ok := strings.Cut(s, "«")
	if !ok {
		return s, text.Span{}
	}
	in, after, _ := strings.Cut(rest, "»")
	return before + in + after, text.Span{Start: len(before), End: len(before) + len(in)}
}

// noSide marks a result without conflicts.
const noSide version = 0

func TestChosenSide(t *testing.T) {
	for _, m := range conflictCases {
		t.Run(m.name, func(t *testing.T) {
			var open Conflict
			o, d, u := m.o, m.d, m.u
			o, open.At[base] = cutMarks(o)
			d, open.At[ours] = cutMarks(d)
			u, open.At[theirs] = cutMarks(u)
			c := Merge{Base: parse(t, o), Ours: parse(t, d), Theirs: parse(t, u)}
			with := func(by version, r string) *Violation {
				open.Chosen, c.Result = by, parse(t, r)
				c.Conflicts = nil
				if by != noSide {
					c.Conflicts = []Conflict{open}
				}
				return Check(c)
			}
			if r := with(ours, m.ours); r != nil {
				t.Errorf("dest's side refused: %v", r)
			}
			if r := with(theirs, m.theirs); r != nil {
				t.Errorf("updated's side refused: %v", r)
			}
			if m.ours != m.theirs && (with(ours, m.theirs) == nil || with(theirs, m.ours) == nil) {
				t.Error("accepted for the other side")
			}
			if with(noSide, m.ours) == nil || with(noSide, m.theirs) == nil {
				t.Error("accepted as clean")
			}
			for _, w := range m.wrong {
				if with(ours, w) == nil || with(theirs, w) == nil {
					t.Errorf("accepted:\n%s", w)
				}
			}
		})
	}
}

// TestSeveralConflicts tests results with conflicts that were resolved separately, with different sides or by a
// person.
func TestSeveralConflicts(t *testing.T) {
	const o, d, u = "a: 1\nb: 1\nc: 1\nd: 1\n", "a: 2\nb: 2\nc: 2\nd: 1\n", "a: 3\nb: 3\nc: 1\nd: 3\n"
	line := func(file, key string) text.Span {
		start := strings.Index(file, key+":")
		return text.Span{Start: start, End: start + len("a: 1\n")}
	}
	for _, c := range []struct {
		a, b   version // who decided the conflicts over a and b
		Result string
		want   string // the rule that is broken
	}{
		{ours, theirs, "a: 2\nb: 3\nc: 2\nd: 3\n", ""},
		{theirs, ours, "a: 3\nb: 2\nc: 2\nd: 3\n", ""},
		{ours, ours, "a: 2\nb: 2\nc: 2\nd: 3\n", ""},
		{ours, theirs, "a: 3\nb: 2\nc: 2\nd: 3\n", "wrong value"},
		{ours, theirs, "a: 2\nb: 3\nc: 1\nd: 3\n", "wrong value"},
		{ours, theirs, "a: 2\nb: 3\nc: 2\nd: 1\n", "wrong value"},
		{Result, theirs, "a: {x: 1}\nb: 3\nc: 2\nd: 3\n", ""},
		{Result, Result, "b: 7\nc: 2\nd: 3\n", ""},
		{Result, theirs, "a: 7\nb: 3\nc: 1\nd: 3\n", "wrong value"},
		{Result, theirs, "a: 7\nb: 3\nc: 2\n", "lost"},
	} {
		claim := Merge{Base: parse(t, o), Ours: parse(t, d), Theirs: parse(t, u), Result: parse(t, c.Result)}
		for key, side := range map[string]version{"a": c.a, "b": c.b} {
			claim.Conflicts = append(claim.Conflicts, Conflict{At: [3]text.Span{line(o, key), line(d, key), line(u, key)}, Chosen: side})
		}
		found := Violations
		if c.a == Result || c.b == Result {
			found = ManualViolations
		}
		got := ""
		if all := found(claim, 1); len(all) > 0 {
			got = all[0].Rule.String()
		}
		if got != c.want {
			t.Errorf("%d %d %q: %q, want %q", c.a, c.b, c.Result, got, c.want)
		}
	}
}

// TestMovedItems tests that an item that each input contains once is in the result once, whichever side is chosen,
// although it is in the conflict in some versions only. If the verifier does not find a violation yet, ideal is the
// rule it should find.
func TestMovedItems(t *testing.T) {
	for _, c := range []struct {
		name, o, d, u string
		side          version
		Result, want  string
		ideal         string
	}{
		{"an item, moved into the conflict", "- a\n- b\n- c\n", "- b\n«- a\n- x\n»- c\n", "- a\n- b\n«- y\n»- c\n", theirs, "- b\n- y\n- c\n", "lost in a move", ""},
		{"an item, moved out of the conflict", "- a\n«- b\n»- c\n", "- b\n- a\n«- x\n»- c\n", "- a\n«- b\n- y\n»- c\n", theirs, "- b\n- a\n- b\n- y\n- c\n", "", "duplicate"},
		{"an item of a list that is as one side has it but for the conflict", "- a\n- b\n«- c\n»", "- b\n«- a\n»", "- a\n- b\n", theirs, "- b\n", "lost in a move", ""},
		{"an item that is in part in conflict", "- t: 1\n«  p: a\n»  v: 1\n", "- t: 1\n«  p: z\n»  v: 1\n- t: 1\n  p: a\n  v: 1\n", "- t: 1\n«  p: a\n»  v: 1\n", theirs, "- t: 1\n  p: a\n  v: 1\n- t: 1\n  p: a\n  v: 1\n", "lost", ""},
		{"a field", "a: 1\nb: 1\nc: 1\n", "b: 1\n«a: 1\nx: 1\n»c: 1\n", "a: 1\nb: 1\n«y: 1\n»c: 1\n", theirs, "b: 1\ny: 1\nc: 1\n", "", "lost"},
		{"an item, and another list's that says the same", "x:\n- f\n«- name: a\n  v: 1\n»y:\n- name: a\n  v: 2\n", "x:\n- f\n«- c\n»y:\n- name: a\n  v: 1\n", "x:\n- f\n«- name: a\n  v: 1\n- z\n»y:\n- name: a\n  v: 2\n  w: 1\n", ours, "x:\n- f\n- c\ny:\n- name: a\n  v: 1\n  w: 1\n", "", ""},
		{"an item with a key", "- name: a\n- name: b\n- name: c\n", "- name: b\n«- name: a\n- name: x\n»- name: c\n", "- name: a\n- name: b\n«- name: y\n»- name: c\n", theirs, "- name: b\n- name: y\n- name: c\n", "lost in a move", ""},
		{"a document", "a: 1\n---\nb: 1\n", "b: 1\n«---\na: 1\n»", "a: 1\n---\nb: 1\n«---\nc: 1\n»", theirs, "b: 1\n---\nc: 1\n", "", "lost"},
		{"a comment", "# of a\na: 1\nb: 1\n", "a: 2\n«# of a\nx: 1\n»b: 1\n", "# of a\na: 1\n«y: 1\n»b: 1\n", theirs, "a: 2\ny: 1\nb: 1\n", "wrong comment", ""},
		{"an item that a side deleted", "- a\n- b\n- c\n", "- b\n«- x\n»- c\n", "- a\n- b\n«- y\n»- c\n", theirs, "- b\n- y\n- c\n", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			open := Conflict{Chosen: c.side}
			claim := Merge{Result: parse(t, c.Result)}
			for v, s := range []string{c.o, c.d, c.u} {
				s, open.At[v] = cutMarks(s)
				*[...]**syntax.Stream{&claim.Base, &claim.Ours, &claim.Theirs}[v] = parse(t, s)
			}
			claim.Conflicts = []Conflict{open}
			got := ""
			if r := Check(claim); r != nil {
				got = r.Rule.String()
			}
			if c.ideal != "" && got == c.ideal {
				t.Errorf("the ideal is reached: make %q what is wanted", got)
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
