package plan

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Versions are three files as they are written.
type Versions struct {
	Streams [3]*syntax.Stream
	Files   [3]*text.File // of the streams
	// Cut holds the collections out of which entries were taken, so that they are not
	// what their bytes say.
	Cut      map[*syntax.Node]bool
	spread   map[*syntax.Node]bool // whether flow collections are, once it is asked for
	comments [3][]syntax.Comment
	sought   [3]bool            // in which comments were sought
	times    [3]map[string]int  // of the comments, once they are asked for
	undone   [3]map[string]bool // what removed remembers
}

// NewVersions returns the versions of parsed streams.
func NewVersions(streams [3]*syntax.Stream) *Versions {
	f := &Versions{Streams: streams, spread: map[*syntax.Node]bool{}}
	for s, st := range streams {
		f.Files[s] = st.File
	}
	return f
}

// Bytes returns what stands at sp in version s.
func (f *Versions) Bytes(s three.Version, sp text.Span) []byte { return f.Files[s].Slice(sp) }

// Tail gathers what stands below the last entries of collections that have a line for each.
func (f *Versions) Tail(v three.Nodes) (t Slot) {
	for s, n := range v {
		switch {
		case n == nil:
		case n.Style == syntax.Block:
			f.gather(&t, s, n.Tail, n.Indent)
		case f.IsExpanded(three.Version(s), n):
			f.gather(&t, s, n.ExpandedTail(f.Files[s]), f.column(s, n))
		}
	}
	return t
}

// Lead gathers what stands above the versions of an entry of the collections v, which have a
// line for each.
func (f *Versions) Lead(at three.Entries, v three.Nodes) (t Slot) {
	for s, e := range at {
		switch {
		case e == nil:
		case v[s].Style != syntax.Flow:
			f.gather(&t, s, e.Lead, v[s].Indent)
		case f.IsExpanded(three.Version(s), v[s]):
			sp := text.Span{Start: e.ExpandedLines(f.Files[s]).Start, End: f.Files[s].LineStart(e.Start)}
			f.gather(&t, s, sp, f.column(s, v[s]))
		}
	}
	return t
}

// IsExpanded reports whether n is a flow collection with lines of their own for its entries.
func (f *Versions) IsExpanded(s three.Version, n *syntax.Node) bool {
	spread, known := f.spread[n]
	if !known {
		spread = n.IsExpanded(f.Files[s])
		f.spread[n] = spread
	}
	return spread
}

// column is that of the entries of n, which is spread.
func (f *Versions) column(s int, n *syntax.Node) int {
	indent, _ := n.ExpandedIndents(f.Files[s])
	return len(indent)
}

// Foot gathers what stands below them.
func (f *Versions) Foot(at three.Entries, v three.Nodes) (t Slot) {
	for s, e := range at {
		if e != nil && v[s].Style != syntax.Flow {
			f.gather(&t, s, e.Foot, v[s].Indent)
		}
	}
	return t
}

// gather adds the lines at sp of version s, whose owner stands at a column.
func (f *Versions) gather(t *Slot, s int, sp text.Span, column int) {
	t.Spans[s], t.Lines[s] = sp, Lines(f.Files[s], sp, column)
}

// SameNode reports whether two versions of a node are the same bytes, trivia included, at the same depth below
// their parents.
func (f *Versions) SameNode(v three.Nodes, a, b three.Version) bool {
	x, y := v[a], v[b]
	if x == nil || y == nil {
		return false
	}
	return x.Kind == y.Kind && x.SameStyleAndIndent(y) && bytes.Equal(f.Bytes(a, x.Span), f.Bytes(b, y.Span))
}

// SameEntry reports whether two versions of an entry are the same bytes, trivia included, in collections (of) of
// one form.
func (f *Versions) SameEntry(at three.Entries, of three.Nodes, a, b three.Version) bool {
	x, y := at[a], at[b]
	if x == nil || y == nil {
		return false
	}
	return x.Inline == y.Inline && of[a].SameStyleAndIndent(of[b]) && bytes.Equal(f.Bytes(a, x.Span), f.Bytes(b, y.Span))
}

