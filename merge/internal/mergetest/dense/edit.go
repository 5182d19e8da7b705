package dense

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// A edit is one edit of a side. It identifies the nodes that it touches by number, so that the same edit can be
// repeated on a tree from which other nodes, or lines of the base, were removed. An edit whose nodes are missing has no
// effect.
type edit struct {
	op    string
	at    int    // number of the edited node
	other int    // number of a second node, for a move
	newID int    // number for the node that the edit adds
	word  string // key, comment, or "into" for a move
	value string
}

// applyToYAML returns a copy of t with the edit applied, or t itself if a node of the edit is missing or the result is
// not valid.
func (e edit) applyToYAML(t *tree) *tree {
	if t.nodes[e.at] == nil || t.nodes[e.other] == nil {
		return t
	}
	c := t.clone()
	if e.changeYAML(c, c.nodes[e.at]); !c.isValid() {
		return t
	}
	return c
}

// changeYAML applies edit e to t. n is the node of t with the number e.at. It does nothing if the edit is not possible for
// this node, such as a new key for an item of a list. t may have duplicate keys afterwards.
func (e edit) changeYAML(t *tree, n *node) {
	in := t.nodes[n.parent]
	switch e.op {
	case "value":
		if n.kind == leafKind {
			n.value = e.value
		}
	case "delete":
		if e.at != 0 {
			t.deleteNode(e.at)
		}
	case "add", "add field below", "add copy":
		e.addEntry(t, n)
	case "key":
		if in.kind == mappingKind && e.at != 0 {
			n.key = e.word
		}
	case "move":
		e.moveNode(t, n)
	case "comment":
		if in.kind != textKind && e.at != 0 {
			n.above = e.word
		}
	case "line comment":
		if in.kind != textKind && e.at != 0 && n.kind != textKind {
			n.lineComment = e.word
		}
	case "wrap":
		if in.kind == mappingKind && e.at != 0 {
			t.add(e.newID, &node{kind: mappingKind, key: e.word}, n.parent, t.index(e.at))
			t.detach(e.at)
			n.parent, t.nodes[e.newID].children = e.newID, []int{e.at}
		}
	case "leaf":
		if e.at != 0 && in.kind != textKind && n.kind != leafKind {
			for _, k := range slices.Clone(n.children) {
				t.deleteNode(k)
			}
			n.kind, n.value = leafKind, e.value
		}
	}
}

// addEntry inserts a new leaf, or a copy of n, after n. If n is the root, it inserts the entry as the first of the root.
// "add field below" appends to n instead, unless n is a leaf.
func (e edit) addEntry(t *tree, n *node) {
	parent, at := n.parent, 0
	if e.at != 0 {
		at = t.index(e.at) + 1
	}
	if e.op == "add field below" && n.kind != leafKind {
		parent, at = e.at, len(n.children)
	}
	in := t.nodes[parent]
	if e.op != "add copy" || e.at == 0 || in.kind == textKind {
		t.add(e.newID, &node{key: e.word, value: e.value, above: ""}, parent, at)
	} else {
		e.copyNode(t, e.at, e.newID, parent, at)
		t.nodes[e.newID].key = e.word
		for _, k := range t.nodes[e.newID].children {
			if f := t.nodes[k]; f.key == "name" && in.kind == listKind {
				f.value = e.word
			}
		}
	}
	if in.kind != mappingKind {
		t.nodes[e.newID].key = ""
	}
}

// copyNode inserts a copy of node from and its descendants into node up at index at. It leaves out comments.
func (e edit) copyNode(t *tree, from, to, parent, at int) {
	n := *t.nodes[from]
	children := n.children
	n.children, n.above, n.lineComment, n.from = nil, "", "", from
	t.add(to, &n, parent, at)
	for i, k := range children {
		e.copyNode(t, k, to*32+i+1<<20, to, i)
	}
}

// moveNode moves n after the node other. It moves n to the start of other instead if other is the root, or if the edit says
// "into" and other is not a leaf. It does nothing if the old and the new parent are of different kinds, or if other is
// n or inside n.
func (e edit) moveNode(t *tree, n *node) {
	if e.at == 0 || e.at == e.other || t.isWithin(e.at, e.other) {
		return
	}
	o := t.nodes[e.other]
	parent, at := o.parent, 0
	if e.other == 0 || e.word == "into" && o.kind != leafKind {
		parent = e.other
	}
	if t.nodes[parent].kind != t.nodes[n.parent].kind {
		return
	}
	t.detach(e.at)
	if parent != e.other {
		at = t.index(e.other) + 1
	}
	t.add(e.at, n, parent, at)
}

