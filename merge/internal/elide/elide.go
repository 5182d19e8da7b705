// Package elide finds entries of a YAML text that can be left out of it: block
// mapping entries, whole and one or several in a row, so plainly written that
// another entry can stand for them without changing how the rest of the text
// is read.
//
// It reads lines, not YAML, and knows one style of it: fields and items in
// block style whose values are scalars of one line, literals and folded text,
// and flow collections of one line. Every other line stays, and with it every
// entry that it stands in.
//
// The law. Let a run be replaced by one entry `key: x` in its column, whose key
// occurs nowhere. If the shorter text parses, and that entry is a field of a
// block mapping, then the longer text parses too, and is the same tree but for
// the fields of the run in place of the one. For a run consists of complete
// entries, in one column: it has no anchors, aliases, tags, merge keys,
// directives, markers, tabs, nor text of several lines in plain or quoted style
// or in brackets. What follows it, comments aside, stands in its column or left
// of it, so that it continues nothing in the run. And comments between the two
// stand so that they belong to what is around the run whichever entry ends it.
package elide

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"

// A Run is entries that can be left out.
type Run struct {
	text.Span             // whole lines; the first and the last are no trivia
	Col       int         // the column of the entries
	Names     []text.Span // their keys, without quotes
	names     int
	// Resources are the identities of the documents that the run consists of,
	// if it consists of whole documents, each with its ---: kind, namespace
	// and name. Another --- follows it.
	Resources [][3]string
}

// Options say what has to stay.
type Options struct {
	// Keep says which fields stay, if only as entries of their own: what is
	// within them may be left out, and so they may with what they are in.
	Keep map[string]bool
	// Items allows runs within items of lists. Fields of an item that are no
	// block collections stay, as the item is known by them.
	Items bool
	// Unique demands that no key stands twice in a mapping of a run.
	Unique bool
}

// Find returns the runs in the parts of src, which are whole lines and in
// order. A run lies within one part, and so does the line behind it that ends
// it.
func Find(src []byte, parts []text.Span, opts Options) []Run {
	s := scanner{src: src, opts: opts}
	if opts.Unique {
		s.keys = map[uint64]bool{}
	}
	at := 0
	for _, p := range parts {
		s.outside(text.Span{Start: at, End: p.Start})
		s.lines(p)
		at = p.End
	}
	return s.found()
}

// found returns the runs with their names.
func (s *scanner) found() []Run {
	end := len(s.names)
	for i := len(s.runs) - 1; i >= 0; i-- {
		r := &s.runs[i]
		r.Names = s.names[r.names:end]
		end = r.names
	}
	return s.runs
}

// outside reads what lies between two parts.
func (s *scanner) outside(p text.Span) {
	s.breach()
	if !p.Empty() {
		s.dirty = true
		s.lines(p)
		s.dirty = false
		s.breach()
	}
}

// lines reads whole lines.
func (s *scanner) lines(p text.Span) {
	for at := p.Start; at < p.End; {
		l := readLine(s.src, at, p.End)
		s.line(l)
		at = l.End
	}
}

// Block is what the value of a field can be that is indented below it.
type Block uint8

// The blocks.
const (
	Mapping Block = iota
	List
	Text
)

// Indents calls see for the blocks of the runs of src that are values of
// fields, with the columns by which they are indented.
func Indents(src []byte, runs []Run, see func(b Block, by int)) {
	s := scanner{src: src, see: see}
	for _, r := range runs {
		s.open, s.text = s.open[:0], false
		s.lines(r.Span)
	}
}
