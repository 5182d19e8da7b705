package proof

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/referee"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Prover asks the referee whether what is to be written is the merge of the
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
func (v *Prover) Prove(p *page.Page) *referee.Refusal {
	v.In.At("prove")
	if len(p.Conflicts()) == 0 {
		return v.Verify(v.In.Write(p.Choose(three.Dest)))
	}
	var open []referee.Open
	for _, c := range p.Conflicts() {
		open = append(open, Open(c))
	}
	for _, s := range three.Sides {
		if r := v.verifySide(p.Choose(s), s, open); r != nil {
			return r
		}
	}
	return nil
}

// Open is where a conflict stands in the inputs.
func Open(c *page.Conflict) referee.Open {
	return referee.Open{Original: c.At[three.Original], Dest: c.At[three.Dest], Updated: c.At[three.Updated]}
}

// Parse reads a result. What does not parse is refused; a missing anchor
// is named.
func Parse(b []byte) (*syntax.Stream, *referee.Refusal) { return parsed(syntax.Parse(text.New(b))) }

// Parse reads a result as the versions are read.
func (v *Prover) Parse(b []byte) (*syntax.Stream, *referee.Refusal) { return parsed(v.In.Tree(b)) }

func parsed(st *syntax.Stream, err error) (*syntax.Stream, *referee.Refusal) {
	if err == nil {
		return st, nil
	}
	r := &referee.Refusal{Rule: "parses", Detail: err.Error()}
	if _, after, ok := strings.Cut(r.Detail, "unknown anchor '"); ok {
		name, _, _ := strings.Cut(after, "'")
		r.Subject = "*" + name
	}
	return nil, r
}

// Verify returns why b is not the merge of the inputs.
func (v *Prover) Verify(b []byte) *referee.Refusal {
	v.Steps += len(b)
	if refusal := v.asTemplate(func(l *template.Law) *template.Breach { return l.Check(b) }); refusal != nil {
		return refusal
	}
	st, refusal := v.Parse(b)
	if refusal != nil {
		return refusal
	}
	return v.Check(st)
}

// Check returns why st, a clean result, is not the merge of the inputs.
func (v *Prover) Check(st *syntax.Stream) *referee.Refusal {
	return referee.Check(referee.Claim{
		Original: v.In.Proof[three.Original], Dest: v.In.Proof[three.Dest], Updated: v.In.Proof[three.Updated], Result: st,
		File: v.File, Rules: v.Rules,
	})
}

// verifySide returns why b, the unified file with side s at every conflict,
// does not hold.
func (v *Prover) verifySide(b []byte, s three.Side, open []referee.Open) *referee.Refusal {
	v.Steps += len(b)
	if refusal := v.asTemplate(func(l *template.Law) *template.Breach { return l.CheckSide(b, int(s), spans(open)) }); refusal != nil {
		return refusal
	}
	st, refusal := v.Parse(b)
	if refusal != nil {
		return refusal
	}
	return referee.Check(referee.Claim{
		Original: v.In.Streams[three.Original], Dest: v.In.Streams[three.Dest], Updated: v.In.Streams[three.Updated], Result: st,
		File: v.File, Rules: v.Rules, Open: open, Side: referee.Side(s),
	})
}
