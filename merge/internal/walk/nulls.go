package walk

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// cleared reports whether a null removes the field at.
func (w *Walker) cleared(at three.Entries, in scope) bool {
	if in.frozen || at[at.First()].Key == nil {
		return false
	}
	null := func(s three.Side) bool { return at[s] != nil && tree.IsNull(at[s].Value) }
	return null(three.Updated) || w.RuleSet.DestNull && null(three.Dest)
}

// untouchable reports whether e can stand as it is: no null in it is to be
// cleared.
func (w *Walker) untouchable(e *syntax.Entry, in scope) bool {
	return !w.RuleSet.UpdatedWins || in.frozen || !w.HoldsNull(e.Value)
}

// HoldsNull reports whether a field at or below n is null.
func (w *Walker) HoldsNull(n *syntax.Node) bool {
	if n == nil || len(n.Entries) == 0 {
		return false
	}
	if null, ok := w.nulls[n]; ok {
		return null
	}
	null := false
	for _, e := range n.Entries {
		null = null || e.Key != nil && tree.IsNull(e.Value) || w.HoldsNull(e.Value)
	}
	if w.nulls == nil {
		w.nulls = map[*syntax.Node]bool{}
	}
	w.nulls[n] = null
	return null
}
