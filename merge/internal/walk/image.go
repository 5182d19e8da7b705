package walk

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// image merges the reference of an image that both sides changed: registry and name
// apart from tag and digest, which belong together. The quotes are form. It returns nil
// where the field is not known to be an image, or both changed one part differently.
func (w *Walker) image(v three.Nodes, in scope) *plan.Value {
	if v[three.Original] == nil {
		return nil
	}
	var at [3]tree.Image
	var name, version [3]string
	for s, n := range v {
		var ok bool
		if at[s], ok = tree.ImageOf(w.Files[s], n); !ok {
			return nil
		}
		name[s], version[s] = string(w.Bytes(three.Side(s), at[s].Name)), string(w.Bytes(three.Side(s), at[s].Version))
	}
	a, named := three.Pick(name)
	b, versioned := three.Pick(version)
	if !named || !versioned || !w.Rules.Image(in.path.Place()) {
		return nil
	}
	form := three.Dest
	if v[three.Dest].Style == v[three.Original].Style {
		form = three.Updated
	}
	if v[form].Style == syntax.Plain && !tree.IsText(name[a]+version[b]) {
		return nil
	}
	m := &plan.Value{V: v, Form: form, Props: form, Header: form, Joined: true}
	quotes := v[form].Content
	m.Lines = []plan.TextPart{
		{Side: form, Span: text.Span{Start: quotes.Start, End: at[form].Name.Start}},
		{Side: a, Span: at[a].Name},
		{Side: b, Span: at[b].Version},
		{Side: form, Span: text.Span{Start: at[form].Version.End, End: quotes.End}},
	}
	return m
}
