package overlay

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// PairDocuments returns the documents of the streams, and a step for each document that a side has: first those of
// dest, then those that only updated has. They are paired by the identity of their resources. If no stream has several
// documents, they are paired whatever they are, except for different resources under rules other than kubectl's.
func (m *Merger) PairDocuments() (docs [3][]*syntax.Document, steps []pair.Step) {
	docs, single := m.PairSingleDocuments(m.Streams)
	if single != nil && (m.rules.Strategic || !schema.AreDifferentResources(docs)) {
		return docs, single
	}
	return docs, m.orderSteps(pair.PairByKey(m.DocumentElems(docs), m.rules.UpdatedAlwaysWins), true)
}

// DecideDocument returns the side from which a document is copied, or no side if the result does not contain it. ok is
// false if both sides have it and it has to be merged; s has no meaning then. docs has it in each version, or nil. If
// the result lacks a side's change of the document, because the other side deleted it or all of its content, this is
// recorded in the plan as lost.
func (m *Merger) DecideDocument(docs [3]*syntax.Document) (s three.Optional, ok bool) {
	o, d, u := docs[three.Original], docs[three.Dest], docs[three.Updated]
	switch {
	case d == nil && u == nil:
		return s, true
	case u == nil:
		return m.decideOneSided(o, three.Dest, d), true
	case d == nil:
		return m.decideOneSided(o, three.Updated, u), true
	case m.rules.UpdatedAlwaysWins || d.Root.Content.Empty() == u.Root.Content.Empty():
		return s, false
	case u.Root.Content.Empty():
		return m.decideResource(o, three.Dest, d)
	}
	return m.decideResource(o, three.Updated, u)
}

// decideOneSided returns s if the result contains document doc, which only side s has, and otherwise no side. It is in
// the result if updated always wins, or if s added it. If the other side deleted it, it is in the result if s added all
// of its content, or if it has no content but a new comment. A change of s that is lost is recorded in the plan.
// original is nil if the original lacks the document.
func (m *Merger) decideOneSided(original *syntax.Document, s three.Version, doc *syntax.Document) three.Optional {
	if original == nil || m.rules.UpdatedAlwaysWins {
		return three.Some(s)
	}
	isBlank := doc.Root.Content.Empty()
	addsContent := !isBlank && original.Root.Content.Empty()
	addsComment := isBlank && m.AddsComment(original.Span, s, doc.Span)
	if addsContent || addsComment {
		return three.Some(s)
	}
	m.recordLostResource(original, s, doc)
	return three.Optional{}
}

// decideResource returns the side whose document is copied if the document of the other side has only comments. doc is
// the document of s. If the original has content, the other side deleted the resource: it returns the other side, and
// records a change of s as lost. Otherwise s added the resource: it returns s, but if s is updated, ok is false,
// because the documents have to be merged.
func (m *Merger) decideResource(original *syntax.Document, s three.Version, doc *syntax.Document) (_ three.Optional, ok bool) {
	if original != nil && !original.Root.Content.Empty() {
		m.recordLostResource(original, s, doc)
		return three.Some(s.Other()), true
	}
	return three.Some(s), s == three.Dest
}

// recordLostResource adds a lost change of side s to the plan, if s changed the resource in document doc and doc is not
// in the result. Its path is the name of the resource, such as Service/web. It does nothing if updated always wins.
// original must not be nil.
func (m *Merger) recordLostResource(original *syntax.Document, s three.Version, doc *syntax.Document) {
	if !m.Hasher.Equal(original.Root, doc.Root) {
		name := &three.Path{Field: schema.ResourceName(doc.Root), Root: m.ResourcePlace(doc.Root)}
		m.recordLost(name, s, &syntax.Entry{Span: doc.Span, Start: doc.Root.Content.Start})
	}
}

