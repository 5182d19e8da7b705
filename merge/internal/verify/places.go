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
// The rule: an edit must have the same parent in the result as in the version that made it. Parents are compared by
// the node of the base that they are a version of. It is found by path (mapping keys and names; lines for items without
// names). A node that a side renamed or moved as a whole is a version of the node of the base with most of its lines.
// Edits of the other side are moved with it. In a template, a deleted line must also be in the same branch of a block as
// in the other side; checkGuards compares the branches of other lines.

// checkLineParents returns the first violation in git's line merge: a line in another place (mapping, list, text or
// template branch) than in the version that it comes from, a deleted line that the other side has in another place, or
// a wrong list, text or item. It returns nil if c.MergedChunks is nil, because the result is not a line merge.
func (c *checker) checkLineParents() *Violation {
	if c.MergedChunks == nil {
		return nil
	}
	chosen := ours
	if len(c.Conflicts) > 0 {
		chosen = c.Conflicts[0].Chosen
	}
	o := newOrigins(c, c.MergedChunks, chosen)
	if slices.ContainsFunc(sides[:], func(s version) bool { return bytes.Equal(c.files[result].Bytes(), c.files[s].Bytes()) }) {
		return o.checkChangedByBoth() // one side wrote each line where it is
	}
	for at := range o.sources {
		if bad := o.checkLine(at); bad != nil {
			return bad
		}
	}
	if bad := o.checkChangedByBoth(); bad != nil {
		return bad
	}
	for _, k := range c.MergedChunks {
		for _, s := range sides {
			if k.Kind != changedBy[s] || k.Open {
				continue
			}
			other := rangeOf(k, s.Other())
			for i := range k.Original.Len() {
				if bad := o.checkDeletedLine(s, k.Original.Start+i, other.Start+i); bad != nil {
					return bad
				}
			}
		}
	}
	return nil
}

// alignLines returns git's alignment of the lines of the inputs, compared without the white space around them. It is
// kept in c.Trees for the next verification.
func (c *checker) alignLines() *ident.Lines {
	known := &c.Trees[base]
	if known.lines == nil {
		known.lines = &ident.Lines{Files: [3]*text.File(c.files[:result])}
	}
	return known.lines
}

// checkConflictingMoves returns a violation if one side moved or renamed an element, the other side deleted it or moved
// it to another place, and the result has it at the new place, or at both. Elements that are completely
// in conflicts are ignored.
//
//	base          ours          theirs
//	admins:       admins:       admins:
//	  - ann         - ann         - ann
//	  - bob       members:      members:
//	members:        - eve         - bob
//	  - eve                       - eve       bob in the result: a violation
func (c *checker) checkConflictingMoves() *Violation {
	chunks := c.chunksOfMoves()
	if len(chunks) == 0 {
		return nil
	}
	o := newOrigins(c, chunks, ours)
	for line, starting := range o.starts[base] {
		for _, s := range sides {
			if at := o.sideLines[s][line]; len(starting) > 0 && at >= 0 && len(o.starts[s][at]) > 0 {
				if bad := o.checkMovedAndDeleted(starting[0], o.starts[s][at][0]); bad != nil {
					return bad
				}
			}
		}
	}
	return o.checkMovedByBoth(o.docs[base])
}

// chunksOfMoves returns the lines of the inputs as chunks, as git's diff aligns them, for checkConflictingMoves. It
// returns chunks only if both sides changed lines, a path of the base is missing in both sides, and a side has a path
// that the base lacks. Other merges have no conflicting moves. The result is kept in c.Trees for the next verification.
func (c *checker) chunksOfMoves() []diff3.Chunk {
	known := &c.Trees[base]
	if known.chunks != nil {
		return known.chunks
	}
	known.chunks = []diff3.Chunk{}
	var paths [result]map[uint64]bool
	for v := range result {
		paths[v] = map[uint64]bool{}
		c.docs[v].Walk(func(n *Node) { paths[v][n.Addr] = true })
	}
	isLost, isAdded := false, false
	for at := range paths[base] {
		isLost = isLost || !paths[ours][at] && !paths[theirs][at]
	}
	for _, s := range sides {
		for at := range paths[s] {
			isAdded = isAdded || !paths[base][at]
		}
	}
	if !isLost || !isAdded { // most merges: their lines need not be aligned
		return known.chunks
	}
	chunks := c.alignLines().Chunks()
	hasChanged := func(s version) bool {
		return slices.ContainsFunc(chunks, func(k diff3.Chunk) bool { return k.Kind == changedBy[s] || k.Kind == diff3.BothChanged })
	}
	if hasChanged(ours) && hasChanged(theirs) {
		known.chunks = chunks
	}
	return known.chunks
}

