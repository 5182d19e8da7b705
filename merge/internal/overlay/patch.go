package overlay

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A patch makes of updated, a strategic merge patch, one that says the same without
// its directives: it changes the trees of dest and updated, not their bytes. A field
// that is to be deleted is null in updated, an item or a document is in neither; what
// is to be replaced is in dest no more; the directives are nulls, which remove
// themselves.
type patch struct {
	*Merger
	gone [][3]text.Span
}

// obey does what the directives $patch of updated say, in the trees. It returns what
// went with it, whose comments do not stand, in the versions.
func (m *Merger) obey() [][3]text.Span {
	m.Cut = map[*syntax.Node]bool{}
	p := &patch{Merger: m}
	docs, steps := m.pairDocuments()
	for _, st := range steps {
		if st.At[three.Updated] >= 0 {
			p.document(docs, st)
		}
	}
	m.Sums = pair.NewSums() // the trees are others now
	return p.gone
}

func (p *patch) document(docs [3][]*syntax.Document, st pair.Step) {
	var at [3]*syntax.Document
	var d *syntax.Node
	for _, s := range three.Sides {
		if st.At[s] >= 0 {
			at[s] = docs[s][st.At[s]]
		}
	}
	if at[three.Dest] != nil {
		d = at[three.Dest].Root
	}
	u := at[three.Updated]
	found := patchIn(u.Root)
	switch {
	case found == nil:
		return
	case !p.deletes(d, u.Root, p.DocPath(at, st.At)):
		if d == nil || d.Content.Empty() {
			p.fail(three.Updated, found.Start, "$patch is in a resource that "+p.names[three.Dest]+" does not have")
		}
		return
	}
	for _, s := range three.Sides {
		if at[s] != nil {
			docs := slices.Clone(p.Streams[s].Docs)
			p.Streams[s].Docs = slices.DeleteFunc(docs, func(x *syntax.Document) bool { return x == at[s] })
			p.drop(s, at[s].Span)
		}
	}
}

// drop notes that what stands at sp in s goes.
func (p *patch) drop(s three.Side, sp text.Span) {
	var gone [3]text.Span
	gone[s] = sp
	p.gone = append(p.gone, gone)
}

// prune takes out of n, which is of s, the entries that it holds for. What stands
// behind the opening bracket stands there still, and whether there is a last comma.
func (p *patch) prune(s three.Side, n *syntax.Node, out func(*syntax.Entry) bool) {
	if len(n.Entries) == 0 {
		return
	}
	lead, comma := n.Entries[0].Lead, n.Entries[len(n.Entries)-1].Comma
	n.Entries = slices.DeleteFunc(n.Entries, func(e *syntax.Entry) bool {
		if !out(e) {
			return false
		}
		p.Cut[n] = true
		p.drop(s, e.Span)
		return true
	})
	if n.Style == syntax.Flow && len(n.Entries) > 0 {
		n.Entries[0].Lead = lead
		n.Entries[len(n.Entries)-1].Comma = comma
	}
}

// deletes obeys the directives in u, which dest has as d, or not at all. It reports
// whether u is to be deleted.
func (p *patch) deletes(d, u *syntax.Node, path *three.Path) bool {
	switch u.Kind {
	case syntax.Mapping:
		return p.fields(d, u, path)
	case syntax.Sequence:
		return patchIn(u) != nil && p.items(d, u, path)
	}
	return false
}

// The values of $patch.
const (
	patchDelete  = "delete"
	patchReplace = "replace"
	patchMerge   = "merge"
)

// says is the value of a directive, which is merge where there is none.
func (p *patch) says(e *syntax.Entry) string {
	switch {
	case e == nil:
		return patchMerge
	case e.Value.Kind == syntax.Scalar && slices.Contains([]string{patchDelete, patchReplace, patchMerge}, e.Value.Value):
		return e.Value.Value
	}
	p.fail(three.Updated, e.Start, "the value of $patch is not delete, replace or merge")
	return patchMerge
}

func (p *patch) fields(d, u *syntax.Node, path *three.Path) bool {
	own := u.Field(patchField)
	switch p.says(own) {
	case patchDelete:
		return true
	case patchReplace:
		p.replace(d, u)
	}
	if own != nil {
		clearNode(own.Value)
	}
	for _, e := range u.Entries {
		if e == own {
			continue
		}
		var there *syntax.Node
		if f := d.Field(e.Key.Value); f != nil && e.Key.Kind == syntax.Scalar {
			there = f.Value
		}
		if p.deletes(there, e.Value, path.Child(e.KeyText())) {
			clearNode(e.Value)
		}
	}
	return false
}

// clearNode makes n null.
func clearNode(n *syntax.Node) {
	null := syntax.NewNode(syntax.Scalar, syntax.Plain)
	null.Span, null.Content = n.Span, n.Content
	null.Tag = "!!null"
	*n = *null
}

// replace leaves of d what u has too, in its place; u's values stand there. What is of
// another kind there does so anyway.
func (p *patch) replace(d, u *syntax.Node) {
	if d == nil || d.Kind != u.Kind {
		return
	}
	p.prune(three.Dest, d, func(e *syntax.Entry) bool {
		if d.Kind == syntax.Sequence {
			return true
		}
		f := u.Field(e.KeyText())
		if f != nil {
			p.replace(e.Value, f.Value)
		}
		return f == nil
	})
}

// items obeys the directives in a list of updated: an item that has nothing but one is
// about the list, others are about their items; one tells items apart, all those of another key.
func (p *patch) items(d, u *syntax.Node, path *three.Path) bool {
	v := three.Nodes{three.Updated: u}
	if d != nil && d.Kind == syntax.Sequence {
		v[three.Dest] = d
	}
	of := patchMerge
	found := patchIn(u)
	p.prune(three.Updated, u, func(e *syntax.Entry) bool {
		own := e.Value.Field(patchField)
		if own == nil || len(e.Value.Entries) != 1 {
			return false
		}
		of = p.says(own)
		return true
	})
	one, all, ok := p.identity(v, path)
	if !ok {
		p.fail(three.Updated, found.Start, "$patch is in a list that has no keys, and is one value")
		return false
	}
	switch of {
	case patchDelete:
		return true
	case patchReplace:
		p.replace(d, u)
		v[three.Dest] = nil
	}
	there := map[string]*syntax.Node{}
	if v[three.Dest] != nil {
		for _, e := range d.Entries {
			there[one(e.Value)] = e.Value
		}
	}
	deleted := map[string]bool{}
	for i, e := range u.Entries {
		if p.deletes(there[one(e.Value)], e.Value, path.Index(i)) {
			deleted[all(e.Value)] = true
		}
	}
	for s, n := range v {
		if n != nil {
			p.prune(three.Side(s), n, func(e *syntax.Entry) bool { return deleted[all(e.Value)] })
		}
	}
	return false
}

// identity is what tells the items of a list apart, and their keys. It reports false
// where they have none.
func (p *patch) identity(v three.Nodes, path *three.Path) (one, all func(*syntax.Node) string, ok bool) {
	if _, ok := p.ResourceElems(v, path); ok {
		var items [3][]*syntax.Node
		for s, n := range v {
			if n == nil {
				continue
			}
			for _, e := range n.Entries {
				items[s] = append(items[s], e.Value)
			}
		}
		id := p.Identities(items)
		return id, id, true
	}
	l := p.rules.Lists(path.Place(), v[:]...)
	all = func(n *syntax.Node) string { id, _ := l.ID(n); return id }
	return l.IDs(v[three.Updated], v[three.Dest]), all, l.Kind == schema.Map
}
