package plan

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Pairs are the things of the versions that the plan takes for one though no address
// says so: documents, items, and fields that a side renamed. They come in the order of
// the result.
func Pairs(docs []*Document) (all []three.Nodes) {
	for _, d := range docs {
		all = append(all, roots(d.At))
		if d.Clash != nil && d.Clash.Kind != ConflictReplace && d.Clash.Kind != ConflictAddAdd {
			all = append(all, abreast(d.Clash.Runs, roots)...)
		}
		if d.Root != nil {
			all = d.Root.pairs(all)
		}
	}
	return all
}

func roots(at [3]*syntax.Document) (v three.Nodes) {
	for s, d := range at {
		if d != nil {
			v[s] = d.Root
		}
	}
	return v
}

// abreast are the things of runs of equal length, one of each.
func abreast[T any](runs [3][]T, nodes func([3]T) three.Nodes) (all []three.Nodes) {
	if len(runs[three.Original]) != len(runs[three.Dest]) || len(runs[three.Original]) != len(runs[three.Updated]) {
		return nil
	}
	for i, o := range runs[three.Original] {
		all = append(all, nodes([3]T{o, runs[three.Dest][i], runs[three.Updated][i]}))
	}
	return all
}

// pairs adds those in m.
func (m *Value) pairs(all []three.Nodes) []three.Nodes {
	for _, c := range m.Kids {
		switch {
		case c.Clash != nil && (c.Clash.Kind == ConflictReplace || c.Clash.Kind == ConflictAddAdd): // of two things
		case c.Clash != nil:
			all = append(all, abreast(c.Clash.Runs, func(e [3]*syntax.Entry) three.Nodes { return three.Entries(e).Values() })...)
		case !addressed(c.At):
			all = append(all, c.At.Values())
		}
		if c.Value != nil {
			all = c.Value.pairs(all)
		}
	}
	return all
}

// addressed reports whether the versions of e are fields of one key.
func addressed(e three.Entries) bool {
	first := e[e.First()]
	for _, x := range e {
		if x != nil && (x.Key == nil || x.Key.Value != first.Key.Value) {
			return false
		}
	}
	return true
}
