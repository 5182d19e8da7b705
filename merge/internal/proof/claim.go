package proof

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

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

// holds asks judge about a claim of f. Where f is no template, it says what is not where it
// was.
func (f file) holds(c verify.Merge, judge func(verify.Merge) *verify.Violation) *verify.Violation {
	if f.torn == nil {
		return judge(c)
	}
	r := &verify.Violation{Rule: "template"}
	if x := verify.Check(c); x != nil {
		*r = *x
	}
	r.Rule, r.Detail = "template", f.torn.Error()
	return r
}

// claim is that f is the merge of the inputs in one form.
func (v *Prover) claim(f file, open ...facts.Conflict) verify.Merge {
	c := v.Claim(f.Stream, open...)
	return v.withFacts(c, v.In.Readings, f)
}

// cameClaim is that f is the merge of the inputs, in their forms.
func (v *Prover) cameClaim(f file) verify.Merge {
	return v.withFacts(v.AsTheyCame(f.Stream), v.In.RawReadings, f)
}

// withFacts adds those of templates.
func (v *Prover) withFacts(c verify.Merge, readings [3]*template.Reading, f file) verify.Merge {
	if f.facts == nil {
		return c
	}
	for s, r := range readings {
		if v.facts == nil {
			v.facts = map[*template.Reading]*template.Facts{}
		}
		if v.facts[r] == nil {
			v.facts[r] = r.Facts()
		}
		c.Facts[s] = v.facts[r]
	}
	c.Facts[3] = f.facts
	return c
}

// Claim is that st is the merge of the inputs in one form.
func (v *Prover) Claim(st *syntax.Stream, open ...facts.Conflict) verify.Merge {
	return verify.Merge{
		Base: v.In.Streams[three.Original], Ours: v.In.Streams[three.Dest], Theirs: v.In.Streams[three.Updated], Result: st,
		File: v.File, Rules: v.Rules, Conflicts: open, Same: nodes(v.Same),
	}
}

func nodes(all []three.Nodes) (out [][3]*syntax.Node) {
	for _, v := range all {
		out = append(out, v)
	}
	return out
}

// AsTheyCame is the claim that st is the merge of the inputs, in their forms.
func (v *Prover) AsTheyCame(st *syntax.Stream) verify.Merge {
	c := v.Claim(st)
	c.Base, c.Ours, c.Theirs = v.In.Proof[three.Original], v.In.Proof[three.Dest], v.In.Proof[three.Updated]
	c.Same = nodes(v.In.Twins(v.Same))
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
