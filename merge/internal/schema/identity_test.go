package schema

import (
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// node returns the tree of a YAML text, without spans. It returns nil for "".
func node(t testing.TB, src string) *syntax.Node {
	t.Helper()
	if src == "" {
		return nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(src), &doc); err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return convert(doc.Content[0])
}

// convert returns the tree of a node of the YAML parser, without spans.
func convert(y *yaml.Node) *syntax.Node {
	n := syntax.NewNode(syntax.Mapping, 0)
	n.Value = y.Value
	n.Tag = y.ShortTag()
	n.Anchor = y.Anchor
	if y.Style&yaml.TaggedStyle != 0 {
		n.TagText = y.Tag
	}
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind = syntax.Mapping
		for i := 0; i < len(y.Content); i += 2 {
			n.Entries = append(n.Entries, &syntax.Entry{Key: convert(y.Content[i]), Value: convert(y.Content[i+1])})
		}
	case yaml.SequenceNode:
		n.Kind = syntax.Sequence
		for _, c := range y.Content {
			n.Entries = append(n.Entries, &syntax.Entry{Value: convert(c)})
		}
	case yaml.AliasNode:
		n.Kind = syntax.Alias
		n.Tag = ""
	default:
		n.Kind = syntax.Scalar
	}
	return n
}

// nodes returns the trees of several YAML texts (see node).
func nodes(t testing.TB, srcs ...string) []*syntax.Node {
	t.Helper()
	var all []*syntax.Node
	for _, s := range srcs {
		all = append(all, node(t, s))
	}
	return all
}

func TestInference(t *testing.T) {
	for _, c := range []struct {
		versions []string
		keys     string // "" for an ordered list
	}{
		{[]string{"[{name: a}, {name: b}]", "[{name: a}]", "[{name: c}]"}, "name"},
		{[]string{"", "[{name: a}]", "[{name: a}]"}, "name"},
		{[]string{"[]", "[{name: a}]", "[{name: b}]"}, "name"},
		{[]string{"", "", ""}, ""},
		{[]string{"[]", "[]", "[]"}, ""},
		{[]string{"[{name: a, mountPath: /a}, {name: a, mountPath: /b}]"}, "mountPath"},
		{[]string{"[{name: a, mountPath: /a}, {name: b, mountPath: /a}]"}, "name"},
		{[]string{"[{name: a, mountPath: /a}]", "[{name: a}]"}, "name"},
		{[]string{"[{containerPort: 80}, {containerPort: 81}]"}, "containerPort"},
		{[]string{"[{containerPort: 80}, {containerPort: '80'}]"}, ""},
		{[]string{"[{type: A, ip: 1}, {type: B, ip: 2}]"}, "ip"},
		{[]string{"[{topologyKey: a, name: x}]"}, "topologyKey"},
		{[]string{"[{devicePath: /a, ip: 1}]"}, "devicePath"},
		{[]string{"[{name: a}, {name: a}]"}, ""},
		{[]string{"[{name: a}]", "[{name: a}, {name: a}]"}, ""},
		{[]string{"[{name: a}, {id: b}]"}, ""},
		{[]string{"[{name: a}, b]"}, ""},
		{[]string{"[a, b]"}, ""},
		{[]string{"[{name: [a]}]"}, ""},
		{[]string{"[{name: null}]"}, ""},
		{[]string{"[{name: ''}]"}, "name"},
		{[]string{"[&x {name: a}, *x]"}, ""},
		{[]string{"[&x {name: a}, {<<: *x}]"}, ""},
		{[]string{"[{name: a}]", "{name: a}"}, ""},
		{[]string{"[{name: a}]", "null"}, ""},
	} {
		l := new(Rules).ListAt(Place{}, nodes(t, c.versions...)...)
		if got := strings.Join(l.Keys, ","); got != c.keys || (l.Kind == Map) != (c.keys != "") {
			t.Errorf("%q: kind %d, keys %q; want %q", c.versions, l.Kind, got, c.keys)
		}
	}
}

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
		{set, "[&x a, *x, &x_ b, a]", "abca"},
		{List{Kind: Ordered}, "[a, {name: a}]", "--"},
		{List{Kind: Atomic}, "[a, {name: a}]", "--"},
	} {
		if got := identities(c.list, node(t, c.items)); got != c.same {
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
	item := node(t, "{name: a}")
	item.Entries = append(item.Entries, node(t, "{'name': b}").Entries...)
	if id, ok := (List{Kind: Map, Keys: []string{"name"}}).ID(item); ok {
		t.Errorf("identity %q", id)
	}
}
