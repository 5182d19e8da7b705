package verify

import (
	"bytes"
	"cmp"
	"fmt"
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

// remarkCounts has the numbers of equal remarks in each version, and what follows from them.
type remarkCounts struct {
	all, unmasked  versionCounts // in the whole file, with and without those in conflicts
	baseAddr       uint64        // address of the entry that contains the last one in the base
	isWrongAtEntry bool          // at an entry, the result does not have the number that the edits of both sides give
	isExtra        bool          // see markExtra
	isDone         bool          // a violation is recorded, or a person resolved a conflict with it in any way
}

// An occurrence is the address of an entry or collection, and the hash of what occurs there: a remark, for example, or
// the name of an alias.
type occurrence struct{ addr, hash uint64 }

// remarks has all remarks of the versions: comments, and what is verified like them.
type remarks struct {
	*checker
	list    []remark
	counts  map[uint64]*remarkCounts     // by the hash of a remark
	atEntry occurrenceCounts[occurrence] // without those in conflicts
	addedAt occurrenceCounts[uint64]     // by the address of an entry, those that the base lacks
}

// checkComments records a violation for each comment, or line of actions in a template, that the result has too often
// or too seldom. The right number is that of the base, plus the copies that the sides added, minus those that they
// removed. Equal comments get one violation, even at several entries. What is in a conflict that a person resolved is
// not verified. It always returns nil.
//
//	base    ours    theirs    result
//	# c             # c       # c       violation: ours removed it
//	a: 1    a: 1    a: 2      a: 2
func (c *checker) checkComments() *Violation {
	k := c.listRemarks()
	k.markExtra()
	for _, r := range k.list {
		n := k.counts[r.hash]
		if n.isDone {
			continue
		}
		switch {
		case n.all.isLostEverywhere():
			c.record(k.newCommentViolation(r, n.all))
		case n.isExtra, !k.hasExpectedCount(r), k.isMovedAndDeleted(r):
			c.record(k.newCommentViolation(r, n.unmasked))
		default:
			continue // another entry may have the wrong number
		}
		n.isDone = true
	}
	return nil
}

// hasExpectedCount reports whether the result has remark r as often as the edits of both sides give, in the whole file
// or at its entry. One of the two is enough, because an unchanged comment may get another entry when its neighbors
// change. A line of actions must be right in the whole file, or at every entry.
func (c *remarks) hasExpectedCount(r remark) bool {
	n := c.counts[r.hash]
	// a line of actions must be right at every entry
	isRightAtEntry := r.action == nil && c.atEntry[occurrence{r.addr, r.hash}].isExpectedAtOnePlace()
	return n.unmasked.isExpected() || !n.isWrongAtEntry || isRightAtEntry
}

// isMovedAndDeleted reports whether the result has comment r although the sides disagree about it. Side r.writtenIn
// moved the entry of r, and r with it: the side has no entry at the address where the base has r. The other side still
// has this entry, but deleted r without adding another comment there. It returns false if r is in a conflict.
func (c *remarks) isMovedAndDeleted(r remark) bool {
	n, s := c.counts[r.hash], r.writtenIn
	if !n.all.isDeletedByOther(s) || c.isSpanInConflict(s, r.span) {
		return false
	}
	isMoved := len(c.nodesWithAddress(s, n.baseAddr)) == 0 && len(c.nodesWithAddress(s.Other(), n.baseAddr)) > 0
	return isMoved && c.addedAt[n.baseAddr][s.Other()] == 0 // otherwise the other side replaced the comment
}

// markExtra sets isExtra for comments that the result has too often, in the whole file and in a mapping or list, even
// if it has the right number at each entry:
//
//   - It has a copy again that one side removed, as below.
//
//   - It has a further copy of a comment in the same collection, although all inputs have equally many.
//
//     base    ours    theirs    result
//     a: 1    a: 1    a: 1      a: 1
//     # c             # c       # c       ours removed it
//     b: 1      b: 1
func (c *remarks) markExtra() {
	inCollection := occurrenceCounts[occurrence]{}
	inInnermost := map[occurrence]int{} // the copies of the result that are in no smaller collection
	inConflict := map[uint64]int32{}    // the copies of the result in conflicts, by hash; they are not counted
	for _, r := range c.list {
		if !c.mayBeExtra(r) {
			continue
		}
		isChosen := c.isChosenInConflict(r) // the result has a copy in the conflict
		if isChosen {
			inConflict[r.hash]++
		}
		for i, addr := range c.collectionAddressesAt(r.writtenIn, r.span.Start) {
			place := occurrence{addr, r.hash}
			if i == 0 && r.writtenIn == result {
				inInnermost[place]++
			}
			n := inCollection[place]
			n[r.countsFor]++
			if isChosen {
				n[result]--
			}
			inCollection[place] = n
		}
	}
	for place, n := range inCollection {
		all := c.counts[place.hash]
		inFile := all.unmasked
		inFile[result] -= inConflict[place.hash]
		isRestored := n.isRestored() && inFile.isRestored()
		isExtraCopy := n.hasExtraCopy() && inFile.hasExtraCopy() && inInnermost[place] > 1
		all.isExtra = all.isExtra || isRestored || isExtraCopy
	}
}

// mayBeExtra reports whether markExtra has to look at r: a comment on a line of its own, or a line of actions, that the
// result has too often in the whole file. It returns false for what a conflict masks, and for a line of actions that
// the base repeats, because different blocks have such lines in common.
func (c *remarks) mayBeExtra(r remark) bool {
	n, file := c.counts[r.hash].unmasked, c.files[r.writtenIn]
	hasTooMany := n.isRestored() || n.hasExtraCopy()
	if !hasTooMany || r.isMasked || r.action != nil && n[base] > 1 {
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

// checkOverlay returns a violation if a merge with the rules of kustomize or kubectl lacks a comment that it must keep,
// or has a comment more often than both sides together. It must keep a comment that a side added, and one that the base
// and both sides have. Numbers are those in the whole file. A comment that one side deleted or discarded may be
// missing.
//
//	base    ours    theirs    result
//	        # a                         violation: ours added it
//	# b     # b                         nil: theirs deleted it
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

// newCommentViolation returns a violation about the number of copies of wrong, a comment, directive or document marker.
// n has the numbers for the message. Its Subject is the text. Its position in each version is that of the first equal
// one at the same entry. For a line of actions, it returns that of newActionViolation.
func (c *remarks) newCommentViolation(wrong remark, n versionCounts) *Violation {
	if wrong.action != nil {
		return c.newActionViolation(wrong.writtenIn, wrong.action, n)
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

// newActionViolation returns a violation about l, a line of actions in v, of which the versions have n copies. Its
// Subject is the line, and it has no position. A line such as {{ end }} or {{ else }}, of which a file has many, has
// the position of the entry above it instead of a Subject, if there is such an entry.
func (c *checker) newActionViolation(v version, l *template.Line, n versionCounts) *Violation {
	detail := fmt.Sprintf("occurrences of %s: %d, expected %d", quoteLine(l.Text), n[result], n.expectedRange().least)
	if l.OpenedBy != "" && l.Above != nil {
		return c.nodesAt(v, l.Above.Start).newViolation(RuleAction, "%s", detail)
	}
	return &Violation{Rule: RuleAction, Detail: detail, Subject: l.Text}
}

// listRemarks returns the remarks of all versions, such as comments, and three tables of their numbers: counts for the
// whole file, by the hash of a remark, atEntry for each remark at one entry, and addedAt for all remarks at one entry
// that the base lacks. In a conflict, the side that was not chosen is treated as if it had the text of the base: its
// own remarks are masked, and those of the base are listed a second time, for this side.
func (c *checker) listRemarks() *remarks {
	k := &remarks{checker: c, counts: map[uint64]*remarkCounts{}, atEntry: occurrenceCounts[occurrence]{}, addedAt: occurrenceCounts[uint64]{}}
	for v := range versions {
		c.walkRemarks(v, func(at text.Span, action *template.Line) {
			state := maskAt(c.masks[v], at).state
			r := remark{
				hash: c.hashRemark(v, at, action), addr: c.addressOf(c.smallestAt(v, at.Start)), action: action,
				countsFor: v, writtenIn: v, span: at, isMasked: state == masked,
			}
			k.add(r)
			for _, s := range sides {
				if state.countsFor(s) { // r is of the base
					r.countsFor = s
					k.add(r)
				}
			}
		})
	}
	for _, r := range k.list {
		if k.counts[r.hash].all[base] == 0 {
			k.addedAt.add(r.writtenIn, r.addr)
		}
	}
	for place, n := range k.atEntry {
		if !n.isExpectedAtOnePlace() {
			k.counts[place.hash].isWrongAtEntry = true
		}
	}
	return k
}

// add appends r to c.list and counts it in c.counts, for the whole file, and in c.atEntry, for its entry. A masked
// remark counts only in remarkCounts.all. If a person created the result, all remarks equal to a masked one are marked
// as done, because the person may have resolved the conflict in any way.
func (c *remarks) add(r remark) {
	n := c.counts[r.hash]
	if n == nil {
		n = &remarkCounts{}
		c.counts[r.hash] = n
	}
	c.list = append(c.list, r)
	if r.countsFor == r.writtenIn {
		n.all[r.writtenIn]++
	}
	if r.writtenIn == base {
		n.baseAddr = r.addr
	}
	if r.isMasked {
		n.isDone = n.isDone || c.maker == byPerson // who may have resolved it in any way
		return
	}
	n.unmasked[r.countsFor]++
	c.atEntry.add(r.countsFor, occurrence{r.addr, r.hash})
}

// hashRemark returns the hash of the remark of v at this span, by which equal remarks are counted together. action is
// its template line, or nil. Other mappings may have a field of the same text, so the hash of a field depends on its
// place:
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
// actions, then YAML directives such as %YAML and document markers at the start of a line. Of the markers --- only the
// one of the first document counts, and none if the result is by the rules of kustomize or kubectl. The second argument
// of f is the template line, nil for other remarks.
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
		startCounts := i == 0 && c.maker != byRules // other documents are compared themselves; rules that prefer theirs ignore it
		for _, part := range [...]text.Span{d.Head, d.Foot} {
			for at := part.Start; at < part.End; at = file.LineEnd(at) {
				line := text.Span{Start: at, End: file.LineEnd(at)}
				b := file.Slice(line)
				isMarker := b[0] == '%' || bytes.HasPrefix(b, []byte("...")) || startCounts && bytes.HasPrefix(b, []byte("---"))
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
		masks = append(masks, mask{Span: s, state: masked})
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
