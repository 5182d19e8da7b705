package syntax

import (
	"bytes"
	"unicode/utf8"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A cursor is a position in the bytes of a file. It moves forward over the file. It uses the same line breaks as the
// YAML parser: LF, CRLF, CR, NEL, LS and PS.
type cursor struct {
	src       []byte
	pos       int
	lineStart int // start of the current line, as of the last line break that was skipped
}

// newCursor returns a cursor at the start of src, after the byte order mark if there is one. src may be empty.
func newCursor(src []byte) cursor {
	c := cursor{src: src}
	if bytes.HasPrefix(src, text.BOM) {
		c.pos, c.lineStart = len(text.BOM), len(text.BOM)
	}
	return c
}

// breakLen returns the length in bytes of the line break at off: 1 for LF and CR, 2 for CRLF and NEL, 3 for LS and PS.
// It returns 0 if there is no line break at off, or if off is at or after the end of src.
func breakLen(src []byte, off int) int {
	if off >= len(src) {
		return 0
	}
	switch src[off] {
	case '\n':
		return 1
	case '\r':
		if off+1 < len(src) && src[off+1] == '\n' {
			return 2
		}
		return 1
	case 0xc2:
		if off+1 < len(src) && src[off+1] == 0x85 {
			return 2
		}
	case 0xe2:
		if off+2 < len(src) && src[off+1] == 0x80 && src[off+2]|1 == 0xa9 {
			return 3
		}
	}
	return 0
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

// isBlankOrEnd reports whether a space, a tab, a line break or the end of src is at off.
func isBlankOrEnd(src []byte, off int) bool {
	return off >= len(src) || isBlank(src[off]) || breakLen(src, off) > 0
}

// nextIs reports whether the next byte is b.
func (c *cursor) nextIs(b byte) bool { return c.pos < len(c.src) && c.src[c.pos] == b }

// atIndicator reports whether the next byte is b, followed by white space or the end of the file.
func (c *cursor) atIndicator(b byte) bool { return c.nextIs(b) && isBlankOrEnd(c.src, c.pos+1) }

// atMarker reports whether the given document marker, "---" or "...", is at the cursor, followed by white space or
// the end of the file. The caller checks that the cursor is at the start of a line.
func (c *cursor) atMarker(marker string) bool {
	return bytes.HasPrefix(c.src[c.pos:], []byte(marker)) && isBlankOrEnd(c.src, c.pos+len(marker))
}

// column returns the column of the cursor, from 0. It is wrong if a character before the cursor on its line has
// several bytes, or if a scalar of several lines ended on the line.
func (c *cursor) column() int { return c.pos - c.lineStart }

// skipBlanks moves over spaces and tabs.
func (c *cursor) skipBlanks() { c.pos = skipBlanksFrom(c.src, c.pos) }

// skipBlanksFrom returns the offset of the first byte at or after off that is not a space or a tab. It returns len(src)
// if there is none, and off if it is after the end of src.
func skipBlanksFrom(src []byte, off int) int {
	for off < len(src) && isBlank(src[off]) {
		off++
	}
	return off
}

// startsBreak is true for the first bytes of line breaks: LF, CR, and those of NEL, LS and PS, with which other
// characters start, too.
var startsBreak = [256]bool{'\n': true, '\r': true, 0xc2: true, 0xe2: true}

// lineEnd returns the end of the line that contains off, before its line break. The last line ends at the end of the
// file.
func (c *cursor) lineEnd(off int) int {
	for off < len(c.src) && (!startsBreak[c.src[off]] || breakLen(c.src, off) == 0) {
		off++
	}
	return off
}

// nextLineStart returns the start of the line after the one that contains off, or the end of the file.
func (c *cursor) nextLineStart(off int) int {
	end := c.lineEnd(off)
	return end + breakLen(c.src, end)
}

// skipLine moves to the start of the next line, or to the end of the file.
func (c *cursor) skipLine() {
	c.pos = c.nextLineStart(c.pos)
	c.lineStart = c.pos
}

// isRestBlank reports whether only spaces and tabs are between the cursor and the end of the line. The cursor does not
// move.
func (c *cursor) isRestBlank() bool {
	off := skipBlanksFrom(c.src, c.pos)
	return off == len(c.src) || breakLen(c.src, off) > 0
}

// skipLineBreak moves over a line break. If there is none at the cursor, it does not move and reports false.
func (c *cursor) skipLineBreak() bool {
	n := breakLen(c.src, c.pos)
	if n == 0 {
		return false
	}
	c.pos += n
	c.lineStart = c.pos
	return true
}

// An offsetFinder converts lines and columns of the YAML parser to offsets. It can only move forward. All
// conversions together therefore read the file once.
type offsetFinder struct {
	cursor
	line, column int // of pos, both from 1, the column in runes
}

// find moves to the given line and column, and returns the byte offset. Both count from 1, columns in runes. ok is
// false if this is before the position of the previous call, or after the end of the file. A column after the end of
// its line is not noticed: the offset is then on a later line.
func (p *offsetFinder) find(line, column int) (offset int, ok bool) {
	for p.line < line {
		if p.pos = p.lineEnd(p.pos); !p.skipLineBreak() {
			return 0, false // the file has fewer lines
		}
		p.line, p.column = p.line+1, 1
	}
	if p.line > line || p.column > column {
		return 0, false
	}
	for p.column < column && p.pos < len(p.src) {
		_, n := utf8.DecodeRune(p.src[p.pos:])
		p.pos += n
		p.column++
	}
	return p.pos, p.column == column
}
