package plan

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Versions are the three parsed files with their text. Its methods compare the format of the versions, and read their
// comments.
type Versions struct {
	Streams [3]*syntax.Stream
	Files   [3]*text.File // of the streams
	// Modified contains the collections from which entries were removed after parsing. Their bytes no longer match
	// their entries.
	Modified       map[*syntax.Node]bool
	expanded       map[*syntax.Node]bool           // cache of IsExpanded
	commentCounts  [3]map[string]int               // cache of countComments
	removedByOther [3]map[string]bool              // cache of commentsRemovedByOther
	betweenEntries map[*syntax.Node]map[string]int // cache of countBetweenEntries
}

// NewVersions returns a Versions for three parsed files, in the order original, dest, updated. None of them may be nil.
// Everything else that its methods need, such as the comments of a file, is collected on first use. The caller sets
// Modified if it removed entries from the streams.
func NewVersions(streams [3]*syntax.Stream) *Versions {
	f := &Versions{Streams: streams, expanded: map[*syntax.Node]bool{}, betweenEntries: map[*syntax.Node]map[string]int{}}
	for s, st := range streams {
		f.Files[s] = st.File
	}
	return f
}

// Bytes returns the bytes at sp in version s.
func (f *Versions) Bytes(s three.Version, sp text.Span) []byte { return f.Files[s].Slice(sp) }

// tailSlot returns the trivia below the last entry of a collection, not yet merged. v has its versions. Lines that
// belong to the last entry are left out. There are none if a version lacks the collection, or if it is a flow
// collection without lines of its own for each entry.
func (f *Versions) tailSlot(v three.Nodes) (t Slot) {
	for s, n := range v {
		switch {
		case n == nil:
		case n.Style == syntax.Block:
			f.setLines(&t, s, n.Tail, n.Indent)
		case f.IsExpanded(three.Version(s), n):
			f.setLines(&t, s, n.ExpandedTail(f.Files[s]), f.expandedColumn(s, n))
		}
	}
	return t
}

// leadSlot returns the comments and blank lines above an entry, not yet merged. at has the versions of the entry, and
// v the collections that contain it. Lines that belong to the entry above are left out (see footSlot). In a flow
// collection, only entries on lines of their own have such lines.
func (f *Versions) leadSlot(at three.Entries, v three.Nodes) (t Slot) {
	for s, e := range at {
		switch {
		case e == nil:
		case v[s].Style != syntax.Flow:
			f.setLines(&t, s, e.Lead, v[s].Indent)
		case f.IsExpanded(three.Version(s), v[s]):
			sp := text.Span{Start: e.ExpandedLines(f.Files[s]).Start, End: f.Files[s].LineStart(e.Start)}
			f.setLines(&t, s, sp, f.expandedColumn(s, v[s]))
		}
	}
	return t
}

// IsExpanded reports whether n, a node of version s, is a flow collection in which each entry starts on a line of its
// own, and so does the closing bracket (see syntax.Node.IsExpanded). It returns false for an empty collection. It
// caches the answer. n must not be nil.
func (f *Versions) IsExpanded(s three.Version, n *syntax.Node) bool {
	spread, known := f.expanded[n]
	if !known {
		spread = n.IsExpanded(f.Files[s])
		f.expanded[n] = spread
	}
	return spread
}

// expandedColumn returns the column of the entries of n, which is an expanded flow collection.
func (f *Versions) expandedColumn(s int, n *syntax.Node) int {
	indent, _ := n.ExpandedIndents(f.Files[s])
	return len(indent)
}

// footSlot returns the comments and blank lines below an entry that belong to it, not yet merged. at has the versions
// of the entry, and v the collections that contain it. Entries of flow collections have none.
//
//	a: 1
//	  # belongs to a, because it is indented more
//	# belongs to a, because a blank line and another entry follow
//
//	# belongs to b, with the blank line
//	b: 2
func (f *Versions) footSlot(at three.Entries, v three.Nodes) (t Slot) {
	for s, e := range at {
		if e != nil && v[s].Style != syntax.Flow {
			f.setLines(&t, s, e.Foot, v[s].Indent)
		}
	}
	return t
}

// setLines sets the lines of version s in t to those at sp in its file. column is the column of the entry or collection
// to which they belong.
func (f *Versions) setLines(t *Slot, s int, sp text.Span, column int) {
	t.Spans[s], t.Lines[s] = sp, Lines(f.Files[s], three.Version(s), sp, column)
}

