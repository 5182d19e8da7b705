package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

var comma = []byte(",")

// flow is the text of a merged collection in flow style: that of one side, that with the merged entries in
// the place of its own, or the merged entries with its separators.
func (r *Renderer) flow(m *plan.Value) (b []byte) {
	s := m.Flow.FormatFrom
	n := m.Nodes[s]
	if m.Flow.Style == plan.FlowCopied {
		return r.bytes(s, n.Content)
	}
	texts := make([][]byte, len(m.Children))
	for i, c := range m.Children {
		texts[i] = r.flowEntry(c, m)
	}
	if m.Flow.Style == plan.FlowSpliced {
		at := n.Content.Start
		for i, e := range n.Entries {
			b = slices.Concat(b, r.bytes(s, text.Span{Start: at, End: e.Start}), texts[i])
			at = e.Foot.Start
		}
		return append(b, r.bytes(s, text.Span{Start: at, End: n.Content.End})...)
	}
	lead, next := []byte(nil), []byte(" ")
	if len(n.Entries) > 0 {
		if lead = r.bytes(s, n.Entries[0].Lead); bytes.ContainsAny(lead, "\n") {
			next = lead
		}
	}
	if len(n.Entries) > 1 {
		next = r.bytes(s, n.Entries[1].Lead)
	}
	b = bytes.Clone(r.bytes(s, text.Span{Start: n.Content.Start, End: n.Content.Start + 1}))
	for i, t := range texts {
		b = slices.Concat(b, lead, t)
		if lead = next; i+1 < len(texts) || trailingComma(n) {
			b = append(b, ',')
		}
	}
	return append(b, r.bytes(s, text.Span{Start: n.Tail.Start, End: n.Content.End})...)
}

func trailingComma(n *syntax.Node) bool {
	return len(n.Entries) > 0 && n.Entries[len(n.Entries)-1].Comma
}

// flowEntry is the text of one merged entry of m, without what separates it from others.
func (r *Renderer) flowEntry(e plan.Entry, m *plan.Value) []byte {
	if c, merged := e.(*plan.MergedEntry); merged {
		val := r.flowValue(c.Value)
		return append(r.flowHead(c, m, val), val...)
	}
	c := e.(*plan.TakenEntry)
	s := c.Side
	if m.Nodes[s].Style == syntax.Flow {
		return r.bytes(s, text.Span{Start: c.Entries[s].Start, End: c.Entries[s].Foot.Start})
	}
	return r.restyled(s, c.Entries[s], m.Nodes[s])
}

// restyled is an entry of in, of one line, as a collection of the other style has it.
func (r *Renderer) restyled(s three.Version, e *syntax.Entry, in *syntax.Node) []byte {
	val := r.bytes(s, e.Value.Span)
	if e.Key == nil && in.Style != syntax.Flow {
		return val
	}
	key := r.keyText(s, e, in, in.Style != syntax.Flow)
	if len(val) == 0 {
		return key
	}
	return slices.Concat(key, []byte(" "), val)
}

// flowHead is what introduces val, the value of a merged entry of m: its key, and the blanks behind the colon, which
// merge by themselves.
func (r *Renderer) flowHead(c *plan.MergedEntry, m *plan.Value, val []byte) []byte {
	if c.Entries[c.Key].Key == nil {
		return nil
	}
	key, gap := r.keyText(c.Key, c.Entries[c.Key], m.Nodes[c.Key], true), r.valueGap(c, m)
	switch {
	case len(val) == 0:
		gap = ""
	case gap == "" && !adjoinsValue(key):
		gap = " "
	}
	return slices.Concat(key, []byte(gap))
}

// valueGap returns what stands between colon and value of a merged entry of m: as updated has it if it alone changed
// what the original has, else as dest has it. Versions that have m in block style, or the entry without a value, have no
// say; it returns "" if all are such.
func (r *Renderer) valueGap(c *plan.MergedEntry, m *plan.Value) string {
	gaps := map[three.Version]string{}
	for v, e := range c.Entries {
		if e != nil && m.Nodes[v].Style == syntax.Flow && !e.Value.Span.Empty() {
			gaps[three.Version(v)] = string(r.bytes(three.Version(v), text.Span{Start: e.Colon, End: e.Value.Span.Start}))
		}
	}
	dest, ok := gaps[three.Dest]
	updated, known := gaps[three.Updated]
	if !ok || known && dest == gaps[three.Original] {
		return updated
	}
	return dest
}

