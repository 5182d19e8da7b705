package merge

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// renderer writes a plan with the bytes of the three versions.
type renderer struct {
	sources
	laid *layouts
}

// sources is what a page is written from.
type sources struct {
	files   [3]*text.File
	streams [3]*syntax.Stream
	nl      []byte // the line break of what has none of its own
	// destStarts says that only dest decides whether the file starts with ---.
	destStarts bool
	// unseen is how blocks are indented that the streams lack; nil if none are.
	unseen *layout
}

// bytes returns what stands at sp in version s.
func (r *renderer) bytes(s side, sp text.Span) []byte { return r.files[s].Slice(sp) }

// kids writes the entries of a merged block collection at column col.
func (r *renderer) kids(m *value, col int, p *page) {
	for _, c := range m.kids {
		r.entry(c, m.v, col, p)
	}
	r.trivia(m.tail, nil, col, p)
}

// entry writes one entry of the collection v at column col.
func (r *renderer) entry(c *child, v nodes, col int, p *page) {
	switch {
	case c.clash != nil:
		r.clash(c, v, col, p)
	case c.gone:
	case c.whole != original:
		p.text(r.taken(c.whole, c.at[c.whole], v[c.whole], col))
	default:
		r.trivia(c.lead, c, col, p)
		r.merged(c, v, col, p)
		r.trivia(c.foot, c, col, p)
	}
}

// taken returns an entry as it stands in version s, moved to column col.
func (r *renderer) taken(s side, e *syntax.Entry, in *syntax.Node, col int) []byte {
	return r.entryText(s, e, in, e.Span, col)
}

// entryText returns the part sp of an entry (whole lines of it) at column col.
func (r *renderer) entryText(s side, e *syntax.Entry, in *syntax.Node, sp text.Span, col int) []byte {
	if in.Style == syntax.Flow {
		return r.fromFlow(s, e, in, col)
	}
	if r.relays(s) {
		return r.relay(s, e, in, sp, col)
	}
	if !e.Inline {
		return shift(r.bytes(s, sp), col-in.Indent)
	}
	sp.Start = e.Start
	return append(spaces(col), shiftRest(r.bytes(s, sp), col-in.Indent)...)
}

// fromFlow writes an entry of a flow collection as a line of its own.
func (r *renderer) fromFlow(s side, e *syntax.Entry, in *syntax.Node, col int) []byte {
	b := append(spaces(col), r.keyText(s, e, in)...)
	if v := r.bytes(s, e.Value.Span); len(v) > 0 {
		b = append(append(b, ' '), v...)
	}
	return append(b, r.nl...)
}

// keyText is what introduces a value in a block collection.
func (r *renderer) keyText(s side, e *syntax.Entry, in *syntax.Node) []byte {
	if in.Style != syntax.Flow {
		return r.bytes(s, keySpan(e))
	}
	if e.Key == nil {
		return []byte("-")
	}
	return append(bytes.Clone(r.bytes(s, e.Key.Span)), ':')
}

// merged writes an entry whose parts merged one by one.
func (r *renderer) merged(c *child, v nodes, col int, p *page) {
	body := &page{}
	r.body(c, v, col, body)
	if n := c.value.v[c.value.form]; compact(n) {
		key := append(spaces(col), shiftRest(r.keyText(c.key, c.at[c.key], v[c.key]), col-v[c.key].Indent)...)
		if r.overlay(body, key, r.inner(c.value, v, col)) {
			p.parts = append(p.parts, body.parts...)
			return
		}
	}
	if !c.comment.clash {
		p.text(r.headLine(c, v, col, c.comment.side))
	} else {
		m := &marked{kind: ConflictComment, path: c.path}
		for s, e := range c.at {
			if e != nil {
				m.alt[s] = r.headLine(c, v, col, side(s))
				m.open[s] = e.Comment
			}
		}
		p.parts = append(p.parts, part{clash: m})
	}
	p.parts = append(p.parts, body.parts...)
}

// overlay writes key over the indentation of the first line of body, a compact
// collection at column col. It reports false where that line is no entry in
// one of the versions.
func (r *renderer) overlay(body *page, key []byte, col int) bool {
	last := len(key) - (bytes.LastIndexByte(key, '\n') + 1)
	if len(body.parts) == 0 || last >= col {
		return false
	}
	pad := append(key, spaces(col-last)...)
	put := func(b []byte) []byte {
		if len(b) <= col || len(bytes.TrimLeft(b[:col], " ")) > 0 || bytes.IndexByte([]byte(" #\r\n"), b[col]) >= 0 {
			return nil
		}
		return append(bytes.Clone(pad), b[col:]...)
	}
	first := &body.parts[0]
	if first.clash == nil {
		b := put(first.text)
		if b == nil {
			return false
		}
		first.text = b
		return true
	}
	borrow(body)
	var alt [3][]byte
	for s := range alt {
		if s == int(original) && len(first.clash.alt[s]) == 0 {
			continue
		}
		if alt[s] = put(first.clash.alt[s]); alt[s] == nil {
			return false
		}
	}
	first.clash.alt = alt
	return true
}

