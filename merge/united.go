package merge

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// unitedList is a list that a policy of union decided, and what it says.
type unitedList struct {
	path *path
	by   string
}

// united lets a policy of union decide the conflicts of an ordered list of
// strings: both sides' additions and removals stand.
func (w *walker) united(v nodes, p *path, steps []step) []step {
	if !slices.ContainsFunc(steps, func(st step) bool { return st.cause != noCause }) {
		return steps
	}
	policy, source := w.rules.Field(p.place())
	if policy != schema.Union || !scalars(v) {
		return steps
	}
	w.decided = append(w.decided, unitedList{path: p, by: by(policy, source)})
	return w.pairSet(v, schema.List{Kind: schema.Set})
}

func scalars(v nodes) bool {
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
