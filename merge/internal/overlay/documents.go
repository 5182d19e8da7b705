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

// PairDocuments returns the documents of the three streams, and a step for each, with its index in each version that
// has it, in the order of the result. Documents are paired by the identity of their resources: kind, namespace and
// name, or the position in the file if the rules are ByPosition. If each stream has one document at most, these are
// paired in any case, unless they are different resources and the rules are not those of kubectl. The documents of dest
// keep their order, and those that only updated has are at the end. This is also the order if the rules are
// OrderByUpdated. There are no conflicts. Documents that neither side has have no step, unless each stream has one
// document at most.
func (m *Merger) PairDocuments() (docs [3][]*syntax.Document, steps []pair.Step) {
	docs, single := m.PairSingleDocuments(m.Streams)
	if single != nil && (m.rules.Strategic || !schema.AreDifferentResources(docs)) {
		return docs, single
	}
	return docs, m.orderSteps(pair.PairByKey(m.DocumentElems(docs), m.rules.UpdatedAlwaysWins), true)
}

// DecideDocument returns the side from which a document is copied, or no side if it is not in the result. docs has the
// document of each version, or nil. ok is false if both sides have the document and it has to be merged.
//
//   - Neither side has it: no side.
//   - Only one side has it: that side, if it added the document or if updated always wins. Otherwise the other side
//     deleted it, and the result is no side, unless the side that has it added the content, or a comment to a document
//     without content.
//   - Both sides have it, both with content or both without, or updated always wins: ok is false.
//   - Only one side has content, and the original has none: the content was added. The result is dest if dest has it;
//     otherwise ok is false.
//   - Only one side has content, and the original has some: the other side removed it, and the result is that side.
//
// The change of a resource that is deleted by this is recorded in the plan as lost, unless updated always wins. If ok
// is false, s has no meaning.
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

// decideOneSided decides about document doc, which only side s has. original may be nil. It returns s if the result
// contains doc, and otherwise no side. The result contains it in these cases:
//
//	the original lacks it
//	updated always wins
//	the original has no content, and doc has some
//	doc has no content, and s added a comment to it
//
// In all other cases, the other side deleted it; if s changed the resource, that change is recorded in the plan as
// lost.
func (m *Merger) decideOneSided(original *syntax.Document, s three.Version, doc *syntax.Document) three.Optional {
	blank := doc.Root.Content.Empty()
	if original == nil || m.rules.UpdatedAlwaysWins || original.Root.Content.Empty() && !blank || blank && m.AddedComments(original.Span, s, doc.Span) {
		return three.Some(s)
	}
	m.recordLostResource(original, s, doc)
	return three.Optional{}
}

// decideResource decides about document doc of side s if the other side's document has only comments, so that it lacks
// the resource in doc. original is the original's document, or nil.
//
//   - If original has content, the other side removed the resource: the result is the other side, ok is true, and a
//     change of s is recorded in the plan as lost.
//   - Otherwise s added the resource to a file of comments: the result is s, and ok is true only if s is dest. If s is
//     updated, ok is false, and the caller has to merge the documents.
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

// ChooseFrame decides from which side the bytes before and after the root of document p are copied, if they share a
// line with the root, such as the --- in "--- {a: 1}". It sets p.Frame to these sides, and p.Root.FormatFrom to the
// side whose format of the root fits between them. It returns p. If no format fits, it returns a document that is
// copied as a whole from one side.
func (m *Merger) ChooseFrame(p *plan.MergedDocument) plan.Document {
	p.Frame = &plan.Frame{Head: m.frameSide(p.Documents, plan.HeadSpan), Foot: m.frameSide(p.Documents, plan.FootSpan)}
	root := p.Root.Nodes[p.Root.FormatFrom]
	inline := !p.Root.Merged && root.Style != syntax.Block && !root.IsBlockScalar()
	if !p.Root.IsFlowText() && !inline {
		form, ok := m.FormatInFrame(p)
		if !ok {
			return &plan.TakenDocument{Documents: p.Documents, Side: form}
		}
		p.Root.FormatFrom = form
	}
	return p
}

// frameSide returns the side from which the bytes before the root of a document, or those after it, are copied. docs
// has the document of each version, and part returns the place of these bytes in a document.
//
//	bytes                                                 result
//	dest has updated's comments, updated always wins      dest
//	equal in both sides, or changed by one side           the side that changed them, or dest
//	changed by both sides, and updated has a comment      updated; the places are recorded in the plan
//	changed by both sides, and only dest has a comment    dest
//	changed by both sides, without comments               updated
func (m *Merger) frameSide(docs [3]*syntax.Document, part plan.SpanFunc) three.Version {
	t := m.Texts(docs, part)
	if m.rules.UpdatedAlwaysWins && m.destHasComments(plan.Comments(plan.Lines(m.Files[three.Updated], three.Updated, part(docs[three.Updated]), 0))) {
		return three.Dest
	}
	s, ok := three.PickFunc(t, bytes.Equal)
	switch {
	case ok:
		return s
	case plan.CommentStart(t[three.Updated]) >= 0:
		m.recordDecidedComments(part(docs[three.Dest]), part(docs[three.Updated]))
	case plan.CommentStart(t[three.Dest]) >= 0:
		return three.Dest
	}
	return three.Updated
}

