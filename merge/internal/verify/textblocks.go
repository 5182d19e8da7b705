package verify

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// verifyText returns a violation if the result of q, a scalar that both sides changed or that is partly in a conflict,
// is not the merge of its lines. If a person resolved a conflict in q, at most the lines beside it are verified.
func (c *checker) verifyText(q nodeVersions) *Violation {
	isResolved := c.hasResolvedConflict(q)
	isMixed := q.hasNode(func(n *Node) bool { return n.IsBlockScalar() != q[result].IsBlockScalar() })
	switch {
	case isResolved && (isMixed || q[base] == nil):
		return nil
	case isResolved:
		return c.verifyTextBesideResolved(q)
	case isMixed || q[base] == nil && !q.isPartial():
		return q.conflictViolation()
	case q[base] == nil: // partly in a conflict
		return c.verifyTextAddedByBoth(q)
	}
	return c.verifyMergedText(q)
}

// verifyTextAddedByBoth returns a violation for text q, which both sides added and which is partly in a conflict,
// unless the result has the lines and the start, such as >-, of a side that contains all lines of the other one in
// their order. Lines in the conflict need not be contained.
func (c *checker) verifyTextAddedByBoth(q nodeVersions) *Violation {
	lines, header := nodeVersions(mapVersions(q, c.textLines)), mapVersions(q, c.scalarHeader)
	for _, s := range sides {
		isSide := header[s] == header[result] && lines[s].Data == lines[result].Data
		if isSide && containsAll(lines[s], lines[s.Other()]) {
			return nil
		}
	}
	return q.conflictViolation()
}

// verifyTextBesideResolved verifies the lines of text q beside a conflict that a person resolved. It returns a
// violation if the result lacks a line that one side added, or still has one that a side deleted. Blank lines, and
// lines that equal one in the conflict, are ignored.
func (c *checker) verifyTextBesideResolved(q nodeVersions) *Violation {
	lines := nodeVersions(mapVersions(q, c.textLines))
	matches := c.match(lines, pairing{ID: ByValue})
	for _, k := range matches {
		if k.hasMasked || strings.TrimSpace(k.nodes.anyNode().Value) == "" {
			continue
		}
		if x := c.verifyBesideResolved(nil, k, matches); x != nil {
			return q.newViolation(x.Rule, "%s", x.Detail)
		}
	}
	return nil
}

// verifyMergedText returns a violation if the result of q, a text in all versions, is not the merge of its lines
// outside of conflicts: if it lacks a line that one side added, has one that a side deleted, or has them in another
// order than a side. The start of the value, such as >-, and the line breaks at its end must be merged, too.
//
//	base    ours    theirs    result
//	a       a       x         a         violation: theirs' x is lost
//	b       b       a         b
//	c       d       b         d
//	                c
//
// It is also a violation if each side has at most one line and no part is in a conflict, if it is unknown which of
// several equal lines a side deleted or added, or if the number of copies or the template blocks of a line are wrong.
// In git's line merge, the lines and the start are not compared with the merge; everything else is verified.
func (c *checker) verifyMergedText(q nodeVersions) *Violation {
	lines, header := nodeVersions(mapVersions(q, c.textLines)), mapVersions(q, c.scalarHeader)
	if x := q.checkTextEnd(); x != nil {
		return x
	}
	if !q.isPartial() && len(lines[ours].Children) < 2 && len(lines[theirs].Children) < 2 {
		return q.conflictViolation()
	}
	// without lines in a conflict; each version is alone, because linesOfSides adds the base's lines
	unmasked := mapVersions(lines, func(n *Node) []*Node { return nodeVersions{result: n}.members(result) })
	a := align(unmasked, dataOf)
	split := a.checkSplitDuplicates()
	switch {
	case split != nil:
		return q.newViolation(split.Rule, "%s", split.Detail)
	case c.maker != byLines && differsFromMerge(header):
		return q.newViolation(RuleText, "the value starts with %q in the result, %q in ours and %q in theirs", header[result], header[ours], header[theirs])
	case c.maker != byLines && !isInterleaving(a.linesOfSides(), unmasked[result]):
		return q.newViolation(RuleText, "the text lacks a line of one side, has a line of neither side, or has the lines in another order")
	}
	return cmp.Or(c.checkLineCounts(q, lines), c.checkTextGuards(lines))
}

// checkTextEnd returns a violation if block scalar q (| or >) ends with another number of line breaks than the edits of
// both sides give. For example, a blank line below the text becomes a part of it if the other side writes |+ for |. It
// returns nil if the base lacks q, or if a part of q is in a conflict.
func (q nodeVersions) checkTextEnd() *Violation {
	if q[base] == nil || q.isPartial() || q.hasNode(func(n *Node) bool { return !n.IsBlockScalar() }) {
		return nil
	}
	breaks := mapVersions(q, func(n *Node) int { return len(n.Value) - len(strings.TrimRight(n.Value, "\n")) })
	if want, ok := choose(breaks); ok && want != breaks[result] {
		return q.newViolation(RuleText, "the text ends with %d line breaks, expected %d", breaks[result], want)
	}
	return nil
}