// checkMovedAndDeleted returns a violation if one side moved or renamed b, a node of the base, to n, the other side
// deleted b, and the result still has n. If the other side deleted a node around b, that node is checked instead of b. b
// and n must start on lines that correspond in git's alignment.
func (o *origins) checkMovedAndDeleted(b, n *Node) *Violation {
	mover, s, isSame := n.Version, n.Version.Other(), true
	switch {
	case o.addressOf(n) == o.addressOf(b), n.Kind != b.Kind, (n.Entry.Key == nil) != (b.Entry.Key == nil):
		return nil
	case o.findSideNode(s, b) != nil:
		return nil
	case b.Kind == syntax.Scalar && (o.isRepeated(b) || o.isRepeated(n)): // such as enabled: true
		return nil
	}
	for ; o.findSideNode(s, o.parentOf(b)) == nil; isSame = false {
		if b, n = o.parentOf(b), o.parentOf(n); n == o.docs[mover] {
			return nil
		}
	}
	for x, y := o.parentOf(b), o.parentOf(n); x.Entry != nil && y.Entry != nil; x, y = o.parentOf(x), o.parentOf(y) {
		if o.hasNewOwnerOfName(x, y) {
			return nil
		}
	}
	kept := o.sideNodeOf(mover, b)
	if o.addressOf(n) == o.addressOf(b) || (!isSame || b.Kind != syntax.Scalar) && o.originalOf(mover, n) != b || kept != nil && kept != n {
		return nil
	}
	return o.checkMoveTargets(b, n, nil)
}

// hasNewOwnerOfName reports whether a side renamed b, a field of the base, to n, gave its old name to a new field beside it,
// and the other side has more of the new field than of n:
//
//	base      side      other
//	web:      old:      web:
//	  a: 1      a: 1      c: 3
//	  b: 2      b: 2
//	          web:
//	            c: 3
func (o *origins) hasNewOwnerOfName(b, n *Node) bool {
	owner, other := o.sideNodeOf(n.Version, b), o.sideNodeOf(n.Version.Other(), b)
	if owner == nil || owner == n || other == nil || n.Entry.Key == nil || o.parentOf(owner) != o.parentOf(n) {
		return false
	}
	inOwner, _ := o.countCommonLeaves(owner, other)
	inRenamed, _ := o.countCommonLeaves(n, other)
	return inOwner > inRenamed && o.atPathOf(base, n) == nil
}

// isRepeated reports whether the version of n, a scalar, has another scalar with the same key and value.
func (o *origins) isRepeated(n *Node) bool {
	count := o.scalars[n.Version]
	if count == nil {
		count = map[[2]uint64]int{}
		o.docs[n.Version].Walk(func(k *Node) {
			if k.Kind == syntax.Scalar {
				count[[2]uint64{k.KeyHash, k.Data}]++
			}
		})
		o.scalars[n.Version] = count
	}
	return count[[2]uint64{n.KeyHash, n.Data}] > 1
}

// checkMovedByBoth returns a violation if the sides moved or renamed a node below b, a node of the base, to different
// places, and the result has it at both.
func (o *origins) checkMovedByBoth(b *Node) *Violation {
	isAt := func(n, k *Node) bool { return n != nil && o.addressOf(n) == o.addressOf(k) }
	isSame := func(n, k *Node) bool { // a scalar has nothing but its value and key to be known by
		return n != nil && (k.Kind != syntax.Scalar || n.Data == k.Data && n.KeyHash == k.KeyHash)
	}
	for i := range b.Children {
		k := &b.Children[i]
		var bad *Violation
		if isAt(o.sideNodeOf(ours, k), k) || isAt(o.sideNodeOf(theirs, k), k) {
			bad = o.checkMovedByBoth(k)
		} else if d, u := o.findSideNode(ours, k), o.findSideNode(theirs, k); isSame(d, k) && isSame(u, k) && !isAt(d, u) {
			bad = o.checkMoveTargets(k, d, u)
		}
		if bad != nil {
			return bad
		}
	}
	return nil
}

// checkMoveTargets returns a violation if the result has n, to which one side moved b, a node of the base, although the
// other side deleted b. If the other side moved b to other instead, it is a violation if the result has n and other.
// other is nil if b was deleted.
func (o *origins) checkMoveTargets(b, n, other *Node) *Violation {
	s, q := n.Version, nodeVersions{base: b}
	q[s] = n
	if q[result] = o.atPathOf(result, n); q[result] == nil || o.atPathOf(s.Other(), n) != nil || o.isInConflict(s, n) && o.isInConflict(base, b) {
		return nil
	}
	if q[s.Other()] = other; other == nil {
		return q.newViolation(ruleMisplaced, "deleted by %s, moved by %s", s.Other(), s)
	}
	if in := o.atPathOf(result, other); in == nil || in == q[result] || o.isInConflict(s.Other(), other) {
		return nil
	}
	return q.newViolation(ruleMisplaced, "moved to different places")
}

