package pair

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A versions is one collection in base, ours and theirs.
type versions struct {
	three.Nodes
	files [3]*text.File
}

func read(t *testing.T, in ...string) (v versions) {
	t.Helper()
	for s, x := range in {
		st, err := syntax.Parse(text.New([]byte(x + "\n")))
		if err != nil {
			t.Fatal(err)
		}
		v.files[s], v.Nodes[s] = st.File, st.Docs[0].Root
	}
	return v
}

// spell writes what is one: base/ours/theirs, with - where a version has nothing; and
// conflicts as <base|ours|theirs>.
func (v versions) spell(steps []Step) string {
	var words []string
	for _, st := range steps {
		var of [3][]string
		for s := range of {
			if st.Cause == NoCause {
				of[s] = []string{v.said(s, st.At[s])}
			}
			for _, i := range st.Runs[s] {
				of[s] = append(of[s], v.said(s, i))
			}
		}
		join := func(sep string) string {
			return strings.Join(of[0], ",") + sep + strings.Join(of[1], ",") + sep + strings.Join(of[2], ",")
		}
		if st.Cause != NoCause {
			words = append(words, "<"+join("|")+">")
			continue
		}
		words = append(words, join("/"))
	}
	return strings.Join(words, " ")
}

// said is the key of a field, the name of an item with one, or an item as it stands.
func (v versions) said(s, i int) string {
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

type pairCase struct{ name, base, ours, theirs, want string }

func TestFields(t *testing.T) {
	const three1 = "{x: 1, y: 2, z: 3}"
	for _, c := range []pairCase{
		{"by key", "{a: 1, b: 1}", "{a: 2, b: 1}", "{a: 1}", "a/a/a b/b/-"},
		{"added by theirs behind its neighbour", "{a: 1, b: 1}", "{a: 1, b: 1}", "{a: 1, c: 1, b: 1}", "a/a/a -/-/c b/b/b"},
		{"theirs alone reordered", "{a: 1, b: 1}", "{a: 1, b: 1}", "{b: 1, a: 1}", "b/b/b a/a/a"},
		{"both added", "{a: 1}", "{a: 1, b: 1}", "{a: 1, c: 1}", "a/a/a -/b/- -/-/c"},
		{"both replaced", "{a: 1, k: 1}", "{b: 2, k: 1}", "{c: 3, k: 1}", "<a|b|c> k/k/k"},
		{"renamed by one", "{a: " + three1 + "}", "{b: " + three1 + "}", "{a: " + three1 + "}", "a/b/a"},
		{"not alike enough", "{a: " + three1 + ", k: 1}", "{b: {x: 1, y: 4, z: 5}, k: 1}", "{a: " + three1 + ", k: 1}", "-/b/- a/-/a k/k/k"},
		{"two that it could be", "{a: " + three1 + ", b: " + three1 + "}", "{c: " + three1 + "}", "{a: " + three1 + ", b: " + three1 + "}", "-/c/- a/-/a b/-/b"},
		{"renamed alike by both", "{a: " + three1 + "}", "{b: " + three1 + "}", "{b: " + three1 + "}", "a/b/b"},
		{"the same key twice", "{a: 1, a: 2}", "{a: 1, a: 2}", "{a: 1}", "a/a/a a/a/-"},
	} {
		v := read(t, c.base, c.ours, c.theirs)
		m := &Matcher{Sums: NewSums()}
		steps := m.Pair(m.Elems(v.Nodes, (*syntax.Entry).FieldKey))
		if got := v.spell(steps); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestOrdered(t *testing.T) {
	for _, c := range []pairCase{
		{"equal", "[a, b]", "[a, b]", "[a, b]", "a/a/a b/b/b"},
		{"one side inserted", "[a, b]", "[a, x, b]", "[a, b]", "a/a/a -/x/- b/b/b"},
		{"one side deleted", "[a, b]", "[a, b]", "[b]", "a/a/- b/b/b"},
		{"both inserted apart", "[a, b]", "[x, a, b]", "[a, b, y]", "-/x/- a/a/a b/b/b -/-/y"},
		{"both inserted alike", "[a]", "[a, x]", "[a, x]", "a/a/a -/x/x"},
		{"different ones of both in one gap", "[a]", "[a, {name: x}]", "[a, {name: y}]", "a/a/a <|x|y>"},
		{"moved by one, changed by the other", "[{name: a, v: 1}, {name: b, v: 1}]", "[{name: b, v: 1}, {name: a, v: 1}]",
			"[{name: a, v: 1}, {name: b, v: 2}]", "b/b/b a/a/a"},
		{"known by a name", "[{name: a, v: 1}, {name: b, v: 1}]", "[{name: b, v: 1}]", "[{name: a, v: 1}, {name: b, v: 2}]", "a/-/a b/b/b"},
		{"an image with a version", "['i:1', 'j:1']", "['i:2', 'j:1']", "['i:1', 'j:2']", "'i:1'/'i:2'/'i:1' 'j:1'/'j:1'/'j:2'"},
		{"deleted and changed", "[{name: a, v: 1}]", "[]", "[{name: a, v: 2}]", "<a||a>"},
		{"replaced by both", "[a, k]", "[b, k]", "[c, k]", "a/b/c k/k/k"},
	} {
		v := read(t, c.base, c.ours, c.theirs)
		m := &Matcher{Sums: NewSums()}
		if got := v.spell(m.PairOrdered(v.Nodes, schema.List{})); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestKeyedLists(t *testing.T) {
	for _, c := range []pairCase{
		{"a set by value", "[a, b]", "[b, c]", "[a, b, d]", "a/-/a b/b/b -/c/- -/-/d"},
		{"one value twice", "[a]", "[a, a]", "[a]", "a/a/a -/a/-"},
		{"items by name", "[{name: a}, {name: b}]", "[{name: b}, {name: a}]", "[{name: a}, {name: b}, {name: c}]", "b/b/b -/-/c a/a/a"},
		{"an item with another name", "[{name: a, x: 1, y: 2, z: 3}]", "[{name: b, x: 1, y: 2, z: 3}]", "[{name: a, x: 1, y: 2, z: 4}]", "a/b/a"},
	} {
		v := read(t, c.base, c.ours, c.theirs)
		m := &Matcher{Sums: NewSums()}
		steps := m.PairSet(v.Nodes, schema.List{Kind: schema.Set})
		if strings.Contains(c.base, "name") {
			steps = m.pairMap(v.Nodes, schema.List{Kind: schema.Map, Keys: []string{"name"}})
		}
		if got := v.spell(steps); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestByKey holds that a key alone makes two entries one, and in which order.
func TestByKey(t *testing.T) {
	v := read(t, "{a: {x: 1, y: 2, z: 3}, b: 1, c: 1}", "{d: {x: 1, y: 2, z: 3}, b: 1, c: 1}", "{c: 1, b: 1, e: 1}")
	elems := new(Matcher).Elems(v.Nodes, (*syntax.Entry).FieldKey)
	if got, want := v.spell(ByKey(elems, false)), "-/d/- c/c/c b/b/b -/-/e"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := v.spell(ByKey(elems, true)), "-/d/- b/b/b -/-/e c/c/c"; got != want {
		t.Errorf("by dest's order %s, want %s", got, want)
	}
}
