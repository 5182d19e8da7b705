package overlay

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// applyPatches applies the $patch directives of updated to the trees of dest and updated: entries are removed, or
// become null. The merge then need not know directives. m.Modified gets the nodes that lack entries of their text. A
// directive that cannot be applied sets m.err.
func (m *Merger) applyPatches() {
	m.Modified = map[*syntax.Node]bool{}
	docs, steps := m.PairDocuments()
	for _, st := range steps {
		if st.Index[three.Updated] >= 0 {
			m.applyPatch(docs, st)
		}
	}
	m.Hasher = ident.NewHasher() // the trees have changed
}

// applyPatch applies the $patch directives in one document of updated to the trees of dest and updated. docs has all
// documents, and step the index of this one in each version. "$patch: delete" at the root removes the document from
// both sides. Any other directive needs something to change: it sets m.err if dest has no content there.
func (m *Merger) applyPatch(docs [3][]*syntax.Document, step pair.Step) {
	at := pair.Elements(step, docs)
	config := at[three.Updated].Root
	directive := findPatch(config)
	if directive == nil {
		return
	}
	var live *syntax.Node
	if at[three.Dest] != nil {
		live = at[three.Dest].Root
	}
	mustDelete := m.applyDirectives(live, config, m.DocumentPath(at, step.Index))
	switch {
	case mustDelete:
		for _, s := range three.Sides {
			m.removeDocuments(s, func(d *syntax.Document) bool { return d == at[s] })
		}
	case live == nil || live.Content.Empty():
		m.failAt(three.Updated, directive.Start, "$patch in a resource that is not in "+m.names[three.Dest])
	}
}

// recordRemoved adds the span sp of version s to m.removed.
func (m *Merger) recordRemoved(s three.Version, sp text.Span) {
	var spans [3]text.Span
	spans[s] = sp
	m.removed = append(m.removed, spans)
}

// removeEntries removes entries from n, a node in the tree of version s: those for which isRemoved returns true. The
// bytes of the file do not change, so n is added to m.Modified. The places of the entries are added to m.removed.
func (m *Merger) removeEntries(s three.Version, n *syntax.Node, isRemoved func(*syntax.Entry) bool) {
	if len(n.Entries) == 0 {
		return
	}
	lead, comma := n.Entries[0].Lead, n.Entries[len(n.Entries)-1].Comma
	n.Entries = slices.DeleteFunc(n.Entries, func(e *syntax.Entry) bool {
		if !isRemoved(e) {
			return false
		}
		m.Modified[n] = true
		m.recordRemoved(s, e.Span)
		return true
	})
	if n.Style == syntax.Flow && len(n.Entries) > 0 { // the blanks and the comma at the brackets remain
		n.Entries[0].Lead = lead
		n.Entries[len(n.Entries)-1].Comma = comma
	}
}

// applyDirectives applies the $patch directives in the node u of updated, and below it, to the trees. d is the same
// node in dest, or nil, and path is its path. Invalid directives set m.err.
//
//	directive in u      effect
//	$patch: delete      none; mustDelete is true, and the caller deletes u and d
//	$patch: replace     d loses what u lacks, so that u replaces it
//	$patch: merge       u is merged into d, as without a directive
func (m *Merger) applyDirectives(d, u *syntax.Node, path *three.Path) (mustDelete bool) {
	switch u.Kind {
	case syntax.Mapping:
		return m.applyToMapping(d, u, path)
	case syntax.Sequence:
		return findPatch(u) != nil && m.applyToList(d, u, path)
	}
	return false
}

// The values of the $patch directive.
const (
	patchDelete  = "delete"
	patchReplace = "replace"
	patchMerge   = "merge"
)

// patchValue returns the value of the $patch directive e: delete, replace or merge. It returns merge if e is nil. If
// the value is another one, it returns merge, and sets m.err unless it is set already.
func (m *Merger) patchValue(e *syntax.Entry) string {
	switch {
	case e == nil:
		return patchMerge
	case e.Value.Kind == syntax.Scalar && slices.Contains([]string{patchDelete, patchReplace, patchMerge}, e.Value.Value):
		return e.Value.Value
	}
	m.failAt(three.Updated, e.Start, "invalid value of $patch; expected delete, replace or merge")
	return patchMerge
}

