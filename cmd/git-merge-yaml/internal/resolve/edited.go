package resolve

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// edited reports whether the file in the work tree is something else than what
// a machine left there: ours, or what git or this driver makes of the stages,
// in any style of conflicts and whatever the labels say. What cannot be told
// from an edit counts as one.
func (f *unmergedFile) edited() (bool, error) {
	left := f.leftByMerges()
	if f.isAnyOf(left, f.text) {
		return false, nil
	}
	blob, err := f.tree.Clean(f.Path, f.work)
	return !f.isAnyOf(left, blob), err
}

func (f *unmergedFile) isAnyOf(left [][]byte, text []byte) bool {
	size := f.merger("").MarkerSize
	return slices.ContainsFunc(left, func(content []byte) bool { return merge.EqualButLabels(text, content, size) })
}

// leftByMerges returns what merges may have left in the file.
func (f *unmergedFile) leftByMerges() [][]byte {
	var left [][]byte
	add := func(content []byte) { left = append(left, content) }
	add(f.in.Ours.Bytes)
	for _, style := range []string{"merge", "diff3", "zdiff3"} {
		m := f.merger(style)
		for _, lines := range []merge.LineMerge{merge.MergeLines, merge.MergeFileLines} {
			if content, _, err := lines(f.in.Base.Bytes, f.in.Ours.Bytes, f.in.Theirs.Bytes, m.Markers()); err == nil {
				add(content)
			}
		}
		if f.result.Clean() {
			add(f.result.Bytes)
		} else if result, err := m.ByField(); err == nil {
			add(result.Bytes)
		}
	}
	return left
}
