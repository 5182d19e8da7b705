package plan

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// moves are the fields that a side moved to another mapping, in all documents. The zero value has none.
type moves struct {
	searched bool                          // whether the plan was searched for moved fields
	byEntry  map[*syntax.Entry]*ident.Move // by all of their entries
	values   map[*syntax.Node]bool         // of these entries, which a Matcher must not take for parts of new fields
	isAround map[*syntax.Node]bool         // the collections around the new places, whose bytes cannot be copied
}

// add records that the field x was moved, so that moveOf finds it by any of its entries. If only one side moved it, add
// also marks the collections around its new place: they cannot be copied, because the other side's change is merged
// into the field. v has the root of the document in each version.
func (m *moves) add(x *ident.Move, v three.Nodes) {
	if m.byEntry == nil {
		m.byEntry, m.values, m.isAround = map[*syntax.Entry]*ident.Move{}, map[*syntax.Node]bool{}, map[*syntax.Node]bool{}
	}
	entries, _ := x.Versions()
	for _, e := range entries {
		m.byEntry[e], m.values[e.Value] = x, true
	}
	s, ok := movedBy(x).Get()
	if !ok {
		return // if both sides moved it, the collections around the new place are merged or identical
	}
	m.markAround(v[s], entries[s])
}

// markAround marks the collections around the entry e in m.isAround: n, and those inside of it. It reports whether n
// contains e, at any depth; if not, it marks nothing.
func (m *moves) markAround(n *syntax.Node, e *syntax.Entry) (contains bool) {
	contains = slices.ContainsFunc(n.Entries, func(x *syntax.Entry) bool { return x == e || m.markAround(x.Value, e) })
	if contains {
		m.isAround[n] = true
	}
	return contains
}

// movedBy returns the side that moved x, or none if both did.
func movedBy(x *ident.Move) three.Optional {
	switch {
	case x.To.Entries[three.Dest] == nil:
		return three.Some(three.Updated)
	case x.To.Entries[three.Updated] == nil:
		return three.Some(three.Dest)
	}
	return three.Optional{}
}

// findMoves returns the fields whose move to another mapping the merge has to follow. docs are the plans that were made
// without moves. A move is followed in these cases:
//
//   - both sides moved the field
//   - one side moved it, and the other side changed it; a comment that may be another field, commented out,
//     prevents this (hasCommentForNeighbor)
func (w *Walker) findMoves(docs []Document) (found moves) {
	found.searched = true
	for _, d := range docs {
		if m, ok := d.(*MergedDocument); ok && w.mayHaveMoves(m.Root) {
			v := rootNodes(m.Documents)
			for _, x := range w.FindMoves(v, m.Path) {
				s, byOneSide := movedBy(x).Get()
				if !byOneSide || w.isWrittenOtherwise(x.From.Entries, s.Other()) && !w.hasCommentForNeighbor(x.From, s.Other()) {
					found.add(x, v)
				}
			}
		}
	}
	return found
}

// isWrittenOtherwise reports whether s changed an entry in any way, even if it only removed a comment or reordered its
// fields, which would come back at the new place. The original and s must have the entry.
func (w *Walker) isWrittenOtherwise(at three.Entries, s three.Version) bool {
	o, x := at[three.Original].Value.Span, at[s].Value.Span
	return w.isChanged(at, s) || !bytes.Equal(w.Bytes(three.Original, o), w.Bytes(s, x))
}

// hasCommentForNeighbor reports whether side s perhaps commented out the field above x, a field that the other side
// moved. It returns true if s lacks the field that is above x in the original, and added a comment above x:
//
//	original   s
//	n: 1       # n: 1
//	x: 1       x: 2       true: the comment is about n
//
// Such a comment must not follow a move of x. It returns false if x is the first field in the original. The original
// and s must have x.
func (w *Walker) hasCommentForNeighbor(x ident.Field, s three.Version) bool {
	siblings := x.Collections[three.Original].Entries
	i := slices.Index(siblings, x.Entries[three.Original])
	if i == 0 || !w.AddsComment(x.Entries[three.Original].Lead, s, x.Entries[s].Lead) {
		return false
	}
	isNeighbor := func(e *syntax.Entry) bool { return w.Hasher.HaveSameKey(e, siblings[i-1]) }
	return !slices.ContainsFunc(x.Collections[s].Entries, isNeighbor)
}

// mayHaveMoves reports whether fields may have been moved in the value with the plan m, so that the slow search for
// moves is worth its time. m was made without moves. A move leaves one of these traces in it, at any depth:
//
//   - a conflict
//   - an entry that both sides added and that is merged
//   - a field that one side deleted and the other wrote otherwise
//   - a collection in which both sides deleted an entry
func (w *Walker) mayHaveMoves(m *Value) bool {
	for _, c := range m.Deleted {
		if c.Entries[three.Original].Key != nil && w.isWrittenOtherwise(c.Entries, c.Entries.First()) {
			return true
		}
	}
	remaining := len(m.Deleted) // the entries of the original that a side still has
	for _, child := range m.Children {
		// a field that the other side changed is in conflict at the old place
		c, isMerged := child.(*MergedEntry)
		if isConflict(child) || isMerged && (c.Entries[three.Original] == nil || w.mayHaveMoves(c.Value)) {
			return true
		}
		if child.Versions()[three.Original] != nil {
			remaining++
		}
	}
	o := m.Nodes[three.Original]
	return m.Merged && o != nil && remaining < len(o.Entries) // both sides deleted the entries that do not remain
}

// moveOf returns the move of a field, so that the merge follows it, or nil if no side moved the field. at has its
// versions at its old or at its new place; nil is ignored. It also returns nil if w.forced, the entries that have to be
// in conflict, has a version of the field.
func (w *Walker) moveOf(at three.Entries) *ident.Move {
	for _, e := range at {
		x := w.moves.byEntry[e]
		if e == nil || x == nil {
			continue
		}
		if entries, _ := x.Versions(); forcedKind(w.forced, entries) == "" {
			return x
		}
	}
	return nil
}

// mergeMoved returns the plan of the moved field x at its new place. Its value is merged from the versions at the old
// and at the new place. at has the versions at the new place only. The field becomes a ConflictRefused if the values do
// not merge; otherwise the move is added to w.result, for the report to the user.
func (w *Walker) mergeMoved(x *ident.Move, at three.Entries, sc scope) Entry {
	path := sc.pathOf(at)
	entries, collections := x.Versions()
	sc = sc.forEntries(collections, func(three.Entries) *three.Path { return path })
	sc.deep, sc.addedComments, sc.movedBy = true, nil, movedBy(x)
	c, ok := w.mergeBothSides(entries, sc).(*MergedEntry)
	if !ok {
		return NewEntryConflict(at, path, ConflictRefused) // verification refuses it, so that the old place is in conflict too
	}
	c.Collections = &collections
	if sc.movedBy != (three.Optional{}) {
		w.result.FollowedRenames = append(w.result.FollowedRenames, FollowedRename{From: x.From.Path.String(), To: path.String()})
	}
	w.result.Moved = append(w.result.Moved, entries.Values())
	return c
}
