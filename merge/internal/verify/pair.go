package verify

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A quad is one thing in the four versions, nil where a version lacks it.
type quad [versions]*node

// A presence is which versions have a thing.
type presence uint8

const (
	inBase presence = 1 << iota
	inOurs
	inTheirs
	inResult
	inAll = inBase | inOurs | inTheirs | inResult
)

// in are the versions that have q.
func (q quad) in() (p presence) {
	for v, n := range q {
		if n != nil {
			p |= 1 << v
		}
	}
	return p
}

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
func (q quad) data() [versions]uint64 {
	return of(q, func(n *node) uint64 { return n.Data })
}

// any returns q in ours, else theirs, the base or the result.
func (q quad) any() *node {
	for _, v := range [...]version{ours, theirs, base, result} {
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
func (q quad) part() bool { return q.has(func(n *node) bool { return n.Partial }) }

// lent reports whether a side has something of the base in q.
func (q quad) lent() bool {
	return q[ours] != nil && q[ours].V != ours || q[theirs] != nil && q[theirs].V != theirs
}

// all reports whether f holds of all that is in q.
func (q quad) all(f func(*node) bool) bool {
	for _, n := range q {
		if n == nil {
			continue
		}
		kids := n.Kids
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
	kids := n.Kids
	all := make([]*node, 0, len(kids))
	for i := range kids {
		if k := &kids[i]; decided || !k.Masked {
			all = append(all, k)
		}
	}
	if b := q[base]; b != nil && b.Partial && n.V == v && v != base && v != result {
		kids := b.Kids
		for i := range kids {
			if k := &kids[i]; k.For == v {
				all = append(all, k)
			}
		}
	}
	return all
}

// A match is one member of a collection in its versions.
type match struct {
	q   quad
	at  [versions]int32 // its index
	nth int32           // which of its class it is, from 0
	*class
}

// A class is the members of one identity. If a version has several of them, they
// pair in their order, though which of them is which cannot be told.
type class struct {
	key     uint64
	counts  counts
	matches []*match
	full    counts // how many of matches have a member of a version, from the first on
	open    bool   // one of them stood in conflict
}

// more returns a new match of g.
func (g *class) more() *match {
	r := &match{nth: int32(len(g.matches)), class: g}
	g.matches = append(g.matches, r)
	return r
}

// several reports whether a version has several of g.
func (g *class) several() bool { return len(g.matches) > 1 }

// same is the identity that all versions of k have; 0 if they have several, or none.
func (k *match) same(id func(*node) uint64) uint64 {
	one := id(k.q.any())
	if k.q.has(func(n *node) bool { return id(n) != one }) {
		return 0
	}
	return one
}

// A pairing says which members of a collection are one.
type pairing struct {
	ID     func(*node) uint64
	sure   bool // nothing may have an id twice
	values bool // it is what an item says
}

// all4 are the members of q in all versions.
func (q quad) all4(decided bool) (all [versions][]*node) {
	for v := range versions {
		all[v] = q.members(v, decided)
	}
	return all
}

// matchAll makes matches of members, of what has no identity one each: those that are claimed to be one, and the others by their
// identity, those of one identity in their order. What the result has is of the match that
// asks for its identity; else of the next one that was claimed, and of which no version
// says what it becomes.
func matchAll(members [versions][]*node, id func(*node) uint64, claimed []*match) []*match {
	most := 0
	for _, all := range members {
		most = max(most, len(all))
	}
	p := matcher{matches: make([]*match, 0, most), groups: make(map[uint64]*class, most), ID: id}
	p.claim(claimed)
	for v, all := range members {
		for i, n := range all {
			if k := p.matchOf(facts.Version(v), n); k != nil {
				k.q[v], k.at[v] = n, int32(i)
				k.counts[v]++
				k.class.open = k.class.open || n.Masked
			}
		}
	}
	return p.matches
}

// matcher are matches in the making.
type matcher struct {
	ID      func(*node) uint64
	matches []*match
	groups  map[uint64]*class
	taken   map[*node]bool // of what was claimed
	// wanted are the matches that were claimed, by the identity that the result has to
	// have there; unknown those of which that is not known.
	wanted  map[uint64][]*match
	unknown []*match
	had     map[uint64][]*match // the matches that were claimed, by the identities of their versions
}

// claim takes matches that were claimed.
func (p *matcher) claim(rows []*match) {
	if len(rows) == 0 {
		return
	}
	p.taken, p.wanted, p.had = map[*node]bool{}, map[uint64][]*match{}, map[uint64][]*match{}
	for _, k := range rows {
		k.class = &class{}
		if one := k.same(p.ID); one != 0 {
			k.class = p.group(one)
		}
		k.nth = int32(len(k.matches))
		k.matches = append(k.matches, k)
		for v, n := range k.q {
			if n != nil {
				p.taken[n] = true
				k.counts[v]++
				p.had[p.ID(n)] = append(p.had[p.ID(n)], k)
			}
		}
		if want := p.wants(k); want != 0 {
			p.wanted[want] = append(p.wanted[want], k)
		} else if k.q[ours] != nil && k.q[theirs] != nil {
			p.unknown = append(p.unknown, k)
		}
	}
	p.matches = append(p.matches, rows...)
}

// wants is the identity that the result has to have in k, 0 if that is not known.
func (p *matcher) wants(k *match) uint64 {
	want, ok := facts.Choose(of(k.q, p.ID))
	if !ok || k.q.has(func(n *node) bool { return p.ID(n) == 0 }) {
		return 0
	}
	return want
}

// class is that of an identity.
func (p *matcher) group(key uint64) *class {
	g := p.groups[key]
	if g == nil || key == 0 {
		g = &class{key: key}
		p.groups[key] = g
	}
	return g
}

// matchOf is where n, a member of v, belongs; nil for what was claimed.
func (p *matcher) matchOf(v version, n *node) *match {
	if p.taken[n] {
		return nil
	}
	key := p.ID(n)
	if all := p.wanted[key]; v == result && len(all) > 0 {
		p.wanted[key] = all[1:]
		return all[0]
	}
	g := p.group(key)
	for _, k := range g.matches[g.full[v]:] {
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
				p.wanted[p.wants(k)] = slices.DeleteFunc(p.wanted[p.wants(k)], func(x *match) bool { return x == k })
				return k
			}
		}
	}
	p.matches = append(p.matches, g.more())
	return p.matches[len(p.matches)-1]
}

// order refuses members that stand in another order than in a side, where the
// other side did not give what all have another one. Of several that are alike
// it cannot be told which is which, and what both added stands where one did.
// So does what is in conflict.
func order(rows []*match, open bool) *Violation {
	if !slices.ContainsFunc(rows, (*match).moved) {
		return nil
	}
	rows = slices.DeleteFunc(slices.Clone(rows), func(k *match) bool {
		b, o, t := k.q[base], k.q[ours], k.q[theirs]
		return k.several() || k.q.lent() || open && (b == nil || o == nil || t == nil) || b == nil && o != nil && t != nil
	})
	known := slices.DeleteFunc(slices.Clone(rows), func(k *match) bool { return k.q[base] == nil })
	apart := outOf(known, ours, theirs) != nil
	for _, s := range sides {
		if outOf(rows, base, s.Other()) != nil && (apart || outOf(rows, base, s) == nil) {
			continue
		}
		if bad := outOf(rows, s, result); bad != nil {
			return bad.q.violation("order", "it stands in another order than in %s", s)
		}
	}
	return nil
}

// moved reports whether the versions of k do not all stand at one place.
func (k *match) moved() bool {
	return slices.Contains(k.q[:], nil) || k.at != [versions]int32{k.at[base], k.at[base], k.at[base], k.at[base]}
}

// outOf returns a member that b has in another order than a; nil if none.
func outOf(rows []*match, a, b version) *match {
	both := slices.DeleteFunc(slices.Clone(rows), func(k *match) bool { return k.q[a] == nil || k.q[b] == nil })
	slices.SortFunc(both, func(x, y *match) int { return int(x.at[a] - y.at[a]) })
	for i := 1; i < len(both); i++ {
		if both[i].at[b] < both[i-1].at[b] {
			return both[i]
		}
	}
	return nil
}
