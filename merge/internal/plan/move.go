package plan

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A move is a field with a mapping that one side moved to another place of its document, and that the other side changed
// at its old place. The change follows to the new place.
//
//	original   dest       updated    result
//	old:       new:       old:       new:
//	  m:         n:         m:         n:
//	    a: 1       a: 1       a: 2       a: 2
//	    ...        ...        ...        ...
type move struct {
	side        three.Optional // the side that moved it; none if both did
	entries     three.Entries  // the field, at the new place in the sides that moved it, otherwise at the old one
	collections three.Nodes    // the mappings that contain the entries
	from        *three.Path    // the old place
}

// moves are the moves of a merge. The zero value has none.
type moves struct {
	searched bool                    // they have been searched for
	byEntry  map[*syntax.Entry]*move // by all of their entries
	isAround map[*syntax.Node]bool   // the collections around the new places, whose bytes cannot be copied
}

// maxMoves is the maximum number of deleted mappings of a document that are searched for at other places.
const maxMoves = 100

// has reports whether one of the entries belongs to a move.
func (m *moves) has(entries three.Entries) bool {
	return slices.ContainsFunc(entries[:], func(e *syntax.Entry) bool { return e != nil && m.byEntry[e] != nil })
}

// add adds a move in the documents docs.
func (m *moves) add(x *move, docs [3]*syntax.Document) {
	if m.byEntry == nil {
		m.byEntry, m.isAround = map[*syntax.Entry]*move{}, map[*syntax.Node]bool{}
	}
	for _, e := range x.entries {
		m.byEntry[e] = x
	}
	s, ok := x.side.Get()
	if !ok {
		return // if both sides moved it, the collections around the new place are merged or identical
	}
	var visit func(n *syntax.Node) bool
	visit = func(n *syntax.Node) bool {
		if slices.ContainsFunc(n.Entries, func(e *syntax.Entry) bool { return e == x.entries[s] || visit(e.Value) }) {
			m.isAround[n] = true
		}
		return m.isAround[n]
	}
	visit(docs[s].Root)
}

// A candidate is a field that a side deleted or added, with the mappings that contain it.
type candidate struct {
	entries     three.Entries
	collections three.Nodes
	path        *three.Path // nil for an added field
}

// candidates are fields in the plan of a document that may have been moved.
type candidates struct {
	// deleted are fields that one side deleted and the other side changed, or that both sides deleted.
	deleted []candidate
	// added are fields that one side or both sides added, by their values in each side.
	added map[*syntax.Node]candidate
	// hasLargeAddition is set if both sides added an entry with a large value, and the values differ.
	hasLargeAddition bool
}

// findMoves returns the moves in the plan docs. If the plan has a large mapping that one side deleted and the other side
// changed, or a large value that both sides added differently, the documents are planned again down to their scalars.
func (w *Walker) findMoves(docs []Document) (found moves) {
	found.searched = true
	mayHaveMove := func(d Document) bool {
		m, merged := d.(*MergedDocument)
		if !merged {
			return false
		}
		c := w.collectCandidates(m)
		return len(c.deleted) > 0 || c.hasLargeAddition
	}
	if !slices.ContainsFunc(docs, mayHaveMove) {
		return found
	}
	deep := w.Deep
	w.Deep = true
	docs = w.mergeDocumentSteps(w.pairDocuments())
	w.Deep = deep
	for _, d := range docs {
		m, merged := d.(*MergedDocument)
		if !merged {
			continue
		}
		c := w.collectCandidates(m)
		for _, from := range c.deleted[:min(len(c.deleted), maxMoves)] {
			if x := w.findMove(from, c, m.Documents); x != nil && !found.has(x.entries) {
				found.add(x, m.Documents)
			}
		}
	}
	return found
}

// findMove returns the move of a deleted field, or nil if there is none. A side moved the mapping if it has more than four
// fifths of the leaves of the original's mapping, or of the other side's, at exactly one place, and added the field there.
// If both sides deleted the field, both must have added it at one place, and one of them must have these leaves.
func (w *Walker) findMove(from candidate, c *candidates, docs [3]*syntax.Document) *move {
	if len(c.added) == 0 {
		return nil
	}
	w.Lines.MayDependOnElided = true // an elided mapping may be another one with these leaves
	var to *candidate
	for _, s := range three.Sides {
		if from.entries[s] != nil {
			continue
		}
		for _, v := range [...]three.Version{three.Original, s.Other()} {
			if from.entries[v] == nil {
				continue
			}
			for _, n := range w.Hasher.FindMoved(from.entries[v].Value, docs[s].Root) {
				x, isAdded := c.added[n]
				if !isAdded || to != nil && to.entries != x.entries {
					return nil // not added, or at several places
				}
				to = &x
			}
		}
	}
	if to == nil || len(w.Hasher.FindMoved(from.entries[three.Original].Value, docs[three.Original].Root)) != 1 {
		return nil
	}
	x := &move{entries: from.entries, collections: from.collections, from: from.path}
	for _, s := range three.Sides {
		if (from.entries[s] == nil) != (to.entries[s] != nil) {
			return nil
		}
		if to.entries[s] != nil {
			x.entries[s], x.collections[s] = to.entries[s], to.collections[s]
			x.side = three.Some(s)
		}
	}
	if to.entries[three.Dest] != nil && to.entries[three.Updated] != nil {
		x.side = three.Optional{}
	}
	return x
}

