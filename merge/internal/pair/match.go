// Package pair finds the entries of three versions that are one thing.
//
// It pairs the entries of three collections, or the documents of three streams, and returns a list of steps in
// the order of the merge result. A step is a match, which has the index of one element in each version, or a
// conflict over several elements of each version. Fields are paired by mapping key, items by the schema's rule
// for their list, and documents by identity. Elements without a partner may be paired by similarity: they were
// renamed or edited.
//
// The package does not merge values. The values of a match may differ in any way, and both sides may have
// changed them.
//
// The main types are Matcher, which pairs elements, and Step, which it returns.
//
// An example: Matcher.Pair returns four steps for the fields of these mappings.
//
//	original    dest        updated     steps (Index)
//	name: web   name: web   name: web   {0, 0, 0}
//	cpu: 1      cpu: 2      mem: 1      {1, 1, -1}
//	mem: 1      mem: 1      port: 80    {2, 2, 1}
//	                                    {-1, -1, 2}
//
// The second step has no index in updated, which deleted cpu. The last step has an index only in updated, which
// added port.
package pair

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Matcher pairs the elements of three versions of a file. Its methods are not safe for concurrent use.
type Matcher struct {
	Rules         *schema.Rules
	File          string  // the path of the file in its repository
	MultiDocument bool    // a version has several documents
	Hasher        *hasher // nil to pair only by identity
	Lines         *Lines  // nil if elements are not to be paired by their lines
	// Moved has the values of fields that a side moved to another mapping, and that it therefore does not wrap.
	Moved map[*syntax.Node]bool
	// NewIdentityFunc returns a function that returns the identity of a resource; nil means schema.IdentityFunc.
	NewIdentityFunc func(v [3][]*syntax.Node) func(*syntax.Node) string
}

// KeyedElems returns the entries of three collections as elements for Pair, which pairs elements of the same identity.
// The elements are in the order of the entries. identityOf returns the identity of an entry, such as its mapping key.
// Identities in a version are made unique: if a version has several entries with one identity, all of them but one get
// a number after it. A version without the collection has no elements (nil).
func (m *Matcher) KeyedElems(v three.Nodes, identityOf func(*syntax.Entry) string) [3][]elem {
	var elems [3][]elem
	duplicated := map[string]bool{}
	for s, n := range v {
		if n == nil {
			continue
		}
		seen := make(map[string]bool, len(n.Entries))
		elems[s] = make([]elem, 0, len(n.Entries))
		for _, e := range n.Entries {
			k := identityOf(e)
			if seen[k] {
				duplicated[k] = true
			}
			seen[k] = true
			element := elem{identity: k, sortKey: sortKeyOf(e, k), node: e.Value, isField: e.Key != nil, guard: e.Guard.String(), span: text.Span{Start: e.Start, End: e.Value.Span.End}}
			elems[s] = append(elems[s], element)
		}
	}
	if len(duplicated) > 0 {
		branches := m.branchTexts(v)
		for _, k := range slices.Sorted(maps.Keys(duplicated)) {
			m.numberDuplicates(v, &elems, k, branches)
		}
	}
	return elems
}

