package page

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// An entryWriter writes one merged entry of a block collection. The entry consists of its head, usually one line, with
// the key or dash, the comment, and a value that starts there; and of its body, the lines below: the entries of a block
// collection, or the lines of a block scalar.
type entryWriter struct {
	*Renderer
	entry       *plan.MergedEntry
	collections three.Nodes // the collection that contains the entry, in each version
	col         int         // the column of the key or dash in the result
}

// write adds the lines of a merged entry to p: the line of its key or dash, and the lines of its value below. The
// trivia above and below the entry are written by the caller. Conflicts within the value become parts of p. If the
// comment at the end of the first line is in conflict, this line becomes a conflict, too.
func (w entryWriter) write(p *Page) {
	c := w.entry
	if c.Value.IsExpandedFlow() {
		w.writeWithExpandedFlow(p)
		return
	}
	body := &Page{}
	w.writeBody(body)
	// a collection on the line of its dash (`- a: 1`) remains there if no comment is on that line
	if n := c.Value.Nodes[c.Value.FormatFrom]; n.IsCompact() && len(w.lineComment(c.Comment.Side).bytes) == 0 {
		extendEmptySide(body)
		if col := w.childColumn(); startsWithEntries(body, col) {
			joinDash(body, w.keyOnLine(), col)
			p.Parts = append(p.Parts, body.Parts...)
			return
		}
	}
	if c.Comment.Conflict {
		p.Add(newLineCommentConflict(c, w.head))
	} else {
		p.addText(w.head(c.Comment.Side))
	}
	p.Parts = append(p.Parts, body.Parts...)
}

// writeWithExpandedFlow adds the lines of the entry to p if its value is a flow collection with lines of its own for
// each entry (see writeExpandedFlow). The comment after the value must not be in conflict.
func (w entryWriter) writeWithExpandedFlow(p *Page) {
	m := w.entry.Value
	p.addText(concat(w.keyOnLine(), w.gapBeforeValue(), w.propertiesText(m)))
	w.writeExpandedFlow(m, toColumn(w.collections[m.FormatFrom], w.col), p)
	p.appendToLast(w.lineEnd(w.entry.Comment.Side))
}

// head returns the lines of the entry above its body, with the line break: usually one line. commentSide is the version
// whose comment is at the end.
//
//	a: |2- # x    a block scalar, without its lines
//	a: &x # x     a block collection, without its entries
//	a: {} # x     a block collection of which no entry remains
//	a: 1 # x      any other value as a whole
//
// If w.entry.Head names a version, everything after the key is copied from there, and commentSide is ignored.
func (w entryWriter) head(commentSide three.Version) sourcedText {
	line := w.keyOnLine()
	// everything after the key, with the comment, is copied from one version
	if s, ok := w.entry.Head.Get(); ok {
		e := w.entry.Entries[s]
		rest := w.text(s, text.Span{Start: e.Colon, End: e.HeadEnd})
		return concat(line, rest.moveExceptFirst(toColumn(w.collections[s], w.col)))
	}
	value := concat(w.propertiesText(w.entry.Value), w.contentInHead())
	if len(value.bytes) > 0 {
		line = concat(line, w.gapBeforeValue(), value)
	}
	return concat(line.trimRight(), w.lineEnd(commentSide))
}

// keyOnLine returns the indentation of the entry, and its mapping key with the colon, or its dash.
func (w entryWriter) keyOnLine() sourcedText {
	s := w.entry.Key
	key := w.keyText(s, w.entry.Entries[s], w.collections[s], false)
	return concat(spaces(w.col), key.moveExceptFirst(toColumn(w.collections[s], w.col)))
}

// gapBeforeValue returns the blanks between the colon or dash and the value. They are those of the side that changed
// them, so that aligned columns remain aligned:
//
//	base         ours       theirs       result
//	a:    1      a: 1       a:    2      a: 2
//
// If this side has none, or if they contain a line break after which the merged value does not fit, they are those of
// the version that gives the value its format, or one blank.
func (w entryWriter) gapBeforeValue() sourcedText {
	var gaps [3]sourcedText
	for s, e := range w.entry.Entries {
		// a block collection without properties begins on the next line, so it has no gap
		if e != nil && (e.Value.Style != syntax.Block || e.Value.HasProperties()) {
			gaps[s] = w.text(three.Version(s), text.Span{Start: e.Colon, End: max(e.Value.Span.Start, e.Colon)})
		}
	}
	side := formatSide(gaps)
	hasLineBreak := bytes.ContainsAny(gaps[side].bytes, "\n\r")
	switch valueSide := w.entry.Value.FormatFrom; {
	case len(gaps[side].bytes) > 0 && (!hasLineBreak || w.canFollowLineBreak(side)):
		return gaps[side]
	case len(gaps[valueSide].bytes) > 0:
		return gaps[valueSide]
	}
	return punctuation(" ")
}

