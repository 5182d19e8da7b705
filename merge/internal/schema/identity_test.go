package schema

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

func TestID(t *testing.T) {
	one := List{Kind: Map, Keys: []string{"name"}}
	port := List{Kind: Map, Keys: []string{"port", "protocol"}, Defaults: map[string]string{"protocol": "TCP"}}
	set := List{Kind: Set}
	for _, c := range []struct {
		list  List
		items string // a sequence
		same  string // a letter for each item, equal for equal identities; - for an item without identity
	}{
		{one, "[{name: a}, {name: 'a', x: 1}, {name: b}, {x: 1}, {name: null}, {name: [a]}, a, [a]]", "aab-----"},
		{one, "[{name: 80}, {name: '80'}, {name: 8_0}]", "aab"},
		{port, "[{port: 53}, {port: 53, protocol: TCP}, {port: 53, protocol: UDP}, {protocol: TCP}]", "aab-"},
		{port, "[{port: '1', protocol: '1:2'}, {port: '1:1', protocol: '2'}]", "ab"},
		{port, "[{port: 1, protocol: null}, {port: 1, protocol: TCP}]", "aa"},
		{set, "[a, 'a', b, 1, '1', 1.0, true, 'true', null, '']", "aabcdefghi"},
		{set, "[{a: 1, b: 2}, {b: 2, a: 1}, {a: 1, b: 3}, {a: '1', b: 2}, [1, 2], [2, 1]]", "aabcde"},
		{set, "[[a, b], ['a!!str 1:b'], [[a], b], [[a, b]]]", "abcd"},
		{set, "[{a: 'b:!!str c'}, {'a:!!str b': c}, {'a': 'b:!!str c'}]", "aba"},
		{set, "[&x a, *x, &x_ b, a]", "abca"},
		{List{Kind: Ordered}, "[a, {name: a}]", "--"},
		{List{Kind: Atomic}, "[a, {name: a}]", "--"},
	} {
		if got := identities(c.list, trees.Root(t, c.items)); got != c.same {
			t.Errorf("%v %s: %s, want %s", c.list.Keys, c.items, got, c.same)
		}
	}
	if _, ok := one.ID(nil); ok {
		t.Error("nil has an identity")
	}
}

// identities returns a letter for each item of seq: equal letters for equal identities, - for an item without identity.
// New identities get the letters in their order.
func identities(l List, seq *syntax.Node) string {
	var ids []string
	var b strings.Builder
	for _, e := range seq.Entries {
		id, ok := l.ID(e.Value)
		if !ok {
			b.WriteByte('-')
			continue
		}
		i := slices.Index(ids, id)
		if i < 0 {
			i, ids = len(ids), append(ids, id)
		}
		b.WriteByte(byte('a' + i))
	}
	return b.String()
}

func TestRepeatedKeyHasNoIdentity(t *testing.T) {
	item := trees.Root(t, "{name: a}")
	item.Entries = append(item.Entries, trees.Root(t, "{'name': b}").Entries...)
	if id, ok := (List{Kind: Map, Keys: []string{"name"}}).ID(item); ok {
		t.Errorf("identity %q", id)
	}
}

func TestLabelAndIsKey(t *testing.T) {
	l := List{Kind: Map, Keys: []string{"port", "protocol"}, Defaults: map[string]string{"protocol": "TCP"}}
	if got := l.Label(trees.Root(t, "{port: 53}")); got != "port=53,protocol=TCP" {
		t.Error(got)
	}
	if got := l.Label(trees.Root(t, "{name: x}")) + (List{Kind: Set}).Label(trees.Root(t, "x")); got != "" {
		t.Error(got)
	}
	l = List{Kind: Map, Keys: []string{"alias|name", "metadata.uid"}}
	for name, want := range map[string]bool{"alias": true, "name": true, "metadata": true, "uid": false, "alias|name": false} {
		if l.IsKey(name) != want {
			t.Errorf("IsKey(%s) is %v", name, !want)
		}
	}
}

func TestLabels(t *testing.T) {
	for _, c := range []struct {
		list                List
		items, same, labels string
	}{
		{List{Separators: []string{"="}}, "[A=1, A=2, B, 'C = x=y', {pip: [a]}, {a: 1, b: 2}, pip, [a], null]", "aabcd-e--", "A A B C pip pip"},
		{List{Keys: []string{"metadata.name"}}, "[{metadata: {name: a}}, {metadata: {name: a}}, {metadata: a}, {name: a}]", "aa--", "metadata.name=a metadata.name=a"},
		{List{Keys: []string{"alias|name"}}, "[{name: a, alias: b}, {name: b}, {name: a}, {alias: null, name: a}, {}]", "aabb-", "alias=b name=b name=a name=a"},
	} {
		c.list.Kind = Map
		seq := trees.Root(t, c.items)
		if got := identities(c.list, seq); got != c.same {
			t.Errorf("%s: %s, want %s", c.items, got, c.same)
		}
		var labels []string
		for _, e := range seq.Entries {
			if s := c.list.Label(e.Value); s != "" {
				labels = append(labels, s)
			}
		}
		if got := strings.Join(labels, " "); got != c.labels {
			t.Errorf("%s: %s", c.items, got)
		}
	}
}
