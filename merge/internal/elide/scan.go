package elide

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A run is a part of the original that can be left out of all versions: successive fields of one mapping, or successive
// documents.
type run struct {
	text.Span     // whole lines; the first and the last one are not trivia, unless the run has documents
	shared    int // the index of the shared lines that contain the run
	column    int // the column of the fields; 0 for documents
	// resources are the identities of the documents in the run; nil if it has fields. Each document
	// starts with "---", and another "---" follows the run.
	resources []string
}

// findRuns returns the parts of src, the original, that can be left out of all versions, in order. A part and the next
// line that is not trivia (a comment or blank) are in one of shared, the lines that all versions have. inItems permits
// parts within list items. Lines must end with lineBreak.
//
//	a: 1      # in a run
//	b: &x 2   # not in a run: it has an anchor
//	c:        # in a run with both of its lines
//	- d: 3
//	z: 1      # not in a run: it is the last line
func findRuns(src []byte, lineBreak string, shared []text.Span, inItems bool) []run {
	s := scanner{src: src, breakLen: len(lineBreak), shared: shared, runsInItems: inItems}
	s.advance()
	for s.rest != nil {
		s.readDocument()
	}
	return s.runs
}

// A scanner reads the lines of a text in order and collects runs. Its current line is never trivia.
type scanner struct {
	src         []byte
	breakLen    int         // the length of a line break
	shared      []text.Span // as in findRuns
	runsInItems bool
	runs        []run

	// identity has the values of fields of the current document, and the line that has its metadata key. A
	// span is empty if there is no such field.
	identity identityFields
	// identityUnclear says that a field of identity occurs twice or is not a scalar on one line, or
	// that the document has a field sops.
	identityUnclear bool

	text.Span          // the current line, with its line break
	rest        []byte // the current line from its first unread token, without its line break; nil at the end of src
	column      int    // the column of rest; -1 for the lines --- and ... and at the end of src
	afterDash   bool   // rest follows the dash of an item
	printable   bool   // isPrintable holds for the current line and for the trivia before it
	sharedIndex int    // the index of the first span of shared that ends after the start of the current line
	lastEnd     int    // the end of the last line before the current one that is not trivia
	// commentColumn is the rightmost column of a comment line between lastEnd and the current line; -1 if
	// there is none.
	commentColumn int
}

// identityFields are the places in a document that identify it, as scanner.identity describes them.
type identityFields struct{ kind, namespace, name, metadata text.Span }

// lineAt returns the line that starts at offset, without its line break, and the offset of the next line. It returns
// nil and 0 if no line break follows, so that a last line without one is not returned. The line is not copied.
func (s *scanner) lineAt(offset int) (line []byte, next int) {
	n := bytes.IndexByte(s.src[offset:], '\n')
	if n < 0 {
		return nil, 0
	}
	return s.src[offset:max(offset, offset+n+1-s.breakLen)], offset + n + 1
}

// advance makes the next line of src that is not trivia (blank or a comment) current, and sets the fields that describe
// it. printable and commentColumn include the trivia before. At the end of src, or at a last line without a line break,
// rest is nil.
func (s *scanner) advance() {
	s.lastEnd = s.End
	s.rest, s.column, s.afterDash, s.printable, s.commentColumn = nil, -1, false, true, -1
	for s.rest == nil {
		line, next := s.lineAt(s.End)
		if next == 0 {
			s.Start = len(s.src)
			return
		}
		s.Start, s.End = s.End, next
		s.printable = s.printable && isPrintable(line)
		n := countIndent(line)
		if n == len(line) {
			continue
		}
		if line[n] == '#' {
			s.commentColumn = max(s.commentColumn, n)
			continue
		}
		s.rest = line[n:]
		isMarker := n == 0 && (bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("...")))
		if !isMarker {
			s.column = n
		}
	}
	for s.sharedIndex < len(s.shared) && s.shared[s.sharedIndex].End <= s.Start {
		s.sharedIndex++
	}
}

// A position is a copy of the parts of a scanner that addRun needs later, to add the lines from this position to a run.
// runs is the number of runs found before the position.
type position struct{ start, lastEnd, sharedIndex, runs int }

// position returns the position of the current line.
func (s *scanner) position() position {
	return position{s.Start, s.lastEnd, s.sharedIndex, len(s.runs)}
}

// isSharedSince reports whether all three versions have the lines from p to the current line, inclusive, one after
// another: one span of s.shared contains them. It returns false at the end of src.
func (s *scanner) isSharedSince(p position) bool {
	return s.rest != nil && p.sharedIndex < len(s.shared) && s.shared[p.sharedIndex].Contains(text.Span{Start: p.start, End: s.End})
}

