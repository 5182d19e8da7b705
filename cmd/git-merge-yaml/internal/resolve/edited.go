package resolve

import (
	"slices"

	here "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// edited reports whether the file in the work tree is something else than what
// a machine left there: ours, or what git or this driver makes of the stages,
// in any style of conflicts, whatever the labels say, by the team's rules or as it
// did before these were changed. What cannot be told from an edit counts as one.
func (f *unmergedFile) edited() (bool, error) {
	blob, err := f.tree.Clean(f.Path, f.work)
	if err != nil {
		return true, err
	}
	for _, rules := range []func() *here.Session{
		func() *here.Session { return f.resolver.in }, f.resolver.in.WithCommittedRules, f.resolver.in.WithoutRules,
	} {
		if left := f.leftByMerges(rules()); f.isAnyOf(left, f.text) || f.isAnyOf(left, blob) {
			return false, nil
		}
	}
	return true, nil
}

func (f *unmergedFile) isAnyOf(left [][]byte, text []byte) bool {
	size := f.merger("").MarkerSize
	return slices.ContainsFunc(left, func(content []byte) bool { return merge.EqualButLabels(text, content, size) })
}

// leftByMerges returns what merges in a session may have left in the file.
func (f *unmergedFile) leftByMerges(in *here.Session) [][]byte {
	var left [][]byte
	add := func(content []byte) { left = append(left, content) }
	add(f.in.Ours)
	for _, style := range []string{"merge", "diff3", "zdiff3"} {
		m := f.merger(style)
		m.Session = in
		base, ours, theirs := f.in.Base, f.in.Ours, f.in.Theirs
		if content, _, err := merge.MergeLines(base, ours, theirs, m.Markers()); err == nil {
			add(content)
		}
		if content, _, err := merge.MergeFileLines(base, ours, theirs, m.Markers()); err == nil {
			add(content)
		}
		if result, err := m.ByField(); err == nil {
			add(result.Bytes)
		}
	}
	return left
}