// numberDuplicates makes the identities of elements unique if a version has several elements with this identity. Number
// 1 keeps the identity; number 2 of "a" becomes "a\x002". The sort key is set again, too. It changes elems, the entries
// of the collections v as elements. branches has the template branches around each entry; nil if there are none.
//
// The n-th such element of the original gets number n. An element of a side gets the number of the original's element
// with an equal value. The others get the unused numbers in order. With branches, an element in the same branch is
// preferred, even with another value; one in another branch only counts if the side has no such element in that branch.
// If m.Hasher is nil, values are not compared.
//
//	original   dest   numbers in dest
//	a: 1       a: 2   2
//	a: 2       a: 3   1
func (m *Matcher) numberDuplicates(v three.Nodes, elems *[3][]elem, identity string, branches map[*syntax.Node]string) {
	var indexes [3][]int
	for s := range elems {
		for i := range elems[s] {
			if elems[s][i].identity == identity {
				indexes[s] = append(indexes[s], i)
			}
		}
	}
	originals := elems[three.Original]
	for s := range indexes {
		number, used := map[int]int{}, make([]bool, len(indexes[three.Original])+len(indexes[s]))
		assign := func(matches func(o, e *elem) bool) {
			for _, i := range indexes[s] {
				if _, ok := number[i]; ok {
					continue
				}
				for nth, o := range indexes[three.Original] {
					if !used[nth] && matches(&originals[o], &elems[s][i]) {
						number[i], used[nth] = nth, true
						break
					}
				}
			}
		}
		areEqual := func(o, e *elem) bool { return m.Hasher != nil && m.Hasher.Equal(o.node, e.node) }
		if branches == nil {
			assign(areEqual)
		} else {
			inSameBranch := func(o, e *elem) bool { return branches[o.node] == branches[e.node] }
			inSide := map[string]bool{}
			for _, i := range indexes[s] {
				inSide[branches[elems[s][i].node]] = true
			}
			assign(func(o, e *elem) bool { return inSameBranch(o, e) && areEqual(o, e) })
			assign(inSameBranch)
			assign(func(o, e *elem) bool { return !inSide[branches[o.node]] && areEqual(o, e) })
		}
		next := 0
		for _, i := range indexes[s] {
			nth, ok := number[i]
			for ; !ok && used[next]; next++ {
			}
			if !ok {
				nth, used[next] = next, true
			}
			if nth > 0 {
				element := &elems[s][i]
				element.identity = identity + "\x00" + strconv.Itoa(nth+1)
				element.sortKey = sortKeyOf(v[s].Entries[i], element.identity)
			}
		}
	}
}

// branchTexts returns the template branches around each entry of the collections v, by the value of the entry. They are
// text, such as "if .a\nif .b / else\n", with the outermost first. Branches around a whole collection are left out. An
// entry outside of all branches is not in the map, which is nil if no entry is in a branch. v may contain nil.
//
// If a side only changed the condition of a branch, the text is that of the original: "if .a" for the entries in {{ if
// .b }}, if the original has them in {{ if .a }}. If m.Hasher is nil, all values count as equal in that comparison.
func (m *Matcher) branchTexts(v three.Nodes) map[*syntax.Node]string {
	var guarded [3][]template.GuardedEntry
	for s, n := range v {
		if n == nil {
			continue
		}
		for _, e := range n.Entries {
			if levels := e.OwnLevels(); len(levels) > 0 {
				g := template.GuardedEntry{Levels: levels}
				if m.Hasher != nil {
					g.Hash = m.Hasher.hash(e.Value)
				}
				guarded[s] = append(guarded[s], g)
			}
		}
	}
	if len(guarded[0])+len(guarded[1])+len(guarded[2]) == 0 {
		return nil
	}
	branches := map[*syntax.Node]string{}
	for s, n := range v {
		if n == nil {
			continue
		}
		names := template.MatchBranches(guarded[three.Original], guarded[s])
		for _, e := range n.Entries {
			text := ""
			for _, l := range e.OwnLevels() {
				text += cmp.Or(names[l], l.Said) + "\n"
			}
			if text != "" {
				branches[e.Value] = text // not appended: two of the versions may be the same tree
			}
		}
	}
	return branches
}

// sortKeyOf returns the sort key of an entry: the mapping key of a field, the value of a scalar item, or the given
// identity for any other item. The result may be "".
func sortKeyOf(e *syntax.Entry, identity string) string {
	switch {
	case e.Key != nil:
		return e.Key.Value
	case e.Value.Kind == syntax.Scalar:
		return e.Value.Value
	}
	return identity
}

// PairedItems has the result of pairing the items of three lists: a step for each item, with its index in each version
// that has it, and the schema's rule by which the items were paired.
type PairedItems struct {
	Steps        []Step
	Rule         schema.List                     // the schema's rule for the lists
	AreResources bool                            // the lists are lists of resources, such as kind: List
	ItemPath     func(three.Entries) *three.Path // returns the path of an item
}

