package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// A denseEdit is one edit of a side. It identifies the nodes that it touches by number, so that the same edit can be
// repeated on a tree from which other nodes, or lines of the base, were removed. An edit whose nodes are missing has no
// effect.
type denseEdit struct {
	op    string
	at    int    // number of the edited node
	other int    // number of a second node, for a move
	fresh int    // number for the node that the edit adds
	word  string // key, comment, or "into" for a move
	value string
}

// made returns a copy of t with the edit applied, or t itself if a node of the edit is missing or the result is not
// valid.
func (e denseEdit) made(t *denseTree) *denseTree {
	if t.nodes[e.at] == nil || t.nodes[e.other] == nil {
		return t
	}
	c := t.clone()
	if e.make(c, c.nodes[e.at]); !c.valid() {
		return t
	}
	return c
}

// make applies edit e to t. n is the node of t with the number e.at. It does nothing if the edit is not possible for
// this node, such as a new key for an item of a list. t may have duplicate keys afterwards.
func (e denseEdit) make(t *denseTree, n *denseNode) {
	in := t.nodes[n.up]
	switch e.op {
	case "value":
		if n.kind == denseLeaf {
			n.value = e.value
		}
	case "delete":
		if e.at != 0 {
			t.drop(e.at)
		}
	case "add", "add field below", "add copy":
		e.add(t, n)
	case "key":
		if in.kind == denseMap && e.at != 0 {
			n.key = e.word
		}
	case "move":
		e.move(t, n)
	case "comment":
		if in.kind != denseText && e.at != 0 {
			n.above = e.word
		}
	case "comment behind":
		if in.kind != denseText && e.at != 0 && n.kind != denseText {
			n.behind = e.word
		}
	case "wrap":
		if in.kind == denseMap && e.at != 0 {
			t.add(e.fresh, &denseNode{kind: denseMap, key: e.word}, n.up, t.index(e.at))
			t.cut(e.at)
			n.up, t.nodes[e.fresh].kids = e.fresh, []int{e.at}
		}
	case "leaf":
		if e.at != 0 && in.kind != denseText && n.kind != denseLeaf {
			for _, k := range slices.Clone(n.kids) {
				t.drop(k)
			}
			n.kind, n.value = denseLeaf, e.value
		}
	}
}

// add inserts a new leaf, or a copy of n, after n. If n is the root, it inserts the entry as the first of the root.
// "add field below" appends to n instead, unless n is a leaf.
func (e denseEdit) add(t *denseTree, n *denseNode) {
	up, at := n.up, 0
	if e.at != 0 {
		at = t.index(e.at) + 1
	}
	if e.op == "add field below" && n.kind != denseLeaf {
		up, at = e.at, len(n.kids)
	}
	in := t.nodes[up]
	if e.op != "add copy" || e.at == 0 || in.kind == denseText {
		t.add(e.fresh, &denseNode{key: e.word, value: e.value, above: ""}, up, at)
	} else {
		e.copy(t, e.at, e.fresh, up, at)
		t.nodes[e.fresh].key = e.word
		for _, k := range t.nodes[e.fresh].kids {
			if f := t.nodes[k]; f.key == "name" && in.kind == denseList {
				f.value = e.word
			}
		}
	}
	if in.kind != denseMap {
		t.nodes[e.fresh].key = ""
	}
}

// copy inserts a copy of node from and its descendants into node up at index at. It leaves out comments.
func (e denseEdit) copy(t *denseTree, from, to, up, at int) {
	n := *t.nodes[from]
	kids := n.kids
	n.kids, n.above, n.behind, n.from = nil, "", "", from
	t.add(to, &n, up, at)
	for i, k := range kids {
		e.copy(t, k, to*32+i+1<<20, to, i)
	}
}

// move moves n after the node other. It moves n to the start of other instead if other is the root, or if the edit says
// "into" and other is not a leaf. It does nothing if the old and the new parent are of different kinds, or if other is
// n or inside n.
func (e denseEdit) move(t *denseTree, n *denseNode) {
	if e.at == 0 || e.at == e.other || t.holds(e.at, e.other) {
		return
	}
	o := t.nodes[e.other]
	up, at := o.up, 0
	if e.other == 0 || e.word == "into" && o.kind != denseLeaf {
		up = e.other
	}
	if t.nodes[up].kind != t.nodes[n.up].kind {
		return
	}
	t.cut(e.at)
	if up != e.other {
		at = t.index(e.other) + 1
	}
	t.add(e.at, n, up, at)
}

