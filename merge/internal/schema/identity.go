package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// ID returns the identity of item in l: two items of a list are the same
// thing exactly if their identities are equal. It reports false where the
// item has none.
//
// In a Map it is made of the values of the keys as text, so that 80 and "80"
// are one; a key that is missing, null, doubled, or no scalar leaves the item
// without identity unless it has a default. In a Set it is the whole value
// with its tag, whatever its style. Items of other lists have none.
func (l List) ID(item *syntax.Node) (string, bool) {
	switch {
	case item == nil:
		return "", false
	case l.Kind == Set:
		return canonical(item), true
	case l.Kind != Map:
		return "", false
	case len(l.Separators) > 0:
		return l.before(item)
	}
	values := make([]string, len(l.Keys))
	for i, k := range l.Keys {
		_, v, ok := l.keyed(item, k)
		if !ok {
			return "", false
		}
		values[i] = v
	}
	if len(values) == 1 {
		return values[0], true
	}
	return sized(values), len(values) > 0
}

// before returns the text before the first separator of a string, or the
// name of the field of a mapping that has one field.
func (l List) before(item *syntax.Node) (string, bool) {
	switch {
	case item.Kind == syntax.Scalar && item.Tag != "!!null":
		key := item.Value
		for _, s := range l.Separators {
			key, _, _ = strings.Cut(key, s)
		}
		if _, rest, ok := strings.Cut(key, l.After); ok && l.After != "" {
			key = rest
		}
		key = strings.TrimSpace(key)
		return key, key != ""
	case item.Kind == syntax.Mapping && len(item.Entries) == 1 && item.Entries[0].Key.Kind == syntax.Scalar:
		return "{" + item.Entries[0].Key.Value, true
	}
	return "", false
}

// keyed returns which of the fields of the key k item has, and its value.
func (l List) keyed(item *syntax.Node, k string) (name, value string, ok bool) {
	if item.Kind != syntax.Mapping {
		return "", "", false
	}
	for alt := range strings.SplitSeq(k, "|") {
		n, ok := lookup(item, alt)
		if !ok {
			return "", "", false
		}
		if n != nil && (n.Kind != syntax.Scalar || n.Tag != "!!null") {
			return alt, n.Value, n.Kind == syntax.Scalar
		}
	}
	value, ok = l.Defaults[k]
	return k, value, ok
}

// lookup returns the field of a mapping at path, names joined by dots; nil if
// there is none. It reports false where a field on the way is doubled.
func lookup(n *syntax.Node, path string) (*syntax.Node, bool) {
	for name := range strings.SplitSeq(path, ".") {
		if n == nil || n.Kind != syntax.Mapping {
			return nil, true
		}
		var doubled bool
		if n, doubled = field(n, name); doubled {
			return nil, false
		}
	}
	return n, true
}

// field returns the value of the field name of a mapping, nil if there is
// none, and whether there are several.
func field(m *syntax.Node, name string) (n *syntax.Node, doubled bool) {
	for _, e := range m.Entries {
		if e.Key == nil || e.Key.Kind != syntax.Scalar || e.Key.Value != name {
			continue
		}
		if n != nil {
			return n, true
		}
		n = e.Value
	}
	return n, false
}

// canonical returns a text that is the same for equal values and for no
// others: style and the order of fields do not count. Aliases are not followed.
func canonical(n *syntax.Node) string {
	var parts []string
	for _, e := range n.Entries {
		said := canonical(e.Value)
		if e.Key != nil {
			said = canonical(e.Key) + ":" + said
		}
		parts = append(parts, said)
	}
	switch n.Kind {
	case syntax.Mapping:
		slices.Sort(parts)
		return n.Tag + "{" + sized(parts) + "}"
	case syntax.Sequence:
		return n.Tag + "[" + sized(parts) + "]"
	case syntax.Alias:
		return "*" + n.Value
	}
	return n.Tag + " " + n.Value
}

