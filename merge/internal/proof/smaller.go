package proof

import (
	"cmp"
	"slices"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// Mend finds which of n changes, which a line merge took from one side each, have to be in conflict so that nothing
// is wrong with it, whichever side is taken: as few as one look after the other finds. It returns the merge with these;
// nil where it is wrong with all of them, or where no more is to be proven.
//
// Of the changes up to the last that is needed, that one is: it is looked for by halves, then the next
// one before it.
func (v *Prover) Mend(n int, with func(contested []int) *page.Page) *page.Page {
	var needed []int
	for last := n; ; {
		p := with(needed)
		switch {
		case p == nil:
			return nil
		case v.right(p):
			return p
		}
		k := sort.Search(last, func(k int) bool {
			try := slices.Clone(needed)
			for i := range k + 1 {
				try = append(try, i)
			}
			p := with(try)
			return p != nil && (v.Exhausted() || v.right(p))
		})
		if k == last || v.Exhausted() {
			return nil
		}
		needed, last = append(needed, k), k
	}
}

// right reports whether p has no defect whichever side is taken. Nothing stands twice then that stands under different
// guards of a template either: that there is a conflict somewhere mends nothing elsewhere.
func (v *Prover) right(p *page.Page) bool {
	for _, s := range three.Sides {
		if bad := v.side(p, s, func(c verify.Merge) *verify.Violation {
			open := c.Conflicts
			c.Conflicts = nil
			bad := verify.Sound(c)
			c.Conflicts = open
			return cmp.Or(bad, verify.Defect(c))
		}); bad != nil {
			return false
		}
	}
	return true
}

// Tighten makes the conflicts of a page smaller where that can be proven:
// within a conflict, lines that one side alone changed merge as git's line
// merge does, and only what both changed stays between markers.
func (v *Prover) Tighten(r *page.Renderer, p *page.Page) *page.Page {
	pieces := map[*page.Conflict][]page.Part{}
	for _, c := range p.Conflicts() {
		if parts := r.Pieces(c); parts != nil {
			pieces[c] = parts
		}
	}
	if len(pieces) == 0 {
		return p
	}
	if all := p.Split(pieces); v.Prove(all) == nil {
		return all
	}
	return p
}
