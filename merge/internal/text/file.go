// Package text holds source bytes: positions, line ends and spans; and the conflicts that
// are marked in them, as git marks them: at column 0, around whole lines.
//
// It knows lines and offsets, nothing of YAML. All offsets are bytes from the
// start of the file; all spans are half open. A line ends with LF, CRLF or a
// lone CR, as in an editor; the other characters that YAML counts as breaks
// (NEL, LS, PS) are ordinary here.
package text

import (
	"bytes"
	"sort"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// A Span is the half-open byte range [Start, End) of a file.
type Span struct{ Start, End int }

// Len returns the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// Empty reports whether s holds no byte.
func (s Span) Empty() bool { return s.End <= s.Start }

// Contains reports whether t lies inside s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Overlaps reports whether a byte is in both s and t.
func (s Span) Overlaps(t Span) bool { return max(s.Start, t.Start) < min(s.End, t.End) }

const bom = "\xef\xbb\xbf"

// A File is the bytes of a source file. It is safe for concurrent use.
type File struct {
	data   []byte
	starts func() []int // of the lines
	json   atomic.Pointer[isJSON]
}

// New returns the file with the content data, which is not copied and must
// not change afterwards.
func New(data []byte) *File {
	return &File{data: data, starts: sync.OnceValue(func() []int { return lineStarts(data) })}
}

// Bytes returns the whole content.
func (f *File) Bytes() []byte { return f.data }

// Slice returns the bytes of s.
func (f *File) Slice(s Span) []byte { return f.data[s.Start:s.End:s.End] }

// A Position is a place in a file as people count: both from 1, the column
// in runes. A byte order mark at the start of the file has no column.
type Position struct{ Line, Column int }

// Position returns the position of off.
func (f *File) Position(off int) Position {
	off = f.clamp(off)
	line := f.Line(off)
	start := f.starts()[line-1]
	if start == 0 && f.BOM() {
		start = min(len(bom), off)
	}
	return Position{line, utf8.RuneCount(f.data[start:off]) + 1}
}

// Line returns the line, from 1, that holds off. The break of a line belongs
// to that line; behind a final break starts another, empty one.
func (f *File) Line(off int) int {
	off = f.clamp(off)
	starts := f.starts()
	return sort.Search(len(starts), func(i int) bool { return starts[i] > off })
}

// LineStart returns the start of the line that holds off.
func (f *File) LineStart(off int) int { return f.starts()[f.Line(off)-1] }

// StartOf returns the start of a line, from 1, or the end of a file with fewer.
func (f *File) StartOf(line int) int {
	if starts := f.starts(); line <= len(starts) {
		return starts[line-1]
	}
	return len(f.data)
}

// LineEnd returns the end of the line that holds off, behind its break.
func (f *File) LineEnd(off int) int {
	starts := f.starts()
	if line := f.Line(off); line < len(starts) {
		return starts[line]
	}
	return len(f.data)
}

// BOM reports whether the file starts with a UTF-8 byte order mark.
func (f *File) BOM() bool { return bytes.HasPrefix(f.data, []byte(bom)) }

func (f *File) clamp(off int) int { return max(0, min(off, len(f.data))) }

// lineStarts returns the start of every line, the empty one behind a final break among them.
func lineStarts(data []byte) []int {
	starts := make([]int, 1, 1+bytes.Count(data, []byte{'\n'}))
	cr := bytes.IndexByte(data, '\r') >= 0
	for off := 0; ; {
		i := bytes.IndexByte(data[off:], '\n')
		if cr {
			i = bytes.IndexAny(data[off:], "\r\n")
		}
		if i < 0 {
			return starts
		}
		off += i + 1
		if data[off-1] == '\r' && off < len(data) && data[off] == '\n' {
			off++
		}
		starts = append(starts, off)
	}
}

// LineSpans cuts sp into lines, each with its break.
func LineSpans(f *File, sp Span) []Span {
	var ls []Span
	for at := sp.Start; at < sp.End; {
		end := min(f.LineEnd(at), sp.End)
		ls = append(ls, Span{Start: at, End: end})
		at = end
	}
	return ls
}

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

// NameTab names a tab that the YAML parser only calls a character: msg is what it says of a line of
// data, from 1. A tab indents nothing in YAML:
//
//	a:
//	<tab>b: 1
func NameTab(data []byte, line int, msg string) string {
	if msg != "found character that cannot start any token" {
		return msg
	}
	for range line - 1 {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	if data = bytes.TrimLeft(data, " -?:"); len(data) > 0 && data[0] == '\t' {
		return "found a tab where blanks are to indent"
	}
	return msg
}
