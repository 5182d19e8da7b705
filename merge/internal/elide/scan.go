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

// findRuns returns the parts of src, the original, that can be left out of all versions, in order. shared are the lines
// that all versions have: a part, and the next line after it that is not trivia, must be in one of these spans. inItems
// permits parts within list items. Lines must end with lineBreak.
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

// A scanner reads the lines of a text, the original, in order. It collects the parts that can be left out (runs), and
// understands as much YAML as this needs.
type scanner struct {
	src         []byte
	breakLen    int         // the length of a line break
	shared      []text.Span // as in findRuns
	runsInItems bool
	runs        []run
	problems    int // increases with each line that is not understood; an entry with such a line is in no run

	identity identity // of the current document

	currentLine
	sharedIndex int // the index of the first span of shared that ends after the start of the current line
	lastEnd     int // the end of the last line before the current one that is not trivia
}

// The currentLine of a scanner is never trivia (blank or a comment).
type currentLine struct {
	text.Span        // with its line break
	rest      []byte // from its first unread token, without its line break; nil at the end of src
	column    int    // the column of rest; -1 for the lines --- and ... and at the end of src
	afterDash bool   // rest follows the dash of an item
	printable bool   // isPrintable holds for the line and for the trivia before it
	// commentColumn is the rightmost column of a comment line directly before the line; -1 if there is none.
	commentColumn int
}

// An identity has the places in a document of the values that identify it, and of the line with its metadata key. A
// span is empty if there is no such field.
type identity struct {
	kind, namespace, name, metadata text.Span
	isUnclear                       bool // a field occurs twice or is not a scalar on one line, or the document has a field sops
}

// lineAt returns the line that starts at offset, without its line break, and the offset of the next line. It returns
// nil and 0 if no line break follows, so that a last line without one is not returned. The line is not copied.
func (s *scanner) lineAt(offset int) (line []byte, next int) {
	n := bytes.IndexByte(s.src[offset:], '\n')
	if n < 0 {
		return nil, 0
	}
	return s.src[offset:max(offset, offset+n+1-s.breakLen)], offset + n + 1
}

// advance goes to the next line of src that is not trivia, and makes it the current line. At the end of src, or at a
// last line without a line break, rest becomes nil.
func (s *scanner) advance() {
	s.lastEnd = s.End
	s.currentLine = currentLine{Span: s.Span, column: -1, printable: true, commentColumn: -1}
	for s.rest == nil {
		line, next := s.lineAt(s.End)
		if next == 0 {
			s.Start = len(s.src)
			return
		}
		s.Start, s.End = s.End, next
		s.printable = s.printable && isPrintable(line)
		n := countIndent(line)
		isMarker := bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))
		switch {
		case n == len(line): // blank
		case line[n] == '#':
			s.commentColumn = max(s.commentColumn, n)
		case isMarker:
			s.rest = line
		default:
			s.rest, s.column = line[n:], n
		}
	}
	for s.sharedIndex < len(s.shared) && s.shared[s.sharedIndex].End <= s.Start {
		s.sharedIndex++
	}
}

// A position is a copy of the parts of a scanner at the start of an entry that are needed to add the entry to a run,
// after it was read.
type position struct{ start, lastEnd, sharedIndex, problems, runs int }

// position returns the position of the current line.
func (s *scanner) position() position {
	return position{s.Start, s.lastEnd, s.sharedIndex, s.problems, len(s.runs)}
}

// canElideSince reports whether the lines from p up to the current line may be left out: all of them were understood,
// and all three versions have them and the current line, one after another. It returns false at the end of src.
func (s *scanner) canElideSince(p position) bool {
	isShared := p.sharedIndex < len(s.shared) && s.shared[p.sharedIndex].Contains(text.Span{Start: p.start, End: s.End})
	return s.rest != nil && s.problems == p.problems && isShared
}

// addRun adds the lines from the position p up to the offset end to s.runs. Runs that were found since p are inside of
// these lines, and are replaced. documents says that the lines are a document; otherwise, they are fields in the given
// column. If they follow a run of the same kind directly, this run is extended. The returned run is valid until the
// next call.
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

