package verify

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// overridden is how the items of q pair, a list of what stands by a rule set, and whether it
// is one value; at is nil for that of the documents.
func (c *checker) overridden(at *place, q quad) (by pairing, atomic bool) {
	l, parts := c.stands.Kinds[q[ours].Node]
	switch resources := at == nil || at.isItems() && q.all(facts.IsResource); {
	case resources && c.stands.ByPlace:
		return pairing{ID: byPlace(q), sure: true}, false
	case resources:
		by.ID = func(n *node) uint64 { return facts.Hash(facts.KindName(n)) }
	case !parts:
		return pairing{ID: facts.ByValue, values: true}, true
	default:
		by.ID = facts.ByID(l)
	}
	return pairing{ID: apart(q, by.ID), sure: true}, false
}

// byPlace knows the members of q by their places.
func byPlace(q quad) func(*node) uint64 {
	place := map[*syntax.Node]uint64{}
	for _, v := range [...]version{ours, result} {
		for i, n := range q.members(v, true) {
			place[n.Node] = uint64(i) + 1
		}
	}
	return func(n *node) uint64 { return place[n.Node] }
}

// apart is id, but for what a version has several of: that is known by what it says too.
func apart(q quad, id func(*node) uint64) func(*node) uint64 {
	several := map[uint64]bool{}
	for _, v := range [...]version{ours, result} {
		seen := map[uint64]bool{}
		for _, n := range q.members(v, true) {
			several[id(n)] = several[id(n)] || seen[id(n)]
			seen[id(n)] = true
		}
	}
	return func(n *node) uint64 {
		if k := id(n); several[k] {
			return facts.Mix(k, n.Data)
		}
		return id(n)
	}
}

// remarksStand holds comments: those of ours and the new ones of theirs stand, if
// what they belong to does, and the result has no others.
func (c *checker) remarksStand(all []remark, by map[uint64]*tally) *Violation {
	for _, r := range all {
		n, stands := by[r.said].all, by[r.said].standing
		old := n[base] > 0
		lost := n[result] == 0 && (stands[ours] > 0 && (!old || n[theirs] > 0) || stands[theirs] > 0 && (!old || n[ours] > 0))
		if lost || n[result] > n[ours]+n[theirs] {
			return c.commentViolation(all, r, n)
		}
	}
	return nil
}

// union sorts spans and joins those that overlap.
func union(spans []text.Span) (all []facts.Mask) {
	slices.SortFunc(spans, func(a, b text.Span) int { return a.Start - b.Start })
	for _, s := range spans {
		if n := len(all); n > 0 && s.Start <= all[n-1].End {
			all[n-1].End = max(all[n-1].End, s.End)
			continue
		}
		all = append(all, facts.Mask{Span: s})
	}
	return all
}