// PairItems pairs the items of the lists v at path p. It returns one step for each item, with its index in each version
// that has it, or a conflict over several items. An item that both sides deleted may have no step. A version without
// the list (nil) has no items. How items are paired depends on the list:
//
//	list                                   items are paired if they have the same
//	resources (the items of kind: List)    kind, namespace and name
//	schema.Map, such as containers         associative key, such as name
//	schema.Set, such as finalizers         value
//	any other                              value, or similar values, in the same order
//
// Items of the first two kinds of lists can also be paired as renamed, if most of their other content is equal. For
// lists of resources, the field Rule of the result is empty. PairItems does not change the lists.
func (m *Matcher) PairItems(v three.Nodes, p *three.Path) PairedItems {
	if elems, ok := m.ResourceElems(v, p); ok {
		return PairedItems{Steps: m.Pair(elems), AreResources: true, ItemPath: m.ResourcePathFunc(p)}
	}
	l := m.Rules.ListAt(p.Place(), v[:]...)
	switch l.Kind {
	case schema.Map:
		name := func(e three.Entries) *three.Path { return p.Item(l.Label(e[e.First()].Value)) }
		return PairedItems{Steps: m.pairMap(v, l), Rule: l, ItemPath: name}
	case schema.Set:
		return PairedItems{Steps: m.PairSet(v, l), Rule: l, ItemPath: m.IndexPathFunc(p, v)}
	}
	return PairedItems{Steps: m.PairOrdered(v, l), Rule: l, ItemPath: m.IndexPathFunc(p, v)}
}

// pairMap pairs the items of lists that have associative keys, such as name: items with the same values of the key
// fields are one thing. It also pairs an item that a side removed with one that the side added under another key: the
// item was renamed. Most of the other fields must be equal, or the two must have most lines in common. It returns one
// step for each item, with its index in each version that has it, or a conflict over several items. Items that both
// sides deleted have no step. l is the schema's rule for the lists.
func (m *Matcher) pairMap(v three.Nodes, l schema.List) []Step {
	elems := m.KeyedElems(v, func(e *syntax.Entry) string { id, _ := l.ID(e.Value); return id })
	for s := range elems {
		for i := range elems[s] {
			elems[s][i].isKeyField = l.IsKey
		}
	}
	return m.pairInOrder(elems, l.OrderMatters)
}

// PairSet pairs the items of lists of unique values, such as the finalizers of a resource: equal items are one thing.
// It returns one step for each item, with its index in each version that has it. Items that both sides deleted have no
// step. It does not look for items that were changed. A step is a conflict only if both sides deleted the same item and
// each added an item there that the other lacks. l is the schema's rule for the lists.
func (m *Matcher) PairSet(v three.Nodes, l schema.List) []Step {
	elems := m.KeyedElems(v, func(e *syntax.Entry) string { id, _ := l.ID(e.Value); return id })
	return (&Matcher{Lines: m.Lines}).Pair(elems) // no Hasher: no renames
}

// ResourceElems returns the items of lists of resources as elements for Pair, which pairs elements of the same
// identity: the kind, namespace and name of a resource. ok is false if p is not the path of such a list (the field
// items of a resource such as kind: List), or if an item has no kind or name; elems is then empty. ok is true for empty
// lists at such a path.
func (m *Matcher) ResourceElems(v three.Nodes, p *three.Path) (elems [3][]elem, ok bool) {
	if !p.IsItems() {
		return elems, false
	}
	var items [3][]*syntax.Node
	for s, n := range v {
		if n == nil {
			continue
		}
		for _, e := range n.Entries {
			if schema.Identity(e.Value) == "" {
				return elems, false
			}
			items[s] = append(items[s], e.Value)
		}
	}
	identity := m.IdentityFunc(items)
	id := func(e *syntax.Entry) string { return identity(e.Value) }
	elems = m.KeyedElems(v, id)
	for s := range elems {
		for i := range elems[s] {
			e := &elems[s][i]
			e.isKeyField = resourceKeyFieldFunc(e.node)
		}
	}
	return elems, true
}

// ResourcePathFunc returns a function that returns the path of an item of the list of resources at p, such as
// items[Service/web]. The kind and name are those in the version entries.First(). The path has the place of the item's
// own resource as Root, so that the schema's rules for this kind are used for the fields below it, and not those for
// the enclosing kind: List. One version at least must have the item.
func (m *Matcher) ResourcePathFunc(p *three.Path) func(three.Entries) *three.Path {
	return func(e three.Entries) *three.Path {
		n := e[e.First()].Value
		q := p.Item(n.ScalarAt("kind") + "/" + n.ScalarAt("metadata", "name"))
		q.Root = m.ResourcePlace(n)
		return q
	}
}