// ChooseFrame sets p.Frame to the sides from which the bytes before and after the root of document p are copied, such
// as the --- in "--- {a: 1}", and returns p. p.Root.FormatFrom may become a version whose root fits these bytes. If
// there is none, it returns a document that is copied from one side as a whole instead of p.
func (m *Merger) ChooseFrame(p *plan.MergedDocument) plan.Document {
	p.Frame = &plan.Frame{Head: m.frameSide(p.Documents, plan.HeadSpan), Foot: m.frameSide(p.Documents, plan.FootSpan)}
	root := p.Root.Nodes[p.Root.FormatFrom]
	inline := !p.Root.Merged && root.Style != syntax.Block && !root.IsBlockScalar()
	if !p.Root.IsFlowText() && !inline {
		side, ok := m.FormatInFrame(p)
		if !ok {
			return &plan.TakenDocument{Documents: p.Documents, Side: side}
		}
		p.Root.FormatFrom = side
	}
	return p
}

// frameSide returns the side from which the bytes at part, before or after the root of a document, are copied. If
// updated always wins, it is dest if all comments that updated has there are somewhere in dest. Otherwise it is the
// side that changed the bytes. If both did so differently, it is updated, or dest if only dest has a comment there; if
// updated has one, the place is recorded as decided.
func (m *Merger) frameSide(docs [3]*syntax.Document, part plan.SpanFunc) three.Version {
	if m.rules.UpdatedAlwaysWins {
		lines := plan.Lines(m.Files[three.Updated], three.Updated, part(docs[three.Updated]), 0)
		if m.destHasComments(plan.Comments(lines)) {
			return three.Dest
		}
	}
	texts := m.Texts(docs, part)
	s, ok := three.PickFunc(texts, bytes.Equal)
	switch {
	case ok:
		return s
	case plan.CommentStart(texts[three.Updated]) >= 0:
		m.recordDecidedComments(part(docs[three.Dest]), part(docs[three.Updated]))
	case plan.CommentStart(texts[three.Dest]) >= 0:
		return three.Dest
	}
	return three.Updated
}

// MergeTrivia merges the comments and blank lines at one place in three versions, which t has. The result may have
// conflicts between comments. With a conflict, a line "---" at the start of t is left out, because the position of the
// document in the result decides whether it has a separator.
func (m *Merger) MergeTrivia(t plan.Slot) plan.Trivia {
	merged := m.mergeComments(t)
	if !merged.HasConflict() {
		return merged
	}
	for s, ls := range t.Lines {
		if len(ls) > 0 && string(bytes.TrimRight(ls[0].Text, "\r\n")) == "---" {
			t.Lines[s] = ls[1:]
		}
	}
	return m.mergeComments(t)
}

// mergeComments merges the comments and blank lines at one place, which t has by version (see plan.Slot.Merge). If
// updated always wins, the original is ignored, as if both sides had added their comments. The comments of updated are
// then left out if dest has all of them, at any place in the file, unless m.allComments is set.
func (m *Merger) mergeComments(t plan.Slot) plan.Trivia {
	if !m.rules.UpdatedAlwaysWins {
		return t.Merge()
	}
	t.Lines[three.Original] = nil
	if !m.allComments && m.destHasComments(plan.Comments(t.Lines[three.Updated])) {
		return t.Take(three.Dest)
	}
	return t.Merge()
}

// destHasComments reports whether dest contains all comments in lines, at any place. Only the text from the start of
// the comment on ("#", or that of a template action) is compared. Lines without a comment are ignored, so the result is
// true if there are no comments.
func (m *Merger) destHasComments(lines []string) bool {
	if m.destComments == nil {
		m.destComments = map[string]bool{}
		for _, c := range m.AllComments(three.Dest) {
			m.destComments[c] = true
		}
	}
	return !slices.ContainsFunc(lines, func(l string) bool {
		i := plan.CommentStart([]byte(l))
		return i >= 0 && !m.destComments[l[i:]]
	})
}

