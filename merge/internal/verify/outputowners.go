package verify

import (
	"cmp"
	"slices"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
)

// An owner is the mapping, list or value into which a line of a template prints, or which it splits.
//
//	volumeMounts:
//	  - name: data
//	{{ toYaml .Values.mounts | indent 2 }}    # the owner is the list of volumeMounts
type owner struct {
	node *Node  // the owner; the list of documents if there is none
	addr uint64 // address of the owner
	// isShared is whether the line may print into the mapping around the owner instead: the owner is a list, and its
	// dashes are in the column of the fields of this mapping. In the example, it would be true if `- name` were in the
	// column of volumeMounts, and the line printed there, too.
	isShared bool
	// isInside is whether the output may divide what is around it, because more items of a shared list, or more entries
	// of the entry above the line, follow it.
	isInside bool
}

// ownerOf returns the owner of l, a line of v that prints: the innermost mapping, list or value above l to which
// output in the column of l can belong. Without an entry above l, it is the list of documents, with the address 0.
//
//	spec:
//	  a: 1
//	{{ toYaml .x | indent 2 }}    # the owner is spec; with indent 4, it is the value of a
func (c *checker) ownerOf(v version, l template.Line) (o owner) {
	parentColumn := -1 // of the collection around o.node
	for o.node = c.docs[v]; ; {
		n := o.node
		next := n.firstChildBelow(l.Start)
		if next == 0 {
			return o
		}
		above := &n.Children[next-1]
		if !n.printsInto(above, l.Column) {
			o.isShared = n.Indent == parentColumn
			o.isInside = o.isShared && next < len(n.Children) || above.lastStart() > l.Start
			return o
		}
		if above.Entry != nil {
			parentColumn = n.Indent
		}
		if c.maker == byLines { // without the names of items, because a side may have renamed one
			o.addr = syntax.CombineHashes(o.addr, cmp.Or(above.KeyHash, nameless))
		} else {
			o.addr = c.addressOf(above)
		}
		o.node = above
	}
}

// printsInto reports whether output in this column below k, a child of n, can belong to k: as an entry of k, or as a
// part of its value. Otherwise it is another child of n, or left of n. A column below 0 is unknown, and can be any.
func (n *Node) printsInto(k *Node, column int) bool {
	isEntry := len(k.Children) > 0 && k.Style == syntax.Block && k.Indent <= column
	isInValue := k.Entry != nil && n.Indent < column
	return column < 0 || isEntry || isInValue
}

// firstChildBelow returns the index of the first child of n that starts after offset at, or the number of children if
// there is none. Comments above a child do not belong to it.
func (n *Node) firstChildBelow(at int) int {
	return sort.Search(len(n.Children), func(i int) bool {
		k := &n.Children[i]
		if k.Entry == nil {
			return k.Span.Start > at
		}
		return k.Entry.Start > at
	})
}

// lastStart returns the offset at which the last entry below n starts, at any depth, or -1 if there is none. n must not
// be the list of documents.
func (n *Node) lastStart() (start int) {
	start = -1
	for len(n.Children) > 0 && n.Children[len(n.Children)-1].Entry != nil {
		n = &n.Children[len(n.Children)-1]
		start = n.Entry.Start
	}
	return start
}

// A printedLine is a line of a template that prints, with its owner. Lines that print the same into the same owner are
// equal.
type printedLine struct {
	text     string
	addr     uint64
	isInside bool // see owner
}

// printedLineAt returns line i of the template v, a line that prints, with its owner. If a line between line i and the
// entry above it prints further left, line i may belong to what that line prints. If both can be rendered together, the
// address then also depends on the text of the nearest such line.
func (c *checker) printedLineAt(v version, i int) printedLine {
	lines := c.Facts[v].Lines
	l := &lines[i]
	o := c.ownerOf(v, *l)
	for i--; i >= 0 && lines[i].Above == l.Above; i-- { // from the nearest line up to the entry
		above := &lines[i]
		isLeft := above.Column < l.Column || l.Column < 0 // or may be, if the column of l is not known
		if above.Prints && isLeft && !template.AreExclusive(above.Guard, l.Guard) {
			o.addr = syntax.CombineHashes(o.addr, Hash(above.Text))
			break
		}
	}
	return printedLine{l.Text, o.addr, o.isInside}
}