// SameNode reports whether the versions a and b of a node can be copied in place of each other: they have the same
// bytes, with the comments and blank lines in them, and the same kind, style and column. v has all versions. It returns
// false if one of the two is missing.
func (f *Versions) SameNode(v three.Nodes, a, b three.Version) bool {
	x, y := v[a], v[b]
	if x == nil || y == nil {
		return false
	}
	return x.Kind == y.Kind && x.SameStyleAndIndent(y) && bytes.Equal(f.Bytes(a, x.Span), f.Bytes(b, y.Span))
}

// sameEntry reports whether the versions a and b of an entry look the same, so that one can be copied in place of the
// other. They must have the same bytes, and be in collections of the same style and column. If one starts on the line
// of the parent, as in "- a: 1", the other must, too. It returns false if a version is missing.
func (f *Versions) sameEntry(at three.Entries, collections three.Nodes, a, b three.Version) bool {
	x, y := at[a], at[b]
	if x == nil || y == nil || x.Inline != y.Inline {
		return false
	}
	return collections[a].SameStyleAndIndent(collections[b]) && bytes.Equal(f.Bytes(a, x.Span), f.Bytes(b, y.Span))
}

// KeyText returns the text before the value of e: the mapping key with its colon, or the dash.
func (f *Versions) KeyText(s three.Version, e *syntax.Entry) []byte { return f.Bytes(s, e.KeySpan()) }

// willBeOnWholeLines reports whether the root of a document is on lines of its own in the result, so that comments
// above and below it can be merged line by line. A root after "--- " is not. d is the document in version s, and root
// is the plan of its root.
func (w *Walker) willBeOnWholeLines(s three.Version, d *syntax.Document, root *Value) bool {
	start, end := w.Files[s].LineStart(d.Head.End), w.Files[s].LineStart(d.Foot.Start)
	if d.Head.End == start && d.Foot.Start == end {
		return true
	}
	if w.RuleSet == nil || d.Root.Style != syntax.Flow || d.Root.HasProperties() {
		return false
	}
	before := w.Bytes(s, text.Span{Start: start, End: d.Head.End})
	after := w.Bytes(s, text.Span{Start: d.Foot.Start, End: w.Files[s].LineEnd(d.Foot.Start)})
	if root.Merged && root.Nodes[root.FormatFrom].Style == syntax.Block {
		before = bytes.TrimLeft(before, " ") // a root that is written in block style gets its own indentation
	}
	return len(before) == 0 && len(bytes.TrimRight(after, "\r\n")) == 0
}

// aboveRoot returns the comments and blank lines above the root of a document, with the line "---", not yet merged. A
// version without the document (nil) has none.
func (f *Versions) aboveRoot(at [3]*syntax.Document) (t Slot) {
	for s, d := range at {
		if d != nil {
			f.setLines(&t, s, text.Span{Start: d.Head.Start, End: f.Files[s].LineStart(d.Head.End)}, 0)
		}
	}
	return t
}

// belowRoot returns the comments and blank lines of each version below the root of a document. What follows the root on
// its last line, such as a comment, is left out. A document that is nil has none.
func (f *Versions) belowRoot(at [3]*syntax.Document) (t Slot) {
	for s, d := range at {
		if d == nil {
			continue
		}
		foot := d.Foot
		if file := f.Files[s]; foot.Start != file.LineStart(foot.Start) {
			foot.Start = file.LineEnd(foot.Start)
		}
		f.setLines(&t, s, foot, 0)
	}
	return t
}

// A SpanFunc returns the span of a part of a document: of the bytes before its root, or of those after it.
type SpanFunc func(*syntax.Document) text.Span

// HeadSpan returns the span before the root of d.
func HeadSpan(d *syntax.Document) text.Span { return d.Head }

// FootSpan returns the span after the root of d.
func FootSpan(d *syntax.Document) text.Span { return d.Foot }

// Texts returns the bytes of a part of a document in each version; nil for a version without the document. part
// selects the bytes: HeadSpan those before the root, FootSpan those after it. The bytes are not copied.
func (f *Versions) Texts(at [3]*syntax.Document, part SpanFunc) (t [3][]byte) {
	for s, d := range at {
		if d != nil {
			t[s] = f.Bytes(three.Version(s), part(d))
		}
	}
	return t
}