// readDocument reads a document with the trivia after it, up to the next "---" or "...", or to the end of src. The
// whole document is added to a run if it is a resource between two "---", was understood, and no side changed it.
// Otherwise, fields in it may be added to runs.
func (s *scanner) readDocument() {
	p := s.position()
	p.lastEnd = p.start // trivia after a document is a part of it, so that two runs of documents always meet
	hasStart := string(s.rest) == "---"
	if s.column < 0 { // at a line --- or ...
		s.advance()
	}
	s.identity = identity{}
	if s.column == 0 && !s.isItem() {
		s.readCollection(root, false)
	}
	for s.column >= 0 { // not a mapping in column 0
		s.problems++
		s.readCollection(elsewhere, s.column > 0)
	}
	hasEnd := string(s.rest) == "---" && s.printable
	id := s.identity
	isResource := !id.isUnclear && !id.kind.Empty() && !id.name.Empty()
	if hasStart && hasEnd && isResource && s.canElideSince(p) {
		textOf := func(field text.Span) string { return string(s.src[field.Start:field.End]) }
		r := s.addRun(p, s.Start, 0, true)
		r.resources = append(r.resources, schema.IdentityOf(textOf(id.kind), textOf(id.namespace), textOf(id.name)))
	}
}

// setIdentity sets field, a field of s.identity, to span. It sets isUnclear if span is empty or the field was set
// before.
func (s *scanner) setIdentity(field *text.Span, span text.Span) {
	s.identity.isUnclear = s.identity.isUnclear || span.Empty() || !field.Empty()
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

// readCollection reads the mapping or list that starts with the current line, and adds those of its fields that can be
// left out to s.runs. at says whether it is the root or the metadata of the document, whose fields may identify the
// document. inItem says that it is within a list item.
func (s *scanner) readCollection(at place, inItem bool) {
	column, isList := s.column, s.isItem()
	for s.column == column && s.isItem() == isList {
		if isList {
			s.readItem()
			continue
		}
		p, afterDash := s.position(), s.afterDash
		isNeeded := s.readField(at, inItem)
		if !isNeeded && !afterDash && s.canFollowRun(column) && s.canElideSince(p) {
			s.addRun(p, s.lastEnd, column, false)
		}
	}
}

// canFollowRun reports whether the current line, and the comments before it, are certainly not a part of the last field
// of a run in the given column:
//
//	a:
//	  b: 1
//	  # this comment may belong to b
//	z: 1
func (s *scanner) canFollowRun(column int) bool {
	hasOwnComments := s.commentColumn < column || s.commentColumn == column && s.column == column
	mayBeAction := bytes.HasPrefix(s.rest, []byte("{")) // of a template, after which the lines of the field continue
	return hasOwnComments && !mayBeAction
}

// readItem reads an item, from its dash to the last line that is indented more than the dash. It may add fields within
// the item to s.runs.
func (s *scanner) readItem() {
	column := s.column
	valueAt := 1 + countIndent(s.rest[1:])
	if _, keyLen := readKey(s.rest[valueAt:]); keyLen == 0 { // it is not a mapping that starts beside the dash
		s.readValue(1, elsewhere, true)
		return
	}
	s.rest, s.column, s.afterDash = s.rest[valueAt:], column+valueAt, true
	s.readCollection(elsewhere, true)
	s.readDeeperLines(column, true)
}

// readDeeperLines reads lines that were not understood, although they belong to an entry in the given column that was
// just read: they are indented more. They count as problems, so that the entry is in no run. Fields in these lines may
// be added to s.runs. inItem is as in readCollection.
func (s *scanner) readDeeperLines(column int, inItem bool) {
	for s.column > column {
		s.problems++
		s.readCollection(elsewhere, inItem)
	}
}

// neededFields are the fields that are never left out: they may identify resources and items, or belong to SOPS, or the
// merge reports them as a whole.
var neededFields = append([]string{"apiVersion", "kind", "metadata", "namespace", "name", "sops", "mac"}, syntax.ImageFields[:]...)

// readField reads a field of a mapping with its value, and makes the line after it current. Fields within the value may
// be added to s.runs. isNeeded is true if the merge may need the field itself, so that it must not be left out. It may
// set s.identity. at is the place of the mapping; inItem is as in readCollection.
func (s *scanner) readField(at place, inItem bool) (isNeeded bool) {
	key, keyLen := readKey(s.rest)
	if keyLen == 0 { // the line does not start with a key that readKey understands
		column := s.column
		s.problems++
		s.advance()
		s.readDeeperLines(column, inItem)
		return true
	}
	name, keyLine, valuePlace := string(key), s.Span, elsewhere
	if at == root && name == "metadata" {
		valuePlace = metadata
	}
	scalar, isBlock := s.readValue(keyLen, valuePlace, inItem)
	s.readIdentity(at, name, keyLine, scalar)
	// an item keeps the fields that may identify it: all but collections in block style
	mayIdentifyItem := inItem && !(isBlock && s.runsInItems)
	return mayIdentifyItem || slices.Contains(neededFields, name)
}

// readIdentity sets s.identity from a field that was read, if the field identifies the document. at is the place of its
// mapping, name its key, line the line of the key, and scalar its value. A field sops at the root makes the identity
// unclear, because such a document is encrypted.
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
		s.identity.isUnclear = true
	}
}

