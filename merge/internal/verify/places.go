package verify

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
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
// Edits of the other side are moved with it. In a template, the branch of a block belongs to the parent: an edit must
// not get into a branch in which neither side has its entry.

// checkLineParents returns the first violation in git's line-by-line merge, or nil if there is none or c.MergedChunks
// is nil, because the result is not a line merge. A line must be in the same place (mapping, list, text and template
// branch) as in the version that it comes from; places are the same if they are versions of one node of the base, even
// if a side renamed or moved it. A side must not delete a line that the other side has in another place than the base.
// Nor may a list or text have a deleted item or line, an extra copy of one, or an order that the sides do not give.
//
//	base       ours       theirs     result
//	web:       web:       web:       web:
//	  mem: 1     mem: 2     mem: 1     mem: 2
//	db:          cpu: 1   db:          cpu: 4     violation: theirs changed cpu in db
//	  mem: 2                mem: 2
//	  cpu: 1                cpu: 4
func (c *checker) checkLineParents() *Violation {
	if c.MergedChunks == nil {
		return nil
	}
	chosen := ours
	if len(c.Conflicts) > 0 {
		chosen = c.Conflicts[0].Chosen
	}
	o := newOrigins(c, c.MergedChunks, chosen)
	for at := range o.sources {
		if bad := o.checkLine(at); bad != nil {
			return bad
		}
	}
	if bad := o.checkListsOfLineMerge(); bad != nil {
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

// checkDeletions returns a violation if one side deleted an entry, and the other side moved it to another parent
// (mapping or list), where the result contains it. It returns nil if there is none, or if c.AlignedChunks is nil
// because git's line merge of the versions has conflicts. These entries are ignored:
//
//   - entries that the other side also kept in the old parent
//   - entries with both the old and the new place in a conflict
//   - entries of which the side that deleted them kept less than half of the lines of the old parent
func (c *checker) checkDeletions() *Violation {
	var o *origins
	for _, k := range c.AlignedChunks {
		for _, s := range sides {
			other := s.Other()
			if k.Kind != changedBy[s] || !rangeOf(k, s).Empty() {
				continue
			}
			if o == nil {
				o = newOrigins(c, c.AlignedChunks, ours)
			}
			for i := range k.Original.Len() {
				line, at := rangeOf(k, base).Start+i, rangeOf(k, other).Start+i
				if len(o.starts[base][line]) == 0 || len(o.starts[other][at]) == 0 || o.checkDeletedLine(s, line, at) == nil {
					continue
				}
				n := o.starts[other][at][0]
				q := c.nodesAt(other, n.Entry.Start)
				b := o.starts[base][line][0]
				if q[result] == nil || o.sideNodeOf(other, b) != nil || c.isInConflict(other, n) && c.isInConflict(base, b) || !o.keepsHalf(s, o.parentOf(b)) {
					continue
				}
				moved := nodeVersions{base: b, result: q[result]}
				moved[other] = n
				return moved.newViolation(ruleMisplaced, "deleted by %s, moved by %s", s, other)
			}
		}
	}
	return nil
}

// keepsHalf reports whether side s contains at least half of the lines of b, a node of the base, unchanged. They may be
// anywhere in the side. The line with the name of b, comments and blank lines do not count, and lines that both sides
// changed are left out of the total. It returns true if b has no lines that count.
func (o *origins) keepsHalf(s version, b *Node) bool {
	at, kept := o.lineSpan(base, b), 0
	for line := at.Start; line < at.End; line++ {
		if in := o.parentOfLine(base, line); in != nil && in != o.parentOf(b) && o.sideLines[s][line] >= 0 {
			kept++
		}
	}
	return 2*kept >= o.countLines(b)
}

// isInConflict reports whether n, a node of v, is completely in a conflict.
func (c *checker) isInConflict(v version, n *Node) bool {
	return slices.ContainsFunc(c.Conflicts, func(k Conflict) bool { return k.At[v].Contains(n.EntrySpan()) })
}

// changedBy maps each side to the kind of the chunks that only it changed.
var changedBy = [result]diff3.Kind{ours: diff3.DestChanged, theirs: diff3.UpdatedChanged}

// rangeOf returns the range of lines of v (base, ours or theirs) in chunk k.
func rangeOf(k diff3.Chunk, v version) diff3.Range {
	return [result]diff3.Range{k.Original, k.Dest, k.Updated}[v]
}

// checkLine returns a violation if a line of the result has another parent (mapping, list or text) than in the side
// that wrote or moved it, or is in a branch of a template block in which neither side has its entry, or not in one in
// which both have it. Otherwise it returns nil. at is the index of the line in the result, from 0. Parents are the same
// if they are versions of one node of the base, or one node that a side added. These lines are no violation:
//
//   - comments and blank lines, which have no parent
//   - lines of an edit that a side made in several parents: the side has an equal line in the result's parent, too, and
//     the result has it in the side's parent
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
		case originals[s] == nil:
			continue
		case slices.Contains(resultOriginals, originals[s]):
			if bad := o.checkBranch(s, at); bad != nil {
				return bad
			}
			continue
		case originals[base] != nil && (originals[s] == originals[base] || originals[other] == nil) && originals[other] != originals[base]:
			continue // the other side wrote or moved it
		}
		line := o.lineText(s, o.sources[at][s])
		hasBothEdits := func(t *Node) bool {
			return o.hasLine(o.sideNodeOf(s, t), line) && o.anyInResult(originals[s], func(n *Node) bool { return o.hasLine(n, line) })
		}
		if slices.ContainsFunc(resultOriginals, hasBothEdits) {
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

// checkBranch returns a violation if line at of the result, from 0, is in a branch of a template block in which neither
// side has its entry, or not in one in which both have it; otherwise nil. It is nil, too, if s is not the only version
// with the line, if no entry starts on it, or if the base or other side lacks the entry. The parents must be the same.
//
//	base          ours          theirs        result
//	{{ if .a }}   {{ if .a }}   {{ if .a }}   {{ if .a }}
//	type: A       type: AA      type: A       type: AA
//	name: x       name: x       name: y       name: x
//	{{ end }}     {{ else }}    {{ end }}     {{ else }}
//	              type: B                     type: B
//	              name: x                     name: y        violation: theirs changed name in "if .a"
//	              {{ end }}                   {{ end }}
func (o *origins) checkBranch(s version, at int) *Violation {
	other, line := s.Other(), o.sources[at][s]
	if !o.isTemplate() || o.sources[at][base] >= 0 || o.sources[at][other] >= 0 || len(o.starts[s][line]) == 0 || len(o.starts[result][at]) == 0 {
		return nil
	}
	q := nodeVersions{result: o.starts[result][at][0]}
	q[s] = o.starts[s][line][0]
	if q[base] = o.baseNodeOf(q[s]); q[base] == nil {
		return nil
	}
	if q[other] = o.sideNodeOf(other, q[base]); q[other] == nil {
		return nil
	}
	for _, l := range o.guardOf(q[result]) {
		if !slices.ContainsFunc(sides[:], func(v version) bool { return o.hasBranchAt(q[v], o.sourceLineOfBranch(l, v)) }) {
			return q.newViolation(ruleMisplaced, "the line merge puts a change of %s inside %s", s, quoteLine(l.Said))
		}
	}
	for _, l := range o.guardOf(q[other]) {
		b := o.baseLines[other][o.branchLine(other, l)]
		isInResult := func(x template.Level) bool { return o.sourceLineOfBranch(x, other) == o.branchLine(other, l) }
		if b >= 0 && o.hasBranchAt(q[s], o.sideLines[s][b]) && !slices.ContainsFunc(o.guardOf(q[result]), isInResult) {
			return q.newViolation(ruleMisplaced, "the line merge puts a change of %s out of %s", s, quoteLine(l.Said))
		}
	}
	return nil
}

// branchLine returns the line of v on which branch l of a template block starts, such as the line of {{ else }}. Lines
// are counted from 0.
func (o *origins) branchLine(v version, l template.Level) int { return o.files[v].Line(l.Start) - 1 }

// sourceLineOfBranch returns the line of v (base, ours or theirs) of which the first line of l is a copy. l is a branch
// of a template block in the result. Lines are counted from 0. It returns -1 if v has no such line.
func (o *origins) sourceLineOfBranch(l template.Level, v version) int {
	if at := o.branchLine(result, l); at < len(o.sources) {
		return o.sources[at][v]
	}
	return -1
}

// hasBranchAt reports whether n is in a branch of a template block that starts on the given line of its file. Lines are
// counted from 0. Branches around the parent of n do not count.
func (o *origins) hasBranchAt(n *Node, line int) bool {
	return slices.ContainsFunc(o.guardOf(n), func(l template.Level) bool { return o.branchLine(n.Version, l) == line })
}

// isInOtherBranch reports whether n, a node of a side, and the version of b in this side are in different branches of
// template blocks, such as {{ if .a }} and {{ else }}. b is a node of the base. Branches around their parents do not
// count. It returns false if n is the version of b, if the side deleted b, or if no version of b is known yet.
func (o *origins) isInOtherBranch(n, b *Node) bool {
	m := o.sideNodeOf(n.Version, b)
	return m != nil && m != n && !slices.Equal(o.guardOf(m), o.guardOf(n))
}

// checkDeletedLine returns a violation if s deleted a line of the base, and the other side has the line in another
// place than the base. A line merge deletes the line from this place. line is the index of the line in the base, and at
// its index in the other side, both from 0. The first matching case applies:
//
//	the line is a comment or a blank line in the base                                              nil
//	an entry starts on it, and the other side has it in another template branch than this entry    violation
//	the parents (mapping, list or text) in both versions are versions of one node                  nil
//	s deleted equal lines from both parents, and a version of the base's parent in the result
//	  lacks such a line, or the result has no version of it                                        nil
//	otherwise, also if the line is in no parent in the other side                                  violation
func (o *origins) checkDeletedLine(s version, line, at int) *Violation {
	holder, other, text := o.parentOfLine(base, line), s.Other(), o.lineText(base, line)
	if holder == nil {
		return nil
	}
	q := nodeVersions{base: holder}
	q[s] = o.sideNodeOf(s, holder)
	if b, n := o.starts[base][line], o.starts[other][at]; len(b) > 0 && len(n) > 0 && o.isInOtherBranch(n[0], b[0]) {
		return q.newViolation(ruleMisplaced, "%s deleted a line that %s has in a different template block", s, other)
	}
	if n := o.parentOfLine(other, at); n != nil {
		original := o.originalOf(other, n)
		isDeleted := original.Version == base && o.hasLine(original, text) && !o.hasLine(o.sideNodeOf(s, original), text)
		if original == holder || isDeleted && o.anyInResult(holder, func(n *Node) bool { return !o.hasLine(n, text) }) {
			return nil
		}
	}
	return q.newViolation(ruleMisplaced, "%s deleted a line that %s has in a different entry", s, other)
}

// hasLine reports whether text, which has no white space around it, is a line of n: the line on which a child starts,
// or a line of a scalar. Lines are compared without the white space around them. Other lines of children do not count,
// nor do those of deeper descendants. It returns false if n is nil, or is a list of documents. The first call for a node
// stores its lines.
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

// anyInResult reports whether f is true for a node of the result that is a version of t: the same node, also if a side
// renamed or moved it. It returns true if the result has no version of t. t is a node of the base or a node that a side
// added; it is a mapping, a list, or a scalar of several lines. Of the scalars in the result, only block scalars (| or
// >) are searched. The first call stores the nodes of the result in o.resultNodes, by the node that they are a version
// of.
func (o *origins) anyInResult(t *Node, f func(*Node) bool) bool {
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
