package syntax

import "gopkg.in/yaml.v3"

// A memory hands out the nodes and entries of one document, which live and
// die together, from three allocations of exactly the right size.
type memory struct {
	nodes   []Node
	entries []Entry
	lists   []*Entry
}

func newMemory(y *yaml.Node) memory {
	nodes, entries := count(y)
	return memory{make([]Node, nodes), make([]Entry, entries), make([]*Entry, entries)}
}

// count returns how many nodes and entries y has, itself included.
func count(y *yaml.Node) (nodes, entries int) {
	nodes, entries = 1, len(y.Content)/pairs(y)
	for _, child := range y.Content {
		if len(child.Content) == 0 {
			nodes++
			continue
		}
		n, e := count(child)
		nodes, entries = nodes+n, entries+e
	}
	return nodes, entries
}

func (m *memory) node() *Node {
	n := &m.nodes[0]
	m.nodes = m.nodes[1:]
	return n
}

func (m *memory) entry() *Entry {
	e := &m.entries[0]
	m.entries = m.entries[1:]
	return e
}

// list returns an empty list with room for exactly n entries.
func (m *memory) list(n int) []*Entry {
	l := m.lists[:0:n]
	m.lists = m.lists[n:]
	return l
}