// applyToMapping applies the $patch directives in the mapping u of updated, and below it, to the trees. d is the same
// node in dest, or nil, and path is its path. mustDelete is true for the directive delete in u itself: nothing is
// changed then, and the caller deletes u and d.
func (m *Merger) applyToMapping(d, u *syntax.Node, path *three.Path) (mustDelete bool) {
	directive := u.Field(patchField)
	switch m.patchValue(directive) {
	case patchDelete:
		return true
	case patchReplace:
		m.replaceContent(d, u)
	}
	if directive != nil {
		setNull(directive.Value) // so that the merge deletes the directive
	}
	// the values of u can have directives, too, which apply to what remains of d
	for _, e := range u.Entries {
		var destValue *syntax.Node
		if inDest := d.Field(e.Key.Value); inDest != nil && e.Key.Kind == syntax.Scalar {
			destValue = inDest.Value
		}
		if m.applyDirectives(destValue, e.Value, path.Child(e.KeyText())) {
			setNull(e.Value)
		}
	}
	return false
}

// setNull makes n a null without anchor, with the same spans as before.
func setNull(n *syntax.Node) {
	null := syntax.NewNode(syntax.Scalar, syntax.Plain)
	null.Span, null.Content = n.Span, n.Content
	null.Tag = "!!null"
	*n = *null
}

// replaceContent removes from the node d of dest what u, the same node in updated, does not have: fields, at any depth,
// and all list items. The merge with u then replaces the content of d. Nothing changes if d is nil or of another kind
// than u.
func (m *Merger) replaceContent(d, u *syntax.Node) {
	if d == nil || d.Kind != u.Kind {
		return
	}
	m.removeEntries(three.Dest, d, func(e *syntax.Entry) bool {
		inUpdated := u.Field(e.KeyText()) // nil for an item of a list: all items are removed
		if inUpdated == nil {
			return true
		}
		m.replaceContent(e.Value, inUpdated.Value)
		return false
	})
}

// applyToList applies the $patch directives in the list u of updated, and below it, to the trees:
//
//	containers:
//	- $patch: replace     # the items of dest are removed
//	- name: a
//	  $patch: delete      # all items with the name a are removed, in dest and updated
//
// d is the same list in dest, or nil, and path is its path. mustDelete is true if the caller has to delete the whole
// list. If the items have neither associative keys nor are all resources, m.err is set.
func (m *Merger) applyToList(d, u *syntax.Node, path *three.Path) (mustDelete bool) {
	lists := three.Nodes{three.Updated: u}
	if d != nil && d.Kind == syntax.Sequence {
		lists[three.Dest] = d
	}
	firstDirective := findPatch(u)
	listDirective := m.takeListDirective(u) // the other items must have the keys of the list
	uniqueID, keyID, ok := m.itemIdentity(lists, path)
	if !ok {
		m.failAt(three.Updated, firstDirective.Start, "$patch in a list without keys, which is replaced as a unit")
		return false
	}
	switch listDirective {
	case patchDelete:
		return true
	case patchReplace:
		m.replaceContent(d, u)
	}
	destItems := map[string]*syntax.Node{}
	if lists[three.Dest] != nil {
		for _, e := range d.Entries {
			destItems[uniqueID(e.Value)] = e.Value
		}
	}
	deleted := map[string]bool{} // by associative keys
	for i, e := range u.Entries {
		if m.applyDirectives(destItems[uniqueID(e.Value)], e.Value, path.Index(i)) {
			deleted[keyID(e.Value)] = true
		}
	}
	for s, n := range lists {
		if n != nil {
			m.removeEntries(three.Version(s), n, func(e *syntax.Entry) bool { return deleted[keyID(e.Value)] })
		}
	}
	return false
}

// takeListDirective removes the items from the list u of updated that only have a $patch directive, because these are
// about the whole list. It returns the value of the last directive, or merge if there is none. An invalid value counts
// as merge, and sets m.err.
func (m *Merger) takeListDirective(u *syntax.Node) string {
	value := patchMerge
	m.removeEntries(three.Updated, u, func(e *syntax.Entry) bool {
		directive := e.Value.Field(patchField)
		if directive == nil || len(e.Value.Entries) != 1 {
			return false
		}
		value = m.patchValue(directive)
		return true
	})
	return value
}

// itemIdentity returns two functions that identify the items of a list. v has the list in each version, and path is its
// path. keyID returns the associative keys of an item; uniqueID also distinguishes items with the same keys. For a list
// of resources, both return their identity. ok is false for other lists without such keys.
func (m *Merger) itemIdentity(v three.Nodes, path *three.Path) (uniqueID, keyID func(*syntax.Node) string, ok bool) {
	if identityOf, ok := m.ResourceItemFunc(v, path); ok {
		return identityOf, identityOf, true
	}
	l := m.rules.ListAt(path.Place(), v[:]...)
	keyID = func(n *syntax.Node) string { id, _ := l.ID(n); return id }
	return l.UniqueIDs(v[three.Updated], v[three.Dest]), keyID, l.Kind == schema.Map
}
