package proof

import (
	"cmp"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// A Prover asks the verifier whether what is to be written is the merge of the
// inputs.
type Prover struct {
	In    *read.Inputs
	File  string
	Rules *schema.Rules
	// Same are the nodes of the versions that the plan takes for one thing.
	Same     []three.Nodes
	MaxSteps int                                   // 0 means the usual bound
	Steps    int64                                 // bytes proven so far: see steps.go
	facts    map[*template.Reading]*template.Facts // of the inputs, once they are asked for
}

// Prove returns why a page may not be written.
func (v *Prover) Prove(p *page.Page) *verify.Violation {
	if len(p.Conflicts()) == 0 {
		return v.Verify(v.In.Write(p.Choose(three.Dest)))
	}
	bad := v.sides(p, false, func(_ three.Side, c verify.Merge) *verify.Violation { return verify.Check(c) })
	return cmp.Or(bad[three.Dest], bad[three.Updated])
}

// Defect returns what is wrong beyond doubt with a page outside of its conflicts:
// with either side taken at these it is no merge of anything, or it is wrong
// whichever side is taken.
func (v *Prover) Defect(p *page.Page) (r *verify.Violation) {
	stands := false
	for _, s := range three.Sides {
		var unsound *verify.Violation
		x := v.side(p, s, func(c verify.Merge) *verify.Violation {
			if x := verify.Sound(c); x != nil && x.Rule != "template" {
				unsound = x
				return x
			}
			return verify.Defect(c)
		})
		switch {
		case unsound != nil, x != nil && x.Rule == "parses":
			return x
		case x != nil:
			r = x
		default:
			stands = true
		}
	}
	if stands {
		return nil
	}
	return r
}

// Findings returns what is wrong with b, which somebody made of the inputs as they came, and in
// which open was decided at will: most refusals at most.
func (v *Prover) Findings(b []byte, open []facts.Conflict, most int) (all []*verify.Violation) {
	f, r := v.read(b)
	if r != nil {
		r.Rule = "parses"
		return []*verify.Violation{r}
	}
	c := v.cameClaim(f)
	c.Conflicts = open
	r = f.holds(c, func(c verify.Merge) *verify.Violation {
		all = verify.Findings(c, most)
		return nil
	})
	if r != nil {
		return []*verify.Violation{r}
	}
	return all
}

// OneSided is how many edits of one side alone stand in the conflicts of p.
func (v *Prover) OneSided(p *page.Page) int {
	return verify.OneSided(v.Claim(nil, Open(p, func(*page.Conflict) facts.Taker { return facts.TookOurs })...))
}

// sides judges p with each side taken at every conflict. If it is
// not to look at both, theirs is judged only where ours stands.
func (v *Prover) sides(p *page.Page, both bool, judge func(three.Side, verify.Merge) *verify.Violation) (bad [3]*verify.Violation) {
	one := func(s three.Side) {
		bad[s] = v.side(p, s, func(c verify.Merge) *verify.Violation { return judge(s, c) })
	}
	one(three.Dest)
	if both || bad[three.Dest] == nil {
		one(three.Updated)
	}
	return bad
}

// side judges p with the side s taken at every conflict.
func (v *Prover) side(p *page.Page, s three.Side, judge func(verify.Merge) *verify.Violation) *verify.Violation {
	b := p.Choose(s)
	v.Steps += int64(len(b))
	f, refusal := v.read(b)
	if refusal != nil {
		return refusal
	}
	return f.holds(v.claim(f, Open(p, func(*page.Conflict) facts.Taker { return facts.Taker(s) })...), judge)
}

// most is how many refusals are looked at together.
const most = 1 << 20

// Refusals returns all that is wrong with a page, with either side at its conflicts.
func (v *Prover) Refusals(p *page.Page) (all []*verify.Violation) {
	if len(p.Conflicts()) > 0 {
		var found [3][]*verify.Violation
		bad := v.sides(p, true, func(s three.Side, c verify.Merge) *verify.Violation {
			found[s] = verify.Violations(c, most)
			return nil
		})
		for _, s := range three.Sides {
			if all = append(all, found[s]...); bad[s] != nil {
				all = append(all, bad[s])
			}
		}
		return all
	}
	b := v.In.Write(p.Choose(three.Dest))
	v.Steps += int64(len(b))
	f, r := v.read(b)
	if r == nil {
		r = f.holds(v.cameClaim(f), func(c verify.Merge) *verify.Violation {
			all = verify.Violations(c, most)
			return nil
		})
	}
	if r != nil {
		return []*verify.Violation{r}
	}
	return all
}

// Open are the conflicts of p, taken as it is said.
func Open(p *page.Page, taken func(*page.Conflict) facts.Taker) (open []facts.Conflict) {
	for _, c := range p.Conflicts() {
		open = append(open, facts.Conflict{At: c.At, Taken: taken(c)})
	}
	return open
}

// Verify returns why b is not the merge of the inputs.
func (v *Prover) Verify(b []byte) *verify.Violation {
	v.Steps += int64(len(b))
	f, r := v.read(b)
	if r != nil {
		return r
	}
	return f.holds(v.cameClaim(f), verify.Check)
}

// Flawed returns the defect of b, a clean line merge, if it has one; its tree is read
// already, or nil.
func (v *Prover) Flawed(b []byte, tree *syntax.Stream) (r *verify.Violation) {
	f := file{Stream: tree}
	if f.torn = v.torn(b); tree == nil {
		f, r = v.read(b)
	}
	if r != nil {
		return r
	}
	return f.holds(v.cameClaim(f), verify.Defect)
}
