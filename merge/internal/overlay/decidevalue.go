package overlay

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// IsPartial reports whether the result lacks an entry of the collection n, at any depth. The bytes of n then cannot be
// copied as they are. An entry that only has another value in the result does not count. It returns false if n is nil
// or has no entries, unless directives removed them.
func (m *Merger) IsPartial(n *syntax.Node) bool {
	if m.Modified[n] { // a directive removed entries
		return true
	}
	partial, known := m.partial[n]
	if n != nil && !known {
		set := m.expected.rowSets[n]
		partial = slices.ContainsFunc(n.Entries, func(e *syntax.Entry) bool {
			return !set.contains(e) || m.IsPartial(e.Value)
		})
		m.partial[n] = partial
	}
	return partial
}

// hasLostChange reports whether a change of side s is lost if the other side's value is used: s has the value, and it
// is neither that of the original nor that of the other side. A missing value counts as another value.
func (m *Merger) hasLostChange(v three.Nodes, s three.Version) bool {
	return v[s] != nil && !m.Hasher.Equal(v[three.Original], v[s]) && !m.Hasher.Equal(v[s], v[s.Other()])
}

// DecideValue returns the side from which a value is copied that both sides have. It returns none for two mappings or
// lists, even equal ones, that the walker has to merge by entry. v has the versions of the value, and p is its path.
// destEntry is its entry in dest, or nil for a root; a change of dest in it that gets lost is recorded. Values that
// kubectl cannot merge set m.err.
func (m *Merger) DecideValue(v three.Nodes, p *three.Path, destEntry *syntax.Entry) three.Optional {
	d, u := v[three.Dest], v[three.Updated]
	if d.Kind == u.Kind {
		m.checkKeys(v, p)
	}
	set := m.expected.rowSets[d]
	isMergedByEntry := set != nil && set == m.expected.rowSets[u] // values merged with each other share a row set
	switch {
	case !isMergedByEntry && !m.Hasher.Equal(d, u):
		return three.Some(m.takeWhole(v, p, destEntry))
	case d.Kind == syntax.Mapping, d.Kind == syntax.Sequence:
		return three.Optional{}
	case m.rules.UpdatedAlwaysWins: // equal scalars
		return three.Some(three.Dest)
	}
	changedFormat, _ := three.PickBy(func(a, b three.Version) bool { return m.SameNode(v, a, b) })
	return three.Some(changedFormat)
}

// takeWhole returns the side from which a value that is merged as a unit is copied: dest if both sides are equal, or if
// updated is unchanged and does not always win, and otherwise updated. If a change of dest gets lost, it is recorded in
// the plan. v has the versions of the value, p is its path, and destEntry its entry in dest, or nil for a root. Values
// that kubectl cannot merge set m.err.
func (m *Merger) takeWhole(v three.Nodes, p *three.Path, destEntry *syntax.Entry) three.Version {
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	if m.Hasher.Equal(d, u) || !m.rules.UpdatedAlwaysWins && m.Hasher.Equal(o, u) {
		return three.Dest
	}
	m.checkKinds(v, p)
	if m.hasLostChange(v, three.Dest) {
		if destEntry == nil { // the place of the whole value
			destEntry = &syntax.Entry{Span: d.Span, Start: d.Content.Start}
		}
		m.recordLost(p, three.Dest, destEntry)
	}
	return three.Updated
}

