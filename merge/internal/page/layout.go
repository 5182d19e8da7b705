package page

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// toColumn returns the change of indentation that moves the entries of the block collection n, or the lines of the
// block scalar n, to column col. Any other n counts as at column 0.
func toColumn(n *syntax.Node, col int) text.Move { return text.MoveColumns(max(n.Indent, 0), col) }

// layouts are the indentation widths of the three versions (own) and of the result (merged): by how many columns
// mappings, lists and block scalars are indented in the field that contains them.
type layouts struct {
	own    [3]syntax.Layout
	merged syntax.Layout
}

// newLayouts returns by how many columns the three streams indent values, and by how many the result does. Mappings,
// lists and block scalars have a width each, which is merged by itself (mergeIndent). If a stream has no lists or no
// block scalars, the width of its mappings is assumed for them, if possible (fillUnknown).
func newLayouts(streams [3]*syntax.Stream) *layouts {
	var l layouts
	for s, st := range streams {
		l.own[s] = st.Layout()
	}
	l.fillUnknown(func(l *syntax.Layout) *int { return &l.List })
	l.fillUnknown(func(l *syntax.Layout) *int { return &l.Text })
	o, d, u := l.own[three.Original], l.own[three.Dest], l.own[three.Updated]
	l.merged = syntax.Layout{
		Mapping: mergeIndent(o.Mapping, d.Mapping, u.Mapping),
		List:    mergeIndent(o.List, d.List, u.List),
		Text:    mergeIndent(o.Text, d.Text, u.Text),
	}
	return &l
}

// mergeIndent returns the indentation width of the result, from those of original, dest and updated. It is updated's if
// dest did not change the width, and otherwise dest's. If the original has no uniform width, and the sides chose
// different ones, it is syntax.MixedIndent: values then keep their own indentation.
func mergeIndent(o, d, u int) int {
	if o == syntax.MixedIndent && d != o && u != o && d != u {
		return syntax.MixedIndent
	}
	return three.Form(o, d, u)
}

// fillUnknown sets the indentation width of lists, or of block scalars, in versions that contain none of them: to the
// width of mappings. widthOf returns a pointer to the width in question in a Layout. Nothing is set if the two widths
// differ in any version with such values, because the assumption is then wrong.
func (l *layouts) fillUnknown(widthOf func(*syntax.Layout) *int) {
	for s := range l.own {
		if width := *widthOf(&l.own[s]); width != syntax.UnknownIndent && width != l.own[s].Mapping {
			return
		}
	}
	for s := range l.own {
		*widthOf(&l.own[s]) = l.own[s].Mapping
	}
}

// indentOfValue returns by how many columns the value n is indented relative to the collection parent in the result. n
// is copied from version s, and the result may have other indentation widths than s:
//
//	s           result
//	a:          a:
//	    b: 1      b: 1     2, if the merged width of mappings is 2
//
// The indentation of n does not change if the width, in s or in the result, is mixed or unknown, or if parent is not a
// block mapping.
func (l *layouts) indentOfValue(s three.Version, parent, n *syntax.Node) int {
	unchanged := n.Indent - parent.Indent
	width := l.own[s].IndentFor(parent, n)
	if width == nil || *width < 0 { // mixed or unknown
		return unchanged
	}
	if merged := *l.merged.IndentFor(parent, n); merged >= 0 {
		return merged
	}
	return unchanged
}

// A blockMover copies a part of version s to out. It changes the indentation to that of the result: each collection and
// block scalar is moved to the column that the merged indentation widths give it.
type blockMover struct {
	r    *Renderer
	s    three.Version
	out  sourcedText
	next int // the offset of the next byte to copy
	end  int // the offset at which the part ends
}

// writeUpTo copies the text from m.next up to the offset off, but not beyond m.end. Each line in it moves by delta
// columns, except the rest of a line if m.next is within it. If off is before m.next, nothing is copied.
func (m *blockMover) writeUpTo(off, delta int) {
	off = min(off, m.end)
	if off <= m.next {
		return
	}
	t, move := m.r.text(m.s, text.Span{Start: m.next, End: off}), text.MoveColumns(0, delta)
	if m.r.Files[m.s].LineStart(m.next) == m.next {
		t = t.move(move)
	} else {
		t = t.moveExceptFirst(move)
	}
	m.out.append(t)
	m.next = off
}

// writeEntry copies the text from m.next to the end of e, an entry of the collection parent. The line of its key moves
// by delta columns, and its value by the columns that the merged indentation requires.
func (m *blockMover) writeEntry(e *syntax.Entry, parent *syntax.Node, delta int) {
	m.writeBlockValue(e, parent, delta)
	m.writeUpTo(e.Span.End, delta)
}

// writeBlockValue copies the text from m.next to the end of the value of the entry e, if this is a block collection or
// a block scalar; otherwise it does nothing. The lines of the value get their indentation in the result. Lines above
// the value move by delta columns. parent is the collection that contains e.
func (m *blockMover) writeBlockValue(e *syntax.Entry, parent *syntax.Node, delta int) {
	n := e.Value
	column := parent.Indent + delta + m.r.readLayouts().indentOfValue(m.s, parent, n) // of the value in the result
	shift := column - n.Indent
	switch {
	case n.IsBlockScalar():
		m.writeUpTo(n.Lines.Start, delta)
		m.writeUpTo(n.Lines.End, shift)
	case n.Style == syntax.Block && n.IsCompact(): // it starts on the line of its dash
		m.writeEntries(n, delta)
	case n.Style == syntax.Block:
		m.writeUpTo(e.HeadEnd, delta)
		m.writeEntries(n, shift)
	}
}

// writeEntries copies the entries of the block collection n, and the comments and blank lines after the last one. They
// move by delta columns.
func (m *blockMover) writeEntries(n *syntax.Node, delta int) {
	for _, e := range n.Entries {
		m.writeEntry(e, n, delta)
	}
	m.writeUpTo(n.Tail.End, delta)
}

// readLayouts returns the indentation widths of the versions and of the result. It computes them in the first call.
func (r *Renderer) readLayouts() *layouts {
	if r.cachedLayouts == nil {
		r.cachedLayouts = newLayouts(r.Streams)
	}
	return r.cachedLayouts
}
