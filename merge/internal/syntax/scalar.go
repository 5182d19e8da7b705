package syntax

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// scalar moves over the content of the scalar or alias n.
func (p *placer) scalar(n *Node, y *yaml.Node, indent int, e *Entry) {
	switch {
	case p.err != nil:
	case n.Kind == Alias:
		p.name('*', n.Value)
	case n.Style == Plain:
		p.plain(n.Value)
	case n.Style == SingleQuoted:
		p.quoted('\'', n.Value)
	case n.Style == DoubleQuoted:
		p.quoted('"', n.Value)
	default:
		p.blockScalar(n, indent, e)
	}
}

// plain moves over a plain scalar. On one line its text is its value; over
// several only the white space differs.
func (p *placer) plain(value string) {
	if value == "" {
		return
	}
	if strings.HasPrefix(string(p.src[p.pos:min(len(p.src), p.pos+len(value))]), value) {
		p.pos += len(value)
		return
	}
	off := p.pos
	for i := 0; i < len(value); {
		if n := whiteLen(value, i); n > 0 {
			i += n
			continue
		}
		off = skipWhite(p.src, off)
		if off == len(p.src) || p.src[off] != value[i] {
			p.fail("a plain scalar does not read as its value")
			return
		}
		i++
		off++
	}
	p.pos = off
}

// whiteLen returns the length of the white space character at value[i], 0 if
// there is none.
func whiteLen(value string, i int) int {
	switch b := value[i]; {
	case isBlank(b):
		return 1
	case b > '\r' && b < 0x80:
		return 0
	}
	return breakLen([]byte(value[i:min(len(value), i+3)]), 0)
}

// skipWhite returns the offset of the next byte at or behind off that is no
// white space.
func skipWhite(src []byte, off int) int {
	for off < len(src) {
		n := 1
		if !isBlank(src[off]) {
			n = breakLen(src, off)
		}
		if n == 0 {
			break
		}
		off += n
	}
	return off
}

// quoted moves over a scalar in quotes.
func (p *placer) quoted(quote byte, value string) {
	start := p.pos
	p.expect(quote)
	if p.err != nil {
		return
	}
	verbatim := true
	for {
		i := bytes.IndexByte(p.src[p.pos:], quote)
		if i < 0 {
			p.fail("a quoted scalar has no end")
			return
		}
		run := p.src[p.pos : p.pos+i]
		if quote == '"' {
			if j := bytes.IndexByte(run, '\\'); j >= 0 {
				verbatim = false
				p.pos = min(p.pos+j+2, len(p.src))
				continue
			}
		}
		p.pos += i + 1
		if quote == '"' || !p.at(quote) {
			break
		}
		verbatim = false
		p.pos++
	}
	inner := p.src[start+1 : p.pos-1]
	if verbatim && string(inner) != value && bytes.IndexByte(inner, '\n') < 0 && p.oneLine(inner) {
		p.pos = start
		p.fail("a quoted scalar does not read as its value")
	}
}

// oneLine reports whether b holds no line break.
func (p *placer) oneLine(b []byte) bool {
	return p.lf || onlyLF(b)
}

// blockScalar moves over a literal or folded scalar in a collection with the
// given indent, as the YAML parser's scanner does.
func (p *placer) blockScalar(n *Node, indent int, e *Entry) {
	if !p.at('|') && !p.at('>') {
		p.fail("expected a block scalar")
		return
	}
	p.pos++
	width, keep := p.blockHeader()
	if width > 0 {
		width += max(indent, 0)
	}
	p.headBreak(e)
	if p.err != nil {
		return
	}
	n.Lines.Start = p.pos
	if width == 0 {
		width = max(p.detectIndent(), indent+1, 1)
	}
	n.Indent = width
	p.blockLines(n, keep)
	n.Lines.End = p.pos
}

// blockHeader moves over the indicators of a block scalar's header: it
// returns the indentation written there, 0 if none is, and whether trailing
// breaks are kept.
func (p *placer) blockHeader() (width int, keep bool) {
	for ; p.pos < len(p.src); p.pos++ {
		switch b := p.src[p.pos]; {
		case b == '+':
			keep = true
		case b >= '1' && b <= '9':
			width = int(b - '0')
		case b != '-':
			return width, keep
		}
	}
	return width, keep
}

// detectIndent returns the indentation of a block scalar whose header does
// not say it: that of its first line that is not empty, or of the longest of
// the lines of spaces before it.
func (p *placer) detectIndent() int {
	width := 0
	for off := p.pos; off < len(p.src); {
		end := off
		for end < len(p.src) && p.src[end] == ' ' {
			end++
		}
		width = max(width, end-off)
		n := breakLen(p.src, end)
		if n == 0 {
			break
		}
		off = end + n
	}
	return width
}

// blockLines moves over the lines of a block scalar. Empty lines at its end
// are part of it only if keep is set.
func (p *placer) blockLines(n *Node, keep bool) {
	end := p.pos
	for off := p.pos; off < len(p.src); {
		column, rest := 0, off
		for column < n.Indent && rest < len(p.src) && p.src[rest] == ' ' {
			column++
			rest++
		}
		empty := breakLen(p.src, rest) > 0
		if !empty && (column < n.Indent || rest == len(p.src)) {
			break
		}
		off = p.lineAfter(rest)
		if !empty || keep {
			end = off
		}
	}
	p.pos, p.bol = end, end
}

// verifyLiteral reports whether the lines of the literal n read as its value.
func verifyLiteral(src []byte, n *Node) bool {
	value := n.Value
	for off := n.Lines.Start; off < n.Lines.End; {
		s := text.Span{Start: off, End: off}
		for s.End < n.Lines.End && breakLen(src, s.End) == 0 {
			s.End++
		}
		off = s.End + breakLen(src, s.End)
		s.Start = min(s.End, s.Start+n.Indent)
		rest, ok := strings.CutPrefix(value, string(src[s.Start:s.End]))
		if !ok {
			return false
		}
		value = strings.TrimLeft(rest, "")
		value = strings.TrimPrefix(value, "\n")
	}
	return value == ""
}
