package verify

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// An outputLine is an output line of a template, such as {{ include "x" . }}, and where it is.
type outputLine struct {
	addr uint64 // 0 for the whole file, otherwise a hash of the entry above the line and the named template around it
	text string // the body of its action
}

// outputBelow returns l, an output line of v, with the entry above it and the named template around it. Each named
// template (define) prints for itself.
func (c *checker) outputBelow(v version, l template.Line) outputLine {
	addr := uint64(1)
	if l.Above != nil {
		addr = c.addressOf(c.smallestAt(v, l.Above.Start))
	}
	if len(l.Guard) > 0 && strings.HasPrefix(l.Guard[0].Said, "define ") {
		addr = syntax.CombineHashes(addr, Hash(l.Guard[0].Said))
	}
	return outputLine{addr, l.Output}
}

// checkOutputLines returns a violation if the result has an output line, such as {{ include "x" . }}, more than once
// and more often than each input. If ours and theirs each added a copy, both may remain unless the same entry is above
// them. Lines in conflicts are counted like the others. The versions must be templates.
func (c *checker) checkOutputLines() *Violation {
	counts := occurrenceCounts[outputLine]{}
	for v, f := range c.facts {
		for _, l := range f.Lines {
			if l.Output != "" {
				counts.add(version(v), outputLine{text: l.Output})
				counts.add(version(v), c.outputBelow(version(v), l))
			}
		}
	}
	for _, l := range c.facts[result].Lines {
		if l.Output == "" {
			continue
		}
		n := counts[outputLine{text: l.Output}]
		if !n.exceedsInputs() || n[result] <= n.expectedRange().most && !counts[c.outputBelow(result, l)].exceedsInputs() {
			continue
		}
		r := ruleDuplicate
		if strings.Contains(l.Output, ":=") { // prints nothing
			r = ruleRepeated
		}
		return c.newViolationAt(r, l.Above, l.Text, "%s occurs more often than in base, ours or theirs", quoteLine(l.Output))
	}
	return nil
}

// checkOutputGuards returns a violation if an output line of the result is in other template blocks than the edits of
// both sides give it. If only one side added the line, and the other side put a block around a neighbor (entry or
// output line) or removed one, the same change is accepted around the line, and expected if it is around both
// neighbors. Lines in a conflict and repeated ones are ignored. The versions must be templates.
//
//	base                  ours                  result
//	p: 1                  {{ if .f }}           {{ if .f }}
//	{{ include "x" . }}   p: 1                  p: 1
//	                      {{ include "x" . }}   {{ end }}
//	                      {{ end }}             {{ include "x" . }}    violation
func (c *checker) checkOutputGuards() *Violation {
	if !slices.ContainsFunc(c.facts[result].Lines, func(l template.Line) bool { return l.Output != "" }) {
		return nil
	}
	var lists nodeVersions
	var lines [versions]map[*syntax.Node]*template.Line
	for v := range versions {
		lists[v], lines[v] = c.listOutputs(v)
	}
	g := &guardContext{checker: c, matches: c.match(lists, pairing{ID: dataOf})}
	g.matches = slices.DeleteFunc(g.matches, func(k *match) bool { return k.hasSeveral() })
	for _, k := range g.matches {
		q := k.nodes
		isDeletedByOne := q[base] != nil && (q[ours] == nil || q[theirs] == nil)
		isInvented := q[ours] == nil && q[theirs] == nil
		if q[result] == nil || isDeletedByOne || isInvented || q.isPartial() {
			continue
		}
		l := lines[result][q[result].Node]
		if l == nil {
			continue // an entry
		}
		counts, inConflict := g.countBlocksAround(k)
		if inConflict {
			continue
		}
		for _, branch := range slices.Sorted(maps.Keys(counts)) {
			n, expected := counts[branch][result], g.expectedAroundOutput(k, branch, counts[branch])
			if !expected.contains(n) {
				return c.newViolationAt(ruleAction, l.Above, l.Text, "%s: %s", quoteLine(l.Output), describeBlockCount(branch, n, expected.least))
			}
		}
	}
	return nil
}

