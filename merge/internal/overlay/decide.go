package overlay

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// IsPartial reports whether the result does not contain all entries of the collection n, at any depth, so that its
// bytes cannot be copied as they are. It is also true for a mapping or list from which a $patch directive of updated
// removed entries. It returns false for scalars, aliases, empty collections from which nothing was removed, and nil.
// The answer is kept for later calls.
func (m *Merger) IsPartial(n *syntax.Node) bool {
	if n == nil || m.Modified[n] || len(n.Entries) == 0 {
		return m.Modified[n]
	}
	partial, known := m.partial[n]
	if !known {
		set := m.expected.rowSets[n]
		partial = slices.ContainsFunc(n.Entries, func(e *syntax.Entry) bool {
			return set != nil && !set.contains(e) || m.IsPartial(e.Value)
		})
		m.partial[n] = partial
	}
	return partial
}

// hasLostChange reports whether side s changed the value, and the other side has another value than s, so that the
// change is lost if the other side's value is used. It returns false if s lacks the value. A missing value in the
// original or the other side counts as another value.
func (m *Merger) hasLostChange(v three.Nodes, s three.Version) bool {
	return v[s] != nil && !m.Hasher.Equal(v[three.Original], v[s]) && !m.Hasher.Equal(v[s], v[s.Other()])
}

// DecideValue returns the side from which a value that both sides have is copied. v has the value of each version, and
// p is its path. ok is false if both values are collections whose entries have to be merged; s has no meaning then.
//
//	values                                        result
//	not equal, and merged as a unit               updated; dest if only dest changed it,
//	                                              and updated does not always win
//	mappings or lists that are equal, or merged   ok is false
//	  entry by entry
//	equal scalars                                 the side that changed the bytes, such as quotes, else
//	                                              dest; dest if updated always wins
//
// A value is merged as a unit if it is a scalar, or a collection in one side and of another kind in the other side. So
// is a list without associative keys, unless it has unique values and the rules are kubectl's. If a change of dest is
// lost by this, it is recorded in the plan as that of the entry dest, unless updated always wins. dest is nil for the
// root of a document. Under kubectl's rules, DecideValue sets m.err, if it is nil, in two cases: one side has a list
// and the other a mapping, or an item of a list lacks the list's associative key, such as a container without name.
func (m *Merger) DecideValue(v three.Nodes, p *three.Path, dest *syntax.Entry) (s three.Version, ok bool) {
	d, u := v[three.Dest], v[three.Updated]
	if d.Kind == u.Kind {
		m.checkKeys(v, p)
	}
	destSet := m.expected.rowSets[d]
	switch equal := m.Hasher.Equal(d, u); {
	case !equal && (destSet == nil || destSet != m.expected.rowSets[u]):
		return m.takeWhole(v, p, dest), true
	case d.Kind == syntax.Mapping, d.Kind == syntax.Sequence:
		return three.Original, false
	case !m.rules.UpdatedAlwaysWins:
		s, _ = three.PickBy(func(a, b three.Version) bool { return m.SameNode(v, a, b) })
		return s, true
	}
	return three.Dest, true
}

// takeWhole returns the side from which a value that is merged as a unit is copied: dest if the sides are equal, or if
// only dest changed the value and the rules do not let updated always win; otherwise updated. If a change of dest is
// lost by that, takeWhole adds it to the lost changes of the plan, unless updated always wins: with dest, the entry
// that has the value in dest, or with the value itself if dest is nil. Under kubectl's rules, it sets m.err, if it is
// nil and the result is updated, if one side has a list and the other a mapping. Both sides must have the value.
func (m *Merger) takeWhole(v three.Nodes, p *three.Path, dest *syntax.Entry) three.Version {
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	if m.Hasher.Equal(d, u) || !m.rules.UpdatedAlwaysWins && m.Hasher.Equal(o, u) {
		return three.Dest
	}
	m.checkKinds(v, p)
	if m.hasLostChange(v, three.Dest) {
		if dest == nil {
			dest = &syntax.Entry{Span: d.Span, Start: d.Content.Start}
		}
		m.recordLost(p, three.Dest, dest)
	}
	return three.Updated
}

