package verify

import (
	"maps"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// What no address pairs, whoever made the result says: these nodes of the versions are one
// thing, which a side renamed, or which stands in a list whose items have no names. That is
// a claim, and is not believed: it is injective, what was renamed is gone under its old
// name, and it is no copy; else the nodes are things of their own. A claim gives
// nothing but an address: whatever is in there has to hold like all else.

// A claims is what is claimed of the versions.
type claims struct {
	of [result]map[*syntax.Node]int // which claim a node is of
}

// newClaims are the claims of which no two are about one node.
func newClaims(all []three.Nodes) *claims {
	c := &claims{}
	for v := range c.of {
		c.of[v] = make(map[*syntax.Node]int, len(all))
	}
	for i, nodes := range all {
		for v, n := range nodes {
			if _, twice := c.of[v][n]; twice {
				nodes = three.Nodes{}
			}
		}
		for v, n := range nodes {
			if n != nil {
				c.of[v][n] = i
			}
		}
	}
	return c
}

// about returns the claim that is about n, a member of v.
func (c *claims) about(v version, n *node) (int, bool) {
	if c == nil || v == result {
		return 0, false
	}
	i, ok := c.of[v][n.Node]
	if !ok && n.V == base {
		i, ok = c.of[base][n.Node] // it counts for v
	}
	return i, ok
}

// claimed are the matches of what is claimed of members, as far as that holds, in the order
// of the claims.
func (c *checker) claimed(members [versions][]*node, id func(*node) uint64) (rows []*match) {
	by := c.claimsOf(members)
	if addressed(members, by, id) {
		return nil
	}
	known := c.censuses(members, by, id)
	for _, k := range slices.Sorted(maps.Keys(by)) {
		if r := by[k]; r.holds(known, id) {
			rows = append(rows, r)
		}
	}
	return rows
}

// addressed reports whether identities say all of by already: each is known by one, and no version
// has one twice.
func addressed(members [versions][]*node, by map[int]*match, id func(*node) uint64) bool {
	for _, k := range by {
		if k.same(id) == 0 {
			return false
		}
	}
	return len(by) == 0 || !slices.ContainsFunc(members[:result], func(all []*node) bool {
		return repeats(len(all), func(i int) uint64 { return id(all[i]) })
	})
}

// repeats reports whether two of n things have one identity.
func repeats(n int, id func(i int) uint64) bool {
	ids := make(map[uint64]struct{}, n)
	for i := range n {
		ids[id(i)] = struct{}{}
	}
	return len(ids) < n
}

// claimsOf are the matches of what is claimed of members, by claim.
func (c *checker) claimsOf(members [versions][]*node) map[int]*match {
	if len(c.Same) == 0 {
		return nil
	}
	by := map[int]*match{}
	for v := range result {
		for i, n := range members[v] {
			k, ok := c.claims.about(v, n)
			if !ok {
				continue
			}
			if by[k] == nil {
				by[k] = &match{}
			}
			by[k].q[v], by[k].at[v] = n, int32(i)
		}
	}
	return by
}

// censuses are those of members, of which by is claimed.
func (c *checker) censuses(members [versions][]*node, by map[int]*match, id func(*node) uint64) (known [result]census) {
	for v := range result {
		of := func(n *node) *match { // what is claimed of n
			if k, ok := c.claims.about(v, n); ok {
				return by[k]
			}
			return nil
		}
		known[v] = censusOf(members[v], func(n *node) uint64 {
			if k := of(n); k != nil && k.q[base] != nil && id(k.q[base]) != id(n) {
				return 0 // it got the name of another one
			}
			return id(n)
		})
		for _, n := range members[v] {
			known[v].alike[id(n)]++
			if k := of(n); k == nil || k.q[base] == nil {
				known[v].all = append(known[v].all, n)
			} else if id(k.q[base]) != id(n) {
				known[v].left[id(k.q[base])]++
			}
		}
		known[v].fresh = known[v].added(known[base], id)
	}
	return known
}

// A census is how often a version has what is known by an identity, and by a name.
type census struct {
	all        []*node // those of which nothing is claimed
	fresh      []*node // of these, what was added
	ids, items map[uint64]int
	alike      map[uint64]int // ids, of those too that a claim gives the identity of another
	left       map[uint64]int // identities of the base that a side gave up
}

func censusOf(members []*node, id func(*node) uint64) census {
	k := census{ids: map[uint64]int{}, items: map[uint64]int{}, alike: map[uint64]int{}, left: map[uint64]int{}}
	for _, n := range members {
		k.ids[id(n)]++
		if n.Entry != nil && n.Entry.Key == nil && n.Kind == syntax.Mapping {
			k.items[facts.NameOf(n.Node)]++
		}
	}
	return k
}

// holds reports whether k, which is claimed to be one thing, may be, and no identity says
// so already.
func (k *match) holds(known [result]census, id func(*node) uint64) bool {
	b, o, t := k.q[base], k.q[ours], k.q[theirs]
	if one := k.same(id); one != 0 {
		return slices.ContainsFunc(known[:], func(v census) bool { return v.alike[one] > 1 })
	}
	switch {
	case o == nil || t == nil:
		return false
	case b == nil:
		return true
	}
	for _, s := range sides {
		if n := k.q[s]; id(n) != id(b) && !k.renamed(s, known, id) {
			return false
		}
	}
	return true
}

// renamed reports whether what s has of k may be what became of the base's: that is gone
// under its old name, the new one is not that of another thing of the base, and of what s
// added nothing is more like it.
func (k *match) renamed(s version, known [result]census, id func(*node) uint64) bool {
	b, n, in, was := k.q[base], k.q[s], known[s], known[base]
	switch {
	case id(b) != 0 && in.ids[id(b)] >= was.ids[id(b)]:
		return false // what has the old name is the thing, and this its copy
	case id(n) != 0 && was.ids[id(n)] > in.left[id(n)] && was.ids[id(n)] > known[s.Other()].ids[id(n)]:
		return false // it was there, and the other side deleted it
	case b.Entry == nil || b.Entry.Key != nil || b.Kind != syntax.Mapping:
		return true
	case facts.NameOf(n.Node) != facts.NameOf(b.Node) && in.items[facts.NameOf(b.Node)] > 0:
		return false
	}
	named := facts.NameOf(n.Node) == facts.NameOf(b.Node) && facts.NameOf(n.Node) != facts.Nameless
	return k.q.data()[s.Other()] == b.Data || !slices.ContainsFunc(in.fresh, func(x *node) bool {
		return (!named || facts.NameOf(x.Node) == facts.NameOf(b.Node)) && facts.Shared(b, x) > facts.Shared(b, n)
	})
}

// mostAdded is how many things that a side added are compared with one that it changed.
const mostAdded = 4

// added are the mappings that v has under names that was has not.
func (v census) added(was census, id func(*node) uint64) (all []*node) {
	for _, n := range v.all {
		if was.ids[id(n)] == 0 && n.Kind == syntax.Mapping && len(all) < mostAdded {
			all = append(all, n)
		}
	}
	return all
}
