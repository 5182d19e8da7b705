package proof

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
)

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
	return v.tightenEach(p, pieces)
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