// adjoinsValue reports whether a value can follow key and its colon without a blank in a flow mapping: if the key ends
// with a quote or a bracket.
//
//	{"a":1}   true
//	{a:1}     false: that is the key a:1
func adjoinsValue(key []byte) bool {
	name := bytes.TrimRight(bytes.TrimSuffix(key, []byte(":")), " \t\r\n")
	return len(name) > 0 && bytes.ContainsAny(name[len(name)-1:], `"']}`)
}

// flowValue is the text of a merged value.
func (r *Renderer) flowValue(m *plan.Value) []byte {
	n := m.Nodes[m.FormatFrom]
	content := r.bytes(m.FormatFrom, n.Content)
	switch {
	case m.IsFlowText():
		content = r.flow(m)
	case m.IsExpandedFlow():
		p := &Page{}
		r.spread(m, [3]text.Move{}, p)
		content = p.Choose(three.Dest)
	case m.Lines != nil:
		content = r.joined(m)
	}
	if m.PropertiesTextFrom() == m.FormatFrom {
		return append(bytes.Clone(r.bytes(m.FormatFrom, text.Span{Start: n.Span.Start, End: n.Content.Start})), content...)
	}
	if x := m.Nodes[m.PropertiesFrom]; x.HasProperties() {
		content = append([]byte(x.PropsText()+" "), content...)
	}
	return content
}

// A spread is a merged flow collection with lines of their own for its entries. In its parts NUL, which no
// YAML has, marks where the comma of an entry goes.
type spread struct {
	*Renderer
	Page
	of     *plan.Value
	indent []byte
	moves  [3]text.Move // of the lines of each version to their place in the result
}

var mark = []byte{0}

// spread writes a merged flow collection from its opening to its closing bracket, behind what stands on
// the line already. The moves of outer are those of the lines around it.
func (r *Renderer) spread(m *plan.Value, outer [3]text.Move, p *Page) {
	f := m.Flow.FormatFrom
	n := m.Nodes[f]
	own, end := n.ExpandedIndents(r.Files[f])
	x := &spread{Renderer: r, of: m, indent: outer[f].Indent(own)}
	end = outer[f].Indent(end)
	unit, _ := bytes.CutPrefix(x.indent, end)
	for s, n := range m.Nodes {
		if n != nil && len(n.Entries) > 0 {
			own, end := n.ExpandedIndents(r.Files[s])
			was, _ := bytes.CutPrefix(own, end)
			x.moves[s] = text.Move{From: own, To: x.indent, Unit: was, ToUnit: unit}
		}
	}
	p.text(r.bytes(f, text.Span{Start: n.Content.Start, End: n.Entries[0].ExpandedLines(r.Files[f]).Start}))
	for _, c := range m.Children {
		x.entry(c)
	}
	x.commas()
	p.Parts = append(p.Parts, x.Parts...)
	r.trivia(m.Tail, nil, len(x.indent), p)
	p.text(append(end, r.bytes(f, text.Span{Start: n.Content.End - 1, End: n.Content.End})...))
}

// entry writes one merged entry.
func (x *spread) entry(e plan.Entry) {
	switch c := e.(type) {
	case *plan.EntryConflict:
		var merged []byte
		if c.Both != nil {
			both := *x
			both.Page = Page{}
			both.entry(c.Both)
			merged = both.clean()
		}
		x.entryConflict(c, merged, len(x.indent), &x.Page, func(s three.Version, e *syntax.Entry) ([]byte, text.Span) {
			b, sp := x.lines(s, e, c.Around != nil)
			if s == three.Original && !e.Comma { // in the base it is as it was
				b, _ = unmarked(b)
			}
			return b, sp
		})
	case *plan.TakenEntry:
		b, _ := x.lines(c.Side, c.Entries[c.Side], false)
		x.text(b)
	case *plan.MergedEntry:
		x.merged(c)
	}
}

// merged writes an entry whose parts merged one by one.
func (x *spread) merged(c *plan.MergedEntry) {
	x.trivia(c.Lead, c.Path, len(x.indent), &x.Page)
	line := func(s three.Version) []byte {
		val := x.moves[c.Value.FormatFrom].ApplyExceptFirst(x.flowValue(c.Value))
		return slices.Concat(x.indent, x.flowHead(c, x.of, val), val, mark, x.behind(s, c.Entries[s]))
	}
	switch s := c.Comment.Side; {
	case c.Comment.Conflict:
		x.Add(remarks(c, line))
	case c.Value.IsExpandedFlow():
		x.text(slices.Concat(x.indent, x.flowHead(c, x.of, lf), x.props(c.Value)))
		x.spread(c.Value, x.moves, &x.Page)
		x.extend(mark, x.behind(s, c.Entries[s]))
	default:
		x.text(line(s))
	}
}

