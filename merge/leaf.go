package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// leaf merges what is not the same kind of collection on both sides: scalars,
// aliases, and values of different kinds.
func (w *walker) leaf(v nodes, p *path) (*value, ConflictKind) {
	props, ok := w.mergeProps(v)
	if !ok {
		return nil, ConflictValue
	}
	o, d, u := v[original], v[dest], v[updated]
	dSame, uSame := w.sameContent(o, d), w.sameContent(o, u)
	if m := w.movedLines(v, props, dSame, uSame); m != nil {
		return m, ""
	}
	switch {
	case dSame && uSame:
		return w.reformatted(v, props), ""
	case dSame && !w.commentsChanged(original, o, dest, d):
		return &value{v: v, form: updated, props: props}, ""
	case uSame && !w.commentsChanged(original, o, updated, u):
		return &value{v: v, form: dest, props: props}, ""
	case w.sameContent(d, u):
		return &value{v: v, form: dest, props: props}, ""
	}
	if m := w.textLines(v, props); m != nil {
		return m, ""
	}
	return nil, ConflictValue
}

// reformatted takes the form of the side that changed it, dest's if both did.
func (w *walker) reformatted(v nodes, props side) *value {
	form := dest
	if bytes.Equal(w.bytes(original, v[original].Content), w.bytes(dest, v[dest].Content)) {
		form = updated
	}
	return &value{v: v, form: form, props: props}
}

// sameContent reports whether two nodes hold the same data, anchor and
// written tag aside.
func (w *walker) sameContent(a, b *syntax.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return w.sums.content(a) == w.sums.content(b)
}

// textLines merges a multi-line scalar line by line, or returns nil if the
// three versions are not multi-line scalars of one style.
func (w *walker) textLines(v nodes, props side) *value {
	o, d, u := v[original], v[dest], v[updated]
	if o == nil || o.Kind != syntax.Scalar || d.Kind != syntax.Scalar || u.Kind != syntax.Scalar {
		return nil
	}
	header, ok := w.mergeHeader(v)
	if !ok {
		return nil
	}
	m := &value{v: v, form: w.textForm(v, header), props: props, header: header}
	var keys [3][]string
	var spans [3][]text.Span
	for s, n := range v {
		spans[s] = lineSpans(w.files[s], textSpan(n))
		for _, sp := range spans[s] {
			keys[s] = append(keys[s], w.textKey(side(s), n, sp))
		}
	}
	if len(keys[dest]) < 2 && len(keys[updated]) < 2 {
		return nil
	}
	for _, c := range diff3.ChunksOf(keys) {
		l := textChunk(c, keys, spans, v)
		if l.clash != nil && !isBlockScalar(v[header]) {
			return nil // it starts on the line of its key
		}
		m.lines = append(m.lines, l)
	}
	return m
}

// movedLines merges a block scalar that one side only re-indented: the other
// side's lines land in the new indent. It returns nil for all else.
func (w *walker) movedLines(v nodes, props side, dSame, uSame bool) *value {
	if !isBlockScalar(v[dest]) || !isBlockScalar(v[updated]) || dSame == uSame {
		return nil
	}
	if dSame && w.reindented(v, dest) || uSame && w.reindented(v, updated) {
		return w.textLines(v, props)
	}
	return nil
}

// reindented reports whether s alone gave a block scalar another indent below
// its parent.
func (w *walker) reindented(v nodes, s side) bool {
	at := func(s side) int { return v[s].Indent - w.cols[s] }
	return isBlockScalar(v[original]) && isBlockScalar(v[s]) && at(s) != at(original)
}

// textForm is the side whose indent merged lines take: that of the header where
// the headers differ, for an indicator says what the indent is.
func (w *walker) textForm(v nodes, header side) side {
	if isBlockScalar(v[header]) && w.sameHeader(v) && !w.reindented(v, dest) {
		return updated
	}
	return header
}

func (w *walker) sameHeader(v nodes) bool {
	d, u := blockHeader(w.files[dest], v[dest]), blockHeader(w.files[updated], v[updated])
	return bytes.Equal(w.bytes(dest, d), w.bytes(updated, u))
}

func textChunk(c diff3.Chunk, keys [3][]string, spans [3][]text.Span, v nodes) textPart {
	at := [3]text.Span{
		join(spans[original], c.Original, textSpan(v[original])),
		join(spans[dest], c.Dest, textSpan(v[dest])),
		join(spans[updated], c.Updated, textSpan(v[updated])),
	}
	switch {
	case c.Kind == diff3.UpdatedChanged:
		return textPart{side: updated, span: at[updated]}
	case c.Kind == diff3.BothChanged && !slices.Equal(keys[dest][c.Dest.Start:c.Dest.End], keys[updated][c.Updated.Start:c.Updated.End]):
		return textPart{clash: &at}
	}
	return textPart{side: dest, span: at[dest]}
}

// join is the range of the lines r, empty at its place where there
// are none.
func join(spans []text.Span, r diff3.Range, all text.Span) text.Span {
	switch {
	case !r.Empty():
		return text.Span{Start: spans[r.Start].Start, End: spans[r.End-1].End}
	case r.Start < len(spans):
		return text.Span{Start: spans[r.Start].Start, End: spans[r.Start].Start}
	}
	return text.Span{Start: all.End, End: all.End}
}

// textKey is a line of a scalar as it compares: without the indentation that
// a block scalar has as a whole, or that means nothing in a flow scalar.
func (w *walker) textKey(s side, n *syntax.Node, sp text.Span) string {
	l := bytes.TrimRight(w.bytes(s, sp), "\r\n")
	if !isBlockScalar(n) {
		return string(bytes.TrimSpace(l))
	}
	cut := 0
	for cut < len(l) && cut < n.Indent && l[cut] == ' ' {
		cut++
	}
	return string(l[cut:])
}

// mergeHeader merges style, chomping and indentation indicator, a slot of
// their own. It reports false where the scalars cannot merge by lines.
func (w *walker) mergeHeader(v nodes) (side, bool) {
	var h [3]string
	for s, n := range v {
		if isBlockScalar(n) != isBlockScalar(v[original]) {
			return dest, false
		}
		h[s] = string(rune(n.Style))
		if isBlockScalar(n) {
			h[s] = string(w.bytes(side(s), blockHeader(w.files[s], n)))
		}
	}
	switch {
	case h[dest] == h[updated], h[original] == h[updated]:
		return dest, true
	case h[original] == h[dest]:
		return updated, true
	}
	return dest, false
}
