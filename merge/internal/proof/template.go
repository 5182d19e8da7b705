package proof

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/referee"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// asTemplate returns what the law of templates has against a result, if the
// inputs are templates.
func (m *Prover) asTemplate(check func(*template.Law) *template.Breach) *referee.Refusal {
	if !m.In.Template {
		return nil
	}
	if m.template == nil {
		var err error
		if m.template, err = template.NewLaw(m.In.Data[three.Original], m.In.Data[three.Dest], m.In.Data[three.Updated]); err != nil {
			return &referee.Refusal{Rule: "template", Detail: err.Error()}
		}
	}
	if bad := check(m.template); bad != nil {
		return &referee.Refusal{Rule: "template", Path: bad.Path, Detail: bad.Detail, Subject: bad.Line}
	}
	return nil
}

// Template returns why the line merge b of templates may not stand: it is no
// template any more, or has a key twice that neither side has twice. A template
// that git merges clean is right otherwise.
func (m *Prover) Template(b []byte) *referee.Refusal {
	if r := m.asTemplate(func(l *template.Law) *template.Breach { return l.Reads(b) }); r != nil {
		return r
	}
	st, refusal := m.Parse(b)
	if refusal != nil {
		return refusal
	}
	e := tree.DoubledKey(st)
	if e == nil || tree.DoubledKey(m.In.Proof[three.Dest]) != nil || tree.DoubledKey(m.In.Proof[three.Updated]) != nil {
		return nil
	}
	return &referee.Refusal{Rule: "doubled", Detail: "the key " + e.Key.Value + " stands twice"}
}

// spans are the ranges that are open, by version.
func spans(open []referee.Open) (all [3][]text.Span) {
	for _, o := range open {
		for v, s := range [...]text.Span{o.Original, o.Dest, o.Updated} {
			all[v] = append(all[v], s)
		}
	}
	return all
}
