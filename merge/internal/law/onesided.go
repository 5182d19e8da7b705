package law

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"

// OneSided counts the edits of c that one side alone made and that stand in c.Open: who answers
// such a conflict with the other side loses them, though nobody asked. It does not look at
// c.Result.
func OneSided(c Claim) int {
	open := c.Open
	c.Open, c.Result = nil, c.Dest
	k := &counter{checker: newChecker(c), open: open}
	k.count(nil, k.docs, pairing{id: k.byIdentity(k.docs)})
	return k.n
}

// A counter counts what stands in conflict.
type counter struct {
	*checker
	open []Open
	n    int
}

// count counts in q.
func (k *counter) count(at *place, q quad, by pairing) {
	q[result] = nil
	members := q.all4(false)
	for _, m := range pairAll(members, by.id, k.claimed(members, by.id)) {
		o, d, u := m.q[original], m.q[dest], m.q[updated]
		sums := m.q.data()
		switch {
		case sums[dest] == sums[updated]:
		case sums[original] == sums[updated] && k.inside(dest, m.q), sums[original] == sums[dest] && k.inside(updated, m.q):
			k.n++
		case o != nil && d != nil && u != nil && d.Kind == u.Kind && d.size() > 0 && u.size() > 0:
			below := at.below(m.q.any(), q)
			if by, atomic := k.pairing(below, m.q); !atomic {
				k.count(below, m.q, by)
			}
		}
	}
}

// inside reports whether what s did to q stands in conflict.
func (k *counter) inside(s version, q quad) bool {
	for _, x := range k.open {
		for _, v := range [...]version{s, s.other()} {
			if n := q[v]; n != nil {
				if x.At[v].Contains(n.alone()) {
					return true
				}
				break
			}
		}
	}
	return false
}

// alone is where n's entry stands, without what belongs to it above and below.
func (n *node) alone() text.Span {
	if n.entry == nil {
		return n.Span
	}
	return text.Span{Start: n.entry.Start, End: n.Span.End}
}
