package verify

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Git's line merge inserts an edit of one side next to the lines that the other side kept, wherever that side has them
// now. So an edit can end in another mapping, list, text or document than in the side that made it:
//
//	base       ours       theirs     line merge
//	web:       web:       web:       web:
//	  mem: 1     mem: 2     mem: 1     mem: 2
//	db:          cpu: 1   db:          cpu: 4
//	  mem: 2                mem: 2
//	  cpu: 1                cpu: 4
//
// The rule: an edit must have the same parent in the result as in the version that made it. Parents are compared by the
// node of the base that they are a version of. It is found by path (mapping keys and names; lines for items without
// names). A node that a side renamed or moved as a whole is a version of the node of the base with most of its lines.
// Edits of the other side are moved with it. In a template, a deleted line must also be in the same branch of a block
// as in the other side; checkGuards compares the branches of other lines.

// checkLineParents returns a violation if git's line merge put an edit of a side into another mapping, list, text or
// template branch than that side: in the example above, theirs' cpu: 4 into web. It also verifies what both sides
// changed. It returns nil if c.MergedChunks is nil.
func (c *checker) checkLineParents() *Violation {
	if c.MergedChunks == nil {
		return nil
	}
	chosen := ours
	if len(c.Conflicts) > 0 {
		chosen = c.Conflicts[0].Chosen
	}
	o := newOrigins(c, c.MergedChunks, chosen)
	isResult := func(s version) bool { return bytes.Equal(c.files[result].Bytes(), c.files[s].Bytes()) }
	o.resultIsSide = slices.ContainsFunc(sides[:], isResult)
	for at := range o.sources {
		for _, parentOf := range [...]func(version, int) *Node{o.parentOfLine, o.parentOfFirstField} {
			if bad := o.checkLine(at, parentOf); bad != nil {
				return bad
			}
		}
		if o.parentOfComment(result, at) != nil { // otherwise it may belong to several entries
			if bad := o.checkLine(at, o.parentOfComment); bad != nil {
				return bad
			}
		}
	}
	if bad := o.checkChangedByBoth(); bad != nil || o.resultIsSide { // a side lacks what only the other one deleted
		return bad
	}
	return o.checkDeletedLines()
}

// alignLines returns an aligner of the lines of the inputs, which aligns them as git does when it is first asked. Lines
// are compared without the white space around them. c.Trees keeps the aligner for the next verification.
func (c *checker) alignLines() *ident.Lines {
	known := &c.Trees[base]
	if known.lines == nil {
		known.lines = &ident.Lines{Files: [3]*text.File(c.files[:result])}
	}
	return known.lines
}

// isInConflict reports whether n, a node of v, is completely in a conflict.
func (c *checker) isInConflict(v version, n *Node) bool { return c.isSpanInConflict(v, n.EntrySpan()) }

// isSpanInConflict reports whether the text of v at this place is completely in a conflict.
func (c *checker) isSpanInConflict(v version, at text.Span) bool {
	return slices.ContainsFunc(c.Conflicts, func(k Conflict) bool { return k.At[v].Contains(at) })
}

// changedBy maps each side to the kind of the chunks that only it changed.
var changedBy = [result]diff3.Kind{ours: diff3.DestChanged, theirs: diff3.UpdatedChanged}

// rangeOf returns the range of lines of v (base, ours or theirs) in chunk k.
func rangeOf(k diff3.Chunk, v version) diff3.Range {
	return [result]diff3.Range{k.Original, k.Dest, k.Updated}[v]
}

