package merge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// tighten makes the conflicts of a page smaller where that can be proven:
// within a conflict, lines that one side alone changed merge as git's line
// merge does, and only what both changed stays between markers.
func (m *prover) tighten(r *renderer, p *page) *page {
	pieces := map[*marked][]part{}
	for _, c := range p.clashes() {
		if parts := r.pieces(c); parts != nil {
			pieces[c] = parts
		}
	}
	if len(pieces) == 0 {
		return p
	}
	if all := p.split(pieces); m.prove(all) == nil {
		return all
	}
	return m.tightenEach(p, pieces)
}

// byLines is the file merged line by line, as a page that is proven like any
// other; nil if it is not proven, or has nothing in conflict.
func (m *prover) byLines(r *renderer) *page {
	c := &marked{kind: ConflictRefused}
	for s, b := range m.in.data {
		c.alt[s], c.open[s] = b, text.Span{End: len(b)}
	}
	parts := r.pieces(c)
	if p := (&page{parts: parts}); parts != nil && m.prove(p) == nil {
		return p
	}
	return nil
}

// maxTries bounds the conflicts that are tightened one by one.
const maxTries = 6

func (m *prover) tightenEach(p *page, pieces map[*marked][]part) *page {
	if len(pieces) == 1 {
		return p
	}
	tries := 0
	for _, c := range p.clashes() {
		if pieces[c] == nil || tries == maxTries {
			continue
		}
		tries++
		if one := p.split(map[*marked][]part{c: pieces[c]}); m.prove(one) == nil {
			p = one
		}
	}
	return p
}
