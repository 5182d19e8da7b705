package walk

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// United is a list that a policy of union decided, and what it says.
type United struct {
	Path *three.Path
	By   string
}

// united lets a policy of union decide the conflicts of an ordered list of
// strings: both sides' additions and removals stand.
func (w *Walker) united(v three.Nodes, p *three.Path, steps []pair.Step) []pair.Step {
	if !slices.ContainsFunc(steps, func(st pair.Step) bool { return st.Cause != pair.NoCause }) {
		return steps
	}
	policy, source := w.Rules.Field(p.Place())
	if policy != schema.Union || !scalars(v) {
		return steps
	}
	w.Decided = append(w.Decided, United{Path: p, By: three.By(policy, source)})
	return w.PairSet(v, schema.List{Kind: schema.Set})
}

func scalars(v three.Nodes) bool {
	for _, n := range v {
		if n == nil {
			continue
		}
		for _, e := range n.Entries {
			if e.Value.Kind != syntax.Scalar {
				return false
			}
		}
	}
	return true
}
