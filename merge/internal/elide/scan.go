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

// findRuns returns the parts of src that can be left out of the versions of a file, called runs, in order, or nil if
// there are none. src is the original. A run consists of complete fields in one column, or of complete documents, in a
// notation that the scanner of this package understands. inItems permits runs within items of lists.
//
// shared are the spans of lines in src that the other versions have, too, in order. A run and the next line after it
// that is neither a comment nor blank are always in one of these spans. Fields with names such as kind and name, which
// may identify a resource, are only in a run as a part of a larger field or of a document.
//
// Every line of src must end with lineBreak. A last line without one is not read.
//
//	a: 1      # in a run
//	b: &x 2   # not in a run: it has an anchor
//	c:        # in a run with all its lines
//	- d: 3
//	z: 1      # not in a run: no line follows it
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

	// identity has the values of kind, metadata.namespace and metadata.name of the current document, and
	// the line that has its metadata key. A span is empty if there is no such field.
	identity [4]text.Span
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

// lineAt returns the line that starts at offset, without its line break, and the offset of the next line. It returns
// nil and 0 if no line break follows, so that a last line without one is not returned. The line is not copied.
func (s *scanner) lineAt(offset int) (line []byte, next int) {
	n := bytes.IndexByte(s.src[offset:], '\n')
	if n < 0 {
		return nil, 0
	}
	return s.src[offset:max(offset, offset+n+1-s.breakLen)], offset + n + 1
}

// advance makes the next line of src that is neither a comment nor blank the current one, and sets rest to its text
// from the first character that is not a space, and column to the column of rest. For a line that starts with --- or
// ..., column is -1. At the end of src, rest is nil and column is -1. The lines passed are recorded in printable and
// commentColumn, and the end of the old line in lastEnd.
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
		switch n := countIndent(line); {
		case n == len(line):
		case line[n] == '#':
			s.commentColumn = max(s.commentColumn, n)
		case n > 0 || !bytes.HasPrefix(line, []byte("---")) && !bytes.HasPrefix(line, []byte("...")):
			s.column = n
			fallthrough
		default:
			s.rest = line[n:]
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

// isSharedSince reports whether all three versions contain the lines from p to the current line, inclusive, without a
// change: whether one span of s.shared contains them. It is false at the end of src.
func (s *scanner) isSharedSince(p position) bool {
	return s.rest != nil && p.sharedIndex < len(s.shared) && s.shared[p.sharedIndex].Contains(text.Span{Start: p.start, End: s.End})
}

// addRun adds the lines from p to offset end to s.runs, the parts that can be left out, and returns their run. The
// lines are complete fields in the given column or, if documents is set, a document. The caller then adds the identity
// of a document to the run.
//
// The last run before p is extended if it also consists of fields in this column, or also of documents, and only
// comments and blank lines are between them. Otherwise a new run is added. Runs that were found within the lines are
// removed from s.runs, because the added lines contain them.
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

// readDocument reads a document and the comments and blank lines after it. It adds the document to a run, so that it
// can be left out, if all of this is true:
//
//   - It is between two lines "---", and no side changed it.
//   - It has a kind and a name (metadata.name), and no field sops.
//   - The scanner understood all of its lines; an anchor or a tag, for example, is not understood.
//
// Otherwise, runs of fields within the document may have been added. The current line is then the next "---" or "..."
// line, or the end of src.
func (s *scanner) readDocument() {
	p := s.position()
	p.lastEnd = p.start // trivia after a document is a part of it, so that two runs of documents always meet
	understood := string(s.rest) == "---"
	if s.column < 0 {
		s.advance()
	}
	s.identity, s.identityUnclear = [4]text.Span{}, false
	understood = understood && s.column == 0 && !s.isItem()
	for at := root; s.column >= 0; at = elsewhere {
		understood = s.readCollection(at, s.column > 0) && at == root && understood
	}
	kind, name := s.identity[0], s.identity[2]
	isResource := !s.identityUnclear && !kind.Empty() && !name.Empty()
	ends := string(s.rest) == "---" && s.printable
	if understood && isResource && ends && s.isSharedSince(p) {
		r := s.addRun(p, s.Start, 0, true)
		r.resources = append(r.resources, schema.IdentityOf(s.string(kind), s.string(s.identity[1]), s.string(name)))
	}
}

func (s *scanner) string(sp text.Span) string { return string(s.src[sp.Start:sp.End]) }

// setIdentity sets element i of identity to v. It sets identityUnclear if v is empty or the element was set
// before.
func (s *scanner) setIdentity(i int, v text.Span) {
	s.identityUnclear = s.identityUnclear || v.Empty() || !s.identity[i].Empty()
	s.identity[i] = v
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

// readCollection reads successive fields, or successive items, in the current column. It adds the fields that can be
// left out of the versions to the runs. It reports whether it understood all of its lines: an anchor, a tag or a quoted
// scalar on several lines, for example, is not understood. Fields are added even if others are not understood. inItem
// says that the collection is within an item of a list. at is the position of the collection in its document.
//
// A field is not added if the next line starts with a brace: the line may be an action of a template, after which the
// lines of the field continue. A comment line between a field and the next line must be left of the field, or in the
// column of both. Otherwise the comment may belong to the field, and the field is not added:
//
//	a:
//	  b: 1
//	  # this comment may belong to b: neither a nor b is added
//	z: 1
//	# this comment is in the column of z and y: z is added
//	y: 1
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
		commentsOutside := s.commentColumn < column || s.commentColumn == column && s.column == column
		separate := fieldUnderstood && elidable && !afterDash && !bytes.HasPrefix(s.rest, []byte("{"))
		if separate && commentsOutside && s.isSharedSince(p) {
			s.addRun(p, s.lastEnd, column, false)
		}
	}
	return understood
}

