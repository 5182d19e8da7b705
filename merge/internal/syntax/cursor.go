package syntax

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// A cursor moves forward over the bytes of a file. It breaks lines where the
// YAML parser does: at LF, CRLF, CR, NEL, LS and PS.
type cursor struct {
	src []byte
	pos int
	bol int  // start of the line on which the last trivia ended
	lf  bool // no other break than LF occurs
}

func newCursor(src []byte) cursor {
	c := cursor{src: src}
	c.lf = bytes.IndexByte(src, '\r') < 0 && !bytes.Contains(src, []byte("\u0085")) &&
		!bytes.Contains(src, []byte("\u2028")) && !bytes.Contains(src, []byte("\u2029"))
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		c.pos, c.bol = 3, 3
	}
	return c
}

// breakLen returns the length of the line break at off, 0 if none stands there.
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

// isBlankz reports whether a blank, a break or the end of src is at off.
func isBlankz(src []byte, off int) bool {
	return off >= len(src) || isBlank(src[off]) || breakLen(src, off) > 0
}

// at reports whether the next byte is b.
func (c *cursor) at(b byte) bool { return c.pos < len(c.src) && c.src[c.pos] == b }

// indicator reports whether b is the next byte and a word of its own.
func (c *cursor) indicator(b byte) bool { return c.at(b) && isBlankz(c.src, c.pos+1) }

// marker reports whether a document marker, --- or ..., starts the line.
func (c *cursor) marker(m string) bool {
	return bytes.HasPrefix(c.src[c.pos:], []byte(m)) && isBlankz(c.src, c.pos+len(m))
}

// column returns the column from 0 of the cursor, if nothing but ASCII
// characters stand before it on its line.
func (c *cursor) column() int { return c.pos - c.bol }

// blanks moves over spaces and tabs.
func (c *cursor) blanks() { c.pos = skipBlanks(c.src, c.pos) }

func skipBlanks(src []byte, off int) int {
	for off < len(src) && isBlank(src[off]) {
		off++
	}
	return off
}

// lineEnd returns where the line that holds off ends, before its break.
func (c *cursor) lineEnd(off int) int {
	if c.lf {
		if i := bytes.IndexByte(c.src[off:], '\n'); i >= 0 {
			return off + i
		}
		return len(c.src)
	}
	for off < len(c.src) && breakLen(c.src, off) == 0 {
		off++
	}
	return off
}

// lineAfter returns the start of the line behind the one that holds off.
func (c *cursor) lineAfter(off int) int {
	end := c.lineEnd(off)
	return end + breakLen(c.src, end)
}

// nextLine moves behind the break of the current line.
func (c *cursor) nextLine() {
	c.pos = c.lineAfter(c.pos)
	c.bol = c.pos
}

// blankLine reports whether only blanks are left on the line.
func (c *cursor) blankLine() bool {
	off := skipBlanks(c.src, c.pos)
	return off == len(c.src) || breakLen(c.src, off) > 0
}

// lineBreak moves over a line break; it reports false if none is there.
func (c *cursor) lineBreak() bool {
	n := breakLen(c.src, c.pos)
	if n == 0 {
		return false
	}
	c.pos += n
	c.bol = c.pos
	return true
}

// A positions turns the YAML parser's lines and columns into offsets. It only
// moves forward, so all lookups together cost one pass over the file.
type positions struct {
	cursor
	line, column int  // of pos, from 1, the column in runes
	ascii        bool // all characters are one byte
}

func newPositions(src []byte) positions {
	ascii := !slices.ContainsFunc(src, func(b byte) bool { return b >= utf8.RuneSelf })
	return positions{cursor: newCursor(src), line: 1, column: 1, ascii: ascii}
}

// offset returns the offset of line and column; false if it lies before the
// last one, or if there is no such place.
func (p *positions) offset(line, column int) (int, bool) {
	for p.line < line {
		if p.lineEnd(p.pos) == len(p.src) {
			return 0, false
		}
		p.nextLine()
		p.line, p.column = p.line+1, 1
	}
	if p.line > line || p.column > column {
		return 0, false
	}
	if p.ascii {
		p.pos, p.column = p.pos+column-p.column, column
		return p.pos, p.pos <= len(p.src)
	}
	for p.column < column && p.pos < len(p.src) {
		_, n := utf8.DecodeRune(p.src[p.pos:])
		p.pos += n
		p.column++
	}
	return p.pos, p.column == column
}