// checkOwners returns a violation if a line of the result prints into another mapping, list or value (its owner, see
// ownerOf) than in any input. It must not print between entries of the owner if it does so in no input. Without
// conflicts, the owner must also not have the line more often than the edits of both sides give. The versions must be
// templates.
func (c *checker) checkOwners() *Violation {
	counts := occurrenceCounts[printedLine]{}
	for v, f := range c.Facts {
		for i, l := range f.Lines {
			if !l.Prints {
				continue
			}
			atPlace := c.printedLineAt(version(v), i) // between entries of its owner, or not
			inOwner := atPlace
			inOwner.isInside = false
			counts.add(version(v), inOwner)
			if atPlace.isInside {
				counts.add(version(v), atPlace)
			}
			if version(v) != result { // the last version, for which all inputs are counted
				continue
			}
			n, nAtPlace := counts[inOwner], counts[atPlace]
			isNew := slices.Max(n[:result]) == 0 || slices.Max(nAtPlace[:result]) == 0
			isExtra := len(c.Conflicts) == 0 && n[result] > n.expectedRange().most
			if isNew || isExtra {
				return c.newViolationAt(RuleAction, l.Above, l.Text, "%s prints into a different entry than the edits of both sides give", quoteLine(l.Output))
			}
		}
	}
	return nil
}

// An orderedLine is a line of a template whose place among the lines of its group counts (see orderGroup).
type orderedLine struct {
	group uint64
	text  string
}

// orderGroup returns a hash for l, a line of v: the order of lines with equal hashes must be merged. It returns 0 if
// the order of l does not matter. The hash is that of
//
//	{{ else if .a }}        the action that opened its block
//	{{ toYaml .x }}         the list into which it prints, if it can also print into the mapping around the list
func (c *checker) orderGroup(v version, l template.Line) uint64 {
	if l.OpenedBy != "" {
		return Hash(l.OpenedBy)
	}
	if o := c.ownerOf(v, l); l.Prints && o.isShared {
		return o.addr
	}
	return 0
}

// checkLineOrder returns a violation if two lines of a template follow each other in an order that no side wrote: the
// base has neither, only ours has one of them, and only theirs the other. Only lines of one group are compared, whose
// order matters: the branches of a block, or output into the same list (orderGroup).
//
//	base           ours               theirs             result
//	{{ if .a }}    {{ if .a }}        {{ if .a }}        {{ if .a }}
//	x: 1           x: 1               x: 1               x: 1
//	{{ end }}      {{ else if .b }}   {{ else if .c }}   {{ else if .b }}
//	               x: 2               x: 3               x: 2
//	               {{ end }}          {{ end }}          {{ else if .c }}    violation
//	                                                     x: 3
//	                                                     {{ end }}
//
// It is also a violation if both sides added one of the lines, and no input has the other in this group: then the
// opening actions of two blocks are perhaps swapped, and their branches with them.
func (c *checker) checkLineOrder() *Violation {
	type place struct { // lines of the result with one place follow each other
		group uint64
		above *syntax.Entry // the last entry above lines that print
	}
	presentIn := map[orderedLine]presence{} // the inputs with each line
	last := map[place]orderedLine{}         // the line above, in the result
	for v, f := range c.Facts {
		for _, l := range f.Lines {
			line := orderedLine{c.orderGroup(version(v), l), l.Text}
			if line.group == 0 {
				continue
			}
			if version(v) != result {
				presentIn[line] |= 1 << v
				continue
			}
			at := place{group: line.group}
			if l.Prints {
				at.above = l.Above
			}
			above, ok := last[at]
			before, now := presentIn[above], presentIn[line]
			if ok && (before|now)&inBase == 0 && before^now == inOurs|inTheirs {
				return c.newViolationAt(RuleAction, l.Above, l.Text, "the order of %s and %s is that of neither side", quoteLine(above.text), quoteLine(l.Text))
			}
			last[at] = line
			if template.OnlyClosesBlocks([]byte(l.Text)) {
				delete(last, at) // the next block with an equal opening action has an order of its own
			}
		}
	}
	return nil
}
