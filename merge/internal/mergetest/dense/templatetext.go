package dense

import (
	"fmt"
	"slices"
	"strings"
)

// These kinds of nodes make a tree a template. The children of a block are its branches. The children of a branch are
// the entries under its condition.
const (
	blockKind  nodeKind = iota + 10 // value is its style, one of blockStyles
	branchKind                      // value is its condition, for example "if $.a"
	noteKind                        // a template comment; value is its text
	printKind                       // a line with only an action, which prints a field or an item
)

// blockStyles are the ways to write the actions of a block on lines of their own: with and without removing the white
// space before them, or in YAML comments, in which a template engine also runs actions. The action, such as if $.a,
// replaces %s.
var blockStyles = []string{"{{- %s }}", "{{ %s }}", "# {{ %s }}"}

// flags are the names of the values that conditions read, as in {{ if $.a }}. They are booleans, except for c, which is
// a list for {{ range $.c }}.
var flags = []string{"a", "b", "c", "d"}

// templateText returns t written as a Go template. A block and an entry in it give
//
//	{{- if $.a }}
//	b: 1
//	{{- else }}
//	b: 2
//	{{- end }}
func (t *tree) templateText() []byte {
	var b strings.Builder
	t.writeTemplateEntries(&b, 0, len(t.nodes[0].value), mappingKind)
	return []byte(b.String())
}

// writeTemplateEntries appends the lines of the children of node id to b, each indented by a number of spaces. Node id
// is a mapping, list or text of kind in, or a branch of a block in such a collection.
func (t *tree) writeTemplateEntries(b *strings.Builder, id, indent int, in nodeKind) {
	for _, k := range t.nodes[id].children {
		n := t.nodes[k]
		col := strings.Repeat(" ", indent)
		if n.blank {
			b.WriteString("\n")
		}
		if n.above != "" {
			fmt.Fprintf(b, "%s# %s\n", col, n.above)
		}
		head := col + n.key + ":"
		if in == listKind {
			head = col + "-"
		}
		switch {
		case n.kind == blockKind:
			t.writeBlock(b, n, indent, in)
		case n.kind == printKind:
			what := "- " + n.value
			if in != listKind {
				what = n.key + ": " + n.value
			}
			if n.indents {
				fmt.Fprintf(b, "%s{{- %q | nindent %d }}\n", col, what, indent)
			} else {
				fmt.Fprintf(b, "%s{{ %q }}\n", col, what)
			}
		case n.kind == noteKind:
			fmt.Fprintf(b, "%s{{- /* %s */}}\n", col, n.value)
		case in == textKind:
			fmt.Fprintf(b, "%s%s\n", col, n.value)
		case n.kind == leafKind:
			fmt.Fprintf(b, "%s %s\n", head, n.value)
		case len(n.children) == 0:
			fmt.Fprintf(b, "%s %s\n", head, t.oneLineText(n))
		case n.kind == textKind:
			fmt.Fprintf(b, "%s |\n", head)
			t.writeTemplateEntries(b, k, indent+2, textKind)
		case in == listKind:
			b.WriteString(head)
			var item strings.Builder
			t.writeTemplateEntries(&item, k, indent+2, n.kind)
			if s := item.String(); t.nodes[n.children[0]].kind == leafKind && t.nodes[n.children[0]].above == "" {
				b.WriteString(" " + strings.TrimLeft(s, " "))
			} else {
				b.WriteString("\n" + s)
			}
		default:
			b.WriteString(head + "\n")
			t.writeTemplateEntries(b, k, indent+2, n.kind)
		}
	}
}

// writeBlock appends the lines of block n to b: the action and the entries of each branch, and an end action. indent is
// the number of spaces before each line, and in the kind of the collection that contains the block.
func (t *tree) writeBlock(b *strings.Builder, n *node, indent int, in nodeKind) {
	style := blockStyles[0]
	if n.value != "" {
		style = n.value
	}
	line := func(action string) { fmt.Fprintf(b, "%*s"+style+"\n", indent, "", action) }
	for _, k := range n.children {
		line(t.nodes[k].value)
		t.writeTemplateEntries(b, k, indent, in)
	}
	line("end")
}

// collectionOf returns the number of the mapping, list or text that contains node id. It is the nearest ancestor that
// is not a block or a branch of a block. id must not be the root.
func (t *tree) collectionOf(id int) int {
	for id = t.nodes[id].parent; t.nodes[id].kind >= blockKind; id = t.nodes[id].parent {
	}
	return id
}

