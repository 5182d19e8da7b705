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

// flowText returns the text of the merged flow collection m, from bracket to bracket. Its blanks and line breaks are
// those of the version m.FormatFrom. The comments between the entries remain if the collection has exactly the entries
// of this version (m.Flow is FlowSpliced or FlowCopied).
func (r *Renderer) flowText(m *plan.Value) (b sourcedText) {
	s := m.FormatFrom
	n := m.Nodes[s]
	if m.Flow == plan.FlowCopied {
		return r.text(s, n.Content)
	}
	if m.Flow == plan.FlowSpliced { // each merged entry replaces an entry of s, and all between them is kept
		done := n.Content.Start
		for i, e := range n.Entries {
			b.append(r.text(s, text.Span{Start: done, End: e.Start}))
			b.append(r.flowEntryText(m.Children[i], m))
			done = e.Foot.Start
		}
		b.append(r.text(s, text.Span{Start: done, End: n.Content.End}))
		return b
	}
	return r.rebuiltFlowText(m)
}

// rebuiltFlowText returns the text of a merged flow collection, from bracket to bracket, if it has other entries than
// the version m.FormatFrom. The blanks, the line breaks and a trailing comma are those of this version:
//
//	version m.FormatFrom     result with the entries a, b and c
//	[ a,  b ]                [ a,  b,  c ]
//	[ a ]                    [ a, b, c ]
func (r *Renderer) rebuiltFlowText(m *plan.Value) (b sourcedText) {
	s := m.FormatFrom
	n := m.Nodes[s]
	first, other := sourcedText{}, punctuation(" ") // what is before the first entry, and before each other one
	if len(n.Entries) > 0 {
		first = r.text(s, n.Entries[0].Lead)
	}
	switch {
	case len(n.Entries) > 1:
		other = r.text(s, n.Entries[1].Lead)
	case bytes.ContainsAny(first.bytes, "\n"): // each entry is on a line of its own
		other = first
	}
	b.append(r.text(s, text.Span{Start: n.Content.Start, End: n.Content.Start + 1}))
	for i, c := range m.Children {
		if i == 0 {
			b.append(first)
		} else {
			b.append(other)
		}
		b.append(r.flowEntryText(c, m))
		if i+1 < len(m.Children) || hasTrailingComma(n) {
			b.append(punctuation(","))
		}
	}
	b.append(r.text(s, text.Span{Start: n.Tail.Start, End: n.Content.End}))
	return b
}

// hasTrailingComma reports whether a comma follows the last entry of n.
func hasTrailingComma(n *syntax.Node) bool {
	return len(n.Entries) > 0 && n.Entries[len(n.Entries)-1].Comma
}

// flowEntryText returns the text of e, one of the entries of the merged collection m, in flow style: key and value,
// without comma, and without the blanks and comments around it. It panics if e is neither a *plan.TakenEntry nor a
// *plan.MergedEntry.
func (r *Renderer) flowEntryText(e plan.Entry, m *plan.Value) sourcedText {
	if c, merged := e.(*plan.MergedEntry); merged {
		val := r.flowValueText(c.Value)
		return concat(r.flowKeyText(c, m, val.bytes), val)
	}
	c := e.(*plan.TakenEntry)
	s := c.Side
	if m.Nodes[s].Style == syntax.Flow {
		return r.text(s, text.Span{Start: c.Entries[s].Start, End: c.Entries[s].Foot.Start})
	}
	return r.restyledEntry(s, c.Entries[s], m.Nodes[s])
}

// restyledEntry returns the text of an entry of the collection parent in the other style, flow or block, without
// comments, commas and the line break. The entry must have one line.
//
//	parent    entry     result
//	block     - a       a
//	flow      a         - a
//	either    a:  1     a: 1
func (r *Renderer) restyledEntry(s three.Version, e *syntax.Entry, parent *syntax.Node) sourcedText {
	val := r.text(s, e.Value.Span)
	if e.Key == nil && parent.Style != syntax.Flow {
		return val
	}
	return concat(r.keyText(s, e, parent, parent.Style != syntax.Flow), punctuation(" "), val).trimRight()
}

// flowKeyText returns the text before the value of c, a merged entry of the flow collection m: the mapping key, the
// colon if there is one, and the blanks before the value. It is empty for a list item. val is the text of the value; if
// it is empty, no blanks follow the colon.
func (r *Renderer) flowKeyText(c *plan.MergedEntry, m *plan.Value, val []byte) sourcedText {
	if c.Entries[c.Key].Key == nil {
		return sourcedText{}
	}
	key := r.keyText(c.Key, c.Entries[c.Key], m.Nodes[c.Key], true)
	if len(val) == 0 {
		return key
	}
	return concat(key, r.flowGap(c, m))
}

