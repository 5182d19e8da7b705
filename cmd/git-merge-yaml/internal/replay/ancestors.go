package replay

import (
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// ancestors returns the folders that the sides of a merge are compared with, for
// each engine, and the store that has them.
func (m *merger) ancestors(bases []int) (roots [engines]git.ID, s store, err error) {
	r, s, err := m.over(bases, mergeLines, m.mergeFields)
	return [engines]git.ID(r), s, err
}

// over returns the folder that the best common ancestors of a merge make together,
// one for each way to merge them, and the store that has these.
func (m *merger) over(bases []int, ways ...contentMerge) (roots []git.ID, s store, err error) {
	roots = make([]git.ID, len(ways))
	if len(bases) == 0 {
		return roots, m.trees, nil
	}
	if len(bases) == 1 {
		for i := range roots {
			roots[i] = m.graph.Tree(bases[0])
		}
		return roots, m.trees, nil
	}
	v := &virtual{
		store: m.trees, git: m.git, bases: m.bases, graph: m.graph, want: m.Want,
		trees: map[git.ID]git.Tree{}, blobs: map[git.ID][]byte{}, sample: m.graph.ID(bases[0]),
	}
	for i, way := range ways {
		v.merge = way
		if roots[i], err = v.ancestor(slices.Clone(bases), 0); err != nil {
			return roots, nil, fmt.Errorf("virtual ancestor: %w", err)
		}
	}
	return roots, v, nil
}

// ancestor returns the folder that bases, the newest first, make together:
// the oldest is merged with the next, and so on, each time over the ancestors
// of these two. "" is the empty folder of no bases.
func (v *virtual) ancestor(bases []int, depth int) (git.ID, error) {
	if len(bases) == 0 {
		return "", nil
	}
	slices.Reverse(bases)
	tree, merged := v.graph.Tree(bases[0]), bases[:1:1]
	for _, c := range bases[1:] {
		base, err := v.ancestor(v.bases.Of(merged, []int{c}), depth+1)
		if err != nil {
			return "", err
		}
		extra := 2 * (depth + 1)
		x, err := v.aligned(sides{base, tree, v.graph.Tree(c)}, extra)
		if err != nil {
			return "", err
		}
		e, err := v.entry("", folder(x.base), folder(x.ours), folder(x.theirs), extra)
		if err != nil {
			return "", err
		}
		tree, merged = e.ID, append(merged, c)
	}
	return tree, nil
}

func mergeLines(_ string, base, ours, theirs []byte, k merge.Markers) ([]byte, error) {
	b, _, err := merge.MergeLines(base, ours, theirs, k)
	return b, err
}

func (m *merger) mergeFields(path string, base, ours, theirs []byte, k merge.Markers) ([]byte, error) {
	if !m.tellsLabels {
		k.Ours, k.Base, k.Theirs = "ours", "base", "theirs"
	}
	res, err := m.Session.File(path, base, ours, theirs, nil).MergeAncestor(func() merge.Markers { return k })
	return res.Bytes, err
}
