package text

import (
	"bytes"
)

const blanks = "                                                                "

// Spaces are n blanks, none if n is negative. They are not to be written to.
func Spaces(n int) []byte {
	if n <= len(blanks) {
		return []byte(blanks[:max(n, 0)])
	}
	return bytes.Repeat([]byte(" "), n)
}

// Shift moves every line of b by delta columns. Lines without text keep what
// they have where it is less; a line moves left only as far as it has blanks.
func Shift(b []byte, delta int) []byte {
	if delta == 0 {
		return b
	}
	out := make([]byte, 0, len(b)+len(b)/8+16)
	for len(b) > 0 {
		end := bytes.IndexByte(b, '\n') + 1
		if end == 0 {
			end = len(b)
		}
		out = shiftLine(out, b[:end], delta)
		b = b[end:]
	}
	return out
}

func shiftLine(to, line []byte, delta int) []byte {
	if delta < 0 {
		cut := 0
		for cut < -delta && cut < len(line) && line[cut] == ' ' {
			cut++
		}
		return append(to, line[cut:]...)
	}
	if c := line[0]; c != '\n' && c != '\r' {
		to = append(to, Spaces(delta)...)
	}
	return append(to, line...)
}

// ShiftRest is shift for text that starts in mid line: the first line stays.
func ShiftRest(b []byte, delta int) []byte {
	i := bytes.IndexByte(b, '\n') + 1
	if delta == 0 || i == 0 || i == len(b) {
		return b
	}
	return append(bytes.Clone(b[:i]), Shift(b[i:], delta)...)
}
