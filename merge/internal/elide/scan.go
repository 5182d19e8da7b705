package elide

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A run is fields in a row that can be left out, or whole documents.
type run struct {
	text.Span     // whole lines; the first and the last are no trivia
	part      int // the one it stands in
	col       int // the column of the fields
	// resources are the identities of the documents, each with its ---; nil of fields.
	// Another --- follows them.
	resources []string
}

// find returns the runs in the parts of src, which are whole lines, end with nl and are in
// order. A run lies within one part, and so does the line behind it that ends it. In items
// of lists there are some only if lists says so.
func find(src []byte, nl string, parts []text.Span, lists bool) []run {
	s := scanner{src: src, nl: len(nl), parts: parts, lists: lists}
	s.advance()
	for s.text != nil {
		s.document()
	}
	return s.runs
}

// A scanner reads the lines of a text in order. The one at hand is the next that is no trivia.
type scanner struct {
	src   []byte
	nl    int // the length of a line break
	parts []text.Span
	lists bool
	runs  []run

	id     [4]text.Span // kind, namespace, name, and where metadata is, of the document at hand
	unsure bool         // one of them stands twice, or is no scalar of one line

	text.Span        // the line at hand, with its break
	text      []byte // what stands there, from the first token that was not read; nil at the end
	col       int    // of the text; -1 of --- and ..., which end everything, and at the end
	inline    bool   // the text stands behind a dash
	clean     bool   // the line, and the trivia before it, is printable
	part      int    // the first that does not end before the line
	last      int    // the end of the last line before it that is no trivia
	notes     int    // the rightmost column of a comment since then, -1 if there is none
}

// line returns the line at off without its break, and where the next one starts; 0 if
// there is none that ends.
func (s *scanner) line(off int) (b []byte, next int) {
	n := bytes.IndexByte(s.src[off:], '\n')
	if n < 0 {
		return nil, 0
	}
	return s.src[off:max(off, off+n+1-s.nl)], off + n + 1
}

// advance goes to the next line that is no trivia.
func (s *scanner) advance() {
	s.last = s.End
	s.text, s.col, s.inline, s.clean, s.notes = nil, -1, false, true, -1
	for s.text == nil {
		b, next := s.line(s.End)
		if next == 0 {
			s.Start = len(s.src)
			return
		}
		s.Start, s.End = s.End, next
		s.clean = s.clean && printable(b)
		switch n := indent(b); {
		case n == len(b):
		case b[n] == '#':
			s.notes = max(s.notes, n)
		case n > 0 || !bytes.HasPrefix(b, []byte("---")) && !bytes.HasPrefix(b, []byte("...")):
			s.col = n
			fallthrough
		default:
			s.text = b[n:]
		}
	}
	for s.part < len(s.parts) && s.parts[s.part].End <= s.Start {
		s.part++
	}
}

// A mark is where the scanner stood.
type mark struct{ start, last, part, runs int }

func (s *scanner) mark() mark { return mark{s.Start, s.last, s.part, len(s.runs)} }

// shared reports whether all from m to the line at hand is in one part.
func (s *scanner) shared(m mark) bool {
	return s.text != nil && m.part < len(s.parts) && s.parts[m.part].Contains(text.Span{Start: m.start, End: s.End})
}

// add makes what stands from m up to end a run, or more of the one before it, in the place of
// those within it.
func (s *scanner) add(m mark, end, col int, whole bool) *run {
	s.runs = s.runs[:m.runs]
	n := m.runs - 1
	if n < 0 || s.runs[n].End != m.last || s.runs[n].col != col || (s.runs[n].resources != nil) != whole {
		s.runs = append(s.runs, run{Span: text.Span{Start: m.start}, part: m.part, col: col})
		n++
	}
	s.runs[n].End = end
	return &s.runs[n]
}

// document reads a document. It is a run if it is a resource all of which was understood.
func (s *scanner) document() {
	m := s.mark()
	m.last = m.start // trivia behind a document is part of it
	plain := string(s.text) == "---"
	if s.col < 0 {
		s.advance()
	}
	s.id, s.unsure = [4]text.Span{}, false
	plain = plain && s.col == 0 && !s.dash()
	for at := root; s.col >= 0; at = elsewhere {
		plain = s.collection(at, s.col > 0) && at == root && plain
	}
	kind, name := s.id[0], s.id[2]
	resource := !s.unsure && !kind.Empty() && !name.Empty()
	ends := string(s.text) == "---" && s.clean
	if plain && resource && ends && s.shared(m) {
		r := s.add(m, s.Start, 0, true)
		r.resources = append(r.resources, schema.IdentityOf(s.string(kind), s.string(s.id[1]), s.string(name)))
	}
}

func (s *scanner) string(sp text.Span) string { return string(s.src[sp.Start:sp.End]) }

