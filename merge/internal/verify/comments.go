package verify

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A comment belongs to an entry. The number of its occurrences there must be the merge of the inputs. An unchanged
// comment may get another entry because its neighbors changed. So if the numbers at the entry are wrong, the numbers in
// the whole file decide.
//
// If a side adds an entry below a comment, the comment may now belong to this entry, as if the side had removed one
// comment and added another. So if the other side removed the comment and the result has it, the number at the added
// entry is right. This is found by the numbers in the mapping or list around the entry and in the whole file.

// A remark is a comment, a YAML directive such as %YAML, a document marker (... or, in the first document, ---) or a
// line of a template that consists of actions, such as {{ end }}. All of these are verified in the same way.
type remark struct {
	hash      uint64  // hash of its text; see hashRemark
	addr      uint64  // address of the entry that contains it: hash of the mapping keys and item names on the way to it
	countsFor version // the version that is treated as containing it
	writtenIn version // the version that contains it: countsFor, or the base
	span      text.Span
	isMasked  bool           // it is in a conflict and is ignored
	action    *template.Line // the template line; nil for other remarks
}

// remarkCounts has the numbers of occurrences of equal remarks in each version, and what follows from them.
type remarkCounts struct {
	all, unmasked  versionCounts // in the whole file, with and without those in conflicts
	baseAddr       uint64        // address of the entry that contains the last one in the base
	isWrongAtEntry bool          // at an entry, the result does not have the number that the edits of both sides give
	isExtra        bool          // see markExtra
	isDone         bool          // a violation is recorded, or none is needed
}

// remarks has all remarks of the versions: comments, and what is verified like them.
type remarks struct {
	*checker
	list    []remark
	counts  map[uint64]*remarkCounts    // by the hash of a remark
	atEntry occurrenceCounts[[2]uint64] // by the address of an entry and the hash of a remark, without those in conflicts
	addedAt occurrenceCounts[uint64]    // by the address of an entry, those that the base lacks
}

// checkComments records a violation for each comment, or line of actions in a template, that the result has more or
// less often than the edits of both sides give. Equal comments get one violation, even at several entries. It always
// returns nil.
func (c *checker) checkComments() *Violation {
	k := c.listRemarks()
	k.countAtEntries()
	k.markExtra()
	for _, r := range k.list {
		n := k.counts[r.hash]
		if n.isDone {
			continue
		}
		isLost := n.all.isLostEverywhere()
		if k.hasExpectedCount(r) && !n.isExtra && !isLost && !k.isMovedAndDeleted(r) {
			continue
		}
		n.isDone = true
		reported := n.unmasked
		if isLost {
			reported = n.all
		}
		c.record(k.newCommentViolation(r, reported))
	}
	return nil
}

// countAtEntries counts the remarks at each entry, in c.atEntry and c.addedAt, and sets isWrongAtEntry for those whose
// number at an entry is not the merge of the inputs. It also sets their address in the base, and isDone if a person
// resolved them.
func (c *remarks) countAtEntries() {
	for _, r := range c.list {
		n := c.counts[r.hash]
		if r.writtenIn == base {
			n.baseAddr = r.addr
		} else if n.all[base] == 0 {
			c.addedAt.add(r.writtenIn, r.addr)
		}
		if r.isMasked {
			n.isDone = n.isDone || c.maker == byPerson // who may have resolved it in any way
			continue
		}
		c.atEntry.add(r.countsFor, [2]uint64{r.addr, r.hash})
	}
	for k, n := range c.atEntry {
		if !n.isExpectedAtOnePlace() {
			c.counts[k[1]].isWrongAtEntry = true
		}
	}
}

// hasExpectedCount reports whether the result has remark r, such as a comment, as often as the edits of both sides
// give: in the whole file, or at its entry, because an unchanged comment may get another entry when its neighbors
// change.
func (c *remarks) hasExpectedCount(r remark) bool {
	n := c.counts[r.hash]
	// a line of actions must be right at every entry
	isRightAtEntry := r.action == nil && c.atEntry[[2]uint64{r.addr, r.hash}].isExpectedAtOnePlace()
	return n.unmasked.isExpected() || !n.isWrongAtEntry || isRightAtEntry
}

// isMovedAndDeleted reports whether side r.writtenIn moved an entry together with its comment r, although the other
// side deleted this comment without replacing it, and the result has the comment. It returns false if r is in a
// conflict, or is a line of actions.
func (c *remarks) isMovedAndDeleted(r remark) bool {
	n, s := c.counts[r.hash], r.writtenIn
	if r.action != nil || !n.all.isDeletedByOther(s) || c.isSpanInConflict(s, r.span) {
		return false
	}
	isMoved := len(c.nodesWithAddress(s, n.baseAddr)) == 0 && len(c.nodesWithAddress(s.Other(), n.baseAddr)) > 0
	return isMoved && c.addedAt[n.baseAddr][s.Other()] == 0 // otherwise the other side replaced the comment
}