// A denseDraw generates random files and edits of them.
type denseDraw struct {
	*rand.Rand
	fresh int
	vivid bool // every value and comment occurs only once
}

var (
	denseKeys  = []string{"a", "b", "c", "d", "with", "uses", "name", "host"}
	denseNames = []string{"web", "db", "job", "log"}
)

func (g *denseDraw) key() string  { return denseKeys[g.IntN(len(denseKeys))] }
func (g *denseDraw) name() string { return denseNames[g.IntN(len(denseNames))] }

func (g *denseDraw) id() int {
	g.fresh++
	return g.fresh
}

func (g *denseDraw) value() string {
	if g.vivid {
		return fmt.Sprintf("v%d", g.id())
	}
	return []string{"1", "2", "3", "true", "x", "y"}[g.IntN(6)]
}

func (g *denseDraw) comment() string {
	if g.vivid {
		return fmt.Sprintf("note %d", g.id())
	}
	return []string{"note", "why", "c"}[g.IntN(3)]
}

// tree returns a random base with 4 to 16 nodes below its root.
func (g *denseDraw) tree() *denseTree {
	for {
		t := &denseTree{nodes: map[int]*denseNode{0: {kind: denseMap}}}
		if g.IntN(8) == 0 {
			t.nodes[0].kind = denseList
		}
		g.fill(t, 0, 2)
		if n := len(t.nodes); t.valid() && n > 4 && n < 18 {
			return t
		}
	}
}

// fill adds one to four random children to node in. Their children nest about depth levels deeper: the items of a list
// of named items do not count.
func (g *denseDraw) fill(t *denseTree, in, depth int) {
	p := t.nodes[in]
	keyed := p.kind == denseList && g.IntN(2) == 0
	for i := range 1 + g.IntN(4) {
		n := &denseNode{value: g.value()}
		switch p.kind {
		case denseMap:
			n.key = g.key()
		case denseText:
			t.add(g.id(), n, in, i)
			continue
		}
		if g.IntN(6) == 0 {
			n.above = g.comment()
		}
		if g.IntN(10) == 0 {
			n.behind = g.comment()
		}
		if n.key == "name" {
			n.value = g.name()
		} else if keyed {
			n.kind, n.behind = denseMap, ""
		} else if depth > 0 && g.IntN(3) == 0 {
			n.kind, n.behind = []denseKind{denseMap, denseMap, denseList, denseList, denseText}[g.IntN(5)], ""
		}
		id := g.id()
		t.add(id, n, in, i)
		if keyed {
			t.add(g.id(), &denseNode{key: "name", value: g.name()}, id, 0)
		}
		if n.kind != denseLeaf {
			g.fill(t, id, depth-1)
		}
	}
}

var denseOps = []string{
	"value", "value", "value", "delete", "delete", "delete", "add", "add", "add", "add field below", "add copy", "key", "key",
	"move", "move", "move", "comment", "comment", "comment behind", "wrap", "leaf",
}

// edits returns up to four random edits of t at nodes close to position near in the file. It drops edits that have no
// effect.
func (g *denseDraw) edits(t *denseTree, near int) (all []denseEdit) {
	for range 1 + g.IntN(4) {
		order := t.order()
		pick := func() int {
			return order[min(len(order)-1, max(0, near+g.IntN(7)-3))]
		}
		e := denseEdit{op: denseOps[g.IntN(len(denseOps))], at: pick(), other: pick(), fresh: g.id(), word: g.key(), value: g.value()}
		switch e.op {
		case "comment", "comment behind":
			if e.word = g.comment(); g.IntN(2) == 0 {
				e.word = ""
			}
		case "move":
			if g.IntN(3) == 0 {
				e.word = "into"
			}
		}
		if now := e.made(t); now != t {
			all, t = append(all, e), now
		}
	}
	return all
}
