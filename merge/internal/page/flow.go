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

// flowText returns the text of a merged collection in flow style, according to m.Flow: the text of one side, that
// text with the merged entries in place of its own, or the merged entries with the separators of that side.
func (r *Renderer) flowText(m *plan.Value) (b []byte) {
	s := m.Flow.FormatFrom
	n := m.Nodes[s]
	if m.Flow.Style == plan.FlowCopied {
		return r.bytes(s, n.Content)
	}
	texts := make([][]byte, len(m.Children))
	for i, c := range m.Children {
		texts[i] = r.flowEntryText(c, m)
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
		if lead = next; i+1 < len(texts) || hasTrailingComma(n) {
			b = append(b, ',')
		}
	}
	return append(b, r.bytes(s, text.Span{Start: n.Tail.Start, End: n.Content.End})...)
}

// hasTrailingComma reports whether a comma follows the last entry of n.
func hasTrailingComma(n *syntax.Node) bool {
	return len(n.Entries) > 0 && n.Entries[len(n.Entries)-1].Comma
}

// flowEntryText returns the text of one merged or taken entry of m, without separators.
func (r *Renderer) flowEntryText(e plan.Entry, m *plan.Value) []byte {
	if c, merged := e.(*plan.MergedEntry); merged {
		val := r.flowValueText(c.Value)
		return append(r.flowKeyText(c, m, val), val...)
	}
	c := e.(*plan.TakenEntry)
	s := c.Side
	if m.Nodes[s].Style == syntax.Flow {
		return r.bytes(s, text.Span{Start: c.Entries[s].Start, End: c.Entries[s].Foot.Start})
	}
	return r.restyledEntry(s, c.Entries[s], m.Nodes[s])
}

// restyledEntry returns the text of an entry of the collection parent, rewritten from block to flow style or from flow to
// block style. The entry must have one line.
func (r *Renderer) restyledEntry(s three.Version, e *syntax.Entry, parent *syntax.Node) []byte {
	val := r.bytes(s, e.Value.Span)
	if e.Key == nil && parent.Style != syntax.Flow {
		return val
	}
	key := r.keyText(s, e, parent, parent.Style != syntax.Flow)
	if len(val) == 0 {
		return key
	}
	return slices.Concat(key, []byte(" "), val)
}

// flowKeyText returns the text before val, the value of a merged entry of m: its mapping key, and the blanks after
// the colon. It returns nil for a list item.
func (r *Renderer) flowKeyText(c *plan.MergedEntry, m *plan.Value, val []byte) []byte {
	if c.Entries[c.Key].Key == nil {
		return nil
	}
	key, gap := r.keyText(c.Key, c.Entries[c.Key], m.Nodes[c.Key], true), r.flowGap(c, m)
	switch {
	case len(val) == 0:
		gap = ""
	case gap == "" && !canAdjoinValue(key):
		gap = " "
	}
	return slices.Concat(key, []byte(gap))
}

// flowGap returns the bytes between colon and value of a merged entry of m: from updated if dest has those of the
// original, and from dest otherwise. A version is ignored if it has m in block style or the entry without a value. It
// returns "" if all versions are ignored.
func (r *Renderer) flowGap(c *plan.MergedEntry, m *plan.Value) string {
	gaps := map[three.Version]string{}
	for v, e := range c.Entries {
		if e != nil && m.Nodes[v].Style == syntax.Flow && !e.Value.Span.Empty() {
			gaps[three.Version(v)] = string(r.bytes(three.Version(v), text.Span{Start: e.Colon, End: e.Value.Span.Start}))
		}
	}
	dest, ok := gaps[three.Dest]
	updated, hasUpdated := gaps[three.Updated]
	if !ok || hasUpdated && dest == gaps[three.Original] {
		return updated
	}
	return dest
}

// canAdjoinValue reports whether a value can follow key and its colon without a blank in a flow mapping. It can if
// the key ends with a quote or a bracket.
//
//	{"a":1}   true
//	{a:1}     false: this is the key a:1
func canAdjoinValue(key []byte) bool {
	name := bytes.TrimRight(bytes.TrimSuffix(key, []byte(":")), " \t\r\n")
	return len(name) > 0 && bytes.ContainsAny(name[len(name)-1:], `"']}`)
}

// flowValueText returns the text of a merged value, with its anchor and tag.
func (r *Renderer) flowValueText(m *plan.Value) []byte {
	n := m.Nodes[m.FormatFrom]
	content := r.bytes(m.FormatFrom, n.Content)
	switch {
	case m.IsFlowText():
		content = r.flowText(m)
	case m.IsExpandedFlow():
		p := &Page{}
		r.writeExpandedFlow(m, [3]text.Move{}, p)
		content = p.Resolve(three.Dest)
	case m.Lines != nil:
		content = r.joinLines(m)
	}
	if m.PropertiesTextFrom() == m.FormatFrom {
		return append(bytes.Clone(r.bytes(m.FormatFrom, text.Span{Start: n.Span.Start, End: n.Content.Start})), content...)
	}
	if x := m.Nodes[m.PropertiesFrom]; x.HasProperties() {
		content = append([]byte(x.PropsText()+" "), content...)
	}
	return content
}

