package ident

import (
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// KeyedElems returns the entries of the collections v as elements for MatchKeyed, in the same order. identityOf returns
// the identity of an entry, such as its mapping key. If a version has several entries with one identity, each of them
// but one gets a number after it, so that the identity is unique in each version (see numberDuplicates).
func (t *Table) KeyedElems(v three.Nodes, identityOf func(*syntax.Entry) string) [3][]Elem {
	var elems [3][]Elem
	repeated := map[string]*[3][]int{} // the indexes of the elements with each identity that a version has several times
	for s, n := range v {
		if n == nil {
			continue
		}
		seen := make(map[string]bool, len(n.Entries))
		elems[s] = make([]Elem, 0, len(n.Entries))
		for _, e := range n.Entries {
			identity := identityOf(e)
			if seen[identity] {
				repeated[identity] = new([3][]int)
			}
			seen[identity] = true
			span := text.Span{Start: e.Start, End: e.Value.Span.End}
			elems[s] = append(elems[s], Elem{Identity: identity, Node: e.Value, IsField: e.Key != nil, Guard: e.Guard.String(), Span: span})
		}
	}
	for s := range elems {
		for i := range elems[s] {
			if indexes := repeated[elems[s][i].Identity]; indexes != nil {
				indexes[s] = append(indexes[s], i)
			}
		}
	}
	for identity, indexes := range repeated {
		t.numberDuplicates(&elems, identity, *indexes)
	}
	keepGuardOfCopies(&elems)
	return elems
}

// keepGuardOfCopies makes a field of a side match the field of the original that has the same key and the same template
// condition, if the side has the key under several conditions. The parser of templates adds the condition to the
// identity of each field with a key but the first, so that the first one would match. The two fields exchange their
// identities:
//
//	original       dest           identity in dest, before      after
//	{{ if .a }}    {{ if .b }}
//	x: 1           x: 2           "x"                           "x {{ if .b }}"
//	{{ end }}      {{ end }}
//	               {{ if .a }}
//	               x: 1           "x {{ if .a }}"               "x"
//	               {{ end }}
func keepGuardOfCopies(elems *[3][]Elem) {
	isGuarded := func(e Elem) bool { return e.IsField && e.Guard != "" }
	if !slices.ContainsFunc(elems[three.Dest], isGuarded) && !slices.ContainsFunc(elems[three.Updated], isGuarded) {
		return // saves time
	}
	originalGuards := map[string]string{} // by identity
	for _, e := range elems[three.Original] {
		originalGuards[e.Identity] = e.Guard
	}
	for _, s := range three.Sides {
		firstOf := map[string]*Elem{} // by key
		for i := range elems[s] {
			e := &elems[s][i]
			key, _, isCopy := strings.Cut(e.Identity, " {{ ")
			if !isCopy {
				firstOf[key] = e
				continue
			}
			if first := firstOf[key]; first != nil && originalGuards[key] == e.Guard {
				e.Identity = key
				first.Identity = key + " {{ " + strings.ReplaceAll(first.Guard, "\n", " > ") + " }}"
				delete(firstOf, key)
			}
		}
	}
}

// numberDuplicates makes an identity that a version has several times unique, by numbers: the second "a" becomes
// "a\x002". indexes are those of the elements with this identity in elems, by version.
func (t *Table) numberDuplicates(elems *[3][]Elem, identity string, indexes [3][]int) {
	for s := range indexes {
		for k, position := range t.findPositions(elems, indexes, three.Version(s)) {
			if position > 0 {
				elems[s][indexes[s][k]].Identity = identity + "\x00" + strconv.Itoa(position+1)
			}
		}
	}
}

// findPositions returns numbers by which numberDuplicates tells the elements of version s that indexes has apart: for
// each, its position among all elements with this identity, from 0. It is that of an equal element of the original, so
// that the two match. Each position is used once. Without such an element, or without t.Hasher, it is the smallest free
// one.
//
//	original   dest   positions in dest
//	a: 1       a: 2   1
//	a: 2       a: 3   0
func (t *Table) findPositions(elems *[3][]Elem, indexes [3][]int, s three.Version) []int {
	positions, isUsed := slices.Repeat([]int{-1}, len(indexes[s])), map[int]bool{}
	if t.Hasher != nil {
		unused := map[uint64][]int{} // by hash: comparing all with all takes minutes if a key is repeated thousands of times
		for position, i := range indexes[three.Original] {
			hash := t.Hasher.Hash(elems[three.Original][i].Node)
			unused[hash] = append(unused[hash], position)
		}
		for k, i := range indexes[s] {
			hash := t.Hasher.Hash(elems[s][i].Node)
			if equal := unused[hash]; len(equal) > 0 {
				positions[k], unused[hash] = equal[0], equal[1:]
				isUsed[equal[0]] = true
			}
		}
	}
	next := 0
	for k := range positions {
		if positions[k] < 0 {
			for isUsed[next] {
				next++
			}
			positions[k] = next
			next++
		}
	}
	return positions
}

// branchTexts returns the template branches around each entry of the collections v, by the entry's value: "if .a\nif .b
// / else\n" is the {{ else }} of {{ if .b }}, inside of {{ if .a }}. Branches around a whole collection do not count.
func branchTexts(v three.Nodes) map[*syntax.Node]string {
	branches := map[*syntax.Node]string{}
	for _, n := range v {
		if n == nil {
			continue
		}
		for _, e := range n.Entries {
			branch := ""
			for _, l := range e.OwnLevels() {
				branch += l.Said + "\n"
			}
			if branch != "" {
				branches[e.Value] = branch
			}
		}
	}
	return branches
}

// ResourceItemFunc returns a function for the identity of the items of the lists v at the path p, if these are lists of
// resources, such as the items of kind: List. Otherwise, or if an item has no identity, ok is false.
func (t *Table) ResourceItemFunc(v three.Nodes, p *three.Path) (identityOf func(*syntax.Node) string, ok bool) {
	if !p.IsItems() {
		return nil, false
	}
	var items [3][]*syntax.Node
	for s, n := range v {
		if n == nil {
			continue
		}
		for _, e := range n.Entries {
			if schema.Identity(e.Value) == "" {
				return nil, false
			}
			items[s] = append(items[s], e.Value)
		}
	}
	return t.IdentityFunc(items), true
}

// ResourceElems returns the items of the lists v at the path p as elements for MatchKeyed, with their IsKeyField, if
// these are lists of resources, such as the items of kind: List. Otherwise, elems is empty and ok is false (see
// ResourceItemFunc).
func (t *Table) ResourceElems(v three.Nodes, p *three.Path) (elems [3][]Elem, ok bool) {
	identityOf, ok := t.ResourceItemFunc(v, p)
	if !ok {
		return elems, false
	}
	elems = t.KeyedElems(v, func(e *syntax.Entry) string { return identityOf(e.Value) })
	for s := range elems {
		for i := range elems[s] {
			e := &elems[s][i]
			e.IsKeyField = resourceKeyFieldFunc(e.Node)
		}
	}
	return elems, true
}

// orderedElems returns the items of the lists v as elements that can be matched by their values (MatchItems): with the
// hash and the labels of the value, but without an Identity. Copies of an item in different template branches get
// different hashes (separateCopies).
func (t *Table) orderedElems(v three.Nodes) [3][]Elem {
	var elems [3][]Elem
	for s, n := range v {
		if n == nil {
			continue
		}
		elems[s] = make([]Elem, len(n.Entries))
		for i, e := range n.Entries {
			at := text.Span{Start: e.Start, End: e.Value.Span.End}
			elems[s][i] = Elem{Hash: t.Hasher.Hash(e.Value), Labels: e.Value.Labels(), Node: e.Value, Span: at}
		}
	}
	t.separateCopies(v, &elems)
	return elems
}

// separateCopies keeps copies of an item in different template branches from being matched with each other. It adds the
// text of the branch to the hash and the labels of two kinds of items: values that the original has several times, and
// items that a side copied (separateAddedCopies). elems has the items of v.
func (t *Table) separateCopies(v three.Nodes, elems *[3][]Elem) {
	branches := branchTexts(v)
	if len(branches) == 0 {
		return
	}
	count := map[uint64]int{} // of the original's items with each value
	for _, e := range elems[three.Original] {
		count[e.Hash]++
	}
	for s := range elems {
		for i := range elems[s] {
			if e := &elems[s][i]; count[e.Hash] > 1 {
				t.addBranch(e, branches[e.Node])
			}
		}
	}
	t.separateAddedCopies(elems, branches)
}

// addBranch makes the text of a template branch part of the hash and the labels of item e, so that e does not match an
// equal item in another branch.
func (t *Table) addBranch(e *Elem, branch string) {
	for k := range e.Labels {
		e.Labels[k].Text += "\n" + branch
	}
	e.Hash = syntax.CombineHashes(e.Hash, maphash.String(t.Hasher.seed, branch))
}

// separateAddedCopies finds items that a side copied to another template branch, and makes the branch part of their
// hash and labels, so that the original's item is matched with the item that it was copied from. An item is a copy if
//
//   - it has a name, and the original has no item with this name in its branch
//   - each branch that has items with this name in the original still has as many in the side; otherwise, the item may
//     have been moved
//
// elems has the items of each version, and branches has the branch of each item, by its value.
//
//	original          side
//	{{ range .x }}    {{ range .x }}
//	- name: a         - {name: a, new: b}    # still the original's item
//	{{ end }}         {{ end }}
//	                  {{ range .y }}
//	                  - name: a              # a copy
//	                  {{ end }}
func (t *Table) separateAddedCopies(elems *[3][]Elem, branches map[*syntax.Node]string) {
	type place struct{ name, branch string }
	placeOf := func(e Elem) place { return place{syntax.NameOf(e.Node), branches[e.Node]} }
	var counts [3]map[place]int
	for s, all := range elems {
		counts[s] = map[place]int{}
		for _, e := range all {
			counts[s][placeOf(e)]++
		}
	}
	for _, s := range three.Sides {
		mayHaveMoved := map[string]bool{} // names of which s has fewer items in a branch of the original
		for at, n := range counts[three.Original] {
			if counts[s][at] < n {
				mayHaveMoved[at.name] = true
			}
		}
		for i, e := range elems[s] {
			at := placeOf(e)
			isNewPlace := counts[three.Original][at] == 0
			if at.name != "" && isNewPlace && !mayHaveMoved[at.name] {
				t.addBranch(&elems[s][i], at.branch)
			}
		}
	}
}

// An Elem is an element to be paired: a field of a mapping, an item of a list, or a document of a stream.
type Elem struct {
	Identity          string                 // unique within a version; elements with equal identities are paired
	Hash              uint64                 // of the value; only set for items of ordered lists and documents
	Labels            []syntax.Label         // such as "name=web"; only set for items of ordered lists and documents
	IsField           bool                   // a field of a mapping
	IsUnidentifiedDoc bool                   // a document that is not empty, and has neither kind and name nor an anchor
	Guard             string                 // the template blocks around the element
	Span              text.Span              // the bytes of the element in its version
	Node              *syntax.Node           // the value; renamed elements are found by comparing values
	IsKeyField        func(path string) bool // whether the field at this dotted path (see forEachLeaf) is part of the identity; nil if no field is
}