// isDefine reports whether node id is a block {{ define "x" }}.
func (t *tree) isDefine(id int) bool {
	n := t.nodes[id]
	return n.kind == blockKind && len(n.children) > 0 && strings.HasPrefix(t.nodes[n.children[0]].value, "define")
}

// defineOf returns the number of the block {{ define "x" }} that contains node id, or 0 if there is none.
func (t *tree) defineOf(id int) int {
	for id = t.nodes[id].parent; id != 0 && !t.isDefine(id); id = t.nodes[id].parent {
	}
	return id
}

// changeBlock makes edit e in t, if e is one of the edits of blocks and is possible for n, the node of t with the
// number e.at. t may be invalid afterwards. For example, "wrap in block", "condition" and "else" in turn:
//
//	a: 1    {{- if $.a }}    {{- if $.b }}    {{- if $.b }}
//	        a: 1             a: 1             a: 1
//	        {{- end }}       {{- end }}       {{- else }}
//	                                          c: 2
//	                                          {{- end }}
func (e edit) changeBlock(t *tree, n *node) {
	switch e.op {
	case "wrap in block", "wrap two":
		if n.kind == branchKind || t.isDefine(e.at) {
			return
		}
		parent, at := n.parent, t.index(e.at)
		in := t.nodes[parent]
		inside := []int{e.at}
		if e.op == "wrap two" && at+1 < len(in.children) && !t.isDefine(in.children[at+1]) {
			inside = append(inside, in.children[at+1])
		}
		for _, k := range inside {
			if t.nodes[k].key == "name" && t.nodes[t.nodes[t.collectionOf(k)].parent].kind == listKind {
				return // the name that identifies an item always remains
			}
		}
		for _, k := range inside {
			t.detach(k)
		}
		t.add(e.newID, &node{kind: blockKind, value: e.value}, parent, at)
		t.add(e.newID<<20, &node{kind: branchKind, value: e.word}, e.newID, 0)
		for i, k := range inside {
			t.add(k, t.nodes[k], e.newID<<20, i)
		}
	case "unwrap":
		if n.kind == blockKind && len(n.children) > 0 && !t.isDefine(e.at) {
			at, first := t.index(e.at), n.children[0]
			for i, k := range slices.Clone(t.nodes[first].children) {
				t.detach(k)
				t.add(k, t.nodes[k], n.parent, at+1+i)
			}
			t.deleteNode(e.at)
		}
	case "condition":
		if n.kind == branchKind && n.value != "else" && !strings.HasPrefix(n.value, "define") {
			n.value = e.word
			if t.index(e.at) > 0 {
				n.value = "else if " + strings.TrimPrefix(e.word, "if ")
			}
		}
	case "negate", "negate and swap":
		e.negate(t, n)
	case "swap branches":
		if n.kind == blockKind && len(n.children) > 1 {
			t.swapBodies(n)
		}
	case "else":
		if n.kind == blockKind && len(n.children) > 0 && t.nodes[n.children[len(n.children)-1]].value != "else" && !t.isDefine(e.at) {
			t.add(e.newID, &node{kind: branchKind, value: "else"}, e.at, len(n.children))
			like := t.nodes[n.children[0]].children
			f := &node{key: e.word, value: e.value}
			if t.nodes[t.collectionOf(e.at)].kind != mappingKind {
				f.key = ""
			} else if len(like) > 0 && e.other%2 == 0 {
				f.key = t.nodes[like[0]].key
			}
			t.add(e.newID<<20, f, e.newID, 0)
		}
	case "style":
		if n.kind == blockKind {
			n.value = e.value
		}
	}
}

// negate negates the first condition of block n if it begins with "if": "if $.a" becomes "if not $.a", and the reverse.
// For "negate and swap", it also exchanges the entries of the two branches, so that the template renders as before; it
// does nothing unless there are exactly two.
func (e edit) negate(t *tree, n *node) {
	if n.kind != blockKind || len(n.children) == 0 {
		return
	}
	first := t.nodes[n.children[0]]
	cond, ok := strings.CutPrefix(first.value, "if ")
	if !ok || e.op == "negate and swap" && len(n.children) != 2 {
		return
	}
	if rest, is := strings.CutPrefix(cond, "not "); is {
		first.value = "if " + rest
	} else {
		first.value = "if not " + cond
	}
	if e.op == "negate and swap" {
		t.swapBodies(n)
	}
}

// swapBodies exchanges the entries of the first two branches of block n. The conditions of the branches do not change.
// n must have two branches.
func (t *tree) swapBodies(n *node) {
	a, b := t.nodes[n.children[0]], t.nodes[n.children[1]]
	a.children, b.children = b.children, a.children
	for i, branch := range []*node{a, b} {
		for _, k := range branch.children {
			t.nodes[k].parent = n.children[i]
		}
	}
}

