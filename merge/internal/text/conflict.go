package text

import (
	"bytes"
	"fmt"
	"slices"
)

// Style is how conflicts are written.
type Style uint8

// The styles of git's merge.conflictStyle.
const (
	StyleMerge  Style = iota // ours and theirs
	StyleDiff3               // ours, base and theirs
	StyleZdiff3              // as diff3, common lines at the edges outside the markers
)

// Err is an error for what is none of the styles.
func (s Style) Err() error {
	if s > StyleZdiff3 {
		return fmt.Errorf("conflict: there is no style %d", s)
	}
	return nil
}

// MarkerSize is the number of characters of git's markers.
const MarkerSize = 7

// Markers is how conflicts are written.
type Markers struct {
	Style Style
	// Size is the number of characters of a marker; 0 means MarkerSize.
	Size int
	// Base, Ours and Theirs are the labels behind the markers; a marker
	// with an empty label has none.
	Base, Ours, Theirs string
}

// A Conflict is a conflict as it stands in a file.
type Conflict struct {
	// Markers are those around it. Of what Conflicts read, Style is StyleDiff3 if
	// they show a base, and Size is never 0.
	Markers Markers
	// Break ends the lines of the markers; nil means LF.
	Break []byte
	// Base, Ours and Theirs are the lines between the markers.
	Base, Ours, Theirs []byte
	// Start and End are the bytes of the file that it takes, with its markers.
	Start, End int
	// Line is the line of the opening marker, from 1.
	Line int
}

// Lines is how many lines of both sides people read in it: what a merge leaves
// to them is measured by that.
func (c Conflict) Lines() int { return lines(c.Ours) + lines(c.Theirs) }

func lines(b []byte) int {
	n := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		n++
	}
	return n
}

// Append appends the conflict to a file, between its markers. A version that ends
// without a line break gets one. Start, End and Line do not count.
func (c Conflict) Append(file []byte) []byte {
	file = c.version(file, '<', c.Markers.Ours, c.Ours)
	if c.Markers.Style != StyleMerge {
		file = c.version(file, '|', c.Markers.Base, c.Base)
	}
	file = c.version(file, '=', "", c.Theirs)
	return c.version(file, '>', c.Markers.Theirs, nil)
}

// version appends a marker and the lines below it.
func (c Conflict) version(file []byte, char byte, label string, lines []byte) []byte {
	for range c.Markers.size() {
		file = append(file, char)
	}
	if label != "" {
		file = append(append(file, ' '), label...)
	}
	file = append(c.endLine(file), lines...)
	if len(lines) > 0 && lines[len(lines)-1] != '\n' {
		file = c.endLine(file)
	}
	return file
}

func (c Conflict) endLine(file []byte) []byte {
	if c.Break == nil {
		return append(file, '\n')
	}
	return append(file, c.Break...)
}

func (m Markers) size() int { return sizeOf(m.Size) }

func sizeOf(size int) int {
	if size <= 0 {
		return MarkerSize
	}
	return size
}

// Conflicts returns those of a file whose markers have size characters, 0 for
// MarkerSize, in order. What looks like a marker and is not where one belongs is
// text. So is an opening marker above another one, with no separator between.
func Conflicts(file []byte, size int) []Conflict {
	p := parser{file: file, size: sizeOf(size)}
	for line := range bytes.Lines(file) {
		p.count++
		p.line(line)
		p.end += len(line)
	}
	return p.all
}

// ConflictLines is how many lines of both sides all conflicts of a file have.
func ConflictLines(file []byte, size int) int {
	n := 0
	for _, c := range Conflicts(file, size) {
		n += c.Lines()
	}
	return n
}

// A parser reads a file line by line.
type parser struct {
	file  []byte
	size  int
	all   []Conflict
	open  Conflict // the one at hand
	in    byte     // the marker above: '<', '|' or '='; 0 outside of conflicts
	since int      // where the line below that marker starts
	count int      // the line at hand, from 1
	end   int      // of what is read
}

func (p *parser) line(line []byte) {
	char, label := marker(line, p.size)
	switch {
	case char == '<' && p.in != '=':
		p.open = Conflict{Markers: Markers{Size: p.size, Ours: label}, Break: lineBreak(line), Start: p.end, Line: p.count}
	case char == '|' && p.in == '<':
		p.open.Ours = p.file[p.since:p.end]
		p.open.Markers.Style, p.open.Markers.Base = StyleDiff3, label
	case char == '=' && p.in == '<':
		p.open.Ours = p.file[p.since:p.end]
	case char == '=' && p.in == '|':
		p.open.Base = p.file[p.since:p.end]
	case char == '>' && p.in == '=':
		p.open.Theirs, p.open.Markers.Theirs, p.open.End = p.file[p.since:p.end], label, p.end+len(line)
		p.all = append(p.all, p.open)
		char = 0
	default:
		return
	}
	p.in, p.since = char, p.end+len(line)
}

// lineBreak is how a line ends.
func lineBreak(line []byte) []byte {
	return line[len(bytes.TrimRight(line, "\r\n")):]
}

// marker returns the character and the label of the marker of size that a line is;
// 0 if it is none. The separator of the sides has no label.
func marker(line []byte, size int) (char byte, label string) {
	if len(line) < size || bytes.IndexByte([]byte("<|=>"), line[0]) < 0 {
		return 0, ""
	}
	char = line[0]
	for _, c := range line[1:size] {
		if c != char {
			return 0, ""
		}
	}
	switch rest := bytes.TrimRight(line[size:], "\r\n"); {
	case len(rest) == 0:
		return char, ""
	case rest[0] == ' ' && char != '=':
		return char, string(rest[1:])
	}
	return 0, ""
}

// MarkerLine returns the first line, from 1, that is a marker of size characters; 0
// if there is none.
func MarkerLine(file []byte, size int) int {
	n := 0
	for line := range bytes.Lines(file) {
		n++
		if char, _ := marker(line, sizeOf(size)); char != 0 {
			return n
		}
	}
	return 0
}

// EqualButLabels reports whether two files are equal but for the labels behind
// markers of size characters.
func EqualButLabels(a, b []byte, size int) bool {
	return slices.EqualFunc(bytes.SplitAfter(a, []byte("\n")), bytes.SplitAfter(b, []byte("\n")), func(x, y []byte) bool {
		if bytes.Equal(x, y) {
			return true
		}
		char, _ := marker(x, sizeOf(size))
		other, _ := marker(y, sizeOf(size))
		return char != 0 && char == other && bytes.Equal(lineBreak(x), lineBreak(y))
	})
}

// ConflictLeft returns the line of the first opening marker, of any size from MarkerSize
// on, in a file that has closing ones too: conflicts that nobody resolved. It is 0
// where there are none.
func ConflictLeft(file []byte) int {
	open := markerAt(file, "<<<<<<<")
	if open < 0 || markerAt(file, ">>>>>>>") < 0 {
		return 0
	}
	return 1 + bytes.Count(file[:open], []byte("\n"))
}

// markerAt returns where a line of b starts with a marker, or -1.
func markerAt(b []byte, marker string) int {
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte(marker))
		if i < 0 {
			return -1
		}
		if at += i; at == 0 || b[at-1] == '\n' {
			return at
		}
		for at < len(b) && b[at] == marker[0] {
			at++
		}
	}
}
