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
	return docs, m.placed(pair.PairByKey(m.DocumentElems(docs), m.rules.Always), true)
}

// DecideDocument implements plan.RuleSet. It takes the document of one side where both are not merged, and tells which
// changes of a resource are lost.
func (m *Merger) DecideDocument(at [3]*syntax.Document) (s three.Optional, ok bool) {
	o, d, u := at[three.Original], at[three.Dest], at[three.Updated]
	switch {
	case d == nil && u == nil:
		return s, true
	case u == nil:
		return m.decideOneSided(o, three.Dest, d), true
	case d == nil:
		return m.decideOneSided(o, three.Updated, u), true
	case m.rules.Always || d.Root.Content.Empty() == u.Root.Content.Empty():
		return s, false
	case u.Root.Content.Empty():
		return m.decideResource(o, three.Dest, d)
	}
	return m.decideResource(o, three.Updated, u)
}

// decideOneSided decides a document x that of both sides s alone has: it returns s if x is in the result, and none
// if not.
func (m *Merger) decideOneSided(o *syntax.Document, s three.Version, x *syntax.Document) three.Optional {
	blank := x.Root.Content.Empty()
	if o == nil || m.rules.Always || o.Root.Content.Empty() && !blank || blank && m.AddedComments(o.Span, s, x.Span) {
		return three.Some(s)
	}
	m.tellLost(o, s, x)
	return three.Optional{}
}

// decideResource decides a document x of s of which the other side has only comments: the resource in x is one that
// the other side does not have. It returns s or the other side. If ok is false, the documents have to be merged, as
// for a file of comments that gets its first resource.
func (m *Merger) decideResource(o *syntax.Document, s three.Version, x *syntax.Document) (_ three.Optional, ok bool) {
	if o != nil && !o.Root.Content.Empty() {
		m.tellLost(o, s, x)
		return three.Some(s.Other()), true
	}
	return three.Some(s), s == three.Dest
}

// tellLost tells that s changed a resource that is deleted.
func (m *Merger) tellLost(o *syntax.Document, s three.Version, x *syntax.Document) {
	if !m.Hasher.Equal(o.Root, x.Root) {
		name := &three.Path{Field: schema.ResourceName(x.Root), Root: m.ResourcePlace(x.Root)}
		m.tell(name, s, &syntax.Entry{Span: x.Span, Start: x.Root.Content.Start})
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

// frameSide returns the side whose head or foot, as part says, the result has.
func (m *Merger) frameSide(at [3]*syntax.Document, part plan.SpanFunc) three.Version {
	t := m.Texts(at, part)
	if m.rules.Always && m.standInDest(plan.Comments(plan.Lines(m.Files[three.Updated], part(at[three.Updated]), 0))) {
		return three.Dest
	}
	s, ok := three.PickFunc(t, bytes.Equal)
	switch {
	case ok:
		return s
	case plan.CommentStart(t[three.Updated]) >= 0:
		m.settle(part(at[three.Dest]), part(at[three.Updated]))
	case plan.CommentStart(t[three.Dest]) >= 0:
		return three.Dest
	}
	return three.Updated
}

// MergeTrivia implements plan.RuleSet. A document separator at the start of t is left out if the comments after it
// would be in conflict with it: the place of the document in the result decides whether it has one.
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
// remain, and comments of updated are not repeated if dest has them anywhere.
func (m *Merger) mergeComments(t plan.Slot) plan.Trivia {
	if !m.rules.Always {
		return t.Merge()
	}
	t.Lines[three.Original] = nil
	if !m.all && len(t.Lines[three.Updated]) > 0 && m.standInDest(plan.Comments(t.Lines[three.Updated])) {
		return t.Take(three.Dest)
	}
	if !t.HasComment(three.Dest) && t.HasComment(three.Updated) {
		return t.Take(three.Updated) // a separator may precede the comment
	}
	return t.Merge()
}

// standInDest reports whether dest has all comments of lines, at whatever place.
func (m *Merger) standInDest(lines []string) bool {
	if m.known == nil {
		m.known = map[string]bool{}
		for _, c := range m.AllComments(three.Dest) {
			m.known[c] = true
		}
	}
	return !slices.ContainsFunc(lines, func(l string) bool {
		i := plan.CommentStart([]byte(l))
		return i >= 0 && !m.known[l[i:]]
	})
}

// silent reports whether no comment in the collection n of s has to be in the result.
func (m *Merger) silent(s three.Version, n *syntax.Node) bool {
	if m.Modified[n] && len(n.Entries) == 0 {
		return true
	}
	notes := m.CommentsIn(s, n.Span)
	return len(notes) == 0 || s == three.Updated && m.rules.Always && !m.all && m.standInDest(notes)
}

// countRemoved returns the number of comments of the entries in n, at any depth, that the result does not have.
func (m *Merger) countRemoved(s three.Version, n *syntax.Node) (count int) {
	if !m.IsPartial(n) {
		return 0
	}
	held := m.stands.held[n]
	for _, e := range n.Entries {
		if held != nil && !held.has(e) {
			count += len(m.CommentsIn(s, e.Span))
		} else {
			count += m.countRemoved(s, e.Value)
		}
	}
	return count
}

// setFlow sets how the merged collection x is written in flow style, and its form side. It returns false if x cannot be
// written so. Comments of the original need not be in the result, nor, if one side alone has x, those of entries that the
// result does not have. If only updated has comments, the result has its form.
func (m *Merger) setFlow(x *plan.Value) bool {
	notes := x.Nodes
	for i, n := range notes {
		s := three.Version(i)
		switch {
		case n == nil:
		case s == three.Original, m.silent(s, n), x.Nodes[s.Other()] == nil && len(m.CommentsIn(s, n.Span)) == m.countRemoved(s, n):
			notes[s] = nil
		}
	}
	x.FormatFrom = m.FormatSideForComments(x, notes)
	flow := func(s three.Version) bool {
		return notes[s] != nil && notes[s].Style == syntax.Flow
	}
	if flow(three.Updated) && !flow(three.Dest) && m.HasSameEntries(x, three.Updated) {
		x.FormatFrom = three.Updated
	}
	x.Flow = m.ChooseFlow(x, notes)
	return x.IsFlowText()
}

// ChooseHead implements plan.RuleSet. It chooses the bytes between key and value of the side of the value's form. If the
// values are equal, and updated alone has a comment or changed these bytes, that side becomes updated.
func (m *Merger) ChooseHead(c *plan.MergedEntry) {
	heads, odd := m.HeadTexts(c.Entries)
	if !odd {
		return
	}
	x, d, u := c.Value, c.Entries[three.Dest], c.Entries[three.Updated]
	comments := func(s three.Version, e *syntax.Entry) int {
		return len(m.CommentsIn(s, text.Span{Start: e.Colon, End: e.HeadEnd}))
	}
	onlyUpdated := func() bool {
		if bytes.Equal(heads[three.Original], heads[three.Dest]) {
			return !bytes.Equal(heads[three.Dest], heads[three.Updated])
		}
		return d.Comment.Empty() && !u.Comment.Empty() || comments(three.Dest, d) < comments(three.Updated, u)
	}
	if d != nil && u != nil && onlyUpdated() && !x.Merged && m.Hasher.Equal(x.Nodes[three.Dest], x.Nodes[three.Updated]) {
		x.FormatFrom = three.Updated
	}
	c.Head = three.Some(x.FormatFrom)
	if e := c.Entries[c.Key]; e.Key != nil && e.Colon == e.Key.Span.End {
		c.Key = x.FormatFrom // "? key" has no colon for a value
	}
}
