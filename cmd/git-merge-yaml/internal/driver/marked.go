package driver

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// LinesInConflict returns the number of lines of both sides between the markers of a file; lines of the base do not
// count. It returns 0 if there are no conflicts. Markers have size characters; 0 means linemerge.DefaultMarkerSize.
func LinesInConflict(file []byte, size int) (n int) {
	for _, c := range linemerge.ParseConflicts(file, size) {
		n += c.Lines()
	}
	return n
}

// EqualExceptLabels reports whether two files are identical except for the labels of conflict markers of size
// characters; 0 means linemerge.DefaultMarkerSize. Each line that looks like a marker counts as one, also inside of
// another conflict.
func EqualExceptLabels(a, b []byte, size int) bool {
	return slices.EqualFunc(bytes.SplitAfter(a, []byte("\n")), bytes.SplitAfter(b, []byte("\n")), func(x, y []byte) bool {
		if bytes.Equal(x, y) {
			return true
		}
		charX, _ := ParseMarker(x, size)
		charY, _ := ParseMarker(y, size)
		return charX != 0 && charX == charY && bytes.HasSuffix(x, []byte("\r\n")) == bytes.HasSuffix(y, []byte("\r\n")) &&
			bytes.HasSuffix(x, []byte("\n")) == bytes.HasSuffix(y, []byte("\n"))
	})
}

// ParseMarker returns the character (<, |, = or >) and the label of a line that is a conflict marker of exactly size
// characters, where 0 means linemerge.DefaultMarkerSize. It returns 0 for any other line. The line break at the end of
// the line is ignored.
//
//	<<<<<<< HEAD    '<', "HEAD"
//	=======         '=', ""
//	======= HEAD    0; this marker has no label
func ParseMarker(line []byte, size int) (char byte, label string) {
	size = cmp.Or(size, linemerge.DefaultMarkerSize)
	if line = bytes.TrimRight(line, "\r\n"); len(line) < size || !bytes.ContainsAny(line[:1], "<|=>") {
		return 0, ""
	}
	rest := bytes.TrimLeft(line, string(line[:1]))
	switch {
	case len(line)-len(rest) != size:
		return 0, ""
	case len(rest) == 0:
		return line[0], ""
	case rest[0] == ' ' && line[0] != '=':
		return line[0], string(rest[1:])
	}
	return 0, ""
}
