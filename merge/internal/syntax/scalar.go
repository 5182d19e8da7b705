package syntax

import (
	"bytes"
	"strings"

	"gopkg.in/yaml.v3"
)

// skipProperties moves over the properties of n, which is y, and over the trivia between them. It sets n.Span to the
// properties and n.TagText to the tag. Comments between the properties are added to e. It reports whether there is a
// property; if there is none, nothing changes. It fails if y has an anchor or a tag that is not at the cursor. indent
// is the column of the block collection around y.
func (p *locator) skipProperties(n *Node, y *yaml.Node, indent int, e *Entry) bool {
	firstKey := p.firstKeyOffset(y)
	needsAnchor, needsTag := y.Anchor != "", y.Style&yaml.TaggedStyle != 0
	for found := false; ; found = true {
		saved, irregular, comment := p.cursor, e.Irregular, e.Comment
		if found {
			p.skipHeadTrivia(e)
		}
		start := p.pos
		switch {
		case start == firstKey:
		case p.nextIs('&') && needsAnchor:
			needsAnchor = false
			p.skipName('&', n.Anchor)
		case p.nextIs('!') && n.TagText == "" && (needsTag || p.isLoneTag(y, found, indent)):
			needsTag = false
			p.pos = p.tagEnd()
			n.unshareExtra()
			n.TagText = string(p.src[start:p.pos])
		}
		if p.pos == start {
			p.cursor, e.Irregular, e.Comment = saved, irregular, comment
			if needsAnchor || needsTag {
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

// isLoneTag reports whether the tag at the cursor is a lone "!" that belongs to y. The YAML parser drops such tags, so
// that y does not show it. If y has no content and an anchor precedes the tag, a tag at column indent or to the left
// of it belongs to the next key instead.
func (p *locator) isLoneTag(y *yaml.Node, hasAnchorBefore bool, indent int) bool {
	tag := string(p.src[p.pos:p.tagEnd()])
	if tag != "!" && tag != "!<!>" {
		return false
	}
	return !hasAnchorBefore || !hasNoContent(y) || p.column() > indent
}

// firstKeyOffset returns the offset of the first key of the block mapping y. Properties at that offset belong to the
// key, and properties before it belong to the mapping. It returns -1 if y is not a block mapping or the offset is
// unknown.
func (p *locator) firstKeyOffset(y *yaml.Node) int {
	if y.Kind == yaml.MappingNode && isBlock(y) && len(y.Content) > 0 {
		finder := p.finder
		if off, ok := finder.find(y.Content[0].Line, y.Content[0].Column); ok {
			return off
		}
	}
	return -1
}

// hasProperties reports whether the block collection y, which starts at the cursor, has an anchor or a tag.
func (p *locator) hasProperties(y *yaml.Node) bool {
	return p.atProperties() && !startsWithKey(y)
}

// atProperties reports whether an anchor or a tag starts at the cursor.
func (p *locator) atProperties() bool { return p.nextIs('&') || p.nextIs('!') }

// startsWithKey reports whether y is a mapping with the same position as its first key. Properties at that position
// belong to the key.
func startsWithKey(y *yaml.Node) bool {
	if y.Kind != yaml.MappingNode || len(y.Content) == 0 {
		return false
	}
	return y.Content[0].Line == y.Line && y.Content[0].Column == y.Column
}

// nameChars are the characters that the YAML parser allows in the name of an anchor.
const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// skipName moves over an anchor or an alias: the indicator & or * and the given name. It fails if they are not at the
// cursor.
func (p *locator) skipName(indicator byte, name string) {
	p.expect(indicator)
	end := p.pos
	for end < len(p.src) && strings.IndexByte(nameChars, p.src[end]) >= 0 {
		end++
	}
	if word, ok := strings.CutSuffix(name, strippedSuffix); ok && bytes.HasPrefix(p.src[end:], []byte(strippedWord)) {
		name, end = word+strippedWord, end+len(strippedWord)
	}
	if string(p.src[p.pos:end]) != name {
		p.fail("a name is not where it should be")
	}
	p.pos = end
}

// tagEnd returns the end of the tag at the cursor.
func (p *locator) tagEnd() int {
	end := p.pos
	for !isBlankOrEnd(p.src, end) {
		end++
	}
	return end
}

// skipScalar moves over the content of n, which is a scalar or an alias. It fails if the text at the cursor does not
// match its value. indent is the column of the block collection around it. A comment in the header of a block scalar
// is added to e.
func (p *locator) skipScalar(n *Node, indent int, e *Entry) {
	switch {
	case n.Kind == Alias:
		p.skipName('*', n.Value)
	case n.Style == Plain:
		p.skipPlain(n.Value)
	case n.Style == SingleQuoted:
		p.skipQuoted('\'', n.Value)
	case n.Style == DoubleQuoted:
		p.skipQuoted('"', n.Value)
	default:
		p.skipBlockScalar(n, indent, e)
	}
}

// skipPlain moves over a plain scalar. The text of a scalar on one line is its value. The text of a scalar on several
// lines differs from its value only in white space.
func (p *locator) skipPlain(value string) {
	if end := p.pos + len(value); end <= len(p.src) && string(p.src[p.pos:end]) == value {
		p.pos = end
		return
	}
	end, ok := matchValue(p.src, p.pos, value)
	if !ok {
		p.fail("a plain scalar does not read as its value")
	}
	p.pos = end
}

// matchValue reports whether the text at off starts with value, if white space is ignored in both. end is the end of
// the last matching character; it is meaningful only if ok is true.
func matchValue(src []byte, off int, value string) (end int, ok bool) {
	end = off
	want := []byte(value)
	for i := skipWhiteSpace(want, 0); i < len(want); i = skipWhiteSpace(want, i+1) {
		end = skipWhiteSpace(src, end)
		if end == len(src) || src[end] != want[i] {
			return end, false
		}
		end++
	}
	return end, true
}

// skipWhiteSpace returns the offset of the first byte at or after off that is neither a blank nor part of a line
// break.
func skipWhiteSpace(src []byte, off int) int {
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

// skipQuoted moves over a scalar in quotes. It fails if there is no closing quote, or if the scalar has no escaped
// characters and its text does not match value.
func (p *locator) skipQuoted(quote byte, value string) {
	start := p.pos
	p.expect(quote)
	verbatim, ok := p.skipPastQuote(quote)
	if !ok {
		p.fail("a quoted scalar has no end")
	}
	if inner := p.src[start+1 : p.pos-1]; verbatim && string(inner) != value {
		if end, ok := matchValue(inner, 0, value); !ok || skipWhiteSpace(inner, end) < len(inner) {
			p.fail("a quoted scalar does not read as its value")
		}
	}
}

// skipPastQuote moves to the byte after the closing quote. verbatim reports whether there is no escaped character
// before it. ok is false if there is no closing quote.
func (p *locator) skipPastQuote(quote byte) (verbatim, ok bool) {
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

// skipBlockScalar moves over n, a literal or folded scalar in a block collection at column indent, by the same rules
// as the YAML parser. It sets n.Lines and n.Indent, and adds the comment of the header to e. It fails if the lines do
// not match the value of n.
func (p *locator) skipBlockScalar(n *Node, indent int, e *Entry) {
	if !p.nextIs('|') && !p.nextIs('>') {
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
	p.skipRestOfLine(e)
	n.unshareExtra()
	n.Lines.Start = p.pos
	if width == 0 {
		width = max(p.detectIndent(), indent+1, 1)
	}
	n.Indent = width
	p.skipBlockLines(n, keep)
	n.Lines.End = p.pos
	lines := p.src[n.Lines.Start:n.Lines.End]
	if end, ok := matchValue(lines, 0, n.Value); !ok || skipWhiteSpace(lines, end) < len(lines) {
		p.fail("a block scalar does not read as its value")
	}
}

// detectIndent returns the indentation of a block scalar whose header does not specify it. That is the number of
// spaces before its first line with content, or the number of spaces in the longest line of spaces above that line if
// it is larger.
func (p *locator) detectIndent() int {
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

// skipBlockLines moves over the lines of the block scalar n. Blank lines at its end are part of it only if keep is
// true.
func (p *locator) skipBlockLines(n *Node, keep bool) {
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
		off = p.nextLineStart(rest)
		if !empty || keep {
			end = off
		}
	}
	p.pos, p.lineStart = end, end
}
