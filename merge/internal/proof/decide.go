package proof

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// Sound decides p, but keeps all of its conflicts where what is decided does not hold: a
// decision about a value is about that slot, and all else beside it is merged; any other takes
// what a side has there. Before is what was decided in p already.
func (v *Prover) Sound(p *page.Page, r *page.Renderer, j page.Judge, before []page.Decision) (*page.Page, []page.Decision) {
	out, done := p.Decide(r, j)
	if len(done) == 0 {
		return p, nil
	}
	for _, s := range three.Sides {
		if v.sound(out, s, append(before[:len(before):len(before)], done...)) != nil {
			return p, nil
		}
	}
	return out, done
}

// sound judges p with side s at the conflicts that are left, and with what was decided.
func (v *Prover) sound(p *page.Page, s three.Side, done []page.Decision) *verify.Violation {
	f, bad := v.read(p.Choose(s))
	if bad != nil {
		return bad
	}
	open := Open(p, s)
	judge := verify.Check
	var decided []three.Nodes
	for _, d := range done {
		took := slices.Index(three.Names[:], d.Took)
		switch {
		case d.Value:
			decided = append(decided, d.Of.Child.At.Values())
		case took == int(three.Dest), took == int(three.Updated):
			open = append(open, verify.Conflict{At: d.Of.At, Taken: three.Side(took)})
		default:
			judge = verify.Sound // nobody can tell what it stands for
		}
	}
	return v.holds(f, open, func(c verify.Merge) *verify.Violation {
		c.Decided = decided
		return judge(c)
	})
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
		one := v.Same
		v.Same = slices.DeleteFunc(slices.Clone(one), c.About)
		if !v.Exhausted() && v.Prove(try) == nil {
			stand = append(stand, c)
		} else {
			v.Same = one
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