// FormatInFrame returns the version from which the root of p can be copied, so that it fits between the text before and
// after it that p.Frame chose. In that version, the text around the root is the same as in the result:
//
//	original     dest         updated      result
//	--- {a: 1}   --- {a: 2}   --- {a: 1}   --- {a: 2}, from dest
//
// It is p.Root.FormatFrom or, if the root is copied as a whole, a version with an identical root. Otherwise, ok is
// false.
func (f *Versions) FormatInFrame(p *MergedDocument) (from three.Version, ok bool) {
	m := p.Root
	own := f.Bytes(m.FormatFrom, m.Nodes[m.FormatFrom].Span)
	same := func(a, b three.Version, part SpanFunc) bool {
		return a == b || bytes.Equal(f.Bytes(a, part(p.Documents[a])), f.Bytes(b, part(p.Documents[b])))
	}
	for _, s := range [3]three.Version{m.FormatFrom, p.Frame.Head, p.Frame.Foot} {
		// A root that is not merged is copied, so the version must have the same bytes.
		hasRoot := s == m.FormatFrom || !m.Merged && bytes.Equal(f.Bytes(s, m.Nodes[s].Span), own)
		if hasRoot && same(s, p.Frame.Head, HeadSpan) && same(s, p.Frame.Foot, FootSpan) {
			return s, true
		}
	}
	return m.FormatFrom, false
}

// commentsDiffer reports whether the comments in b, a node of version sb, differ in text or order from those in a, a
// node of version sa.
func (f *Versions) commentsDiffer(sa three.Version, a *syntax.Node, sb three.Version, b *syntax.Node) bool {
	return !slices.Equal(f.CommentsIn(sa, a.Span), f.CommentsIn(sb, b.Span))
}

// CommentsIn returns the comments that are completely within sp, in order, or nil if there are none. Each is the text
// of the comment with its sign, such as "# x", without blanks at the end.
func (f *Versions) CommentsIn(s three.Version, sp text.Span) (c []string) {
	all := f.Streams[s].Comments()
	i, _ := slices.BinarySearchFunc(all, sp.Start, func(c syntax.Comment, at int) int { return c.Span.Start - at })
	for ; i < len(all) && all[i].Span.End <= sp.End; i++ {
		c = append(c, string(bytes.TrimRight(f.Bytes(s, all[i].Span), " \t\r")))
	}
	return c
}

// AddsComment reports whether side s added or changed a comment within an entry or document. span is its place in s,
// and originalSpan that in the original. A comment counts if s has more copies of it than the original, both there and
// in the whole file. One that only moved within the file thus does not count.
func (f *Versions) AddsComment(originalSpan text.Span, s three.Version, span text.Span) bool {
	had := map[string]int{}
	for _, c := range f.CommentsIn(three.Original, originalSpan) {
		had[c]++
	}
	for _, c := range f.CommentsIn(s, span) {
		had[c]--
		if had[c] >= 0 {
			continue
		}
		// otherwise, it moved here, as when an entry gets the comments of a deleted entry above it
		if f.countComments(s)[c] > f.countComments(three.Original)[c] {
			return true
		}
	}
	return false
}

// countComments returns how often each comment occurs in version s. Its keys are the texts of the comments, without
// blanks at the end: "# x", "// x" in JSON, or a template action. The map is kept for later calls and must not be
// changed.
func (f *Versions) countComments(s three.Version) map[string]int {
	if f.commentCounts[s] == nil {
		f.commentCounts[s] = map[string]int{}
		for _, c := range f.AllComments(s) {
			f.commentCounts[s][c]++
		}
	}
	return f.commentCounts[s]
}

// AllComments returns the comments of version s, in order.
func (f *Versions) AllComments(s three.Version) []string {
	return f.CommentsIn(s, text.Span{End: len(f.Files[s].Bytes())})
}

// withoutRemoved returns t without comments that a merge would bring back: one side moved them here, for example by a
// blank line, and the other side certainly removed them at their old place.
//
//	original   s        other side
//	# x        a: 1     a: 1        for the lines above b: t without the # x of s
//	a: 1       # x      b: 2
//	b: 2       b: 2
//
// v has the collections around this place. Actions of templates always remain.
func (f *Versions) withoutRemoved(t Slot, v three.Nodes) Slot {
	had := Comments(t.Lines[three.Original])
	for _, s := range three.Sides {
		isRemoved := func(l Line) bool {
			c := string(bytes.TrimSpace(l.Text))
			if c == "" || slices.Contains(had, c) {
				return false
			}
			// the other side has it nowhere, or no longer between these entries
			return f.commentsRemovedByOther(s)[c] || f.isRemovedBetweenEntries(c, s, v)
		}
		if slices.ContainsFunc(t.Lines[s], isRemoved) {
			t.Lines[s] = withoutLines(t.Lines[s], isRemoved)
		}
	}
	return t
}