// checkLine returns a violation if a line of the result has another parent than in the side that wrote or moved the
// line. It accepts another parent that an edit explains (isOtherParentRight). at is the index of the line. parentOf is
// a function for the parent of a line of a version; lines without a parent are ignored.
func (o *origins) checkLine(at int, parentOf func(version, int) *Node) *Violation {
	var parents, originals [result]*Node // of the line in the inputs
	for v, line := range o.sources[at] {
		if line < 0 {
			continue
		}
		if parents[v] = parentOf(version(v), line); parents[v] == nil {
			return nil
		}
		originals[v] = o.originalOf(parents[v])
	}
	if o.resultIsSide && parents[ours] != nil && parents[theirs] != nil && parents[ours].Addr == parents[theirs].Addr {
		return nil // both sides have the line here
	}
	now := o.originalsOf(parentOf(result, at))
	for _, s := range sides {
		switch inBase, inSide, inOther := originals[base], originals[s], originals[s.Other()]; {
		case inSide == nil: // s lacks the line
		case inBase != nil && inOther == nil: // the other side changed the line, and s did not
		case inBase == inSide && inBase != inOther: // the other side moved the line, and s did not
		case slices.Contains(now, inSide), o.isOtherParentRight(s, at, inSide, now):
		default:
			var q nodeVersions // for the positions of the violation
			q[s] = parents[s]
			if inSide.Version == base {
				q[base] = inSide
			}
			return q.newViolation(RuleMisplaced, "the line merge puts a change of %s into a different entry", s)
		}
	}
	return nil
}

// isOtherParentRight reports whether a line of the result that comes from s may have another parent than in s, because
// the other side moved the line's neighbors or joined the parents, because a parent was turned into a text or a
// collection, or because s has an equal line in the new parent. at is the index of the line, original is the original
// of its parent in s, and now are those of its parent in the result.
func (o *origins) isOtherParentRight(s version, at int, original *Node, now []*Node) bool {
	isExplained := func(n *Node) bool { return o.isConverted(original, n) || o.isJoined(s.Other(), original, n) }
	if o.isMovedWithNeighbors(s, at) || slices.ContainsFunc(now, isExplained) {
		return true
	}
	line := o.lineText(s, o.sources[at][s])
	hasLine := func(n *Node) bool { return o.hasLine(n, line) }
	isInBoth := func(n *Node) bool { return hasLine(o.sideNodeOf(s, n)) && o.mayHoldInResult(original, hasLine) }
	return slices.ContainsFunc(now, isInBoth)
}

// isMovedWithNeighbors reports whether a line of the result, which comes from s, has another parent than in s because
// the other side moved its neighbors there. These are the nearest entries above and below it that s did not add.
// Without one below, the one above suffices for a line that s edited, but not for one that it added. A line that is no
// field must be such an edit. It returns false if the other side deleted the old parent. at is the index of the line.
// Here, it is name, and s is theirs:
//
//	base          ours          theirs        result
//	app:          app:          app:          app:
//	  level: 1      level: 1      level: 1      level: 1
//	  host: db    db:             host: db    db:
//	  port: 80      host: db      name: x       host: db
//	                port: 80      port: 80      name: x
//	                                            port: 80
func (o *origins) isMovedWithNeighbors(s version, at int) bool {
	other, starting := s.Other(), o.starts[s][o.sources[at][s]] // the entries that begin on the line in s
	// s edited a line that the other side still has
	isEdit := o.counterparts[at][base] >= 0 && o.counterparts[at][other] >= 0
	if len(starting) == 0 || !starting[0].isField() && !isEdit {
		return false
	}
	parent := o.parentOf(starting[0])
	// the other side must still have the old collection
	if inBase := o.baseNodeOf(parent); inBase == nil || o.sideNodeOf(other, inBase) == nil {
		return false
	}
	var above, below *Node
	for i := range parent.Children {
		switch k := &parent.Children[i]; {
		case o.baseNodeOf(k) == nil: // s added it
		case k.index < starting[0].index:
			above = k
		case k.index > starting[0].index && below == nil:
			below = k
		}
	}
	isMovedHere := func(k *Node) bool { // the other side moved k, and its line is beside the line in the result
		start := o.lineSpan(k).Start
		line := slices.IndexFunc(o.sources, func(from [result]int) bool { return from[s] == start })
		return !o.hasNodeAtPathOf(other, o.baseNodeOf(k)) && line >= 0 && o.parentOfLine(result, line) == o.parentOfLine(result, at)
	}
	if below == nil { // a new field needs both neighbors
		return isEdit && above != nil && isMovedHere(above)
	}
	return above != nil && isMovedHere(above) && isMovedHere(below)
}

