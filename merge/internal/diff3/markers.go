package diff3

import "bytes"

// Style is how a conflict is written.
type Style uint8

// The styles of git's merge.conflictStyle.
const (
	StyleMerge  Style = iota // ours and theirs
	StyleDiff3               // ours, base and theirs
	StyleZdiff3              // as diff3, common lines at the edges outside the markers
)

// Markers is how conflicts are written.
type Markers struct {
	Style Style
	// Size is the number of characters of a marker; 0 means 7.
	Size int
	// Base, Ours and Theirs are the labels behind the markers; a marker
	// with an empty label has none.
	Base, Ours, Theirs string
}

// marker returns the line of a marker, without a line break.
func (m Markers) marker(char byte, label string) []byte {
	n := m.Size
	if n <= 0 {
		n = 7
	}
	line := bytes.Repeat([]byte{char}, n)
	if label != "" {
		line = append(append(line, ' '), label...)
	}
	return line
}
