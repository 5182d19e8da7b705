package proof

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/widen"
)

// maxShrinks bounds the entries that are tried.
const maxShrinks = 16

// Shrink merges the entries again that need not have grown into conflicts, the
// largest first: growth takes all that holds what a refusal names, and often one
// of them is enough.
func (v *Prover) Shrink(r *page.Renderer, w *widen.Widener, docs []*plan.Document, p *page.Page) *page.Page {
	v.In.At("shrink")
	grown := w.Widened
	if len(grown) < 2 {
		return p
	}
	slices.SortStableFunc(grown, func(a, b *widen.Widened) int { return b.Size() - a.Size() })
	for _, g := range grown[:min(len(grown), maxShrinks)] {
		if v.Exhausted() {
			break
		}
		g.Swap()
		v.In.At("render")
		if q := r.Page(docs); w.Settled(q.Choose) && v.Prove(q) == nil {
			p = q
		} else {
			g.Swap()
		}
	}
	return p
}
