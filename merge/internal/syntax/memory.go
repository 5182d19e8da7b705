package syntax

import "gopkg.in/yaml.v3"

// A memory hands out the nodes and entries of one file, which live and die together,
// from four allocations of exactly the right size; those of a large file from slabs.
type memory struct {
	nodes   []Node
	parts   []Parts
	entries []Entry
	lists   []*Entry
}

// slab is how many of each a memory takes at once where it is not known how many there
// will be.
const slab = 256

// memory returns one for that many.
func (m size) memory() memory {
	return memory{make([]Node, m.nodes), make([]Parts, m.parts), make([]Entry, m.entries), make([]*Entry, m.entries)}
}

// A size is how many nodes, nodes with parts and entries there are.
type size struct{ nodes, parts, entries int }

// sizeOf is that of documents.
func sizeOf(roots []*yaml.Node) (m size) {
	for _, y := range roots {
		m.add(y.Content[0])
	}
	return m
}

// plus adds n.
func (m *size) plus(n size) {
	m.nodes, m.parts, m.entries = m.nodes+n.nodes, m.parts+n.parts, m.entries+n.entries
}

// add counts y and what is in it.
func (m *size) add(y *yaml.Node) {
	m.nodes++
	if hasParts(y, styleOf(y)) {
		m.parts++
	}
	if len(y.Content) == 0 {
		return
	}
	m.entries += len(y.Content) / pairs(y)
	for _, child := range y.Content {
		m.add(child)
	}
}

func (m *memory) node() *Node   { return next(&m.nodes) }
func (m *memory) part() *Parts  { return next(&m.parts) }
func (m *memory) entry() *Entry { return next(&m.entries) }

// next takes the first of all, or of a new slab.
func next[T any](all *[]T) *T {
	if len(*all) == 0 {
		*all = make([]T, slab)
	}
	x := &(*all)[0]
	*all = (*all)[1:]
	return x
}

// list returns an empty list with room for exactly n entries.
func (m *memory) list(n int) []*Entry {
	if n == 0 {
		return nil
	}
	if n > len(m.lists) {
		if n > slab/4 {
			return make([]*Entry, 0, n)
		}
		m.lists = make([]*Entry, slab)
	}
	l := m.lists[:0:n]
	m.lists = m.lists[n:]
	return l
}