// DecideFlow decides how to write the merged collection x, if its format comes from a flow collection such as {a: 1}.
// The first possible way is chosen:
//
//	in flow style         sets x.Flow; every entry and comment must have a place
//	in block style        sets x.FormatFrom to the other side, which must have this style
//	as a copy of a side   returns the side; a lost change is recorded
//
// p is the path of x, and destEntry its entry in dest, or nil for a root.
func (m *Merger) DecideFlow(x *plan.Value, p *three.Path, destEntry *syntax.Entry) (copyFrom three.Optional) {
	flowSide, otherSide := x.FormatFrom, x.FormatFrom.Other()
	other := x.Nodes[otherSide]
	canFlow := !x.HasConflict() && m.setFlow(x)
	switch {
	case canFlow && (other == nil || other.Style == syntax.Flow || len(x.Children) == 0 || m.canDropComments(otherSide, other)):
		return three.Optional{}
	case other == nil:
		return three.Some(flowSide)
	case other.Style != syntax.Flow: // in block style, all comments can be written
		x.FormatFrom, x.Flow = otherSide, plan.NoFlow
		return three.Optional{}
	}
	// the copy of one side may lack comments of the other side
	m.recordIgnoredComments(x.Nodes[three.Dest].Span, x.Nodes[three.Updated].Span)
	if m.rules.UpdatedAlwaysWins && m.destHasAll(x) {
		return three.Some(three.Dest)
	}
	return three.Some(m.takeWhole(x.Nodes, p, destEntry))
}

// destHasAll reports whether the bytes of dest can be copied for the merged collection x, because nothing in x differs
// from dest:
//
//   - dest has exactly the entries of x, in the same order
//   - the values are those of dest, and none of them is merged by its entries
//   - dest has all comments of updated in x
//
// For each entry with a conflict over the comment at the end of its line, one comment of updated may be missing: the
// rules for which this is called prefer the comments of dest.
func (m *Merger) destHasAll(x *plan.Value) bool {
	if !m.HasSameEntries(x, three.Dest) {
		return false
	}
	inDest := m.CommentsIn(three.Dest, x.Nodes[three.Dest].Span)
	isInDest := func(comment string) bool { return slices.Contains(inDest, comment) }
	missing := len(slices.DeleteFunc(m.CommentsIn(three.Updated, x.Nodes[three.Updated].Span), isInDest))
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
				missing-- // the comment of this entry may be missing
			}
		}
	}
	return missing <= 0
}

// PairEntries returns how the entries of a mapping or list are paired: the steps in which the walker merges them, in
// the order of the result, and a function for the paths of the entries (ItemPath). Nothing else is set. The entries are
// paired as in the computation of the expected result (m.expected), and the items of a list that is a unit by their
// order. v has the versions of the collection, and p is its path.
func (m *Merger) PairEntries(v three.Nodes, p *three.Path) (paired pair.PairedEntries) {
	n, set := m.rowsOf(v)
	switch {
	case n.Kind == syntax.Mapping:
		paired.ItemPath, paired.Steps = ident.FieldPathFunc(p), m.pairRows(v, set)
		return paired
	case set == nil: // a list that is merged as a unit
		paired.ItemPath, paired.Steps = m.IndexPathFunc(p, v), m.PairOrdered(v, schema.List{})
		return paired
	case set.resources:
		paired.ItemPath = m.ResourcePathFunc(p)
	case set.list.Kind == schema.Map:
		paired.ItemPath = ident.ItemPathFunc(p, set.list)
	default: // a set
		paired.ItemPath = m.IndexPathFunc(p, v)
	}
	paired.Steps = m.orderSteps(m.pairRows(v, set), set.resources)
	return paired
}

// pairRows returns a step for each row of set, in the order of a mapping's fields. v has the collection in each version.
// Without a set, fields are paired by their keys.
func (m *Merger) pairRows(v three.Nodes, set *rowSet) []pair.Step {
	identityOf := (*syntax.Entry).FieldKey
	if set != nil {
		identityOf = func(e *syntax.Entry) string { return strconv.Itoa(set.rowOf[e]) }
	}
	return pair.PairByKey(m.KeyedElems(v, identityOf), m.rules.UpdatedAlwaysWins)
}

// rowsOf returns the collection of dest, or of updated if dest lacks it, and its row set: which entries of the versions
// are one field or item, and whether the result contains it. The row set is nil if the value is merged as a unit.
func (m *Merger) rowsOf(v three.Nodes) (*syntax.Node, *rowSet) {
	n := cmp.Or(v[three.Dest], v[three.Updated])
	return n, m.expected.rowSets[n]
}

