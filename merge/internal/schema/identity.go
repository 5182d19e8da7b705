package schema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// ID returns the identity of an item of l; two items with the same identity are the same thing. ok is false if item is
// nil or has no identity.
//
//	Map with keys      the values of the keys
//	Map of strings     a part of the string (see idOfString)
//	Set                the whole value
//	Ordered, Atomic    ok is false
func (l List) ID(item *syntax.Node) (id string, ok bool) {
	switch {
	case item == nil:
		return "", false
	case l.Kind == Set:
		return canonicalText(item), true
	case l.Kind != Map:
		return "", false
	case l.hasStrings():
		return l.idInStringList(item)
	}
	values := make([]string, len(l.Keys))
	for i, k := range l.Keys {
		_, v, ok := l.keyValue(item, k)
		if !ok {
			return "", false
		}
		values[i] = v
	}
	if len(values) == 1 {
		return values[0], true
	}
	// as in 2:533:UDP for the keys port and protocol
	return joinWithLengths(values), len(values) > 0
}

// hasStrings reports whether l is a list of strings that are identified by a part of their text.
func (l List) hasStrings() bool { return len(l.Separators) > 0 || l.pattern != nil }

// idInStringList returns the identity of an item of a list of strings (see hasStrings). It is a part of the string
// (idOfString), or comes from a field if the item is a mapping. ok is false for other items, and if the part is empty.
//
//	l                         item                  identity
//	After "::", Separators =  bioconda::star=2.6    star
//	Keys [target]             {target: /var/lib}    /var/lib
//	no Keys                   pip: [black]          {pip
func (l List) idInStringList(item *syntax.Node) (id string, ok bool) {
	switch {
	case item.Kind == syntax.Scalar && item.Tag != "!!null":
		id = l.idOfString(item.Value)
		return id, id != ""
	case len(l.Keys) > 0:
		_, id, ok = l.keyValue(item, l.Keys[0])
		return id, ok
	case item.Kind == syntax.Mapping && len(item.Entries) == 1 && item.Entries[0].Key.Kind == syntax.Scalar:
		return "{" + item.Entries[0].Key.Value, true // "{" keeps it apart from the string with this text
	}
	return "", false
}

// idOfString returns the part of text that identifies it in l: what the groups of the pattern match, or the text after
// l.After and before the first of l.Separators. A list has either a pattern, or After and Separators.
//
//	pattern ^.*:(.*)          ./data:/var/lib       /var/lib
//	pattern ^.*:(.*)          data                  data (no match)
func (l List) idOfString(text string) string {
	if l.pattern != nil {
		if groups := l.pattern.FindStringSubmatch(text); groups != nil {
			text = strings.Join(groups[1:], "")
		}
	}
	if _, rest, ok := strings.Cut(text, l.After); ok && l.After != "" {
		text = rest
	}
	for _, s := range l.Separators {
		text, _, _ = strings.Cut(text, s)
	}
	return strings.TrimSpace(text)
}

// keyValue returns the value that identifies item by the associative key k, and the name of the field with this value.
// A missing or null field has the default value of k. ok is false if there is no value, or if the field is repeated or
// not a scalar.
//
//	alias|name   {name: web}   name, web, true
//	protocol     {port: 80}    protocol, TCP, true
func (l List) keyValue(item *syntax.Node, k string) (name, value string, ok bool) {
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

// lookup returns the value at path, field names joined by dots, in n: web for metadata.name in {metadata: {name: web}}.
// The value is nil if there is none. unique is false, and the value nil, if a field of the path is repeated.
func lookup(n *syntax.Node, path string) (value *syntax.Node, unique bool) {
	for name := range strings.SplitSeq(path, ".") {
		if n == nil || n.Kind != syntax.Mapping {
			return nil, true
		}
		var duplicated bool
		if n, duplicated = fieldValue(n, name); duplicated {
			return nil, false
		}
	}
	return n, true
}

// fieldValue returns the value of the first field called name in the mapping m, or nil if m does not have it.
// duplicated reports whether the field occurs several times.
func fieldValue(m *syntax.Node, name string) (n *syntax.Node, duplicated bool) {
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

// canonicalText returns a text by which nodes can be compared: equal nodes have the same text, and others have other
// texts. The order of fields, the style, anchors and comments do not matter. Kinds and tags do: 1 and "1" differ. n
// must not be nil.
func canonicalText(n *syntax.Node) string {
	var parts []string
	for _, e := range n.Entries {
		text := canonicalText(e.Value)
		if e.Key != nil {
			text = joinWithLengths([]string{canonicalText(e.Key), text})
		}
		parts = append(parts, text)
	}
	switch n.Kind {
	case syntax.Mapping:
		slices.Sort(parts)
		return n.Tag + "{" + joinWithLengths(parts) + "}"
	case syntax.Sequence:
		return n.Tag + "[" + joinWithLengths(parts) + "]"
	case syntax.Alias:
		return "*" + n.Value
	}
	return n.Tag + " " + n.Value
}

// joinWithLengths returns the texts joined, each after its length, as in 3:foo2:ab. The results for different lists
// differ.
func joinWithLengths(all []string) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(strconv.Itoa(len(s)))
		b.WriteByte(':')
		b.WriteString(s)
	}
	return b.String()
}

// Label returns the identity of an item of a Map list for messages, such as "port=53,protocol=UDP" or, in a list of
// strings, "star" for star=2.6. Default values are included. It returns "" if the item has no identity, or if l is not
// a Map list.
func (l List) Label(item *syntax.Node) string {
	if _, ok := l.ID(item); !ok || l.Kind != Map {
		return ""
	}
	if l.hasStrings() {
		id, _ := l.idInStringList(item)
		return strings.TrimPrefix(id, "{") // before the name of the only field of a mapping
	}
	parts := make([]string, len(l.Keys))
	for i, k := range l.Keys {
		name, v, _ := l.keyValue(item, k)
		parts[i] = name + "=" + v
	}
	return strings.Join(parts, ",")
}

