package pair

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestOrderedRules has one line for each rule by which items of an ordered list are paired; see format for the steps.
func TestOrderedRules(t *testing.T) {
	for _, c := range []pairCase{
		{"each side deleted a copy", "[a, a]", "[a]", "[a]", "a/a/a a/-/-"},
		{"each side deleted another one of the copies", "[a, b, a]", "[a, b]", "[b, a]", "a/a/- b/b/b a/-/a"},
		{"one side deleted a copy, the other changed one", "[{v: 1, w: 1}, {v: 1, w: 1}]", "[{v: 1, w: 1}]", "[{v: 1, w: 1}, {v: 2, w: 1}]", "{v: 1, w: 1}/{v: 1, w: 1}/{v: 1, w: 1} <{v: 1, w: 1}||{v: 2, w: 1}>"},
		{"a scalar replaced by one side", "[a, k]", "[b, k]", "[a, k]", "a/b/a k/k/k"},
		{"two scalars replaced by one, one by the other", "[a, b, k]", "[x, y, k]", "[a, z, k]", "<a,b|x,y|a,z> k/k/k"},
		{"different edits next to each other", "[a, b]", "[x, b]", "[a, y]", "-/x/- a/-/a -/-/y b/b/-"},
		{"an item changed by one, its neighbour deleted by the other", "[{v: 1, w: 1, x: 1}, b]", "[{v: 2, w: 1, x: 1}, b]", "[{v: 1, w: 1, x: 1}]", "{v: 1, w: 1, x: 1}/{v: 2, w: 1, x: 1}/{v: 1, w: 1, x: 1} b/b/-"},
		{"both inserted in the same gap, one item equal", "[a, z]", "[a, x, y, z]", "[a, x, w, z]", "a/a/a -/x/x <|y|w> z/z/z"},
		{"both appended unrelated items", "[a]", "[a, {p: 1, q: 2}]", "[a, {r: 3, s: 4}]", "a/a/a <|{p: 1, q: 2}|{r: 3, s: 4}>"},
		{"both appended scalars", "[a]", "[a, b]", "[a, c]", "a/a/a <|b|c>"},
		{"both inserted", "[a, d, g]", "[a, b, d, g]", "[a, d, e, g]", "a/a/a -/b/- d/d/d -/-/e g/g/g"},
		{"both inserted in one gap", "[a, g, k]", "[a, b, g, k]", "[a, c, g, k]", "a/a/a <|b|c> g/g/g k/k/k"},
		{"a variant of one item", "[{n: 1, v: 1}]", "[{n: 1, v: 1}, {n: 2, v: 1}]", "[{n: 1, v: 1}]", "{n: 1, v: 1}/{n: 1, v: 1}/{n: 1, v: 1} -/{n: 2, v: 1}/-"},
		{"wrapped in a list", "[{a: 1, b: 2, c: 3}]", "[{w: {a: 1, b: 2, c: 3}}]", "[{a: 1, b: 2, c: 4}]", "<{a: 1, b: 2, c: 3}|{w: {a: 1, b: 2, c: 3}}|{a: 1, b: 2, c: 4}>"},
		{"moved to the end by one", "[a, b, c]", "[b, c, a]", "[a, b, c]", "b/b/b c/c/c a/a/a"},
		{"moved by one, deleted by the other", "[a, b, c]", "[b, c, a]", "[b, c]", "b/b/b c/c/c a/a/-"},
		{"all replaced by one", "[a, b]", "[x, y]", "[a, b]", "a/x/a b/y/b"},
		{"emptied by one, unchanged by the other", "[a, b]", "[]", "[a, b]", "a/-/a b/-/b"},
		{"an empty base", "[]", "[a]", "[b]", "<|a|b>"},
		{"an action with another version", "['o/a@v1', 'o/b@v1']", "['o/a@v2', 'o/b@v1']", "['o/a@v1', 'o/b@v3']", "'o/a@v1'/'o/a@v2'/'o/a@v1' 'o/b@v1'/'o/b@v1'/'o/b@v3'"},
		{"both replaced two items in the same way", "[a, b, k]", "[x, y, k]", "[x, y, k]", "-/x/x -/y/y k/k/k"},
		{"one deleted what is next to an edit of the other", "[a, b, c]", "[a, c]", "[a, b, x]", "a/a/a <b,c|c|b,x>"},
		{"one deleted an item, the other one next to it", "[a, b, c, d]", "[a, c, d]", "[a, b, d]", "a/a/a b/-/b c/c/- d/d/d"},
		{"one deleted an item that the other edited", "[{n: 1, v: 1, w: 1}, k]", "[k]", "[{n: 1, v: 2, w: 1}, k]", "<{n: 1, v: 1, w: 1}||{n: 1, v: 2, w: 1}> k/k/k"},
		{"both added the same item among others", "[k]", "[x, s, k]", "[y, s, k]", "<|x|y> -/s/s k/k/k"},
		{"both added an item of one name", "[k]", "[{name: n, a: 1, b: 2}, k]", "[{name: n, a: 1, b: 3}, k]", "-/n/n k/k/k"},
		{"both added an item of one name, and others", "[k]", "[{name: x}, {name: n, a: 1, b: 2}, k]", "[{name: y}, {name: n, a: 1, b: 3}, k]", "<|x|y> -/n/n k/k/k"},
		{"both replaced, one with more items", "[a, k]", "[b, c, k]", "[d, k]", "<a|b,c|d> k/k/k"},
		{"one inserted, the other replaced in the same gap", "[a, b]", "[a, x, b]", "[a, y]", "a/a/a <b|x,b|y>"},
		{"an item moved out of a part", "[a, b, c]", "[s, b, a, c]", "[a, s, b, c]", "-/s/s b/b/b a/a/a c/c/c"},
		{"both edited and moved", "[{id: a, v: 1}, {id: b, v: 1}]", "[{id: b, v: 1}, {id: a, v: 2}]", "[{id: b, v: 3}, {id: a, v: 1}]", "<{id: a, v: 1},{id: b, v: 1}|{id: b, v: 1},{id: a, v: 2}|{id: b, v: 3},{id: a, v: 1}>"},
		{"items with an id", "[{id: a, v: 1}, {id: b, v: 1}]", "[{id: b, v: 1}, {id: a, v: 1}]", "[{id: a, v: 2}, {id: b, v: 1}]", "{id: b, v: 1}/{id: b, v: 1}/{id: b, v: 1} {id: a, v: 1}/{id: a, v: 1}/{id: a, v: 2}"},
	} {
		v := parseVersions(t, c.base, c.ours, c.theirs)
		m := NewMatcher(nil, "")
		if got := v.format(m.PairOrdered(v.Nodes, schema.List{})); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestPairEntries checks the source of the rule that pairs the items of a list, and the path of its last item.
func TestPairEntries(t *testing.T) {
	for _, c := range []struct {
		name, file, list   string
		base, ours, theirs string
		want               string
	}{
		{"names are inferred", "a.yaml", "hosts", "[{name: a}, {name: b}]", "[{name: b}, {name: a}]", "[{name: a}, {name: b}, {name: c}]", "inference: b/b/b -/-/c a/a/a, hosts[name=a]"},
		{"scalars have no key", "a.yaml", "args", "[x, v, y]", "[v, y]", "[x, v, y, z]", "no key: x/-/x v/v/v y/y/y -/-/z, args[3]"},
		{"a list of a preset", "Chart.yaml", "dependencies", "[{name: a, version: 1}]", "[{name: a, version: 2}]", "[{name: a, version: 1}, {name: b, version: 1}]", "preset Helm chart: a/a/a -/-/b, dependencies[name=b]"},
	} {
		v := parseVersions(t, c.base, c.ours, c.theirs)
		m := NewMatcher(new(team.Rules), c.file)
		root := &three.Path{Root: &schema.Place{File: c.file}}
		items := m.PairEntries(v.Nodes, root.Child(c.list))
		last := items.Steps[len(items.Steps)-1].Entries(v.Nodes)
		got := items.Rule.Source + ": " + v.format(items.Steps) + ", " + items.ItemPath(last).String()
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestDocuments checks how documents are paired. A document is written as its kind and its name; the content differs in
// v. The steps have the index of the document in each version.
func TestDocuments(t *testing.T) {
	doc := func(s string) string {
		kind, rest, _ := strings.Cut(s, "/")
		name, v, _ := strings.Cut(rest, "=")
		if name == "" {
			return kind + ": " + v + "\nb: 1\nc: 2\n"
		}
		return "kind: " + kind + "\nmetadata:\n  name: " + name + "\nv: \"" + v + "\"\nw: {a: 1, b: 2, c: 3}\n"
	}
	for _, c := range []pairCase{
		{"by kind and name", "A/x B/y", "B/y A/x", "A/x=2 B/y", "1/0/1 0/1/0"},
		{"added by each side", "A/x", "A/x B/y", "A/x C/z", "0/0/0 -/1/- -/-/1"},
		{"deleted by one", "A/x B/y", "B/y", "A/x B/y=2", "0/-/0 1/0/1"},
		{"renamed by one", "A/x=1 B/y", "A/z=1 B/y", "A/x=2 B/y", "0/0/0 1/1/1"},
		{"renamed by both", "A/x=1 B/y", "A/z=1 B/y", "A/w=1 B/y", "0/0/0 1/1/1"},
		{"without identity, by content", "k/=1 l/=1", "k/=1 l/=2", "k/=3 l/=1", "0/0/0 1/1/1"},
		{"without identity, one added", "k/=1", "k/=1 m/=1", "k/=2", "0/0/0 -/1/-"},
		{"twice in one version", "A/x", "A/x A/x=2", "A/x=3", "0/0/0 -/1/-"},
	} {
		var docs [3][]*syntax.Document
		for s, in := range []string{c.base, c.ours, c.theirs} {
			var files []string
			for _, d := range strings.Fields(in) {
				files = append(files, doc(d))
			}
			st, err := syntax.Parse(text.New([]byte(strings.Join(files, "---\n"))))
			if err != nil {
				t.Fatal(err)
			}
			docs[s] = st.Docs
		}
		m := NewMatcher(new(team.Rules), "")
		m.MultiDocument = true
		var words []string
		for _, st := range m.Pair(m.DocumentElems(docs)) {
			word := ""
			for s, i := range st.Index {
				if word += string("-0123456789"[i+1]); s < 2 {
					word += "/"
				}
			}
			if st.Conflict != NoConflict {
				word = "<" + word + ">"
			}
			words = append(words, word)
		}
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
