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

// verifyText returns a violation if the value of q, a scalar that both sides changed differently, is not their merge
// line by line, and nil otherwise. The result must have the lines of the base that both sides kept and the lines that
// each side added, in the order of each side; in git's line merge, this is not checked. Lines that the sides added at
// one place may be in either order. If both sides added the same group of lines, even at different places, it must
// occur only once. These are violations, too:
//
//   - a text of one line in both sides
//   - a text that the base lacks, unless it is partly in a conflict and one side contains all lines of the other one
//   - a text that is a block scalar (| or >) only in some versions
//   - a text with other indicators (as in |-) or quotes than their merge, or with lines in other template blocks
//   - a text without lines or with blank lines only, if no input has such a text
//   - a line that one side deleted and the other versions have once; a person may write this
//   - more copies of a line than in the inputs, if these have equally many
//   - if this program merged field by field: not both changes of the order, if both sides changed it
//
// If a person resolved a conflict in the text, there are only two violations: the result lacks a line that only one
// side added, or has a line that only one side deleted. Lines that also occur in the conflict are ignored.
func (c *checker) verifyText(q nodeVersions) *Violation {
	b, r := q[base], q[result]
	decided := c.maker == byPerson && q.isPartial()
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
	counts, addedByBoth := lines.countLines(false), linesAddedByBoth(sideLines)
	if bad := c.checkLineCounts(q, lines); bad != nil {
		return bad
	}
	if c.maker == byFields {
		if bad := q.checkBothOrders(c.match(lines, pairing{ID: ByValue})); bad != nil {
			return bad
		}
	}
	for _, l := range resultLines {
		if addedByBoth[l.Data] && strings.TrimSpace(l.Value) != "" && counts[l.Data].exceedsInputs() && !template.OnlyClosesBlocks([]byte(l.Value)) {
			return q.newViolation(ruleRepeated, "both sides added %s, and the result has both copies", l.Summary())
		}
	}
	return c.checkTextGuards(lines)
}

// checkTextEnd returns a violation if the value of the block scalar (| or >) q ends with another number of line breaks
// in the result than the edits of both sides give, and otherwise nil. If ours writes |+ for |, and theirs adds a blank
// line below, git's line merge makes this line a part of the text, although neither side has it there. Numbers are:
//
//	base    ours    theirs    result
//	1       1       1         2         violation, as above
//	1       1       2         2         correct
//	1       3       2         3         nil: both sides changed the number
//
// It returns nil if the base lacks q, if q is partly in a conflict, or if a version is not a block scalar. A side or
// result that lacks q has 0 line breaks.
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

// isTextEmptied reports whether the result of a text has no lines or only blank ones, and each input has a line that is
// not blank. lines has the lines in each version, as the children of a node, none of which may be nil.
func (lines nodeVersions) isTextEmptied() bool {
	isBlank := mapVersions(lines, func(n *Node) bool {
		return !slices.ContainsFunc(n.Children, func(l Node) bool { return l.isNonBlank() })
	})
	return isBlank == [versions]bool{result: true}
}

