package walk

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// fail remembers the first error of the walk, about what stands at off in s.
func (w *Walker) fail(s three.Side, off int, what string) {
	if w.Err == nil {
		w.Err = &three.Problem{Side: s, Off: off, Text: what}
	}
}

// checkKeys fails where an item lacks the key by which its list is paired.
func (w *Walker) checkKeys(v three.Nodes, p *three.Path) {
	for s, n := range v {
		if n == nil {
			continue
		}
		if e, keys := w.Rules.WithoutKey(p.Place(), n); e != nil {
			w.fail(three.Side(s), e.Start, "an item of "+p.String()+" has no "+keys[0]+", the key of that list")
		}
	}
}

// checkKinds fails where a list and a mapping are to be one value.
func (w *Walker) checkKinds(v three.Nodes, p *three.Path) {
	d, u := v[three.Dest], v[three.Updated]
	kinds := [2]syntax.Kind{d.Kind, u.Kind}
	switch {
	case kinds == [2]syntax.Kind{syntax.Mapping, syntax.Sequence}:
		w.fail(three.Updated, u.Content.Start, p.String()+" is a list here and a mapping in "+w.names[three.Dest])
	case kinds == [2]syntax.Kind{syntax.Sequence, syntax.Mapping}:
		w.fail(three.Updated, u.Content.Start, p.String()+" is a mapping here and a list in "+w.names[three.Dest])
	}
}

// sent reports whether kubectl sends a field of live that config lacks, so that
// it is not removed; of annotations those are that were applied last.
func (w *Walker) sent(at three.Entries, in scope) bool {
	return w.RuleSet.Strategic && at[three.Dest].Key != nil && schema.Sent(in.name(at).Place())
}

// retained reports whether the mappings v are a union: of dest's fields none
// stand that updated lacks, also where updated changes nothing.
func (w *Walker) retained(v three.Nodes, p *three.Path) bool {
	return w.RuleSet.Strategic && v[three.Dest] != nil && v[three.Updated] != nil && schema.RetainsKeys(p.Place(), v[three.Updated])
}
