package plan

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A move is a field with a mapping that one side moved to another place of its document, and that the other side
// changed at its old place. The result has the change at the new place.
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

// moves are the fields that were moved, in all documents. The zero value has none.
type moves struct {
	searched bool                    // whether the plan was searched for moved fields
	byEntry  map[*syntax.Entry]*move // by all of their entries
	isAround map[*syntax.Node]bool   // the collections around the new places, whose bytes cannot be copied
}

// maxMoves is the maximum number of deleted mappings of a document that are searched for at other places.
const maxMoves = 100

// has reports whether one of the entries, the versions of a field, belongs to a moved field that was found before.
func (m *moves) has(entries three.Entries) bool {
	return slices.ContainsFunc(entries[:], func(e *syntax.Entry) bool { return e != nil && m.byEntry[e] != nil })
}

// add adds x, a field that was moved in the document with the versions docs. If only one side moved it, add also
// records all collections around its new place in that side: their bytes cannot be copied, because the other side's
// change has to be merged in. If both sides moved it, no collection is recorded.
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

// A candidate is a field that a side deleted or added, and that may therefore be the old or the new place of a moved
// field. It has the mappings that contain the field, by version.
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

// findMoves returns the fields in the plans docs that one side moved to another place and the other side changed, or
// that both sides moved. It searches for them only if a plan has a large mapping that one side deleted and the other
// side changed, that both sides deleted, or that both sides added differently. The documents are then planned again
// without copying identical parts as a whole, so that the fields in these are found, too; this adds to w.result.
// Otherwise the result has no fields. Its field searched is always set. Large means at least ten leaves (scalars, or
// lines of a text). Of each document, only the first 100 deleted mappings are searched for.
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

// findMove returns the move of the field from, which one side or both sides deleted, or nil if the field was not moved.
// c has the fields that a side added to the same document, and docs are its versions.
//
//	original      dest          updated
//	old: {m: …}   new: {m: …}   old: {m: …, changed}   the move of m from old to new, by dest
//
// A copy is a mapping in block style that has more than four fifths of the leaves of the field's mapping in the
// original or in the other side. Leaves are scalars, or lines of a text. The field was moved if all of these are true:
//
//   - A side that deleted the field has a copy in its document. If both did, one copy is enough.
//   - All copies in the documents of these sides are the value of the same added field: the new place.
//   - Each side that deleted the field added the new place, and a side that kept the field did not.
//   - The original has no copy of the original's mapping except the mapping itself.
//
// In the result, side is the side that moved the field, or none if both did. Unless c.added is empty, findMove sets
// w.Lines.MayDependOnElided: an entry that was left out of the versions for speed (elided) may be another copy.
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

// collectCandidates returns the fields in the document d that may be the old or the new place of a moved field. At the
// old place, a side deleted a large mapping; at the new one, a side added a mapping. d is the plan of the document, and
// is searched at all depths. The result is never nil. Its hasLargeAddition is set if both sides added an entry with at
// least ten leaves, and the values differ.
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

// collectWrapped adds the fields of a conflict to c. In such a conflict, one side moved fields into a field that it
// added, and the other side changed them:
//
//	original   side         other side
//	a: {…}     new:         a: {…, changed}
//	             a: {…}
//
// The fields of the original are added as fields that may have been moved, and those that only one side has as fields
// that may be their new place. mappings are the versions of the mapping with these fields. A field is also added to the
// former if neither side has it. Entries without a mapping key are ignored, and so are all fields of the original if
// the conflict has no path. c is changed; the conflict is not.
func (w *Walker) collectWrapped(conflict *EntryConflict, mappings three.Nodes, c *candidates) {
	fieldIn := func(run []*syntax.Entry, like *syntax.Entry) *syntax.Entry {
		i := slices.IndexFunc(run, func(x *syntax.Entry) bool {
			return x.Key != nil && like.Key != nil && x.FieldKey() == like.FieldKey()
		})
		if i < 0 {
			return nil
		}
		return run[i]
	}
	for _, o := range conflict.Runs[three.Original] {
		at := three.Entries{o, fieldIn(conflict.Runs[three.Dest], o), fieldIn(conflict.Runs[three.Updated], o)}
		if o.Key != nil && conflict.Path != nil {
			w.addDeleted(c, candidate{at, mappings, conflict.Path.Up.Child(o.Key.Value)})
		}
	}
	for _, s := range three.Sides {
		for _, x := range conflict.Runs[s] {
			if fieldIn(conflict.Runs[three.Original], x) == nil && fieldIn(conflict.Runs[s.Other()], x) == nil {
				var at three.Entries
				at[s] = x
				c.addAdded(candidate{entries: at, collections: mappings})
			}
		}
	}
}

// addDeleted adds the field x to c.deleted if one side or both sides deleted it. In each version that has it, its value
// must be a large mapping in block style, and the mapping around it must be in block style, too. Large means at least
// ten leaves (scalars, or lines of a text). Other entries are ignored, and so is a field that the other side renamed.
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

// addAdded adds fields to c.added, the new fields to which a mapping may have been moved. x is an entry that one side
// or both sides added. addAdded adds each version of x that is a field with a mapping in block style. If only one
// side added x, it also adds the fields with such mappings inside of its value, at any depth.
//
// A version in flow style, or in a collection in flow style, is left out, with the fields inside of it. If that is the
// version of dest, the version of updated is left out, too.
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

// moveOf returns the move of a field with one of the versions at, which are at its old or its new place. It returns nil
// if the field was not moved, or if it has to be in conflict because an earlier result failed verification. Missing
// versions (nil) are ignored.
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

// mergeMoved returns the plan of the moved field x at its new place, where its versions are at; at has only those of
// the sides that moved it. Key and place are those of the side that moved the field, and its value is merged with that
// at the old place in the other side. sc is the scope of the collection at the new place. The move is added to
// w.result.Moved and w.result.FollowedRenames. If the value is in conflict as a whole, the result is a conflict of the
// kind ConflictRefused over the new place only.
func (w *Walker) mergeMoved(x *move, at three.Entries, sc scope) Entry {
	path := sc.pathOf(at)
	sc = sc.forEntries(x.collections, func(three.Entries) *three.Path { return path })
	sc.deep, sc.blankLineSources, sc.neighborComments, sc.movedBy = true, nil, neighborComments{}, x.side
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

// movedValues returns the values of the fields that were moved, in all versions and at old and new places. Each value
// is a key of the map, with true. The map is empty if no field was moved. A Matcher needs them, so that it does not
// take such a field for one that a side put inside of a new field.
func (m *moves) movedValues() map[*syntax.Node]bool {
	values := map[*syntax.Node]bool{}
	for e := range m.byEntry {
		values[e.Value] = true
	}
	return values
}
