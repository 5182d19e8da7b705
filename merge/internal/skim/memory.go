package skim

import (
	"sync"

	"gopkg.in/yaml.v3"
)

// A memory hands out nodes, many from one allocation.
type memory struct {
	nodes []Node  // to be handed out
	lists []*Node // memory for what collections hold
	stack []*Node // what the collections that are open hold so far
	chunk int     // how many nodes were allocated last
	first []Node  // those of the first allocation, which another file may use
	more  bool    // there is another allocation
}

// The most nodes of the first allocation, and of each other.
const firstChunk, mostChunk = 512, 1024

// firsts are first allocations that nobody uses: the files of a merge are read one after
// the other, and small ones need no other.
var firsts sync.Pool

// use takes memory for a file of some lines.
func (r *reader) use(lines int) {
	if first, ok := firsts.Get().(*[]Node); ok && len(*first) >= min(lines, firstChunk) {
		r.first = *first
	} else {
		r.first = make([]Node, min(3*lines+8, firstChunk))
	}
	r.nodes, r.chunk = r.first, len(r.first)
}

// release gives back the first allocation: its nodes are gone.
func (r *reader) release() {
	clear(r.first[:len(r.first)-r.unused()])
	firsts.Put(&r.first)
}

// unused is how many nodes of the first allocation were not handed out.
func (r *reader) unused() int {
	if r.more {
		return 0
	}
	return len(r.nodes)
}

// node returns a node at the cursor.
func (r *reader) node(kind yaml.Kind, style yaml.Style) *Node {
	if len(r.nodes) == 0 {
		r.chunk, r.more = min(r.chunk*2, mostChunk), true
		r.nodes = make([]Node, r.chunk)
	}
	n := &r.nodes[0]
	r.nodes = r.nodes[1:]
	n.Kind, n.Style, n.Line, n.Column = kind, style, int32(r.line), int32(r.column())
	return n
}

// scalar returns a plain scalar at the cursor.
func (r *reader) scalar(value string) *Node {
	n := r.node(yaml.ScalarNode, 0)
	n.Value = value
	return n
}

// push adds a node to the collection that was opened last.
func (r *reader) push(n *Node) { r.stack = append(r.stack, n) }

// pop returns the nodes that were pushed from from on.
func (r *reader) pop(from int) []*Node {
	n := len(r.stack) - from
	if n == 0 {
		return nil
	}
	if len(r.lists) < n {
		r.lists = make([]*Node, max(n, 2*r.chunk))
	}
	list := r.lists[:n:n]
	r.lists = r.lists[n:]
	copy(list, r.stack[from:])
	r.stack = r.stack[:from]
	return list
}