// findSideNode returns the node of side s that is a version of b, a node of the base, or nil if s deleted b. If
// sideNodeOf does not know this node, findSideNode searches all nodes that s moved or renamed, once, and records them
// in o.
func (o *origins) findSideNode(s version, b *Node) *Node {
	if o.sideNodeOf(s, b) == nil && !o.searched[s] {
		o.searched[s] = true
		o.docs[s].Walk(func(n *Node) { o.originalOf(s, n) })
	}
	return o.sideNodeOf(s, b)
}

// isInConflict reports whether n, a node of v, is completely in a conflict.
func (c *checker) isInConflict(v version, n *Node) bool { return c.isSpanInConflict(v, n.EntrySpan()) }

// isSpanInConflict reports whether a part of v is completely in a conflict.
func (c *checker) isSpanInConflict(v version, at text.Span) bool {
	return slices.ContainsFunc(c.Conflicts, func(k Conflict) bool { return k.At[v].Contains(at) })
}

// changedBy maps each side to the kind of the chunks that only it changed.
var changedBy = [result]diff3.Kind{ours: diff3.DestChanged, theirs: diff3.UpdatedChanged}

// rangeOf returns the range of lines of v (base, ours or theirs) in chunk k.
func rangeOf(k diff3.Chunk, v version) diff3.Range {
	return [result]diff3.Range{k.Original, k.Dest, k.Updated}[v]
}

// checkLine returns a violation if a line of the result has another parent than in the side that wrote or moved it (or
// in both sides, if neither did). at is the index of the line, from 0. Parents are the same if they are versions of one
// node. Comments and blank lines have none.
func (o *origins) checkLine(at int) *Violation {
	var holders, originals [result]*Node
	for v, line := range o.sources[at] {
		if line < 0 {
			continue
		}
		if holders[v] = o.parentOfLine(version(v), line); holders[v] == nil {
			return nil
		}
		originals[v] = o.originalOf(version(v), holders[v])
	}
	resultOriginals := o.originalsOf(o.parentOfLine(result, at))
	for _, s := range sides {
		other := s.Other()
		switch {
		case originals[s] == nil, slices.Contains(resultOriginals, originals[s]):
			continue
		case originals[base] != nil && (originals[s] == originals[base] || originals[other] == nil) && originals[other] != originals[base]:
			continue // the other side wrote or moved it
		case o.isMovedWithNeighbors(s, at):
			continue
		}
		line := o.lineText(s, o.sources[at][s])
		hasBothEdits := func(t *Node) bool {
			return o.hasLine(o.sideNodeOf(s, t), line) && o.mayHoldInResult(originals[s], func(n *Node) bool { return o.hasLine(n, line) })
		}
		if slices.ContainsFunc(resultOriginals, hasBothEdits) { // the side wrote an equal line in both parents
			continue
		}
		var q nodeVersions
		q[s] = holders[s]
		if originals[s].Version == base {
			q[base] = originals[s]
		}
		return q.newViolation(ruleMisplaced, "the line merge puts a change of %s into a different entry", s)
	}
	return nil
}

// isMovedWithNeighbors reports whether line at of the result, from 0, is a field that side s wrote between two fields
// that the other side put below a new heading, such as name here. These are the nearest fields of the base before and
// after it. The other side must still have the mapping that they were in.
//
//	base          ours          theirs        result
//	app:          app:          app:          app:
//	  level: 1      level: 1      level: 1      level: 1
//	  host: db    db:             host: db    db:
//	  port: 80      host: db      name: x       host: db
//	                port: 80      port: 80      name: x
//	                                            port: 80
func (o *origins) isMovedWithNeighbors(s version, at int) bool {
	line := o.sources[at][s]
	if len(o.starts[s][line]) == 0 || o.starts[s][line][0].Entry.Key == nil {
		return false
	}
	n := o.starts[s][line][0]
	if parent := o.baseNodeOf(o.parentOf(n)); parent == nil || o.sideNodeOf(s.Other(), parent) == nil {
		return false
	}
	siblings := o.parentOf(n).Children
	i := slices.IndexFunc(siblings, func(k Node) bool { return k.index == n.index })
	isMoved := func(k *Node) bool {
		start := o.lineSpan(s, k).Start
		to := slices.IndexFunc(o.sources, func(from [result]int) bool { return from[s] == start })
		return !o.hasNodeAtPathOf(s.Other(), o.baseNodeOf(k)) && to >= 0 && o.parentOfLine(result, to) == o.parentOfLine(result, at)
	}
	before, after := i-1, i+1
	for before >= 0 && o.baseNodeOf(&siblings[before]) == nil {
		before--
	}
	for after < len(siblings) && o.baseNodeOf(&siblings[after]) == nil {
		after++
	}
	return before >= 0 && after < len(siblings) && isMoved(&siblings[before]) && isMoved(&siblings[after])
}