// canFollowLineBreak reports whether the value can be on the line after its key, as in version s: it has one line, and
// the entry is at the same column in s.
func (w entryWriter) canFollowLineBreak(s three.Version) bool {
	m := w.entry.Value
	isOneLine := m.Lines == nil && !bytes.Contains(w.Files[m.FormatFrom].Slice(m.Nodes[m.FormatFrom].Content), lf)
	return isOneLine && w.collections[s] != nil && w.collections[s].Indent == w.col
}

// contentInHead returns the text of the value that head writes, without anchor and tag:
//
//	a: |2-     "|2-", of a block scalar
//	a: &x      "", of a block collection
//	a: {}      "{}", or "[]", of a block collection of which no entry remains
//	a: "1"     any other value as a whole
//
// The value must not be a flow collection with lines of its own for each entry.
func (w entryWriter) contentInHead() sourcedText {
	m := w.entry.Value
	n := m.Nodes[m.FormatFrom]
	var t sourcedText
	switch {
	case m.IsEmptyBlock():
		return writtenText(three.EmptyCollection, []byte(emptyFlow(n)))
	case n.Style == syntax.Block:
		return t
	case n.IsBlockScalar():
		return w.text(m.FormatFrom, n.BlockHeader(w.Files[m.FormatFrom]))
	case m.IsFlowText():
		t = w.flowText(m)
	case m.Lines != nil:
		t = w.joinLines(m)
	default:
		t = w.text(m.FormatFrom, n.Content)
	}
	return t.moveExceptFirst(toColumn(w.collections[m.FormatFrom], w.col))
}

// lineEnd returns the text after the value on its line: blanks, a comment and the line break. commentSide is the
// version from which the comment is copied; it may have none. If several versions have the same comment, the blanks
// before it are those of the side that changed them.
func (w entryWriter) lineEnd(commentSide three.Version) sourcedText {
	comment := w.lineComment(commentSide)
	var ends [3]sourcedText // of the versions with an equal comment; without bytes for others
	for s, e := range w.entry.Entries {
		isEqual := bytes.Equal(bytes.TrimSpace(w.lineComment(three.Version(s)).bytes), bytes.TrimSpace(comment.bytes))
		if e != nil && w.collections[s].Style != syntax.Flow && isEqual { // in flow style, a comma can follow
			ends[s] = w.ownLineEnd(three.Version(s), e)
		}
	}
	if end := ends[formatSide(ends)]; end.bytes != nil {
		return end
	}
	return concat(comment, writtenText(three.LineBreak, w.LineBreak)) // the chosen version has another comment or no line feed
}

// lineComment returns the comment of version s on the line of the entry, with the blanks before it, such as " # why".
// It is empty if s lacks the entry, or has no comment there.
func (w entryWriter) lineComment(s three.Version) sourcedText {
	e := w.entry.Entries[s]
	if e == nil || e.Comment.Empty() {
		return sourcedText{}
	}
	before := w.Files[s].Slice(text.Span{End: e.Comment.Start})
	return w.text(s, text.Span{Start: len(bytes.TrimRight(before, " \t")), End: e.Comment.End})
}

// ownLineEnd returns the text after the value of e on its line in version s, with the line feed. It is empty if the
// line has no line feed, or if the value is a block collection that starts on this line.
//
//	a: 1 # x          " # x\n"
//	a: {b: 1} # x     " # x\n"
//	- - x             ""
func (r *Renderer) ownLineEnd(s three.Version, e *syntax.Entry) sourcedText {
	start := r.headContentEnd(s, e)
	end := min(r.Files[s].LineEnd(start), e.HeadEnd)
	if end <= start || r.Files[s].Bytes()[end-1] != '\n' {
		return sourcedText{}
	}
	return r.text(s, text.Span{Start: start, End: end})
}

// headContentEnd returns where the content of the first line of the entry e ends: the offset in the file of version s
// after which only blanks, a comment and the line break follow. It is after "a: 1", or after "a: |2-" and "a: &x" if
// the value is on the lines below.
func (r *Renderer) headContentEnd(s three.Version, e *syntax.Entry) int {
	n := e.Value
	switch {
	case n.IsBlockScalar():
		// a: |2-
		return n.BlockHeader(r.Files[s]).End
	case n.Style != syntax.Block:
		// a: 1
		return max(n.Span.End, e.Colon)
	case n.HasProperties():
		// a: &x !t, before a block collection
		return n.PropsEnd(r.Files[s])
	}
	// a:
	return e.Colon
}

// childColumn returns the column in the result of the entries of the value, a block collection, or of the lines of a
// block scalar. Their indentation relative to the entry is that of the version whose format the value has.
func (w entryWriter) childColumn() int {
	m := w.entry.Value
	return w.col + m.Nodes[m.FormatFrom].Indent - max(w.collections[m.FormatFrom].Indent, 0)
}

// writeBody adds the lines after the head of the entry to p: the entries of a block collection, or the lines of a block
// scalar. All of them are indented, even the first line of a collection that starts after its dash (`- a: 1`).
func (w entryWriter) writeBody(p *Page) {
	m := w.entry.Value
	n := m.Nodes[m.FormatFrom]
	switch {
	case m.Merged && n.Style == syntax.Block:
		w.writeEntries(m, w.childColumn(), p)
	case m.Lines != nil && n.IsBlockScalar():
		w.writeTextLines(p)
	case n.Style == syntax.Block || n.IsBlockScalar():
		p.addText(w.copyBody())
	}
}

