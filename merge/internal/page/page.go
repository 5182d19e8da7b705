// Package page writes a plan as the merged file. The result is a Page: a list of parts, each of them text or a
// conflict with its three versions. A page can be written with markers around the conflicts (Renderer.Write), or with
// one side chosen in every conflict (Page.Resolve). The package can also find the conflicts of a page in a file that
// was edited later (Renderer.Find), and apply decisions to them (Page.Decide).
//
// All text is copied from the inputs. The package moves it to its column and adds separators, but it decides nothing
// about values. For example, a plan in which a is copied from dest and b is in conflict gives a page of two parts:
//
//	a: 2      text
//	b: 1      conflict with the texts "b: 1\n", "b: 2\n" and "b: 3\n"
//
// Terms in the comments of this package:
//
//   - version: original, dest or updated, or base, ours and theirs in the words of the user. A side is dest or updated.
//   - merged entry or value: one whose parts the plan merges one by one. Others are copied from one side as a whole, or
//     in conflict.
//   - FormatFrom: the version from which a merged value gets its style, indentation, blanks and commas.
//   - sourcedText: text, with the source of each piece: a place in a version, or that it was written by the merge.
//   - head and body: the first line of an entry, with its key or dash; and the lines of its value below.
//   - expanded: said of a flow collection in which each entry, and the closing bracket, is on a line of its own.
//   - placeholder: a byte in place of a comma that is written later, when it is known whether an entry follows.
//   - move: a change of indentation of copied lines, because they have another column in the result.
//   - hunk: a part of a conflict: lines between conflict markers or, if Same is set, shared lines without markers.
//   - verdict: what replaces a conflict, and who decided it. A Judge returns the verdict of a conflict.
package page

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Part is a piece of the merged file: a conflict if Conflict is not nil, and text otherwise. Sources are the sources of
// the bytes of Text.
type Part struct {
	Text     []byte
	Sources  []three.Piece
	Conflict *Conflict
}

// Conflict is a conflict in the merged file. Texts are the whole lines of each version, as they are written in the
// result.
type Conflict struct {
	Texts   [3][]byte
	Sources [3][]three.Piece // of the bytes of Texts
	Kind    plan.ConflictKind
	Path    *three.Path
	Spans   [3]text.Span // the places of the versions in the inputs
	Entry   plan.Entry   // the entry in conflict; nil if there is not exactly one
	// ItemStarts are set if both sides added list items: for each version, the lines of Texts, from 0, at which an item
	// starts, and the number of lines. Markers are written at these lines if possible. It is nil for all other
	// conflicts.
	ItemStarts [3][]int
	// BothSides is the text of ours followed by that of theirs, if they need a comma between them. Otherwise it is nil.
	BothSides []byte
	// Detail describes the conflict if Kind is not specific enough: fields that must not be combined from two sides.
	Detail string
	// Undecided is why a policy of the team's rules did not decide the conflict, if the user has to know.
	Undecided string
	// BothEdits is the text with the edits of both sides, if they are in conflict only because of their combined
	// meaning (plan.ConflictAccess). Otherwise it is nil.
	BothEdits []byte
	// LineMerge is the conflict as git marks it, by marker style, if it is a conflict of the line merge.
	LineMerge *[3]diff3.MarkedText
}

// WholeFileConflict returns a conflict of the kind plan.ConflictRefused that covers the whole file. A version may be
// nil. The texts are not copied.
func WholeFileConflict(versions [3][]byte) *Conflict {
	c := &Conflict{Kind: plan.ConflictRefused}
	for s, b := range versions {
		c.Texts[s], c.Spans[s] = b, text.Span{End: len(b)}
		c.Sources[s] = three.AppendPieces(nil, three.Piece{Len: len(b), Version: three.Version(s)})
	}
	return c
}

// Page is the merged file as a list of parts, each of them text or a conflict.
type Page struct {
	Parts []Part
	// LineMergeChunks are the chunks of lines of a line merge. It is nil for all other pages.
	LineMergeChunks []diff3.Chunk
}

// addText appends t as a part with text to the page. It does nothing if t is empty. t is not copied.
func (p *Page) addText(t sourcedText) {
	if len(t.bytes) > 0 {
		p.Parts = append(p.Parts, Part{Text: t.bytes, Sources: t.pieces})
	}
}

// appendToLast appends t to the last part of the page, which must be text.
func (p *Page) appendToLast(t sourcedText) {
	last := &p.Parts[len(p.Parts)-1]
	last.set(concat(last.sourcedText(), t))
}

// Add appends the conflict m as a part to the page.
func (p *Page) Add(m *Conflict) { p.Parts = append(p.Parts, Part{Conflict: m}) }