// randomTemplate returns a random template with 5 to 23 nodes, including the root. It is valid: it renders to YAML,
// without duplicate keys, with all flags.
func (g *generator) randomTemplate() *tree {
	for {
		t := &tree{nodes: map[int]*node{0: {kind: mappingKind}}}
		for range 2 * max(0, g.IntN(6)-4) {
			id := g.newNumber()
			t.add(id, &node{kind: blockKind}, 0, 0)
			t.add(id<<20, &node{kind: branchKind, value: fmt.Sprintf("define %q", g.randomKey())}, id, 0)
			t.add(g.newNumber(), &node{key: g.randomKey(), value: g.randomValue()}, id<<20, 0)
		}
		g.addRandomEntries(t, 0, mappingKind, 3)
		if n := len(t.nodes); n > 4 && n < 24 && t.isValidTemplate() {
			return t
		}
	}
}

// randomCondition returns the random condition of a block, such as "if $.a", "if not $.b", "with $.a" or "range $.c".
func (g *generator) randomCondition() string {
	flag := "$." + flags[g.IntN(len(flags))]
	switch {
	case flag == "$.c" && g.IntN(2) == 0:
		return "range " + flag
	case g.IntN(5) == 0:
		return "with " + flag
	case g.IntN(4) == 0:
		return "if not " + flag
	}
	return "if " + flag
}

// addRandomEntries adds one to four random entries to node id of t, and random entries to those that are collections or
// blocks. Node id is a mapping, list or text of kind in, or a branch of a block in such a collection. There are at most
// depth levels of collections and blocks. t may have duplicate keys afterwards.
func (g *generator) addRandomEntries(t *tree, id int, in nodeKind, depth int) {
	from := len(t.nodes[id].children)
	for i := range 1 + g.IntN(4) {
		n := &node{key: g.randomKey(), value: g.randomValue()}
		if in != mappingKind {
			n.key = ""
		}
		now := g.newNumber()
		switch kind := g.IntN(12); {
		case kind < 3 && depth > 0:
			n.kind, n.key, n.value = blockKind, "", blockStyles[[]int{0, 0, 0, 0, 1, 2}[g.IntN(6)]]
			t.add(now, n, id, from+i)
			g.addRandomBranches(t, now, in, depth-1)
			continue
		case in == textKind:
		case kind == 3:
			n.kind, n.key, n.value = noteKind, "", g.randomComment()
		case kind < 7 && depth > 0:
			n.kind = []nodeKind{mappingKind, mappingKind, textKind, listKind}[g.IntN(4)]
			t.add(now, n, id, from+i)
			if in == listKind {
				n.kind = mappingKind
				t.add(g.newNumber(), &node{key: "name", value: g.randomName()}, now, 0)
			}
			g.addRandomEntries(t, now, n.kind, depth-1)
			continue
		case kind == 7:
			n.value = "{{ if $." + flags[g.IntN(2)] + " }}" + g.randomValue() + "{{ else }}" + g.randomValue() + "{{ end }}"
		}
		if n.kind != noteKind && in != textKind && g.IntN(8) == 0 {
			n.above = g.randomComment()
		}
		t.add(now, n, id, from+i)
	}
}

// addRandomBranches adds random branches with entries to block id of t: one with a condition, perhaps an else if after
// an if, and perhaps an else. in is the kind of the collection that contains the block. The entries have at most depth
// levels of collections and blocks.
func (g *generator) addRandomBranches(t *tree, id int, in nodeKind, depth int) {
	heads := []string{g.randomCondition()}
	if g.IntN(6) == 0 && strings.HasPrefix(heads[0], "if") {
		heads = append(heads, "else if $."+flags[g.IntN(len(flags))])
	}
	if g.IntN(3) == 0 {
		heads = append(heads, "else")
	}
	for i, h := range heads {
		branch := g.newNumber()
		t.add(branch, &node{kind: branchKind, value: h}, id, i)
		g.addRandomEntries(t, branch, in, depth)
	}
}

// firstBlockOp is the index in templateOps of the first edit that changes blocks.
const firstBlockOp = 13

// templateOps are the operations of an edit in a case of NewTemplate. One that is listed several times is chosen more
// often.
var templateOps = []string{
	"value", "value", "delete", "delete", "add", "add", "add", "add", "key", "move", "move", "move", "comment",
	"wrap in block", "wrap in block", "wrap two", "unwrap", "unwrap", "condition", "negate", "negate and swap", "swap branches",
	"else", "else", "style",
}