// copyBody returns the lines below the head of the entry, with the indentation that they have in the result. The value
// is copied as a whole from one version, its FormatFrom. It must be a block collection or a block scalar.
func (w entryWriter) copyBody() sourcedText {
	m := w.entry.Value
	n, e, collection := m.Nodes[m.FormatFrom], w.entry.Entries[m.FormatFrom], w.collections[m.FormatFrom]
	delta := w.col - collection.Indent // of the entry, from its version to the result
	mover := &blockMover{r: w.Renderer, s: m.FormatFrom, next: e.HeadEnd, end: e.Foot.Start}
	switch {
	case n.IsBlockScalar():
		mover.next = n.Lines.Start // its HeadEnd is after the lines
	case n.IsCompact():
		mover.out = spaces(n.Indent + delta) // its HeadEnd is after the dash, so the first line lacks an indentation
	}
	mover.writeBlockValue(e, collection, delta)
	return mover.out
}

// writeTextLines adds the lines of a block scalar that the plan merged line by line (Value.Lines) to p, without its
// header. Lines that both sides changed differently become conflicts of the kind plan.ConflictText.
func (w entryWriter) writeTextLines(p *Page) {
	m, col := w.entry.Value, w.childColumn()
	for _, l := range m.Lines {
		if l.Conflict == nil {
			p.addText(w.text(l.Side, l.Span).move(toColumn(m.Nodes[l.Side], col)))
			continue
		}
		conflict := &Conflict{Kind: plan.ConflictText, Path: w.entry.Path, Entry: w.entry, Spans: *l.Conflict}
		for s, sp := range l.Conflict {
			if m.Nodes[s] != nil {
				conflict.set(s, w.text(three.Version(s), sp).move(toColumn(m.Nodes[s], col)))
			}
		}
		p.Add(conflict)
	}
}

// startsWithEntries reports whether body starts with an entry at column col in both sides, so that a dash can be
// written before the entry.
func startsWithEntries(body *Page, col int) bool {
	return len(body.Parts) > 0 && startsWithEntry(body.Parts[0].textIn(three.Dest).bytes, col) &&
		startsWithEntry(body.Parts[0].textIn(three.Updated).bytes, col)
}

// startsWithEntry reports whether the first line of b starts at column col, with neither a comment nor a line break.
func startsWithEntry(b []byte, col int) bool {
	indent := len(b) - len(bytes.TrimLeft(b, " "))
	return indent == col && len(b) > col && bytes.IndexByte([]byte("#\r\n"), b[col]) < 0
}

// joinDash writes dash, with its indentation, in place of the indentation of the first entry of body, which is at
// column col. A conflict there gets it in each version that has an entry.
//
//	dash      body        new body
//	-           a: 1      - a: 1
//	            b: 1        b: 1
func joinDash(body *Page, dash sourcedText, col int) {
	start := concat(dash, spaces(col-len(lastLine(dash.bytes))))
	join := func(t sourcedText) sourcedText {
		return concat(start, t.from(len(t.bytes)-len(bytes.TrimLeft(t.bytes, " "))))
	}
	first := &body.Parts[0]
	if first.Conflict == nil {
		first.set(join(first.sourcedText()))
		return
	}
	for s, b := range first.Conflict.Texts {
		if len(b) > 0 { // the original may be empty
			first.Conflict.set(s, join(first.Conflict.sourcedText(s)))
		}
	}
}

// extendEmptySide prepares body, the entries of a list item, so that the dash can be written before the first entry in
// each side. If body starts with a conflict that is empty in a side, the first line of the text after it moves into the
// conflict:
//
//	conflict "a: 1\n" | "", text "b: 1\nc: 1\n"    becomes    "a: 1\nb: 1\n" | "b: 1\n", text "c: 1\n"
//
// Otherwise, or if no text follows directly, nothing changes.
func extendEmptySide(body *Page) {
	if len(body.Parts) < 2 || body.Parts[0].Conflict == nil || body.Parts[1].Conflict != nil {
		return
	}
	c := body.Parts[0].Conflict
	if len(c.Texts[three.Dest]) > 0 && len(c.Texts[three.Updated]) > 0 {
		return
	}
	t := body.Parts[1].sourcedText()
	line, rest := t.cut(bytes.IndexByte(t.bytes, '\n') + 1)
	for s := range c.Texts {
		if s != int(three.Original) || len(c.Texts[s]) > 0 {
			c.set(s, concat(c.sourcedText(s), line))
		}
	}
	body.Parts[1].set(rest)
}

// formatSide returns the side from which text is copied if a conflict over it is not worth it, such as the blanks
// before a value. texts has the text in each version; a missing text counts as an empty one. It is updated if dest has
// the text of the original, and otherwise dest.
func formatSide(texts [3]sourcedText) three.Version {
	if bytes.Equal(texts[three.Original].bytes, texts[three.Dest].bytes) {
		return three.Updated
	}
	return three.Dest
}