// An expandedWriter writes a merged flow collection with lines of its own for each entry. In its parts, commaMark is
// at each place where the comma of an entry is written.
type expandedWriter struct {
	*Renderer
	Page
	value  *plan.Value
	indent []byte
	moves  [3]text.Move // of the lines of each version to their place in the result
}

// commaMark is a NUL byte, which valid YAML does not contain.
var commaMark = []byte{0}

// writeExpandedFlow writes a merged expanded flow collection from its opening to its closing bracket, after the text
// that p already has on the line. outer are the moves of the lines around it.
func (r *Renderer) writeExpandedFlow(m *plan.Value, outer [3]text.Move, p *Page) {
	f := m.Flow.FormatFrom
	n := m.Nodes[f]
	entryIndent, closingIndent := n.ExpandedIndents(r.Files[f])
	x := &expandedWriter{Renderer: r, value: m, indent: outer[f].Indent(entryIndent)}
	closingIndent = outer[f].Indent(closingIndent)
	unit, _ := bytes.CutPrefix(x.indent, closingIndent)
	for s, n := range m.Nodes {
		if n != nil && len(n.Entries) > 0 {
			own, end := n.ExpandedIndents(r.Files[s])
			was, _ := bytes.CutPrefix(own, end)
			x.moves[s] = text.Move{From: own, To: x.indent, Unit: was, ToUnit: unit}
		}
	}
	p.addText(r.bytes(f, text.Span{Start: n.Content.Start, End: n.Entries[0].ExpandedLines(r.Files[f]).Start}))
	for _, c := range m.Children {
		x.writeEntry(c)
	}
	x.placeCommas()
	p.Parts = append(p.Parts, x.Parts...)
	r.writeTrivia(m.Tail, nil, len(x.indent), p)
	p.addText(append(closingIndent, r.bytes(f, text.Span{Start: n.Content.End - 1, End: n.Content.End})...))
}

// writeEntry writes one merged or taken entry, or a conflict.
func (x *expandedWriter) writeEntry(e plan.Entry) {
	switch c := e.(type) {
	case *plan.EntryConflict:
		var merged []byte
		if c.Both != nil {
			both := *x
			both.Page = Page{}
			both.writeEntry(c.Both)
			merged = both.cleanBytes()
		}
		x.writeEntryConflict(c, merged, len(x.indent), &x.Page, func(s three.Version, e *syntax.Entry) ([]byte, text.Span) {
			b, sp := x.entryLines(s, e, c.Around != nil)
			if s == three.Original && !e.Comma { // the base is written unchanged
				b, _ = removeLastMark(b)
			}
			return b, sp
		})
	case *plan.TakenEntry:
		b, _ := x.entryLines(c.Side, c.Entries[c.Side], false)
		x.addText(b)
	case *plan.MergedEntry:
		x.writeMerged(c)
	}
}

// writeMerged writes an entry with parts that merged one by one.
func (x *expandedWriter) writeMerged(c *plan.MergedEntry) {
	x.writeTrivia(c.Lead, c.Path, len(x.indent), &x.Page)
	line := func(s three.Version) []byte {
		val := x.moves[c.Value.FormatFrom].ApplyExceptFirst(x.flowValueText(c.Value))
		return slices.Concat(x.indent, x.flowKeyText(c, x.value, val), val, commaMark, x.textAfterComma(s, c.Entries[s]))
	}
	switch s := c.Comment.Side; {
	case c.Comment.Conflict:
		x.Add(newLineCommentConflict(c, line))
	case c.Value.IsExpandedFlow():
		x.addText(slices.Concat(x.indent, x.flowKeyText(c, x.value, lf), x.propertiesText(c.Value)))
		x.writeExpandedFlow(c.Value, x.moves, &x.Page)
		x.appendToLast(commaMark, x.textAfterComma(s, c.Entries[s]))
	default:
		x.addText(line(s))
	}
}

// entryLines returns the lines of an entry, moved to their column, and their span in version s. If withoutLead is
// set, the lines above the entry are left out.
func (x *expandedWriter) entryLines(s three.Version, e *syntax.Entry, withoutLead bool) ([]byte, text.Span) {
	sp := e.ExpandedLines(x.Files[s])
	if withoutLead {
		sp.Start = x.Files[s].LineStart(e.Start)
	}
	upTo := text.Span{Start: sp.Start, End: e.CommaOffset(x.Files[s])}
	return slices.Concat(x.moves[s].Apply(x.bytes(s, upTo)), commaMark, x.textAfterComma(s, e)), sp
}

