package verify

import (
	"cmp"
	"maps"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A quad is one thing in the four versions, nil where a version lacks it.
type quad [versions]*Node

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
func of[T any](q quad, f func(*Node) T) (all [versions]T) {
	for v, n := range q {
		if n != nil {
			all[v] = f(n)
		}
	}
	return all
}

// data are the sums of what q says; 0 where a version lacks it.
func (q quad) data() [versions]uint64 {
	return of(q, func(n *Node) uint64 { return n.Data })
}

// any returns q in ours, else theirs, the base or the result.
func (q quad) any() *Node { return cmp.Or(q[ours], q[theirs], q[base], q[result]) }

// has reports whether f holds of a version of q.
func (q quad) has(f func(*Node) bool) bool {
	return slices.ContainsFunc(q[:], func(n *Node) bool { return n != nil && f(n) })
}

// part reports whether something in q is in conflict, so that its sums say
// nothing of it.
func (q quad) part() bool { return q.has(func(n *Node) bool { return n.Partial }) }

// lent reports whether a side has something of the base in q.
func (q quad) lent() bool {
	return q[ours] != nil && q[ours].V != ours || q[theirs] != nil && q[theirs].V != theirs
}

// all reports whether f holds of all that is in q.
func (q quad) all(f func(*Node) bool) bool {
	for _, n := range q {
		for kids := n.Inside(); len(kids) > 0; kids = kids[1:] {
			if !f(&kids[0]) {
				return false
			}
		}
	}
	return true
}

// nodes are the inputs' versions of q, nil where there is none.
func (q quad) nodes() []*syntax.Node {
	all := of(q, func(n *Node) *syntax.Node { return n.Node })
	return all[:result]
}

// members are what v has in q and what counts as if it had it; with what a person
// decided if so is asked.
func (q quad) members(v version, decided bool) []*Node {
	n := q[v]
	if n == nil {
		return nil
	}
	all := make([]*Node, 0, len(n.Kids))
	for i := range n.Kids {
		if k := &n.Kids[i]; decided || !k.Masked {
			all = append(all, k)
		}
	}
	if b := q[base]; b != nil && b.Partial && n.V == v && v != base && v != result {
		for i := range b.Kids {
			if k := &b.Kids[i]; k.For == v {
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

// several reports whether a version has several of g.
func (g *class) several() bool { return len(g.matches) > 1 }

// A pairing says which members of a collection are one.
type pairing struct {
	ID     func(*Node) uint64
	sure   bool // nothing may have an id twice
	values bool // it is what an item says
}

// matcher are matches in the making.
type matcher struct {
	ID      func(*Node) uint64
	matches []*match
	groups  map[uint64]*class
	taken   map[*Node]bool // of what was claimed
	// wanted are the matches that were claimed, by the identity that the result has to
	// have there; unknown those of which that is not known.
	wanted  map[uint64][]*match
	unknown []*match
	had     map[uint64][]*match // the matches that were claimed, by the identities of their versions
}

// match makes matches of the members of q, of what has no identity one each: those that are claimed to be one, and
// the others by their identity, those of one identity in their order. What the result has is of the match that
// asks for its identity; else of the next one that was claimed, and of which no version
// says what it becomes.
func (c *checker) match(q quad, by pairing) []*match {
	var members [versions][]*Node
	most := 0
	for v := range versions {
		members[v] = q.members(v, c.by == byPerson)
		most = max(most, len(members[v]))
	}
	p := matcher{matches: make([]*match, 0, most), groups: make(map[uint64]*class, most), ID: by.ID}
	p.claim(c.claimed(members, by.ID))
	for v, all := range members {
		for i, n := range all {
			if k := p.matchOf(version(v), n); k != nil {
				k.q[v], k.at[v] = n, int32(i)
				k.counts[v]++
				k.class.open = k.class.open || n.Masked
			}
		}
	}
	return p.matches
}

// claim takes matches that were claimed.
func (p *matcher) claim(rows []*match) {
	p.taken, p.wanted, p.had = map[*Node]bool{}, map[uint64][]*match{}, map[uint64][]*match{}
	for _, k := range rows {
		k.class = &class{}
		if one := k.same(p.ID); one != 0 {
			k.class = p.group(one)
		}
		k.nth = int32(len(k.matches))
		k.matches = append(k.matches, k)
		named := true
		for v, n := range k.q {
			if n != nil {
				p.taken[n] = true
				k.counts[v]++
				named = named && p.ID(n) != 0
				p.had[p.ID(n)] = append(p.had[p.ID(n)], k)
			}
		}
		if want, ok := choose(of(k.q, p.ID)); ok && named && want != 0 {
			p.wanted[want] = append(p.wanted[want], k)
		} else if k.q[ours] != nil && k.q[theirs] != nil {
			p.unknown = append(p.unknown, k)
		}
	}
	p.matches = append(p.matches, rows...)
}

// group is the class of an identity, of none a new one.
func (p *matcher) group(key uint64) *class {
	g := p.groups[key]
	if g == nil || key == 0 {
		g = &class{key: key}
		p.groups[key] = g
	}
	return g
}

// matchOf is where n, a member of v, belongs; nil for what was claimed.
func (p *matcher) matchOf(v version, n *Node) *match {
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
		if k.q[v] == nil {
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
				want, _ := choose(of(k.q, p.ID))
				p.wanted[want] = slices.DeleteFunc(p.wanted[want], func(x *match) bool { return x == k })
				return k
			}
		}
	}
	k := &match{nth: int32(len(g.matches)), class: g}
	g.matches, p.matches = append(g.matches, k), append(p.matches, k)
	return k
}

// What no address pairs, whoever made the result says: these nodes of the versions are one
// thing, which a side renamed, or which stands in a list whose items have no names. That is
// a claim, and is not believed: it is injective, what was renamed is gone under its old
// name, and it is no copy; else the nodes are things of their own. A claim gives
// nothing but an address: whatever is in there has to hold like all else.

// claimsOf says which claim a node of a version is of. Of two about one node, the second one does not count.
func claimsOf(all []three.Nodes) (of [result]map[*syntax.Node]int) {
	for v := range of {
		of[v] = make(map[*syntax.Node]int, len(all))
	}
	for i, nodes := range all {
		for v, n := range nodes {
			if _, twice := of[v][n]; twice {
				nodes = three.Nodes{}
			}
		}
		for v, n := range nodes {
			if n != nil {
				of[v][n] = i
			}
		}
	}
	return of
}

// A census is how often a version has what is known by an identity.
type census struct {
	ids   map[uint64]int
	left  map[uint64]int // identities of the base that a side gave up
	fresh []*Node        // mappings that it added, and of which nothing is claimed
}

// mostAdded is how many things that a side added are compared with one that it changed.
const mostAdded = 4

// claimed are the matches of what is claimed of members and no identity says, as far as that holds, in the order
// of the claims.
func (c *checker) claimed(members [versions][]*Node, id func(*Node) uint64) (rows []*match) {
	if len(c.Same) == 0 {
		return nil
	}
	by := map[int]*match{}
	for v := range result {
		for i, n := range members[v] {
			if k, ok := c.claims[n.V][n.Node]; ok {
				if by[k] == nil {
					by[k] = &match{}
				}
				by[k].q[v], by[k].at[v] = n, int32(i)
			}
		}
	}
	var known [result]census
	for v := range result {
		known[v] = census{ids: map[uint64]int{}, left: map[uint64]int{}}
		for _, n := range members[v] {
			known[v].ids[id(n)]++
		}
	}
	maps.DeleteFunc(by, func(_ int, k *match) bool { // an identity that no version has twice says so already
		one := k.same(id)
		return one != 0 && !slices.ContainsFunc(known[:], func(in census) bool { return in.ids[one] > 1 })
	})
	if len(by) == 0 {
		return nil
	}
	for v := range result {
		for _, n := range members[v] {
			k, ok := c.claims[n.V][n.Node]
			switch {
			case ok && by[k] != nil && by[k].q[base] != nil:
				if was := id(by[k].q[base]); was != id(n) {
					known[v].left[was]++
				}
			case known[base].ids[id(n)] == 0 && n.Kind == syntax.Mapping && len(known[v].fresh) < mostAdded:
				known[v].fresh = append(known[v].fresh, n)
			}
		}
	}
	for _, i := range slices.Sorted(maps.Keys(by)) {
		if k := by[i]; k.same(id) != 0 || c.holds(k, known, id) {
			rows = append(rows, k)
		}
	}
	return rows
}

// same is the identity that all of k have, 0 for none.
func (k *match) same(id func(*Node) uint64) uint64 {
	one := id(k.q.any())
	if k.q.has(func(n *Node) bool { return id(n) != one }) {
		return 0
	}
	return one
}

// holds reports whether k, which is claimed to be one thing, may be: what a side renamed is gone
// under its old name, the new one is not that of another thing of the base, and of what the side
// added nothing is more like it.
func (c *checker) holds(k *match, known [result]census, id func(*Node) uint64) bool {
	b, was := k.q[base], known[base]
	if k.q[ours] == nil || k.q[theirs] == nil || b == nil {
		return k.q[ours] != nil && k.q[theirs] != nil
	}
	for _, s := range sides {
		n, in := k.q[s], known[s]
		switch {
		case id(n) == id(b):
			continue
		case id(b) != 0 && in.ids[id(b)] >= was.ids[id(b)]:
			return false // what has the old name is the thing, and this its copy
		case id(n) != 0 && was.ids[id(n)] > in.left[id(n)] && was.ids[id(n)] > known[s.Other()].ids[id(n)]:
			return false // it was there, and the other side deleted it
		case b.Entry == nil || b.Entry.Key != nil || b.Kind != syntax.Mapping || k.q[s.Other()].Data == b.Data:
			continue
		}
		name := nameOf(b.Node)
		named := nameOf(n.Node) == name && name != nameless
		like, _ := c.likeness(b, n)
		if slices.ContainsFunc(in.fresh, func(x *Node) bool {
			more, _ := c.likeness(b, x)
			return (!named || nameOf(x.Node) == name) && more > like
		}) {
			return false
		}
	}
	return true
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
		in := k.q.in() &^ inResult
		isOpen := open && in != inAll&^inResult
		return k.several() || k.q.lent() || isOpen || in == inOurs|inTheirs
	})
	known := slices.DeleteFunc(slices.Clone(rows), func(k *match) bool { return k.q[base] == nil })
	apart := outOf(known, ours, theirs) != nil
	for _, s := range sides {
		if outOf(rows, base, s.Other()) != nil && (apart || outOf(rows, base, s) == nil) {
			continue
		}
		if bad := outOf(rows, s, result); bad != nil {
			return bad.q.violation(ruleOrder, "it stands in another order than in %s", s)
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