// MergeTrivia merges the comments and blank lines at one place in three versions, which t has by version. The result is
// nil if there are no lines. They are merged as text; the result may have conflicts between comments. If the rules let
// updated always win, dest's are kept and those of updated are added if dest does not have them anywhere. If there is a
// conflict, a line "---" at the start of t is left out, because the position of the document in the result decides
// whether it has a separator.
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

// mergeComments merges the comments and blank lines at one place, which t has by version. If the rules do not let
// updated always win, this is a three-way merge as text, in which both sides' changes can be in conflict. If they do,
// the original is ignored: comments of dest that updated lacks are kept, and comments of updated are not added if dest
// contains all of them anywhere. If m.allComments is set, they are added in any case.
func (m *Merger) mergeComments(t plan.Slot) plan.Trivia {
	if !m.rules.UpdatedAlwaysWins {
		return t.Merge()
	}
	t.Lines[three.Original] = nil
	if !m.allComments && len(t.Lines[three.Updated]) > 0 && m.destHasComments(plan.Comments(t.Lines[three.Updated])) {
		return t.Take(three.Dest)
	}
	if !t.HasComment(three.Dest) && t.HasComment(three.Updated) {
		return t.Take(three.Updated) // a separator may precede the comment
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

// canDropComments reports whether the result need not have the comments in collection n of side s. That is so in these
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
	return len(comments) == 0 || s == three.Updated && m.rules.UpdatedAlwaysWins && !m.allComments && m.destHasComments(comments)
}

// countRemovedComments returns the number of comments in those entries of n, at any depth, that are not in the result,
// according to the expected result (m.expected). n is a collection of side s. It is 0 if the result has all entries.
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

// setFlow sets x.Flow, the way in which the merged collection x is written in flow style ({a: 1}), and x.FormatFrom,
// the side whose format it has. It returns true if x can be written in flow style. It returns false, and x.Flow is the
// zero Flow, if its comments have no place or an entry needs block style.
//
// Some comments need not be in the result: those of the original, and those of updated that dest has at some other
// place (if updated always wins and m.allComments is not set). If only one side has x, neither need those of entries
// that are not in the result. If only updated has other comments, and exactly the merged entries, x has the format of
// updated.
func (m *Merger) setFlow(x *plan.Value) bool {
	commented := x.Nodes
	for i, n := range commented {
		s := three.Version(i)
		switch {
		case n == nil:
		case s == three.Original, m.canDropComments(s, n), x.Nodes[s.Other()] == nil && len(m.CommentsIn(s, n.Span)) == m.countRemovedComments(s, n):
			commented[s] = nil
		}
	}
	x.FormatFrom = m.FormatSideForComments(x, commented)
	hasFlowComments := func(s three.Version) bool {
		return commented[s] != nil && commented[s].Style == syntax.Flow
	}
	if hasFlowComments(three.Updated) && !hasFlowComments(three.Dest) && m.HasSameEntries(x, three.Updated) {
		x.FormatFrom = three.Updated
	}
	x.Flow = m.ChooseFlow(x, commented)
	return x.IsFlowText()
}

// ChooseHead decides from which side the bytes between the key and the value of the merged entry c are copied, if these
// can only be copied as a whole. That is so if, in any version, they are more than blanks, an anchor, a tag and one
// comment, such as a comment on a line of its own. Otherwise it does nothing. It changes these fields of c:
//
//	c.Value.FormatFrom   set to updated if the value is not a merged collection, both sides have equal values, and only
//	                     updated changed these bytes, or dest changed them and updated has more comments there
//	c.Head               set to c.Value.FormatFrom
//	c.Key                set to c.Value.FormatFrom for a key like "? key", which has no colon of its own
func (m *Merger) ChooseHead(c *plan.MergedEntry) {
	heads, irregular := m.HeadTexts(c.Entries)
	if !irregular {
		return
	}
	x, d, u := c.Value, c.Entries[three.Dest], c.Entries[three.Updated]
	countComments := func(s three.Version, e *syntax.Entry) int {
		return len(m.CommentsIn(s, text.Span{Start: e.Colon, End: e.HeadEnd}))
	}
	onlyUpdated := func() bool {
		if bytes.Equal(heads[three.Original], heads[three.Dest]) {
			return !bytes.Equal(heads[three.Dest], heads[three.Updated])
		}
		return d.Comment.Empty() && !u.Comment.Empty() || countComments(three.Dest, d) < countComments(three.Updated, u)
	}
	if d != nil && u != nil && onlyUpdated() && !x.Merged && m.Hasher.Equal(x.Nodes[three.Dest], x.Nodes[three.Updated]) {
		x.FormatFrom = three.Updated
	}
	c.Head = three.Some(x.FormatFrom)
	if e := c.Entries[c.Key]; e.Key != nil && e.Colon == e.Key.Span.End {
		c.Key = x.FormatFrom // "? key" has no colon for a value
	}
}