// KeyText is what introduces the value of e, as it is written.
func (f *Versions) KeyText(s three.Version, e *syntax.Entry) []byte { return f.Bytes(s, e.KeySpan()) }

// Properties is how anchor and tag of n are written, with what stands between them and the content.
func (f *Versions) Properties(s three.Version, n *syntax.Node) []byte {
	return f.Bytes(s, text.Span{Start: n.Span.Start, End: n.Content.Start})
}

// Lined reports whether the root's bytes and what surrounds them are whole
// lines.
func (f *Versions) Lined(s three.Version, d *syntax.Document) bool {
	return f.StartsLine(s, d) && d.Foot.Start == f.Files[s].LineStart(d.Foot.Start)
}

// isLined reports whether the root of d and what surrounds it are whole lines once the root is written as root says. Under a rule
// set this holds for a flow collection with nothing after it on its last line. It has to start on a line of its own, and
// without indentation if it remains a flow collection.
func (w *Walker) isLined(s three.Version, d *syntax.Document, root *Value) bool {
	if w.Lined(s, d) || w.RuleSet == nil || d.Root.Style != syntax.Flow || d.Root.HasProperties() {
		return w.Lined(s, d)
	}
	before := w.Bytes(s, text.Span{Start: w.Files[s].LineStart(d.Head.End), End: d.Head.End})
	after := w.Bytes(s, text.Span{Start: d.Foot.Start, End: w.Files[s].LineEnd(d.Foot.Start)})
	toBlock := root.Merged && root.V[root.Form].Style == syntax.Block
	starts := len(before) == 0 || toBlock && len(bytes.TrimLeft(before, " ")) == 0
	return starts && len(bytes.TrimRight(after, "\r\n")) == 0
}

// StartsLine reports whether the root of d starts on a line of its own.
func (f *Versions) StartsLine(s three.Version, d *syntax.Document) bool {
	return d.Head.End == f.Files[s].LineStart(d.Head.End)
}

// Head gathers the lines above the roots of documents.
func (f *Versions) Head(at [3]*syntax.Document) (t Slot) {
	for s, d := range at {
		if d != nil {
			f.gather(&t, s, text.Span{Start: d.Head.Start, End: f.Files[s].LineStart(d.Head.End)}, 0)
		}
	}
	return t
}

// Below gathers what stands below the lines of the roots.
func (f *Versions) Below(at [3]*syntax.Document) (t Slot) {
	for s, d := range at {
		if d == nil {
			continue
		}
		foot := d.Foot
		if file := f.Files[s]; foot.Start != file.LineStart(foot.Start) {
			foot.Start = file.LineEnd(foot.Start)
		}
		f.gather(&t, s, foot, 0)
	}
	return t
}

// A Part is what stands before or behind the root of a document.
type Part func(*syntax.Document) text.Span

// HeadOf is what stands before the root of d.
func HeadOf(d *syntax.Document) text.Span { return d.Head }

// FootOf is what stands behind the root of d.
func FootOf(d *syntax.Document) text.Span { return d.Foot }

// Texts are a part of documents as they are written.
func (f *Versions) Texts(at [3]*syntax.Document, part Part) (t [3][]byte) {
	for s, d := range at {
		if d != nil {
			t[s] = f.Bytes(three.Version(s), part(d))
		}
	}
	return t
}

// FormWithin returns the side in whose file the root of p stands between the bytes that p.Frame takes. ok is false if there is
// none.
func (f *Versions) FormWithin(p *MergedDocument) (form three.Version, ok bool) {
	m := p.Root
	own := f.Bytes(m.Form, m.V[m.Form].Span)
	same := func(a, b three.Version, part Part) bool {
		return a == b || bytes.Equal(f.Bytes(a, part(p.At[a])), f.Bytes(b, part(p.At[b])))
	}
	for _, s := range [3]three.Version{m.Form, p.Frame.Head, p.Frame.Foot} {
		hasRoot := s == m.Form || !m.Merged && bytes.Equal(f.Bytes(s, m.V[s].Span), own)
		if hasRoot && same(s, p.Frame.Head, HeadOf) && same(s, p.Frame.Foot, FootOf) {
			return s, true
		}
	}
	return m.Form, false
}

