// Package elide leaves entries out of the three versions of a file that all of them have
// in lines that nobody changed, and puts them back into the merge of the rest. To parse and
// verify is nearly all of what a merge costs, and of most large files little is changed.
//
// Goals: the result of the whole merge, byte for byte; one pass over the lines of the base.
// Non-goals: to read YAML; to leave out all that could be.
//
// It reads a plain skeleton of lines, and knows one style of it: fields and items in block
// style whose values are scalars of one line, plain text on several, literals and folded
// text, and flow collections of scalars on one line. Every other line stays, and with it every entry
// that it stands in.
//
//	a: 1          # left out
//	b: &x {c: 1}  # stays, for its anchor
//	d:            # left out, with all that is in it
//	- e: |
//	    text
//	z: 1          # stays, as nothing follows that ends it
//
// The law. Let a run be replaced by one entry `key: x` in its column, whose key
// occurs nowhere. If the shorter text parses, and that entry is a field of a
// block mapping, then the longer text parses too, and is the same tree but for
// the fields of the run in place of the one. For a run consists of complete
// entries, in one column: it has no anchors, aliases, tags, merge keys,
// directives, markers, tabs, nor text of several lines in quotes
// or in brackets. What follows it, comments aside, stands in its column or left
// of it, so that it continues nothing in the run. And comments between the two
// stand so that they belong to what is around the run whichever entry ends it.
package elide
