package verify

import (
	"slices"
	"strings"
	"unicode"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// verifyText returns a violation if the value of q, a scalar that both sides changed differently or that is partly in a
// conflict, is not the merge line by line. The result must have the lines that both sides kept and those that each side
// added, in the order of each side. Every result is a violation if neither side has several lines, if only some
// versions are block scalars, or if the base lacks q and it is not in a conflict. If a person resolved a conflict in
// the text, only edits outside of the conflict are verified.
func (c *checker) verifyText(q nodeVersions) *Violation {
	b, r := q[base], q[result]
	decided := c.maker == byPerson && q.isPartial()
	// without the base, or as a block scalar in some versions only, a text cannot be merged
	if b == nil && (decided || !q.isPartial()) || q.hasNode(func(n *Node) bool { return n.IsBlockScalar() != r.IsBlockScalar() }) {
		if decided {
			return nil
		}
		return q.conflictViolation()
	}
	var lines nodeVersions
	for v, n := range q {
		if n != nil {
			lines[v] = c.textLines(n)
		}
	}
	if b == nil {
		// added by both, and partly in a conflict: a side must contain the lines of the other one
		if header := mapVersions(q, c.scalarHeader); header[ours] != header[result] || header[theirs] != header[result] || !lines.hasLinesOfBoth() {
			return q.conflictViolation()
		}
		return nil
	}
	if decided {
		if r := lines.checkDecidedText(); r != nil {
			return q.newViolation(r.rule, "%s", r.Detail)
		}
		return nil
	}
	if !q.isPartial() && len(lines[ours].Children) < 2 && len(lines[theirs].Children) < 2 {
		return q.conflictViolation()
	}
	if lines.isTextEmptied() && c.demands(ruleEmptied) {
		return q.newViolation(ruleEmptied, "each side deleted a part, and nothing is left")
	}
	if bad := checkSplitDuplicates(mapVersions(lines, (*Node).UnmaskedChildren), ByValue); bad != nil {
		return q.newViolation(bad.rule, "%s", bad.Detail)
	}
	if header := mapVersions(q, c.scalarHeader); differsFromMerge(header) && c.demands(ruleText) {
		return q.newViolation(ruleText, "the value starts with %q in the result, %q in ours and %q in theirs", header[result], header[ours], header[theirs])
	}
	resultLines := lines[result].UnmaskedChildren()
	sideLines := linesOfSides(lines[base].UnmaskedChildren(), [2][]*Node{lines[ours].UnmaskedChildren(), lines[theirs].UnmaskedChildren()})
	if c.demands(ruleText) && !isInterleaving(sideLines, resultLines) {
		return q.newViolation(ruleText, "the text lacks a line of one side, has a line of neither side, or has the lines in another order")
	}
	counts, addedByBoth := lines.countChildren(dataOf, false), linesAddedByBoth(sideLines)
	if bad := c.checkLineCounts(q, lines); bad != nil {
		return bad
	}
	if c.maker == byFields {
		if bad := q.checkBothOrders(c.match(lines, pairing{ID: ByValue})); bad != nil {
			return bad
		}
	}
	// a line that both sides added must occur once, even if they added it at different places
	for _, l := range resultLines {
		if addedByBoth[l.Data] && strings.TrimSpace(l.Value) != "" && counts[l.Data].exceedsInputs() && !template.OnlyClosesBlocks([]byte(l.Value)) {
			return q.newViolation(ruleRepeated, "both sides added %s, and the result has both copies", l.Summary())
		}
	}
	return c.checkTextGuards(lines)
}

// checkTextEnd returns a violation if the block scalar (| or >) q ends with another number of line breaks in the result
// than the edits of both sides give. If ours writes |+ for |, and theirs adds a blank line below, git's line merge
// makes this line a part of the text, although neither side has it there. It returns nil if both sides changed the
// number differently, if the base lacks q, or if q is partly in a conflict.
func (q nodeVersions) checkTextEnd() *Violation {
	if q[base] == nil || q.isPartial() || q.hasNode(func(n *Node) bool { return !n.IsBlockScalar() }) {
		return nil
	}
	breaks := mapVersions(q, func(n *Node) int { return len(n.Value) - len(strings.TrimRight(n.Value, "\n")) })
	if want, ok := choose(breaks); ok && want != breaks[result] {
		return q.newViolation(ruleTextEnd, "the text ends with %d line breaks, expected %d", breaks[result], want)
	}
	return nil
}

// isTextEmptied reports whether the result of a text has no lines or only blank ones, although each input has a line
// that is not blank. lines has the lines in each version, as the children of a node, none of which may be nil.
func (lines nodeVersions) isTextEmptied() bool {
	isBlank := mapVersions(lines, func(n *Node) bool {
		return !slices.ContainsFunc(n.Children, func(l Node) bool { return l.isNonBlank() })
	})
	return isBlank == [versions]bool{result: true}
}

// checkLineCounts returns a violation if the result of the text q has a line too often or not often enough. lines has
// the lines of q in each version; none may be nil. Only these numbers are violations, whether or not a side moved the
// line:
//
//	base    ours    theirs    result
//	n       n       n         more      probably moved by both; n is at least 1
//	1       0       1         1         deleted by one side, probably moved by the other
//	2       1       1         0         each side deleted a different copy (findLostCopy; only in git's line merge)
//
// Lines that only open, close or leave a block, such as fi, are ignored.
func (c *checker) checkLineCounts(q, lines nodeVersions) *Violation {
	if c.maker == byLines {
		if l := lines.findLostCopy(ByValue); l != nil {
			return q.newViolation(ruleSplitDuplicate, "each side deleted a different copy of %s", l.Summary())
		}
	}
	counts := lines.countChildren(dataOf, true)
	for i := range lines[result].Children {
		l := &lines[result].Children[i]
		n := counts[l.Data]
		isUndone := (n == versionCounts{1, 0, 1, 1} || n == versionCounts{1, 1, 0, 1})
		switch {
		case !isUndone && !n.hasExtraCopy() || isBlockLine(l.Value):
		case !isUndone:
			return q.newViolation(ruleRepeated, "both sides moved %s, and the result has both copies", l.Summary())
		case !c.isLineInConflict(lines, l.Data) && c.demands(ruleDeletedItemKept):
			return q.newViolation(ruleDeletedItemKept, "one side deleted %s and the other moved it", l.Summary())
		}
	}
	return nil
}

// blockWords are words of scripts that often are a line of their own, and belong to the block that they open, close or
// leave.
var blockWords = [...]string{"begin", "break", "catch", "continue", "do", "done", "else", "end", "endif", "EOF", "esac", "fi", "return", "then", "try"}

// isBlockLine reports whether line only opens, closes or leaves a block of a script or a template, such as "} else {",
// fi, return or {{ end }}, or has no letter or digit. Such a line is a part of its block: if one is deleted and an
// equal one is added, it was not moved.
func isBlockLine(line string) bool {
	word := strings.TrimFunc(line, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return word == "" || slices.Contains(blockWords[:], word) || template.OnlyClosesBlocks([]byte(line))
}

// isLineInConflict reports whether base, ours or theirs has a line with this data hash in a conflict. lines has the
// lines of a text in each version, as the children of a node, none of which may be nil.
func (c *checker) isLineInConflict(lines nodeVersions, data uint64) bool {
	for v, n := range lines[:result] {
		for i := range n.Children {
			l := &n.Children[i]
			if l.Data == data && slices.ContainsFunc(c.Conflicts, func(k Conflict) bool { return k.At[v].Contains(l.Span) }) {
				return true
			}
		}
	}
	return false
}

// hasLinesOfBoth reports whether the result has exactly the lines of one side, and that side contains all lines of the
// other side in the same order. lines are the lines of a text that both sides added. Lines in a conflict that are
// ignored (masked) do not count.
func (lines nodeVersions) hasLinesOfBoth() bool {
	equal := func(a, b *Node) bool { return a.Data == b.Data }
	for _, s := range sides {
		side, rest := lines[s].UnmaskedChildren(), lines[s.Other()].UnmaskedChildren()
		if !slices.EqualFunc(side, lines[result].UnmaskedChildren(), equal) {
			continue
		}
		for _, l := range side {
			if len(rest) > 0 && equal(rest[0], l) {
				rest = rest[1:]
			}
		}
		if len(rest) == 0 {
			return true
		}
	}
	return false
}

// checkDecidedText returns a violation if a person who resolved a conflict in a text undid an edit outside of it: the
// result has too few copies of a line that only one side added, or too many of a line that only one side deleted. lines
// are those of all versions. Blank lines and lines that are also in the conflict are not checked. If the result has
// more new lines than all versions have of these, the person has rewritten the text, and it is accepted.
func (lines nodeVersions) checkDecidedText() *Violation {
	lineCounts, inConflict, decided := lines.countChildren(dataOf, false), map[uint64]bool{}, 0
	for _, n := range lines {
		for i := range n.Children {
			if l := &n.Children[i]; l.Masked || strings.TrimSpace(l.Value) == "" {
				inConflict[l.Data] = true
				decided++
			}
		}
	}
	for x, n := range lineCounts {
		if n == (versionCounts{result: n[result]}) && !inConflict[x] {
			decided -= int(n[result])
		}
	}
	for _, n := range lines[:result] {
		for i := range n.Children {
			l := &n.Children[i]
			n := lineCounts[l.Data]
			least, most := n.expectedRange()
			switch {
			case decided < 0, inConflict[l.Data], (n[ours] == n[base]) == (n[theirs] == n[base]):
			case n[result] < least && least > n[base]:
				return lines.newViolation(ruleLost, "one side added %s; missing from the result", l.Summary())
			case n[result] > most && most < n[base]:
				return lines.newViolation(ruleUndone, "one side deleted %s; still in the result", l.Summary())
			}
		}
	}
	return nil
}

// checkTextGuards returns a violation if a line of a text in the result is in other template blocks than the edits of
// both sides give it. The file need not be a template. lines are the lines of the text in each version. Blank and
// repeated lines are ignored. checkTextGuards stores the blocks around each line in c.nodeGuards.
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
	if len(c.nodeGuards) == 0 {
		return nil
	}
	matches := c.match(lines, pairing{ID: ByValue})
	return c.checkGuards(slices.DeleteFunc(matches, func(k *match) bool { return k.hasSeveral() || strings.TrimSpace(k.nodes.anyNode().Value) == "" }))
}

// conflictViolation returns a violation for q, a value that both sides changed differently, so that it cannot be
// merged.
func (q nodeVersions) conflictViolation() *Violation {
	return q.newViolation(ruleValue, "ours has %s, theirs has %s; cannot be merged automatically", q[ours].Summary(), q[theirs].Summary())
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

// textLines returns the lines of scalar n as a list of scalars with their spans in the file. Line ends, the indentation
// of a block scalar, and white space around the lines of other scalars are left out. A line in a conflict is ignored
// (masked) or, if it is a line of the base, counts for the side that was not chosen.
func (c *checker) textLines(n *Node) *Node {
	if all := c.textLists[n.Node]; all != nil {
		return all
	}
	list := &Node{Node: syntax.NewNode(syntax.Sequence, 0), Version: n.Version, Partial: n.Partial}
	file, at := c.files[n.Version], n.Content
	if n.IsBlockScalar() {
		at = n.Lines
	}
	for start := at.Start; start < at.End; {
		line := text.Span{Start: start, End: min(file.LineEnd(start), at.End)}
		start = line.End
		s := strings.TrimRight(string(file.Slice(line)), "\r\n")
		switch {
		case !n.IsBlockScalar():
			s = strings.TrimSpace(s)
		default:
			s = s[min(n.Indent, len(s)-len(strings.TrimLeft(s, " "))):]
		}
		k := Node{Node: syntax.NewPlainScalar(line, s), Version: n.Version, Data: Hash(s) | 1}
		if cut, _, open := maskAt(c.masks[n.Version], line); open {
			k.CountsFor, k.Masked = cut.CountsFor, cut.CountsFor == base
		}
		list.Children = append(list.Children, k)
	}
	c.textLists[n.Node] = list
	return list
}

// An imageRef is a container image reference: its name and its version (tag or digest).
type imageRef struct{ name, version string }

// verifyImage verifies q as a reference to a container image, whose name and version are merged separately: a/app:1,
// a/app:2 and b/app:1 in base, ours and theirs give b/app:2. It returns a violation, or nil if the result is this
// merge. The bool is false, and the violation nil, if q cannot be merged so: it is not an image according to the
// schema, both sides changed the same part differently, or one side changed the program (app).
func (c *checker) verifyImage(at *three.Path, q nodeVersions) (*Violation, bool) {
	if q.isPartial() || slices.Contains(q[:], nil) {
		return nil, false
	}
	refs := mapVersions(q, func(n *Node) (r imageRef) { // empty if the text differs from the value
		file := c.files[n.Version]
		if at, ok := n.Node.Image(file); ok {
			r = imageRef{string(file.Slice(at.Name)), string(file.Slice(at.Version))}
		}
		return r
	})
	if slices.Contains(refs[:], imageRef{}) || !c.Rules.IsImage(at.Place()) {
		return nil, false
	}
	name, named := choose([versions]string{refs[base].name, refs[ours].name, refs[theirs].name})
	version, versioned := choose([versions]string{refs[base].version, refs[ours].version, refs[theirs].version})
	if !named || !versioned || syntax.Program(name) != syntax.Program(refs[base].name) {
		return nil, false
	}
	// a plain value such as 1:20 may be read as a number
	if r := q[result]; refs[result] != (imageRef{name, version}) || r.Style == syntax.Plain && syntax.IsAmbiguous(r.Value) {
		return q.newViolation(ruleValue, "expected the image %q with the version %q, found %s", name, version, r.Summary()), true
	}
	return nil, true
}

// UnmaskedChildren returns the children of n in order, without those that are ignored because they are in a conflict
// (Masked). n must not be nil.
func (n *Node) UnmaskedChildren() (unmasked []*Node) {
	for i := range n.Children {
		if k := &n.Children[i]; !k.Masked {
			unmasked = append(unmasked, k)
		}
	}
	return unmasked
}

// A textLine is a line that a side contributes to the result: a line of the base that both sides kept, or a line that
// the side added between two lines of the base that it kept.
type textLine struct {
	hash uint64 // data hash of the line
	// index of the line in the base, or of the base's first line after the preceding kept one
	from, to int
	runHash  uint64 // hash of all lines that the side added at this place; 0 for a line of the base
}

// isAbove reports whether x must be above y in the merge, because x is above y in the base or was added above it. x and
// y are lines of different sides. It returns false for two lines that the sides added at one place, in either order.
func (x textLine) isAbove(y textLine) bool {
	return x.to < y.from || x.to == y.from && (x.from < x.to || y.from < y.to)
}

// linesOfSides returns the lines that ours and theirs contribute to the merge of a text: the lines of the base that
// both sides kept, and the lines that the side added. In a conflict, the side that was not chosen counts as if it had
// kept the base's lines.
//
//	base    ours    theirs    contributed by ours    by theirs
//	a       a       a         a                      a
//	b       x                 x
//	c       c       c         c                      c
func linesOfSides(base []*Node, edited [2][]*Node) (given [2][]textLine) {
	var matched [2][][2]int
	var kept [2][]bool
	for s, lines := range edited {
		matched[s], kept[s] = commonLines(base, lines), make([]bool, len(base))
		for i, line := range base {
			kept[s][i] = line.CountsFor == sides[s]
		}
		for _, m := range matched[s] {
			kept[s][m[0]] = true
		}
	}
	for s, lines := range edited {
		at, from, next := 0, 0, 0
		for _, m := range append(matched[s], [2]int{len(base), len(lines)}) {
			for ; at < m[0]; at++ {
				if kept[0][at] && kept[1][at] {
					given[s] = append(given[s], textLine{base[at].Data, at, at + 1, 0})
				}
			}
			run := uint64(0)
			for _, line := range lines[next:m[1]] {
				run = syntax.CombineHashes(run, line.Data)
			}
			for _, line := range lines[next:m[1]] {
				given[s] = append(given[s], textLine{line.Data, from, m[0], run})
			}
			from, next = m[0]+1, m[1]+1
		}
	}
	return given
}

// linesAddedByBoth returns the hashes of the lines that both sides added, with the value true, so that the result must
// not have both copies. A line counts if both sides added it in an equal run, at the same or another place. A run is
// all lines that a side added between two kept lines of the base. sides are the lines that ours and theirs contribute.
func linesAddedByBoth(sides [2][]textLine) map[uint64]bool {
	runs, both := map[uint64]bool{}, map[uint64]bool{}
	for _, line := range sides[0] {
		runs[line.runHash] = line.runHash != 0
	}
	for _, line := range sides[1] {
		both[line.hash] = both[line.hash] || runs[line.runHash]
	}
	return both
}

// maxInterleavings is the maximum number of positions that isInterleaving tracks at once.
const maxInterleavings = 256

// isInterleaving reports whether lines, those of a text in the result, are a merge of the lines that the sides
// contribute: all lines of each side in its order, and no others. A line that both sides added may occur once or twice.
// Here, a is a line of the base, below which the sides added x and y:
//
//	ours     theirs    lines      result
//	a, x     a, y      a, x, y    true
//	a, x     a, y      a, y, x    true
//	a, x     a, y      x, a, y    false
//
// It returns false if more than maxInterleavings possibilities exist at a time.
func isInterleaving(sides [2][]textLine, lines []*Node) bool {
	positions := [][2]int{{}} // numbers of lines of each side that are already matched
	for _, line := range lines {
		var following [][2]int
		for _, w := range positions {
			for _, x := range nextSteps(sides[0][w[0]:], sides[1][w[1]:], line.Data) {
				if x = [2]int{w[0] + x[0], w[1] + x[1]}; !slices.Contains(following, x) {
					following = append(following, x)
				}
			}
		}
		if positions = following; len(positions) == 0 || len(positions) > maxInterleavings {
			return false
		}
	}
	return slices.Contains(positions, [2]int{len(sides[0]), len(sides[1])})
}

// nextSteps returns how many lines of o and t can be consumed for the next line of the result, which has the given
// hash: {1, 0} or {0, 1} for a line that one side added, {1, 1} for one that both kept or both added. There can be
// several possibilities. o and t are the lines of ours and theirs that no earlier line of the result consumed; only
// their first lines are compared. It returns nil if the line is wrong here.
func nextSteps(o, t []textLine, hash uint64) (advances [][2]int) {
	canTake := func(x, y []textLine) bool { // x begins with the line, and y's first line need not precede it
		return len(x) > 0 && x[0].hash == hash && (len(y) == 0 || !y[0].isAbove(x[0]))
	}
	canTakeO, canTakeT := canTake(o, t), canTake(t, o)
	if canTakeO && o[0].runHash != 0 {
		advances = append(advances, [2]int{1, 0})
	}
	if canTakeT && t[0].runHash != 0 {
		advances = append(advances, [2]int{0, 1})
	}
	if canTakeO && canTakeT && (o[0].runHash == 0) == (t[0].runHash == 0) {
		advances = append(advances, [2]int{1, 1})
	}
	return advances
}

// commonLines returns pairs of indexes {i, j} of equal lines a[i] and b[j], in increasing order. They are the lines
// that a diff of the two texts shows as unchanged.
func commonLines(a, b []*Node) (pairs [][2]int) {
	for _, r := range diff3.Match(dataHashesOf(a), dataHashesOf(b)) {
		for i := range r.Len {
			pairs = append(pairs, [2]int{r.A + i, r.B + i})
		}
	}
	return pairs
}

// dataHashesOf returns the data hashes of lines.
func dataHashesOf(lines []*Node) (hashes []uint64) {
	for _, n := range lines {
		hashes = append(hashes, n.Data)
	}
	return hashes
}
