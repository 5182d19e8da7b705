package merge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// cleared reports whether a null removes the field at.
func (w *walker) cleared(at entries) bool {
	if w.frozen > 0 || at[at.first()].Key == nil {
		return false
	}
	null := func(s side) bool { return at[s] != nil && isNull(at[s].Value) }
	return null(updated) || w.set.destNull && null(dest)
}

// untouchable reports whether e can stand as it is: no null in it is to be
// cleared.
func (w *walker) untouchable(e *syntax.Entry) bool {
	return !w.set.updatedWins || w.frozen > 0 || !w.holdsNull(e.Value)
}

// holdsNull reports whether a field at or below n is null.
func (w *walker) holdsNull(n *syntax.Node) bool {
	if n == nil || len(n.Entries) == 0 {
		return false
	}
	if null, ok := w.nulls[n]; ok {
		return null
	}
	null := false
	for _, e := range n.Entries {
		null = null || e.Key != nil && isNull(e.Value) || w.holdsNull(e.Value)
	}
	if w.nulls == nil {
		w.nulls = map[*syntax.Node]bool{}
	}
	w.nulls[n] = null
	return null
}
