package walk

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// What both sides added under one name is often two ways to do one thing. It
// merges if it is the same, or if only one side's has what the other's lacks; if
// both have, all of that is in conflict.

// bothAdded reports whether both sides added the collection v. An empty file has
// a document, whose fields merge.
func (w *Walker) bothAdded(v three.Nodes, in scope) bool {
	return !w.RuleSet.UpdatedWins && v[three.Original] == nil && (in.up != nil || w.Multi)
}

// contestAdded makes conflicts of the entries of m, which both sides added, that
// one side alone has, if each side has such.
func contestAdded(m *plan.Value) {
	var more [3]bool
	for _, c := range m.Kids {
		for _, s := range three.Sides {
			more[s] = more[s] || c.Clash == nil && c.At[s.Other()] == nil
		}
	}
	if !more[three.Dest] || !more[three.Updated] {
		return
	}
	for _, c := range m.Kids {
		if c.Clash != nil || c.At[three.Dest] != nil && c.At[three.Updated] != nil {
			continue
		}
		if c.Path == nil {
			c.Path = c.Name(c.At)
		}
		c.Contest(plan.ConflictAddAdd)
	}
}

// twoAdded reports whether both sides added v, and may mean two things: neither
// holds all of the other.
func (w *Walker) twoAdded(v three.Nodes) bool {
	d, u := v[three.Dest], v[three.Updated]
	return !w.RuleSet.UpdatedWins && v[three.Original] == nil && !w.Sums.Holds(d, u) && !w.Sums.Holds(u, d)
}