// checkLineCounts returns a violation if the result of the text q has a line that one side deleted, an extra copy of a
// line, or fewer copies than either side; otherwise nil. lines has the lines of q in each version, as the children of a node, none of which may be nil.
// It does not test whether a side moved the line; it compares how often each version has the line:
//
//	base    ours    theirs    result
//	1       1       1         2         violation: probably both sides moved the line (also 2, 2, 2 and 3)
//	1       0       1         1         violation: deleted by ours, probably moved by theirs
//	1       0       1         2         nil
//	2       1       1         0         violation: each side deleted a different copy
//
// Lines without letters and digits, and lines that only open, close or leave a block, such as fi, are ignored. So are
// deleted lines with a copy in a conflict, or in a result that a person made or that prefers theirs.
func (c *checker) checkLineCounts(q, lines nodeVersions) *Violation {
	counts := lines.countLines(true)
	if l := lines.findLostCopy(ByValue); l != nil && c.maker == byLines {
		return q.newViolation(ruleSplitDuplicate, "each side deleted a different copy of %s", l.Summary())
	}
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
// fi, break, return or {{ end }}. Such a line is a part of the block: if one line is deleted and an equal one is added,
// it was not moved. It returns true for lines without a letter or a digit, such as brackets, and blank lines.
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
// other side in the same order. There may be other lines between them. lines are the lines of a text that both sides
// added; neither side nor the result is nil. Lines in a conflict that are ignored (masked) do not count.
func (lines nodeVersions) hasLinesOfBoth() bool {
	equal := func(a, b *Node) bool { return a.Data == b.Data }
	for _, s := range sides {
		side, rest := lines[s].UnmaskedChildren(), lines[ours+theirs-s].UnmaskedChildren()
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

// countLines returns how often each line occurs in each version. lines are the lines of a text, not nil in any version;
// the key of a line is the hash of its text. Lines in a conflict that are ignored (masked) are only counted if
// includeMasked is true. The map is empty if there are no lines.
func (lines nodeVersions) countLines(includeMasked bool) occurrenceCounts[uint64] {
	count := occurrenceCounts[uint64]{}
	for v, n := range lines {
		for i := range n.Children {
			if l := &n.Children[i]; includeMasked || !l.Masked {
				count.add(version(v), l.Data)
			}
		}
	}
	return count
}

// checkDecidedText verifies the lines of a text with a conflict that a person resolved. lines are those of all
// versions. It returns a violation in two cases, and otherwise nil:
//
//   - Only one side changed the number of equal lines, it added one, and the result has too few.
//   - Only one side changed the number of equal lines, it deleted one, and the result has too many.
//
// Lines that also occur in a conflict of any version are ignored, and so are blank lines. If the result has more new
// lines than there are lines in conflicts and blank lines, the person has rewritten the text; it is then always
// accepted.
func (lines nodeVersions) checkDecidedText() *Violation {
	lineCounts, inConflict, decided := lines.countLines(false), map[uint64]bool{}, 0
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
// both sides give it, and otherwise nil. Such a text is a block scalar with actions in it:
//
//	script: |
//	  {{ if .debug }}
//	  set -x           # in the block "if .debug"
//	  {{ end }}
//	  run
//
// lines are the lines of the text in each version. A block that one side put around a line must be around it in the
// result. Blank lines, and lines that a version contains several times, are ignored. checkTextGuards stores the blocks
// around each line in c.nodeGuards. It returns nil if no line of any version is in a block.
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

// scalarHeader returns the characters that determine how the text of scalar n is read: the opening quote of a quoted
// scalar, "|" or ">" of a block scalar, followed by its chomping indicator if it has one. An indentation indicator is
// left out. For a plain scalar it returns "".
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

// textLines returns the lines of scalar n as a list of scalars, in the order of the file. Lines of block scalars lose
// up to n.Indent leading spaces, lines of other scalars the white space around them. Line ends are left out. Each line
// has its span in the file. A line in a conflict is ignored (masked) or, if it is a line of the base, counts for the
// side that was not chosen. The list has no children if n has no text. It is stored in c.textLists, and returned by
// further calls.
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

// verifyImage verifies q, a field with a container image that both sides changed differently. The name and the version
// (tag or digest) are merged separately: app:1, app:2 and web:1 in base, ours and theirs give web:2. The results are:
//
//	the result is this merge         nil and true
//	it is another value              a violation and true
//	the value cannot be merged so    nil and false
//
// The value cannot be merged in these cases:
//
//   - at is not the path of an image according to the schema.
//   - A version is missing, has escapes, or is not a reference of a name and a version.
//   - A part of q is in a conflict.
//   - Both sides changed the name differently, or both changed the version differently.
//   - The last part of the name changed: it is another program.
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
	if r := q[result]; refs[result] != (imageRef{name, version}) || r.Style == syntax.Plain && syntax.IsAmbiguous(r.Value) {
		return q.newViolation(ruleValue, "expected the image %q with the version %q, found %s", name, version, r.Summary()), true
	}
	return nil, true
}

// UnmaskedChildren returns the children of n in order, without those that are ignored because they are in a conflict
// (Masked). It returns nil if there are none. The nodes are those in n.Children, not copies. n must not be nil.
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
	runHash  uint64 // hash of all lines added at the same place; 0 for a line of the base
}

// isAbove reports whether x must be above y in the merge, because x is above y in the base or was added above it. x and
// y are lines of different sides. It returns false for two lines that the sides added at one place, in either order.
func (x textLine) isAbove(y textLine) bool {
	return x.to < y.from || x.to == y.from && (x.from < x.to || y.from < y.to)
}

// linesOfSides returns the lines that ours and theirs contribute to the merge of a text, each in order: the lines of
// the base that both sides kept, and the lines that the side added. base and edited are the lines of the base and of
// ours and theirs; each may be empty. In a conflict, the side that was not chosen counts as if it had kept the base's
// lines.
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

// linesAddedByBoth returns, for the hash of each line that theirs contributes to a text, whether both sides added the
// line together with the same lines. sides are the lines that ours and theirs contribute. Lines that a side added
// between the same two lines of the base are one run. The value is true if the line is in a run of theirs, and ours has
// an equal run, which may be at another place in the base. For a line of the base that both sides kept, it is false,
// unless it is also in such a run.
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
// contribute to it. lines must contain all lines of each side, in the order of the side, and no others. A line of the
// base that both sides kept occurs once. A line that both sides added may occur once or in two copies. Lines that the
// sides added at the same place in the base may be in any order.
//
//	ours     theirs    lines      result
//	a, x     a, y      a, x, y    true
//	a, x     a, y      a, y, x    true
//	a, x     a, y      x, a, y    false
//
// In this example, a is a line of the base. Empty lines are a merge only if neither side contributes a line. It returns
// false if it would have to track more than maxInterleavings possibilities at a time.
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

// nextSteps returns how many lines of o and t can be consumed to explain the next line of the result, which has the
// given hash. o and t are the lines that ours and theirs contribute to the text and that no earlier line of the result
// explains; both may be empty. Only their first lines are compared. It returns the possibilities, or nil if there is
// none:
//
//	{1, 0}   o begins with the line, and ours added it
//	{0, 1}   t begins with the line, and theirs added it
//	{1, 1}   both begin with the line: both kept it from the base, or both added it
//
// A side's first line does not count if the other side's first line must be above it in the merge, because it is above
// it in the base.
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
// that a diff of the two texts shows as unchanged. It returns nil if there are none.
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
