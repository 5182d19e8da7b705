package explain

import (
	"bytes"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// lineMarkers are so long that no file has them.
const lineMarkers = 200

// fillLines gives the conflicts of the line merge their texts, which the merge
// has only as marked lines.
func (e *Explanation) fillLines() {
	marked, n, err := merge.MergeLines(e.base, e.ours, e.theirs, merge.Markers{Style: merge.StyleDiff3, Size: lineMarkers})
	if err != nil || n != len(e.result.Conflicts) {
		return
	}
	next := -1
	var to *string // where a line belongs; nil outside of conflicts
	for line := range bytes.Lines(marked) {
		switch {
		case isMarker(line, "<"):
			next++
			to = &e.result.Conflicts[next].Ours.Text
		case isMarker(line, "|"):
			to = &e.result.Conflicts[next].Base.Text
		case isMarker(line, "="):
			to = &e.result.Conflicts[next].Theirs.Text
		case isMarker(line, ">"):
			to = nil
		case to != nil:
			*to += string(line)
		}
	}
}

func isMarker(line []byte, of string) bool {
	return bytes.HasPrefix(line, []byte(strings.Repeat(of, lineMarkers)))
}