// ResolveIdentical replaces each conflict of p that has the same text in both sides with this text. The base does not
// matter. Conflicts of the kind plan.ConflictEncrypted remain, because the mac of SOPS has to be computed again.
func (p *Page) ResolveIdentical() {
	for i, x := range p.Parts {
		if c := x.Conflict; c != nil && c.Kind != plan.ConflictEncrypted && bytes.Equal(c.Texts[three.Dest], c.Texts[three.Updated]) {
			p.Parts[i] = Part{Text: c.Texts[three.Dest], Sources: c.Sources[three.Dest]}
		}
	}
}

// textIn returns the text of the part or, if the part is a conflict, the text of version s in it, with its sources.
func (x Part) textIn(s three.Version) sourcedText {
	if x.Conflict != nil {
		return x.Conflict.sourcedText(int(s))
	}
	return x.sourcedText()
}

// sourcedText returns the text of the part, which must not be a conflict, with its sources.
func (x Part) sourcedText() sourcedText { return sourcedText{x.Text, x.Sources} }

// set replaces the text of the part, which must not be a conflict.
func (x *Part) set(t sourcedText) { x.Text, x.Sources = t.bytes, t.pieces }

// sourcedText returns the text of version s in the conflict, with its sources.
func (c *Conflict) sourcedText(s int) sourcedText { return sourcedText{c.Texts[s], c.Sources[s]} }

// set replaces the text of version s in the conflict.
func (c *Conflict) set(s int, t sourcedText) { c.Texts[s], c.Sources[s] = t.bytes, t.pieces }

// SourcesOf returns where the bytes of Resolve(s) come from: pieces that are copied from a version, or written by the
// merge, one after the other. The result is not nil.
func (p *Page) SourcesOf(s three.Version) []three.Piece {
	all := make([]three.Piece, 0, len(p.Parts))
	for _, x := range p.Parts {
		all = three.AppendPieces(all, x.textIn(s).pieces...)
	}
	return all
}

// Resolve returns the file with the text of version s chosen in every conflict: ours (three.Dest), theirs
// (three.Updated) or base (three.Original). The result is a copy, and never nil.
func (p *Page) Resolve(s three.Version) []byte {
	n := 0
	for _, x := range p.Parts {
		n += len(x.textIn(s).bytes)
	}
	b := make([]byte, 0, n)
	for _, x := range p.Parts {
		b = append(b, x.textIn(s).bytes...)
	}
	return b
}

// cleanBytes returns the merged file, as a copy, or nil if p has a conflict. Without any parts, it is empty but not
// nil.
func (p *Page) cleanBytes() []byte {
	if len(p.Conflicts()) > 0 {
		return nil
	}
	return p.Resolve(three.Dest)
}

// Conflicts returns the conflicts of a page, in order. They are not copied. The result is nil if the page has none.
func (p *Page) Conflicts() (all []*Conflict) {
	for _, x := range p.Parts {
		if x.Conflict != nil {
			all = append(all, x.Conflict)
		}
	}
	return all
}

var lf = []byte("\n")

// FromLineMerge returns the page of a line merge of the versions raw, for its text and conflicts in parts. The
// conflicts have the kind plan.ConflictLine, but no path and no entry. chunks become LineMergeChunks of the page; they
// may be nil.
func FromLineMerge(raw [3][]byte, parts []diff3.Part, chunks []diff3.Chunk) *Page {
	p := &Page{LineMergeChunks: chunks}
	for _, x := range parts {
		if x.Conflict == nil {
			p.addText(sourcedText{x.Text, piecesOf(x.Copies)})
			continue
		}
		c := &Conflict{Kind: plan.ConflictLine, LineMerge: &x.Conflict.Marked}
		for s, at := range [3]diff3.Range{x.Conflict.Original, x.Conflict.Dest, x.Conflict.Updated} {
			c.Texts[s] = raw[s][at.Start:at.End]
			c.Sources[s] = three.AppendPieces(nil, three.Piece{Len: at.Len(), Version: three.Version(s), Offset: at.Start})
			c.Spans[s] = text.Span{Start: at.Start, End: at.End}
		}
		p.Add(c)
	}
	return p
}

// piecesOf converts copies, the sources of a text of a line merge as package diff3 returns them, into the Pieces of
// this text.
func piecesOf(copies []diff3.Copy) (pieces []three.Piece) {
	for _, k := range copies {
		s := three.Dest
		if k.IsUpdated {
			s = three.Updated
		}
		pieces = three.AppendPieces(pieces, three.Piece{Len: k.Len(), Version: s, Offset: k.Start})
	}
	return pieces
}

