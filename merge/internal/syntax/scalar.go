package syntax

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// skipProperties moves the cursor over the anchor and the tag of n, in any order, and reports whether there is one. It
// sets n.TagText, and n.Span to the bytes of both. A comment between the two becomes that of e, the entry of n. indent
// is the column of the block collection around n, or -1. y is the YAML parser's node for n; if its anchor or tag is
// elsewhere, it panics with an *Error.
func (p *locator) skipProperties(n *Node, y *yaml.Node, indent int, e *Entry) (found bool) {
	start := p.pos
	first, second := p.skipProperty(n, y, indent, 0), byte(0)
	if first != 0 {
		n.Span = text.Span{Start: start, End: p.pos}
		end := p.cursor
		comment, crossedLine := p.skipTrivia() // the second one may be on a later line, after a comment
		if second = p.skipProperty(n, y, indent, first); second == 0 {
			p.cursor = end
		} else {
			n.Span.End = p.pos
			e.addComment(comment)
			e.Irregular = e.Irregular || crossedLine
		}
	}
	lacksAnchor := y.Anchor != "" && first != '&' && second != '&'
	lacksTag := y.Style&yaml.TaggedStyle != 0 && n.TagText == ""
	if lacksAnchor || lacksTag {
		p.fail("an anchor or tag in an unexpected position")
	}
	return first != 0
}

// skipProperty moves the cursor over the anchor or the tag of n, if one starts at the cursor, and sets n.TagText for a
// tag. It returns its first byte, & or !, or 0 if there is none. before is the result for the property directly before,
// or 0. y is the YAML parser's node for n. indent is the column of the block collection around n, or -1.
func (p *locator) skipProperty(n *Node, y *yaml.Node, indent int, before byte) byte {
	isTagged := y.Style&yaml.TaggedStyle != 0
	switch {
	case p.nextIs('&') && y.Anchor != "" && before != '&':
		p.skipName('&', n.Anchor)
		return '&'
	case p.nextIs('!') && before != '!' && (isTagged || p.isLoneTag(y, before == '&', indent)):
		start := p.pos
		p.pos = p.tagEnd()
		n.unshareExtra()
		n.TagText = string(p.src[start:p.pos])
		return '!'
	}
	return 0
}

// isLoneTag reports whether the tag at the cursor is a lone "!" (or "!<!>"), which the parser drops, and belongs to y.
// hasAnchorBefore is set if an anchor of y precedes the tag, and indent is the column of the block collection around y.
// In both examples, the tag belongs to the key b, not to the value of a:
//
//	a: &x    a: &x
//	! b: 1     ! b: 1
func (p *locator) isLoneTag(y *yaml.Node, hasAnchorBefore bool, indent int) bool {
	if tag := string(p.src[p.pos:p.tagEnd()]); tag != "!" && tag != "!<!>" {
		return false
	}
	if hasAnchorBefore && hasNoContent(y) { // y is only an anchor
		return p.column() > indent
	}
	isOfFirstKey := len(y.Content) > 0 && p.isAt(y.Content[0])
	return !isOfFirstKey
}

// hasProperties reports whether the block collection y, which starts at the cursor, has an anchor or a tag.
func (p *locator) hasProperties(y *yaml.Node) bool {
	return p.atProperties() && !startsWithKey(y)
}

// atProperties reports whether an anchor or a tag starts at the cursor.
func (p *locator) atProperties() bool { return p.nextIs('&') || p.nextIs('!') }

// startsWithKey reports whether y is a mapping with the same position as its first key. An anchor or a tag at that
// position belongs to the key, not to the mapping. It returns false if y is not a mapping or has no fields.
func startsWithKey(y *yaml.Node) bool {
	if y.Kind != yaml.MappingNode || len(y.Content) == 0 {
		return false
	}
	return y.Content[0].Line == y.Line && y.Content[0].Column == y.Column
}

// nameChars are the characters that the YAML parser allows in the name of an anchor.
const nameChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

// skipName moves the cursor over an anchor or alias with the given name; indicator is & or *. It panics with an *Error
// if another text is at the cursor. In files of Unity, " stripped" after an anchor is a part of it (see makeAcceptable).
func (p *locator) skipName(indicator byte, name string) {
	p.expect(indicator)
	end := p.pos
	for end < len(p.src) && strings.IndexByte(nameChars, p.src[end]) >= 0 {
		end++
	}
	// name comes from the parser's input, where makeAcceptable has replaced the space by "_"
	if word, ok := strings.CutSuffix(name, strippedSuffix); ok && bytes.HasPrefix(p.src[end:], []byte(strippedWord)) {
		name, end = word+strippedWord, end+len(strippedWord)
	}
	if string(p.src[p.pos:end]) != name {
		p.fail("an anchor or alias in an unexpected position")
	}
	p.pos = end
}

// tagEnd returns the end of the tag at the cursor. That is the next white space, or the end of the file; commas and
// brackets are a part of the tag.
func (p *locator) tagEnd() int {
	end := p.pos
	for !isBlankOrEnd(p.src, end) {
		end++
	}
	return end
}

// skipScalar moves the cursor over the content of n, a scalar or an alias, after its anchor and tag. indent is the
// column of the block collection around n. It sets the Lines of a block scalar, but no other spans of n, and gives e
// the comment in its header (`| # x`). It panics with an *Error if the text cannot be the value of n.
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

