// Package text has types and functions for the bytes of a source file: lines, positions, spans, conflict markers and
// indentation. It also recognizes JSON with comments.
//
// It does not parse YAML. All offsets are in bytes from the start of the file, and all spans are half-open. A line of a
// File ends with LF, CR LF or a lone CR, as in an editor. For conflict markers and indentation, a line ends only with
// LF, as for git. The other characters that YAML treats as line breaks (NEL, LS, PS) are ordinary characters here.
// Conflict markers must start in the first column, as git writes them.
//
// The main types are File, which finds lines and positions by offset, Span, and Conflict, which is a conflict between
// markers.
//
// An example:
//
//	name: web
//	<<<<<<< ours
//	replicas: 2
//	=======
//	replicas: 3
//	>>>>>>> theirs
//
// Conflicts returns one conflict for this file. Its Ours is "replicas: 2\n", its Theirs is "replicas: 3\n", and its
// Line is 2. It starts at offset 10. New(file).Position(10) returns line 2, column 1.
//
// Terms of the comments:
//
//   - Marker: one of the lines <<<<<<<, |||||||, ======= and >>>>>>> of a conflict. Its character is repeated seven
//     times, or as often as git is configured to.
//   - Mask: a text of the same length as a file, in which a YAML parser reads the same data. It has YAML comments in
//     place of JSON comments.
//   - Dialect: which extensions of JSON a file uses, comments or trailing commas.
//   - Move: a change of the indentation of lines, for an entry that is copied to another depth.
package text