// randomTemplateEdits returns up to three random edits of t, in the order in which they are made. Edits that cannot be
// made or change nothing are left out.
func (g *generator) randomTemplateEdits(t *tree) (all []edit) {
	for range 1 + g.IntN(3) {
		order := t.idsInFileOrder()
		e := edit{op: templateOps[g.IntN(len(templateOps))], at: order[g.IntN(len(order))], other: order[g.IntN(len(order))], newID: g.newNumber(), word: g.randomKey(), value: g.randomValue()}
		g.completeEdit(&e)
		if now := e.applyToTemplate(t); now != t {
			all, t = append(all, e), now
		}
	}
	return all
}

// completeEdit sets the operands of e, an edit of a template, that depend on its operation: a random condition and kind
// of block for an edit that adds a block, a comment or none, and so on. Other operations are not changed.
func (g *generator) completeEdit(e *edit) {
	switch e.op {
	case "wrap run", "wrap in block", "wrap two":
		e.word, e.value = g.randomCondition(), blockStyles[[]int{0, 0, 0, 1, 2}[g.IntN(5)]]
	case "condition":
		e.word = g.randomCondition()
	case "add guarded":
		e.word = g.randomCondition() + "\n" + e.word
	case "style":
		e.value = blockStyles[g.IntN(3)]
	case "comment":
		if e.word = g.randomComment(); g.IntN(2) == 0 {
			e.word = ""
		}
	case "move":
		if g.IntN(2) == 0 {
			e.word = "into"
		}
	}
}

// applyToTemplate returns a copy of t in which e was made. It returns t itself if a node that e names is missing, if e
// is not possible or changes nothing, or if the edited template is not valid, for example because it renders to a
// duplicate key with some flags. t is not changed.
func (e edit) applyToTemplate(t *tree) *tree {
	if t.nodes[e.at] == nil || t.nodes[e.other] == nil || e.at == 0 {
		return t
	}
	c := t.clone()
	n := c.nodes[e.at]
	plain := n.kind < blockKind
	in := c.nodes[c.collectionOf(e.at)].kind
	switch {
	case e.op == "comment" && (!plain || in == textKind), e.op == "move" && in == textKind:
		return t
	case in == mappingKind && n.key == "name" && c.nodes[c.nodes[c.collectionOf(e.at)].parent].kind == listKind && e.op != "value":
		return t // the name that identifies an item is not edited otherwise
	case e.op == "move" && in == listKind && t.itemName(e.at) == "":
		return t
	}
	switch e.op {
	case "value":
		if n.kind == leafKind || n.kind == noteKind {
			n.value = e.value
		}
	case "delete", "add", "comment", "move":
		if n.kind == branchKind && e.op != "delete" && e.op != "add" || n.kind == branchKind && e.op == "delete" && c.index(e.at) == 0 {
			return t
		}
		e.changePlain(c, n)
	case "key":
		if plain && c.nodes[c.collectionOf(e.at)].kind == mappingKind {
			n.key = e.word
		}
	default:
		e.changeBlock(c, n)
	}
	if string(c.templateText()) == string(t.templateText()) || !c.isValidTemplate() {
		return t
	}
	return c
}

// changePlain makes edit e in t, if e deletes, adds or moves a node or changes its comment. n is the node of t with the
// number e.at. A move does nothing if the node would leave its mapping, list or text, or its {{ define }}.
func (e edit) changePlain(t *tree, n *node) {
	switch e.op {
	case "delete":
		t.deleteNode(e.at)
	case "comment":
		n.above = e.word
	case "add":
		parent, at := n.parent, t.index(e.at)+1
		if n.kind == branchKind {
			parent, at = e.at, 0
		}
		t.add(e.newID, &node{key: e.word, value: e.value}, parent, at)
		if t.nodes[t.collectionOf(e.newID)].kind != mappingKind {
			t.nodes[e.newID].key = ""
		}
	case "move":
		o := t.nodes[e.other]
		if e.at == e.other || t.isWithin(e.at, e.other) || e.other == 0 || e.word != "into" && o.kind == branchKind {
			return
		}
		parent := o.parent
		if e.word == "into" && o.kind == branchKind {
			parent = e.other
		}
		if t.collectionOf(e.at) != t.collectionOf(e.other) || t.defineOf(e.at) != t.defineOf(e.other) || t.isDefine(e.at) && t.defineOf(e.other) != 0 {
			return
		}
		t.detach(e.at)
		at := 0
		if parent != e.other {
			at = t.index(e.other) + 1
		}
		t.add(e.at, n, parent, at)
	}
}
