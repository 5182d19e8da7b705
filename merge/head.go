package merge

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// headLine writes the line of an entry with its break: key, properties, value
// and comment. A block collection that is empty now is written in flow style.
func (r *renderer) headLine(c *child, v nodes, col int, remark side) []byte {
	m := c.value
	key := r.keyText(c.key, c.at[c.key], v[c.key])
	b := append(spaces(col), shiftRest(key, col-max(v[c.key].Indent, 0))...)
	if c.head != original {
		e := c.at[c.head]
		rest := r.bytes(c.head, text.Span{Start: e.Colon, End: e.HeadEnd})
		return append(b, shiftRest(rest, col-max(v[c.head].Indent, 0))...)
	}
	props, content := r.props(m), r.content(m, v, col)
	if len(props)+len(content) > 0 {
		b = append(b, r.gap(c, m, v, col)...)
	}
	b = append(append(b, props...), content...)
	if len(content) == 0 {
		b = bytes.TrimRight(b, " ")
	}
	return append(b, r.headEnd(c, v, remark)...)
}

// headEnd is what follows the value on its line: blanks, comment and break. Of
// versions with the same comment, the one that changed the blanks decides.
func (r *renderer) headEnd(c *child, v nodes, remark side) []byte {
	want := bytes.TrimSpace(r.remark(c, remark))
	var ends [3][]byte
	for s, e := range c.at {
		if e != nil && v[s].Style != syntax.Flow && bytes.Equal(bytes.TrimSpace(r.remark(c, side(s))), want) {
			ends[s] = r.ownEnd(side(s), e)
		}
	}
	end := ends[pickBytes(ends)]
	for _, s := range [3]side{c.value.form, dest, updated} {
		if end == nil {
			end = ends[s]
		}
	}
	if end == nil {
		return append(bytes.Clone(r.remark(c, remark)), r.lineBreak(c)...)
	}
	return end
}

// pickBytes chooses the side of merged form: updated where it alone changed
// the original's, else dest.
func pickBytes(v [3][]byte) side {
	if bytes.Equal(v[original], v[dest]) {
		return updated
	}
	return dest
}

// ownEnd is what follows an entry's value on its line, nil if that is not a
// line of its own.
func (r *renderer) ownEnd(s side, e *syntax.Entry) []byte {
	start := r.valueEnd(s, e)
	b := r.bytes(s, text.Span{Start: start, End: min(max(r.files[s].LineEnd(start), start), max(e.HeadEnd, start))})
	if len(b) == 0 || b[len(b)-1] != '\n' {
		return nil
	}
	return b
}

// valueEnd is where an entry's value ends on its first line.
func (r *renderer) valueEnd(s side, e *syntax.Entry) int {
	n := e.Value
	switch {
	case isBlockScalar(n):
		return blockHeader(r.files[s], n).End
	case n.Style != syntax.Block:
		return max(n.Span.End, e.Colon)
	case propped(n):
		return propsEnd(r.files[s], n)
	}
	return e.Colon
}

// content is the value as far as it stands on the entry's line.
func (r *renderer) content(m *value, v nodes, col int) []byte {
	n := m.v[m.form]
	switch {
	case m.emptied():
		return []byte(emptyFlow(n))
	case n.Style == syntax.Block:
		return nil
	case isBlockScalar(n):
		return r.bytes(m.form, blockHeader(r.files[m.form], n))
	}
	return r.inline(m, v, col)
}

func emptyFlow(n *syntax.Node) string {
	if n.Kind == syntax.Mapping {
		return "{}"
	}
	return "[]"
}

// inline is the content of a value that stands on its entry's line.
func (r *renderer) inline(m *value, v nodes, col int) []byte {
	switch {
	case m.flow != nil:
		return shiftRest(m.flow, col-max(v[m.form].Indent, 0))
	case m.lines != nil:
		var b []byte
		for _, l := range m.lines {
			b = append(b, r.bytes(l.side, l.span)...)
		}
		return shiftRest(b, col-max(v[m.form].Indent, 0))
	}
	return shiftRest(r.bytes(m.form, m.v[m.form].Content), col-max(v[m.form].Indent, 0))
}

// props is the merged properties of a value, with the blank behind them where
// content follows on the line.
func (r *renderer) props(m *value) []byte {
	n, x := m.v[m.form], m.v[m.props]
	switch {
	case !propped(x):
		return nil
	case m.propsSide() != m.form, m.emptied():
		return []byte(propsText(x) + " ")
	case n.Style == syntax.Block:
		return r.bytes(m.form, text.Span{Start: n.Span.Start, End: propsEnd(r.files[m.form], n)})
	}
	return r.bytes(m.form, text.Span{Start: n.Span.Start, End: n.Content.Start})
}

// gap is the blanks between colon and value: those of the version that changed
// them, so that aligned columns stay aligned.
func (r *renderer) gap(c *child, m *value, v nodes, col int) []byte {
	var gaps [3][]byte
	for s, e := range c.at {
		if e != nil {
			gaps[s] = r.gapOf(e, side(s))
		}
	}
	from := pickBytes(gaps)
	g, own := gaps[from], gaps[m.form]
	if broken := bytes.ContainsAny(g, "\n\r") || bytes.ContainsAny(own, "\n\r"); len(g) == 0 || broken && !r.movable(m, v[from], col) {
		g = own
	}
	if len(g) == 0 {
		return []byte(" ")
	}
	return g
}

// movable reports whether a value may stand on a line of its own as it does in
// the collection in, now at column col.
func (r *renderer) movable(m *value, in *syntax.Node, col int) bool {
	n := m.v[m.form]
	inline := n.Style != syntax.Block && !isBlockScalar(n) && m.lines == nil
	return inline && in != nil && in.Indent == col && bytes.IndexByte(r.bytes(m.form, n.Content), '\n') < 0
}

func (r *renderer) gapOf(e *syntax.Entry, s side) []byte {
	if e.Value.Style == syntax.Block && !propped(e.Value) {
		return nil
	}
	return r.bytes(s, text.Span{Start: e.Colon, End: max(e.Value.Span.Start, e.Colon)})
}

// remark is the comment of side s with the blanks before it.
func (r *renderer) remark(c *child, s side) []byte {
	e := c.at[s]
	if e == nil || e.Comment.Empty() {
		return nil
	}
	b := r.files[s].Bytes()
	start := e.Comment.Start
	for start > 0 && (b[start-1] == ' ' || b[start-1] == '\t') {
		start--
	}
	return b[start:e.Comment.End]
}

// lineBreak is the break of the entry's line.
func (r *renderer) lineBreak(c *child) []byte {
	for _, s := range [3]side{c.value.form, dest, updated} {
		e := c.at[s]
		if e == nil {
			continue
		}
		b := r.bytes(s, text.Span{Start: e.Colon, End: max(e.HeadEnd, e.Colon)})
		if t := bytes.TrimRight(b, "\r\n"); len(t) < len(b) {
			return lastBreak(b)
		}
	}
	return r.nl
}

// lastBreak is the line break at the end of b.
func lastBreak(b []byte) []byte {
	if bytes.HasSuffix(b, []byte("\r\n")) {
		return b[len(b)-2:]
	}
	return b[len(b)-1:]
}
