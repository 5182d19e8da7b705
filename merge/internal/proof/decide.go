package proof

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// Sound decides p, but keeps all of its conflicts where taking sides at will
// leaves a file that does not parse or doubles a key.
func (v *Prover) Sound(p *page.Page, r *page.Renderer, j page.Judge) (*page.Page, []page.Decision) {
	out, done := p.Decide(r, j)
	if len(done) == 0 {
		return p, nil
	}
	for _, s := range three.Sides {
		st, refusal := v.Parse(out.Choose(s))
		if refusal != nil || tree.DoubledKey(st) != nil {
			return p, nil
		}
	}
	return out, done
}

// Union decides every conflict whose both sides can stand: ours, then theirs.
// Where they cannot (two values of one field, say) the conflict stays.
func (v *Prover) Union(r *page.Renderer, p *page.Page) (*page.Page, []page.Decision) {
	var stand []*page.Conflict
	for _, c := range p.Conflicts() {
		if _, ok := c.Union(); !ok {
			continue
		}
		try, _ := p.Decide(r, both(append(slices.Clone(stand), c)))
		if !v.Exhausted() && v.Prove(try) == nil {
			stand = append(stand, c)
		}
	}
	return p.Decide(r, both(stand))
}

// both takes both sides at the conflicts of stand.
func both(stand []*page.Conflict) page.Judge {
	return func(c *page.Conflict) (page.Verdict, bool) {
		v, ok := c.Union()
		return v, ok && slices.Contains(stand, c)
	}
}
