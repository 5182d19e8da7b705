package law

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A cut is lines of a version that stand in conflict.
type cut struct {
	text.Span
	lent   version // the side for which these lines of the original count; else original
	person bool    // a person decided
}

// cutsOf returns what of v stands in conflict and was not taken: of the
// original, what counts in the place of what was not taken.
func cutsOf(open []Open, v version) []cut {
	var cuts []cut
	for _, o := range open {
		at := [...]text.Span{o.At[original], o.At[dest], o.At[updated], o.Result}[v]
		k := cut{Span: at, person: o.Taken == Person}
		switch {
		case at.Empty(), !k.person && (v == result || v == version(o.Taken)):
			continue
		case !k.person && v == original:
			k.lent = version(o.Taken).other()
		}
		cuts = append(cuts, k)
	}
	slices.SortFunc(cuts, func(a, b cut) int { return a.Start - b.Start })
	return cuts
}

// cutAt returns the cut that s touches, and whether that holds all of it.
func cutAt(cuts []cut, s text.Span) (k cut, all, touched bool) {
	i, _ := slices.BinarySearchFunc(cuts, s.Start, func(k cut, at int) int {
		if k.End <= at {
			return -1
		}
		return 1
	})
	if i == len(cuts) || cuts[i].Start >= max(s.End, s.Start+1) {
		return k, false, false
	}
	return cuts[i], cuts[i].Contains(s), true
}