// flowGap returns the bytes between the colon and the value of c, an entry of the merged flow collection m: usually a
// blank, but none in {"a":1}. They are those of the side that changed them. If this side has none, because the value is
// empty or not in a flow collection there, they are copied from a side that has some, or are a blank.
func (r *Renderer) flowGap(c *plan.MergedEntry, m *plan.Value) sourcedText {
	var gaps [3]sourcedText
	for v, e := range c.Entries {
		if e != nil && m.Nodes[v].Style == syntax.Flow && !e.Value.Span.Empty() {
			gaps[v] = r.text(three.Version(v), text.Span{Start: e.Colon, End: e.Value.Span.Start})
		}
	}
	for _, s := range [3]three.Version{formatSide(gaps), three.Dest, three.Updated} {
		if gaps[s].bytes != nil {
			return gaps[s]
		}
	}
	return punctuation(" ")
}

// flowValueText returns the text of a merged or copied value in a flow collection, with its anchor and tag. The value
// is a scalar, an alias or a flow collection, which may have lines of its own for each entry. It must not contain a
// conflict: only the text of dest would remain.
func (r *Renderer) flowValueText(m *plan.Value) sourcedText {
	content := r.text(m.FormatFrom, m.Nodes[m.FormatFrom].Content)
	switch {
	case m.IsFlowText():
		content = r.flowText(m)
	case m.IsExpandedFlow():
		p := &Page{}
		r.writeExpandedFlow(m, text.Move{}, p)
		content = sourcedText{p.Resolve(three.Dest), p.SourcesOf(three.Dest)}
	case m.Lines != nil:
		content = r.joinLines(m)
	}
	return concat(r.propertiesText(m), content)
}

// An expandedWriter writes a merged flow collection that has lines of its own for each entry. It writes a
// commaPlaceholder after each entry, because only after the last one is it known which entries get a comma.
type expandedWriter struct {
	*Renderer
	Page
	value         *plan.Value
	indent        []byte       // of the entries in the result
	closingIndent []byte       // of the line with the closing bracket
	moves         [3]text.Move // the change of indentation of the lines that are copied from each version
}

// commaPlaceholder is written in place of the comma of each entry. It is a NUL byte, which valid YAML does not
// contain.
var commaPlaceholder = []byte{0}

// placeholder returns a commaPlaceholder. The comma in its place is written by the merge.
func placeholder() sourcedText { return writtenText(three.Punctuation, commaPlaceholder) }

// writeExpandedFlow adds a merged flow collection with lines of its own for each entry to p, from bracket to bracket:
//
//	[
//	  a,   # comment
//	  b
//	]
//
// Entries in conflict become conflicts of p. outer is the change of indentation of the line with the opening bracket,
// from the version m.FormatFrom to the result. This version must have an entry.
func (r *Renderer) writeExpandedFlow(m *plan.Value, outer text.Move, p *Page) {
	f := m.FormatFrom
	n := m.Nodes[f]
	x := r.newExpandedWriter(m, outer)
	openingLine := text.Span{Start: n.Content.Start, End: n.Entries[0].ExpandedLines(r.Files[f]).Start}
	p.addText(r.text(f, openingLine))
	for _, c := range m.Children {
		x.writeEntry(c)
	}
	x.placeCommas()
	p.Parts = append(p.Parts, x.Parts...)
	p.writeTrivia(m.Tail, nil, len(x.indent))
	bracket := r.text(f, text.Span{Start: n.Content.End - 1, End: n.Content.End})
	p.addText(concat(writtenText(three.Indent, x.closingIndent), bracket))
}

// newExpandedWriter returns a writer of the entries of m, a flow collection with lines of its own for each entry. It
// computes the indentation of their lines. An entry is indented as in the version m.FormatFrom; outer is the change of
// indentation of the lines around the collection. A line that is indented by some levels more than its entry keeps the
// number of levels. One level is the width by which entries are indented more than the closing bracket.
func (r *Renderer) newExpandedWriter(m *plan.Value, outer text.Move) *expandedWriter {
	entryIndent, closingIndent := m.Nodes[m.FormatFrom].ExpandedIndents(r.Files[m.FormatFrom])
	x := &expandedWriter{Renderer: r, value: m, indent: outer.Indent(entryIndent), closingIndent: outer.Indent(closingIndent)}
	level, _ := bytes.CutPrefix(x.indent, x.closingIndent)
	for s, n := range m.Nodes {
		if n == nil || len(n.Entries) == 0 {
			continue
		}
		ownIndent, ownClosing := n.ExpandedIndents(r.Files[s])
		ownLevel, _ := bytes.CutPrefix(ownIndent, ownClosing)
		x.moves[s] = text.Move{From: ownIndent, To: x.indent, Unit: ownLevel, ToUnit: level}
	}
	return x
}