// A generator generates random files and edits of them.
type generator struct {
	*rand.Rand
	lastID int
	unique bool // every value and comment occurs only once
}

var (
	keys  = []string{"a", "b", "c", "d", "with", "uses", "name", "host"}
	names = []string{"web", "db", "job", "log"}
)

// randomKey returns a random key of a field.
func (g *generator) randomKey() string { return keys[g.IntN(len(keys))] }

// randomName returns a random name of a list item.
func (g *generator) randomName() string { return names[g.IntN(len(names))] }

// newNumber returns a number that no node and no edit has yet.
func (g *generator) newNumber() int {
	g.lastID++
	return g.lastID
}

// randomValue returns a random value. If g.unique is true, no other node has it.
func (g *generator) randomValue() string {
	if g.unique {
		return fmt.Sprintf("v%d", g.newNumber())
	}
	return []string{"1", "2", "3", "true", "x", "y"}[g.IntN(6)]
}

// randomComment returns a random comment. If g.unique is true, it occurs nowhere else.
func (g *generator) randomComment() string {
	if g.unique {
		return fmt.Sprintf("note %d", g.newNumber())
	}
	return []string{"note", "why", "c"}[g.IntN(3)]
}

// randomTree returns a random base with 4 to 16 nodes below its root.
func (g *generator) randomTree() *tree {
	for {
		t := &tree{nodes: map[int]*node{0: {kind: mappingKind}}}
		if g.IntN(8) == 0 {
			t.nodes[0].kind = listKind
		}
		g.addRandomChildren(t, 0, 2)
		if n := len(t.nodes); t.isValid() && n > 4 && n < 18 {
			return t
		}
	}
}

// addRandomChildren adds one to four random children to node in. Their children nest about depth levels deeper: the items of a list
// of named items do not count.
func (g *generator) addRandomChildren(t *tree, parent, depth int) {
	p := t.nodes[parent]
	keyed := p.kind == listKind && g.IntN(2) == 0
	for i := range 1 + g.IntN(4) {
		n := &node{value: g.randomValue()}
		switch p.kind {
		case mappingKind:
			n.key = g.randomKey()
		case textKind:
			t.add(g.newNumber(), n, parent, i)
			continue
		}
		if g.IntN(6) == 0 {
			n.above = g.randomComment()
		}
		if g.IntN(10) == 0 {
			n.lineComment = g.randomComment()
		}
		if n.key == "name" {
			n.value = g.randomName()
		} else if keyed {
			n.kind, n.lineComment = mappingKind, ""
		} else if depth > 0 && g.IntN(3) == 0 {
			n.kind, n.lineComment = []nodeKind{mappingKind, mappingKind, listKind, listKind, textKind}[g.IntN(5)], ""
		}
		id := g.newNumber()
		t.add(id, n, parent, i)
		if keyed {
			t.add(g.newNumber(), &node{key: "name", value: g.randomName()}, id, 0)
		}
		if n.kind != leafKind {
			g.addRandomChildren(t, id, depth-1)
		}
	}
}

var yamlOps = []string{
	"value", "value", "value", "delete", "delete", "delete", "add", "add", "add", "add field below", "add copy", "key", "key",
	"move", "move", "move", "comment", "comment", "line comment", "wrap", "leaf",
}

// randomEdits returns up to four random edits of t at nodes close to position near in the file. It drops edits that have no
// effect.
func (g *generator) randomEdits(t *tree, near int) (all []edit) {
	for range 1 + g.IntN(4) {
		order := t.idsInFileOrder()
		pick := func() int {
			return order[min(len(order)-1, max(0, near+g.IntN(7)-3))]
		}
		e := edit{op: yamlOps[g.IntN(len(yamlOps))], at: pick(), other: pick(), newID: g.newNumber(), word: g.randomKey(), value: g.randomValue()}
		switch e.op {
		case "comment", "line comment":
			if e.word = g.randomComment(); g.IntN(2) == 0 {
				e.word = ""
			}
		case "move":
			if g.IntN(3) == 0 {
				e.word = "into"
			}
		}
		if now := e.applyToYAML(t); now != t {
			all, t = append(all, e), now
		}
	}
	return all
}