// CommentsChanged reports whether b holds other comments than a.
func (f *Versions) CommentsChanged(sa three.Version, a *syntax.Node, sb three.Version, b *syntax.Node) bool {
	return !slices.Equal(f.CommentsIn(sa, a.Span), f.CommentsIn(sb, b.Span))
}

// CommentsIn returns the comments that stand within sp, in order. They are looked for once: most
// files have none.
func (f *Versions) CommentsIn(s three.Version, sp text.Span) (c []string) {
	if !f.sought[s] {
		f.comments[s], f.sought[s] = f.Streams[s].Comments(), true
	}
	all := f.comments[s]
	i, _ := slices.BinarySearchFunc(all, sp.Start, func(c syntax.Comment, at int) int { return c.Span.Start - at })
	for ; i < len(all) && all[i].Span.End <= sp.End; i++ {
		c = append(c, string(bytes.TrimRight(f.Bytes(s, all[i].Span), " \t\r")))
	}
	return c
}

// AddedComments reports whether s, which has x, changed a comment of what the original
// has at o, or added one. One that s took over from elsewhere is none of these: an entry
// that follows a deleted one may get its comments.
func (f *Versions) AddedComments(o text.Span, s three.Version, x text.Span) bool {
	had := map[string]int{}
	for _, c := range f.CommentsIn(three.Original, o) {
		had[c]++
	}
	for _, c := range f.CommentsIn(s, x) {
		if had[c]--; had[c] < 0 && f.counted(s)[c] > f.counted(three.Original)[c] {
			return true
		}
	}
	return false
}

// counted is how often each comment stands in s.
func (f *Versions) counted(s three.Version) map[string]int {
	if f.times[s] == nil {
		f.times[s] = map[string]int{}
		for _, c := range f.AllComments(s) {
			f.times[s][c]++
		}
	}
	return f.times[s]
}

// AllComments returns the comments of version s.
func (f *Versions) AllComments(s three.Version) []string {
	return f.CommentsIn(s, text.Span{End: len(f.Files[s].Bytes())})
}

// WithoutRemoved leaves out of each side's slot the comments that it took over from
// elsewhere and that the other side removed there: a blank line is enough to make the
// comment of one entry that of another.
func (f *Versions) WithoutRemoved(t Slot) Slot {
	had := Comments(t.Lines[three.Original])
	for _, s := range three.Sides {
		removed := func(l Line) bool {
			c := string(bytes.TrimSpace(l.Text))
			return f.removed(s)[c] && !slices.Contains(had, c)
		}
		if slices.ContainsFunc(t.Lines[s], removed) {
			t.Lines[s] = slices.DeleteFunc(slices.Clone(t.Lines[s]), removed)
		}
	}
	return t
}

// Undoes reports whether what s has at sp, taken as it is, would bring back a comment
// that the other side removed.
func (f *Versions) Undoes(s three.Version, sp text.Span) bool {
	return len(f.removed(s)) > 0 && slices.ContainsFunc(f.CommentsIn(s, sp), func(c string) bool { return f.removed(s)[c] })
}

// removed are the comments that s and the original have once, and the other side has
// not: of what stands there more often nobody knows which one went.
func (f *Versions) removed(s three.Version) map[string]bool {
	if f.undone[s] == nil {
		f.undone[s] = map[string]bool{}
		for c, n := range f.counted(three.Original) {
			once, comment := n == 1 && f.counted(s)[c] == 1, c[0] == '#' || c[0] == '/'
			if once && comment && f.counted(s.Other())[c] == 0 {
				f.undone[s][c] = true
			}
		}
	}
	return f.undone[s]
}