// scalarHeader returns the characters that determine how the text of scalar n is read: its opening quote, or the
// indicators of a block scalar without the indentation.
//
//	a: plain    ""
//	a: 'x'      "'"
//	a: |        "|"
//	a: >-       ">-"
//	a: |2+      "|+"
func (c *checker) scalarHeader(n *Node) string {
	b := string(c.files[n.Version].Slice(n.Content))
	switch {
	case !n.IsBlockScalar() && n.Style == syntax.Plain:
		return ""
	case n.IsBlockScalar():
		b = b[:min(3, len(b))] // style, chomping and indentation, in either order
		if i := strings.IndexAny(b, "+-"); i > 0 {
			return b[:1] + b[i:i+1]
		}
	}
	return b[:1]
}

// textLines returns the lines of scalar n, without indentation and line ends, as a list of scalars, so that a text is
// verified like a list. The scalars have their spans, and marks if they are in a conflict. The result must not be
// changed.
func (c *checker) textLines(n *Node) *Node {
	if all := c.textLists[n.Node]; all != nil {
		return all
	}
	list := &Node{Node: syntax.NewNode(syntax.Sequence, 0), Version: n.Version, conflict: n.conflict}
	file, at := c.files[n.Version], n.Content
	if n.IsBlockScalar() {
		at = n.Lines
	}
	for start := at.Start; start < at.End; {
		line := text.Span{Start: start, End: min(file.LineEnd(start), at.End)}
		start = line.End
		s := strings.TrimRight(string(file.Slice(line)), "\r\n")
		if n.IsBlockScalar() {
			s = s[min(n.Indent, len(s)-len(strings.TrimLeft(s, " "))):]
		} else {
			s = strings.TrimSpace(s)
		}
		list.Children = append(list.Children, Node{
			Node: syntax.NewPlainScalar(line, s), Version: n.Version, conflict: maskAt(c.masks[n.Version], line).state,
			Data: Hash(s) | 1, // 0 would equal no other line
		})
	}
	list.computeHashes()
	c.textLists[n.Node] = list
	return list
}

// checkLineCounts returns a violation if the result has a line of text q too often or too rarely, in these cases.
// lines has the lines of q in each version; none may be nil. Lines such as fi, which belong to a block, are ignored.
//
//	base    ours    theirs    result
//	1       1       1         2         both sides moved it
//	1       0       1         1         one side deleted it, the other moved it; not for lines in conflicts
//	2       1       1         0         each side deleted a different copy; only in git's line merge
func (c *checker) checkLineCounts(q, lines nodeVersions) *Violation {
	counts := occurrenceCounts[uint64]{} // by data hash, with lines in conflicts
	for v, n := range lines {
		for i := range n.Children {
			counts.add(version(v), n.Children[i].Data)
		}
	}
	for i := range lines[base].Children {
		if l := &lines[base].Children[i]; c.maker == byLines && counts[l.Data].bothRemovedCopy() && !isBlockLine(l.Value) {
			return q.newViolation(RuleSplitDuplicate, "each side deleted a different copy of %s", l.Summary())
		}
	}
	for i := range lines[result].Children {
		l := &lines[result].Children[i]
		n := counts[l.Data]
		isDeletedByOne := n.isDeletedByOther(ours) || n.isDeletedByOther(theirs)
		switch {
		case isBlockLine(l.Value):
		case n.hasExtraCopy():
			return q.newViolation(RuleRepeated, "both sides moved %s, and the result has both copies", l.Summary())
		case isDeletedByOne && c.demands(RuleDeletedItemKept) && !c.isLineInConflict(lines, l.Data):
			return q.newViolation(RuleDeletedItemKept, "one side deleted %s and the other moved it", l.Summary())
		}
	}
	return nil
}

// blockWords are words of scripts that often are a line of their own, and belong to the block that they open, close or
// leave.
var blockWords = [...]string{"begin", "break", "catch", "continue", "do", "done", "else", "end", "endif", "EOF", "esac", "fi", "return", "then", "try"}

// isBlockLine reports whether line only opens, closes or leaves a block of a script or template, as {{ end }} or "}
// else {". A line without a letter or digit counts, too. It belongs to its block, so an equal line elsewhere is not a
// move.
func isBlockLine(line string) bool {
	word := strings.TrimFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return word == "" || slices.Contains(blockWords[:], word) || template.OnlyClosesBlocks([]byte(line))
}

// isLineInConflict reports whether base, ours or theirs has a line with this data hash in a conflict. lines has the
// lines of a text in each version, as the children of a node, none of which may be nil.
func (c *checker) isLineInConflict(lines nodeVersions, data uint64) bool {
	for v, n := range lines[:result] {
		isInConflict := func(l Node) bool { return l.Data == data && c.isSpanInConflict(version(v), l.Span) }
		if slices.ContainsFunc(n.Children, isInConflict) {
			return true
		}
	}
	return false
}

