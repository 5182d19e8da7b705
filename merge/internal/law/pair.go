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
	full   counts // how many of rows have a member of a version, from the first on
	open   bool   // one of them stood in conflict
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
	return pairAll(q.all4(decided), id, nil)
}

// all4 are the members of q in all versions.
func (q quad) all4(decided bool) (all [versions][]*node) {
	for v := range versions {
		all[v] = q.members(v, decided)
	}
	return all
}

// pairAll makes rows of members: those that are claimed to be one, and the others by their
// identity, those of one identity in their order. What the result has is of the row that
// asks for its identity; else of the next one that was claimed, and of which no version
// says what it becomes.
func pairAll(members [versions][]*node, id func(*node) uint64, claimed []*row) []*row {
	most := 0
	for _, all := range members {
		most = max(most, len(all))
	}
	p := pairs{rows: make([]*row, 0, most), groups: make(map[uint64]*group, most), id: id}
	p.claim(claimed)
	for v, all := range members {
		for i, n := range all {
			if k := p.rowOf(version(v), n); k != nil {
				k.q[v], k.at[v] = n, int32(i)
				k.counts[v]++
				k.group.open = k.group.open || n.gone
			}
		}
	}
	return p.rows
}

// pairs are rows in the making.
type pairs struct {
	id     func(*node) uint64
	rows   []*row
	groups map[uint64]*group
	taken  map[*node]bool // of what was claimed
	// wanted are the rows that were claimed, by the identity that the result has to
	// have there; unknown those of which that is not known.
	wanted  map[uint64][]*row
	unknown []*row
	had     map[uint64][]*row // the rows that were claimed, by the identities of their versions
}

// claim takes rows that were claimed.
func (p *pairs) claim(rows []*row) {
	if len(rows) == 0 {
		return
	}
	p.taken, p.wanted, p.had = map[*node]bool{}, map[uint64][]*row{}, map[uint64][]*row{}
	for _, k := range rows {
		k.group = &group{}
		if one := k.same(p.id); one != 0 {
			k.group = p.group(one)
		}
		k.nth = int32(len(k.rows))
		k.rows = append(k.rows, k)
		for v, n := range k.q {
			if n != nil {
				p.taken[n] = true
				k.counts[v]++
				p.had[p.id(n)] = append(p.had[p.id(n)], k)
			}
		}
		if want := p.wants(k); want != 0 {
			p.wanted[want] = append(p.wanted[want], k)
		} else if k.q[dest] != nil && k.q[updated] != nil {
			p.unknown = append(p.unknown, k)
		}
	}
	p.rows = append(p.rows, rows...)
}

// wants is the identity that the result has to have in k, 0 if that is not known.
func (p *pairs) wants(k *row) uint64 {
	want, ok := choose(of(k.q, p.id))
	if !ok || k.q.has(func(n *node) bool { return p.id(n) == 0 }) {
		return 0
	}
	return want
}

// group is that of an identity.
func (p *pairs) group(key uint64) *group {
	g := p.groups[key]
	if g == nil || key == 0 {
		g = &group{key: key}
		p.groups[key] = g
	}
	return g
}

// rowOf is where n, a member of v, belongs; nil for what was claimed.
func (p *pairs) rowOf(v version, n *node) *row {
	if p.taken[n] {
		return nil
	}
	key := p.id(n)
	if all := p.wanted[key]; v == result && len(all) > 0 {
		p.wanted[key] = all[1:]
		return all[0]
	}
	g := p.group(key)
	for _, k := range g.rows[g.full[v]:] {
		if k.q[v] == nil && (v == result || !p.taken[k.q.any()]) {
			return k
		}
		g.full[v]++
	}
	if v == result && len(p.unknown) > 0 {
		k := p.unknown[0]
		p.unknown = p.unknown[1:]
		return k
	}
	if v == result && key != 0 {
		for _, k := range p.had[key] { // what a version has there, though another was to be
			if k.q[result] == nil {
				p.wanted[p.wants(k)] = slices.DeleteFunc(p.wanted[p.wants(k)], func(x *row) bool { return x == k })
				return k
			}
		}
	}
	p.rows = append(p.rows, g.more())
	return p.rows[len(p.rows)-1]
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
