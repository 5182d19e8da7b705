package verify

import (
	"cmp"
	"slices"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
)

// checkOwners returns a violation if a line of the result prints into a mapping, list or value, or splits one (see
// ownerOf), as it does in no input or, in a file without conflicts, more often than the edits of both sides give. The
// column of the output determines this owner or, if it is not known, the entry above the line; a line that prints
// above it at a smaller column is part of the owner. Lines of the result in conflicts are ignored.
//
//	volumeMounts:
//	  - name: data
//	{{ toYaml .Values.mounts | indent 2 }}    # the owner is the list of volumeMounts
func (c *checker) checkOwners() *Violation {
	if !c.isTemplate() {
		return nil
	}
	type owner struct {
		text     string
		addr     uint64
		isInside bool
	}
	counts := occurrenceCounts[owner]{}
	for v, f := range c.facts {
		for i, l := range f.Lines {
			_, _, inConflict := maskAt(c.masks[v], l.Span)
			if !l.Prints || version(v) == result && inConflict {
				continue
			}
			x := owner{text: l.Text}
			x.addr, _, x.isInside = c.ownerOf(version(v), l)
			for i--; i >= 0 && f.Lines[i].Above == l.Above; i-- { // what is printed above may be its owner
				if p := &f.Lines[i]; p.Prints && (p.Column < l.Column || l.Column < 0) && !template.AreExclusive(p.Guard, l.Guard) {
					x.addr = syntax.CombineHashes(x.addr, Hash(p.Text))
					break
				}
			}
			counts.add(version(v), owner{text: x.text, addr: x.addr})
			// only at a place where an input has it inside of a collection that it may not print into
			if x.isInside {
				counts.add(version(v), x)
			}
			if version(v) != result {
				continue
			}
			n, inside := counts[owner{text: x.text, addr: x.addr}], counts[x]
			// in a merge with conflicts, one input with this owner suffices
			if _, most := n.expectedRange(); len(c.Conflicts) == 0 && n[result] > most || slices.Max(n[:result]) == 0 || slices.Max(inside[:result]) == 0 {
				return c.newViolationAt(ruleAction, l.Above, l.Text, "%s prints into a different entry than the edits of both sides give", quoteLine(l.Output))
			}
		}
	}
	return nil
}

// checkLineOrder returns a violation if each side added one of two lines that follow each other in the result, and
// their order counts: two branches of a block, such as {{ else if .a }} and {{ else if .b }}, or two lines that print
// in the column of a list and of the mapping around it. If the first prints a field, the second cannot print an item.
func (c *checker) checkLineOrder() *Violation {
	if !c.isTemplate() {
		return nil
	}
	type group struct { // of lines whose order counts
		openedBy string        // the opening action, of the branches of a block
		list     uint64        // into which lines print
		above    *syntax.Entry // the last entry above these lines
	}
	type line struct {
		group
		text string
	}
	has := map[line]*[versions]bool{}
	for v, f := range c.facts {
		last := map[group]line{} // in the result
		for _, l := range f.Lines {
			x := line{group{openedBy: l.OpenedBy}, l.Text}
			if l.Prints {
				if list, isShared, _ := c.ownerOf(version(v), l); isShared {
					x.list = list
				}
			}
			if x.group == (group{}) {
				continue
			}
			if has[x] == nil {
				has[x] = &[versions]bool{}
			}
			_, _, inConflict := maskAt(c.masks[v], l.Span)
			if has[x][v] = true; version(v) != result || inConflict {
				continue
			}
			g := x.group
			if l.Prints {
				g.above = l.Above
			}
			before, now := has[last[g]], has[x]
			if before != nil && !before[base] && !now[base] && before[ours] != now[ours] && before[theirs] != now[theirs] {
				return c.newViolationAt(ruleAction, l.Above, l.Text, "the order of %s and %s is that of neither side", quoteLine(last[g].text), quoteLine(l.Text))
			}
			if last[g] = x; template.OnlyClosesBlocks([]byte(l.Text)) {
				delete(last, g)
			}
		}
	}
	return nil
}

// ownerOf returns the address of the mapping, list or value of v into which l prints: the innermost one that is open
// above l and not right of the column of the output or, if that column is not known, the last entry above l. isShared
// reports whether the owner is a list in the column of the mapping around it, into which l may print instead. isInside
// reports whether the output may split a collection, because more items of such a list, or more entries of a collection
// inside the owner, follow l. In git's line merge, the names of items are not a part of the address.
func (c *checker) ownerOf(v version, l template.Line) (addr uint64, isShared, isInside bool) {
	column := -1 // of the collection around n
	for n := c.docs[v]; ; {
		i := sort.Search(len(n.Children), func(i int) bool {
			k := &n.Children[i]
			return k.Entry != nil && k.Entry.Start > l.Start || k.Entry == nil && k.Span.Start > l.Start
		})
		if i == 0 {
			return addr, false, false
		}
		k := &n.Children[i-1]
		isOpen := len(k.Children) > 0 && k.Style == syntax.Block && k.Indent <= l.Column
		if l.Column >= 0 && !isOpen && (k.Entry == nil || n.Indent >= l.Column) {
			isShared = n.Indent == column
			return addr, isShared, isShared && i < len(n.Children) || k.lastStart() > l.Start
		}
		if k.Entry != nil {
			column = n.Indent
		}
		if n = k; c.maker != byLines {
			addr = c.addressOf(k)
		} else { // a side may have renamed an item
			addr = syntax.CombineHashes(addr, cmp.Or(k.KeyHash, nameless))
		}
	}
}

// lastStart returns the offset at which the last entry below n starts, at any depth, or -1 if there is none.
func (n *Node) lastStart() (start int) {
	start = -1
	for len(n.Children) > 0 && n.Children[len(n.Children)-1].Entry != nil {
		n = &n.Children[len(n.Children)-1]
		start = n.Entry.Start
	}
	return start
}