// isInOtherBranch reports whether n, a node of a side, and the version in this side of b, a node of the base, are in
// different branches of template blocks, such as {{ if .a }} and {{ else }}. It returns false if n is the version of b,
// or if none is known.
func (o *origins) isInOtherBranch(n, b *Node) bool {
	m := o.sideNodeOf(n.Version, b)
	return m != nil && m != n && !slices.Equal(o.guardOf(m), o.guardOf(n))
}

// checkDeletedLine returns a violation if s deleted a line of the base that the other side has in another parent or
// template branch, because a line merge deletes it there, too. This is accepted if s deleted an equal line in that
// parent as well. baseLine and otherLine are the indexes, from 0, of the line in the base and in the other side.
// Comments and blank lines do not count.
func (o *origins) checkDeletedLine(s version, baseLine, otherLine int) *Violation {
	holder, other, text := o.parentOfLine(base, baseLine), s.Other(), o.lineText(base, baseLine)
	if holder == nil {
		return nil
	}
	q := nodeVersions{base: holder}
	q[s] = o.sideNodeOf(s, holder)
	if b, n := o.starts[base][baseLine], o.starts[other][otherLine]; len(b) > 0 && len(n) > 0 && o.isInOtherBranch(n[0], b[0]) {
		return q.newViolation(ruleMisplaced, "%s deleted a line that %s has in a different template block", s, other)
	}
	if n := o.parentOfLine(other, otherLine); n != nil {
		original := o.originalOf(other, n)
		// s may have deleted equal lines from both places
		// other split the collection: it put a part below a new heading
		isMoved := original.Version == other && len(o.starts[base][baseLine]) > 0 && o.isSplitFrom(n, holder) && !o.isLineRepeated(base, text) && !o.isLineRepeated(other, text)
		isDeleted := original.Version == base && o.hasLine(original, text) && !o.hasLine(o.sideNodeOf(s, original), text)
		if original == holder || isMoved || isDeleted && o.mayHoldInResult(holder, func(n *Node) bool { return !o.hasLine(n, text) }) {
			return nil
		}
	}
	return q.newViolation(ruleMisplaced, "%s deleted a line that %s has in a different entry", s, other)
}

// isSplitFrom reports whether n, a collection that a side added, has only entries from unchanged lines of b, a collection
// of the base, and b keeps others.
func (o *origins) isSplitFrom(n, b *Node) bool {
	isFromB := func(k Node) bool {
		line := -1
		if k.Entry != nil {
			line = o.baseLines[n.Version][o.files[n.Version].Line(k.Entry.Start)-1]
		}
		return line >= 0 && o.parentOfLine(base, line) == b
	}
	isOther := func(k Node) bool { return !isFromB(k) }
	return !slices.ContainsFunc(n.Children, isOther) && slices.ContainsFunc(o.sideNodeOf(n.Version, b).GetChildren(), isFromB)
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

// hasLine reports whether text is a line of n: the whole line on which a child starts, or a line of the text of a
// scalar. Further lines of children do not count. Lines are compared without the white space around them; text must
// have none. It returns false if n is nil, or is the list of documents.
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

// mayHoldInResult reports whether f is true for a node of the result that is a version of t, even if it was renamed or
// moved. t is a node of the base, or one that a side added. It also returns true if no such node is found, because then
// it is unknown. Of scalars, only block scalars (| or >) are found.
func (o *origins) mayHoldInResult(t *Node, f func(*Node) bool) bool {
	if o.resultNodes == nil {
		o.resultNodes = map[*Node][]*Node{}
		o.docs[result].Walk(func(n *Node) {
			if n == o.docs[result] || n.Kind == syntax.Scalar && !n.IsBlockScalar() {
				return
			}
			for _, t := range o.originalsOf(n) {
				o.resultNodes[t] = append(o.resultNodes[t], n)
			}
		})
	}
	return len(o.resultNodes[t]) == 0 || slices.ContainsFunc(o.resultNodes[t], f)
}
