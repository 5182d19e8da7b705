package skim

import "strings"

// inline reads a value that is no block collection, up to the next line with
// content. It is part of a collection in the column col.
func (r *reader) inline(col int) *Node {
	if r.bad {
		return nil
	}
	var n *Node
	switch c := r.src[r.pos]; c {
	case '|', '>':
		return r.blockScalar(col)
	case '"', '\'':
		if n = r.quoted(); n == nil {
			n = r.quotedLines(col)
		}
	case '{', '[':
		n = r.flow()
	case '-':
		if isSpace(r.src[r.pos+1]) {
			r.fail()
			return nil
		}
		return r.plain(col)
	case '&', '*', '!', '%', '@', '`', '?', ',', ']', '}', ':', '<', '=':
		r.fail()
		return nil
	default:
		return r.plain(col)
	}
	r.endLine()
	return n
}

// plain reads a plain scalar, which may go on in lines that are indented more than
// col.
func (r *reader) plain(col int) *Node {
	n := r.scalar("")
	words, more := r.words()
	for more && !r.bad {
		at, line := r.pos, r.line
		if r.next(); r.indent <= col {
			break
		}
		if strings.Contains(r.src[at:r.bol], "#") {
			r.fail()
			break
		}
		join := folds(r.line - line)
		var part string
		part, more = r.words()
		words += join + part
	}
	if !more && !r.bad {
		r.next()
	}
	if n.Value = words; r.indent > col {
		r.fail()
	}
	return n
}

// folds is what stands for a line's end in a scalar and for as many empty lines below.
func folds(empty int) string {
	if empty == 0 {
		return " "
	}
	return strings.Repeat("\n", empty)
}

// words reads the rest of the line as text of a plain scalar and moves to the next
// line. It reports whether the scalar may go on there, as it does not behind a
// comment.
func (r *reader) words() (text string, more bool) {
	start := r.pos
	r.toLine()
	text, more = r.src[start:r.pos-1], true
	if i := strings.Index(text, " #"); i >= 0 {
		text, more = text[:i], false
	}
	text = strings.TrimRight(text, " ")
	if strings.HasSuffix(text, ":") || strings.Contains(text, ": ") || strings.IndexByte(text, '\t') >= 0 {
		r.fail()
	}
	return text, more
}