// readItem reads an item, from its dash to the last line that is indented more than the dash. It may add fields within
// the item to s.runs. The current line is then the first one after the item that is not a comment or blank. It returns
// false if one of the lines read is not in a notation that the scanner understands: it has an anchor, a tag, a quoted
// scalar on several lines or other rare syntax, or a character that is not printable.
func (s *scanner) readItem() bool {
	column, printable := s.column, s.printable
	n := 1 + countIndent(s.rest[1:])
	if _, keyLen := readKey(s.rest[n:]); keyLen == 0 {
		_, _, understood := s.readValue(1, elsewhere, true, false)
		return understood
	}
	s.rest, s.column, s.afterDash = s.rest[n:], column+n, true
	understood := s.readCollection(elsewhere, true)
	return !s.readDeeperLines(column, true) && understood && printable
}

// readDeeperLines reads the lines from the current one that are indented more than column, and reports whether there
// are any. It is called after the value of an entry in that column was read. A value in a notation that the scanner
// understands has no such lines left. The entry must therefore not be left out of the versions if there are any. Fields
// within these lines may still be added to s.runs. inItem says that the entry is within an item of a list.
func (s *scanner) readDeeperLines(column int, inItem bool) (found bool) {
	for s.column > column {
		found = true
		s.readCollection(elsewhere, inItem)
	}
	return found
}

