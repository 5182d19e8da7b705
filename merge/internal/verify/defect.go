package verify

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Defect returns what is wrong with c beyond doubt, or nil. It is what git's
// line merge may be refused for; it is much less than what Check asks:
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
func Defect(c Merge) *Violation {
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
func (c *checker) defect(at *place, q quad, k *match, rows []*match, by pairing) *Violation {
	if k.q.settled() {
		return nil
	}
	open := q.part() && !by.values // what a version lacks may stand in conflict
	left := k.several() && k.accounted()
	switch r := k.q[result]; k.q.in() {
	case inResult:
		if k.doubled() && by.tells(k, r) {
			return k.twice()
		}
	case inBase | inOurs | inResult, inBase | inTheirs | inResult:
		if !open && !by.values && !k.several() {
			return k.q.violation("undone", "one side deleted it and the other moved it, but the result has %s", r.Show())
		}
	case inBase | inOurs | inTheirs:
		if !open && !left {
			return k.q.violation("lost", "all versions have %s, but the result lacks it", k.q[ours].Show())
		}
	case inOurs, inTheirs:
		if !open && !by.values && !left && !k.carried(rows) {
			return k.q.violation("lost", "%s is not where it was added", k.q.any().Show())
		}
	case inAll, inAll &^ inBase:
		return c.defectIn(at, k, rows)
	}
	return nil
}

// tells reports whether another r, which k has twice, is one too many.
func (by pairing) tells(k *match, r *node) bool {
	return by.sure && k.key != r.Data || by.values && r.Kind == syntax.Scalar
}

// defectIn looks at what is in k, which the result and both sides have.
func (c *checker) defectIn(at *place, k *match, rows []*match) *Violation {
	b, o, t, r := k.q[base], k.q[ours], k.q[theirs], k.q[result]
	switch {
	case o.Kind != t.Kind, b != nil && b.Kind != o.Kind:
	case r.Kind == o.Kind:
		if x := c.content(at, k.q); x != nil && !c.reused(k, rows) {
			return x
		}
	case !r.IsNull():
		return k.q.violation("value", "expected %s, found %s", o.Show(), r.Show())
	}
	return nil
}

// accounted reports whether what the result lacks of k, an identity that a version has
// several times, stands in it as often as the edits of both sides leave it.
func (k *match) accounted() bool {
	for _, s := range sides {
		if k.q[s] == nil {
			continue
		}
		var n counts
		for _, m := range k.matches {
			for v, x := range m.q {
				if x != nil && x.Data == k.q[s].Data {
					n[v]++
				}
			}
		}
		if !n.Between(false) {
			return false
		}
	}
	return true
}

// reused reports whether a side gave the name of k to another thing than the base's, which is
// more like that: an item of the base whose own name is gone, or a text that a side took apart.
func (c *checker) reused(k *match, rows []*match) bool {
	b := k.q[base]
	if b == nil || b.Entry == nil || b.Entry.Key != nil && !b.IsText() {
		return false
	}
	for _, s := range sides {
		n := k.q[s]
		if n.Data == b.Data {
			continue
		}
		if slices.ContainsFunc(rows, func(m *match) bool {
			if b.IsText() {
				return m.q[base] == nil && m.q[s] != nil && c.alike(b, m.q[s]) > c.alike(b, n)
			}
			return m.q[base] != nil && m.q[s] == nil && facts.Shared(m.q[base], n) > facts.Shared(b, n)
		}) {
			return true
		}
	}
	return false
}

// alike is how many lines two texts have in common.
func (c *checker) alike(a, b *node) int {
	return len(facts.Common(c.textLines(a).Standing(), c.textLines(b).Standing()))
}

// carried reports whether what a side added may have gone with its neighbours, which
// the other side moved elsewhere.
func (k *match) carried(rows []*match) bool {
	s := k.q.any().V
	return slices.ContainsFunc(rows, func(n *match) bool {
		return n.q[s] != nil && n.q[result] == nil && (n.at[s] == k.at[s]-1 || n.at[s] == k.at[s]+1)
	})
}
