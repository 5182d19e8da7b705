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

// pairDocuments are the documents of the streams, and which of them are the same.
func (m *Merger) pairDocuments() (docs [3][]*syntax.Document, steps []pair.Step) {
	docs, single := m.PairSingleDocuments(m.Streams)
	if single != nil && (m.rules.Strategic || !schema.Replaced(docs)) {
		return docs, single
	}
	return docs, m.placed(pair.PairByKey(m.DocumentElems(docs), m.rules.Always), true)
}

// document merges one document; nil means that it is deleted.
func (m *Merger) document(at [3]*syntax.Document, index [3]int) *plan.Document {
	p := &plan.Document{At: at}
	d, u := at[three.Dest], at[three.Updated]
	if d == nil || u == nil {
		return m.resourceAlone(p, index)
	}
	p.Path = m.DocumentPath(at, index)
	if !m.rules.Always && d.Root.Content.Empty() != u.Root.Content.Empty() && m.withoutResource(p) {
		return p
	}
	s, ok := m.same(func(a, b three.Version) bool {
		return at[a] != nil && at[b] != nil && bytes.Equal(m.Bytes(a, at[a].Span), m.Bytes(b, at[b].Span))
	})
	if ok && !m.cut(at[s].Root) {
		p.Whole = s
		return p
	}
	return m.merged(p)
}

// resourceAlone merges a document that dest or updated lacks.
func (m *Merger) resourceAlone(p *plan.Document, index [3]int) *plan.Document {
	o, s := p.At[three.Original], three.Dest
	if p.At[three.Dest] == nil {
		s = three.Updated
	}
	x := p.At[s]
	switch {
	case x == nil:
		return nil
	case o == nil || m.rules.Always, o.Root.Content.Empty() && !x.Root.Content.Empty(),
		x.Root.Content.Empty() && m.AddedComments(o.Span, s, x.Span):
		p.Whole = s
		if s == three.Updated && m.cut(x.Root) {
			return m.withoutNulls(p, index)
		}
		return p
	}
	m.tellLost(o, s, x)
	return nil
}

// withoutNulls is a document that updated alone has, without its nulls.
func (m *Merger) withoutNulls(p *plan.Document, index [3]int) *plan.Document {
	x := p.At[three.Updated]
	p.At = [3]*syntax.Document{three.Updated: x}
	p.Path, p.Whole = m.DocumentPath(p.At, index), three.Original
	p.Root = m.part(three.Nodes{three.Updated: x.Root}, three.Updated, within(p))
	if !m.lined(three.Updated, x) {
		p.Form, p.FootForm = three.Updated, three.Updated
		return p
	}
	p.Head, p.Foot = m.Head(p.At).Take(three.Updated), m.Below(p.At).Take(three.Updated)
	return p
}

// withoutResource merges a document of which one side has nothing but comments:
// that is a resource which the side does not have. It reports false where both
// are to be merged, as the comments of a file that gets its first resource.
func (m *Merger) withoutResource(p *plan.Document) bool {
	has, lacks := three.Updated, three.Dest
	if p.At[three.Updated].Root.Content.Empty() {
		has, lacks = three.Dest, three.Updated
	}
	switch o := p.At[three.Original]; {
	case o != nil && !o.Root.Content.Empty():
		p.Whole = lacks
		m.tellLost(o, has, p.At[has])
	case has == three.Dest:
		p.Whole = three.Dest
	}
	return p.Whole != three.Original
}

// tellLost tells that s changed a resource that is deleted.
func (m *Merger) tellLost(o *syntax.Document, s three.Version, x *syntax.Document) {
	if !m.Hasher.Equal(o.Root, x.Root) {
		name := &three.Path{Field: schema.ResourceName(x.Root), Root: m.ResourcePlace(x.Root)}
		m.tell(name, s, &syntax.Entry{Span: x.Span, Start: x.Root.Content.Start})
	}
}

// merged merges a document that both sides have.
func (m *Merger) merged(p *plan.Document) *plan.Document {
	var v three.Nodes
	lined := true
	for s, d := range p.At {
		if d != nil {
			v[s] = d.Root
			lined = lined && m.lined(three.Version(s), d)
		}
	}
	p.Root = m.value(v, within(p))
	if lined {
		p.Head, p.Foot = m.head(p.At), m.slot(m.Below(p.At))
		return p
	}
	// The root shares its lines with the head and the foot, which are chosen, too.
	p.Form, p.FootForm = m.frameSide(p, plan.HeadOf), m.frameSide(p, plan.FootOf)
	root := p.Root.V[p.Root.Form]
	inline := !p.Root.Merged && root.Style != syntax.Block && !root.IsBlockScalar()
	if !p.Root.Flows() && !inline && !m.Framed(p) {
		p.Whole = p.Root.Form // it cannot stand between them
	}
	return p
}

// head merges what stands above the root. A separator that stands there by itself is no
// matter of a comment below it: the place of the document in the result says whether it has one.
func (m *Merger) head(at [3]*syntax.Document) plan.Trivia {
	t := m.Head(at)
	merged := m.slot(t)
	if !merged.Clashes() {
		return merged
	}
	for s, ls := range t.Lines {
		if len(ls) > 0 && string(bytes.TrimRight(ls[0].Text, "\r\n")) == "---" {
			t.Lines[s] = ls[1:]
		}
	}
	return m.slot(t)
}