// expectedAroundOutput returns how many template blocks with the given branch, such as "if .a / else", may be around
// output line k in the result. At least one side contains k. n are the numbers around k in the versions. If only one
// side added k, the other side may have changed the blocks around each of the two neighbors of k.
func (g *guardContext) expectedAroundOutput(k *match, branch string, n versionCounts) countRange {
	switch {
	case k.nodes[base] != nil:
		return n.expectedRange()
	case k.nodes[ours] != nil && k.nodes[theirs] != nil:
		return countRange{min(n[ours], n[theirs]), max(n[ours], n[theirs])}
	}
	s := k.nodes.anyNode().Version
	var changes []int32
	for _, m := range g.neighbors(k, s) {
		change := int32(0)
		if m.nodes[base] != nil {
			counts, _ := g.countBlocksAround(m)
			change = counts[branch].expectedRange().least - counts[branch][s]
		}
		changes = append(changes, change)
	}
	if len(changes) == 0 {
		return countRange{n[s], n[s]}
	}
	return countRange{max(n[s]+slices.Min(changes), 0), n[s] + slices.Max(changes)}
}

// An outputLister lists the output lines of one version between its entries. See listOutputs.
type outputLister struct {
	*checker
	version version
	list    *Node
	rest    []template.Line                 // the lines of the template below the last entry that is listed
	lines   map[*syntax.Node]*template.Line // the output line of each child of list that is one
}

// listOutputs returns the output lines of v, such as {{ include "x" . }}, and its entries at all depths, as a list of
// scalars in the order of the file. Data is a hash of the action, or of the path of the entry; Partial is true in a
// conflict. lines has the output lines by their children of list. listOutputs adds the template blocks around each
// child to c.nodeGuards. The versions must be templates.
func (c *checker) listOutputs(v version) (list *Node, lines map[*syntax.Node]*template.Line) {
	list = &Node{Node: syntax.NewNode(syntax.Sequence, 0), Version: v}
	o := &outputLister{c, v, list, c.facts[v].Lines, map[*syntax.Node]*template.Line{}}
	o.addEntriesBelow(c.docs[v], nil)
	o.addLinesBefore(math.MaxInt)
	return list, o.lines
}

// addEntriesBelow adds the entries below n at all depths, and the output lines above each, to the list. around are the
// template blocks around n.
func (o *outputLister) addEntriesBelow(n *Node, around []template.Level) {
	for i := range n.Children {
		k := &n.Children[i]
		levels := around
		if k.Entry != nil {
			levels = slices.Concat(around, o.guardOf(k))
			o.addLinesBefore(k.Entry.Start)
			o.add(text.Span{Start: k.Entry.Start, End: k.Entry.Start + 1}, o.addressOf(k)|1, levels)
		}
		o.addEntriesBelow(k, levels)
	}
}

// addLinesBefore adds the output lines before offset end that no earlier call added to the list.
func (o *outputLister) addLinesBefore(end int) {
	for ; len(o.rest) > 0 && o.rest[0].Start < end; o.rest = o.rest[1:] {
		if l := &o.rest[0]; l.Output != "" {
			o.lines[o.add(l.Span, Hash(l.Output)&^1, l.Guard)] = l
		}
	}
}

// add adds a child to the list, and returns its syntax node. at is its place, hash its Data, and levels are the template
// blocks around it.
func (o *outputLister) add(at text.Span, hash uint64, levels []template.Level) *syntax.Node {
	n := Node{Node: syntax.NewPlainScalar(at, ""), Version: o.version, Data: hash}
	_, _, n.Partial = maskAt(o.masks[o.version], at)
	o.nodeGuards[n.Node] = levels
	o.list.Children = append(o.list.Children, n)
	return n.Node
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
