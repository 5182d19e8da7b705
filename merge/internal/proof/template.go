package proof

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/law"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// read reads a result as the versions are read. Of templates it is refused what
// breaks their law, with a side taken at its conflicts or none.
func (v *Prover) read(b []byte, check func(*template.Law, *template.Reading) *template.Breach) (*syntax.Stream, *law.Refusal) {
	if !v.In.Template {
		return Parse(v.In.Reader, b)
	}
	return streamOf(v.templates().Judge(b, check))
}

// streamOf is the tree of a template, or why it is refused.
func streamOf(r *template.Reading, bad *template.Breach) (*syntax.Stream, *law.Refusal) {
	if bad != nil {
		return nil, &law.Refusal{Rule: "template", Detail: bad.Detail, Subject: bad.Line, Path: bad.Path}
	}
	return r.Stream, nil
}

// readMerged is read of a result without conflicts.
func (v *Prover) readMerged(b []byte) (*syntax.Stream, *law.Refusal) {
	return v.read(b, (*template.Law).Check)
}

// templates is the law of the inputs.
func (v *Prover) templates() *template.Law {
	if v.template == nil {
		r := v.In.Readings
		v.template = template.NewLaw(r[three.Original], r[three.Dest], r[three.Updated])
	}
	return v.template
}

// Template returns why the line merge b of templates may not stand: it is no
// template any more, or has a key twice that neither side has twice. A template
// that git merges clean is right otherwise.
func (v *Prover) Template(b []byte) *law.Refusal {
	st, refusal := streamOf(v.templates().Read(b))
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
