package merge

import (
	"slices"
)

// maxShrinks bounds the entries that are tried.
const maxShrinks = 32

// shrink merges the entries again that need not have grown into conflicts, the
// largest first: growth takes all that holds what a refusal names, and often one
// of them is enough.
func (m *prover) shrink(r *renderer, w *walker, docs []*docPlan, p *page) *page {
	m.in.at("shrink")
	grown := w.grown
	if len(grown) < 2 {
		return p
	}
	slices.SortStableFunc(grown, func(a, b *grownEntry) int { return b.size() - a.size() })
	for _, g := range grown[:min(len(grown), maxShrinks)] {
		if m.exhausted() {
			break
		}
		g.swap()
		m.in.at("render")
		if q := r.stream(docs); w.settled(q.choose) && m.prove(q) == nil {
			p = q
		} else {
			g.swap()
		}
	}
	return p
}
