// Package conflict takes a file and gives the conflicts that are marked in it, as
// git marks them: at column 0, around whole lines. It gives a conflict as such
// lines, too. It knows no YAML, and not how a conflict came about.
package conflict

import (
	"bytes"
	"fmt"
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

// DefaultSize is the number of characters of git's markers.
const DefaultSize = 7

// Markers is how conflicts are written.
type Markers struct {
	Style Style
	// Size is the number of characters of a marker; 0 means DefaultSize.
	Size int
	// Base, Ours and Theirs are the labels behind the markers; a marker
	// with an empty label has none.
	Base, Ours, Theirs string
}

// A Conflict is a conflict as it stands in a file.
type Conflict struct {
	// Markers are those around it. Of what Parse read, Style is StyleDiff3 if
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
		return DefaultSize
	}
	return size
}
