package driver

import (
	"bytes"

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
// characters; 0 means linemerge.DefaultMarkerSize.
func EqualExceptLabels(a, b []byte, size int) bool {
	return bytes.Equal(a, b) || bytes.Equal(withoutLabels(a, size), withoutLabels(b, size))
}

// withoutLabels returns a copy of file in which the conflict markers have no labels. It is nil if file is empty.
// Markers have size characters; 0 means linemerge.DefaultMarkerSize.
//
//	<<<<<<< HEAD    is returned as    <<<<<<<
func withoutLabels(file []byte, size int) (out []byte) {
	end := 0
	for _, c := range linemerge.ParseConflicts(file, size) {
		out = append(out, file[end:c.Start]...)
		c.Markers.Base, c.Markers.Ours, c.Markers.Theirs = "", "", ""
		out = c.Append(out)
		if end = c.End; file[end-1] != '\n' {
			out = bytes.TrimSuffix(out, []byte("\n")) // Append ended the last line
		}
	}
	return append(out, file[end:]...)
}
