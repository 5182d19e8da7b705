package merge

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A denseTree is a version of a small file in which every node has a number that it
// keeps wherever a side moves it and whatever a side calls it: the model of a merge
// knows what is one thing without guessing.
type denseTree struct {
	nodes map[int]*denseNode // the root is 0
}

type denseNode struct {
	kind    denseKind
	up      int
	key     string // of a field
	value   string // of a leaf, or a line of a text
	above   string // the comment above, "" for none
	behind  string // the comment behind a key, a leaf
	from    int    // what a side copied it from, 0 if nothing
	blank   bool   // a blank line stands above it
	indents bool   // of what prints: its action says how far it indents
	kids    []int
}

type denseKind byte

const (
	denseLeaf denseKind = iota
	denseMap
	denseList
	denseText
)

func (t *denseTree) clone() *denseTree {
	c := &denseTree{nodes: map[int]*denseNode{}}
	for id, n := range t.nodes {
		m := *n
		m.kids = slices.Clone(n.kids)
		c.nodes[id] = &m
	}
	return c
}

// add puts n below up, at place at.
func (t *denseTree) add(id int, n *denseNode, up, at int) {
	n.up = up
	t.nodes[id] = n
	p := t.nodes[up]
	p.kids = slices.Insert(p.kids, min(at, len(p.kids)), id)
}

// drop takes a node and all below it out.
func (t *denseTree) drop(id int) {
	n := t.nodes[id]
	for _, k := range slices.Clone(n.kids) {
		t.drop(k)
	}
	t.cut(id)
	delete(t.nodes, id)
}

// cut takes a node out of its collection.
func (t *denseTree) cut(id int) {
	p := t.nodes[t.nodes[id].up]
	p.kids = slices.DeleteFunc(p.kids, func(k int) bool { return k == id })
}

func (t *denseTree) index(id int) int { return slices.Index(t.nodes[t.nodes[id].up].kids, id) }

// holds reports whether id is in, or stands below it.
func (t *denseTree) holds(in, id int) bool {
	for ; id != in; id = t.nodes[id].up {
		if id == 0 {
			return false
		}
	}
	return true
}

func (t *denseTree) ids() []int { return slices.Sorted(maps.Keys(t.nodes)) }

// order is the numbers of all nodes as they stand in the file.
func (t *denseTree) order() (all []int) {
	var add func(int)
	add = func(id int) {
		all = append(all, id)
		for _, k := range t.nodes[id].kids {
			add(k)
		}
	}
	add(0)
	return all
}

// valid reports whether no mapping has a key twice, and no list a name.
func (t *denseTree) valid() bool {
	for _, n := range t.nodes {
		seen := map[string]bool{}
		for _, k := range n.kids {
			name := t.nodes[k].key
			if n.kind == denseList {
				name = t.name(k)
			}
			if seen[name] && name != "" {
				return false
			}
			seen[name] = true
		}
	}
	return len(t.nodes[0].kids) > 0
}

// name is what an item is known by, "" if by nothing.
func (t *denseTree) name(id int) string {
	for _, k := range t.nodes[id].kids {
		if n := t.nodes[k]; n.key == "name" && n.kind == denseLeaf {
			return n.value
		}
	}
	return ""
}

// A denseForm is how a file is written.
type denseForm struct {
	dented bool // lists stand deeper than their key
	crlf   bool
}

func (t *denseTree) write(f denseForm) []byte {
	var b strings.Builder
	t.entries(&b, f, 0, 0, false)
	if f.crlf {
		return []byte(strings.ReplaceAll(b.String(), "\n", "\r\n"))
	}
	return []byte(b.String())
}

// entries writes what is in node id; hang says that the first stands behind a dash.
func (t *denseTree) entries(b *strings.Builder, f denseForm, id, indent int, hang bool) {
	in := t.nodes[id]
	for i, k := range in.kids {
		n := t.nodes[k]
		col := strings.Repeat(" ", indent)
		if n.above != "" {
			fmt.Fprintf(b, "%s# %s\n", col, n.above)
		}
		if i == 0 && hang {
			col = ""
		}
		behind := ""
		if n.behind != "" {
			behind = " # " + n.behind
		}
		head := col + n.key + ":"
		if in.kind == denseList {
			head = col + "-"
		}
		switch {
		case n.kind == denseLeaf || len(n.kids) == 0:
			fmt.Fprintf(b, "%s %s%s\n", head, t.flat(n), behind)
		case n.kind == denseText:
			fmt.Fprintf(b, "%s |%s\n", head, behind)
			for _, l := range n.kids {
				fmt.Fprintf(b, "%*s%s\n", indent+2, "", t.nodes[l].value)
			}
		case in.kind == denseList && behind == "" && t.nodes[n.kids[0]].above == "":
			b.WriteString(head + " ")
			t.entries(b, f, k, indent+2, true)
		case n.kind == denseList && !f.dented && in.kind != denseList:
			b.WriteString(head + behind + "\n")
			t.entries(b, f, k, indent, false)
		default:
			b.WriteString(head + behind + "\n")
			t.entries(b, f, k, indent+2, false)
		}
	}
}

// flat is a node without entries.
func (*denseTree) flat(n *denseNode) string {
	return map[denseKind]string{denseLeaf: n.value, denseMap: "{}", denseList: "[]", denseText: `""`}[n.kind]
}
