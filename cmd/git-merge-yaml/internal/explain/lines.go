package explain

import "github.com/git-merge-yaml/git-merge-yaml/merge"

// lineMarkers are so long that no file has them.
const lineMarkers = 200

// fillLines gives the conflicts of the line merge their texts, which the merge
// has only as marked lines.
func (e *Explanation) fillLines() {
	marked, n, err := merge.MergeLines(e.Base, e.Ours, e.Theirs, merge.Markers{Style: merge.StyleDiff3, Size: lineMarkers})
	if err != nil || n != len(e.result.Conflicts) {
		return
	}
	for i, c := range merge.ParseConflicts(marked, lineMarkers) {
		to := &e.result.Conflicts[i]
		to.Base.Text, to.Ours.Text, to.Theirs.Text = string(c.Base), string(c.Ours), string(c.Theirs)
	}
}
