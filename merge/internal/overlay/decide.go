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

// IsPartial implements plan.RuleSet. A collection is partial, too, if a directive of a patch took entries out of it.
func (m *Merger) IsPartial(n *syntax.Node) bool {
	if n == nil || m.Modified[n] || len(n.Entries) == 0 {
		return m.Modified[n]
	}
	partial, known := m.partial[n]
	if !known {
		held := m.stands.held[n]
		partial = slices.ContainsFunc(n.Entries, func(e *syntax.Entry) bool {
			return held != nil && !held.has(e) || m.IsPartial(e.Value)
		})
		m.partial[n] = partial
	}
	return partial
}

// lost reports whether s has a change that is not in the other side.
func (m *Merger) lost(v three.Nodes, s three.Version) bool {
	return v[s] != nil && !m.Hasher.Equal(v[three.Original], v[s]) && !m.Hasher.Equal(v[s], v[s.Other()])
}

// DecideValue implements plan.RuleSet. It fails if an item lacks the key by which its list is paired.
func (m *Merger) DecideValue(v three.Nodes, p *three.Path, dest *syntax.Entry) (s three.Version, ok bool) {
	d, u := v[three.Dest], v[three.Updated]
	if d.Kind == u.Kind {
		m.checkKeys(v, p)
	}
	held := m.stands.held[d]
	switch equal := m.Hasher.Equal(d, u); {
	case !equal && (held == nil || held != m.stands.held[u]):
		return m.winner(v, p, dest), true
	case d.Kind == syntax.Mapping, d.Kind == syntax.Sequence:
		return three.Original, false
	case !m.rules.Always:
		s, _ = three.PickBy(func(a, b three.Version) bool { return m.SameNode(v, a, b) })
		return s, true
	}
	return three.Dest, true
}

// winner returns the side whose value is taken as a whole. It tells if a change of dest is lost with that, and fails if
// a list and a mapping would be one value.
func (m *Merger) winner(v three.Nodes, p *three.Path, dest *syntax.Entry) three.Version {
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	if m.Hasher.Equal(d, u) || !m.rules.Always && m.Hasher.Equal(o, u) {
		return three.Dest
	}
	m.checkKinds(v, p)
	if m.lost(v, three.Dest) {
		if dest == nil {
			dest = &syntax.Entry{Span: d.Span, Start: d.Content.Start}
		}
		m.tell(p, three.Dest, dest)
	}
	return three.Updated
}

// DecideFlow implements plan.RuleSet. A collection that cannot be written in flow style with the comments of both sides takes
// the style of the other side if that is block style, and is one value otherwise.
func (m *Merger) DecideFlow(x *plan.Value, p *three.Path, dest *syntax.Entry) (s three.Version, ok bool) {
	side := x.FormatFrom.Other()
	other := x.Nodes[side]
	flows := !x.HasConflict() && m.setFlow(x)
	switch {
	case other == nil:
		return side.Other(), !flows
	case flows && (other.Style == syntax.Flow || len(x.Children) == 0 || m.silent(side, other)):
		return three.Original, false
	case other.Style != syntax.Flow: // its comments have places there
		x.FormatFrom, x.Flow = side, plan.Flow{}
		return three.Original, false
	}
	m.settle(x.Nodes[three.Dest].Span, x.Nodes[three.Updated].Span)
	if m.rules.Always && m.destSays(x) {
		return three.Dest, true
	}
	return m.winner(x.Nodes, p, dest), true
}

// destSays reports whether the entries of the merged collection x are those of dest, with the same values, and dest has
// another comment wherever updated has a comment that dest lacks.
func (m *Merger) destSays(x *plan.Value) bool {
	if !m.HasSameEntries(x, three.Dest) {
		return false
	}
	d, u := m.CommentsIn(three.Dest, x.Nodes[three.Dest].Span), m.CommentsIn(three.Updated, x.Nodes[three.Updated].Span)
	clashes := 0
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
				clashes++
			}
		}
	}
	u = slices.DeleteFunc(u, func(c string) bool { return slices.Contains(d, c) })
	return len(u) <= clashes
}

