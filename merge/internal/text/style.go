package text

import (
	"bytes"
	"fmt"
)

// Style is one of the conflict styles of git.
type Style uint8

// The values of git's setting merge.conflictStyle.
const (
	StyleMerge  Style = iota // ours and theirs
	StyleDiff3               // ours, base and theirs
	StyleZdiff3              // like diff3, but common first and last lines of both sides are outside of the markers
)

// Err returns an error if s is not one of the styles, and nil otherwise.
func (s Style) Err() error {
	if s > StyleZdiff3 {
		return fmt.Errorf("conflict: unknown style %d", s)
	}
	return nil
}

// MarkerSize is the default length of a marker in git.
const MarkerSize = 7

// Markers describes the markers of a conflict.
type Markers struct {
	Style Style
	// Size is the number of characters of a marker. 0 means MarkerSize.
	Size int
	// Base, Ours and Theirs are the labels after the markers. An empty label is omitted.
	Base, Ours, Theirs string
}

// A Conflict is a conflict with markers in a file.
type Conflict struct {
	// Markers describes the markers. In a result of the function Conflicts, Style is StyleDiff3
	// if the conflict has a base and StyleMerge if not, and Size is never 0.
	Markers Markers
	// Break is the line break after the markers. Nil means LF.
	Break []byte
	// Base, Ours and Theirs are the lines between the markers.
	Base, Ours, Theirs []byte
	// Start and End are the offsets of the conflict, including its markers.
	Start, End int
	// Line is the number of the line of the opening marker, from 1.
	Line int
}

// Lines returns the number of lines of ours and theirs together. It measures how much a
// merge leaves to the user.
func (c Conflict) Lines() int { return countLines(c.Ours) + countLines(c.Theirs) }

// countLines returns the number of lines of b, which end with LF. A last line without LF counts.
func countLines(b []byte) int {
	count := bytes.Count(b, []byte("\n"))
	if len(b) > 0 && b[len(b)-1] != '\n' {
		count++
	}
	return count
}

// Append appends the conflict with its markers to file and returns the extended file. The base is written unless
// Markers.Style is StyleMerge. If the last line of a version has no line break, a line break is added. Start, End and
// Line are not used.
//
//	<<<<<<< ours
//	a: 2
//	||||||| base
//	a: 1
//	=======
//	a: 3
//	>>>>>>> theirs
func (c Conflict) Append(file []byte) []byte {
	file = c.appendVersion(file, '<', c.Markers.Ours, c.Ours)
	if c.Markers.Style != StyleMerge {
		file = c.appendVersion(file, '|', c.Markers.Base, c.Base)
	}
	file = c.appendVersion(file, '=', "", c.Theirs)
	return c.appendVersion(file, '>', c.Markers.Theirs, nil)
}

// appendVersion appends a marker line and the lines below it to file, and returns the extended file. The marker line
// consists of char, repeated, and of label if it is not "". If the last of lines has no line break, a line break is
// added. lines may be empty.
func (c Conflict) appendVersion(file []byte, char byte, label string, lines []byte) []byte {
	file = append(file, bytes.Repeat([]byte{char}, markerSize(c.Markers.Size))...)
	if label != "" {
		file = append(append(file, ' '), label...)
	}
	lineBreak := c.Break
	if lineBreak == nil {
		lineBreak = []byte("\n")
	}
	file = append(append(file, lineBreak...), lines...)
	if len(lines) > 0 && lines[len(lines)-1] != '\n' {
		file = append(file, lineBreak...)
	}
	return file
}

// markerSize returns size, or MarkerSize if size is not positive.
func markerSize(size int) int {
	if size <= 0 {
		return MarkerSize
	}
	return size
}

// Conflicts returns the conflicts between markers in a file, in order. Their texts are slices of file. size is the
// length of the markers; if it is not positive, MarkerSize. Markers in a wrong order, and incomplete conflicts, are
// ordinary text.
func Conflicts(file []byte, size int) []Conflict {
	p := conflictParser{file: file, size: markerSize(size)}
	for line := range bytes.Lines(file) {
		p.lineNumber++
		p.parseLine(line)
		p.offset += len(line)
	}
	return p.conflicts
}

