package proof

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/law"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// asTemplate returns what the law of templates has against a result, if the
// inputs are templates.
func (v *Prover) asTemplate(check func(*template.Law) *template.Breach) *law.Refusal {
	if !v.In.Template {
		return nil
	}
	if v.template == nil {
		var err error
		if v.template, err = template.NewLaw(v.In.Data[three.Original], v.In.Data[three.Dest], v.In.Data[three.Updated]); err != nil {
			return &law.Refusal{Rule: "template", Detail: err.Error()}
		}
	}
	if bad := check(v.template); bad != nil {
		return &law.Refusal{Rule: "template", Detail: bad.Detail, Subject: bad.Line, Path: bad.Path}
	}
	return nil
}

// Template returns why the line merge b of templates may not stand: it is no
// template any more, or has a key twice that neither side has twice. A template
// that git merges clean is right otherwise.
func (v *Prover) Template(b []byte) *law.Refusal {
	if r := v.asTemplate(func(l *template.Law) *template.Breach { return l.Reads(b) }); r != nil {
		return r
	}
	st, refusal := v.Parse(b)
	if refusal != nil {
		return refusal
	}
	e := tree.DoubledKey(st)
	if e == nil || tree.DoubledKey(v.In.Proof[three.Dest]) != nil || tree.DoubledKey(v.In.Proof[three.Updated]) != nil {
		return nil
	}
	return &law.Refusal{Rule: "doubled", Detail: "the key " + e.Key.Value + " occurs twice"}
}

// spans are the ranges that are open, by version.
func spans(open []law.Open) (all [3][]text.Span) {
	for _, o := range open {
		for i, s := range o.At {
			all[i] = append(all[i], s)
		}
	}
	return all
}