// lined reports whether a root and what surrounds it are whole lines, or are if the
// root becomes a block.
func (m *Merger) lined(s three.Version, d *syntax.Document) bool {
	if m.Lined(s, d) || !m.StartsLine(s, d) {
		return m.Lined(s, d)
	}
	rest := m.Bytes(s, text.Span{Start: d.Foot.Start, End: m.Files[s].LineEnd(d.Foot.Start)})
	return d.Root.Style == syntax.Flow && !d.Root.HasProperties() && len(bytes.TrimRight(rest, "\r\n")) == 0
}

// frameSide is the side whose head or foot stands.
func (m *Merger) frameSide(p *plan.Document, part plan.Part) three.Version {
	t := m.Texts(p.At, part)
	if m.rules.Always && m.standInDest(plan.Comments(plan.Lines(m.Files[three.Updated], part(p.At[three.Updated]), 0))) {
		return three.Dest
	}
	s, ok := three.PickFunc(t, bytes.Equal)
	switch {
	case ok:
		return s
	case plan.CommentAt(t[three.Updated]) >= 0:
		m.settle(part(p.At[three.Dest]), part(p.At[three.Updated]))
	case plan.CommentAt(t[three.Dest]) >= 0:
		return three.Dest
	}
	return three.Updated
}

// slot merges comments. Where updated always stands, the original has no say about
// them: dest's stay, and those of updated that stand elsewhere in dest are not written
// again.
func (m *Merger) slot(t plan.Slot) plan.Trivia {
	if !m.rules.Always {
		return t.Merge()
	}
	t.Lines[three.Original] = nil
	if !m.all && len(t.Lines[three.Updated]) > 0 && m.standInDest(plan.Comments(t.Lines[three.Updated])) {
		return t.Take(three.Dest)
	}
	if !t.Commented(three.Dest) && t.Commented(three.Updated) {
		return t.Take(three.Updated) // a separator may stand beside the comment
	}
	return t.Merge()
}

// standInDest reports whether all comments of lines stand in dest.
func (m *Merger) standInDest(lines []string) bool {
	if m.known == nil {
		m.known = map[string]bool{}
		for _, c := range m.AllComments(three.Dest) {
			m.known[c] = true
		}
	}
	return !slices.ContainsFunc(lines, func(l string) bool {
		i := plan.CommentAt([]byte(l))
		return i >= 0 && !m.known[l[i:]]
	})
}

// remark merges the comment at the end of the entry's line.
func (m *Merger) remark(at three.Entries) plan.Remark {
	var c [3]string
	for s, e := range at {
		if e != nil {
			c[s] = string(bytes.TrimSpace(m.Bytes(three.Version(s), e.Comment)))
		}
	}
	s, ok := three.Pick(c)
	return plan.Remark{Side: s, Clash: !ok}
}

// silent reports whether no comment of n, which is of s, needs a place.
func (m *Merger) silent(s three.Version, n *syntax.Node) bool {
	if m.Cut[n] && len(n.Entries) == 0 {
		return true
	}
	notes := m.CommentsIn(s, n.Span)
	return len(notes) == 0 || s == three.Updated && m.rules.Always && !m.all && m.standInDest(notes)
}

// flows reports whether a merged collection can be written in flow style. Comments of
// the original need no place, those of updated win.
func (m *Merger) flows(x *plan.Value) bool {
	notes := x.V
	for s, n := range notes {
		if three.Version(s) == three.Original || n != nil && m.silent(three.Version(s), n) {
			notes[s] = nil
		}
	}
	m.Place(x, notes)
	flow := func(s three.Version) bool {
		return notes[s] != nil && notes[s].Style == syntax.Flow
	}
	if flow(three.Updated) && !flow(three.Dest) && m.SameMembers(x, three.Updated) {
		x.Form = three.Updated
	}
	return m.Flows(x, notes)
}

// chooseHead chooses the bytes between key and value where they hold more than usual:
// those of the side of the value's form. Where the values are equal and updated alone has
// a comment, or changed these bytes, that is updated.
func (m *Merger) chooseHead(c *plan.Child) {
	odd := false
	var head [3]string
	var comments [3]int
	for s, e := range c.At {
		if e != nil {
			odd = odd || m.Odd(three.Version(s), e)
			at := text.Span{Start: e.Colon, End: e.HeadEnd}
			head[s], comments[s] = string(m.Bytes(three.Version(s), at)), len(m.CommentsIn(three.Version(s), at))
		}
	}
	if !odd {
		return
	}
	x, d, u := c.Value, c.At[three.Dest], c.At[three.Updated]
	onlyUpdated := func() bool {
		if head[three.Original] == head[three.Dest] {
			return head[three.Dest] != head[three.Updated]
		}
		return d.Comment.Empty() && !u.Comment.Empty() || comments[three.Dest] < comments[three.Updated]
	}
	if d != nil && u != nil && onlyUpdated() && !x.Merged && m.Hasher.Equal(x.V[three.Dest], x.V[three.Updated]) {
		x.Form = three.Updated
	}
	c.Head = x.Form
	if e := c.At[c.Key]; e.Key != nil && e.Colon == e.Key.Span.End {
		c.Key = x.Form // "? key" has no colon for a value
	}
}