// CountConflictLines returns the number of lines of ours and theirs in all conflicts of a file, without the base and
// the markers. size is the length of the markers; if it is not positive, MarkerSize.
func CountConflictLines(file []byte, size int) int {
	count := 0
	for _, c := range Conflicts(file, size) {
		count += c.Lines()
	}
	return count
}

// A conflictParser reads a file line by line and collects its conflicts.
type conflictParser struct {
	file         []byte
	size         int
	conflicts    []Conflict
	current      Conflict // the conflict that is being read
	marker       byte     // the character of the last marker: '<', '|' or '='; 0 outside of conflicts
	contentStart int      // the offset of the line after the last marker
	lineNumber   int      // the number of the current line, from 1
	offset       int      // the offset of the current line
}

// parseLine reads line, the next line of the file. A marker that is allowed at this place begins, continues or ends a
// conflict. A complete conflict is appended to p.conflicts. Other lines are text. These markers are allowed:
//
//	<    outside of a conflict, or before the = of a conflict: the conflict then starts at the later <
//	|    after <
//	=    after < or |
//	>    after =
func (p *conflictParser) parseLine(line []byte) {
	char, label := parseMarker(line, p.size)
	switch {
	case char == '<' && p.marker != '=':
		p.current = Conflict{Markers: Markers{Size: p.size, Ours: label}, Break: lineBreak(line), Start: p.offset, Line: p.lineNumber}
	case char == '|' && p.marker == '<':
		p.current.Ours = p.file[p.contentStart:p.offset]
		p.current.Markers.Style, p.current.Markers.Base = StyleDiff3, label
	case char == '=' && p.marker == '<':
		p.current.Ours = p.file[p.contentStart:p.offset]
	case char == '=' && p.marker == '|':
		p.current.Base = p.file[p.contentStart:p.offset]
	case char == '>' && p.marker == '=':
		p.current.Theirs, p.current.Markers.Theirs, p.current.End = p.file[p.contentStart:p.offset], label, p.offset+len(line)
		p.conflicts = append(p.conflicts, p.current)
		char = 0
	default:
		return
	}
	p.marker, p.contentStart = char, p.offset+len(line)
}

// lineBreak returns the line break at the end of line, which may be empty.
func lineBreak(line []byte) []byte {
	return line[len(bytes.TrimRight(line, "\r\n")):]
}

// parseMarker returns the character ('<', '|', '=' or '>') and the label of a marker line, or 0 and "" for any other
// line. A marker has exactly size characters; size must be positive. The separator has no label.
//
//	<<<<<<< ours    '<', "ours"
//	<<<<<<<         '<', ""
//	======= x       0, ""
func parseMarker(line []byte, size int) (char byte, label string) {
	if len(line) < size || bytes.IndexByte([]byte("<|=>"), line[0]) < 0 {
		return 0, ""
	}
	char = line[0]
	if afterMarker := bytes.TrimLeft(line, string(rune(char))); len(line)-len(afterMarker) != size {
		return 0, ""
	}
	switch rest := bytes.TrimRight(line[size:], "\r\n"); {
	case len(rest) == 0:
		return char, ""
	case rest[0] == ' ' && char != '=':
		return char, string(rest[1:])
	}
	return 0, ""
}

// FirstMarkerLine returns the number, from 1, of the first line that is a conflict marker, even if its conflict is
// incomplete. Lines end with LF. It returns 0 if there is no marker. size is the exact length of a marker; if it is not
// positive, MarkerSize.
func FirstMarkerLine(file []byte, size int) int {
	lineNumber := 0
	for line := range bytes.Lines(file) {
		lineNumber++
		if char, _ := parseMarker(line, markerSize(size)); char != 0 {
			return lineNumber
		}
	}
	return 0
}

// UnresolvedConflictLine returns the number of the first line of file, from 1, that starts with an opening marker
// (<<<<<<<). It returns 0 if there is none, or if no line starts with a closing marker (>>>>>>>). Any text may follow
// the seven characters of a marker.
func UnresolvedConflictLine(file []byte) int {
	opening, hasClosing, lineNumber := 0, false, 0
	for line := range bytes.Lines(file) {
		lineNumber++
		if opening == 0 && bytes.HasPrefix(line, []byte("<<<<<<<")) {
			opening = lineNumber
		}
		hasClosing = hasClosing || bytes.HasPrefix(line, []byte(">>>>>>>"))
	}
	if !hasClosing {
		return 0
	}
	return opening
}
