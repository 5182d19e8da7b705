// Package proof takes a page and gives nothing, where the verifier accepts it as
// the merge of the inputs, or the refusal.
package proof

import (
	"bytes"
	"cmp"
	"errors"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// A Prover asks the verifier whether what is to be written is the merge of the
// inputs, all of them in the merged form.
type Prover struct {
	In    *read.Inputs
	File  string
	Rules *schema.Rules
	// Same are the nodes of the versions that the plan takes for one thing.
	Same []three.Nodes
	// Aligned returns the chunks of lines of the versions, as git merge aligns them; nil if that has conflicts.
	Aligned  func() []diff3.Chunk
	MaxSteps int   // 0 means the usual bound
	Steps    int64 // bytes proven so far
}

// A judge says what is wrong with a merge, or nothing.
type judge = func(verify.Merge) *verify.Violation

// Prove returns why a page may not be written: with a side taken at every conflict it is not the
// merge of the inputs outside of these.
func (v *Prover) Prove(p *page.Page) *verify.Violation {
	for _, s := range sidesOf(p) {
		if bad := v.side(p, s, verify.Check); bad != nil {
			return bad
		}
	}
	return v.unformed(p)
}

// sidesOf are those that p can be written with: one where there is no conflict.
func sidesOf(p *page.Page) []three.Version {
	if len(p.Conflicts()) == 0 {
		return three.Sides[:1]
	}
	return three.Sides[:]
}

// Refusals returns all that is wrong with a page, with either side at its conflicts.
func (v *Prover) Refusals(p *page.Page) (all []*verify.Violation) {
	const most = 1 << 20 // that are looked at together
	if bad := v.unformed(p); bad != nil {
		all = append(all, bad)
	}
	for _, s := range sidesOf(p) {
		if bad := v.side(p, s, func(c verify.Merge) *verify.Violation {
			all = append(all, verify.Violations(c, most)...)
			return nil
		}); bad != nil {
			all = append(all, bad)
		}
	}
	return all
}

// Decided returns why p, of which done was decided, may not be written. A decision about a value is about that slot, and
// all else beside it is merged; any other takes what a side has there.
func (v *Prover) Decided(p *page.Page, done []page.Decision) *verify.Violation {
	judge := verify.Check
	var values []three.Nodes
	var taken []verify.Conflict
	for _, d := range done {
		took := slices.Index(three.Names[:], d.Took) // -1 if it is no version
		switch {
		case d.Value:
			values = append(values, d.Of.Entry.Versions().Values())
		case took >= 0:
			taken = append(taken, verify.Conflict{At: d.Of.At, Taken: three.Version(took)})
		default:
			judge = verify.Sound // nobody can tell what it stands for
		}
	}
	for _, s := range three.Sides {
		if bad := v.judged(p.Choose(s), append(Open(p, s), taken...), func(c verify.Merge) *verify.Violation {
			c.Decided = values
			return judge(c)
		}); bad != nil {
			return bad
		}
	}
	return nil
}

// Defect returns what is wrong beyond doubt with a page outside of its conflicts:
// with either side taken at these it is no merge of anything, or it is wrong
// whichever side is taken, or it grants more than either side (verify.RuleMultiplied) with one side taken.
func (v *Prover) Defect(p *page.Page) (r *verify.Violation) {
	stands := false
	for _, s := range three.Sides {
		unsound := false
		x := v.side(p, s, func(c verify.Merge) *verify.Violation {
			x := verify.Sound(c)
			if x == nil && v.In.Twice() != "" {
				x = verify.RepeatedKey(c)
			}
			if x != nil && x.Rule != "template" {
				unsound = true
				return x
			}
			c.Merged = p.Merged
			return verify.Defect(c)
		})
		switch {
		case unsound, x != nil && (x.Rule == "parses" || x.Rule == "apart" || x.Rule == verify.RuleMultiplied):
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

// Findings returns the violations of b, a merge of the inputs that people or another program made, up to most. At open, people
// may have decided anything.
func (v *Prover) Findings(b []byte, open []verify.Conflict, most int) []*verify.Violation {
	return v.list(v.unified(b), open, verify.Findings, most)
}

// Answered returns the violations of b, the file with answers to its conflicts, up to 100. It is judged as a page is, or as by
// Findings if a person decided some of open.
func (v *Prover) Answered(b []byte, open []verify.Conflict, person bool) []*verify.Violation {
	find := verify.Violations
	if person {
		find = verify.Findings
	}
	return v.list(b, open, find, 100)
}

// list returns the violations that find finds in b, up to most; if b cannot be parsed, that violation.
func (v *Prover) list(b []byte, open []verify.Conflict, find func(verify.Merge, int) []*verify.Violation, most int) (all []*verify.Violation) {
	if bad := v.judged(b, open, func(c verify.Merge) *verify.Violation {
		all = find(c, most)
		return nil
	}); bad != nil {
		all = []*verify.Violation{bad}
	}
	return all
}

// Right reports whether p, a line merge with some changes in conflict, has no defect whichever side is taken. Nothing
// stands twice then that stands under different guards of a template either: that there is a conflict somewhere mends
// nothing elsewhere.
func (v *Prover) Right(p *page.Page) bool {
	for _, s := range three.Sides {
		if bad := v.side(p, s, func(c verify.Merge) *verify.Violation {
			whole := c
			whole.Conflicts = nil
			if bad := verify.Sound(whole); bad != nil {
				return bad
			}
			c.Merged = p.Merged
			return verify.Defect(c)
		}); bad != nil {
			return false
		}
	}
	return true
}

// Verify returns why b, as it is written, is not the merge of the inputs.
func (v *Prover) Verify(b []byte) *verify.Violation {
	if bad := v.form(b); bad != nil {
		return bad
	}
	v.Steps += int64(len(b))
	return v.judged(v.unified(b), nil, verify.Check)
}

// form refuses b, as it is written, if it has not the merged form, as far as that is known.
func (v *Prover) form(b []byte) *verify.Violation {
	f, want := read.FormOf(b), v.In.Merged
	uneven := want.Newline != "" && f.Newline != want.Newline && bytes.Contains(b, []byte("\n"))
	if len(b) == 0 || !uneven && f.Bom == want.Bom && f.Final == want.Final {
		return nil
	}
	return &verify.Violation{Rule: "form", Detail: "its byte order mark, line ends or final newline are not those of the versions"}
}

// unformed refuses the form that a page without conflicts is written in.
func (v *Prover) unformed(p *page.Page) *verify.Violation {
	if len(p.Conflicts()) > 0 {
		return nil
	}
	return v.form(v.In.Write(p.Choose(three.Dest)))
}

// unified is b, as it is written, in the form of the inputs.
func (v *Prover) unified(b []byte) []byte { return v.In.Merged.Unify(b, read.FormOf(b)) }

// Tree returns the tree of b, which is as it is written, parsed in the language of the inputs. It is nil if b cannot be
// parsed.
func (v *Prover) Tree(b []byte) *syntax.Stream {
	f, _ := v.In.Open(v.unified(b)) // no tree with an error
	return f.Stream
}

// Flawed returns the defect of b, a clean line merge of these chunks, or nil if it has none. tree is that of b if
// it is read already, or nil.
func (v *Prover) Flawed(b []byte, tree *syntax.Stream, merged []diff3.Chunk) *verify.Violation {
	defect := func(c verify.Merge) *verify.Violation {
		c.Merged = merged
		return verify.Defect(c)
	}
	if tree == nil {
		return v.judged(v.unified(b), nil, defect)
	}
	return v.holds(read.File{Stream: tree}, nil, defect)
}

// side judges p with the side s taken at every conflict, which counts as steps.
func (v *Prover) side(p *page.Page, s three.Version, ask judge) *verify.Violation {
	b := p.Choose(s)
	v.Steps += int64(len(b))
	return v.judged(b, Open(p, s), ask)
}

// judged reads b and asks about it.
func (v *Prover) judged(b []byte, open []verify.Conflict, ask judge) *verify.Violation {
	f, bad := v.Parse(b)
	if bad != nil {
		return bad
	}
	return v.holds(f, open, ask)
}

// Open are the conflicts of p, of which one side was taken.
func Open(p *page.Page, taken three.Version) (open []verify.Conflict) {
	for _, c := range p.Conflicts() {
		open = append(open, verify.Conflict{At: c.At, Taken: taken})
	}
	return open
}

// Parse parses b, which has the form of the inputs, in their language. The violation says why b cannot be parsed. Its
// Subject is the alias whose anchor is missing, if that is why.
func (v *Prover) Parse(b []byte) (read.File, *verify.Violation) {
	f, err := v.In.Open(b)
	if err == nil {
		return f, nil
	}
	bad := &verify.Violation{Rule: "parses", Detail: err.Error()}
	if v.In.Language == read.Template {
		bad.Rule = "template"
	} else if known, ok := errors.AsType[*syntax.Error](err); ok && known.Anchor != "" {
		bad.Subject = "*" + known.Anchor
	}
	return f, bad
}

// holds asks about f, the merge of the inputs. If f can be parsed but is no valid template, the violation says that,
// with the place of the first other violation.
func (v *Prover) holds(f read.File, open []verify.Conflict, ask judge) *verify.Violation {
	c := v.Claim(f.Stream, open...)
	var torn error
	if t := f.Template; t != nil {
		for s, r := range append(v.In.Templates[:], t) {
			c.Facts[s] = r.Facts()
		}
		torn = cmp.Or(t.Unbalanced(), template.CutAnew(v.In.Templates, t))
	}
	if torn == nil {
		torn = template.Torn(v.In.Raw, f.File.Bytes())
	}
	if torn == nil {
		return ask(c)
	}
	r := &verify.Violation{}
	if x := verify.Check(c); x != nil {
		*r = *x
	}
	r.Rule, r.Detail = "template", torn.Error()
	return r
}

// Claim is that st is the merge of the inputs.
func (v *Prover) Claim(st *syntax.Stream, open ...verify.Conflict) verify.Merge {
	in := v.In.Streams
	c := verify.Merge{
		Base: in[three.Original], Ours: in[three.Dest], Theirs: in[three.Updated], Result: st,
		File: v.File, Rules: v.Rules, Conflicts: open, Same: v.Same,
	}
	if v.Aligned != nil {
		c.Aligned = v.Aligned()
	}
	return c
}