// writeEntry adds the lines of one entry to x.Parts: a conflict, an entry that is copied from one version, or a merged
// entry, which can contain conflicts. A commaPlaceholder is where placeCommas may write a comma later.
func (x *expandedWriter) writeEntry(e plan.Entry) {
	switch c := e.(type) {
	case *plan.EntryConflict:
		conflict := newEntryConflict(c, func(s three.Version, e *syntax.Entry) (sourcedText, text.Span) {
			t, lines := x.entryLines(s, e, c.Around != nil)
			if s == three.Original && !e.Comma { // the base is written unchanged
				t = removeLastPlaceholder(t)
			}
			return t, lines
		})
		if c.Both != nil {
			both := *x
			both.Page = Page{} // of its own
			both.writeEntry(c.Both)
			conflict.BothEdits = both.cleanBytes()
		}
		x.writeAround(conflict, c, len(x.indent))
	case *plan.TakenEntry:
		b, _ := x.entryLines(c.Side, c.Entries[c.Side], false)
		x.addText(b)
	case *plan.MergedEntry:
		x.writeMerged(c)
	}
}

// writeMerged adds the lines of the merged entry c to x.Parts, with a commaPlaceholder after the value. If both sides
// changed the comment at the end differently, the line becomes a conflict. Comments above, and entries of the value,
// can contain other conflicts.
func (x *expandedWriter) writeMerged(c *plan.MergedEntry) {
	x.writeTrivia(c.Lead, c.Path, len(x.indent))
	indent := writtenText(three.Indent, x.indent)
	line := func(s three.Version) sourcedText { // the whole line, with the comment of s
		val := x.flowValueText(c.Value).moveExceptFirst(x.moves[c.Value.FormatFrom])
		return concat(indent, x.flowKeyText(c, x.value, val.bytes), val, placeholder(), x.textAfterComma(s, c.Entries[s]))
	}
	switch s := c.Comment.Side; {
	case c.Comment.Conflict: // both sides changed the comment differently
		x.Add(newLineCommentConflict(c, line))
	case c.Value.IsExpandedFlow(): // a line for each entry of the value
		x.addText(concat(indent, x.flowKeyText(c, x.value, lf), x.propertiesText(c.Value)))
		x.writeExpandedFlow(c.Value, x.moves[c.Value.FormatFrom], &x.Page)
		x.appendToLast(concat(placeholder(), x.textAfterComma(s, c.Entries[s])))
	default:
		x.addText(line(s))
	}
}

// entryLines returns the lines of the entry e of version s, indented as in the result, and their span in the file of s.
// They are the comments above the entry, unless withoutLead is set, and the entry with the comment at its end:
//
//	# above
//	a: 1,   # at the end
//
// In place of the comma, they have a commaPlaceholder, even if e has no comma in s: after all entries are written,
// placeCommas writes a comma there, or nothing.
func (x *expandedWriter) entryLines(s three.Version, e *syntax.Entry, withoutLead bool) (sourcedText, text.Span) {
	sp := e.ExpandedLines(x.Files[s])
	if withoutLead {
		sp.Start = x.Files[s].LineStart(e.Start)
	}
	upTo := text.Span{Start: sp.Start, End: e.CommaOffset(x.Files[s])}
	return concat(x.text(s, upTo).move(x.moves[s]), placeholder(), x.textAfterComma(s, e)), sp
}

// textAfterComma returns the text between the comma of the entry e and the end of its line in version s: blanks, a
// comment, and the line break. If e has no comma, it returns the text after the value. No other entry is on the line.
func (x *expandedWriter) textAfterComma(s three.Version, e *syntax.Entry) sourcedText {
	at := e.CommaOffset(x.Files[s])
	if e.Comma {
		at++
	}
	return x.text(s, text.Span{Start: at, End: x.Files[s].LineEnd(e.Span.End)})
}

