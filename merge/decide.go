package merge

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// decided returns p with its conflicts decided as the team's rules and the
// options say, and the conflicts that were.
func (m *merger) decided(r *page.Renderer, p *page.Page) (*page.Page, []page.Decision) {
	p, done := m.sound(p, r, m.policy)
	var more []page.Decision
	switch m.opts.Resolve {
	case ResolveOurs:
		p, more = m.takeSide(p, r, three.Dest, len(done) > 0)
	case ResolveTheirs:
		p, more = m.takeSide(p, r, three.Updated, len(done) > 0)
	case ResolveUnion:
		p, more = m.union(r, p)
	}
	return p, append(done, more...)
}

// takeSide takes side s at every conflict that is left. All of s was proven
// with the page; beside what policies took from the other side it was not.
func (m *merger) takeSide(p *page.Page, r *page.Renderer, s three.Side, mixed bool) (*page.Page, []page.Decision) {
	j := func(c *page.Conflict) (page.Verdict, bool) { return c.Taken(s, three.Names[s]), true }
	if mixed {
		return m.sound(p, r, j)
	}
	return p.Decide(r, j)
}

// sound decides p, but keeps all of its conflicts where taking sides at will
// leaves a file that does not parse or doubles a key.
func (m *merger) sound(p *page.Page, r *page.Renderer, j page.Judge) (*page.Page, []page.Decision) {
	out, done := p.Decide(r, j)
	if len(done) == 0 {
		return p, nil
	}
	for _, s := range three.Sides {
		st, refusal := m.proof.Parse(out.Choose(s))
		if refusal != nil || tree.DoubledKey(st) != nil {
			return p, nil
		}
	}
	return out, done
}

// union decides every conflict whose both sides can stand: ours, then theirs.
// Where they cannot (two values of one field, say) the conflict stays.
func (m *merger) union(r *page.Renderer, p *page.Page) (*page.Page, []page.Decision) {
	var stand []*page.Conflict
	for _, c := range p.Conflicts() {
		if !c.BothMayStand() {
			continue
		}
		try, _ := p.Decide(r, both(append(slices.Clone(stand), c)))
		if !m.proof.Exhausted() && m.proof.Prove(try) == nil {
			stand = append(stand, c)
		}
	}
	return p.Decide(r, both(stand))
}

// both takes both sides at the conflicts of stand.
func both(stand []*page.Conflict) page.Judge {
	return func(c *page.Conflict) (page.Verdict, bool) {
		return page.Verdict{Text: slices.Concat(c.Alt[three.Dest], c.Alt[three.Updated]), By: "union"}, slices.Contains(stand, c)
	}
}
