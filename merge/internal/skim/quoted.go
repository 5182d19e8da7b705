package skim

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// quoteEnd returns the end of the quoted scalar at the cursor, -1 if it does not
// end on its line, or has an escape that is not read here.
func (r *reader) quoteEnd() int {
	quote := r.src[r.pos]
	for at := r.pos + 1; ; at++ {
		switch c := r.src[at]; {
		case c == '\n' || c == '\t':
			return -1
		case c == '\\' && quote == '"':
			if at++; unescaped(r.src[at]) == 0 {
				return -1
			}
		case c == quote && quote == '\'' && r.src[at+1] == quote:
			at++
		case c == quote:
			return at + 1
		}
	}
}

// unescaped is what a backslash and c stand for in double quotes, 0 if that is
// not read here.
func unescaped(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case '"', '\\':
		return c
	}
	return 0
}

// quoted reads a scalar in quotes; nil if it cannot be read here.
func (r *reader) quoted() *Node {
	end := r.quoteEnd()
	if end < 0 {
		return nil
	}
	style, value := yaml.SingleQuotedStyle, r.src[r.pos+1:end-1]
	if r.src[r.pos] == '"' {
		style, value = yaml.DoubleQuotedStyle, unescape(value)
	} else if strings.IndexByte(value, '\'') >= 0 {
		value = strings.ReplaceAll(value, "''", "'")
	}
	n := r.node(yaml.ScalarNode, style)
	n.Value, r.pos = value, end
	return n
}

func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' {
			i++
			c = unescaped(s[i])
		}
		b.WriteByte(c)
	}
	return b.String()
}

// quotedLines reads a scalar in quotes, in a collection in the column col, that ends on a
// later line and has no escapes but doubled quotes.
func (r *reader) quotedLines(col int) *Node {
	style, inside := yaml.DoubleQuotedStyle, r.src[r.pos+1:]
	if r.at('\'') {
		style = yaml.SingleQuotedStyle
	}
	end := closing(inside, r.src[r.pos])
	if end < 0 {
		r.fail()
		return nil
	}
	n := r.node(yaml.ScalarNode, style)
	lines := strings.Split(inside[:end], "\n")
	r.line += len(lines) - 1
	r.pos += 1 + end + 1
	value, ok := foldQuoted(lines, col)
	if !ok {
		r.fail()
	}
	if n.Value = value; style == yaml.SingleQuotedStyle {
		n.Value = strings.ReplaceAll(value, "''", "'")
	}
	return n
}

// closing returns where the quote that ends a scalar stands in what follows its
// first one, -1 if there is none or an escape before it.
func closing(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quote == '"', s[i] == '\t':
			return -1
		case s[i] == quote && quote == '\'' && i+1 < len(s) && s[i+1] == quote:
			i++
		case s[i] == quote:
			return i
		}
	}
	return -1
}

// foldQuoted joins the lines of a scalar in quotes. It reports false if one of them
// is not indented more than col, the last one with its quote included.
func foldQuoted(lines []string, col int) (string, bool) {
	var b strings.Builder
	empty := 0
	for i, line := range lines {
		text := strings.TrimLeft(line, " ")
		last := i == len(lines)-1
		switch {
		case i == 0:
			text = line
		case text == "" && !last:
			empty++
			continue
		case len(line)-len(text) <= col:
			return "", false
		default:
			b.WriteString(folds(empty))
			empty = 0
		}
		if !last {
			text = strings.TrimRight(text, " ")
		}
		b.WriteString(text)
	}
	return b.String(), true
}