// DecideFlow decides how the merged collection x is written, whose format comes from a flow collection such as {a: 1}.
// If ok is true, x is copied as a whole from side s. If ok is false, s has no meaning. The first matching case applies:
//
//	only one side has x                            ok is true and s is that side, unless x can be written in
//	                                                 flow style: x.Flow is then set, and ok is false
//	x can be written in flow style; it has no      x.Flow is set, and ok is false
//	  entries, or the other side has it in flow
//	  style or without comments to be kept
//	the other side has it in block style           x.FormatFrom is set to the other side, and ok is false
//	updated always wins, and dest has all values   ok is true, and s is dest
//	  and comments
//	otherwise                                      ok is true; s is dest if only dest changed x and updated does
//	                                                 not always win, and updated if not
//
// In the last two cases, the comments are recorded in the plan as decided. A change of dest that is lost is recorded in
// the plan, with p as its path and dest as its entry, unless updated always wins.
func (m *Merger) DecideFlow(x *plan.Value, p *three.Path, dest *syntax.Entry) (s three.Version, ok bool) {
	side := x.FormatFrom.Other()
	other := x.Nodes[side]
	canFlow := !x.HasConflict() && m.setFlow(x)
	switch {
	case other == nil:
		return side.Other(), !canFlow
	case canFlow && (other.Style == syntax.Flow || len(x.Children) == 0 || m.canDropComments(side, other)):
		return three.Original, false
	case other.Style != syntax.Flow: // in block style, the comments can be written
		x.FormatFrom, x.Flow = side, plan.Flow{}
		return three.Original, false
	}
	m.recordDecidedComments(x.Nodes[three.Dest].Span, x.Nodes[three.Updated].Span)
	if m.rules.UpdatedAlwaysWins && m.destHasAll(x) {
		return three.Dest, true
	}
	return m.takeWhole(x.Nodes, p, dest), true
}

// destHasAll reports whether dest's bytes can be used for the merged collection x. All of these must be true:
//
//	x has exactly the entries of dest, in the same order
//	each entry has the value that it has in dest, and none is copied from updated or is a merged collection
//	dest has all comments of updated, except at most one for each entry whose comments are in conflict
func (m *Merger) destHasAll(x *plan.Value) bool {
	if !m.HasSameEntries(x, three.Dest) {
		return false
	}
	d, u := m.CommentsIn(three.Dest, x.Nodes[three.Dest].Span), m.CommentsIn(three.Updated, x.Nodes[three.Updated].Span)
	conflicts := 0
	for _, e := range x.Children {
		switch c := e.(type) {
		case *plan.TakenEntry:
			if c.Side == three.Updated {
				return false
			}
		case *plan.MergedEntry:
			if c.Value.Merged || !m.Hasher.Equal(c.Value.Nodes[c.Value.FormatFrom], c.Entries[three.Dest].Value) {
				return false
			}
			if c.Comment.Conflict {
				conflicts++
			}
		}
	}
	u = slices.DeleteFunc(u, func(c string) bool { return slices.Contains(d, c) })
	return len(u) <= conflicts
}

// PairEntries pairs the entries of the mappings or lists v at path p. It returns a step for each entry, with its index
// in each version that has it, in the order of the result. Entries that neither side has have no step. An original of
// another kind than the sides is ignored.
//
// The entries are paired by the rows that buildExpected computed before: a row is one field or item in all versions.
// How depends on the collection:
//
//	mapping                          by mapping key
//	list of resources                by kind, namespace and name
//	list with associative keys       by these keys
//	list of unique values (kubectl)  by value
//	other list                       by similarity, because it is merged as a unit; only here can steps be conflicts
//
// In all but the last kind of lists, the items that only updated has are at the end. If the rules are OrderByUpdated,
// all items of updated come first instead, in its order, unless they are resources. The fields Rule and AreResources of
// the result are not set.
func (m *Merger) PairEntries(v three.Nodes, p *three.Path) pair.PairedItems {
	n, set := m.rowsOf(v)
	if o := v[three.Original]; o != nil && (o.Kind != n.Kind || set != nil && len(o.Entries) > 0 && set.rows[o.Entries[0]] == 0) {
		v[three.Original] = nil
	}
	key := (*syntax.Entry).FieldKey
	if set != nil {
		key = func(e *syntax.Entry) string { return strconv.Itoa(set.rows[e]) }
	}
	switch {
	case n.Kind == syntax.Mapping:
		fieldPath := func(e three.Entries) *three.Path { return p.Child(e[e.First()].Key.Value) }
		return pair.PairedItems{Steps: pair.PairByKey(m.KeyedElems(v, key), m.rules.UpdatedAlwaysWins), ItemPath: fieldPath}
	case set == nil:
		return pair.PairedItems{Steps: m.PairOrdered(v, schema.List{}), ItemPath: m.IndexPathFunc(p, v)}
	}
	items := pair.PairedItems{Steps: m.orderSteps(pair.PairByKey(m.KeyedElems(v, key), m.rules.UpdatedAlwaysWins), set.resources), ItemPath: m.IndexPathFunc(p, v)}
	switch {
	case set.resources:
		items.ItemPath = m.ResourcePathFunc(p)
	case set.list.Kind == schema.Map:
		items.ItemPath = func(e three.Entries) *three.Path { return p.Item(set.list.Label(e[e.First()].Value)) }
	}
	return items
}