// markExtra sets isExtra for comments that the result has too often in the file and in a collection, even if not at
// their entry: a copy that one side removed, as below, or more than all inputs, which have equally many.
//
//	base    ours    theirs    result
//	a: 1    a: 1    a: 1      a: 1
//	# c             # c       # c       ours removed it
//	                b: 1      b: 1
func (c *remarks) markExtra() {
	inCollection, inSmallest := occurrenceCounts[[2]uint64]{}, map[[2]uint64]int{} // by address and hash
	inConflict := map[uint64]int32{}                                               // copies of the result, by hash
	for _, r := range c.list {
		if !c.mayBeExtra(r) {
			continue
		}
		isChosen := c.isChosenInConflict(r) // the result has a copy in the conflict, which is not counted
		if isChosen {
			inConflict[r.hash]++
		}
		for i, addr := range c.collectionAddressesAt(r.writtenIn, r.span.Start) {
			k := [2]uint64{addr, r.hash}
			if i == 0 && r.writtenIn == result {
				inSmallest[k]++
			}
			n := inCollection[k]
			n[r.countsFor]++
			if isChosen {
				n[result]--
			}
			inCollection[k] = n
		}
	}
	for k, n := range inCollection {
		inFile := c.counts[k[1]].unmasked
		inFile[result] -= inConflict[k[1]]
		isRestored := n.isRestored() && inFile.isRestored()
		isExtraCopy := n.hasExtraCopy() && inFile.hasExtraCopy() && inSmallest[k] > 1
		if isRestored || isExtraCopy {
			c.counts[k[1]].isExtra = true
		}
	}
}

// mayBeExtra reports whether r is a comment on lines of its own that the whole result has too often. It returns false
// for a comment beside an entry, one that a conflict masks, and a line of actions.
func (c *remarks) mayBeExtra(r remark) bool {
	n, file := c.counts[r.hash].unmasked, c.files[r.writtenIn]
	hasTooMany := n.isRestored() || n.hasExtraCopy()
	if !hasTooMany || r.isMasked || r.action != nil {
		return false
	}
	before := file.Slice(text.Span{Start: file.LineStart(r.span.Start), End: r.span.Start})
	return len(bytes.TrimSpace(before)) == 0
}

// isChosenInConflict reports whether r is in a conflict of an input, and the result has the lines of this input there.
func (c *remarks) isChosenInConflict(r remark) bool {
	return r.writtenIn != result && slices.ContainsFunc(c.Conflicts, func(o Conflict) bool {
		return o.Chosen == r.writtenIn && o.At[r.writtenIn].Contains(r.span)
	})
}

// checkOverlay returns a violation if a merge with the rules of kustomize or kubectl lacks a comment that it must
// keep, or has a comment more often than both sides together. A comment that one side deleted or discarded may be
// missing.
func (c *remarks) checkOverlay() *Violation {
	for _, r := range c.list {
		n, unmasked := c.counts[r.hash].all, c.counts[r.hash].unmasked
		isKeptBy := func(s version) bool { return unmasked[s] > 0 && (n[base] == 0 || n[s.Other()] > 0) }
		isLost := n[result] == 0 && (isKeptBy(ours) || isKeptBy(theirs))
		if isLost || n[result] > n[ours]+n[theirs] {
			return c.newCommentViolation(r, n)
		}
	}
	return nil
}

// newCommentViolation returns a violation about wrong, a remark of which the versions have n copies.
//
//	remark                           Subject     position
//	comment, directive or marker     its text    in each version, the first equal one at this entry
//	{{ end }} or {{ else }}          none        the entry above it
//	other line of actions            its text    none
//
// An {{ end }} or {{ else }} above the first entry of a document is like another line of actions.
func (c *remarks) newCommentViolation(wrong remark, n versionCounts) *Violation {
	if l := wrong.action; l != nil {
		x := c.newViolationAt(RuleAction, nil, l.Text, "occurrences of %s: %d, expected %d", quoteLine(l.Text), n[result], n.expectedRange().least)
		if l.OpenedBy != "" && l.Above != nil { // many lines are equal, such as {{ end }}
			x = c.nodesAt(wrong.writtenIn, l.Above.Start).newViolation(RuleAction, "%s", x.Detail)
		}
		return x
	}
	text := string(bytes.TrimSpace(c.files[wrong.writtenIn].Slice(wrong.span)))
	x := nodeVersions{}.newViolation(RuleComment, "occurrences of %s: %d in base, %d in ours, %d in theirs, %d in the result", quoteLine(text), n[base], n[ours], n[theirs], n[result])
	x.Subject = text
	for _, r := range c.list {
		if r.hash == wrong.hash && r.addr == wrong.addr && x.At[r.writtenIn].Empty() {
			x.At[r.writtenIn] = r.span
		}
	}
	return x
}

