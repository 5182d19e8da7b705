package walk

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/resource"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// CheckResources refuses streams whose resources the rule set cannot tell apart.
func (w *Walker) CheckResources() error {
	c := resource.Check{Files: w.Files, Names: w.names}
	for s, st := range w.Streams {
		for _, d := range st.Docs {
			c.Roots[s] = append(c.Roots[s], d.Root)
		}
	}
	if err := c.Streams(w.Identities(c.Roots)); err != nil {
		return err
	}
	if w.RuleSet.Always && !w.RuleSet.ByPlace {
		if err := c.Directives(w.RuleSet.Patches); err != nil {
			return err
		}
	}
	if w.RuleSet.Strategic && !w.RuleSet.ByPlace {
		return c.Live()
	}
	return nil
}

// documentBySet merges a document where updated wins; it reports false where it
// merges as any other.
func (w *Walker) documentBySet(p *plan.Document, index [3]int) (*plan.Document, bool) {
	d, u := p.At[three.Dest], p.At[three.Updated]
	if d == nil || u == nil {
		return w.resourceAlone(p), true
	}
	p.Path = w.DocPath(p.At, index)
	if !w.RuleSet.Always && d.Root.Content.Empty() != u.Root.Content.Empty() && w.withoutResource(p) {
		return p, true
	}
	if w.HoldsNull(d.Root) || w.HoldsNull(u.Root) {
		return w.mergedDoc(p), true
	}
	return p, false
}

// resourceAlone merges a document that dest or updated lacks.
func (w *Walker) resourceAlone(p *plan.Document) *plan.Document {
	o, s := p.At[three.Original], three.Dest
	if p.At[three.Dest] == nil {
		s = three.Updated
	}
	x := p.At[s]
	switch {
	case x == nil:
		return nil
	case o == nil || w.RuleSet.Always, o.Root.Content.Empty() && !x.Root.Content.Empty(),
		x.Root.Content.Empty() && w.newDocComments(o, s, x):
		p.Whole = s
		return p
	}
	w.tellLost(o, s, x)
	return nil
}

// withoutResource merges a document of which one side has nothing but comments:
// that is a resource which the side does not have. It reports false where both
// are to be merged, as the comments of a file that gets its first resource.
func (w *Walker) withoutResource(p *plan.Document) bool {
	has, lacks := three.Updated, three.Dest
	if p.At[three.Updated].Root.Content.Empty() {
		has, lacks = three.Dest, three.Updated
	}
	switch o := p.At[three.Original]; {
	case o != nil && !o.Root.Content.Empty():
		p.Whole = lacks
		w.tellLost(o, has, p.At[has])
	case has == three.Dest:
		p.Whole = three.Dest
	}
	return p.Whole != three.Original
}

// tellLost tells that s changed a resource that is deleted.
func (w *Walker) tellLost(o *syntax.Document, s three.Side, x *syntax.Document) {
	if !w.Sums.Equal(o.Root, x.Root) {
		name := &three.Path{Field: resource.Name(x.Root), Root: w.Resource(x.Root)}
		w.tell(name, s, &syntax.Entry{Span: x.Span, Start: x.Root.Content.Start})
	}
}

// cleared reports whether a null removes the field at.
func (w *Walker) cleared(at three.Entries, in scope) bool {
	if in.frozen || at[at.First()].Key == nil {
		return false
	}
	null := func(s three.Side) bool { return at[s] != nil && tree.IsNull(at[s].Value) }
	return null(three.Updated) || w.RuleSet.DestNull && null(three.Dest)
}

// untouchable reports whether e can stand as it is: no null in it is to be
// cleared.
func (w *Walker) untouchable(e *syntax.Entry, in scope) bool {
	return !w.RuleSet.UpdatedWins || in.frozen || !w.HoldsNull(e.Value)
}

// HoldsNull reports whether a field at or below n is null, or a directive took out
// an entry: it does not stand as its bytes are.
func (w *Walker) HoldsNull(n *syntax.Node) bool {
	if w.pruned[n] {
		return true
	}
	if n == nil || len(n.Entries) == 0 {
		return false
	}
	if null, ok := w.nulls[n]; ok {
		return null
	}
	null := false
	for _, e := range n.Entries {
		null = null || e.Key != nil && tree.IsNull(e.Value) || w.HoldsNull(e.Value)
	}
	if w.nulls == nil {
		w.nulls = map[*syntax.Node]bool{}
	}
	w.nulls[n] = null
	return null
}

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
			what := ", the key of that list"
			if len(keys) > 1 {
				what = ", a key of that list"
			}
			w.fail(three.Side(s), e.Start, "an item of "+p.String()+" has no "+keys[0]+what)
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
