package proof

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Tighten makes the conflicts of a page smaller where that can be proven:
// within a conflict, lines that one side alone changed merge as git's line
// merge does, and only what both changed stays between markers.
func (m *Prover) Tighten(r *page.Renderer, p *page.Page) *page.Page {
	pieces := map[*page.Conflict][]page.Part{}
	for _, c := range p.Conflicts() {
		if parts := r.Pieces(c); parts != nil {
			pieces[c] = parts
		}
	}
	if len(pieces) == 0 {
		return p
	}
	if all := p.Split(pieces); m.Prove(all) == nil {
		return all
	}
	return m.tightenEach(p, pieces)
}

// ByLines is the file merged line by line, as a page that is proven like any
// other; nil if it is not proven, or has nothing in conflict.
func (m *Prover) ByLines(r *page.Renderer) *page.Page {
	c := &page.Conflict{Kind: plan.ConflictRefused}
	for s, b := range m.In.Data {
		c.Alt[s], c.At[s] = b, text.Span{End: len(b)}
	}
	parts := r.Pieces(c)
	if p := (&page.Page{Parts: parts}); parts != nil && m.Prove(p) == nil {
		return p
	}
	return nil
}

// maxTries bounds the conflicts that are tightened one by one.
const maxTries = 6

func (m *Prover) tightenEach(p *page.Page, pieces map[*page.Conflict][]page.Part) *page.Page {
	if len(pieces) == 1 {
		return p
	}
	tries := 0
	for _, c := range p.Conflicts() {
		if pieces[c] == nil || tries == maxTries {
			continue
		}
		tries++
		if one := p.Split(map[*page.Conflict][]page.Part{c: pieces[c]}); m.Prove(one) == nil {
			p = one
		}
	}
	return p
}
