package proof

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
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

// A judge says what is wrong with a merge, or nothing.
type judge = func(verify.Merge) *verify.Violation

// Prove returns why a page may not be written: with a side taken at every conflict it is not the
// merge of the inputs outside of these.
func (v *Prover) Prove(p *page.Page) *verify.Violation {
	if len(p.Conflicts()) == 0 {
		return v.Verify(v.In.Write(p.Choose(three.Dest)))
	}
	for _, s := range three.Sides {
		if bad := v.side(p, s, verify.Check); bad != nil {
			return bad
		}
	}
	return nil
}

// Refusals returns all that is wrong with a page, with either side at its conflicts.
func (v *Prover) Refusals(p *page.Page) (all []*verify.Violation) {
	const most = 1 << 20 // that are looked at together
	note := func(c verify.Merge) *verify.Violation {
		all = append(all, verify.Violations(c, most)...)
		return nil
	}
	add := func(bad *verify.Violation) {
		if bad != nil {
			all = append(all, bad)
		}
	}
	if len(p.Conflicts()) == 0 {
		add(v.judged(v.In.Write(p.Choose(three.Dest)), true, nil, note))
		return all
	}
	for _, s := range three.Sides {
		add(v.side(p, s, note))
	}
	return all
}

// Defect returns what is wrong beyond doubt with a page outside of its conflicts:
// with either side taken at these it is no merge of anything, or it is wrong
// whichever side is taken.
func (v *Prover) Defect(p *page.Page) (r *verify.Violation) {
	stands := false
	for _, s := range three.Sides {
		unsound := false
		x := v.side(p, s, func(c verify.Merge) *verify.Violation {
			if x := verify.Sound(c); x != nil && x.Rule != "template" {
				unsound = true
				return x
			}
			return verify.Defect(c)
		})
		switch {
		case unsound, x != nil && x.Rule == "parses":
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
	if r = v.holds(f, true, open, func(c verify.Merge) *verify.Violation {
		all = verify.Findings(c, most)
		return nil
	}); r != nil {
		return []*verify.Violation{r}
	}
	return all
}

// OneSided is how many edits of one side alone stand in the conflicts of p.
func (v *Prover) OneSided(p *page.Page) int {
	return verify.OneSided(v.Claim(nil, Open(p, func(*page.Conflict) facts.Taker { return facts.TookOurs })...))
}

// Verify returns why b is not the merge of the inputs.
func (v *Prover) Verify(b []byte) *verify.Violation { return v.judged(b, true, nil, verify.Check) }

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
	return v.holds(f, true, nil, verify.Defect)
}

// side judges p with the side s taken at every conflict.
func (v *Prover) side(p *page.Page, s three.Side, ask judge) *verify.Violation {
	return v.judged(p.Choose(s), false, Open(p, func(*page.Conflict) facts.Taker { return facts.Taker(s) }), ask)
}

// judged reads b, which it counts, and asks about it.
func (v *Prover) judged(b []byte, came bool, open []facts.Conflict, ask judge) *verify.Violation {
	v.Steps += int64(len(b))
	f, bad := v.read(b)
	if bad != nil {
		return bad
	}
	return v.holds(f, came, open, ask)
}

// Open are the conflicts of p, taken as it is said.
func Open(p *page.Page, taken func(*page.Conflict) facts.Taker) (open []facts.Conflict) {
	for _, c := range p.Conflicts() {
		open = append(open, facts.Conflict{At: c.At, Taken: taken(c)})
	}
	return open
}

// A file is what is to be written, as the versions are read.
type file struct {
	*syntax.Stream
	facts *template.Facts // of templates
	torn  error           // why it is no template, though it can be read
}

// read reads a result as the versions are read.
func (v *Prover) read(b []byte) (f file, bad *verify.Violation) {
	if !v.In.Template {
		f.torn = v.torn(b)
		f.Stream, bad = v.Parse(b)
		return f, bad
	}
	r, err := template.ReadLoosely(text.New(b))
	if err != nil {
		return f, &verify.Violation{Rule: "template", Detail: err.Error()}
	}
	f.Stream, f.facts, f.torn = r.Stream, r.Facts(), r.Unbalanced()
	if f.torn == nil {
		f.torn = v.torn(b)
	}
	return f, nil
}

// torn is why b is no template any more, whether or not the versions are YAML as they stand.
func (v *Prover) torn(b []byte) error { return template.Torn(v.In.Raw, b) }

// holds asks about f, the merge of the inputs as they came or in one form. Where f is no template, it says
// what is not where it was.
func (v *Prover) holds(f file, came bool, open []facts.Conflict, ask judge) *verify.Violation {
	c, readings := v.Claim(f.Stream, open...), v.In.Readings
	if came {
		c, readings = v.AsTheyCame(f.Stream), v.In.RawReadings
		c.Conflicts = open
	}
	if c.Facts[3] = f.facts; f.facts != nil {
		if v.facts == nil {
			v.facts = map[*template.Reading]*template.Facts{}
		}
		for s, r := range readings {
			if v.facts[r] == nil {
				v.facts[r] = r.Facts()
			}
			c.Facts[s] = v.facts[r]
		}
	}
	if f.torn == nil {
		return ask(c)
	}
	r := &verify.Violation{}
	if x := verify.Check(c); x != nil {
		*r = *x
	}
	r.Rule, r.Detail = "template", f.torn.Error()
	return r
}

// Claim is that st is the merge of the inputs in one form.
func (v *Prover) Claim(st *syntax.Stream, open ...facts.Conflict) verify.Merge {
	in := v.In.Streams
	return verify.Merge{
		Base: in[three.Original], Ours: in[three.Dest], Theirs: in[three.Updated], Result: st,
		File: v.File, Rules: v.Rules, Conflicts: open, Same: v.Same,
	}
}

// AsTheyCame is the claim that st is the merge of the inputs, in their forms.
func (v *Prover) AsTheyCame(st *syntax.Stream) verify.Merge {
	c := v.Claim(st)
	c.Base, c.Ours, c.Theirs = v.In.Proof[three.Original], v.In.Proof[three.Dest], v.In.Proof[three.Updated]
	c.Same = v.In.Twins(v.Same)
	return c
}

// Parse reads a result. What does not parse is refused; a missing anchor
// is named.
func Parse(b []byte) (*syntax.Stream, *verify.Violation) {
	return parsed(syntax.Parse(text.New(b)))
}

// Parse reads a result as the versions are read.
func (v *Prover) Parse(b []byte) (*syntax.Stream, *verify.Violation) { return parsed(v.In.Tree(b)) }

func parsed(st *syntax.Stream, err error) (*syntax.Stream, *verify.Violation) {
	if err == nil {
		return st, nil
	}
	r := &verify.Violation{Rule: "parses", Detail: err.Error()}
	if _, after, ok := strings.Cut(r.Detail, "unknown anchor '"); ok {
		name, _, _ := strings.Cut(after, "'")
		r.Subject = "*" + name
	}
	return nil, r
}
