package syntax

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"
)

// properties places the anchor and the tag of y at the cursor, which stands
// on the first of them, if there are any. It leaves the cursor behind the
// last one and reports whether there was one. The indent is that of the block
// collection around an empty y.
func (p *placer) properties(n *Node, y *yaml.Node, indent int, e *Entry) bool {
	stop := p.firstKey(y)
	anchor, tag := y.Anchor != "", y.Style&yaml.TaggedStyle != 0
	for found := false; ; found = true {
		save, odd, comment := p.cursor, e.Odd, e.Comment
		if found {
			p.space(e)
		}
		start := p.pos
		switch {
		case start == stop:
		case p.at('&') && anchor:
			anchor = false
			p.name('&', n.Anchor)
		case p.at('!') && n.TagText == "" && (tag || p.lone(y, found, indent)):
			tag = false
			p.pos = p.tagEnd()
			n.own()
			n.TagText = string(p.src[start:p.pos])
		}
		if p.pos == start {
			p.cursor, e.Odd, e.Comment = save, odd, comment
			if anchor || tag {
				p.fail("an anchor or tag is not where it should be")
			}
			return found
		}
		if !found {
			n.Span.Start = start
		}
		n.Span.End = p.pos
	}
}

// lone reports whether the tag at the cursor is a "!", which the YAML parser
// drops, and belongs to y: below the anchor of an empty node, one in the
// column of the collection belongs to the next key.
func (p *placer) lone(y *yaml.Node, below bool, indent int) bool {
	tag := string(p.src[p.pos:p.tagEnd()])
	if tag != "!" && tag != "!<!>" {
		return false
	}
	return !below || !blank(y) || p.column() > indent
}

// firstKey returns the offset of the first key of the block mapping y, -1 if
// it does not limit y's properties. The properties of a mapping and of its
// first key look alike; the YAML parser's positions tell them apart.
func (p *placer) firstKey(y *yaml.Node) int {
	if y.Kind == yaml.MappingNode && isBlock(y) && len(y.Content) > 0 {
		ahead := p.where
		if off, ok := ahead.offset(y.Content[0].Line, y.Content[0].Column); ok {
			return off
		}
	}
	return -1
}

// hasProperties reports whether the block collection y, at whose start the
// cursor stands, has an anchor or a tag.
func (p *placer) hasProperties(y *yaml.Node) bool {
	return p.atProperties() && !startsWithKey(y)
}

// atProperties reports whether an anchor or a tag starts at the cursor.
func (p *placer) atProperties() bool { return p.at('&') || p.at('!') }

// startsWithKey reports whether y is a mapping that the YAML parser saw where its first key is.
func startsWithKey(y *yaml.Node) bool {
	if y.Kind != yaml.MappingNode || len(y.Content) == 0 {
		return false
	}
	return y.Content[0].Line == y.Line && y.Content[0].Column == y.Column
}

// nameChars may stand in an anchor's name.
const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// name moves over the indicator of an anchor or alias and its name.
func (p *placer) name(indicator byte, name string) {
	p.expect(indicator)
	end := p.pos
	for end < len(p.src) && strings.IndexByte(nameChars, p.src[end]) >= 0 {
		end++
	}
	if word, ok := strings.CutSuffix(name, strippedAs); ok && bytes.HasPrefix(p.src[end:], []byte(stripped)) {
		name, end = word+stripped, end+len(stripped)
	}
	if string(p.src[p.pos:end]) != name {
		p.fail("a name is not where it should be")
	}
	p.pos = end
}

// tagEnd returns the end of the tag at the cursor.
func (p *placer) tagEnd() int {
	end := p.pos
	for !isBlankz(p.src, end) {
		end++
	}
	return end
}

// scalar moves over the content of the scalar or alias n.
func (p *placer) scalar(n *Node, indent int, e *Entry) {
	switch {
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
	if end := p.pos + len(value); end <= len(p.src) && string(p.src[p.pos:end]) == value {
		p.pos = end
		return
	}
	end, ok := readsAs(p.src, p.pos, value)
	if !ok {
		p.fail("a plain scalar does not read as its value")
	}
	p.pos = end
}

// readsAs reports whether the text at off reads as value, white space aside,
// and returns the end of its last character that is no white space.
func readsAs(src []byte, off int, value string) (end int, ok bool) {
	end = off
	want := []byte(value)
	for i := skipWhite(want, 0); i < len(want); i = skipWhite(want, i+1) {
		end = skipWhite(src, end)
		if end == len(src) || src[end] != want[i] {
			return end, false
		}
		end++
	}
	return end, true
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
	verbatim, ok := p.toQuote(quote)
	if !ok {
		p.fail("a quoted scalar has no end")
	}
	if inner := p.src[start+1 : p.pos-1]; verbatim && string(inner) != value {
		if end, ok := readsAs(inner, 0, value); !ok || skipWhite(inner, end) < len(inner) {
			p.fail("a quoted scalar does not read as its value")
		}
	}
}

// toQuote moves behind the closing quote. It reports whether every character
// stands for itself, and false if there is no closing quote.
func (p *placer) toQuote(quote byte) (verbatim, ok bool) {
	for verbatim = true; ; verbatim = false {
		i := bytes.IndexByte(p.src[p.pos:], quote)
		if i < 0 {
			return verbatim, false
		}
		escape := -1
		if quote == '"' {
			escape = bytes.IndexByte(p.src[p.pos:p.pos+i], '\\')
		}
		switch {
		case escape >= 0:
			p.pos += escape + 2
		case quote == '\'' && p.pos+i+1 < len(p.src) && p.src[p.pos+i+1] == quote:
			p.pos += i + 2
		default:
			p.pos += i + 1
			return verbatim, true
		}
	}
}

// blockScalar moves over a literal or folded scalar in a collection with the
// given indent, as the YAML parser's scanner does.
func (p *placer) blockScalar(n *Node, indent int, e *Entry) {
	if !p.at('|') && !p.at('>') {
		p.fail("expected a block scalar")
	}
	p.pos++
	keep, width := false, 0
	for ; p.pos < len(p.src) && strings.IndexByte("+-123456789", p.src[p.pos]) >= 0; p.pos++ {
		switch b := p.src[p.pos]; b {
		case '+':
			keep = true
		case '-':
		default:
			width = int(b - '0')
		}
	}
	if width > 0 {
		width += max(indent, 0)
	}
	p.headBreak(e)
	n.own()
	n.Lines.Start = p.pos
	if width == 0 {
		width = max(p.detectIndent(), indent+1, 1)
	}
	n.Indent = width
	p.blockLines(n, keep)
	n.Lines.End = p.pos
	lines := p.src[n.Lines.Start:n.Lines.End]
	if end, ok := readsAs(lines, 0, n.Value); !ok || skipWhite(lines, end) < len(lines) {
		p.fail("a block scalar does not read as its value")
	}
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