// readValue reads the value of the field or item that starts with the current line, and all lines that are indented
// more. keyLen is the length of its key with the colon, or of its dash. at is the place of the value; inItem is as in
// readCollection. It returns two things about the value:
//
//   - scalar: the span of a scalar on one line, without its quotes; empty for other values
//   - isBlock: the value is a collection on the lines below
func (s *scanner) readValue(keyLen int, at place, inItem bool) (scalar text.Span, isBlock bool) {
	column, isField := s.column, !s.isItem()
	if !s.printable {
		s.problems++
	}
	b := bytes.TrimLeft(s.rest[keyLen:], " ")
	switch {
	case len(b) == 0 || b[0] == '#':
		s.advance()
		isBlock = s.column > column || isField && s.column == column && s.isItem() // a list may be in the column of its key
		if isBlock {
			s.readCollection(at, inItem)
		}
	case b[0] == '|' || b[0] == '>':
		if isPlainHeader := len(b) == 1 || string(b[1:]) == "-"; !isPlainHeader { // such as |+ or |2
			s.problems++
		}
		s.readBlockText(column)
		s.advance()
	default:
		start := s.End - s.breakLen - len(b)
		content, length := readInlineValue(b)
		if length == 0 {
			s.problems++
		}
		scalar = text.Span{Start: start + content.Start, End: start + content.End}
		isPlainToEnd := length == len(b) && content == text.Span{End: length} // without a comment
		for s.advance(); isPlainToEnd && s.continuesPlain(column); s.advance() {
			scalar = text.Span{} // it is on several lines
		}
	}
	s.readDeeperLines(column, inItem)
	return scalar, isBlock
}

// continuesPlain reports whether the current line is certain to continue the plain scalar on the line before
// it. column is the column of the entry that has the scalar.
//
//	a: b
//	  c    # without this comment, the line continues the scalar
func (s *scanner) continuesPlain(column int) bool {
	return s.column > column && s.printable && s.lastEnd == s.Start && plainLen(s.rest) == len(s.rest)
}

// readBlockText reads the text of a literal or folded scalar, whose header (`a: |`) is the current line. It moves s.End
// to the end of the last line of text. Blank lines after the text are left to advance. column is that of the key or
// dash. Text that may be invalid or is not printable counts as a problem.
func (s *scanner) readBlockText(column int) {
	textColumn := 0 // the column of the first line of text; 0 before this line
	for line, next := s.lineAt(s.End); next > 0; line, next = s.lineAt(next) {
		n := countIndent(line)
		switch isBlank := n == len(line); {
		case isBlank && n <= textColumn: // it is text only if more text follows
		case isBlank && textColumn == 0: // YAML forbids more spaces than the first line of text has
			s.problems++
		case !isBlank && n <= column: // the next entry, or a comment before it
			return
		default:
			if textColumn == 0 {
				textColumn = n
			}
			if n < textColumn || !isPrintable(line) {
				s.problems++
			}
			s.End = next
		}
	}
}
