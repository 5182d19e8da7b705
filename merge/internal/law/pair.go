package law

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A quad is one thing in the four versions, nil where a version lacks it.
type quad [versions]*node

// of is what f says of each version of q; nothing of those that lack it.
func of[T any](q quad, f func(*node) T) (all [versions]T) {
	for v, n := range q {
		if n != nil {
			all[v] = f(n)
		}
	}
	return all
}

// data are the sums of what q says; 0 where a version lacks it.
func (q quad) data() [versions]uint64 { return of(q, func(n *node) uint64 { return n.data }) }

// any returns q in dest, else updated, the original or the result.
func (q quad) any() *node {
	for _, v := range [...]version{dest, updated, original, result} {
		if q[v] != nil {
			return q[v]
		}
	}
	return nil
}

// has reports whether f holds of a version of q.
func (q quad) has(f func(*node) bool) bool {
	return slices.ContainsFunc(q[:], func(n *node) bool { return n != nil && f(n) })
}

// part reports whether something in q is in conflict, so that its sums say
// nothing of it.
func (q quad) part() bool { return q.has(func(n *node) bool { return n.part }) }

// lent reports whether a side has something of the original in q.
func (q quad) lent() bool {
	return q[dest] != nil && q[dest].v != dest || q[updated] != nil && q[updated].v != updated
}

// all reports whether f holds of all that is in q.
func (q quad) all(f func(*node) bool) bool {
	for _, n := range q {
		if n == nil {
			continue
		}
		kids := n.kids()
		for i := range kids {
			if !f(&kids[i]) {
				return false
			}
		}
	}
	return true
}

// nodes are the inputs' versions of q, nil where there is none.
func (q quad) nodes() []*syntax.Node {
	all := of(q, func(n *node) *syntax.Node { return n.Node })
	return all[:result]
}

// members are what v has in q and what counts as if it had it; with what a person
// decided if so is asked.
func (q quad) members(v version, decided bool) []*node {
	n := q[v]
	if n == nil {
		return nil
	}
	kids := n.kids()
	all := make([]*node, 0, len(kids))
	for i := range kids {
		if k := &kids[i]; decided || !k.gone {
			all = append(all, k)
		}
	}
	if o := q[original]; o != nil && o.part && n.v == v && v != original && v != result {
		kids := o.kids()
		for i := range kids {
			if k := &kids[i]; k.lent == v {
				all = append(all, k)
			}
		}
	}
	return all
}

// A row is one member of a collection in its versions.
type row struct {
	q   quad
	at  [versions]int32 // its index
	nth int32           // which of its group it is, from 0
	*group
}

// A group is the members of one identity. If a version has several of them, they
// pair in their order, though which of them is which cannot be told.
type group struct {
	key    uint64
	counts counts
	rows   []*row
	open   bool // one of them stood in conflict
	first  row
	one    [1]*row // memory for rows
}

// more returns a new row of g; most groups have one.
func (g *group) more() *row {
	r := &g.first
	if len(g.rows) > 0 {
		r = new(row)
	} else {
		g.rows = g.one[:0]
	}
	r.nth, r.group = int32(len(g.rows)), g
	g.rows = append(g.rows, r)
	return r
}

// several reports whether a version has several of g.
func (g *group) several() bool { return len(g.rows) > 1 }

// pair makes rows of the members of q. What has no identity is a row of its own.
func pair(q quad, id func(*node) uint64, decided bool) []*row {
	most := 0
	for _, n := range q {
		if n != nil {
			most = max(most, n.size())
		}
	}
	rows, groups := make([]*row, 0, most), make(map[uint64]*group, most)
	for v := range versions {
		for i, n := range q.members(v, decided) {
			key := id(n)
			g := groups[key]
			if g == nil || key == 0 {
				g = &group{key: key}
				groups[key] = g
			}
			nth := g.counts[v]
			if int(nth) == len(g.rows) {
				rows = append(rows, g.more())
			}
			g.rows[nth].q[v], g.rows[nth].at[v] = n, int32(i)
			g.counts[v]++
			g.open = g.open || n.gone
		}
	}
	return rows
}

// order refuses members that stand in another order than in a side, where the
// other side did not give what all have another one. Of several that are alike
// it cannot be told which is which, and what both added stands where one did.
// So does what is in conflict.
func order(rows []*row, open bool) *Refusal {
	rows = slices.DeleteFunc(slices.Clone(rows), func(k *row) bool {
		o, d, u := k.q[original], k.q[dest], k.q[updated]
		return k.several() || k.q.lent() || open && (o == nil || d == nil || u == nil) || o == nil && d != nil && u != nil
	})
	known := slices.DeleteFunc(slices.Clone(rows), func(k *row) bool { return k.q[original] == nil })
	apart := outOf(known, dest, updated) != nil
	for _, s := range sides {
		if outOf(rows, original, s.other()) != nil && (apart || outOf(rows, original, s) == nil) {
			continue
		}
		if bad := outOf(rows, s, result); bad != nil {
			return bad.q.refuse("order", "it stands in another order than in %s", s)
		}
	}
	return nil
}

// outOf returns a member that b has in another order than a; nil if none.
func outOf(rows []*row, a, b version) *row {
	both := slices.DeleteFunc(slices.Clone(rows), func(k *row) bool { return k.q[a] == nil || k.q[b] == nil })
	slices.SortFunc(both, func(x, y *row) int { return int(x.at[a] - y.at[a]) })
	for i := 1; i < len(both); i++ {
		if both[i].at[b] < both[i-1].at[b] {
			return both[i]
		}
	}
	return nil
}