// borrow gives the conflict at the start of body the line below it, where one
// side has nothing: that line is then the first.
func borrow(body *page) {
	c := body.parts[0].clash
	if len(c.alt[dest]) > 0 && len(c.alt[updated]) > 0 || len(body.parts) < 2 || body.parts[1].clash != nil {
		return
	}
	b := body.parts[1].text
	end := bytes.IndexByte(b, '\n') + 1
	for s := range c.alt {
		if s != int(original) || len(c.alt[s]) > 0 {
			c.alt[s] = append(bytes.Clone(c.alt[s]), b[:end]...)
		}
	}
	body.parts[1].text = b[end:]
}

// inner is the column of the entries of a merged or taken collection whose
// holder moves to column col.
func (r *renderer) inner(m *value, v nodes, col int) int {
	f := m.form
	return col + m.v[f].Indent - max(v[f].Indent, 0)
}

// body writes what follows the head line: the entries of a block collection,
// or the lines of a block scalar.
func (r *renderer) body(c *child, v nodes, col int, p *page) {
	m := c.value
	n := m.v[m.form]
	switch {
	case m.merged && n.Style == syntax.Block:
		r.kids(m, r.inner(m, v, col), p)
	case m.lines != nil && isBlockScalar(n):
		r.textLines(c, r.inner(m, v, col), p)
	case isBlockScalar(n):
		p.text(shift(r.bytes(m.form, n.Lines), col-max(v[m.form].Indent, 0)))
	case n.Style == syntax.Block:
		e := c.at[m.form]
		sp := text.Span{Start: e.HeadEnd, End: e.Foot.Start}
		delta := col - max(v[m.form].Indent, 0)
		if compact(n) {
			p.text(append(spaces(n.Indent+delta), shiftRest(r.bytes(m.form, sp), delta)...))
			return
		}
		if r.relays(m.form) {
			p.text(r.relayBlock(m.form, e, v[m.form], delta))
			return
		}
		p.text(shift(r.bytes(m.form, sp), delta))
	}
}

// textLines writes the merged lines of a block scalar at column col.
func (r *renderer) textLines(c *child, col int, p *page) {
	m := c.value
	for _, l := range m.lines {
		if l.clash == nil {
			p.text(r.moved(l.side, l.span, col-m.v[l.side].Indent))
			continue
		}
		k := &marked{kind: ConflictText, path: c.path, child: c, open: *l.clash}
		for s, sp := range l.clash {
			if m.v[s] != nil {
				k.alt[s] = r.moved(side(s), sp, col-m.v[s].Indent)
			}
		}
		p.parts = append(p.parts, part{clash: k})
	}
}

func (r *renderer) moved(s side, sp text.Span, delta int) []byte {
	return shift(r.bytes(s, sp), delta)
}

// trivia writes a merged slot whose owner stands at column col.
func (r *renderer) trivia(t trivia, c *child, col int, p *page) {
	for _, part := range t {
		if part.clash == nil {
			p.text(moveLines(part.lines, col))
			continue
		}
		m := &marked{kind: ConflictComment, open: part.clash.spans}
		if c != nil {
			m.path = c.path
		}
		for s, ls := range part.clash.lines {
			m.alt[s] = moveLines(ls, col)
		}
		p.add(m)
	}
}

func moveLines(ls []line, col int) []byte {
	if len(ls) == 1 && ls[0].base == col {
		return ls[0].text
	}
	var b []byte
	for _, l := range ls {
		b = append(b, shift(l.text, col-l.base)...)
	}
	return b
}

// clash writes a conflict over entries.
func (r *renderer) clash(c *child, v nodes, col int, p *page) {
	m := &marked{kind: c.clash.kind, path: c.path, child: c}
	for s, run := range c.clash.runs {
		m.open[s] = r.runSpan(c, run, v[s])
		for _, e := range run {
			sp := e.Span
			if c.clash.bare && v[s].Style != syntax.Flow {
				sp = text.Span{Start: e.Lead.End, End: e.Foot.Start}
			}
			m.alt[s] = append(m.alt[s], r.entryText(side(s), e, v[s], sp, col)...)
		}
	}
	if c.clash.bare {
		r.trivia(c.lead, c, col, p)
	}
	p.add(m)
	if c.clash.bare {
		r.trivia(c.foot, c, col, p)
	}
}

// runSpan is where the entries of a conflict stand in their version.
func (r *renderer) runSpan(c *child, run []*syntax.Entry, in *syntax.Node) text.Span {
	if len(run) == 0 {
		return text.Span{}
	}
	sp := text.Span{Start: run[0].Span.Start, End: run[len(run)-1].Span.End}
	if c.clash.bare && in.Style != syntax.Flow {
		sp = text.Span{Start: run[0].Lead.End, End: run[0].Foot.Start}
	}
	return sp
}