// PairOrdered pairs the items of ordered lists, in which items have no identity: equal items first, then similar ones
// between them. It returns the result's items in order: a step for each item, with its index in each version that has
// it. A step is a conflict if both sides changed the items at one place in ways that cannot be combined. If one side
// reordered the list and the other edited items in place, the result has the new order and the edits. An item that one
// side deleted and the other moved is one step if its name, such as "name: web", is unique.
//
// The rule l has fields that tell items apart (List.DistinctBy), such as resources in the rules of a Role; it may be
// empty. The result is nil if no version has items. If entries were left out of the versions for speed (elided) and
// could change the result, it sets m.Lines.MayDependOnElided. m.Hasher must not be nil.
func (m *Matcher) PairOrdered(v three.Nodes, l schema.List) []Step {
	var elems [3][]elem
	for s, n := range v {
		if n == nil {
			continue
		}
		elems[s] = make([]elem, len(n.Entries))
		for i, e := range n.Entries {
			at := text.Span{Start: e.Start, End: e.Value.Span.End}
			elems[s][i] = elem{hash: m.Hasher.hash(e.Value), labels: e.Value.Labels(), sortKey: sortKeyOf(e, ""), node: e.Value, span: at}
		}
	}
	m.separateCopies(v, &elems)
	a := &alignment{lists: v, elems: elems, rule: l, hasher: m.Hasher, lines: m.Lines, sortOrder: findSortOrder(elems, m.Lines)}
	a.matchItems()
	if a.steps = a.alignReordered(); a.steps == nil {
		a.mergeRegions()
	}
	a.joinMovedItems()
	return a.steps
}

// separateCopies changes the hash and the labels of items that a side copied to another template branch, so that they
// are not paired with an item of the original. A name is the first field of an item among name, id, path, key, host,
// url, title, href and slug. An item is a copy if the original has its name, but not in the same branch, and the side
// still has all of the original's items of this name in their branches. It changes elems, the items of the lists v.
//
//	original          side
//	{{ range .x }}    {{ range .x }}
//	- name: a         - {name: a, new: b}    # still the original's item
//	{{ end }}         {{ end }}
//	                  {{ range .y }}
//	                  - name: a              # a copy
//	                  {{ end }}
func (m *Matcher) separateCopies(v three.Nodes, elems *[3][]elem) {
	branches := m.branchTexts(v)
	if branches == nil {
		return
	}
	type place struct{ name, branch string }
	placeOf := func(e elem) place { return place{syntax.NameOf(e.node), branches[e.node]} }
	var counts [3]map[place]int
	for s, all := range elems {
		counts[s] = map[place]int{}
		for _, e := range all {
			counts[s][placeOf(e)]++
		}
	}
	for _, s := range three.Sides {
		isKept := map[string]bool{} // the names of which s has all of the original's items
		for at := range counts[three.Original] {
			isKept[at.name] = at.name != ""
		}
		for at, n := range counts[three.Original] {
			isKept[at.name] = isKept[at.name] && counts[s][at] >= n
		}
		for i, e := range elems[s] {
			if at := placeOf(e); isKept[at.name] && counts[three.Original][at] == 0 {
				for k := range e.labels {
					e.labels[k].Text += "\n" + at.branch
				}
				elems[s][i].hash = syntax.CombineHashes(e.hash, maphash.String(m.Hasher.seed, at.branch))
			}
		}
	}
}

// IndexPathFunc returns a function that returns the path of an item of the lists v at p, such as ports[2]. The index is
// the item's index in dest; if dest lacks the item, in updated; if both lack it, in the original. Indexes are counted
// from 0. For an item that v does not have, the index is 0.
func (m *Matcher) IndexPathFunc(p *three.Path, v three.Nodes) func(three.Entries) *three.Path {
	index := map[*syntax.Entry]int{}
	for _, s := range [3]three.Version{three.Updated, three.Original, three.Dest} {
		if v[s] == nil {
			continue
		}
		for i, e := range v[s].Entries {
			index[e] = i
		}
	}
	return func(e three.Entries) *three.Path { return p.Index(index[e[e.First()]]) }
}