// skipPlain moves the cursor over a plain scalar with the given value; for an empty value, it does not move. It panics
// with an *Error if the text differs from value in more than white space.
func (p *locator) skipPlain(value string) {
	end, ok := matchValue(p.src, p.pos, value)
	if !ok {
		p.fail("the text of a plain scalar differs from its value")
	}
	p.pos = end
}

// matchValue reports whether the text of src from off on starts with value. All white space is ignored in both, even
// between words, so that "a\n  b" matches "a b" and "ab". If ok is true, end is the offset after the last byte that
// matches.
func matchValue(src []byte, off int, value string) (end int, ok bool) {
	end = off + len(value)
	// The usual case, for speed: the text is written as its value. Its last byte must be ASCII and not white space,
	// because end is before white space and line breaks, which can be several bytes long (NEL, LS, PS).
	if n := len(value); n > 0 && ' ' < value[n-1] && value[n-1] < utf8.RuneSelf && end <= len(src) && string(src[off:end]) == value {
		return end, true
	}
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

// skipWhiteSpace returns the offset of the first byte at or after off that is neither a space or tab nor part of a line
// break. It returns len(src) if there is none.
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

// skipQuoted moves the cursor over a quoted scalar, from its opening quote to the byte after its closing quote. value
// is the value that the parser read. It panics with an *Error if there is no closing quote, or if the text differs from
// value in more than white space. A text with an escape is not compared.
func (p *locator) skipQuoted(quote byte, value string) {
	start := p.pos
	p.expect(quote)
	verbatim, ok := p.skipPastQuote(quote)
	if !ok {
		p.fail("expected the closing quote of a scalar")
	}
	if inner := p.src[start+1 : p.pos-1]; verbatim {
		if end, ok := matchValue(inner, 0, value); !ok || skipWhiteSpace(inner, end) < len(inner) {
			p.fail("the text of a quoted scalar differs from its value")
		}
	}
}

// skipPastQuote moves the cursor from the byte after the opening quote to the byte after the closing one. verbatim
// reports whether the text between them is written without escapes, which are doubled single quotes, and backslashes in
// double quotes. ok is false if there is no closing quote.
func (p *locator) skipPastQuote(quote byte) (verbatim, ok bool) {
	for verbatim = true; p.pos < len(p.src); p.pos++ {
		b := p.src[p.pos]
		isEscape := quote == '"' && b == '\\' || quote == '\'' && bytes.HasPrefix(p.src[p.pos:], []byte("''"))
		switch {
		case isEscape:
			verbatim = false
			p.pos++ // the character after a backslash, or the second quote
		case b == quote:
			p.pos++
			return verbatim, true
		}
	}
	return verbatim, false
}

// skipBlockScalar moves the cursor over n, a literal or folded scalar, from its | or > to the start of the line after
// its last one, and sets n.Lines and n.Indent. indent is the column of the block collection around n, or -1. e gets the
// comment in the header. It panics with an *Error if the lines differ from the value of n in more than white space.
func (p *locator) skipBlockScalar(n *Node, indent int, e *Entry) {
	if !p.nextIs('|') && !p.nextIs('>') {
		p.fail("expected a block scalar")
	}
	afterHeader := bytes.TrimLeft(p.src[p.pos+1:], "+-123456789")
	header := string(p.src[p.pos : len(p.src)-len(afterHeader)])
	p.pos += len(header)
	p.skipRestOfLine(e)
	n.unshareExtra()
	n.Lines.Start = p.pos
	if digit, err := strconv.Atoi(strings.Trim(header, "|>+-")); err == nil {
		n.Indent = max(indent, 0) + digit
	} else { // the first line with text decides
		n.Indent = max(p.detectIndent(), indent+1, 1)
	}
	p.skipBlockLines(n, strings.Contains(header, "+"))
	n.Lines.End = p.pos
	lines := p.src[n.Lines.Start:n.Lines.End]
	if end, ok := matchValue(lines, 0, n.Value); !ok || skipWhiteSpace(lines, end) < len(lines) {
		p.fail("the text of a block scalar differs from its value")
	}
}

// detectIndent returns the indentation of a block scalar whose header does not specify it: the number of spaces before
// its first line with content. If a blank line above that has more spaces, their number counts. The result may be less
// than a block scalar needs at its place. The cursor is at the first line of the scalar and does not move.
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

// skipBlockLines moves the cursor from the first line of the block scalar n to the line after its last one. The scalar
// ends before the first line with text that is indented less than n.Indent. Blank lines at its end belong to it only if
// they have more spaces than n.Indent, or if keep is set, for a "+" in its header (`|+`).
func (p *locator) skipBlockLines(n *Node, keep bool) {
	end := p.pos
	for lineStart := p.pos; lineStart < len(p.src); {
		off := lineStart // becomes the end of the indentation
		for off < lineStart+n.Indent && off < len(p.src) && p.src[off] == ' ' {
			off++
		}
		isBlankLine := breakLen(p.src, off) > 0 // with at most n.Indent spaces
		hasText := off == lineStart+n.Indent && off < len(p.src)
		if !isBlankLine && !hasText {
			break
		}
		lineStart = p.nextLineStart(off)
		if hasText && !isBlankLine || keep {
			end = lineStart
		}
	}
	p.pos, p.lineStart = end, end
}
