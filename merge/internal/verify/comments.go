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
// comment may get another entry because its neighbors changed. So if the numbers at the entry are wrong, the numbers
// in the whole file decide.
//
// If a side adds an entry below a comment, the comment may now belong to this entry, as if the side had removed one
// comment and added another. So if the other side removed the comment and the result has it, the number at the added
// entry is right. This is found by the numbers in the mapping or list around the entry and in the whole file.

// A remark is a comment, a YAML directive such as %YAML, a document marker (... or, in the first document, ---) or a
// line of a template that consists of actions, such as {{ end }}. All of these are verified in the same way.
type remark struct {
	hash      uint64  // hash of its text
	addr      uint64  // address of the entry that contains it: hash of the mapping keys and item names on the way to it
	countsFor version // the version that is treated as containing it
	writtenIn version // the version that contains it: countsFor, or the base
	span      text.Span
	isMasked  bool           // it is in a conflict and is ignored
	action    *template.Line // the template line; nil for other remarks
}

// remarkCounts are the numbers of occurrences of a comment (or a line that is treated like one) in each version, with
// and without those in conflicts.
type remarkCounts struct {
	all, unmasked versionCounts
	isReported    bool // a violation is recorded, or none is needed
}

// findExtraComments returns the hashes of the comments that the result has too often, with the value true. Either only
// one side removed a copy and the result still has it, or all inputs have equally many and the result has several in
// one mapping or list. The numbers must be wrong both in a mapping or list and in the file. Comments beside an entry
// and lines of actions are ignored.
//
//	base    ours    theirs    result
//	a: 1    a: 1    a: 1      a: 1
//	# c             # c       # c       ours removed it
//	                b: 1      b: 1
func (c *checker) findExtraComments(remarks []remark, counts map[uint64]*remarkCounts) map[uint64]bool {
	byCollection, inConflict := occurrenceCounts[[2]uint64]{}, map[uint64]int32{}
	inSmallest := map[[2]uint64]int{} // copies of the result
	for _, r := range remarks {
		n := counts[r.hash].unmasked
		hasTooMany := n.isRestored() || n.hasExtraCopy()
		if !hasTooMany || r.isMasked || r.action != nil {
			continue
		}
		file := c.files[r.writtenIn]
		if before := file.Slice(text.Span{Start: file.LineStart(r.span.Start), End: r.span.Start}); len(bytes.TrimSpace(before)) > 0 {
			continue
		}
		isChosen := slices.ContainsFunc(c.Conflicts, func(o Conflict) bool {
			return r.writtenIn != result && o.Chosen == r.writtenIn && o.At[r.writtenIn].Contains(r.span)
		})
		if isChosen {
			inConflict[r.hash]++ // copies in the conflicts of the result do not count
		}
		for i, addr := range c.collectionAddressesAt(r.writtenIn, r.span.Start) {
			k := [2]uint64{addr, r.hash}
			if i == 0 && r.writtenIn == result {
				inSmallest[k]++
			}
			n := byCollection[k]
			if n[r.countsFor]++; isChosen {
				n[result]--
			}
			byCollection[k] = n
		}
	}
	extra := map[uint64]bool{}
	for k, n := range byCollection {
		inFile := counts[k[1]].unmasked
		inFile[result] -= inConflict[k[1]]
		isRestored := n.isRestored() && inFile.isRestored()
		isExtraCopy := n.hasExtraCopy() && inFile.hasExtraCopy() && inSmallest[k] > 1
		if isRestored || isExtraCopy {
			extra[k[1]] = true
		}
	}
	return extra
}

// checkComments records a violation for each text of a comment (see remark) that the result has more or less often than
// the edits of both sides give. It is enough if the number is right in the whole file or at the entry of the comment,
// because an unchanged comment may get another entry; for a line of actions, at every entry. This is not enough in
// three cases (see isWrong in the body). It returns the violation that ends the verification (see record), or nil.
func (c *checker) checkComments() *Violation {
	remarks, counts := c.listRemarks()
	extra, byAddr := c.findExtraComments(remarks, counts), occurrenceCounts[[2]uint64]{}
	addrInBase, edited := map[uint64]uint64{}, [versions]map[uint64]bool{{}, {}, {}, {}} // addresses of the comments that a side added
	for _, r := range remarks {
		if r.writtenIn == base {
			addrInBase[r.hash] = r.addr
		} else if counts[r.hash].all[base] == 0 {
			edited[r.writtenIn][r.addr] = true
		}
		if r.isMasked {
			counts[r.hash].isReported = counts[r.hash].isReported || c.maker == byPerson // equal comments are ignored, too
			continue
		}
		byAddr.add(r.countsFor, [2]uint64{r.addr, r.hash})
	}
	isWrongAtAny := map[uint64]bool{}
	for k, n := range byAddr {
		isWrongAtAny[k[1]] = isWrongAtAny[k[1]] || !n.isExpected(true)
	}
	for _, r := range remarks {
		n, s, other, old := counts[r.hash], r.writtenIn, r.writtenIn.Other(), addrInBase[r.hash]
		// one side moved the entry with its comment, and the other side deleted only the comment
		isDeletedByOther := r.action == nil && n.all.isDeletedByOther(s) && !c.isSpanInConflict(s, r.span)
		isMoved := isDeletedByOther && len(c.nodesWithAddress(s, old)) == 0 && len(c.nodesWithAddress(other, old)) > 0
		isMovedAndDeleted := isMoved && !edited[other][old]
		isRight := n.unmasked.isExpected(false) || !isWrongAtAny[r.hash] ||
			r.action == nil && byAddr[[2]uint64{r.addr, r.hash}].isExpected(true)
		// these are wrong even if one of the numbers is right
		isWrong := isMovedAndDeleted || extra[r.hash] || n.all.isLostEverywhere()
		if n.isReported || isRight && !isWrong {
			continue
		}
		n.isReported = true
		wrong := n.unmasked
		if n.all.isLostEverywhere() {
			wrong = n.all
		}
		if x := c.record(c.newCommentViolation(remarks, r, wrong)); x != nil {
			return x
		}
	}
	return nil
}