// PairEntries implements plan.RuleSet. Entries that stand are paired as the rewrite has paired them.
func (m *Merger) PairEntries(v three.Nodes, p *three.Path) pair.PairedItems {
	n, held := m.heldIn(v)
	if o := v[three.Original]; o != nil && (o.Kind != n.Kind || held != nil && len(o.Entries) > 0 && held.rows[o.Entries[0]] == 0) {
		v[three.Original] = nil
	}
	key := (*syntax.Entry).FieldKey
	if held != nil {
		key = func(e *syntax.Entry) string { return strconv.Itoa(held.rows[e]) }
	}
	switch {
	case n.Kind == syntax.Mapping:
		name := func(e three.Entries) *three.Path { return p.Child(e[e.First()].Key.Value) }
		return pair.PairedItems{Steps: pair.PairByKey(m.KeyedElems(v, key), m.rules.Always), ItemPath: name}
	case held == nil:
		return pair.PairedItems{Steps: m.PairOrdered(v, schema.List{}), ItemPath: m.IndexPathFunc(p, v)}
	}
	items := pair.PairedItems{Steps: m.placed(pair.PairByKey(m.KeyedElems(v, key), m.rules.Always), held.resources), ItemPath: m.IndexPathFunc(p, v)}
	switch {
	case held.resources:
		items.ItemPath = m.ResourcePathFunc(p)
	case held.list.Kind == schema.Map:
		items.ItemPath = func(e three.Entries) *three.Path { return p.Item(held.list.Label(e[e.First()].Value)) }
	}
	return items
}

// heldIn returns the collection of dest, or of updated if dest has none, and what stands in it. The latter is nil for
// what is one value.
func (m *Merger) heldIn(v three.Nodes) (*syntax.Node, *rowset) {
	n := cmp.Or(v[three.Dest], v[three.Updated])
	return n, m.stands.held[n]
}

// placed returns the steps of a list or of documents in the order of the rules. New elements are at the end, or, if the
// rules are Ordered and the elements are not resources, all elements of updated are first, in its order.
func (m *Merger) placed(steps []pair.Step, resources bool) []pair.Step {
	var first, last []pair.Step
	byUpdated := &last
	if m.rules.Ordered && !resources {
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

// HasEntry implements plan.RuleSet. It tells which changes are lost with an entry that the result does not have, and
// fails if an item of one that it has lacks the key by which its list is paired.
func (m *Merger) HasEntry(at three.Entries, of three.Nodes, path func(three.Entries) *three.Path) bool {
	s := at.First()
	_, held := m.heldIn(of)
	if held == nil || held.has(at[s]) {
		if at[s.Other()] == nil && at[s].Value.Kind == syntax.Sequence {
			m.checkKeys(at.Values(), path(at))
		}
		return true
	}
	for _, s := range three.Sides {
		tookOut := s == three.Updated && at[three.Dest] == nil && !held.resources // of what dest deleted
		if !tookOut && m.lost(at.Values(), s) && !at[s].Value.IsNull() {
			m.tell(path(at), s, at[s])
		}
	}
	return false
}

// checkKeys fails if v are lists at p, and an item lacks the key by which they are paired.
func (m *Merger) checkKeys(v three.Nodes, p *three.Path) {
	for s, n := range v {
		if !m.rules.Strategic || n == nil || n.Kind != syntax.Sequence {
			continue
		}
		if e, keys := m.Rules.ItemWithoutKey(p.Place(), n); e != nil {
			what := ", the key of that list"
			if len(keys) > 1 {
				what = ", a key of that list"
			}
			m.fail(three.Version(s), e.Start, "an item of "+p.String()+" has no "+keys[0]+what)
		}
	}
}

// checkKinds fails if one side has a list at p and the other one a mapping.
func (m *Merger) checkKinds(v three.Nodes, p *three.Path) {
	d, u := v[three.Dest], v[three.Updated]
	switch kinds := [2]syntax.Kind{d.Kind, u.Kind}; {
	case !m.rules.Strategic:
	case kinds == [2]syntax.Kind{syntax.Mapping, syntax.Sequence}:
		m.fail(three.Updated, u.Content.Start, p.String()+" is a list here and a mapping in "+m.names[three.Dest])
	case kinds == [2]syntax.Kind{syntax.Sequence, syntax.Mapping}:
		m.fail(three.Updated, u.Content.Start, p.String()+" is a mapping here and a list in "+m.names[three.Dest])
	}
}