// IdentityFunc returns a function that returns the identity of a resource, made of kind, namespace and name, or "" if a
// node is not a resource. They are only for comparison with each other. The identities are those of m.NewIdentityFunc
// if it is set. v has all nodes to be identified, by version, because an identity only includes the API group if the
// resource would otherwise be a duplicate.
func (m *Matcher) IdentityFunc(v [3][]*syntax.Node) func(*syntax.Node) string {
	if m.NewIdentityFunc != nil {
		return m.NewIdentityFunc(v)
	}
	return schema.IdentityFunc(v, schema.Namespace)
}

// PickProperties merges the anchor and the explicit tag of a node, as a unit. It returns the version whose anchor and
// tag the merged node has, and true:
//
//	neither side changed them, or both identically    dest
//	only dest changed one of them                     dest
//	only updated changed one of them                  updated
//
// It returns dest and false if both sides changed them and they differ, even if one side changed the anchor and the
// other the tag. A missing node counts as one without anchor and tag.
func (m *Matcher) PickProperties(v three.Nodes) (three.Version, bool) {
	var hashes [3]uint64
	for s, n := range v {
		if n != nil {
			hashes[s] = m.Hasher.HashProperties(n)
		}
	}
	return three.Pick(hashes)
}

// ResourcePlace returns the schema.Place of the root of resource n, which has the file, the API version and the
// kind.
func (m *Matcher) ResourcePlace(n *syntax.Node) *schema.Place {
	return &schema.Place{File: m.File, APIVersion: n.ScalarAt("apiVersion"), Kind: n.ScalarAt("kind")}
}

// An elem is an element to be paired: a field of a mapping, an item of a list, or a document of a stream.
type elem struct {
	identity          string                 // unique within a version; elements with equal identities are paired
	hash              uint64                 // of the value; only set for items of ordered lists and documents
	sortKey           string                 // the text by which the collection may be sorted; "" if there is none
	labels            []syntax.Label         // such as "name=web"; only set for items of ordered lists and documents
	isField           bool                   // a field of a mapping
	isUnidentifiedDoc bool                   // a document that is not empty and not a resource
	guard             string                 // the template blocks around the element
	span              text.Span              // the bytes of the element in its version
	node              *syntax.Node           // the value; renamed elements are found by comparing values
	isKeyField        func(path string) bool // whether the field at this dotted path in node is part of the identity; nil if no field is
}

// A ConflictReason is the reason why a step is a conflict.
type ConflictReason uint8

// The reasons. A step with NoConflict is one element.
const (
	NoConflict       ConflictReason = iota
	BothReplaced                    // both sides deleted an element, and both added different ones in its place
	Wrapped                         // a side moved elements into another one that it added, and the other side edited or deleted them
	BothInserted                    // both sides added different items at the same position of an ordered list
	overlappingEdits                // both sides edited the same region of an ordered list
)

// A Step is a row of the result of pairing: one element, with its index in each version that has it. The caller merges
// its values, or decides whether it was deleted. A Step can also be a conflict over several elements of each version;
// it then has a reason, and the elements are in Runs.
type Step struct {
	Index    [3]int // of the element in each version; -1 if the version lacks it, and for all versions of a conflict
	Conflict ConflictReason
	Runs     [3][]int // the indexes of the conflicting elements of each version; only set for conflicts
	// PlacedBy is the side that determines the element's position in the result, if the other side added it or moved
	// it to another position. It is none for all other elements.
	PlacedBy three.Optional
}

// NewStep returns the step of one element, which has index o in the original, d in dest and u in updated. An index is
// -1 if the version lacks the element.
func NewStep(o, d, u int) Step { return Step{Index: [3]int{o, d, u}} }

// Elements returns the elements of a step in the three versions: all[s][st.Index[s]] for each version s, or the zero
// value if the version lacks the element. For a conflict, all are the zero value.
func Elements[T any](st Step, all [3][]T) (elements [3]T) {
	for s, i := range st.Index {
		if i >= 0 {
			elements[s] = all[s][i]
		}
	}
	return elements
}

// Entries returns the entries of the step, by version: the entry with the index st.Index[s] in collections[s]. An entry
// is nil if the index is -1. For a conflict, all entries are nil.
func (st Step) Entries(collections three.Nodes) three.Entries {
	var all [3][]*syntax.Entry
	for s, n := range collections {
		if n != nil {
			all[s] = n.Entries
		}
	}
	return Elements(st, all)
}
