package verify

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// An outputLine is an output line of a template, such as {{ include "x" . }}, and where it is.
type outputLine struct {
	addr uint64 // 0 anywhere in the file, otherwise a hash of the owner (see ownerOf) and of the named template around it
	text string // the body of its action
}

// outputInOwner returns the place and text of l, an output line of v. Lines with the same result print the same at the
// same place, so that they can be counted together. The place is the mapping, list or value into which l prints
// (ownerOf), and the named template ({{ define }}) around l, if any. It is never 0, which means the whole file.
func (c *checker) outputInOwner(v version, l template.Line) outputLine {
	addr := c.addressOf(c.ownerOf(v, l).node) | 1 // not 0
	if len(l.Guard) > 0 && strings.HasPrefix(l.Guard[0].Said, "define ") {
		addr = syntax.CombineHashes(addr, Hash(l.Guard[0].Said))
	}
	return outputLine{addr, l.Output}
}

// checkOutputLines returns a violation if the result has an output line, such as {{ include "x" . }}, more than once
// and more often than each input. If both sides added a copy, the result may have both, but not in one owner: one
// mapping, list or value into which they print. The versions must be templates.
//
//	copies in base    ours    theirs    result
//	1                 1       1         2         violation: both sides moved the line, for example
//	1                 2       2         3         correct if each copy has an owner of its own
func (c *checker) checkOutputLines() *Violation {
	counts := occurrenceCounts[outputLine]{} // anywhere in the file, and in each owner
	for v, f := range c.Facts {
		for _, l := range f.Lines {
			if l.Output != "" {
				counts.add(version(v), outputLine{text: l.Output})
				counts.add(version(v), c.outputInOwner(version(v), l))
			}
		}
	}
	for _, l := range c.Facts[result].Lines {
		n := counts[outputLine{text: l.Output}] // zero if l is not an output line
		if !n.exceedsInputs() {
			continue
		}
		if n[result] <= n.expectedRange().most && !counts[c.outputInOwner(result, l)].exceedsInputs() {
			continue // each side added a copy, in different owners
		}
		r := RuleDuplicate
		if strings.Contains(l.Output, ":=") { // prints nothing
			r = RuleRepeated
		}
		return c.newViolationAt(r, l.Above, l.Text, "%s occurs more often than in base, ours or theirs", quoteLine(l.Output))
	}
	return nil
}

// checkOutputGuards verifies the template blocks around the output lines of the result, such as {{ include "x" . }}. It
// returns a violation if such a line is not in the blocks that it has in the base, without those that a side removed
// and with those that a side added around it. In git's line merge, it may also be in a block, or not, as in any input.
// Lines are ignored that are repeated, in a conflict, deleted by a side, or in neither side. The versions must be
// templates.
//
//	base and theirs       ours                  result
//	p: 1                  {{ if .f }}           {{ if .f }}
//	{{ include "x" . }}   p: 1                  p: 1
//	                      {{ include "x" . }}   {{ end }}
//	                      {{ end }}             {{ include "x" . }}    violation: ours has it in "if .f"
func (c *checker) checkOutputGuards() *Violation {
	var byOwner [versions]map[uint64][]ownedLine // by the address of the owner
	for v, f := range c.Facts {
		byOwner[v] = map[uint64][]ownedLine{}
		for i := range f.Lines {
			if l := &f.Lines[i]; l.Output != "" {
				n := c.ownerOf(version(v), *l).node
				byOwner[v][c.addressOf(n)] = append(byOwner[v][c.addressOf(n)], ownedLine{l, n})
			}
		}
	}
	for _, owner := range slices.Sorted(maps.Keys(byOwner[result])) {
		var lists nodeVersions // the output lines and the entries of the owner as one list, so that match can pair them
		for v := range versions {
			lists[v] = c.listOutputs(v, owner, byOwner[v][owner])
		}
		if bad := c.checkGuardsOfLines(byOwner[result][owner], lists); bad != nil {
			return bad
		}
	}
	return nil
}

// checkGuardsOfLines returns a violation if one of lines is in other template blocks than the edits of both sides give
// (see checkOutputGuards). lines are the output lines of one owner in the result. lists has the output lines and
// entries of the owner in each version (listOutputs).
func (c *checker) checkGuardsOfLines(lines []ownedLine, lists nodeVersions) *Violation {
	g := &guardContext{checker: c, matches: c.match(lists, pairing{ID: dataOf})}
	g.matches = slices.DeleteFunc(g.matches, func(k *match) bool { return k.hasSeveral() })
	isInConflict := func(n *Node) bool { return maskAt(c.masks[n.Version], n.Span).state != outside }
	for _, k := range g.matches {
		q := k.nodes
		isDeletedByOne := q[base] != nil && (q[ours] == nil || q[theirs] == nil)
		isInvented := q[ours] == nil && q[theirs] == nil
		if q[result] == nil || isDeletedByOne || isInvented || q.hasNode(isInConflict) {
			continue
		}
		i, isLine := slices.BinarySearchFunc(lines, q[result].Span.Start, func(x ownedLine, start int) int { return x.line.Start - start })
		if !isLine { // an entry
			continue
		}
		if bad := g.checkGuard(k); bad != nil {
			l := lines[i].line
			return c.newViolationAt(RuleAction, l.Above, l.Text, "%s: %s", quoteLine(l.Output), bad.Detail)
		}
	}
	return nil
}

// An ownedLine is an output line of a template, and its owner (see ownerOf).
type ownedLine struct {
	line  *template.Line
	owner *Node
}

// listOutputs returns the output lines of an owner in v (owned), and the entries at its address (owner), as a list of
// scalars in the order of the file, to match them between versions. Each scalar has the span of the line, or of the
// first byte of the entry. The blocks around it are recorded in c.nodeGuards.
func (c *checker) listOutputs(v version, owner uint64, owned []ownedLine) *Node {
	list := &Node{Node: syntax.NewNode(syntax.Sequence, 0), Version: v}
	add := func(at text.Span, hash uint64, levels []template.Level) {
		n := syntax.NewPlainScalar(at, "")
		c.nodeGuards[n] = levels
		list.Children = append(list.Children, Node{Node: n, Version: v, Data: hash})
	}
	for _, x := range owned {
		outer := 0 // number of blocks around the owner, which are not blocks around a line within it
		if e := x.owner.Entry; e != nil && e.Guard != nil {
			outer = min(len(e.Guard.Levels), len(x.line.Guard))
		}
		// even hashes are output lines, odd ones entries, so that a line never matches an entry
		add(x.line.Span, Hash(x.line.Output)&^1, x.line.Guard[outer:])
	}
	for _, n := range c.nodesWithAddress(v, owner) {
		for i := range n.Children {
			if k := &n.Children[i]; k.Entry != nil {
				add(text.Span{Start: k.Entry.Start, End: k.Entry.Start + 1}, c.addressOf(k)|1, c.guardOf(k))
			}
		}
	}
	slices.SortStableFunc(list.Children, func(a, b Node) int { return a.Span.Start - b.Span.Start })
	return list
}

// newViolationAt returns a violation of rule r at e, an entry of the result, and at the entries with the same path in
// the inputs. If e is nil, the violation has no position. Its Subject is line, which may be "". format and a give its
// Detail, as in fmt.Sprintf.
func (c *checker) newViolationAt(r Rule, e *syntax.Entry, line, format string, a ...any) *Violation {
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
