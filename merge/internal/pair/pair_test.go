package pair

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// versions has one collection in base, ours and theirs.
type versions struct {
	three.Nodes
	files [3]*text.File
}

// parseVersions parses one document for each version.
func parseVersions(t *testing.T, in ...string) (v versions) {
	t.Helper()
	for s, x := range in {
		st := trees.Parse(t, x+"\n")
		v.files[s], v.Nodes[s] = st.File, st.Docs[0].Root
	}
	return v
}

// format returns steps as text. A match is base/ours/theirs, with - for a version that lacks the element; a
// conflict is <base|ours|theirs>.
func (v versions) format(steps []Step) string {
	var words []string
	for _, st := range steps {
		var of [3][]string
		for s := range of {
			if st.Conflict == NoConflict {
				of[s] = []string{v.textOf(s, st.Index[s])}
			}
			for _, i := range st.Runs[s] {
				of[s] = append(of[s], v.textOf(s, i))
			}
		}
		join := func(sep string) string {
			return strings.Join(of[0], ",") + sep + strings.Join(of[1], ",") + sep + strings.Join(of[2], ",")
		}
		if st.Conflict != NoConflict {
			words = append(words, "<"+join("|")+">")
			continue
		}
		words = append(words, join("/"))
	}
	return strings.Join(words, " ")
}

// textOf returns the text of entry i of version s: the mapping key of a field, the name of an item, or the text of
// an item without a name. It returns "-" if i is negative.
func (v versions) textOf(s, i int) string {
	if i < 0 {
		return "-"
	}
	e := v.Nodes[s].Entries[i]
	switch {
	case e.Key != nil:
		return e.Key.Value
	case e.Value.ScalarAt("name") != "":
		return e.Value.ScalarAt("name")
	}
	return string(v.files[s].Slice(e.Value.Content))
}

// A pairCase has three collections in YAML, and the steps as versions.format returns them.
type pairCase struct{ name, base, ours, theirs, want string }