// isConverted reports whether a side turned b, a node of the base, into n: the lines of a text (a block scalar) into
// the entries of a mapping or list, or the reverse. Git must align the first line of each entry with a line of the
// text.
//
//	base          side
//	values: |     valuesObject:
//	  port: 80      port: 80
func (o *origins) isConverted(b, n *Node) bool {
	if b.Version != base || n.Version == base {
		return false
	}
	scalar, collection, partners := b, n, o.baseLines[n.Version]
	if n.IsBlockScalar() {
		scalar, collection, partners = n, b, o.sideLines[n.Version]
	}
	if !scalar.IsBlockScalar() || len(collection.Children) == 0 {
		return false
	}
	lines := o.lineSpan(scalar)
	isElsewhere := func(k Node) bool { // the first line of the scalar has only its key
		line := partners[o.lineSpan(&k).Start]
		return line <= lines.Start || line >= lines.End
	}
	return !slices.ContainsFunc(collection.Children, isElsewhere)
}

// isJoined reports whether s moved all entries of b into n, deleted b itself, and kept all entries of n. It returns
// false if b or n is not a node of the base.
//
//	base      s
//	web:      web:
//	  a: 1      a: 1
//	db:         b: 1
//	  b: 1
func (o *origins) isJoined(s version, b, n *Node) bool {
	to := o.sideNodeOf(s, n)
	if b.Version != base || o.sideNodeOf(s, b) != nil || to == nil || len(to.Children) == 0 || len(b.Children) == 0 {
		return false
	}
	isElsewhere := func(k Node) bool {
		line := o.sideLines[s][o.lineSpan(&k).Start]
		if line < 0 || o.parentOfLine(s, line) != to {
			return true
		}
		inBase := o.baseNodeOf(o.starts[s][line][0])
		return inBase != nil && o.parentOf(inBase) == n // an entry of n with an equal line
	}
	isDeleted := func(k Node) bool { return !o.hasNodeAtPathOf(s, &k) }
	return !slices.ContainsFunc(b.Children, isElsewhere) && !slices.ContainsFunc(n.Children, isDeleted)
}

// isInOtherBranch reports whether a side has n and its version of b, a node of the base, in different branches of
// template blocks, such as {{ if .a }} and {{ else }}. n is a node of the side. It returns false if n is the version of
// b, or if none is known.
func (o *origins) isInOtherBranch(n, b *Node) bool {
	m := o.sideNodeOf(n.Version, b)
	return m != nil && m != n && !slices.Equal(o.guardOf(m), o.guardOf(n))
}

// checkDeletedLines returns the first violation for a line of the base that only one side deleted or changed, if the
// other side has the line in another mapping, list, text or template branch, so that git deleted it at a wrong place
// (checkDeletedLine). Conflicts are ignored. It returns nil if there is none.
func (o *origins) checkDeletedLines() *Violation {
	for _, k := range o.MergedChunks {
		for _, s := range sides {
			isDeleted := k.Kind == changedBy[s] && !k.Open
			for i := 0; isDeleted && i < k.Original.Len(); i++ {
				if bad := o.checkDeletedLine(s, k.Original.Start+i, rangeOf(k, s.Other()).Start+i); bad != nil {
					return bad
				}
			}
		}
	}
	return nil
}

// checkDeletedLine verifies that git's line merge was right to delete a line that s deleted. Git deletes it where the
// other side has it. It returns a violation if the line has another parent or template branch there, and no edit
// explains that (isOtherDeletionRight). baseLine and otherLine are the indexes of the line in the base and in the other
// side.
func (o *origins) checkDeletedLine(s version, baseLine, otherLine int) *Violation {
	parent, other := o.parentOfLine(base, baseLine), s.Other()
	if parent == nil {
		return nil
	}
	q := nodeVersions{base: parent}
	q[s] = o.sideNodeOf(s, parent)
	if b, n := o.starts[base][baseLine], o.starts[other][otherLine]; len(b) > 0 && len(n) > 0 && o.isInOtherBranch(n[0], b[0]) {
		return q.newViolation(RuleMisplaced, "%s deleted a line that %s has in a different template block", s, other)
	}
	if n := o.parentOfLine(other, otherLine); n != nil && o.isOtherDeletionRight(s, baseLine, parent, n) {
		return nil
	}
	return q.newViolation(RuleMisplaced, "%s deleted a line that %s has in a different entry", s, other)
}

