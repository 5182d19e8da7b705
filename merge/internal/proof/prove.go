package proof

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/law"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Prover asks the law whether what is to be written is the merge of the
// inputs.
type Prover struct {
	In       *read.Inputs
	File     string
	Rules    *schema.Rules
	Steps    int           // bytes proven so far: see steps.go
	MaxSteps int           // 0 means the usual bound
	template *template.Law // of the inputs, once it is asked for
	// Once says that what is not proven at once is not tried again.
	Once bool
}

// Prove returns why a page may not be written.
func (v *Prover) Prove(p *page.Page) *law.Refusal {
	v.In.At("prove")
	if len(p.Conflicts()) == 0 {
		return v.Verify(v.In.Write(p.Choose(three.Dest)))
	}
	for _, s := range three.Sides {
		if r := v.side(p, s, law.Check); r != nil {
			return r
		}
	}
	return nil
}

// Defect returns what is wrong beyond doubt with a page outside of its conflicts:
// it is, whichever side is taken at these.
func (v *Prover) Defect(p *page.Page) (r *law.Refusal) {
	stands := false
	for _, s := range three.Sides {
		x := v.side(p, s, law.Defect)
		switch {
		case x != nil && strings.HasPrefix(x.Subject, "*"):
			return x // an anchor is gone that an alias within needs
		case x == nil:
			stands = true
		default:
			r = x
		}
	}
	if stands {
		return nil
	}
	return r
}

// side judges p with the side s taken at every conflict.
func (v *Prover) side(p *page.Page, s three.Side, judge func(law.Claim) *law.Refusal) *law.Refusal {
	b := p.Choose(s)
	v.Steps += len(b)
	open := Open(p, func(*page.Conflict) law.Taker { return law.Taker(s) })
	st, refusal := v.read(b, func(l *template.Law, r *template.Reading) *template.Breach {
		return l.CheckSide(r, int(s), spans(open))
	})
	if refusal != nil {
		return refusal
	}
	return judge(v.Claim(st, open...))
}

// Claim is that st is the merge of the inputs in one form.
func (v *Prover) Claim(st *syntax.Stream, open ...law.Open) law.Claim {
	return law.Claim{
		Original: v.In.Streams[three.Original], Dest: v.In.Streams[three.Dest], Updated: v.In.Streams[three.Updated], Result: st,
		File: v.File, Rules: v.Rules, Open: open,
	}
}

// most is how many refusals are looked at together.
const most = 1 << 20

// Refusals returns all that is wrong with a page, with either side at its
// conflicts.
func (v *Prover) Refusals(p *page.Page) (all []*law.Refusal) {
	note := func(c law.Claim) *law.Refusal {
		all = append(all, law.Refusals(c, most)...)
		return nil
	}
	v.In.At("prove")
	if len(p.Conflicts()) > 0 {
		for _, s := range three.Sides {
			if r := v.side(p, s, note); r != nil {
				all = append(all, r)
			}
		}
		return all
	}
	b := v.In.Write(p.Choose(three.Dest))
	v.Steps += len(b)
	st, r := v.readMerged(b)
	if r != nil {
		return []*law.Refusal{r}
	}
	note(v.asTheyCame(st))
	return all
}

// Open are the conflicts of p, taken as it is said.
func Open(p *page.Page, taken func(*page.Conflict) law.Taker) (open []law.Open) {
	for _, c := range p.Conflicts() {
		open = append(open, law.Open{At: c.At, Taken: taken(c)})
	}
	return open
}

// Parse reads a result. What does not parse is refused; a missing anchor
// is named.
func Parse(by *syntax.Reader, b []byte) (*syntax.Stream, *law.Refusal) {
	return parsed(by.Parse(text.New(b)))
}

// Parse reads a result as the versions are read.
func (v *Prover) Parse(b []byte) (*syntax.Stream, *law.Refusal) { return parsed(v.In.Tree(b)) }

func parsed(st *syntax.Stream, err error) (*syntax.Stream, *law.Refusal) {
	if err == nil {
		return st, nil
	}
	r := &law.Refusal{Rule: "parses", Detail: err.Error()}
	if _, after, ok := strings.Cut(r.Detail, "unknown anchor '"); ok {
		name, _, _ := strings.Cut(after, "'")
		r.Subject = "*" + name
	}
	return nil, r
}

// Verify returns why b is not the merge of the inputs.
func (v *Prover) Verify(b []byte) *law.Refusal {
	v.Steps += len(b)
	st, refusal := v.readMerged(b)
	if refusal != nil {
		return refusal
	}
	return v.Check(st)
}

// Check returns why st, a clean result, is not the merge of the inputs.
func (v *Prover) Check(st *syntax.Stream) *law.Refusal { return law.Check(v.asTheyCame(st)) }

// Flawed returns the defect of st, a clean line merge, if it has one.
func (v *Prover) Flawed(st *syntax.Stream) *law.Refusal { return law.Defect(v.asTheyCame(st)) }

// asTheyCame is the claim that st is the merge of the inputs, in their forms.
func (v *Prover) asTheyCame(st *syntax.Stream) law.Claim {
	c := v.Claim(st)
	c.Original, c.Dest, c.Updated = v.In.Proof[three.Original], v.In.Proof[three.Dest], v.In.Proof[three.Updated]
	return c
}