// collectCandidates returns the fields in d that may have been moved.
func (w *Walker) collectCandidates(d *MergedDocument) *candidates {
	c := &candidates{added: map[*syntax.Node]candidate{}}
	var visit func(m *Value)
	visit = func(m *Value) {
		known := map[*syntax.Entry]bool{}
		for _, x := range m.Deleted {
			known[x.Entries[three.Original]] = true
		}
		for _, child := range m.Children {
			at := child.Versions()
			known[at[three.Original]] = true
			if at[three.Original] == nil {
				c.addAdded(candidate{entries: at, collections: m.Nodes})
			}
			if _, taken := child.(*TakenEntry); !taken && at[three.Original] == nil && at[three.Dest] != nil && at[three.Updated] != nil {
				c.hasLargeAddition = c.hasLargeAddition || w.Hasher.HasMovableSize(at[three.Dest].Value)
			}
			switch e := child.(type) {
			case *MergedEntry:
				visit(e.Value)
			case *EntryConflict:
				for _, o := range e.Runs[three.Original] {
					known[o] = true
				}
				switch {
				case e.Kind == ConflictDeleteModify:
					w.addDeleted(c, candidate{e.Entries, m.Nodes, e.Path})
				case e.Indivisible:
					w.collectWrapped(e, m.Nodes, c)
				}
			}
		}
		if o := m.Nodes[three.Original]; o != nil && m.Merged {
			for _, e := range o.Entries {
				if !known[e] { // both sides deleted it
					w.addDeleted(c, candidate{three.Entries{e}, m.Nodes, nil})
				}
			}
		}
	}
	visit(d.Root)
	return c
}

// collectWrapped adds the fields of e to c, a conflict over fields of the collections v that one side moved into a new
// field.
func (w *Walker) collectWrapped(e *EntryConflict, v three.Nodes, c *candidates) {
	fieldIn := func(run []*syntax.Entry, like *syntax.Entry) *syntax.Entry {
		i := slices.IndexFunc(run, func(x *syntax.Entry) bool {
			return x.Key != nil && like.Key != nil && x.FieldKey() == like.FieldKey()
		})
		if i < 0 {
			return nil
		}
		return run[i]
	}
	for _, o := range e.Runs[three.Original] {
		at := three.Entries{o, fieldIn(e.Runs[three.Dest], o), fieldIn(e.Runs[three.Updated], o)}
		if o.Key != nil && e.Path != nil {
			w.addDeleted(c, candidate{at, v, e.Path.Up.Child(o.Key.Value)})
		}
	}
	for _, s := range three.Sides {
		for _, x := range e.Runs[s] {
			if fieldIn(e.Runs[three.Original], x) == nil && fieldIn(e.Runs[s.Other()], x) == nil {
				var at three.Entries
				at[s] = x
				c.addAdded(candidate{entries: at, collections: v})
			}
		}
	}
}

// addDeleted adds x to c if it is a field with a large mapping that one side deleted and the other side changed, or that
// both sides deleted.
func (w *Walker) addDeleted(c *candidates, x candidate) {
	o := x.entries[three.Original]
	if o == nil || o.Key == nil || x.entries[three.Dest] != nil && x.entries[three.Updated] != nil {
		return
	}
	for v, e := range x.entries {
		in := x.collections[v]
		if e != nil && (in == nil || in.Style != syntax.Block || !w.Hasher.MayBeMoved(e.Value) || !w.Hasher.HaveSameKey(o, e)) {
			return
		}
	}
	c.deleted = append(c.deleted, x)
}

// addAdded adds x, a field or an item that one side or both sides added, to c. If only one side did, it also adds the fields
// in its value.
func (c *candidates) addAdded(x candidate) {
	var side three.Version
	for _, s := range three.Sides {
		e := x.entries[s]
		switch {
		case e == nil:
			continue
		case x.collections[s].Style != syntax.Block || e.Value.Style != syntax.Block:
			return
		case e.Key != nil && e.Value.Kind == syntax.Mapping:
			c.added[e.Value] = x
		}
		side = s
	}
	if x.entries[side] == nil || x.entries[side.Other()] != nil {
		return
	}
	for _, e := range x.entries[side].Value.Entries {
		child := candidate{}
		child.entries[side], child.collections[side] = e, x.entries[side].Value
		c.addAdded(child)
	}
}

// moveOf returns the move of the entry at, at its old or new place. It returns nil if there is none, or if the entry is in
// a forced conflict.
func (w *Walker) moveOf(at three.Entries) *move {
	if w.moves.byEntry == nil {
		return nil
	}
	for _, e := range at {
		if x := w.moves.byEntry[e]; e != nil && x != nil && forcedKind(w.forced, x.entries) == "" {
			return x
		}
	}
	return nil
}

// mergeMoved merges the field of x at its new place, where the entry is at. sc is the scope there. The key is that of the
// side that moved the field.
func (w *Walker) mergeMoved(x *move, at three.Entries, sc scope) Entry {
	path := sc.pathOf(at)
	sc = sc.forEntries(x.collections, func(three.Entries) *three.Path { return path })
	sc.deep, sc.blankLineSources, sc.movedBy = true, nil, x.side
	c, ok := w.mergeBothSides(x.entries, sc).(*MergedEntry)
	if !ok {
		return NewEntryConflict(at, path, ConflictRefused) // verification refuses it, so that the old place is in conflict too
	}
	c.Collections = &x.collections
	if x.from != nil {
		w.result.FollowedRenames = append(w.result.FollowedRenames, FollowedRename{From: x.from.String(), To: path.String()})
	}
	w.result.Moved = append(w.result.Moved, x.entries.Values())
	return c
}

// movedValues returns the values of the fields that were moved, for a Matcher.
func (m *moves) movedValues() map[*syntax.Node]bool {
	values := map[*syntax.Node]bool{}
	for e := range m.byEntry {
		values[e.Value] = true
	}
	return values
}
