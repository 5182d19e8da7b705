package verify

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// checkActions returns the first violation in what the lines of a template print: an output line in other blocks than
// the edits of both sides give (checkOutputGuards), an output in another column (checkColumns), or a block that is
// merged as text below another entry (checkTextBlocks). It returns nil if the versions are not templates.
func (c *checker) checkActions() *Violation {
	if !c.isTemplate() {
		return nil
	}
	return cmp.Or(c.checkOutputGuards(), c.checkColumns(), c.checkTextBlocks())
}

// checkOutputLines returns a violation if the result has an output line, such as {{ include "x" . }}, more than once
// and more often than each input. If ours and theirs each added a copy, both may remain unless the same entry is above
// them. Lines in conflicts are counted like the others. The versions must be templates.
func (c *checker) checkOutputLines() *Violation {
	type line struct {
		addr uint64 // 0 for the whole file
		text string
	}
	counts := occurrenceCounts[line]{}
	// the line with the last entry above it and the named template around it
	lineBelow := func(v version, l template.Line) line {
		addr := uint64(1)
		if l.Above != nil {
			addr = c.addressOf(c.smallestAt(v, l.Above.Start))
		}
		if len(l.Guard) > 0 && strings.HasPrefix(l.Guard[0].Said, "define ") { // each definition prints for itself
			addr = syntax.CombineHashes(addr, Hash(l.Guard[0].Said))
		}
		return line{addr, l.Output}
	}
	for v, f := range c.facts {
		for _, l := range f.Lines {
			if l.Output != "" {
				counts.add(version(v), line{0, l.Output})
				counts.add(version(v), lineBelow(version(v), l))
			}
		}
	}
	for _, l := range c.facts[result].Lines {
		n := counts[line{0, l.Output}]
		if l.Output == "" || !n.exceedsInputs() {
			continue
		}
		if _, most := n.expectedRange(); n[result] > most || counts[lineBelow(result, l)].exceedsInputs() {
			r := ruleDuplicate
			if strings.Contains(l.Output, ":=") { // prints nothing
				r = ruleRepeated
			}
			return c.newViolationAt(r, l.Above, l.Text, "%s occurs more often than in base, ours or theirs", quoteLine(l.Output))
		}
	}
	return nil
}

// checkOutputGuards returns a violation if an output line of the result is in other template blocks than the edits of
// both sides give it. If only one side added the line, and the other side put a block around a neighbor (entry or
// output line) or removed one, the same change is accepted around the line, and expected if it is around both
// neighbors. Lines in a conflict and repeated ones are ignored.
//
//	base                  ours                  result
//	p: 1                  {{ if .f }}           {{ if .f }}
//	{{ include "x" . }}   p: 1                  p: 1
//	                      {{ include "x" . }}   {{ end }}
//	                      {{ end }}             {{ include "x" . }}    violation
func (c *checker) checkOutputGuards() *Violation {
	if !c.isTemplate() || !slices.ContainsFunc(c.facts[result].Lines, func(l template.Line) bool { return l.Output != "" }) {
		return nil
	}
	printed, inBase := map[*syntax.Node]*template.Line{}, map[string]bool{}
	for _, l := range c.facts[base].Lines {
		inBase[l.Output] = true
	}
	// The entries around a line only matter if a side added it.
	withEntries := slices.ContainsFunc(c.facts[result].Lines, func(l template.Line) bool { return l.Output != "" && !inBase[l.Output] })
	var lists nodeVersions
	for v := range versions {
		lists[v] = c.listOutputs(v, withEntries, printed)
	}
	g := &guardContext{checker: c, matches: slices.DeleteFunc(c.match(lists, pairing{ID: dataOf}), func(k *match) bool { return k.hasSeveral() })}
	for _, k := range g.matches {
		// not verified: entries, lines that the result or both sides lack, and lines in a conflict
		if k.nodes[result] == nil || printed[k.nodes[result].Node] == nil || k.nodes[ours] == nil && k.nodes[theirs] == nil || k.nodes.hasNode(func(n *Node) bool { return n.Partial }) {
			continue
		}
		if b := k.nodes[base]; b != nil && (k.nodes[ours] == nil || k.nodes[theirs] == nil) {
			continue // a side deleted the line
		}
		counts, isPartial := g.countBlocksAround(k)
		for _, branch := range slices.Sorted(maps.Keys(counts)) {
			least, most := g.expectedBlockCount(k, branch, counts[branch])
			if n := counts[branch][result]; !isPartial && (n < least || n > most) {
				l := printed[k.nodes[result].Node]
				return c.newViolationAt(ruleAction, l.Above, l.Text, "%s: %s", quoteLine(l.Output), describeBlockCount(branch, n, least))
			}
		}
	}
	return nil
}