// sized joins texts, each with its length, so that none can be taken for two.
func sized(all []string) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(strconv.Itoa(len(s)))
		b.WriteByte(':')
		b.WriteString(s)
	}
	return b.String()
}

// Label names item by its identity for people, as in name=web or
// port=53,protocol=UDP; "" where it has none or is no item of a Map.
func (l List) Label(item *syntax.Node) string {
	if _, ok := l.ID(item); !ok || l.Kind != Map {
		return ""
	}
	if len(l.Separators) > 0 {
		id, _ := l.before(item)
		return strings.TrimPrefix(id, "{")
	}
	parts := make([]string, len(l.Keys))
	for i, k := range l.Keys {
		name, v, _ := l.keyed(item, k)
		parts[i] = name + "=" + v
	}
	return strings.Join(parts, ",")
}

// TwoThings reports whether two items differ in a field that tells items apart.
func (l List) TwoThings(a, b *syntax.Node) bool {
	return a.Kind == syntax.Mapping && b.Kind == syntax.Mapping && slices.ContainsFunc(l.Apart, func(name string) bool {
		x, doubled := field(a, name)
		y, doubled2 := field(b, name)
		if doubled || doubled2 || x == nil || y == nil {
			return !doubled && !doubled2 && x != y
		}
		return canonical(x) != canonical(y)
	})
}

// IsKey reports whether the field name of an item is part of its identity.
func (l List) IsKey(name string) bool {
	for _, k := range l.Keys {
		for alt := range strings.SplitSeq(k, "|") {
			if first, _, _ := strings.Cut(alt, "."); first == name {
				return true
			}
		}
	}
	return false
}

// associative are the fields that identify the items of a list of which
// nothing is known, in the order in which they are tried: what says of itself
// that it is a name comes before what may only happen to be different.
var associative = [...]string{
	"mountPath", "devicePath", "topologyKey", "name", "id", "ip", "type", "containerPort",
}

// kustomizes are those of kustomize's documentation, in its order.
var kustomizes = [...]string{
	"mountPath", "devicePath", "ip", "type", "topologyKey", "name", "containerPort",
}

// guess is the source of a list of which nobody says what it is.
const guess = "inference"

// infer guesses from the items: the first of the keys that all items of all versions have makes a Map; if once
// says so, each with another value within a version.
func infer(versions []*syntax.Node, keys []string, once bool) List {
	if items(versions) == 0 {
		return List{Kind: Ordered, Source: "no items"}
	}
	for i := range keys {
		l := List{Kind: Map, Keys: keys[i : i+1 : i+1], Source: guess}
		if l.identifies(versions, once) {
			return l
		}
	}
	return List{Kind: Ordered, Source: "no key"}
}

// items returns the number of items of all versions.
func items(versions []*syntax.Node) int {
	n := 0
	for _, v := range versions {
		if v != nil {
			n += len(v.Entries)
		}
	}
	return n
}

// of returns l, or an Ordered list where l is a Map that does not identify the items of a version.
func (l List) of(versions []*syntax.Node, once bool) List {
	if l.Kind == Map && !l.identifies(versions, once) {
		return List{Kind: Ordered, Source: l.Source + ", but a key is missing or doubled"}
	}
	return l
}

// identifies reports whether every item of every version has an identity in l and, if once says so, no
// other item of the same version has it.
func (l List) identifies(versions []*syntax.Node, once bool) bool {
	for _, v := range versions {
		if v == nil {
			continue
		}
		var seen map[string]bool // most lists that lack a key lack it in the first item
		for i, item := range v.Entries {
			id, ok := l.ID(item.Value)
			if !ok || seen[id] {
				return false
			}
			if i == 0 && once {
				seen = make(map[string]bool, len(v.Entries))
			}
			if once {
				seen[id] = true
			}
		}
	}
	return true
}

// Guessed reports whether nobody says what l is, and its inferred key is no name.
func (l List) Guessed() bool {
	return l.Source == guess && l.Keys[0] != "name" && l.Keys[0] != "id"
}
