package text

import (
	"bytes"
	"sort"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

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

// FinalNewline reports whether the last line ends with a break.
func (f *File) FinalNewline() bool {
	n := len(f.data)
	return n > 0 && (f.data[n-1] == '\n' || f.data[n-1] == '\r')
}

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
