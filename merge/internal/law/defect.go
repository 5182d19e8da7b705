package law

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Defect returns what is wrong with c beyond doubt, or nil. It is what git's
// line merge may be refused for; it is much less than the law:
//
//   - a key, a keyed item, a resource, or a scalar of a list stands more often
//     than in either side;
//   - fields exclude each other, and no version has two of them;
//   - an alias means another node than in the version it came from;
//   - an entry that nobody deleted is gone from where all have it, or one that a
//     side added is not where it stood among what is still there;
//   - an entry has a value that is not the merge of what the versions have there.
//
// Comments, order and form are no defects, nor is an edit that stands in an
// entry that the other side renamed, moved, retyped or took apart.
func Defect(c Claim) *Refusal {
	k := newChecker(c)
	q := quad(k.docs)
	id, below := k.byIdentity(q), func(n *node) *place { return &place{root: n} }
	if k.single() {
		id = func(n *node) uint64 { return 1 }
	}
	if r := k.defects(q, id, below, func(n *node) bool { return identity(n) != "" }); r != nil {
		return r
	}
	return k.aliases()
}

// defects looks at the members of q, which all versions have; what sure holds of
// is known by its identity.
func (c *checker) defects(q quad, id func(*node) uint64, below func(*node) *place, sure func(*node) bool) *Refusal {
	rows := pair(q, id)
	for i, k := range rows {
		o, d, u, r := k.q[original], k.q[dest], k.q[updated], k.q[result]
		switch {
		case k.q.settled():
		case r != nil && d == nil && u == nil && k.nth > 1 && sure(r):
			return first(rows, &k).refuse("doubled", "it stands more often than in either side")
		case q.part() && (r == nil || d == nil || u == nil):
		case r == nil && o != nil && d != nil && u != nil:
			return k.q.refuse("lost", "all versions have %s, it is gone", d.show())
		case r == nil && o == nil && (d == nil) != (u == nil) && !k.carried(rows):
			return k.q.refuse("lost", "%s is not where it was added", k.q.any().show())
		case r != nil && d != nil && u != nil:
			if x := c.defect(below(rows[i].q.any()), k.q); x != nil {
				return x
			}
		}
	}
	return nil
}

// carried reports whether what a side added may have gone with its neighbours, which
// the other side moved elsewhere.
func (k row) carried(rows []row) bool {
	s := dest
	if k.q[dest] == nil {
		s = updated
	}
	for _, n := range rows {
		near := n.at[s] == k.at[s]-1 || n.at[s] == k.at[s]+1
		if n.q[s] != nil && near && n.q[result] == nil {
			return true
		}
	}
	return false
}

// defect looks at q, which both sides and the result have.
func (c *checker) defect(at *place, q quad) *Refusal {
	o, d, u, r := q[original], q[dest], q[updated], q[result]
	if d.Kind != u.Kind || d.Kind != r.Kind || o != nil && o.Kind != d.Kind {
		return nil
	}
	switch d.Kind {
	case syntax.Mapping:
		if x := c.oneOf(at, q); x != nil {
			return x
		}
		return c.defects(q, byKey, func(n *node) *place { return at.field(n.entry.KeyText()) }, func(*node) bool { return true })
	case syntax.Sequence:
		return c.listDefects(at, q)
	}
	if x := c.scalarOf(q); x != nil && (o != nil || r.bare != d.bare && r.bare != u.bare) {
		return x
	}
	return nil
}

// listDefects looks at a list: its items by what identifies them, if that is
// known; else scalars by what they are.
func (c *checker) listDefects(at *place, q quad) *Refusal {
	items := func(n *node) *place { return at.field("*") }
	if at.isItems() && q.all(func(n *node) bool { return identity(n) != "" }) {
		return c.defects(q, c.byIdentity(q), at.item, func(*node) bool { return true })
	}
	l := c.Rules.Of(at.schema(c.File), q.nodes()...)
	has := func(n *node) bool { _, ok := l.ID(n.Node); return ok }
	if l.Kind == schema.Map && q.all(has) {
		named := l.Source != "inference" || l.Keys[0] == "name"
		return c.defects(q, func(n *node) uint64 { x, _ := l.ID(n.Node); return hash(x) }, items, func(*node) bool { return named })
	}
	rows := pair(q, byValue)
	many := tally(rows)
	for _, k := range rows {
		n := k.counts()
		if m, ok := many[k.key]; ok {
			n = m
		}
		if x := k.q.any(); x.Kind == syntax.Scalar && n[result] > max(n[original], n[dest], n[updated]) && n[dest]+n[updated] > 0 {
			return first(rows, &k).refuse("doubled", "it stands more often than in either side")
		}
		if n[result] < min(n[original], n[dest], n[updated]) {
			return k.q.refuse("lost", "all versions have %s, it is gone", k.q.any().show())
		}
	}
	return nil
}