// restoresRemovedComment reports whether the bytes at sp of side s contain a comment that the other side removed, so
// that copying them would bring it back. Only comments that occur once in the original and once in s are considered.
func (f *Versions) restoresRemovedComment(s three.Version, sp text.Span) bool {
	removed := f.commentsRemovedByOther(s)
	return len(removed) > 0 && slices.ContainsFunc(f.CommentsIn(s, sp), func(c string) bool { return removed[c] })
}

// restoresRemovedTrivia reports whether copying an entry from side s would bring back a comment that the other side
// removed: s has the comment above or below this entry, and the original has it above or below another one. at has the
// versions of the entry, and v the collections that contain it.
//
//	original   s      other side
//	# x        a: 1   a: 1         true for b: copying it from s would restore # x
//	a: 1       # x    b: 2
//	b: 2       b: 2
func (f *Versions) restoresRemovedTrivia(at three.Entries, s three.Version, v three.Nodes) bool {
	lead, foot := f.leadSlot(at, v), f.footSlot(at, v)
	had := Comments(slices.Concat(lead.Lines[three.Original], foot.Lines[three.Original]))
	return slices.ContainsFunc(Comments(slices.Concat(lead.Lines[s], foot.Lines[s])), func(c string) bool {
		return f.isRemovedBetweenEntries(c, s, v) && !slices.Contains(had, c)
	})
}

// isRemovedBetweenEntries reports whether the side other than s removed the comment c from above, between and below the
// entries of a collection, so that a merge must not bring it back from s. v has the versions of the collection. It
// returns false if the comment may only have moved, if s may have added it, or for a template action. c must not be
// empty.
func (f *Versions) isRemovedBetweenEntries(c string, s three.Version, v three.Nodes) bool {
	isComment := c[0] == '#' || c[0] == '/' // a template action is none
	if !isComment || slices.Contains(v[:], nil) {
		return false
	}
	// with as many copies in its file as the original, the other side may have moved it
	if f.countComments(s.Other())[c] >= f.countComments(three.Original)[c] {
		return false
	}
	before := f.countBetweenEntries(three.Original, v[three.Original])[c]
	// with more copies than the original, that of s may be new; with one left, the other side may have removed another
	return before > 0 && f.countBetweenEntries(s, v[s])[c] <= before && f.countBetweenEntries(s.Other(), v[s.Other()])[c] == 0
}

// countBetweenEntries returns how often each comment is above, between and below the entries of n, a collection of
// version s. The keys are the texts of the comments. Comments inside of entries and at the end of lines do not count.
// The map is cached.
func (f *Versions) countBetweenEntries(s three.Version, n *syntax.Node) map[string]int {
	if counts := f.betweenEntries[n]; counts != nil {
		return counts
	}
	counts := map[string]int{}
	add := func(t Slot) {
		for _, c := range Comments(t.Lines[s]) {
			counts[c]++
		}
	}
	var collection three.Nodes
	collection[s] = n
	for _, e := range n.Entries {
		var entry three.Entries
		entry[s] = e
		add(f.leadSlot(entry, collection))
		add(f.footSlot(entry, collection))
	}
	add(f.tailSlot(collection))
	f.betweenEntries[n] = counts
	return counts
}

// commentsRemovedByOther returns the comments of s that the other side certainly removed, even if s moved them to
// another place. These are comments that occur once in s and once in the original, but not in the other side. Template
// actions, such as {{/* x */}}, are left out. The map must not be changed.
func (f *Versions) commentsRemovedByOther(s three.Version) map[string]bool {
	if f.removedByOther[s] == nil {
		f.removedByOther[s] = map[string]bool{}
		for c, n := range f.countComments(three.Original) {
			isComment := c[0] == '#' || c[0] == '/'
			if isComment && n == 1 && f.countComments(s)[c] == 1 && f.countComments(s.Other())[c] == 0 {
				f.removedByOther[s][c] = true
			}
		}
	}
	return f.removedByOther[s]
}
