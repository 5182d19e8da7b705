package merge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
)

// MergeLines is the LineMerge that Merge uses where it is given none: the one
// of git merge, in this process.
func MergeLines(original, dest, updated []byte, m Markers) (merged []byte, conflicts int, err error) {
	return mergeLines(original, dest, updated, m, diff3.Merge)
}

// MergeFileLines is the LineMerge of git merge-file, git checkout -m and the
// recursive strategy, which find other common lines than git merge does.
func MergeFileLines(original, dest, updated []byte, m Markers) (merged []byte, conflicts int, err error) {
	return mergeLines(original, dest, updated, m, diff3.MergeFile)
}

func mergeLines(original, dest, updated []byte, m Markers, as diff3.As) ([]byte, int, error) {
	return diff3.MergeLines(original, dest, updated, diff3.Options{Markers: lineMarkers(m), As: as})
}

// lineMarkers is m as the writers of conflicts know it.
func lineMarkers(m Markers) diff3.Markers {
	return diff3.Markers{Style: diff3.Style(m.Style), Size: m.Size, Base: m.Base, Ours: m.Ours, Theirs: m.Theirs}
}
