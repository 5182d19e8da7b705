package law

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Defect returns what is wrong with c beyond doubt, or nil. It is what git's
// line merge may be refused for; it is much less than the law:
//
//   - a key, a keyed item, a resource, or a scalar of a list stands more often
//     than in either side;
//   - an alias means another node than in the version it came from;
//   - an entry that nobody deleted is gone from where all have it, or one that a
//     side added is not where it stood among what is still there;
//   - an entry has a value that is not the merge of what the versions have there.
//
// Comments, order and form are no defects, nor is an edit that stands in an
// entry that the other side renamed, moved, retyped or took apart, or in an item whose
// name it gave to another. The lines of a text count as they stand in the file. Of
// several that are alike it cannot be told which is gone.
func Defect(c Claim) *Refusal {
	k := newChecker(c)
	k.byLine = true
	if r := k.sound(); r != nil {
		return r
	}
	if r := k.documents(); r != nil {
		return r
	}
	return k.aliases()
}

// defect looks at k, a member of q.
func (c *checker) defect(at *place, q quad, k *row, rows []*row, by pairing) *Refusal {
	o, d, u, r := k.q[original], k.q[dest], k.q[updated], k.q[result]
	switch {
	case k.q.settled():
	case k.doubled() && (by.sure && k.key != r.data || by.values && r.Kind == syntax.Scalar):
		return k.refuse()
	case o != nil && r != nil && (d == nil) != (u == nil) && !by.values && !q.part() && !k.several():
		return k.q.refuse("undone", "a side deleted it and the other moved it, found %s", r.show())
	case q.part() && !by.values && (r == nil || d == nil || u == nil):
	case r == nil && k.several() && k.accounted():
	case r == nil && o != nil && d != nil && u != nil:
		return k.q.refuse("lost", "all versions have %s, it is gone", d.show())
	case r == nil && o == nil && (d == nil) != (u == nil) && !by.values && !k.carried(rows):
		return k.q.refuse("lost", "%s is not where it was added", k.q.any().show())
	case r == nil, d == nil, u == nil, d.Kind != u.Kind, o != nil && o.Kind != d.Kind:
	case r.Kind == d.Kind:
		if x := c.content(at, k.q); x != nil && !k.reused(rows) {
			return x
		}
	case !r.isNull():
		return k.q.refuse("value", "expected %s, found %s", d.show(), r.show())
	}
	return nil
}

// accounted reports whether what the result lacks of k, an identity that a version has
// several times, stands in it as often as the edits of both sides leave it.
func (k *row) accounted() bool {
	for _, s := range sides {
		if k.q[s] == nil {
			continue
		}
		var n counts
		for _, m := range k.rows {
			for v, x := range m.q {
				if x != nil && x.data == k.q[s].data {
					n[v]++
				}
			}
		}
		if !n.between(false) {
			return false
		}
	}
	return true
}

// reused reports whether a side gave the name of k, an item, to another one: to that of
// the original which it is more like than k, and whose own name is gone.
func (k *row) reused(rows []*row) bool {
	o := k.q[original]
	if o == nil || o.entry == nil || o.entry.Key != nil {
		return false
	}
	for _, s := range sides {
		n := k.q[s]
		if n.data == o.data {
			continue
		}
		all := shared(o, n)
		if slices.ContainsFunc(rows, func(m *row) bool {
			return m.q[original] != nil && m.q[s] == nil && shared(m.q[original], n) > all
		}) {
			return true
		}
	}
	return false
}

// carried reports whether what a side added may have gone with its neighbours, which
// the other side moved elsewhere.
func (k *row) carried(rows []*row) bool {
	s := k.q.any().v
	return slices.ContainsFunc(rows, func(n *row) bool {
		return n.q[s] != nil && n.q[result] == nil && (n.at[s] == k.at[s]-1 || n.at[s] == k.at[s]+1)
	})
}