// canDropComments reports whether the result may lack the comments in collection n of side s. It returns true in these
// cases:
//
//	n has no comments
//	$patch directives removed all entries of n
//	s is updated, updated always wins, dest has all of the comments at some place, and m.allComments is not set
func (m *Merger) canDropComments(s three.Version, n *syntax.Node) bool {
	if m.Modified[n] && len(n.Entries) == 0 {
		return true
	}
	comments := m.CommentsIn(s, n.Span)
	mayBeInDest := s == three.Updated && m.rules.UpdatedAlwaysWins && !m.allComments
	return len(comments) == 0 || mayBeInDest && m.destHasComments(comments)
}

// countRemovedComments returns the number of comments in n, a collection of side s, that the result lacks because it
// lacks the entry around them, at any depth (according to m.expected). It is 0 if the result has all entries.
func (m *Merger) countRemovedComments(s three.Version, n *syntax.Node) (count int) {
	if !m.IsPartial(n) {
		return 0
	}
	set := m.expected.rowSets[n]
	for _, e := range n.Entries {
		if set != nil && !set.contains(e) {
			count += len(m.CommentsIn(s, e.Span))
		} else {
			count += m.countRemovedComments(s, e.Value)
		}
	}
	return count
}

// setFlow chooses how the merged collection x is written in flow style ({a: 1}), and sets x.Flow. It returns false if
// this is not possible, because an entry needs block style, or because a comment that must be in the result has no
// place in flow style. x.FormatFrom may become updated, to keep its comments.
func (m *Merger) setFlow(x *plan.Value) (ok bool) {
	commented := x.Nodes // without those whose comments need not be in the result
	commented[three.Original] = nil
	for _, s := range three.Sides {
		n := x.Nodes[s] // in the last case, all comments are removed with their entries
		if n == nil || m.canDropComments(s, n) || x.Nodes[s.Other()] == nil && len(m.CommentsIn(s, n.Span)) == m.countRemovedComments(s, n) {
			commented[s] = nil
		}
	}
	hasFlowComments := func(s three.Version) bool {
		return commented[s] != nil && commented[s].Style == syntax.Flow
	}
	if hasFlowComments(three.Updated) && !hasFlowComments(three.Dest) && m.HasSameEntries(x, three.Updated) {
		x.FormatFrom = three.Updated
	}
	x.Flow = m.ChooseFlow(x, commented)
	return x.IsFlowText()
}

// ChooseHead sets c.Head to the side from which the head of the merged entry c is copied as a whole. It does nothing
// unless a version has an irregular head, such as one with a comment. The head has the bytes from the colon to the
// entries of the value or, for other values, to the end of the line (plan.Versions.HeadTexts). The side is
// c.Value.FormatFrom. If the sides have equal values, this becomes updated if only updated changed the head, or if dest
// changed it and updated has more comments there. c.Key may become this side, too.
func (m *Merger) ChooseHead(c *plan.MergedEntry) {
	heads, irregular := m.HeadTexts(c.Entries)
	if !irregular {
		return
	}
	x, d, u := c.Value, c.Entries[three.Dest], c.Entries[three.Updated]
	countComments := func(s three.Version, e *syntax.Entry) int {
		return len(m.CommentsIn(s, text.Span{Start: e.Colon, End: e.HeadEnd}))
	}
	prefersUpdated := func() bool {
		if bytes.Equal(heads[three.Original], heads[three.Dest]) {
			return !bytes.Equal(heads[three.Dest], heads[three.Updated])
		}
		return d.Comment.Empty() && !u.Comment.Empty() || countComments(three.Dest, d) < countComments(three.Updated, u)
	}
	if !x.Merged && m.Hasher.Equal(x.Nodes[three.Dest], x.Nodes[three.Updated]) && prefersUpdated() {
		x.FormatFrom = three.Updated
	}
	c.Head = three.Some(x.FormatFrom)
	if e := c.Entries[c.Key]; e.Key != nil && e.Colon == e.Key.Span.End {
		c.Key = x.FormatFrom // "? key" has no colon for a value
	}
}
