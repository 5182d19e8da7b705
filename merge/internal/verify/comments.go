package verify

import (
	"bytes"
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A comment belongs to an entry, and how often it stands there is what both sides make
// of the base. Which entry that is may change with its neighbours, though nobody
// touched the comment: what its entry does not explain, the whole file has to.

// A remark is a comment, a directive or the end marker of a document.
type remark struct {
	hash      uint64
	addr      uint64  // where it stands: its entry
	countsFor version // whose it is
	writtenIn version // where it stands: that, or the base, which counts for a side
	span      text.Span
	isMasked  bool           // it stands in conflict
	action    *template.Line // that it is; else nil
}

// A remarkCounts is how often a thing stands in each version, with what is in conflict
// and without.
type remarkCounts struct {
	all, unmasked versionCounts
	isReported    bool
}

// isExtraCopy reports whether the result has what base has more often than base, and no side has.
//
//	base    ours    theirs    result
//	- a     - a     - a       - a
//	# c     # c     # c       # c
//	- b             - d       - d
//	                          # c
//
// One deep in what a side added came there with that, as where it moved a whole mapping, and is another one; deep counts these.
func isExtraCopy(n versionCounts, deep func() int32) bool {
	return n[base] > 0 && n[result] > n[base] && max(n[ours], n[theirs]) <= n[base] && n[result]-deep() > n[base]
}

// countDeep is how often each remark of the result stands deep in what a side added.
func (c *checker) countDeep(all []remark) map[uint64]int32 {
	known, counts := map[uint64]bool{0: true}, map[uint64]int32{}
	c.walkAddresses(base, func(_ *Node, home uint64) { known[home] = true })
	for _, r := range all {
		if _, addr := c.addressAt(r.writtenIn, r.span.Start); r.countsFor == result && !known[addr] {
			counts[r.hash]++
		}
	}
	return counts
}

// checkComments verifies all comments.
func (c *checker) checkComments() *Violation {
	remarks, counts := c.listRemarks()
	byAddr, deep := countsByFact[[2]uint64]{}, sync.OnceValue(func() map[uint64]int32 { return c.countDeep(remarks) })
	for _, r := range remarks {
		if r.isMasked {
			counts[r.hash].isReported = counts[r.hash].isReported || c.maker == byPerson
			continue
		}
		byAddr.add(r.countsFor, [2]uint64{r.addr, r.hash})
	}
	for _, r := range remarks {
		n := counts[r.hash]
		isRight := n.unmasked.isExpected(false) || r.action == nil && byAddr[[2]uint64{r.addr, r.hash}].isExpected(true)
		if n.isReported || isRight && !n.all.isLostEverywhere() && !isExtraCopy(n.unmasked, func() int32 { return deep()[r.hash] }) {
			continue
		}
		n.isReported = true
		if x := c.record(c.newCommentViolation(remarks, r, n.unmasked)); x != nil {
			return x
		}
	}
	return nil
}

// checkOverlayComments holds comments: those of ours and the new ones of theirs stand, if
// what they belong to does, and the result has no others.
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

// newCommentViolation says that bad stands n times.
func (c *checker) newCommentViolation(remarks []remark, wrong remark, n versionCounts) *Violation {
	if l := wrong.action; l != nil {
		least, _ := n.expectedRange()
		x := c.newViolationAt(ruleAction, nil, l.Said, "%q stands %d times, not %d times", l.Said, n[result], least)
		if l.Of != "" && l.Above != nil { // many lines say the same: it is about the entry above
			x = c.nodesAt(wrong.writtenIn, l.Above.Start).newViolation(ruleAction, "%s", x.Detail)
		}
		return x
	}
	text := string(bytes.TrimSpace(c.files[wrong.writtenIn].Slice(wrong.span)))
	x := nodeVersions{}.newViolation(ruleComment, "base has %q %d times, ours %d, theirs %d, the result %d", text, n[base], n[ours], n[theirs], n[result])
	x.Subject = text
	for _, r := range remarks {
		if r.hash == wrong.hash && r.addr == wrong.addr && x.At[r.writtenIn].Empty() {
			x.At[r.writtenIn] = r.span
		}
	}
	return x
}

// listRemarks returns the remarks of all versions, and how often each stands.
func (c *checker) listRemarks() (remarks []remark, counts map[uint64]*remarkCounts) {
	counts = map[uint64]*remarkCounts{}
	for v := range versions {
		c.walkRemarks(v, func(at text.Span, action *template.Line) {
			b := c.files[v].Slice(at)
			k, _, open := maskAt(c.masks[v], at)
			open = open && (b[0] != '%' && b[0] != '.' || action != nil) // documents are not told by their markers
			r := remark{hash: hashLines(b), action: action, countsFor: v, writtenIn: v, span: at, isMasked: open && k.CountsFor == base}
			if action != nil {
				r.hash = syntax.CombineHashes(Hash(action.Said), Hash(action.Of))
			}
			r.addr, _ = c.addressAt(v, at.Start)
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

// walkRemarks calls f with the comments of v, with the directives and the end markers of its
// documents, and with the directive lines of a template.
func (c *checker) walkRemarks(v version, f func(text.Span, *template.Line)) {
	s, file := c.streams[v], c.files[v]
	for _, x := range s.Comments() {
		if !c.isTemplate() || s.Masked == nil || file.Bytes()[x.Span.Start] == '#' {
			f(x.Span, nil)
		}
	}
	if c.isTemplate() {
		for i := range c.facts[v].Lines {
			f(c.facts[v].Lines[i].Span, &c.facts[v].Lines[i])
		}
	}
	for _, d := range s.Docs {
		for _, part := range [...]text.Span{d.Head, d.Foot} {
			for at := part.Start; at < part.End; at = file.LineEnd(at) {
				line := text.Span{Start: at, End: file.LineEnd(at)}
				if b := file.Slice(line); at == file.LineStart(at) && (b[0] == '%' || bytes.HasPrefix(b, []byte("..."))) {
					f(line, nil)
				}
			}
		}
	}
}

// unionMasks sorts spans and joins those that overlap.
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
