package syntax

// A memory hands out nodes and entries from larger pieces, since a file has
// many of them and they live and die together.
type memory struct {
	nodes   []Node
	entries []Entry
	lists   []*Entry
	piece   int
}

const (
	firstPiece = 32
	lastPiece  = 1024
)

// grow returns the size of the next piece.
func (m *memory) grow() int {
	m.piece = min(max(2*m.piece, firstPiece), lastPiece)
	return m.piece
}

func (m *memory) node() *Node {
	if len(m.nodes) == 0 {
		m.nodes = make([]Node, m.grow())
	}
	n := &m.nodes[0]
	m.nodes = m.nodes[1:]
	return n
}

func (m *memory) entry() *Entry {
	if len(m.entries) == 0 {
		m.entries = make([]Entry, m.grow())
	}
	e := &m.entries[0]
	m.entries = m.entries[1:]
	return e
}

// list returns an empty list with room for exactly n entries.
func (m *memory) list(n int) []*Entry {
	if n > lastPiece/4 {
		return make([]*Entry, 0, n)
	}
	if len(m.lists) < n {
		m.lists = make([]*Entry, max(m.grow(), n))
	}
	l := m.lists[:0:n]
	m.lists = m.lists[n:]
	return l
}