// listRemarks returns the remarks of all versions, such as comments, with their numbers in the whole file. In a
// conflict, the side that was not chosen is treated as if it had the text of the base: its own remarks are masked, and
// those of the base are listed a second time, for this side.
func (c *checker) listRemarks() *remarks {
	k := &remarks{checker: c, counts: map[uint64]*remarkCounts{}, atEntry: occurrenceCounts[[2]uint64]{}, addedAt: occurrenceCounts[uint64]{}}
	for v := range versions {
		c.walkRemarks(v, func(at text.Span, action *template.Line) {
			state := maskAt(c.masks[v], at).state
			r := remark{
				hash: c.hashRemark(v, at, action), addr: c.addressOf(c.smallestAt(v, at.Start)), action: action,
				countsFor: v, writtenIn: v, span: at, isMasked: state == masked,
			}
			n := k.counts[r.hash]
			if n == nil {
				n = &remarkCounts{}
				k.counts[r.hash] = n
			}
			n.all[v]++
			if !r.isMasked {
				n.unmasked[v]++
			}
			k.list = append(k.list, r)
			for _, s := range sides {
				if state.countsFor(s) {
					n.unmasked[s]++
					r.countsFor = s
					k.list = append(k.list, r)
				}
			}
		})
	}
	return k
}

// hashRemark returns the hash by which equal remarks are counted together. Other mappings may have a field of the same
// text, so the hash of a field depends on its place:
//
//	remark                                  hashed
//	comment, directive, document marker     the text
//	line of actions                         also the block that it closes or divides
//	field in a block merged as text         also the entry above it, and the "else" branch around it
func (c *checker) hashRemark(v version, at text.Span, action *template.Line) uint64 {
	if action == nil {
		return hashLines(c.files[v].Slice(at))
	}
	hash := syntax.CombineHashes(Hash(action.Text), Hash(action.OpenedBy)) // an {{ end }} is that of its block
	if action.Key == "" || action.Above == nil {
		return hash
	}
	hash = syntax.CombineHashes(hash, c.addressOf(c.smallestAt(v, action.Above.Start)))
	if n := len(action.Guard); n > 0 {
		hash = syntax.CombineHashes(hash, Hash(elseOf(action.Guard[n-1])))
	}
	return hash
}

// walkRemarks calls f with the span of each remark in v: first the comments, then template lines that consist of
// actions, then YAML directives and document markers. The second argument of f is the template line, nil for other
// remarks.
func (c *checker) walkRemarks(v version, f func(text.Span, *template.Line)) {
	s, file := c.streams[v], c.files[v]
	for _, x := range s.Comments() {
		// a comment without # in the file comes from masking; the lines of actions follow below
		if !c.isTemplate() || s.Masked == nil || file.Bytes()[x.Span.Start] == '#' {
			f(x.Span, nil)
		}
	}
	if c.isTemplate() {
		for i := range c.Facts[v].Lines {
			f(c.Facts[v].Lines[i].Span, &c.Facts[v].Lines[i])
		}
	}
	for i, d := range s.Docs {
		for _, part := range [...]text.Span{d.Head, d.Foot} {
			for at := part.Start; at < part.End; at = file.LineEnd(at) {
				line := text.Span{Start: at, End: file.LineEnd(at)}
				b := file.Slice(line)
				isMarker := b[0] == '%' || bytes.HasPrefix(b, []byte("...")) ||
					i == 0 && c.maker != byRules && bytes.HasPrefix(b, []byte("---"))
				if isMarker && at == file.LineStart(at) {
					f(line, nil)
				}
			}
		}
	}
}

// unionMasks returns masks over the spans of a file that verification ignores, in the order of the file. Spans that
// overlap or touch become one mask. unionMasks sorts spans in place.
func unionMasks(spans []text.Span) (masks []mask) {
	slices.SortFunc(spans, func(a, b text.Span) int { return a.Start - b.Start })
	for _, s := range spans {
		if n := len(masks); n > 0 && s.Start <= masks[n-1].End {
			masks[n-1].End = max(masks[n-1].End, s.End)
			continue
		}
		masks = append(masks, mask{Span: s})
	}
	return masks
}

// checkLineComment returns a violation if the comment on the line of entry q, as in "a: 1 # x", is not the merge of
// the comments in the inputs. Its Subject is the expected comment or, if none is expected, the comment of the result.
func (c *checker) checkLineComment(q nodeVersions) *Violation {
	if q[result] == nil || c.maker != byFields {
		return nil
	}
	var comments [versions]string
	for v, n := range q {
		if n == nil {
			continue
		}
		if n.Entry == nil {
			return nil
		}
		if maskAt(c.masks[n.Version], n.Entry.Comment).state != outside {
			return nil
		}
		comments[v] = string(bytes.TrimSpace(c.files[n.Version].Slice(n.Entry.Comment)))
	}
	if want, ok := choose(comments); ok && want != comments[result] {
		x := q.newViolation(RuleComment, "expected the comment %s, found %s", quoteLine(want), quoteLine(comments[result]))
		x.Subject = cmp.Or(want, comments[result])
		return x
	}
	return nil
}
