package facts

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// The nodes of a list of 100,000 short items would take as much memory as their tree,
// in four versions. Of an item only its own node is kept, with its sums, which mostly
// say all: it is folded. What is in it is read again where it is asked for.

// A collection of so many entries folds those that have no more than so many nodes.
const (
	many  = 64
	light = 32
)

// A fold is memory for what is in one folded entry while its sums are made.
type fold struct {
	room    []Node
	folding bool // what is read is within an entry that will be folded
	open    bool // what is read was folded, and is not again
}

// weigh returns what is left of a number after the nodes in n, without keys; 0 if
// nothing.
func weigh(n *syntax.Node, left int) int {
	for _, e := range n.Entries {
		if left--; left <= 0 {
			return 0
		}
		left = weigh(e.Value, left)
	}
	return left
}

// take returns n nodes, which are to be used before the next entry is folded if they are
// within one.
func (r *reader) take(n int) []Node {
	switch {
	case n == 0:
		return nil
	case !r.folding:
		return make([]Node, n)
	}
	if cap(r.room)-len(r.room) < n {
		r.room = make([]Node, 0, 2*light)
	}
	at := len(r.room)
	r.room = r.room[:at+n]
	clear(r.room[at:])
	return r.room[at:]
}

// keep keeps kids as what is in n, unless n is folded.
func (n *Node) keep(kids []Node) {
	if n.folded {
		n.in.room = n.in.room[:0]
		return
	}
	n.Kept = kids
}