// orderSteps returns steps, which pair the items of a list or the documents, in the order of the result: first those
// that dest has, then those that only updated has, in the order of updated. By the rules with OrderByUpdated, those
// that updated has are first, in its order; resources are never reordered so. steps is not changed.
func (m *Merger) orderSteps(steps []pair.Step, resources bool) []pair.Step {
	var first, last []pair.Step
	leader, inOrderOfUpdated := three.Dest, &last // the leader's elements are first
	if m.rules.OrderByUpdated && !resources {
		leader, inOrderOfUpdated = three.Updated, &first
	}
	for _, st := range steps {
		if st.Index[leader] >= 0 {
			first = append(first, st)
		} else {
			last = append(last, st)
		}
	}
	slices.SortStableFunc(*inOrderOfUpdated, func(a, b pair.Step) int { return a.Index[three.Updated] - b.Index[three.Updated] })
	return append(first, last...)
}

// DecideEntry reports whether the result contains a field or item, with whatever value. entry has its versions, and
// collections the mappings or lists around it; path returns its path. If the result lacks it, a change of a side in it
// is recorded as lost. If the result contains a list of only one side, whose items lack a key that kubectl needs, m.err
// is set.
func (m *Merger) DecideEntry(entry three.Entries, collections three.Nodes, path func(three.Entries) *three.Path) (inResult bool) {
	first := entry.First()
	_, set := m.rowsOf(collections)
	if set.contains(entry[first]) {
		if entry[first.Other()] == nil && entry[first].Value.Kind == syntax.Sequence {
			m.checkKeys(entry.Values(), path(entry))
		}
		return true
	}
	if entry[three.Dest] == nil && !set.resources { // dest deleted it, which is not recorded
		return false
	}
	for _, s := range three.Sides {
		if m.hasLostChange(entry.Values(), s) && !entry[s].Value.IsNull() {
			m.recordLost(path(entry), s, entry[s])
		}
	}
	return false
}

// checkKeys sets m.err if a list has an item without an associative key, because kubectl cannot merge such a list:
//
//	an item of spec.containers has no name (the key of the list)
//
// v has the versions of the value, and p is its path. It does nothing for values that are no lists, or by other rules
// than kubectl's (Override.Strategic). An earlier error is kept.
func (m *Merger) checkKeys(v three.Nodes, p *three.Path) {
	if !m.rules.Strategic {
		return
	}
	for s, n := range v {
		if n == nil || n.Kind != syntax.Sequence {
			continue
		}
		if e, keys := m.Rules.PatchStrategy(p.Place()).ItemWithoutKey(n); e != nil {
			hint := " (the key of the list)"
			if len(keys) > 1 {
				hint = " (a key of the list)"
			}
			m.failAt(three.Version(s), e.Start, "an item of "+p.String()+" has no "+keys[0]+hint)
		}
	}
}

// checkKinds sets m.err if one side has a list and the other a mapping, because kubectl cannot merge them. In this
// example, live.yaml is the file of dest:
//
//	spec.ports is a list, but a mapping in live.yaml
//
// v has the versions of the value, which both sides must have, and p is its path. It does nothing by other rules than
// kubectl's (Override.Strategic). An earlier error is kept.
func (m *Merger) checkKinds(v three.Nodes, p *three.Path) {
	d, u := v[three.Dest], v[three.Updated]
	kinds := map[syntax.Kind]string{syntax.Mapping: "mapping", syntax.Sequence: "list"}
	inDest, inUpdated := kinds[d.Kind], kinds[u.Kind]
	if m.rules.Strategic && inDest != "" && inUpdated != "" && inDest != inUpdated {
		m.failAt(three.Updated, u.Content.Start, p.String()+" is a "+inUpdated+", but a "+inDest+" in "+m.names[three.Dest])
	}
}
