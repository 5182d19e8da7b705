package text

import (
	"bytes"
	"sort"
	"sync"
	"unicode/utf8"
)

const bom = "\xef\xbb\xbf"

// A File is the bytes of a source file. It is safe for concurrent use.
type File struct {
	data  []byte
	lines func() *table
}

// New returns the file with the content data, which is not copied and must
// not change afterwards.
func New(data []byte) *File {
	return &File{data: data, lines: sync.OnceValue(func() *table { return newTable(data) })}
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
	start := f.lines().starts[line-1]
	if start == 0 && f.BOM() {
		start = min(len(bom), off)
	}
	return Position{line, utf8.RuneCount(f.data[start:off]) + 1}
}

// Line returns the line, from 1, that holds off. The break of a line belongs
// to that line; behind a final break starts another, empty one.
func (f *File) Line(off int) int {
	off = f.clamp(off)
	starts := f.lines().starts
	return sort.Search(len(starts), func(i int) bool { return starts[i] > off })
}

// LineStart returns the start of the line that holds off.
func (f *File) LineStart(off int) int { return f.lines().starts[f.Line(off)-1] }

// StartOf returns the start of a line, from 1, or the end of a file with fewer.
func (f *File) StartOf(line int) int {
	if starts := f.lines().starts; line <= len(starts) {
		return starts[line-1]
	}
	return len(f.data)
}

// LineEnd returns the end of the line that holds off, behind its break.
func (f *File) LineEnd(off int) int {
	starts := f.lines().starts
	if line := f.Line(off); line < len(starts) {
		return starts[line]
	}
	return len(f.data)
}

// Lines returns the number of lines; a final break ends the last of them.
func (f *File) Lines() int {
	n := len(f.lines().starts)
	if f.lines().starts[n-1] == len(f.data) {
		n--
	}
	return n
}

// Newline returns the break that most lines end with: "\n", "\r\n" or "\r";
// "\n" in a file of one line.
func (f *File) Newline() string { return f.lines().newline() }

// BOM reports whether the file starts with a UTF-8 byte order mark.
func (f *File) BOM() bool { return bytes.HasPrefix(f.data, []byte(bom)) }

// FinalNewline reports whether the last line ends with a break.
func (f *File) FinalNewline() bool {
	n := len(f.data)
	return n > 0 && (f.data[n-1] == '\n' || f.data[n-1] == '\r')
}

func (f *File) clamp(off int) int { return max(0, min(off, len(f.data))) }

// A table has the start of every line and counts the breaks.
type table struct {
	starts       []int
	lf, crlf, cr int
}

func newTable(data []byte) *table {
	t := &table{starts: make([]int, 1, 1+bytes.Count(data, []byte{'\n'}))}
	if bytes.IndexByte(data, '\r') < 0 {
		t.scanLF(data)
	} else {
		t.scanAll(data)
	}
	return t
}

func (t *table) scanLF(data []byte) {
	for off := 0; ; {
		i := bytes.IndexByte(data[off:], '\n')
		if i < 0 {
			return
		}
		off += i + 1
		t.starts = append(t.starts, off)
		t.lf++
	}
}

func (t *table) scanAll(data []byte) {
	for i, b := range data {
		switch {
		case b == '\n' && i > 0 && data[i-1] == '\r':
			t.crlf++
		case b == '\n':
			t.lf++
		case b == '\r' && (i+1 == len(data) || data[i+1] != '\n'):
			t.cr++
		default:
			continue
		}
		t.starts = append(t.starts, i+1)
	}
}

func (t *table) newline() string {
	switch {
	case t.crlf > t.lf && t.crlf >= t.cr:
		return "\r\n"
	case t.cr > t.lf:
		return "\r"
	}
	return "\n"
}