// addRun adds the lines from p to offset end to s.runs, in place of runs found since p. They are fields in this column
// or a document, and extend an adjacent run of the same kind. The returned run is valid until the next call.
func (s *scanner) addRun(p position, end, column int, documents bool) *run {
	s.runs = s.runs[:p.runs]
	n := p.runs - 1
	if n < 0 || s.runs[n].End != p.lastEnd || s.runs[n].column != column || (s.runs[n].resources != nil) != documents {
		s.runs = append(s.runs, run{Span: text.Span{Start: p.start}, shared: p.sharedIndex, column: column})
		n++
	}
	s.runs[n].End = end
	return &s.runs[n]
}

// readDocument reads a document and the trivia after it, up to the next "---" or "..." or the end of src. It adds an
// understood resource between two "---" to a run if no side changed it, and otherwise perhaps fields of it.
func (s *scanner) readDocument() {
	p := s.position()
	p.lastEnd = p.start                   // trivia after a document is a part of it, so that two runs of documents always meet
	understood := string(s.rest) == "---" // the document starts with this line, and with a field in column 0
	if s.column < 0 {                     // at a line --- or ...
		s.advance()
	}
	s.identity, s.identityUnclear = identityFields{}, false
	understood = understood && s.column == 0 && !s.isItem()
	// usually once; more lines in another column mean that the document was not understood
	for at := root; s.column >= 0; at = elsewhere {
		understood = s.readCollection(at, s.column > 0) && at == root && understood
	}
	id := s.identity
	isResource := !s.identityUnclear && !id.kind.Empty() && !id.name.Empty()
	ends := string(s.rest) == "---" && s.printable
	if understood && isResource && ends && s.isSharedSince(p) {
		textOf := func(field text.Span) string { return string(s.src[field.Start:field.End]) }
		r := s.addRun(p, s.Start, 0, true)
		r.resources = append(r.resources, schema.IdentityOf(textOf(id.kind), textOf(id.namespace), textOf(id.name)))
	}
}

// setIdentity sets field, a field of s.identity, to span. It sets identityUnclear if span is empty or the field was set
// before.
func (s *scanner) setIdentity(field *text.Span, span text.Span) {
	s.identityUnclear = s.identityUnclear || span.Empty() || !field.Empty()
	*field = span
}

// A place is the position of a collection in its document, as far as it matters for the fields that identify the
// document.
type place int

const (
	elsewhere place = iota
	root
	metadata // the value of the field metadata of the root
)

// isItem reports whether rest starts with the dash of an item.
func (s *scanner) isItem() bool { return len(s.rest) > 0 && s.rest[0] == '-' && isTokenEnd(s.rest[1:]) }

// readCollection reads the fields or items from the current line on that are in its column, and reports whether it
// understood all lines. Fields that can be left out are added to s.runs. at is the collection's place; inItem is as in
// readField.
func (s *scanner) readCollection(at place, inItem bool) (understood bool) {
	column, items := s.column, s.isItem()
	understood = true
	for s.column == column && s.isItem() == items {
		if items {
			understood = s.readItem() && understood
			continue
		}
		p, afterDash := s.position(), s.afterDash
		fieldUnderstood, elidable := s.readField(at, inItem)
		understood = understood && fieldUnderstood
		// A comment that is indented more than the next line may belong to the last entry within the field.
		// One in the column of the next line is before that line.
		commentsOutside := s.commentColumn < column || s.commentColumn == column && s.column == column
		// A brace may begin an action of a template, after which the lines of the field continue.
		mayContinue := bytes.HasPrefix(s.rest, []byte("{"))
		if fieldUnderstood && elidable && !afterDash && !mayContinue && commentsOutside && s.isSharedSince(p) {
			s.addRun(p, s.lastEnd, column, false)
		}
	}
	return understood
}

// readItem reads an item, from its dash to the last line that is indented more than the dash, and reports whether it
// understood all of these lines. It may add fields within the item to s.runs, as readCollection does, even if it
// returns false.
func (s *scanner) readItem() (understood bool) {
	column, printable := s.column, s.printable
	valueAt := 1 + countIndent(s.rest[1:])
	_, keyLen := readKey(s.rest[valueAt:])
	if keyLen == 0 { // it is not a mapping that starts beside the dash
		_, _, understood = s.readValue(1, elsewhere, true, false)
		return understood
	}
	s.rest, s.column, s.afterDash = s.rest[valueAt:], column+valueAt, true
	understood = s.readCollection(elsewhere, true)
	hasMore := s.readDeeperLines(column, true)
	return understood && printable && !hasMore
}

// readDeeperLines reads the lines that are indented more than column, after an entry in this column was read: they
// belong to its value, and were not understood. It reports whether there are any, and may add fields in them to s.runs.
// inItem is as in readField.
func (s *scanner) readDeeperLines(column int, inItem bool) (found bool) {
	for s.column > column {
		found = true
		s.readCollection(elsewhere, inItem)
	}
	return found
}