// readField reads a field of a mapping with all lines of its value. at is the position of the mapping in its document;
// inItem says that it is within an item of a list. A field that identifies the document (kind, metadata.name,
// metadata.namespace) is stored in s.identity.
//
// understood reports whether all lines of the field were understood; an anchor or a tag, for example, is not. elidable
// reports whether the merge can match and merge the mapping without the field. It is false for
//
//   - the names that identify resources (apiVersion, kind, metadata, namespace, name), are part of an image reference
//     (syntax.ImageFields), or belong to SOPS (sops, mac), at any place in the document, and
//   - fields of an item, if nothing may be left out of items, or if their value is not a block collection.
func (s *scanner) readField(at place, inItem bool) (understood, elidable bool) {
	key, n := readKey(s.rest)
	if n == 0 {
		column := s.column
		s.advance()
		s.readDeeperLines(column, inItem)
		return false, false
	}
	name, valuePlace := string(key), elsewhere
	if at == root && name == "metadata" {
		valuePlace = metadata
		s.setIdentity(3, s.Span)
	}
	scalar, block, understood := s.readValue(n, valuePlace, inItem, true)
	switch {
	case at == root && name == "kind":
		s.setIdentity(0, scalar)
	case at == root && name == "sops":
		s.identityUnclear = true
	case at == metadata && name == "namespace":
		s.setIdentity(1, scalar)
	case at == metadata && name == "name":
		s.setIdentity(2, scalar)
	}
	switch name {
	case "apiVersion", "kind", "metadata", "namespace", "name", "sops", "mac":
		return understood, false
	}
	if slices.Contains(syntax.ImageFields[:], name) {
		return understood, false
	}
	return understood, !inItem || block && s.runsInItems
}

// readValue reads the value of a field or an item, and all lines that are indented more than the entry. n is the length
// of the key with its colon, or of the dash, at the start of s.rest. at is the position of the value in its document,
// and inItem says that the entry is within a list item. ofField says that the entry is a field: its list may start in
// the column of its key.
//
// The results are
//
//   - scalar: the span of a scalar on one line, without its quotes; empty for all other values;
//   - block: whether the value is a mapping or list in block style;
//   - understood: whether all lines were understood (an anchor or a tag, for example, is not) and have only printable
//     characters.
func (s *scanner) readValue(n int, at place, inItem, ofField bool) (scalar text.Span, block, understood bool) {
	column, printable := s.column, s.printable
	n += countIndent(s.rest[n:])
	b := s.rest[n:]
	switch {
	case len(b) == 0 || b[0] == '#':
		s.advance()
		block = s.column > column || ofField && s.column == column && s.isItem()
		understood = !block || s.readCollection(at, inItem)
	case b[0] == '|' || b[0] == '>':
		understood = s.readBlockScalar(column) && (len(b) == 1 || string(b[1:]) == "-")
	default:
		start := s.End - s.breakLen - len(b)
		content, length := readInlineValue(b)
		understood = length > 0
		scalar = text.Span{Start: start + content.Start, End: start + content.End}
		mayContinue := length == len(b) && content == text.Span{End: length}
		for s.advance(); mayContinue && s.continuesPlain(column); s.advance() {
			scalar = text.Span{}
		}
	}
	return scalar, block, !s.readDeeperLines(column, inItem) && understood && printable
}

// continuesPlain reports whether the current line is certain to continue the plain scalar on the line before
// it. column is the column of the entry that has the scalar.
//
//	a: b
//	  c    # without this comment, the line continues the scalar
func (s *scanner) continuesPlain(column int) bool {
	return s.column > column && s.printable && s.lastEnd == s.Start && plainLen(s.rest) == len(s.rest)
}

// readBlockScalar reads the text lines of a literal or folded scalar (`a: |`) and the comments and blank lines after
// them. The current line is the one with the header. column is the column of the key or dash. It reports whether each
// text line is printable and indented at least as much as the first one, and blank lines above the first one have no
// spaces. Otherwise the scalar may be invalid. After the call, the current line is the next one that is neither a
// comment nor blank.
func (s *scanner) readBlockScalar(column int) (understood bool) {
	understood = true
	textColumn := -1 // the column of the first line that is not blank
	for line, next := s.lineAt(s.End); next > 0; line, next = s.lineAt(next) {
		n := countIndent(line)
		blank := n == len(line)
		if !blank && n <= column {
			break
		}
		switch {
		case blank && textColumn < 0:
			understood = understood && n == 0 // YAML forbids more spaces than the first line has
			continue
		case blank && n <= textColumn:
			continue
		case textColumn < 0:
			textColumn = n
		}
		understood = understood && n >= textColumn && isPrintable(line)
		s.End = next
	}
	s.advance()
	return understood
}