// checkOverlayComments returns a violation if the result of a merge with the rules of kustomize or kubectl lacks a
// comment, or has it more often than both sides together. These rules discard a part of each side, whose comments may
// be missing, and so may a comment of the base that one side deleted. remarks and counts are the results of
// listRemarks.
func (c *checker) checkOverlayComments(remarks []remark, counts map[uint64]*remarkCounts) *Violation {
	for _, r := range remarks {
		n, unmasked := counts[r.hash].all, counts[r.hash].unmasked
		old := n[base] > 0
		kept := func(s version) bool { return unmasked[s] > 0 && (!old || n[s.Other()] > 0) }
		lost := n[result] == 0 && (kept(ours) || kept(theirs))
		if lost || n[result] > n[ours]+n[theirs] {
			return c.newCommentViolation(remarks, r, n)
		}
	}
	return nil
}

// newCommentViolation returns a violation for wrong, a comment or a line of actions. n are its numbers of occurrences.
// Subject is its text. The position of a comment is, in each version, the first equal comment at this entry. A line of
// actions has no position; but a line that closes or divides a block has the position of the entry above it, and no
// Subject.
func (c *checker) newCommentViolation(remarks []remark, wrong remark, n versionCounts) *Violation {
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
	for _, r := range remarks {
		if r.hash == wrong.hash && r.addr == wrong.addr && x.At[r.writtenIn].Empty() {
			x.At[r.writtenIn] = r.span
		}
	}
	return x
}

// listRemarks returns the comments of all versions and what is verified like them (see remark). counts has the number
// of occurrences of each, by the hash of its text. In a conflict, the side that was not chosen is treated as if it had
// the text of the base: its own remarks are masked, and those of the base are in remarks a second time, for this side.
func (c *checker) listRemarks() (remarks []remark, counts map[uint64]*remarkCounts) {
	counts = map[uint64]*remarkCounts{}
	for v := range versions {
		c.walkRemarks(v, func(at text.Span, action *template.Line) {
			b := c.files[v].Slice(at)
			k, _, open := maskAt(c.masks[v], at)
			r := remark{hash: hashLines(b), action: action, countsFor: v, writtenIn: v, span: at, isMasked: open && k.CountsFor == base}
			if action != nil {
				r.hash = syntax.CombineHashes(Hash(action.Text), Hash(action.OpenedBy)) // an {{ end }} is that of its block
			}
			if action != nil && action.Key != "" && action.Above != nil { // a field must stay below its entry and in its branch
				r.hash = syntax.CombineHashes(r.hash, c.addressOf(c.smallestAt(v, action.Above.Start)))
				if n := len(action.Guard); n > 0 {
					r.hash = syntax.CombineHashes(r.hash, Hash(elseOf(action.Guard[n-1])))
				}
			}
			r.addr = c.addressOf(c.smallestAt(v, at.Start))
			if counts[r.hash] == nil {
				counts[r.hash] = &remarkCounts{}
			}
			n := counts[r.hash]
			n.all[v]++
			if !r.isMasked {
				n.unmasked[v]++
			}
			if remarks = append(remarks, r); open && !r.isMasked {
				r.countsFor = k.CountsFor
				n.unmasked[r.countsFor]++
				remarks = append(remarks, r)
			}
		})
	}
	return remarks, counts
}

// walkRemarks calls f with the span of each remark in v (see remark): first the comments, then the lines of a template
// that consist of actions, then the YAML directives and document markers (... and, unless the rules of kustomize or
// kubectl apply, the --- of the first document). The second argument is the line of the template, or nil for the
// others.
func (c *checker) walkRemarks(v version, f func(text.Span, *template.Line)) {
	s, file := c.streams[v], c.files[v]
	for _, x := range s.Comments() {
		// a comment without # in the file comes from masking; the lines of actions follow below
		if !c.isTemplate() || s.Masked == nil || file.Bytes()[x.Span.Start] == '#' {
			f(x.Span, nil)
		}
	}
	if c.isTemplate() {
		for i := range c.facts[v].Lines {
			f(c.facts[v].Lines[i].Span, &c.facts[v].Lines[i])
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

// checkLineComment returns a violation if the comment on the line of q's entry, as in "a: 1 # x", is not the three-way
// merge of the comments in the inputs. Its Subject is the expected comment or, if none is expected, the comment of the
// result. It returns nil if the result lacks q or is not a merge by field, if both sides changed the comment
// differently, if one of the comments is in a conflict, or if q is a document.
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
		if _, _, open := maskAt(c.masks[n.Version], n.Entry.Comment); open {
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