import (
	"bytes"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Span is the half-open byte range [Start, End) of a file.
type Span struct{ Start, End int }

// Len returns the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// Empty reports whether s has no bytes.
func (s Span) Empty() bool { return s.End <= s.Start }

// Contains reports whether t lies inside s. It is true for equal spans.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Overlaps reports whether a byte is in both s and t.
func (s Span) Overlaps(t Span) bool { return max(s.Start, t.Start) < min(s.End, t.End) }

// BOM is the byte order mark of UTF-8. It must not be changed.
var BOM = []byte("\xef\xbb\xbf")

// A File is the content of a source file. It is safe for concurrent use.
type File struct {
	data       []byte
	lineStarts func() []int           // returns the result of findLineStarts
	json       func() (Dialect, bool) // returns the results of JSON
}

// New returns a File with the content data. It does not copy data, which must not change
// afterwards.
func New(data []byte) *File {
	return &File{
		data:       data,
		lineStarts: sync.OnceValue(func() []int { return findLineStarts(data) }),
		json: sync.OnceValues(func() (Dialect, bool) {
			_, dialect, ok := MaskJSON(data)
			return dialect, ok
		}),
	}
}

// Bytes returns the whole content. The caller must not change it.
func (f *File) Bytes() []byte { return f.data }

// Slice returns the bytes of s. The caller must not change them; appending to them copies them.
func (f *File) Slice(s Span) []byte { return f.data[s.Start:s.End:s.End] }

// A Replacement is a text to write in place of a span of a file.
type Replacement struct {
	Span Span
	Text string
}

// ReplaceSpans returns a copy of b, the part of a file from start on, with the text of each replacement in place of its
// span, which must be in b. It sorts the slice replacements; those that start at the same offset keep their order. If
// two spans overlap, it returns b itself, and ok is false.
func ReplaceSpans(b []byte, start int, replacements []Replacement) (replaced []byte, ok bool) {
	slices.SortStableFunc(replacements, func(x, y Replacement) int { return x.Span.Start - y.Span.Start })
	copied := start
	for _, r := range replacements {
		if r.Span.Start < copied {
			return b, false
		}
		replaced = append(append(replaced, b[copied-start:r.Span.Start-start]...), r.Text...)
		copied = r.Span.End
	}
	return append(replaced, b[copied-start:]...), true
}

// A Position is a position in a file as an editor shows it. Line and Column are counted
// from 1, columns in runes. A byte order mark at the start of the file is not counted.
type Position struct{ Line, Column int }

// Position returns the line and column of the byte at off. For an off outside of the file, it returns the position of
// its start or its end.
func (f *File) Position(off int) Position {
	off = f.clamp(off)
	line := f.Line(off)
	start := f.lineStarts()[line-1]
	if start == 0 && bytes.HasPrefix(f.data, BOM) {
		start = min(len(BOM), off)
	}
	return Position{line, utf8.RuneCount(f.data[start:off]) + 1}
}

// Line returns the number, from 1, of the line that contains off. A line break belongs to
// the line that it ends. After a line break at the end of the file there is one more,
// empty line.
func (f *File) Line(off int) int {
	off = f.clamp(off)
	starts := f.lineStarts()
	return sort.Search(len(starts), func(i int) bool { return starts[i] > off })
}

// LineStart returns the offset of the start of the line that contains off.
func (f *File) LineStart(off int) int { return f.lineStarts()[f.Line(off)-1] }

// LineOffset returns the offset of the start of the line with the given number, from 1, or the length of the file if
// the file has fewer lines. It panics if line is less than 1.
func (f *File) LineOffset(line int) int {
	if starts := f.lineStarts(); line <= len(starts) {
		return starts[line-1]
	}
	return len(f.data)
}

// LineEnd returns the offset after the line that contains off and its line break. For the last line, this is the length
// of the file. An off outside of the file is moved to its start or its end.
func (f *File) LineEnd(off int) int {
	starts := f.lineStarts()
	if line := f.Line(off); line < len(starts) {
		return starts[line]
	}
	return len(f.data)
}

// clamp returns off, or the nearest offset of the file if off is outside of it.
func (f *File) clamp(off int) int { return max(0, min(off, len(f.data))) }

// findLineStarts returns the offset of the start of each line, in order. The first one is always 0, even if data is
// empty. After a line break (LF, CR LF or CR) at the end of data there is one more, empty line.
func findLineStarts(data []byte) []int {
	starts := make([]int, 1, 1+bytes.Count(data, []byte{'\n'}))
	hasCR := bytes.IndexByte(data, '\r') >= 0
	for off := 0; ; {
		i := bytes.IndexByte(data[off:], '\n')
		if hasCR {
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

// LineSpans splits sp into the spans of its lines, in order, each with its line break. If sp starts or ends within a
// line, the first or the last span is only a part of the line. The result is nil if sp is empty.
func LineSpans(f *File, sp Span) []Span {
	var lines []Span
	for start := sp.Start; start < sp.End; {
		end := min(f.LineEnd(start), sp.End)
		lines = append(lines, Span{Start: start, End: end})
		start = end
	}
	return lines
}

// ParseYAMLError returns the line, from 1, and the message of err, an error of the YAML parser about data, for
// messages. Some lines and messages of the parser are corrected. line is 0 if err does not name a line.
func ParseYAMLError(err error, data []byte) (line int, msg string) {
	msg = strings.TrimPrefix(err.Error(), "yaml: ")
	if number, rest, ok := strings.Cut(strings.TrimPrefix(msg, "line "), ": "); ok {
		if n, err := strconv.Atoi(number); err == nil {
			line, msg = n, rest
		}
	}
	// in these errors of its grammar, the parser counts lines from 0
	switch msg {
	case "did not find expected key", "did not find expected '-' indicator", "did not find expected ',' or ']'", "did not find expected ',' or '}'",
		"did not find expected node content", "did not find expected <document start>", "found undefined tag handle":
		if line > 0 {
			line = min(line+1, countLines(data))
		}
	}
	return line, explainTabError(data, line, msg)
}

// explainTabError returns a clearer message if msg, the YAML parser's message about a line of the file, is about a tab
// in place of indentation. Otherwise it returns msg. lines is the text of the file, and line the number of the line,
// from 1. The parser only reports an unexpected character for line 2 of
//
//	a:
//	<tab>b: 1
func explainTabError(lines []byte, line int, msg string) string {
	if msg != "found character that cannot start any token" {
		return msg
	}
	for range line - 1 {
		_, lines, _ = bytes.Cut(lines, []byte("\n"))
	}
	if lines = bytes.TrimLeft(lines, " -?:"); len(lines) > 0 && lines[0] == '\t' {
		return "a tab cannot be used for indentation"
	}
	return msg
}
