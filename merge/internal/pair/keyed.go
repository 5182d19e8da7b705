package pair

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// elem is one element of something that is merged as a list: a field of a
// mapping, an item of a sequence, a document of a stream.
type elem struct {
	key   string                  // its identity within the list; unique within a version
	sum   uint64                  // its data; only in ordered lists
	word  string                  // what a collection may be sorted by; empty if nothing is known
	name  string                  // what names it, though it is not its identity; only in ordered lists
	kin   string                  // of a resource: its kind and name, wherever it is; else empty
	field bool                    // it is a field of a mapping
	bare  bool                    // it is a document with something in it that has no identity
	guard string                  // the blocks of a template around it
	at    text.Span               // where it stands; empty if it is not known by its lines
	node  *syntax.Node            // what a renamed element is known by; nil if it cannot be renamed
	aside func(field string) bool // which fields of node are its key; nil if none
}

// Cause says why a step is a conflict.
type Cause uint8

// The causes; without one, a step is a triple.
const (
	NoCause     Cause = iota
	Replaced          // both removed and added in one gap
	Inserted          // both inserted different items in one gap
	overlapping       // overlapping changes of items
)

// Step is one element of the merged list, in order: either one triple, or a
// conflict over runs of elements.
type Step struct {
	At    [3]int // index of the element in each version, -1 where it has none
	Cause Cause
	Runs  [3][]int // the elements in conflict, if cause is set
}

// Triple returns the step of one element.
func Triple(o, d, u int) Step { return Step{At: [3]int{o, d, u}} }

// Elements are those of the versions that st pairs, zero where a version has none.
func Elements[T any](st Step, of [3][]T) (at [3]T) {
	for s, i := range st.At {
		if i >= 0 {
			at[s] = of[s][i]
		}
	}
	return at
}

// Entries are the Elements of collections, nil where a version has no collection.
func (st Step) Entries(of three.Nodes) three.Entries {
	var all [3][]*syntax.Entry
	for s, n := range of {
		if n != nil {
			all[s] = n.Entries
		}
	}
	return Elements(st, all)
}

// keyed pairs elements by their keys and puts them in order.
//
// The order is dest's, or updated's where updated alone reordered. What the
// other side added stands after the element that it followed there, and after
// what dest inserted at that place.
type keyed struct {
	v     [3][]elem
	steps []Step
	id    [3][]int // step of each element
	sums  *sums
	lines *Lines
}

// Keyed pairs v; with sums, it also looks for renames, and with both for those that only
// lines tell.
func Keyed(v [3][]elem, c *sums, l *Lines) []Step {
	k := &keyed{v: v, sums: c, lines: l}
	k.match()
	if c != nil {
		for _, s := range three.Sides {
			k.rename(s)
		}
	}
	if c != nil && l != nil {
		for _, s := range three.Sides {
			k.moved(s)
			k.aligned(s)
		}
		k.renamedAlike()
	}
	order := k.order()
	k.sort(order)
	return k.replaceGaps(order)
}

// match makes one step per key.
func (k *keyed) match() {
	most := max(len(k.v[0]), len(k.v[1]), len(k.v[2]))
	index := make(map[string]int, most)
	k.steps = make([]Step, 0, most)
	for s := range k.v {
		k.id[s] = make([]int, len(k.v[s]))
		for i, e := range k.v[s] {
			n, ok := index[e.key]
			if !ok {
				n = len(k.steps)
				index[e.key] = n
				k.steps = append(k.steps, Triple(-1, -1, -1))
			}
			k.steps[n].At[s] = i
			k.id[s][i] = n
		}
	}
}

// order returns the steps in merged order.
func (k *keyed) order() []int {
	lead := three.Dest
	if k.inOrder(three.Dest) && !k.inOrder(three.Updated) {
		lead = three.Updated
	}
	return k.weave(lead)
}

// inOrder reports whether s has the elements that all versions have in the
// original's order.
func (k *keyed) inOrder(s three.Side) bool {
	last := -1
	for _, n := range k.id[three.Original] {
		st := k.steps[n]
		if st.At[three.Dest] < 0 || st.At[three.Updated] < 0 {
			continue
		}
		if st.At[s] < last {
			return false
		}
		last = st.At[s]
	}
	return true
}

// weave puts the other side's elements between those of lead.
func (k *keyed) weave(lead three.Side) []int {
	other := lead.Other()
	next := make([]int, len(k.steps)+1) // a linked list; the last element is its head
	head := len(k.steps)
	for i := range next {
		next[i] = -1
	}
	at := head
	for _, n := range k.id[lead] {
		next[at] = n
		at = n
	}
	at = head
	for i, n := range k.id[other] {
		if k.steps[n].At[lead] < 0 {
			if lead == three.Dest {
				at = k.skipNew(next, at, k.block(other, i))
			}
			next[n] = next[at]
			next[at] = n
		}
		at = n
	}
	out := make([]int, 0, len(k.steps))
	for n := next[head]; n >= 0; n = next[n] {
		out = append(out, n)
	}
	return out
}

// block is the block of a template in which element i of s stands with the one before it; "" if
// there is none.
func (k *keyed) block(s three.Side, i int) string {
	if i == 0 || k.v[s][i].guard != k.v[s][i-1].guard {
		return ""
	}
	return k.v[s][i].guard
}

// skipNew moves from at past the elements that only dest has; not past those outside of the block
// in which what comes next stands with the element at, which would stand in it else:
//
//	base  ours  theirs      result
//	a: 1  a: 1  {{ if .x }} {{ if .x }}
//	      b: 2  a: 1        a: 1
//	            c: 3        c: 3
//	            {{ end }}   {{ end }}
//	                        b: 2
func (k *keyed) skipNew(next []int, at int, block string) int {
	for n := next[at]; n >= 0; n = next[n] {
		st := k.steps[n]
		if st.At[three.Dest] < 0 || st.At[three.Original] >= 0 || st.At[three.Updated] >= 0 ||
			block != "" && k.v[three.Dest][st.At[three.Dest]].guard != block {
			break
		}
		at = n
	}
	return at
}

// Pair pairs elements by their keys, and finds renames.
func (m *Matcher) Pair(v [3][]elem) []Step { return Keyed(v, m.Sums, m.Lines) }

// ByKey pairs elements by their keys alone: none is renamed, none is in conflict. Where
// destLeads, the order is dest's even if updated alone reordered.
func ByKey(v [3][]elem, destLeads bool) []Step {
	k := &keyed{v: v}
	k.match()
	order := k.order()
	if destLeads {
		order = k.weave(three.Dest)
	}
	out := make([]Step, 0, len(order))
	for _, n := range order {
		out = append(out, k.steps[n])
	}
	return out
}