// expectedBlockCount returns the limits for the number of template blocks with the given branch, such as "if .a /
// else", around output line k in the result. At least one side contains k. n are the numbers around k in the versions.
// If only one side added k, the limits follow the changes that the other side made around each of the two neighbors of
// k.
func (g *guardContext) expectedBlockCount(k *match, branch string, n versionCounts) (least, most int32) {
	switch {
	case k.nodes[base] != nil:
		return n.expectedRange()
	case k.nodes[ours] != nil && k.nodes[theirs] != nil:
		return min(n[ours], n[theirs]), max(n[ours], n[theirs])
	}
	// the change of each neighbor is allowed; without neighbors, the number remains
	s := k.nodes.anyNode().Version
	least, most = n[s], n[s]
	for i, m := range g.neighbors(k, s) {
		counts, _ := g.countBlocksAround(m)
		change := int32(0)
		if near := counts[branch]; m.nodes[base] != nil {
			change, _ = near.expectedRange()
			change -= near[s]
		}
		if i == 0 {
			least, most = n[s]+change, n[s]+change
		}
		least, most = min(least, n[s]+change), max(most, n[s]+change)
	}
	return max(least, 0), most
}

// listOutputs returns the output lines of v, such as {{ include "x" . }}, as a list of scalars in the order of the
// file. Data is a hash of the action; Partial is true in a conflict. If withEntries is true, the list also has a scalar
// for each entry of v at all depths, with a hash of its path as Data. The versions must be templates. listOutputs adds
// the template blocks around each child to c.nodeGuards, and the output lines to printed, by the syntax node of the
// child.
func (c *checker) listOutputs(v version, withEntries bool, printed map[*syntax.Node]*template.Line) *Node {
	lines, list := c.facts[v].Lines, &Node{Node: syntax.NewNode(syntax.Sequence, 0), Version: v}
	add := func(at text.Span, hash uint64, levels []template.Level) *syntax.Node {
		n := Node{Node: syntax.NewPlainScalar(at, ""), Version: v, Data: hash}
		_, _, n.Partial = maskAt(c.masks[v], at)
		c.nodeGuards[n.Node] = levels
		list.Children = append(list.Children, n)
		return n.Node
	}
	addOutputsBefore := func(end int) {
		for ; len(lines) > 0 && lines[0].Start < end; lines = lines[1:] {
			if l := &lines[0]; l.Output != "" {
				printed[add(l.Span, Hash(l.Output)&^1, l.Guard)] = l
			}
		}
	}
	var visit func(n *Node, around []template.Level)
	visit = func(n *Node, around []template.Level) {
		for i := range n.Children {
			k := &n.Children[i]
			levels := around
			if own := c.guardOf(k); k.Entry != nil && len(own) > 0 {
				levels = slices.Concat(around, own)
			}
			if k.Entry != nil {
				addOutputsBefore(k.Entry.Start)
				add(text.Span{Start: k.Entry.Start, End: k.Entry.Start + 1}, c.addressOf(k)|1, levels)
			}
			visit(k, levels)
		}
	}
	if withEntries {
		visit(c.docs[v], nil)
	}
	addOutputsBefore(math.MaxInt)
	return list
}

// checkColumns returns a violation if the result has an action such as {{ include "x" . | nindent 4 }}, which indents
// its output by a fixed number, in a line with an indentation at which no input has the action. The output would not be
// in the mapping that it belongs to. The versions must be templates.
func (c *checker) checkColumns() *Violation {
	f := c.facts
	for _, x := range slices.SortedFunc(maps.Keys(f[result].IndentedOutputs), template.IndentedOutput.Compare) {
		if !slices.ContainsFunc(f[:result], func(f *template.Facts) bool { _, has := f.IndentedOutputs[x]; return has }) {
			return c.newViolationAt(ruleAction, f[result].IndentedOutputs[x], "", "%s is indented differently than in base, ours and theirs", quoteLine(x.Action))
		}
	}
	return nil
}

// newViolationAt returns a violation of rule r at e, an entry of the result, and at the entries with the same path in
// the inputs. If e is nil, it has no position. Its Subject is line, which may be "". format and a give its Detail, as
// in fmt.Sprintf.
func (c *checker) newViolationAt(r rule, e *syntax.Entry, line, format string, a ...any) *Violation {
	var q nodeVersions
	if e != nil {
		q = c.nodesAt(result, e.Start)
	}
	violation := q.newViolation(r, format, a...)
	violation.Subject = line
	return violation
}

// quoteLine returns s, a line of a file or a part of it, in quotes for a message. Special characters are escaped as in
// Go. The quotes are double ones, or single ones if s contains double quotes and no single ones: '{{ include "x" . }}'.
func quoteLine(s string) string {
	q := strconv.Quote(s)
	if !strings.Contains(s, `"`) || strings.Contains(s, "'") {
		return q
	}
	return "'" + strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`) + "'"
}