// checkTextGuards returns a violation if a line of a text, such as a script, is in other template blocks than the
// edits of both sides give. lines has the lines of each version. Blank and repeated lines are ignored.
//
//	script: |
//	  {{ if .debug }}
//	  set -x           # in the block "if .debug"
//	  {{ end }}
//	  run
func (c *checker) checkTextGuards(lines nodeVersions) *Violation {
	for v, n := range lines {
		if len(n.Children) == 0 {
			continue
		}
		var spans []text.Span
		for i := range n.Children {
			spans = append(spans, n.Children[i].Span)
		}
		whole := text.Span{Start: spans[0].Start, End: spans[len(spans)-1].End}
		for i, levels := range template.LevelsOfLines(c.files[v].Bytes(), whole, spans) {
			c.nodeGuards[n.Children[i].Node] = levels
		}
	}
	matches := c.match(lines, pairing{ID: ByValue})
	return c.checkGuards(slices.DeleteFunc(matches, func(k *match) bool { return k.hasSeveral() || strings.TrimSpace(k.nodes.anyNode().Value) == "" }))
}

// A textLine is a line that a side contributes to the result: a line of the base that both sides kept, or a line that
// the side added between two lines of the base that it kept.
type textLine struct {
	hash     uint64 // data hash of the line
	from, to int    // the lines of the base in place of which it is: from to to-1
	isAdded  bool   // by the side; false for a line of the base
}

// isAbove reports whether x must be above y in the merge, because x is above y in the base or was added above it. x and
// y are lines of different sides. Two lines that the sides added at one place may have either order.
func (x textLine) isAbove(y textLine) bool {
	return x.to <= y.from && x.from < y.to
}

// linesOfSides returns the lines that each side contributes to the merge of a text: lines of the base that both sides
// kept, and lines that the side added. In a conflict, the side that was not chosen contributes lines as if it had kept
// the lines of the base.
//
//	base    ours    theirs    contributed by ours    by theirs
//	a       a       a         a                      a
//	b       x                 x
//	c       c       c         c                      c
func (a *alignment) linesOfSides() (given [result][]textLine) {
	lines := a.members[base]
	isKept := func(i int) bool {
		isKeptByOurs := a.counterparts[ours][i] != nil || lines[i].conflict == countsForOurs
		return isKeptByOurs && (a.counterparts[theirs][i] != nil || lines[i].conflict == countsForTheirs)
	}
	for _, s := range sides {
		next := 0                  // the first line of the base that is not done
		addKept := func(end int) { // adds the lines of the base from next to end-1 that both sides kept
			for ; next < end; next++ {
				if isKept(next) {
					given[s] = append(given[s], textLine{hash: lines[next].Data, from: next, to: next + 1})
				}
			}
		}
		for _, e := range a.edits[s] {
			addKept(e.base.End)
			for _, line := range a.members[s][e.side.Start:e.side.End] {
				given[s] = append(given[s], textLine{hash: line.Data, from: e.base.Start, to: e.base.End, isAdded: true})
			}
		}
		addKept(len(lines))
	}
	return given
}

// maxInterleavings is the maximum number of positions that isInterleaving tracks at once.
const maxInterleavings = 256

// isInterleaving reports whether lines, a text of the result, has all lines that the sides contribute (given), in the
// order of each side, and no others. A line that both sides added may occur once or twice. It returns false if more
// than maxInterleavings possibilities have to be tracked at once.
//
//	ours     theirs    lines      result
//	a, x     a, y      a, x, y    true
//	a, x     a, y      a, y, x    true        x and y are added
//	a, x     a, y      x, a, y    false
func isInterleaving(given [result][]textLine, lines []*Node) bool {
	positions := [][2]int{{}} // the possible numbers of lines of ours and theirs that are above the next line
	for _, line := range lines {
		var next [][2]int
		for _, above := range positions {
			for _, step := range nextSteps(given[ours][above[0]:], given[theirs][above[1]:], line.Data) {
				if position := [2]int{above[0] + step[0], above[1] + step[1]}; !slices.Contains(next, position) {
					next = append(next, position)
				}
			}
		}
		if positions = next; len(positions) == 0 || len(positions) > maxInterleavings {
			return false
		}
	}
	return slices.Contains(positions, [2]int{len(given[ours]), len(given[theirs])})
}

// nextSteps returns how the next line of the result, with this data hash, can use up lines of o and t, the unused lines
// of ours and theirs. It returns nil if the line cannot come next.
//
//	{1, 0}    a line that ours added
//	{0, 1}    a line that theirs added
//	{1, 1}    a line that both kept, or both added
func nextSteps(o, t []textLine, hash uint64) (steps [][2]int) {
	canTake := func(own, other []textLine) bool { // own begins with the line, which may be above the first line of other
		beginsWithLine := len(own) > 0 && own[0].hash == hash
		return beginsWithLine && (len(other) == 0 || !other[0].isAbove(own[0]))
	}
	canTakeO, canTakeT := canTake(o, t), canTake(t, o)
	if canTakeO && o[0].isAdded {
		steps = append(steps, [2]int{1, 0})
	}
	if canTakeT && t[0].isAdded {
		steps = append(steps, [2]int{0, 1})
	}
	if canTakeO && canTakeT && o[0].isAdded == t[0].isAdded {
		steps = append(steps, [2]int{1, 1})
	}
	return steps
}
