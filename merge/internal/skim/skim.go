// Package skim reads YAML that is written plainly, as most manifests are, into the
// nodes that yaml.v3 would read from it, in a tenth of its time and memory. It is not to know
// YAML: whatever it does not know for certain, and all that is no YAML, it leaves to
// yaml.v3, as a whole file.
//
// What it knows are mappings and sequences in block style, keys on one line, plain
// scalars, block scalars, those in quotes, flow collections on one line, comments, and
// documents that start with a bare "---".
//
// Of an empty node, the position means nothing.
package skim

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Read calls use with the document nodes of data, or reports false if yaml.v3 is to read
// it. When use returns, the nodes are gone.
func Read(data []byte, use func([]*Node)) bool {
	ascii, ok := printable(data)
	if !ok {
		return false
	}
	r := reader{line: 1, ascii: ascii}
	if r.open = len(data) > 0 && data[len(data)-1] != '\n'; r.open {
		data = append(data[:len(data):len(data)], '\n')
	}
	r.src = string(data)
	r.use(bytes.Count(data, []byte("\n")))
	roots := r.documents()
	if !r.bad {
		use(roots)
	}
	r.release()
	return !r.bad
}

// A reader reads one file. Its cursor stands at the start of a line, or at a token of
// the line that starts at bol.
type reader struct {
	src   string
	pos   int
	bol   int // the start of the line
	line  int // its number, from 1
	depth int
	ascii bool
	open  bool // the file's last line has no end; src has one
	// indent is that of the line with content that next has found; -1 at a "---"
	// and at the end of the file.
	indent int
	// bad says that this is nothing to skim. It sticks, and the cursor then stands
	// at the end.
	bad bool
	memory
}

// maxDepth is the nesting from which on files are left to yaml.v3, far below what it
// refuses.
const maxDepth = 500

// printable reports whether data has only characters that YAML takes for themselves,
// and whether all are of ASCII.
func printable(data []byte) (ascii, ok bool) {
	ascii = true
	for i := 0; i < len(data); i++ {
		switch b := data[i]; {
		case b >= utf8.RuneSelf:
			r, n := utf8.DecodeRune(data[i:])
			if !plainRune(r) {
				return false, false
			}
			ascii, i = false, i+n-1
		case b < ' ' && b != '\n' && b != '\t', b > '~':
			return false, false
		}
	}
	return ascii, true
}

// plainRune reports whether r, which is not of ASCII, is a letter like any other to YAML:
// no line break, no byte order mark, nothing that it forbids.
func plainRune(r rune) bool {
	switch r {
	case utf8.RuneError, '\u2028', '\u2029', '\ufeff':
		return false
	}
	return r >= 0xa0 && r != 0xfffe && r != 0xffff
}

// documents reads all documents.
func (r *reader) documents() []*Node {
	var roots []*Node
	for r.next(); !r.bad && r.pos < len(r.src); {
		if r.indent < 0 {
			r.pos += len("---")
			r.endLine()
		}
		root := r.root()
		if r.indent >= 0 {
			r.fail()
		}
		doc := r.node(yaml.DocumentNode, 0)
		r.push(root)
		doc.Content = r.pop(0)
		roots = append(roots, doc)
	}
	return roots
}

func (r *reader) root() *Node {
	if r.indent < 0 {
		return r.scalar("")
	}
	return r.block(r.indent)
}

// fail leaves the file to yaml.v3.
func (r *reader) fail() {
	r.bad, r.pos, r.indent = true, len(r.src), -1
}

// next moves from the start of a line to what stands first on the next line with
// content, this one included.
func (r *reader) next() {
	for r.indent = -1; r.pos < len(r.src); {
		at := r.pos
		for r.src[at] == ' ' {
			at++
		}
		if c := r.src[at]; c == '\n' || c == '#' {
			r.pos = at
			r.toLine()
			continue
		}
		r.bol, r.pos = r.pos, at
		if at > r.bol || !r.marker("---") {
			r.indent = at - r.bol
		}
		if at == r.bol && r.marker("...") {
			r.fail()
		}
		return
	}
}

func (r *reader) marker(m string) bool {
	return strings.HasPrefix(r.src[r.pos:], m) && isSpace(r.src[r.pos+len(m)])
}

// isSpace reports whether b, of a file without tabs between its tokens, ends a token.
func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' }

// toLine moves to the start of the next line.
func (r *reader) toLine() {
	r.pos += strings.IndexByte(r.src[r.pos:], '\n') + 1
	r.line++
}

// spaces moves over spaces.
func (r *reader) spaces() {
	for r.pos < len(r.src) && r.src[r.pos] == ' ' {
		r.pos++
	}
}

// at reports whether the next byte is b.
func (r *reader) at(b byte) bool { return r.pos < len(r.src) && r.src[r.pos] == b }

// endLine moves from the end of what stands on a line to the next line with content.
// Nothing but a comment may follow.
func (r *reader) endLine() {
	r.spaces()
	if !r.at('\n') && !(r.at('#') && r.src[r.pos-1] == ' ') {
		r.fail()
		return
	}
	r.toLine()
	r.next()
}
