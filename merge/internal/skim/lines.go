package skim

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// blockScalar reads a literal or folded scalar whose header says at most how it ends.
func (r *reader) blockScalar(col int) *Node {
	n := r.node(yaml.ScalarNode, yaml.LiteralStyle)
	if r.at('>') {
		n.Style = yaml.FoldedStyle
	}
	r.pos++
	chomp := r.src[r.pos]
	if chomp == '-' || chomp == '+' {
		r.pos++
	}
	if r.spaces(); !r.at('\n') {
		r.fail()
		return n
	}
	r.toLine()
	n.Value = r.lines(col, chomp, n.Style == yaml.FoldedStyle)
	if r.open && r.pos == len(r.src) {
		r.fail()
	}
	r.next()
	return n
}

// lines reads the lines of a block scalar.
func (r *reader) lines(col int, chomp byte, folded bool) string {
	var b strings.Builder
	indent, breaks := 0, 0
	above := true // no text, or a line that starts with a blank, is above
	for r.pos < len(r.src) {
		at := r.pos
		for r.src[at] == ' ' && (indent == 0 || at-r.pos < indent) {
			at++
		}
		width := at - r.pos
		if r.src[at] == '\n' {
			if indent == 0 && width > col+1 {
				r.fail() // it may be what says how far the lines are indented
				return ""
			}
			breaks++
			r.toLine()
			continue
		}
		if indent == 0 {
			indent = width
		}
		if width < indent || indent <= col || r.src[at] == '\t' {
			break
		}
		blank := r.src[at] == ' '
		switch {
		case !folded || above || blank:
			writeBreaks(&b, breaks)
		default:
			b.WriteString(folds(breaks - 1))
		}
		r.toLine()
		b.WriteString(r.src[at : r.pos-1])
		breaks, above = 1, blank
	}
	switch {
	case b.Len() == 0:
		r.fail()
	case chomp == '-':
		breaks = 0
	case chomp != '+':
		breaks = min(breaks, 1)
	}
	writeBreaks(&b, breaks)
	return b.String()
}

func writeBreaks(b *strings.Builder, n int) {
	for range n {
		b.WriteByte('\n')
	}
}
