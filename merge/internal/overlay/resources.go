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

// PairDocuments returns the documents of the streams, and the steps that pair them by the identity of their resources.
// There is a step for each document that a side has: first those of dest, then those that only updated has. Single
// documents are usually paired even without an identity.
func (m *Merger) PairDocuments() (docs [3][]*syntax.Document, steps []pair.Step) {
	docs, single := m.PairSingleDocuments(m.Streams)
	if single != nil && (m.rules.Strategic || !schema.AreDifferentResources(docs)) {
		return docs, single
	}
	return docs, m.orderSteps(pair.PairByKey(m.DocumentElems(docs), m.rules.UpdatedAlwaysWins), true)
}

// DecideDocument returns the side from which a document is copied, or no side if the result lacks it. ok is false if it
// has to be merged. docs has its versions.
//
//	both sides have content, or neither has     ok is false
//	only one side has content                   as decideResource decides; ok is false if updated always wins
//	one side lacks the document                 as decideOneSided decides
//	both sides lack it                          no side
//
// Changes that the result lacks are recorded in the plan as lost.
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

// decideOneSided returns side s if the result contains doc, a document that only s has. Otherwise it returns no side,
// and a change of s in it is recorded as lost. original is the document in the original, or nil. The result contains
// doc in these cases:
//
//   - updated always wins, so that nothing of one side is deleted
//   - s added the document, or all of its content
//   - the document has no content, but a comment that s added
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

// decideResource decides about a document that has content in side s, but only comments in the other side. doc is the
// document in s, and original that in the original, or nil.
//
//	original    s          result
//	content     any        the other side, which deleted it; a change of s is recorded as lost
//	none        dest       dest, which added it
//	none        updated    ok is false: the documents have to be merged
func (m *Merger) decideResource(original *syntax.Document, s three.Version, doc *syntax.Document) (_ three.Optional, ok bool) {
	if original != nil && !original.Root.Content.Empty() {
		m.recordLostResource(original, s, doc)
		return three.Some(s.Other()), true
	}
	return three.Some(s), s == three.Dest
}

// recordLostResource records in the plan that a change of side s gets lost, because the result lacks the document doc
// of s. It does nothing if s did not change the resource, or if updated always wins. The path of the change is the name
// of the resource, such as Service/web. original is the document in the original, which must exist.
func (m *Merger) recordLostResource(original *syntax.Document, s three.Version, doc *syntax.Document) {
	if !m.Hasher.Equal(original.Root, doc.Root) {
		name := &three.Path{Field: schema.ResourceName(doc.Root), Root: m.ResourcePlace(doc.Root)}
		m.recordLost(name, s, &syntax.Entry{Span: doc.Span, Start: doc.Root.Content.Start})
	}
}

// ChooseFrame completes the plan p of a document whose root shares a line with other text, as in "--- {a: 1} # x". It
// sets p.Frame to the sides from which the bytes around the root are copied. It returns p, or a copy of one side as a
// whole if the root does not fit between these bytes.
func (m *Merger) ChooseFrame(p *plan.MergedDocument) plan.Document {
	p.Frame = &plan.Frame{Head: m.frameSide(p.Documents, plan.HeadSpan), Foot: m.frameSide(p.Documents, plan.FootSpan)}
	root := p.Root.Nodes[p.Root.FormatFrom]
	isCopiedInline := !p.Root.Merged && root.Style != syntax.Block && !root.IsBlockScalar()
	if !p.Root.IsFlowText() && !isCopiedInline { // such a root may not fit between other bytes
		side, ok := m.FormatInFrame(p)
		if !ok {
			return &plan.TakenDocument{Documents: p.Documents, Side: side}
		}
		p.Root.FormatFrom = side
	}
	return p
}

// frameSide returns the side from which the bytes at part, before or after the root of a document, are copied:
//
//	case, the first one that applies                                  side
//	updated always wins; its comments are anywhere in dest            dest
//	both sides, or the original and updated, have the same bytes      dest
//	the original and dest have the same bytes                         updated
//	updated has a comment                                             updated; recorded as ignored comments
//	dest has a comment                                                dest
//	none has a comment                                                updated
func (m *Merger) frameSide(docs [3]*syntax.Document, part plan.SpanFunc) three.Version {
	if m.rules.UpdatedAlwaysWins {
		lines := plan.Lines(m.Files[three.Updated], three.Updated, part(docs[three.Updated]), 0)
		if m.destHasComments(plan.Comments(lines)) {
			return three.Dest
		}
	}
	texts := m.Texts(docs, part)
	if s, ok := three.PickFunc(texts, bytes.Equal); ok { // the second and third case
		return s
	}
	updatedHasComment, destHasComment := plan.CommentStart(texts[three.Updated]) >= 0, plan.CommentStart(texts[three.Dest]) >= 0
	if updatedHasComment {
		m.recordIgnoredComments(part(docs[three.Dest]), part(docs[three.Updated]))
	}
	if destHasComment && !updatedHasComment {
		return three.Dest
	}
	return three.Updated
}