// placeCommas replaces each commaPlaceholder in x.Parts with a comma, after all entries were written. If the result has
// no trailing comma, the placeholder after the last entry is removed first (see removeLastComma). x.Parts may be empty.
func (x *expandedWriter) placeCommas() {
	if !x.needsTrailingComma() && len(x.Parts) > 0 {
		x.removeLastComma()
	}
	place := func(b *[]byte) { *b = bytes.ReplaceAll(*b, commaPlaceholder, comma) }
	for i := range x.Parts {
		place(&x.Parts[i].Text) // empty for a conflict
		if c := x.Parts[i].Conflict; c != nil {
			for s := range c.Texts {
				place(&c.Texts[s])
			}
			place(&c.BothEdits)
			place(&c.BothSides)
		}
	}
}

// needsTrailingComma reports whether the result has a comma after the last entry: as in updated if dest did not change
// this, and as in dest otherwise. A version without entries counts as one without this comma.
func (x *expandedWriter) needsTrailingComma() bool {
	var comma [3]bool
	for s, n := range x.value.Nodes {
		comma[s] = n != nil && hasTrailingComma(n)
	}
	return three.Form(comma[three.Original], comma[three.Dest], comma[three.Updated])
}

// removeLastComma removes the placeholder after the last entry, because the result has no trailing comma. In a
// conflict, it does so in each side, and sets BothSides if the entries of both sides then need a comma between them. If
// only one side has entries at the end, the entry before them needs a comma in that side only. All parts from this
// entry on are therefore joined to one conflict first. x.Parts must not be empty.
//
//	ours     theirs
//	a,       a        a needs a comma in one side only
//	b
func (x *expandedWriter) removeLastComma() {
	lastShared := x.lastEndOfBoth()
	bothEndLast := lastShared == len(x.Parts)-1 // no part follows that ends an entry of one side only
	if start := max(lastShared, 0); start < len(x.Parts)-1 {
		x.joinConflicts(start)
	}
	end := &x.Parts[len(x.Parts)-1]
	c := end.Conflict
	if c == nil {
		end.set(removeLastPlaceholder(end.sourcedText()))
		return
	}
	ours, theirs := c.sourcedText(int(three.Dest)), removeLastPlaceholder(c.sourcedText(int(three.Updated)))
	if bothEndLast {
		c.BothSides = slices.Concat(ours.bytes, theirs.bytes) // the placeholder after ours remains
	}
	if c.BothEdits != nil { // the merged text of both sides has the same last entry
		c.BothEdits = removeLastPlaceholder(sourcedText{bytes: c.BothEdits}).bytes
	}
	c.set(int(three.Dest), removeLastPlaceholder(ours))
	c.set(int(three.Updated), theirs)
}

// lastEndOfBoth returns the index of the last of x.Parts in which an entry ends in both sides, or -1 if there is none.
// An entry ends at its commaPlaceholder.
func (x *expandedWriter) lastEndOfBoth() int {
	for i, part := range slices.Backward(x.Parts) {
		if bytes.Contains(part.textIn(three.Dest).bytes, commaPlaceholder) && bytes.Contains(part.textIn(three.Updated).bytes, commaPlaceholder) {
			return i
		}
	}
	return -1
}

// removeLastPlaceholder returns b without the last commaPlaceholder in it, or b itself if it has none. b is not
// changed.
func removeLastPlaceholder(b sourcedText) sourcedText {
	offset := bytes.LastIndex(b.bytes, commaPlaceholder)
	if offset < 0 {
		return b
	}
	return concat(b.upTo(offset), b.from(offset+1))
}

// joinConflicts replaces x.Parts[start:] with one conflict. There must be a conflict among these parts; the first one
// gives its kind, path and detail. If the first part is text, only the last line of this part is included. BothEdits
// are lost.
func (x *expandedWriter) joinConflicts(start int) {
	rest := &Page{Parts: slices.Clone(x.Parts[start:])}
	x.Parts = x.Parts[:start]
	if first := &rest.Parts[0]; first.Conflict == nil {
		lines := bytes.TrimSuffix(first.Text, lf)
		above, lastLine := first.sourcedText().cut(bytes.LastIndexByte(lines, '\n') + 1)
		x.addText(above)
		first.set(lastLine)
	}
	conflicts := rest.Conflicts()
	first := conflicts[0]
	joined := &Conflict{Kind: first.Kind, Path: first.Path, Detail: first.Detail}
	if len(conflicts) == 1 {
		joined.Entry = first.Entry
	}
	for s := range joined.Texts {
		joined.set(s, sourcedText{rest.Resolve(three.Version(s)), rest.SourcesOf(three.Version(s))})
		for _, c := range conflicts {
			joined.Spans[s] = joinSpans(joined.Spans[s], c.Spans[s])
		}
	}
	x.Add(joined)
}
