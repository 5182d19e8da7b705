package dense

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A tree is a version of a small file in which every node has a number. A node keeps its number if a side moves or
// renames it, so that the nodes of different versions can be matched without guessing. For example, base and a side
// that renamed b:
//
//	a: 1   # node 1      a: 1   # node 1
//	b:     # node 2      d:     # node 2
//	  c: 2 # node 3        c: 2 # node 3
type tree struct {
	nodes map[int]*node // by number; the root is 0
}

// A node is a mapping, list, text or leaf (a scalar on one line), a line of a text, or a part of a template. For
// example, "a: 1 # x" is the leaf {key: "a", value: "1", lineComment: "x"}.
type node struct {
	kind        nodeKind
	parent      int
	key         string // key of a field
	value       string // value of a leaf, or a line of a text
	above       string // comment on the line above, "" if there is none
	lineComment string // comment at the end of the line of the key or leaf
	from        int    // number of the node that a side copied this node from, or 0
	blank       bool   // there is a blank line above the node
	indents     bool   // for a node that prints a value: its action sets the indentation
	children    []int
}

// A nodeKind is the kind of a node. Templates have more kinds, which are declared in templatetext.go. A text is a block
// scalar, such as "a: |", and its children are its lines.
type nodeKind byte

const (
	leafKind nodeKind = iota
	mappingKind
	listKind
	textKind
)

// clone returns a deep copy of t.
func (t *tree) clone() *tree {
	c := &tree{nodes: map[int]*node{}}
	for id, n := range t.nodes {
		m := *n
		m.children = slices.Clone(n.children)
		c.nodes[id] = &m
	}
	return c
}

// add adds n to t as node id. It becomes the child with the index at of the node parent, or the last child if there are
// fewer. n.parent is set.
func (t *tree) add(id int, n *node, parent, at int) {
	n.parent = parent
	t.nodes[id] = n
	p := t.nodes[parent]
	p.children = slices.Insert(p.children, min(at, len(p.children)), id)
}

// deleteNode deletes node id and all its descendants from t.
func (t *tree) deleteNode(id int) {
	n := t.nodes[id]
	for _, k := range slices.Clone(n.children) {
		t.deleteNode(k)
	}
	t.detach(id)
	delete(t.nodes, id)
}

// detach removes node id from the children of its parent. The node itself remains in t.nodes, so that it can be added
// at another place.
func (t *tree) detach(id int) {
	p := t.nodes[t.nodes[id].parent]
	p.children = slices.DeleteFunc(p.children, func(k int) bool { return k == id })
}

// index returns the index of node id among the children of its parent.
func (t *tree) index(id int) int { return slices.Index(t.nodes[t.nodes[id].parent].children, id) }

// isWithin reports whether node id is the node ancestor, or a descendant of it.
func (t *tree) isWithin(ancestor, id int) bool {
	for ; id != ancestor; id = t.nodes[id].parent {
		if id == 0 {
			return false
		}
	}
	return true
}

// ids returns the numbers of all nodes, sorted.
func (t *tree) ids() []int { return slices.Sorted(maps.Keys(t.nodes)) }

// idsInFileOrder returns the numbers of all nodes in the order of the file. The root is first, and each node precedes
// its children.
func (t *tree) idsInFileOrder() (all []int) {
	var add func(int)
	add = func(id int) {
		all = append(all, id)
		for _, k := range t.nodes[id].children {
			add(k)
		}
	}
	add(0)
	return all
}

// isValid reports whether t can be a version of a YAML file in a case: the root has children, no mapping has duplicate
// keys, and no list has two items with the same name.
func (t *tree) isValid() bool {
	for _, n := range t.nodes {
		seen := map[string]bool{}
		for _, k := range n.children {
			name := t.nodes[k].key
			if n.kind == listKind {
				name = t.itemName(k)
			}
			if seen[name] && name != "" {
				return false
			}
			seen[name] = true
		}
	}
	return len(t.nodes[0].children) > 0
}

// itemName returns the value of the field name of node id: "web" for the item {name: web}. It returns "" if the node
// has no such field, or if its value is not a scalar.
func (t *tree) itemName(id int) string {
	for _, k := range t.nodes[id].children {
		if n := t.nodes[k]; n.key == "name" && n.kind == leafKind {
			return n.value
		}
	}
	return ""
}

// A format is the format of a written YAML file.
type format struct {
	indented bool // lists are indented deeper than their key
	crlf     bool
}

// write returns t as the text of a YAML file. f has the indentation of lists and the line ends.
func (t *tree) write(f format) []byte {
	var b strings.Builder
	t.writeEntries(&b, f, 0, 0, false)
	if f.crlf {
		return []byte(strings.ReplaceAll(b.String(), "\n", "\r\n"))
	}
	return []byte(b.String())
}

// writeEntries appends the lines of the children of node id to b, each indented by a number of spaces. If afterDash is
// true, the first child continues a line on which b already has the dash of an item, as in "- name: web".
func (t *tree) writeEntries(b *strings.Builder, f format, id, indent int, afterDash bool) {
	in := t.nodes[id]
	for i, k := range in.children {
		n := t.nodes[k]
		col := strings.Repeat(" ", indent)
		if n.above != "" {
			fmt.Fprintf(b, "%s# %s\n", col, n.above)
		}
		if i == 0 && afterDash {
			col = ""
		}
		lineComment := ""
		if n.lineComment != "" {
			lineComment = " # " + n.lineComment
		}
		head := col + n.key + ":"
		if in.kind == listKind {
			head = col + "-"
		}
		switch {
		case n.kind == leafKind || len(n.children) == 0:
			fmt.Fprintf(b, "%s %s%s\n", head, t.oneLineText(n), lineComment)
		case n.kind == textKind:
			fmt.Fprintf(b, "%s |%s\n", head, lineComment)
			for _, l := range n.children {
				fmt.Fprintf(b, "%*s%s\n", indent+2, "", t.nodes[l].value)
			}
		case in.kind == listKind && lineComment == "" && t.nodes[n.children[0]].above == "":
			b.WriteString(head + " ")
			t.writeEntries(b, f, k, indent+2, true)
		case n.kind == listKind && !f.indented && in.kind != listKind:
			b.WriteString(head + lineComment + "\n")
			t.writeEntries(b, f, k, indent, false)
		default:
			b.WriteString(head + lineComment + "\n")
			t.writeEntries(b, f, k, indent+2, false)
		}
	}
}

// oneLineText returns the text of n, if it is on the line of its key or dash: the value of a leaf, and "{}", "[]" or
// `""` for a mapping, list or text without children.
func (*tree) oneLineText(n *node) string {
	return map[nodeKind]string{leafKind: n.value, mappingKind: "{}", listKind: "[]", textKind: `""`}[n.kind]
}