// take takes v for part i of the identity of the document.
func (s *scanner) take(i int, v text.Span) {
	s.unsure = s.unsure || v.Empty() || !s.id[i].Empty()
	s.id[i] = v
}

// A place is where a collection stands.
type place int

const (
	elsewhere place = iota
	root
	metadata // of the document
)

// dash reports whether the text at hand is an item.
func (s *scanner) dash() bool { return len(s.text) > 0 && s.text[0] == '-' && isEnd(s.text[1:]) }

// collection reads entries in the column at hand, of a collection at a place, within an item or not. It
// reports whether every line of them was understood.
func (s *scanner) collection(at place, within bool) (plain bool) {
	col, items := s.col, s.dash()
	plain = true
	for s.col == col && s.dash() == items {
		if items {
			plain = s.item() && plain
			continue
		}
		m, inline := s.mark(), s.inline
		whole, alone := s.field(at, within)
		plain = plain && whole
		goesOut := s.notes < col || s.notes == col && s.col == col // comments are of what is around
		separate := whole && alone && !inline
		if separate && goesOut && s.shared(m) {
			s.add(m, s.last, col, false)
		}
	}
	return plain
}

// item reads an item. It reports whether every line of it was understood.
func (s *scanner) item() bool {
	col, clean := s.col, s.clean
	n := 1 + indent(s.text[1:])
	if _, key := readKey(s.text[n:]); key == 0 {
		_, _, plain := s.value(1, elsewhere, true, false)
		return plain
	}
	s.text, s.col, s.inline = s.text[n:], col+n, true
	plain := s.collection(elsewhere, true)
	return !s.stray(col, true) && plain && clean
}

// stray reads what stands right of column col. It reports whether there was anything.
func (s *scanner) stray(col int, within bool) (some bool) {
	for s.col > col {
		some = true
		s.collection(elsewhere, within)
	}
	return some
}

// field reads a field of a mapping. It reports whether every line of it was understood, and
// whether it can be left out by itself: it does not say what the mapping is.
func (s *scanner) field(at place, within bool) (plain, alone bool) {
	key, n := readKey(s.text)
	if n == 0 {
		col := s.col
		s.advance()
		s.stray(col, within)
		return false, false
	}
	role, inner := string(key), elsewhere
	if at == root && role == "metadata" {
		inner = metadata
		s.take(3, s.Span)
	}
	scalar, block, plain := s.value(n, inner, within, true)
	switch {
	case at == root && role == "kind":
		s.take(0, scalar)
	case at == root && role == "sops":
		s.unsure = true
	case at == metadata && role == "namespace":
		s.take(1, scalar)
	case at == metadata && role == "name":
		s.take(2, scalar)
	}
	switch role {
	case "apiVersion", "kind", "metadata", "namespace", "name", "sops", "mac":
		return plain, false
	}
	return plain, !within || block && s.lists
}

// value reads the value of a field or an item, which starts n behind the text: without quotes,
// if it is a scalar of one line, and whether it is a block collection. It reports whether every
// line of it was understood.
func (s *scanner) value(n int, at place, within, field bool) (scalar text.Span, block, plain bool) {
	col, clean := s.col, s.clean
	n += indent(s.text[n:])
	b := s.text[n:]
	switch {
	case len(b) == 0 || b[0] == '#':
		s.advance()
		block = s.col > col || field && s.col == col && s.dash()
		plain = !block || s.collection(at, within)
	case b[0] == '|' || b[0] == '>':
		plain = s.literal(col) && (len(b) == 1 || string(b[1:]) == "-")
	default:
		start := s.End - s.nl - len(b)
		word, length := readInline(b)
		plain = length > 0
		scalar = text.Span{Start: start + word.Start, End: start + word.End}
		open := length == len(b) && word == text.Span{End: length}
		for s.advance(); open && s.goesOn(col); s.advance() {
			scalar = text.Span{}
		}
	}
	return scalar, block, !s.stray(col, within) && plain && clean
}

// goesOn reports whether the line at hand can be nothing but more of the plain scalar in the
// line before it, which an entry in column col holds.
func (s *scanner) goesOn(col int) bool {
	return s.col > col && s.clean && s.last == s.Start && readPlain(s.text) == len(s.text)
}

// literal reads the lines of a text, which an entry in column col holds. It reports whether
// every one stands as far right as the first, and is printable.
func (s *scanner) literal(col int) (plain bool) {
	plain = true
	in := -1 // its own column
	for b, at := s.line(s.End); at > 0; b, at = s.line(at) {
		n := indent(b)
		blank := n == len(b)
		if !blank && n <= col {
			break
		}
		switch {
		case blank && in < 0:
			plain = plain && n == 0 // leading blanks count
			continue
		case blank && n <= in:
			continue
		case in < 0:
			in = n
		}
		plain = plain && n >= in && printable(b)
		s.End = at
	}
	s.advance()
	return plain
}
