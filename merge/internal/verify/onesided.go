package verify

import (
	"cmp"
	"slices"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// OneSided counts the edits of c that one side alone made and that stand in c.Conflicts: who answers
// such a conflict with the other side loses them, though nobody asked. It does not look at
// c.Result.
func OneSided(c Merge) int {
	var open [versions][]text.Span
	for v := range result {
		for _, x := range c.Conflicts {
			open[v] = append(open[v], x.At[v])
		}
		slices.SortFunc(open[v], func(a, b text.Span) int { return cmp.Or(a.Start-b.Start, a.End-b.End) })
	}
	c.Conflicts, c.Result = nil, c.Ours
	k := &counter{checker: newChecker(c), open: open}
	k.count(nil, k.docs, pairing{ID: k.byIdentity(k.docs)})
	return k.n
}

// A counter counts what stands in conflict.
type counter struct {
	*checker
	open [versions][]text.Span // the conflicts, in their order; none overlap
	n    int
}

// count counts in q.
func (k *counter) count(at *place, q quad, by pairing) {
	q[result] = nil
	members := q.all4(false)
	for _, m := range matchAll(members, by.ID, k.claimed(members, by.ID)) {
		b, o, t := m.q[base], m.q[ours], m.q[theirs]
		sums := m.q.data()
		switch {
		case sums[ours] == sums[theirs]:
		case sums[base] == sums[theirs] && k.inside(ours, m.q), sums[base] == sums[ours] && k.inside(theirs, m.q):
			k.n++
		case b != nil && o != nil && t != nil && o.Kind == t.Kind && o.Size() > 0 && t.Size() > 0:
			below := at.below(m.q.any(), q)
			if by, atomic := k.pairing(below, m.q); !atomic {
				k.count(below, m.q, by)
			}
		}
	}
}

// inside reports whether what s did to q stands in conflict.
func (k *counter) inside(s version, q quad) bool {
	for _, v := range [...]version{s, s.Other()} {
		if n := q[v]; n != nil {
			at := n.Alone()
			i := sort.Search(len(k.open[v]), func(i int) bool { return k.open[v][i].Start > at.Start })
			return i > 0 && k.open[v][i-1].Contains(at)
		}
	}
	return false
}
