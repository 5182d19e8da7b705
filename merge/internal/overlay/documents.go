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

// PairDocuments implements plan.RuleSet.
func (m *Merger) PairDocuments() (docs [3][]*syntax.Document, steps []pair.Step) {
	docs, single := m.PairSingleDocuments(m.Streams)
	if single != nil && (m.rules.Strategic || !schema.AreDifferentResources(docs)) {
		return docs, single
	}
	return docs, m.orderSteps(pair.PairByKey(m.DocumentElems(docs), m.rules.UpdatedAlwaysWins), true)
}

// DecideDocument implements plan.RuleSet. It decides documents that are not merged, which come from one side, and
// records the lost changes of a resource.
func (m *Merger) DecideDocument(at [3]*syntax.Document) (s three.Optional, ok bool) {
	o, d, u := at[three.Original], at[three.Dest], at[three.Updated]
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

// decideOneSided decides about document x, which only side s has. It returns s if the result contains x, and otherwise
// no side.
func (m *Merger) decideOneSided(original *syntax.Document, s three.Version, doc *syntax.Document) three.Optional {
	blank := doc.Root.Content.Empty()
	if original == nil || m.rules.UpdatedAlwaysWins || original.Root.Content.Empty() && !blank || blank && m.AddedComments(original.Span, s, doc.Span) {
		return three.Some(s)
	}
	m.recordLostResource(original, s, doc)
	return three.Optional{}
}

// decideResource decides about document x of s, if the document of the other side contains only comments, so that the
// other side does not have the resource in x. It returns s or the other side. If ok is false, the documents have to be
// merged, as for a file of comments that gets its first resource.
func (m *Merger) decideResource(original *syntax.Document, s three.Version, doc *syntax.Document) (_ three.Optional, ok bool) {
	if original != nil && !original.Root.Content.Empty() {
		m.recordLostResource(original, s, doc)
		return three.Some(s.Other()), true
	}
	return three.Some(s), s == three.Dest
}

// recordLostResource records a lost change of s if s changed the resource in x, which is not in the result.
func (m *Merger) recordLostResource(original *syntax.Document, s three.Version, doc *syntax.Document) {
	if !m.Hasher.Equal(original.Root, doc.Root) {
		name := &three.Path{Field: schema.ResourceName(doc.Root), Root: m.ResourcePlace(doc.Root)}
		m.recordLost(name, s, &syntax.Entry{Span: doc.Span, Start: doc.Root.Content.Start})
	}
}

// ChooseFrame implements plan.RuleSet.
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

// frameSide returns the side from which the result has the head or the foot of a document. part selects one of the two.
func (m *Merger) frameSide(at [3]*syntax.Document, part plan.SpanFunc) three.Version {
	t := m.Texts(at, part)
	if m.rules.UpdatedAlwaysWins && m.destHasComments(plan.Comments(plan.Lines(m.Files[three.Updated], part(at[three.Updated]), 0))) {
		return three.Dest
	}
	s, ok := three.PickFunc(t, bytes.Equal)
	switch {
	case ok:
		return s
	case plan.CommentStart(t[three.Updated]) >= 0:
		m.recordDecidedComments(part(at[three.Dest]), part(at[three.Updated]))
	case plan.CommentStart(t[three.Dest]) >= 0:
		return three.Dest
	}
	return three.Updated
}

// MergeTrivia implements plan.RuleSet. If the comments of t are in conflict, a document separator at the start of t is
// left out: the position of the document in the result decides whether it has a separator.
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

// mergeComments merges comments and blank lines. If updated always wins, the original is ignored: the comments of dest
// are kept, and comments of updated are not added if dest contains them anywhere.
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

// destHasComments reports whether dest contains all comments of lines, at any place.
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

// canDropComments reports whether the result need not have the comments in collection n of side s: it has none, or dest
// has all of them elsewhere.
func (m *Merger) canDropComments(s three.Version, n *syntax.Node) bool {
	if m.Modified[n] && len(n.Entries) == 0 {
		return true
	}
	comments := m.CommentsIn(s, n.Span)
	return len(comments) == 0 || s == three.Updated && m.rules.UpdatedAlwaysWins && !m.allComments && m.destHasComments(comments)
}

// countRemovedComments returns the number of comments in entries of n, at any depth, that are not in the result.
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

// setFlow sets how the merged collection x is written in flow style, and the side of its form. It returns false if x
// cannot be written in flow style. Comments of the original need not be in the result. If only one side has x, the
// comments of entries that are not in the result are ignored too. If only updated has comments, the form is that of
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

// ChooseHead implements plan.RuleSet. It uses the bytes between key and value of the side that provides the form of the
// value. If the values are equal, and only updated has a comment or changed these bytes, it uses those of updated.
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