// textAfterComma returns the text after the comma of an entry on its last line. It includes the line break.
func (x *expandedWriter) textAfterComma(s three.Version, e *syntax.Entry) []byte {
	at := e.CommaOffset(x.Files[s])
	if e.Comma {
		at++
	}
	return x.bytes(s, text.Span{Start: at, End: x.Files[s].LineEnd(e.Span.End)})
}

// placeCommas replaces the marks with commas. The last entry of either side gets a comma only if the merged format
// has one. If the sides end with different entries, the last lines of both are in one conflict.
func (x *expandedWriter) placeCommas() {
	if !x.hasTrailingComma() && len(x.Parts) > 0 {
		x.removeLastComma()
	}
	for i := range x.Parts {
		part := &x.Parts[i]
		if part.Conflict == nil {
			part.Text = bytes.ReplaceAll(part.Text, commaMark, comma)
			continue
		}
		for s, b := range part.Conflict.Texts {
			part.Conflict.Texts[s] = bytes.ReplaceAll(b, commaMark, comma)
		}
		if b := part.Conflict.BothEdits; b != nil {
			part.Conflict.BothEdits = bytes.ReplaceAll(b, commaMark, comma)
		}
	}
}

// hasTrailingComma reports whether a comma follows the last entry in the merged format.
func (x *expandedWriter) hasTrailingComma() bool {
	var comma [3]bool
	for s, n := range x.value.Nodes {
		comma[s] = n != nil && hasTrailingComma(n)
	}
	if o := x.value.Nodes[three.Original]; o == nil || len(o.Entries) == 0 {
		return comma[three.Dest]
	}
	return three.Form(comma[three.Original], comma[three.Dest], comma[three.Updated])
}

// removeLastComma removes the mark after the last entry of either side. If the sides end with different entries, it
// first joins the parts from the last entry that both sides share into one conflict.
func (x *expandedWriter) removeLastComma() {
	firstEnd, lastSharedEnd := -1, -1 // the first part that ends an entry of a side, and the last that ends one of both
	last := len(x.Parts) - 1
	for i, part := range x.Parts {
		d, u := bytes.Contains(part.textOf(three.Dest), commaMark), bytes.Contains(part.textOf(three.Updated), commaMark)
		if firstEnd < 0 && (d || u) {
			firstEnd = i
		}
		if d && u {
			lastSharedEnd = i
		}
	}
	if lastSharedEnd < last {
		x.joinConflicts(max(lastSharedEnd, firstEnd))
	}
	end := &x.Parts[len(x.Parts)-1]
	if end.Conflict == nil {
		end.Text, _ = removeLastMark(end.Text)
		return
	}
	if b := end.Conflict.BothEdits; b != nil {
		end.Conflict.BothEdits, _ = removeLastMark(b)
	}
	for _, s := range three.Sides {
		var afterComma int
		if end.Conflict.Texts[s], afterComma = removeLastMark(end.Conflict.Texts[s]); s == three.Dest && lastSharedEnd == last {
			end.Conflict.CommaFromEnd = &afterComma
		}
	}
}

// removeLastMark returns b without its last mark, and the number of bytes after that mark. It returns b and 0 if b
// has no mark.
func removeLastMark(b []byte) (without []byte, after int) {
	offset := bytes.LastIndex(b, commaMark)
	if offset < 0 {
		return b, 0
	}
	return slices.Concat(b[:offset], b[offset+1:]), len(b) - offset - 1
}

// joinConflicts replaces the parts from index from with one conflict. If the part at from is text, only its last line
// is included.
func (x *expandedWriter) joinConflicts(from int) {
	above, rest := x.Parts[:from:from], slices.Clone(x.Parts[from:])
	if t := rest[0].Text; rest[0].Conflict == nil {
		cut := 1 + bytes.LastIndexByte(t[:len(t)-1], '\n')
		above, rest[0].Text = append(above, Part{Text: t[:cut]}), t[cut:]
	}
	joined := &Conflict{}
	for _, part := range rest {
		if c := part.Conflict; c != nil {
			joined.Entry = c.Entry
			if joined.Kind != "" {
				joined.Entry = nil
			} else {
				joined.Kind, joined.Path, joined.Detail = c.Kind, c.Path, c.Detail
			}
			for s := range c.Spans {
				joined.Spans[s] = joinSpans(joined.Spans[s], c.Spans[s])
			}
		}
		for s := range joined.Texts {
			joined.Texts[s] = append(joined.Texts[s], part.textOf(three.Version(s))...)
		}
	}
	x.Parts = append(above, Part{Conflict: joined})
}
