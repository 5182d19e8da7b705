// Package elide finds entries of a YAML text that can be left out of it: block
// mapping entries, whole and one or several in a row, so plainly written that
// another entry can stand for them without changing how the rest of the text
// is read.
//
// The lines of a text end alike: with LF, or with CR LF; those of the entry that
// stands for others have to end so, too.
//
// It reads lines, not YAML, and knows one style of it: fields and items in
// block style whose values are scalars of one line, literals and folded text,
// and flow collections of one line. Every other line stays, and with it every
// entry that it stands in. Of an item those fields stay that are no block collections, as it
// may be known by them; whole items are a run that have a field name, and nothing that would
// be tried before that to tell items apart.
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

// A Source is a text cut into lines.
type Source struct {
	Text   []byte  // with one kind of line break
	Starts []int32 // of each line, and the end of the text
	IDs    []int32 // of each line, from 0 up; equal lines have equal ones
}

// A Run is entries that can be left out.
type Run struct {
	text.Span             // whole lines; the first and the last are no trivia
	Col       int         // the column of the entries
	Names     []text.Span // their keys, or the names of the items, without quotes
	Items     bool        // the entries are items of a list that have names
	names     int
	// Indents are those of its blocks.
	Indents Indents
	// Resources are the identities of the documents that the run consists of,
	// if it consists of whole documents, each with its ---: kind, namespace
	// and name. Another --- follows it.
	Resources [][3]text.Span
}

// Options say what has to stay.
type Options struct {
	// Keep says which fields stay, if only as entries of their own: what is
	// within them may be left out, and so they may with what they are in.
	Keep map[string]bool
	// Unique demands that no key stands twice in a mapping of a run.
	Unique bool
}

// Find returns the runs in the parts of src, which are whole lines and in
// order. A run lies within one part, and so does the line behind it that ends
// it.
func Find(src Source, parts []text.Span, opts Options) []Run {
	s := scanner{Source: src, opts: opts, forms: newForms(len(src.Starts))}
	for _, p := range parts {
		s.outside(p.Start)
		s.upTo(p.End)
	}
	return s.found()
}