// rowsOf returns the collection of dest, or of updated if dest has none, and its row set. This has the entries of all
// versions by row, and whether the result contains them. The row set is nil if the value is merged as a unit.
func (m *Merger) rowsOf(v three.Nodes) (*syntax.Node, *rowSet) {
	n := cmp.Or(v[three.Dest], v[three.Updated])
	return n, m.expected.rowSets[n]
}

// orderSteps returns the steps of a list or of documents in the order of the result. A step is one element, with its
// index in each version that has it. The elements of dest keep their order, and those that only updated has are at the
// end, in the order of updated. If the rules are OrderByUpdated and the elements are not resources, all elements of
// updated are first instead, in the order of updated. steps is not changed.
func (m *Merger) orderSteps(steps []pair.Step, resources bool) []pair.Step {
	var first, last []pair.Step
	byUpdated := &last
	if m.rules.OrderByUpdated && !resources {
		byUpdated = &first
	}
	for _, st := range steps {
		if byUpdated == &first && st.Index[three.Updated] >= 0 || byUpdated == &last && st.Index[three.Dest] >= 0 {
			first = append(first, st)
		} else {
			last = append(last, st)
		}
	}
	slices.SortStableFunc(*byUpdated, func(a, b pair.Step) int { return a.Index[three.Updated] - b.Index[three.Updated] })
	return append(first, last...)
}

// HasEntry reports whether the result contains an entry. entry has the entry in each version; at least one side must
// have it. collections are the mappings or lists that it belongs to, and path returns its path. The value in the result
// may be that of another version. The result contains all entries of a collection that is merged as a unit.
//
// If the entry is not in the result, HasEntry adds a lost change to the plan for each side that changed it, unless
// updated always wins. Two changes are not added: a change to null, and a change of updated to a field or item that
// dest deleted (a deleted resource is added).
//
// If the rules are those of kubectl, the entry is in the result, and only one side has it, HasEntry sets m.err for a
// list in which an item lacks the associative key.
func (m *Merger) HasEntry(entry three.Entries, collections three.Nodes, path func(three.Entries) *three.Path) bool {
	s := entry.First()
	_, set := m.rowsOf(collections)
	if set == nil || set.contains(entry[s]) {
		if entry[s.Other()] == nil && entry[s].Value.Kind == syntax.Sequence {
			m.checkKeys(entry.Values(), path(entry))
		}
		return true
	}
	for _, s := range three.Sides {
		isDeletion := s == three.Updated && entry[three.Dest] == nil && !set.resources // of an entry that dest deleted too
		if !isDeletion && m.hasLostChange(entry.Values(), s) && !entry[s].Value.IsNull() {
			m.recordLost(path(entry), s, entry[s])
		}
	}
	return false
}

// checkKeys sets m.err if v are lists at path p, and an item lacks an associative key of the list, such as a container
// without name. The error is at the first such item: `an item of spec.containers has no name (the key of the list)`. It
// does nothing if m.err is set already, or if the rules are not those of kubectl (Override.Strategic). Versions that
// are missing or not lists are ignored.
func (m *Merger) checkKeys(v three.Nodes, p *three.Path) {
	for s, n := range v {
		if !m.rules.Strategic || n == nil || n.Kind != syntax.Sequence {
			continue
		}
		if e, keys := m.Rules.ItemWithoutKey(p.Place(), n); e != nil {
			hint := " (the key of the list)"
			if len(keys) > 1 {
				hint = " (a key of the list)"
			}
			m.failAt(three.Version(s), e.Start, "an item of "+p.String()+" has no "+keys[0]+hint)
		}
	}
}

// checkKinds sets m.err, to a *three.InputError at updated's value, if one side has a list at path p and the other a
// mapping. Its text is `spec.ports is a list, but a mapping in live.yaml`. It does nothing for other kinds, if
// m.err is set already, or if the rules are not those of kubectl (Override.Strategic). Both sides must have the value.
func (m *Merger) checkKinds(v three.Nodes, p *three.Path) {
	d, u := v[three.Dest], v[three.Updated]
	switch kinds := [2]syntax.Kind{d.Kind, u.Kind}; {
	case !m.rules.Strategic:
	case kinds == [2]syntax.Kind{syntax.Mapping, syntax.Sequence}:
		m.failAt(three.Updated, u.Content.Start, p.String()+" is a list, but a mapping in "+m.names[three.Dest])
	case kinds == [2]syntax.Kind{syntax.Sequence, syntax.Mapping}:
		m.failAt(three.Updated, u.Content.Start, p.String()+" is a mapping, but a list in "+m.names[three.Dest])
	}
}
