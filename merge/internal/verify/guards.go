package verify

import (
	"cmp"
	"maps"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// guards holds the guards of matches, the members of a collection: each block around a member is a
// fact of its own. What a side added within a block that the other side put around all that
// stands there has that block.
func (c *checker) guards(rows []*match) *Violation {
	g := &surroundings{checker: c, rows: rows}
	for _, k := range rows {
		if k.q[result] == nil || k.open || c.byLine && g.untold(k) {
			continue
		}
		levels, decided := g.levels(k)
		if decided && c.person {
			continue
		}
		for _, said := range slices.Sorted(maps.Keys(levels)) {
			n := levels[said]
			for _, s := range sides {
				if k.q[s] == nil {
					n[s] = n[base] // it changed nothing there
				}
			}
			both := k.q[base] == nil && k.q[ours] != nil && k.q[theirs] != nil && len(c.Conflicts) == 0
			if both && n[ours] != n[theirs] && !g.wrapped(k, said) {
				return k.q.violation("guard", "ours added it under %q %d times, theirs %d times", said, n[ours], n[theirs])
			}
			least, most := n.Merged()
			if both {
				least, most = max(n[ours], n[theirs]), max(n[ours], n[theirs])
			} else if g.wrapped(k, said) {
				least, most = least+1, most+1
			}
			if c.byLine && n[result] <= max(n[base], n[ours], n[theirs]) {
				continue // which of its own guards it has is not told
			}
			if n[result] < least || n[result] > most {
				return k.q.violation("guard", "under %q %d times, not %d times", said, n[result], least)
			}
		}
	}
	return nil
}

// surroundings are the members of a collection, whose guards are asked for.
type surroundings struct {
	*checker
	rows   []*match
	shared [versions][]*match // of a side, those that both sides have, in its order
	wrap   map[wrapping]bool  // whether it does, around all of shared
	gone   *facts.Likeness    // of what the result has no longer
}

// A wrapping is a block that may stand around all that a side has beside what it added.
type wrapping struct {
	side version
	said string
}

// untold reports whether it cannot be told of a line merge which of the versions' things k is: most
// of it is what the base has alone.
func (g *surroundings) untold(k *match) bool {
	switch {
	case k.q[base] != nil:
		return false
	case k.q.in() == inResult:
		return true
	case g.gone == nil:
		g.gone = facts.NewLikeness()
		for _, m := range g.rows {
			if m.q[base] != nil && m.q[result] == nil {
				g.gone.Add(m.q[base])
			}
		}
	}
	return g.gone.Most(k.q[result])
}

// levels are how often each block stands around k. What the condition of a block is that is in
// conflict is what the side that was taken says: the other one has what the base has. It
// reports whether there is one.
func (g *surroundings) levels(k *match) (levels facts.Bag[string], open bool) {
	levels = facts.Bag[string]{}
	for _, s := range sides {
		if near := g.near(k, s); len(near) > 0 && k.q[s.Other()] == nil {
			for _, l := range g.guard(near[0].q[s.Other()]) {
				levels[l.Said] = counts{}
			}
		}
	}
	for v, n := range k.q {
		for _, l := range g.guard(n) {
			cut, _, touched := facts.MaskAt(g.masks[n.V], text.Span{Start: l.Block, End: l.Block + 1})
			open = open || touched
			if v := facts.Version(v); !touched || v == base || v == result {
				levels.Add(v, l.Said)
			}
			if touched && v == int(base) && cut.For != base && k.q[cut.For] != nil {
				levels.Add(cut.For, l.Said)
			}
		}
	}
	return levels, open
}

// near is what stands beside k, which s added: both neighbours of what the other side has too, or all
// of that.
func (g *surroundings) near(k *match, s version) []*match {
	if k.q[s] == nil || k.q[base] != nil {
		return nil
	}
	if g.shared[s] == nil {
		g.shared[s] = slices.DeleteFunc(slices.Clone(g.rows), func(m *match) bool { return m.q[s] == nil || m.q[s.Other()] == nil })
		slices.SortStableFunc(g.shared[s], func(a, b *match) int { return cmp.Compare(a.at[s], b.at[s]) })
	}
	all := g.shared[s]
	i, _ := slices.BinarySearchFunc(all, k.at[s], func(m *match, at int32) int { return cmp.Compare(m.at[s], at) })
	before, after := all[:i], all[i:]
	if len(after) > 0 && after[0] == k {
		after = after[1:]
	}
	switch {
	case len(before) == 0:
		return after
	case len(after) == 0:
		return before
	}
	return []*match{before[i-1], after[0]}
}

// wrapped reports whether the other side put the block said around all that stands beside k,
// which a side added.
func (g *surroundings) wrapped(k *match, said string) bool {
	return slices.ContainsFunc(sides[:], func(s version) bool {
		near := g.near(k, s)
		if len(near) < 2 {
			return false
		}
		if len(near) < len(g.shared[s]) {
			return g.wraps(near, s.Other(), said)
		}
		w, known := g.wrap[wrapping{s, said}]
		if !known {
			if g.wrap == nil {
				g.wrap = map[wrapping]bool{}
			}
			w = g.wraps(near, s.Other(), said)
			g.wrap[wrapping{s, said}] = w
		}
		return w
	})
}

// wraps reports whether t has one block said around all of near, which the others have not in
// any branch.
func (c *checker) wraps(near []*match, t version, said string) bool {
	block, condition := -1, template.Level{Said: said}.Condition()
	for _, m := range near {
		for _, v := range [...]version{base, t.Other()} {
			if slices.ContainsFunc(c.guard(m.q[v]), func(l template.Level) bool { return l.Condition() == condition }) {
				return false
			}
		}
		i := slices.IndexFunc(c.guard(m.q[t]), func(l template.Level) bool { return l.Said == said })
		if i < 0 || block >= 0 && c.guard(m.q[t])[i].Block != block {
			return false
		}
		block = c.guard(m.q[t])[i].Block
	}
	return true
}