// isOtherDeletionRight reports whether a line (baseLine) that s deleted from b, its parent in the base, may be deleted
// from n, its parent in the other side, too:
//
//	n is a version of b                       yes
//	the other side turned b into n            yes, also if it joined the two
//	n is a version of another node            only if s deleted an equal line from that node
//	the other side moved a part of b to n     only if the line is not repeated
func (o *origins) isOtherDeletionRight(s version, baseLine int, b, n *Node) bool {
	other, line := s.Other(), o.lineText(base, baseLine)
	switch original := o.originalOf(n); {
	case original == b, o.isConverted(b, n), b.Kind == syntax.Mapping && o.isJoined(other, b, original):
		return true
	case original.Version == base: // s may have deleted equal lines from both parents
		isDeleted := o.hasLine(original, line) && !o.hasLine(o.sideNodeOf(s, original), line)
		return isDeleted && o.mayHoldInResult(b, func(x *Node) bool { return !o.hasLine(x, line) })
	case len(o.starts[base][baseLine]) > 0 && o.isSplitFrom(n, b): // the other side put a part of b below a new heading
		return !o.isLineRepeated(base, line) && !o.isLineRepeated(other, line) // otherwise, another line may be meant
	}
	return false
}

// isSplitFrom reports whether n, a collection that a side added, has a part of the entries of b, a collection of the
// base, because the side divided b. Each entry of n must start on an unchanged line of b, and the side's version of b
// must still have such an entry.
//
//	base      side
//	b:        b:
//	  x: 1      x: 1
//	  y: 1    n:
//	            y: 1
func (o *origins) isSplitFrom(n, b *Node) bool {
	isFromB := func(k Node) bool {
		if k.Entry == nil {
			return false
		}
		line := o.baseLines[n.Version][o.files[n.Version].Line(k.Entry.Start)-1]
		return line >= 0 && o.parentOfLine(base, line) == b
	}
	isNew := func(k Node) bool { return !isFromB(k) }
	return !slices.ContainsFunc(n.Children, isNew) && slices.ContainsFunc(o.sideNodeOf(n.Version, b).GetChildren(), isFromB)
}

// isLineRepeated reports whether v has several lines with text, without the white space around them.
func (o *origins) isLineRepeated(v version, text string) bool {
	count := 0
	for line := range o.starts[v] {
		if o.lineText(v, line) == text {
			count++
		}
	}
	return count > 1
}

// hasLine reports whether a child of n starts on a line with this text, or n is a scalar with this line. Lines are
// compared without the white space around them, and text must have none. It returns false if n is nil.
func (o *origins) hasLine(n *Node, text string) bool {
	if n == nil {
		return false
	}
	lines := o.nodeLines[n]
	if lines == nil {
		lines = map[string]bool{}
		if n.Kind == syntax.Scalar {
			for _, l := range o.textLines(n).Children {
				lines[strings.TrimSpace(l.Value)] = true
			}
		}
		for _, k := range n.Children {
			if k.Entry != nil {
				lines[o.lineText(k.Version, o.files[k.Version].Line(k.Entry.Start)-1)] = true
			}
		}
		o.nodeLines[n] = lines
	}
	return lines[text]
}

// mayHoldInResult reports whether f is true for at least one node of the result that is a version of t, a node of the
// base or one that a side added. It returns true if no such node is known, as for a plain or quoted scalar, so that the
// caller, which looks for an explanation of git's merge, does not report a violation without evidence.
func (o *origins) mayHoldInResult(t *Node, f func(*Node) bool) bool {
	if o.resultNodes == nil {
		o.resultNodes = map[*Node][]*Node{}
		o.docs[result].Walk(func(n *Node) {
			if n == o.docs[result] || n.Kind == syntax.Scalar && !n.IsBlockScalar() {
				return // it has no lines, and there are many such scalars
			}
			for _, t := range o.originalsOf(n) {
				o.resultNodes[t] = append(o.resultNodes[t], n)
			}
		})
	}
	return len(o.resultNodes[t]) == 0 || slices.ContainsFunc(o.resultNodes[t], f)
}
