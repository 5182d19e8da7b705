package verify

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// tells reports whether another r, which k has twice, is one too many.
func (by pairing) tells(k *match, r *node) bool {
	return by.sure && k.key != r.Data || by.values && r.Kind == syntax.Scalar
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