// readField reads a field of a mapping with its value, and makes the line after it current. at is the place of the
// mapping; inItem says that it is within a list item. It may add fields within the value to s.runs, and set s.identity.
//
//   - understood: the scanner understood all lines of the field
//   - elidable: the field can be left out, because the merge does not need it as it does name and image
func (s *scanner) readField(at place, inItem bool) (understood, elidable bool) {
	key, n := readKey(s.rest)
	if n == 0 { // the line does not start with a key that readKey understands
		column := s.column
		s.advance()
		s.readDeeperLines(column, inItem)
		return false, false
	}
	name, keyLine, valuePlace := string(key), s.Span, elsewhere
	if at == root && name == "metadata" {
		valuePlace = metadata
	}
	scalar, block, understood := s.readValue(n, valuePlace, inItem, true)
	s.readIdentity(at, name, keyLine, scalar)
	switch name { // they may identify resources and items, or belong to SOPS
	case "apiVersion", "kind", "metadata", "namespace", "name", "sops", "mac":
		return understood, false
	}
	if slices.Contains(syntax.ImageFields[:], name) { // the merge reports an image reference as a whole
		return understood, false
	}
	// in a list item, only collections in block style can be left out
	return understood, !inItem || block && s.runsInItems
}

// readIdentity records the field called name in s.identity if it identifies the document. A field sops at the root
// makes the identity unclear. at is the place of its mapping, line the line of its key, which is recorded for metadata,
// and scalar its value.
func (s *scanner) readIdentity(at place, name string, line, scalar text.Span) {
	switch {
	case at == root && name == "kind":
		s.setIdentity(&s.identity.kind, scalar)
	case at == metadata && name == "namespace":
		s.setIdentity(&s.identity.namespace, scalar)
	case at == metadata && name == "name":
		s.setIdentity(&s.identity.name, scalar)
	case at == root && name == "metadata":
		s.setIdentity(&s.identity.metadata, line)
	case at == root && name == "sops":
		s.identityUnclear = true
	}
}

// readValue reads the value of a field (ofField) or an item, with all lines that are indented more. n is the length of
// the key with its colon, or of the dash, and at the place of the value. It returns:
//
//   - scalar: the span of a scalar on one line, without its quotes, or an empty one
//   - block: the line has no value beside the key or dash, and a later line has
//   - understood: the scanner understood all lines of the value
func (s *scanner) readValue(n int, at place, inItem, ofField bool) (scalar text.Span, block, understood bool) {
	column, printable := s.column, s.printable
	n += countIndent(s.rest[n:])
	b := s.rest[n:]
	switch {
	case len(b) == 0 || b[0] == '#':
		s.advance()
		block = s.column > column || ofField && s.column == column && s.isItem() // a list may be in the column of its key
		understood = !block || s.readCollection(at, inItem)
	case b[0] == '|' || b[0] == '>':
		understood = s.readBlockScalar(column) && (len(b) == 1 || string(b[1:]) == "-")
	default:
		start := s.End - s.breakLen - len(b)
		content, length := readInlineValue(b)
		understood = length > 0
		scalar = text.Span{Start: start + content.Start, End: start + content.End}
		isPlainToEnd := length == len(b) && content == text.Span{End: length} // without a comment
		for s.advance(); isPlainToEnd && s.continuesPlain(column); s.advance() {
			scalar = text.Span{} // it is on several lines
		}
	}
	hasMore := s.readDeeperLines(column, inItem)
	return scalar, block, understood && printable && !hasMore
}

// continuesPlain reports whether the current line is certain to continue the plain scalar on the line before
// it. column is the column of the entry that has the scalar.
//
//	a: b
//	  c    # without this comment, the line continues the scalar
func (s *scanner) continuesPlain(column int) bool {
	return s.column > column && s.printable && s.lastEnd == s.Start && plainLen(s.rest) == len(s.rest)
}

// readBlockScalar reads the text of a literal or folded scalar, whose header (`a: |`) is the current line, and the
// trivia after it. column is that of the key or dash. It returns false if the scalar may be invalid, or has characters
// that are not printable.
func (s *scanner) readBlockScalar(column int) (understood bool) {
	understood = true
	textColumn := -1 // the column of the first line that is not blank
	for line, next := s.lineAt(s.End); next > 0; line, next = s.lineAt(next) {
		n := countIndent(line)
		isBlank := n == len(line)
		if isBlank && n <= max(textColumn, 0) {
			continue // it may be after the scalar
		}
		if isBlank && textColumn < 0 {
			understood = false // YAML forbids more spaces than the first line of text has
			continue
		}
		if !isBlank && n <= column { // the next entry, or a comment before it
			break
		}
		if textColumn < 0 {
			textColumn = n
		}
		understood = understood && n >= textColumn && isPrintable(line)
		s.End = next
	}
	s.advance()
	return understood
}
