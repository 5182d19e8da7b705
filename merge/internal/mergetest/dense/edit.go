package dense

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// An edit is one edit of a side. It identifies the nodes that it changes by number, so that it can be made again in a
// tree from which other nodes, or lines of the base, were removed. An edit has no effect if its nodes are missing. For
// example, {op: "value", at: 3, value: "2"} changes "a: 1" to "a: 2" if the field a is node 3.
type edit struct {
	// op is what the edit does: one of yamlOps, templateOps or guardedOps.
	op    string
	at    int    // number of the edited node
	other int    // number of a second node, for a move
	newID int    // number for the node that the edit adds
	word  string // key, comment, or "into" for a move
	value string
}

// applyToYAML returns a copy of t in which e was made, or t itself if a node that e names is missing or the edited tree
// is not valid, for example because of a duplicate key. The copy equals t if e is not possible for its node, such as a
// new value for a mapping.
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

// changeYAML makes edit e in t. n is the node of t with the number e.at. It does nothing if the edit is not possible
// for this node, such as a new key for an item of a list. t may have duplicate keys afterwards.
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

// addEntry inserts an entry with the number e.newID into t after n, or at the start of the file if n is the root: a new
// leaf, or for "add copy" a copy of n without comments. For "add field below", it is the last entry in n, unless n is a
// leaf.
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

// copyNode inserts a copy of node from, with all its descendants, as node to. The copy is the child of node parent with
// the index at. The copies of the descendants get new numbers that depend on to. Comments are not copied.
func (e edit) copyNode(t *tree, from, to, parent, at int) {
	n := *t.nodes[from]
	children := n.children
	n.children, n.above, n.lineComment, n.from = nil, "", "", from
	t.add(to, &n, parent, at)
	for i, k := range children {
		e.copyNode(t, k, to*32+i+1<<20, to, i)
	}
}

// moveNode moves n to the place after node e.other, or makes it the first child of e.other, if that is the root, or a
// collection and e.word is "into". It does nothing if n is the root, if e.other is n or inside n, or if the parents are
// of different kinds.
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

// A generator generates random files and edits of them. lastID is the number that it used last.
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

// newNumber returns a number that g has not returned before, for a node or an edit.
func (g *generator) newNumber() int {
	g.lastID++
	return g.lastID
}

// randomValue returns a random text for a scalar. If g.unique is true, it returns each text only once, such as v7.
// Otherwise it returns one of six texts, such as true.
func (g *generator) randomValue() string {
	if g.unique {
		return fmt.Sprintf("v%d", g.newNumber())
	}
	return []string{"1", "2", "3", "true", "x", "y"}[g.IntN(6)]
}

// randomComment returns the text of a random comment, without "#". If g.unique is true, it returns each text only once,
// such as "note 7". Otherwise it returns one of three texts.
func (g *generator) randomComment() string {
	if g.unique {
		return fmt.Sprintf("note %d", g.newNumber())
	}
	return []string{"note", "why", "c"}[g.IntN(3)]
}

// randomTree returns a random YAML file as a tree, with 4 to 16 nodes below its root. The root is a mapping or a list.
// No mapping has duplicate keys, and no list has duplicate names.
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

// addRandomChildren adds one to four random children to the node with the number parent in t, and random children to
// each of them that is a collection. There are about depth levels of collections below them. The tree may have
// duplicate keys afterwards.
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

// yamlOps are the operations of an edit in a YAML file. One that is listed several times is chosen more often.
var yamlOps = []string{
	"value", "value", "value", "delete", "delete", "delete", "add", "add", "add", "add field below", "add copy", "key", "key",
	"move", "move", "move", "comment", "comment", "line comment", "wrap", "leaf",
}

// randomEdits returns up to four random edits of t, in the order in which they are made. Their nodes are at most three
// positions before or after near, a position in the file that is counted in nodes. Edits that cannot be made are left
// out, but some of the edits may change nothing.
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