// AreDistinct reports whether the items a and b are different things, however similar they are: mappings that differ in
// one of the fields l.DistinctBy, such as the resources of two rules of a Role. Repeated fields and values of template
// actions are not compared.
func (l List) AreDistinct(a, b *syntax.Node) bool {
	return a.Kind == syntax.Mapping && b.Kind == syntax.Mapping && slices.ContainsFunc(l.DistinctBy, func(name string) bool {
		x, duplicatedA := fieldValue(a, name)
		y, duplicatedB := fieldValue(b, name)
		if duplicatedA || duplicatedB {
			return false
		}
		if x == nil || y == nil { // a difference, unless both lack the field
			return x != y
		}
		text, other := canonicalText(x), canonicalText(y)
		return text != other && !strings.Contains(text+other, "{{") // what an action prints is not known
	})
}

// IsKey reports whether an associative key of l refers to the field called name. The field can be a whole key, one of
// its alternatives, such as name in alias|name, or the first part of its path, such as metadata in metadata.name.
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

// inferableKeys are the fields that may identify the items of a list that no source knows, in the order in which they
// are tried. Fields that are names come before fields with values that may differ by chance.
var inferableKeys = [...]string{
	"mountPath", "devicePath", "topologyKey", "name", "id", "ip", "type", "containerPort",
}

// kustomizeKeys are the fields by which kustomize identifies the items of a list, in the order of its documentation.
var kustomizeKeys = [...]string{
	"mountPath", "devicePath", "ip", "type", "topologyKey", "name", "containerPort",
}

// inferred is the Source of a list whose associative key was inferred from its items.
const inferred = "inference"

// InferList returns the description of a list that no source knows. It is a Map list with the first of inferableKeys
// that every item of every version has and whose values differ within each version. Without such a key, it is an
// Ordered list. A version may be nil.
func InferList(versions []*syntax.Node) List { return inferList(versions, inferableKeys[:], true) }

// InferPairableList returns the description of a list that no source knows, for merges as kustomize does them: a Map
// list by one of kustomize's keys that every item of every version has. Keys with unique values are preferred. Without
// such a key, it is Ordered.
func InferPairableList(versions []*syntax.Node) List {
	// a key whose values are unique is preferred
	if l := inferList(versions, kustomizeKeys[:], true); l.Kind == Map {
		return l
	}
	return inferList(versions, kustomizeKeys[:], false)
}

// inferList returns the description of a list that no source knows: a Map list with the first of keys that every item
// of every version has, otherwise an Ordered list. If unique is true, the values of the key must also differ within
// each version. A version may be nil.
func inferList(versions []*syntax.Node, keys []string, unique bool) List {
	if !HasItems(versions) {
		return List{Kind: Ordered, Source: "no items"}
	}
	for i := range keys {
		l := List{Kind: Map, Keys: keys[i : i+1 : i+1], Source: inferred}
		if l.IdentifiesItems(versions, unique) {
			return l
		}
	}
	return List{Kind: Ordered, Source: "no key"}
}

// HasItems reports whether one of the versions has an item. A version may be nil.
func HasItems(versions []*syntax.Node) bool {
	return slices.ContainsFunc(versions, func(v *syntax.Node) bool { return v != nil && len(v.Entries) > 0 })
}

// OrOrdered returns l, or an Ordered list if l is a Map list in which an item of a version has no identity or, if
// unique is true, two items of a version have the same identity. The Source of the Ordered list says so. A version may
// be nil.
func (l List) OrOrdered(versions []*syntax.Node, unique bool) List {
	if l.Kind == Map && !l.IdentifiesItems(versions, unique) {
		return List{Kind: Ordered, Source: l.Source + ", but a key is missing or repeated"}
	}
	return l
}

// IdentifiesItems reports whether every item of every version has an identity in l. If unique is true, the identities
// must also differ within each version. It returns true if there are no items. A version may be nil.
func (l List) IdentifiesItems(versions []*syntax.Node, unique bool) bool {
	for _, v := range versions {
		if v == nil {
			continue
		}
		isTaken := map[string]bool{}
		for _, item := range v.Entries {
			id, ok := l.ID(item.Value)
			if !ok || isTaken[id] {
				return false
			}
			isTaken[id] = unique
		}
	}
	return true
}

// unorderedLists are the ends of the names of lists that Kubernetes has, too, and whose order has no meaning there.
// Helm values often have them under names such as extraEnv.
var unorderedLists = [...]string{"env", "volumes", "volumemounts", "ports", "secrets"}

// HasUnknownOrder reports whether the order of l, the list at p, may matter, because its description was only inferred
// from its items. It returns false if its name ends in the name of a Kubernetes list without a meaningful order, such
// as extraEnv, which ends in env.
func (l List) HasUnknownOrder(p Place) bool {
	if l.Source != inferred || len(p.Path) == 0 {
		return false
	}
	name := strings.ToLower(p.Path[len(p.Path)-1])
	return !slices.ContainsFunc(unorderedLists[:], func(end string) bool { return strings.HasSuffix(name, end) })
}

// IsGuess reports whether the associative key of l was inferred and is neither name nor id, so that it may be wrong.
func (l List) IsGuess() bool {
	return l.Source == inferred && l.Keys[0] != "name" && l.Keys[0] != "id"
}