// MergeTrivia returns the merged comments and blank lines at one place, of which t has the versions. The result may
// have conflicts between comments. A line "---" at the start of t is then left out, because the position of the
// document in the result decides whether the document has a separator.
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

// mergeComments returns the merged comments and blank lines at one place, of which t has the versions. If updated does
// not always win (UpdatedAlwaysWins), this is a three-way merge. Otherwise the result is:
//
//	dest has all these comments of updated, at any place     the lines of dest
//	otherwise, or m.allComments is set                       dest and updated, merged without the original
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

// destHasComments reports whether dest contains all comments in lines, at any place. A line can have other text before
// its comment, which is not compared. A comment that is repeated in lines needs to be in dest only once. The result is
// true if no line has a comment.
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

// canDropComments reports whether the result may lack the comments in the collection n of side s. It may in these
// cases:
//
//   - n has no comments
//   - $patch directives removed all entries of n
//   - s is updated, updated always wins, and dest has all of the comments, at any place
//
// The last case does not count if m.allComments is set.
func (m *Merger) canDropComments(s three.Version, n *syntax.Node) bool {
	if m.Modified[n] && len(n.Entries) == 0 {
		return true
	}
	comments := m.CommentsIn(s, n.Span)
	mayBeInDest := s == three.Updated && m.rules.UpdatedAlwaysWins && !m.allComments
	return len(comments) == 0 || mayBeInDest && m.destHasComments(comments)
}

// countRemovedComments returns the number of comments that the result lacks because it lacks their entries. It counts
// those in n, a collection of side s, at any depth.
func (m *Merger) countRemovedComments(s three.Version, n *syntax.Node) (count int) {
	if !m.IsPartial(n) {
		return 0
	}
	set := m.expected.rowSets[n]
	for _, e := range n.Entries {
		if !set.contains(e) {
			count += len(m.CommentsIn(s, e.Span))
		} else {
			count += m.countRemovedComments(s, e.Value)
		}
	}
	return count
}

// setFlow sets x.Flow to how the merged collection x is written in flow style ({a: 1}). It returns false if this is
// impossible, because an entry or a comment that must remain has no place in flow style. x.FormatFrom may become
// updated, if only comments of updated must remain.
func (m *Merger) setFlow(x *plan.Value) (ok bool) {
	commented := m.withNeededComments(x.Nodes)
	isFlow := func(n *syntax.Node) bool { return n != nil && n.Style == syntax.Flow }
	if isFlow(commented[three.Updated]) && !isFlow(commented[three.Dest]) && m.HasSameEntries(x, three.Updated) {
		x.FormatFrom = three.Updated
	}
	x.Flow = m.ChooseFlow(x, commented)
	return x.IsFlowText()
}

// withNeededComments returns v, the versions of a collection, with nil for those whose comments the result may lack.
// These are the original, and a side for which canDropComments returns true. If only one side has the collection, it is
// also nil if all of its comments are in entries that the result lacks.
func (m *Merger) withNeededComments(v three.Nodes) (commented three.Nodes) {
	for _, s := range three.Sides {
		n, isOneSided := v[s], v[s.Other()] == nil
		if n == nil || m.canDropComments(s, n) || isOneSided && len(m.CommentsIn(s, n.Span)) == m.countRemovedComments(s, n) {
			continue
		}
		commented[s] = n
	}
	return commented
}

// ChooseHead sets c.Head to the side from which the bytes between the key and the value of the entry c are copied, if
// they can only be copied as a whole, as with a comment on a line before the value:
//
//	a: # c
//	  1
//
// Otherwise it does nothing. The side is c.Value.FormatFrom, from which the value comes. If both sides have the same
// value, that may become updated first (headPrefersUpdated). For "? key" without a colon, c.Key becomes this side, too.
func (m *Merger) ChooseHead(c *plan.MergedEntry) {
	heads, irregular := m.HeadTexts(c.Entries)
	if !irregular {
		return
	}
	x := c.Value
	isSame := !x.Merged && m.Hasher.Equal(x.Nodes[three.Dest], x.Nodes[three.Updated])
	if isSame && m.headPrefersUpdated(c.Entries, heads) {
		x.FormatFrom = three.Updated
	}
	c.Head = three.Some(x.FormatFrom)
	if e := c.Entries[c.Key]; e.Key != nil && e.Colon == e.Key.Span.End { // "? key" without a colon
		c.Key = x.FormatFrom // because the head of another side may need one
	}
}

// headPrefersUpdated reports whether the bytes between key and value are copied from updated, although those of dest
// would fit, too: only updated changed them, or both sides changed them and updated has more comments there. at has the
// versions of the entry, and heads these bytes.
func (m *Merger) headPrefersUpdated(at three.Entries, heads [3][]byte) bool {
	if bytes.Equal(heads[three.Original], heads[three.Dest]) {
		return !bytes.Equal(heads[three.Dest], heads[three.Updated])
	}
	countComments := func(s three.Version) int {
		return len(m.CommentsIn(s, text.Span{Start: at[s].Colon, End: at[s].HeadEnd}))
	}
	return countComments(three.Dest) < countComments(three.Updated)
}