// BothTexts returns the text that keeps both sides of c. It is the first of these that exists: the merged edits
// (c.BothEdits), c.BothSides, or the text of ours followed by that of theirs. nl is a line break; in a line merge, it
// is written between the two if ours ends without one. CanKeepBoth says whether this text is a solution.
func (c *Conflict) BothTexts(nl []byte) []byte {
	switch {
	case c.BothEdits != nil:
		return c.BothEdits
	case c.BothSides != nil:
		return c.BothSides
	}
	ours, theirs := c.Texts[three.Dest], c.Texts[three.Updated]
	lacksBreak := len(ours) > 0 && len(theirs) > 0 && !bytes.HasSuffix(ours, lf) // ours ends at the end of its file
	if c.LineMerge != nil && lacksBreak {
		return slices.Concat(ours, nl, theirs)
	}
	return slices.Concat(ours, theirs)
}

// Renderer writes a plan of a merge as a page, and a page as a file. It copies all text from the three versions.
type Renderer struct {
	Files     [3]*text.File     // the versions
	Streams   [3]*syntax.Stream // the parsed versions
	LineBreak []byte            // for lines that are not copied with their own line break
	// DestDecidesSeparator reports whether only dest decides if the file starts with "---".
	DestDecidesSeparator bool
	cachedLayouts        *layouts
}

// text returns the bytes at sp in version s, with their source.
func (r *Renderer) text(s three.Version, sp text.Span) sourcedText {
	return sourcedText{r.Files[s].Slice(sp), three.AppendPieces(nil, three.Piece{Len: sp.Len(), Version: s, Offset: sp.Start})}
}

// keyText returns the text of an entry before its value, without the blanks after it. e is the entry in version s, and
// parent the collection that contains it there. flow says that the result is in flow style:
//
//	entry     block style     flow style
//	field     "a:"            "a:", or "a" in {a}
//	item      "-"             "", only if parent has flow style
func (r *Renderer) keyText(s three.Version, e *syntax.Entry, parent *syntax.Node, flow bool) sourcedText {
	switch {
	case flow == (parent.Style == syntax.Flow): // the style remains
		return r.text(s, e.KeySpan())
	case e.Key == nil:
		return punctuation("-")
	}
	return concat(r.text(s, e.Key.Span), punctuation(":"))
}

// propertiesText returns the anchor and tag of a merged value, such as `&x !t `, or nothing if it has neither. They are
// those of the side m.PropertiesFrom. If the side m.FormatFrom, from which the value gets its format, has the same
// ones, their text is copied from there, with the blanks and line breaks before the value; without these for a block
// collection. Otherwise, or if no entry of a block collection remains, the text ends with one blank.
func (r *Renderer) propertiesText(m *plan.Value) sourcedText {
	n, x := m.Nodes[m.FormatFrom], m.Nodes[m.PropertiesFrom]
	switch {
	case !x.HasProperties():
		return sourcedText{}
	case m.PropertiesTextFrom() != m.FormatFrom, m.IsEmptyBlock():
		return writtenText(three.Properties, []byte(x.PropsText()+" "))
	case n.Style == syntax.Block: // a line break follows
		return r.text(m.FormatFrom, text.Span{Start: n.Span.Start, End: n.PropsEnd(r.Files[m.FormatFrom])})
	}
	return r.text(m.FormatFrom, text.Span{Start: n.Span.Start, End: n.Content.Start})
}

// joinLines returns the text of a merged scalar that is not a block scalar: m.Lines, which are its lines or the parts
// of its only line, each copied from its version. None of them may be in conflict.
func (r *Renderer) joinLines(m *plan.Value) (t sourcedText) {
	for _, l := range m.Lines {
		t.append(r.text(l.Side, l.Span))
	}
	return t
}

// emptyFlow returns "{}" if n is a mapping, and "[]" if it is a list.
func emptyFlow(n *syntax.Node) string {
	if n.Kind == syntax.Mapping {
		return "{}"
	}
	return "[]"
}

// writeTrivia adds merged comments and blank lines to p. They are indented together with the entry or collection to
// which they belong: col is its column in the result. Comments that both sides changed differently become a conflict of
// p with the given path, which may be nil.
func (p *Page) writeTrivia(t plan.Trivia, path *three.Path, col int) {
	for _, part := range t {
		if part.Conflict == nil {
			p.addText(moveLines(part.Lines, col))
			continue
		}
		m := &Conflict{Kind: plan.ConflictComment, Path: path, Spans: part.Conflict.Spans}
		for s, ls := range part.Conflict.Lines {
			m.set(s, moveLines(ls, col))
		}
		p.Add(m)
	}
}

// moveLines returns the text of the comments and blank lines ls, indented together with the entry or collection to
// which they belong. Each line moves by as many columns as from the column OwnerColumn to col, but not further left
// than column 0.
func moveLines(ls []plan.Line, col int) (t sourcedText) {
	for _, l := range ls {
		line := sourcedText{l.Text, []three.Piece{{Len: len(l.Text), Version: l.Version, Offset: l.Offset}}}
		t.append(line.move(text.MoveColumns(l.OwnerColumn, col)))
	}
	return t
}