func TestFields(t *testing.T) {
	const fields = "{x: 1, y: 2, z: 3}"
	for _, c := range []pairCase{
		{"by key", "{a: 1, b: 1}", "{a: 2, b: 1}", "{a: 1}", "a/a/a b/b/-"},
		{"added by theirs after its neighbour", "{a: 1, b: 1}", "{a: 1, b: 1}", "{a: 1, c: 1, b: 1}", "a/a/a -/-/c b/b/b"},
		{"only theirs reordered", "{a: 1, b: 1}", "{a: 1, b: 1}", "{b: 1, a: 1}", "b/b/b a/a/a"},
		{"both added", "{a: 1}", "{a: 1, b: 1}", "{a: 1, c: 1}", "a/a/a -/b/- -/-/c"},
		{"both replaced", "{a: 1, k: 1}", "{b: 2, k: 1}", "{c: 3, k: 1}", "<a|b|c> k/k/k"},
		{"renamed by one", "{a: " + fields + "}", "{b: " + fields + "}", "{a: " + fields + "}", "a/b/a"},
		{"too different to be renamed", "{a: " + fields + ", k: 1}", "{b: {x: 1, y: 4, z: 5}, k: 1}", "{a: " + fields + ", k: 1}", "-/b/- a/-/a k/k/k"},
		{"two possible renames", "{a: " + fields + ", b: " + fields + "}", "{c: " + fields + "}", "{a: " + fields + ", b: " + fields + "}", "-/c/- a/-/a b/-/b"},
		{"renamed in the same way by both", "{a: " + fields + "}", "{b: " + fields + "}", "{b: " + fields + "}", "a/b/b"},
		{"a duplicate key", "{a: 1, a: 2}", "{a: 1, a: 2}", "{a: 1}", "a/a/a a/a/-"},
	} {
		v := parseVersions(t, c.base, c.ours, c.theirs)
		m := NewMatcher(nil, "")
		steps := m.Pair(m.KeyedElems(v.Nodes, (*syntax.Entry).FieldKey))
		if got := v.format(steps); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestPairOrdered(t *testing.T) {
	for _, c := range []pairCase{
		{"equal", "[a, b]", "[a, b]", "[a, b]", "a/a/a b/b/b"},
		{"one side inserted", "[a, b]", "[a, x, b]", "[a, b]", "a/a/a -/x/- b/b/b"},
		{"one side deleted", "[a, b]", "[a, b]", "[b]", "a/a/- b/b/b"},
		{"both inserted at different positions", "[a, b]", "[x, a, b]", "[a, b, y]", "-/x/- a/a/a b/b/b -/-/y"},
		{"both inserted the same item", "[a]", "[a, x]", "[a, x]", "a/a/a -/x/x"},
		{"both inserted different items in one gap", "[a]", "[a, {name: x}]", "[a, {name: y}]", "a/a/a <|x|y>"},
		{"moved by one, changed by the other", "[{name: a, v: 1}, {name: b, v: 1}]", "[{name: b, v: 1}, {name: a, v: 1}]",
			"[{name: a, v: 1}, {name: b, v: 2}]", "b/b/b a/a/a"},
		{"matched by name", "[{name: a, v: 1}, {name: b, v: 1}]", "[{name: b, v: 1}]", "[{name: a, v: 1}, {name: b, v: 2}]", "a/-/a b/b/b"},
		{"an image with a version", "['i:1', 'j:1']", "['i:2', 'j:1']", "['i:1', 'j:2']", "'i:1'/'i:2'/'i:1' 'j:1'/'j:1'/'j:2'"},
		{"deleted and changed", "[{name: a, v: 1}]", "[]", "[{name: a, v: 2}]", "<a||a>"},
		{"replaced by both", "[a, k]", "[b, k]", "[c, k]", "<a|b|c> k/k/k"},
	} {
		v := parseVersions(t, c.base, c.ours, c.theirs)
		m := NewMatcher(nil, "")
		if got := v.format(m.PairOrdered(v.Nodes, schema.List{})); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestKeyedLists(t *testing.T) {
	for _, c := range []pairCase{
		{"a set by value", "[a, b]", "[b, c]", "[a, b, d]", "a/-/a b/b/b -/c/- -/-/d"},
		{"a duplicate value", "[a]", "[a, a]", "[a]", "a/a/a -/a/-"},
		{"items by name", "[{name: a}, {name: b}]", "[{name: b}, {name: a}]", "[{name: a}, {name: b}, {name: c}]", "b/b/b -/-/c a/a/a"},
		{"an item with another name", "[{name: a, x: 1, y: 2, z: 3}]", "[{name: b, x: 1, y: 2, z: 3}]", "[{name: a, x: 1, y: 2, z: 4}]", "a/b/a"},
	} {
		v := parseVersions(t, c.base, c.ours, c.theirs)
		m := NewMatcher(nil, "")
		steps := orderKeyed(m.MatchSet(v.Nodes, schema.List{Kind: schema.Set}), false)
		if strings.Contains(c.base, "name") {
			steps = m.Pair(m.MapElems(v.Nodes, schema.List{Kind: schema.Map, Keys: []string{"name"}}))
		}
		if got := v.format(steps); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestPairByKey checks that PairByKey pairs entries by identity only, and in which order.
func TestPairByKey(t *testing.T) {
	v := parseVersions(t, "{a: {x: 1, y: 2, z: 3}, b: 1, c: 1}", "{d: {x: 1, y: 2, z: 3}, b: 1, c: 1}", "{c: 1, b: 1, e: 1}")
	elems := new(Matcher).KeyedElems(v.Nodes, (*syntax.Entry).FieldKey)
	if got, want := v.format(PairByKey(elems, false)), "-/d/- c/c/c b/b/b -/-/e"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := v.format(PairByKey(elems, true)), "-/d/- b/b/b -/-/e c/c/c"; got != want {
		t.Errorf("by dest's order %s, want %s", got, want)
	}
}
