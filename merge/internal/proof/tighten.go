package proof

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
)

// Tighten makes the conflicts of a page smaller where that can be proven:
// within a conflict, lines that one side alone changed merge as git's line
// merge does, and only what both changed stays between markers.
func (v *Prover) Tighten(r *page.Renderer, p *page.Page) *page.Page {
	v.In.At("tighten")
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
	return v.tightenEach(p, pieces)
}

// FewerLines is p, or the file merged line by line where that has fewer lines
// in conflict.
func (v *Prover) FewerLines(r *page.Renderer, p *page.Page) *page.Page {
	if q := v.ByLines(r); q != nil && q.Smaller(p) {
		return q
	}
	return p
}

// ByLines is the file merged line by line, as a page that is proven like any
// other; nil if it is not proven, or has nothing in conflict.
func (v *Prover) ByLines(r *page.Renderer) *page.Page {
	parts := r.Pieces(page.Whole(v.In.Data))
	if p := (&page.Page{Parts: parts}); parts != nil && v.Prove(p) == nil {
		return p
	}
	return nil
}

// maxTries bounds the conflicts that are tightened one by one.
const maxTries = 6

func (v *Prover) tightenEach(p *page.Page, pieces map[*page.Conflict][]page.Part) *page.Page {
	if len(pieces) == 1 {
		return p
	}
	tries := 0
	for _, c := range p.Conflicts() {
		if pieces[c] == nil || tries == maxTries {
			continue
		}
		tries++
		if one := p.Split(map[*page.Conflict][]page.Part{c: pieces[c]}); v.Prove(one) == nil {
			p = one
		}
	}
	return p
}