// lines are those of an entry, and where they stand: without those above it if bare.
func (x *spread) lines(s three.Version, e *syntax.Entry, bare bool) ([]byte, text.Span) {
	sp := e.ExpandedLines(x.Files[s])
	if bare {
		sp.Start = x.Files[s].LineStart(e.Start)
	}
	upTo := text.Span{Start: sp.Start, End: e.CommaOffset(x.Files[s])}
	return slices.Concat(x.moves[s].Apply(x.bytes(s, upTo)), mark, x.behind(s, e)), sp
}

// behind is what stands behind the comma of an entry on its line.
func (x *spread) behind(s three.Version, e *syntax.Entry) []byte {
	at := e.CommaOffset(x.Files[s])
	if e.Comma {
		at++
	}
	return x.bytes(s, text.Span{Start: at, End: x.Files[s].LineEnd(e.Span.End)})
}

// commas puts them where they go: whichever side is taken, none stands behind the last entry, unless the
// file has it so. Where it depends on the side which entry is the last, the line that is so in one of them
// is in conflict too.
func (x *spread) commas() {
	if !x.trailing() && len(x.Parts) > 0 {
		x.endWithout()
	}
	for i := range x.Parts {
		part := &x.Parts[i]
		if part.Conflict == nil {
			part.Text = bytes.ReplaceAll(part.Text, mark, comma)
			continue
		}
		for s, b := range part.Conflict.Alt {
			part.Conflict.Alt[s] = bytes.ReplaceAll(b, mark, comma)
		}
		if b := part.Conflict.Merged; b != nil {
			part.Conflict.Merged = bytes.ReplaceAll(b, mark, comma)
		}
	}
}

// trailing reports whether a comma stands behind the last entry, as in the merged form.
func (x *spread) trailing() bool {
	var comma [3]bool
	for s, n := range x.of.Nodes {
		comma[s] = n != nil && trailingComma(n)
	}
	if o := x.of.Nodes[three.Original]; o == nil || len(o.Entries) == 0 {
		return comma[three.Dest]
	}
	return three.Form(comma[three.Original], comma[three.Dest], comma[three.Updated])
}

// endWithout takes the comma from the last entry of either side.
func (x *spread) endWithout() {
	first, both := -1, -1 // the first part that ends an entry of a side, and the last that ends one of both
	last := len(x.Parts) - 1
	for i, part := range x.Parts {
		d, u := bytes.Contains(part.of(three.Dest), mark), bytes.Contains(part.of(three.Updated), mark)
		if first < 0 && (d || u) {
			first = i
		}
		if d && u {
			both = i
		}
	}
	if both < last {
		x.join(max(both, first))
	}
	end := &x.Parts[len(x.Parts)-1]
	if end.Conflict == nil {
		end.Text, _ = unmarked(end.Text)
		return
	}
	if b := end.Conflict.Merged; b != nil {
		end.Conflict.Merged, _ = unmarked(b)
	}
	for _, s := range three.Sides {
		var behind int
		if end.Conflict.Alt[s], behind = unmarked(end.Conflict.Alt[s]); s == three.Dest && both == last {
			end.Conflict.Behind = &behind
		}
	}
}

// unmarked is b without its last mark, and how long what stands behind that is.
func unmarked(b []byte) (without []byte, behind int) {
	at := bytes.LastIndex(b, mark)
	if at < 0 {
		return b, 0
	}
	return slices.Concat(b[:at], b[at+1:]), len(b) - at - 1
}

// join makes one conflict of what stands from the last line of the part at from on.
func (x *spread) join(from int) {
	above, rest := x.Parts[:from:from], slices.Clone(x.Parts[from:])
	if t := rest[0].Text; rest[0].Conflict == nil {
		cut := 1 + bytes.LastIndexByte(t[:len(t)-1], '\n')
		above, rest[0].Text = append(above, Part{Text: t[:cut]}), t[cut:]
	}
	k := &Conflict{}
	for _, part := range rest {
		if c := part.Conflict; c != nil {
			k.Entry = c.Entry
			if k.Kind != "" {
				k.Entry = nil
			} else {
				k.Kind, k.Path, k.Detail = c.Kind, c.Path, c.Detail
			}
			for s := range c.At {
				k.At[s] = joinSpans(k.At[s], c.At[s])
			}
		}
		for s := range k.Alt {
			k.Alt[s] = append(k.Alt[s], part.of(three.Version(s))...)
		}
	}
	x.Parts = append(above, Part{Conflict: k})
}
