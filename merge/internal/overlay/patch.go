package overlay

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// obey does what the directives $patch of updated, a strategic merge patch, say: it makes of updated one that says
// the same without them, and changes the trees of dest and updated, not their bytes. A field
// that is to be deleted is null in updated, an item or a document is in neither; what
// is to be replaced is in dest no more; the directives are nulls, which remove
// themselves.
func (m *Merger) obey() {
	m.Modified = map[*syntax.Node]bool{}
	docs, steps := m.PairDocuments()
	for _, st := range steps {
		if st.Index[three.Updated] >= 0 {
			m.obeyIn(docs, st)
		}
	}
	m.Hasher = pair.NewHasher() // the trees are others now
}

func (m *Merger) obeyIn(docs [3][]*syntax.Document, st pair.Step) {
	at := pair.Elements(st, docs)
	var d *syntax.Node
	if at[three.Dest] != nil {
		d = at[three.Dest].Root
	}
	u := at[three.Updated]
	found := patchIn(u.Root)
	switch {
	case found == nil:
		return
	case !m.deletes(d, u.Root, m.DocumentPath(at, st.Index)):
		if d == nil || d.Content.Empty() {
			m.fail(three.Updated, found.Start, "$patch is in a resource that "+m.names[three.Dest]+" does not have")
		}
		return
	}
	for _, s := range three.Sides {
		if at[s] != nil {
			docs := slices.Clone(m.Streams[s].Docs)
			m.Streams[s].Docs = slices.DeleteFunc(docs, func(x *syntax.Document) bool { return x == at[s] })
			m.drop(s, at[s].Span)
		}
	}
}

// drop notes that what stands at sp in s goes.
func (m *Merger) drop(s three.Version, sp text.Span) {
	var gone [3]text.Span
	gone[s] = sp
	m.gone = append(m.gone, gone)
}

// prune takes out of n, which is of s, the entries that it holds for. What stands
// behind the opening bracket stands there still, and whether there is a last comma.
func (m *Merger) prune(s three.Version, n *syntax.Node, out func(*syntax.Entry) bool) {
	if len(n.Entries) == 0 {
		return
	}
	lead, comma := n.Entries[0].Lead, n.Entries[len(n.Entries)-1].Comma
	n.Entries = slices.DeleteFunc(n.Entries, func(e *syntax.Entry) bool {
		if !out(e) {
			return false
		}
		m.Modified[n] = true
		m.drop(s, e.Span)
		return true
	})
	if n.Style == syntax.Flow && len(n.Entries) > 0 {
		n.Entries[0].Lead = lead
		n.Entries[len(n.Entries)-1].Comma = comma
	}
}

// deletes obeys the directives in u, which dest has as d, or not at all. It reports
// whether u is to be deleted.
func (m *Merger) deletes(d, u *syntax.Node, path *three.Path) bool {
	switch u.Kind {
	case syntax.Mapping:
		return m.fields(d, u, path)
	case syntax.Sequence:
		return patchIn(u) != nil && m.items(d, u, path)
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
func (m *Merger) says(e *syntax.Entry) string {
	switch {
	case e == nil:
		return patchMerge
	case e.Value.Kind == syntax.Scalar && slices.Contains([]string{patchDelete, patchReplace, patchMerge}, e.Value.Value):
		return e.Value.Value
	}
	m.fail(three.Updated, e.Start, "the value of $patch is not delete, replace or merge")
	return patchMerge
}

func (m *Merger) fields(d, u *syntax.Node, path *three.Path) bool {
	own := u.Field(patchField)
	switch m.says(own) {
	case patchDelete:
		return true
	case patchReplace:
		m.replace(d, u)
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
		if m.deletes(there, e.Value, path.Child(e.KeyText())) {
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
func (m *Merger) replace(d, u *syntax.Node) {
	if d == nil || d.Kind != u.Kind {
		return
	}
	m.prune(three.Dest, d, func(e *syntax.Entry) bool {
		if d.Kind == syntax.Sequence {
			return true
		}
		f := u.Field(e.KeyText())
		if f != nil {
			m.replace(e.Value, f.Value)
		}
		return f == nil
	})
}

// items obeys the directives in a list of updated: an item that has nothing but one is
// about the list, others are about their items; one tells items apart, all those of another key.
func (m *Merger) items(d, u *syntax.Node, path *three.Path) bool {
	v := three.Nodes{three.Updated: u}
	if d != nil && d.Kind == syntax.Sequence {
		v[three.Dest] = d
	}
	of := patchMerge
	found := patchIn(u)
	m.prune(three.Updated, u, func(e *syntax.Entry) bool {
		own := e.Value.Field(patchField)
		if own == nil || len(e.Value.Entries) != 1 {
			return false
		}
		of = m.says(own)
		return true
	})
	one, all, ok := m.identity(v, path)
	if !ok {
		m.fail(three.Updated, found.Start, "$patch is in a list that has no keys, and is one value")
		return false
	}
	switch of {
	case patchDelete:
		return true
	case patchReplace:
		m.replace(d, u)
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
		if m.deletes(there[one(e.Value)], e.Value, path.Index(i)) {
			deleted[all(e.Value)] = true
		}
	}
	for s, n := range v {
		if n != nil {
			m.prune(three.Version(s), n, func(e *syntax.Entry) bool { return deleted[all(e.Value)] })
		}
	}
	return false
}

// identity is what tells the items of a list apart, and their keys. It reports false
// where they have none.
func (m *Merger) identity(v three.Nodes, path *three.Path) (one, all func(*syntax.Node) string, ok bool) {
	if _, ok := m.ResourceElems(v, path); ok {
		var items [3][]*syntax.Node
		for s, n := range v {
			if n == nil {
				continue
			}
			for _, e := range n.Entries {
				items[s] = append(items[s], e.Value)
			}
		}
		id := m.IdentityFunc(items)
		return id, id, true
	}
	l := m.rules.Lists(path.Place(), v[:]...)
	all = func(n *syntax.Node) string { id, _ := l.ID(n); return id }
	return l.UniqueIDs(v[three.Updated], v[three.Dest]), all, l.Kind == schema.Map
}
