package ident

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Field is a field of a mapping in the versions that have it.
type Field struct {
	Entries     three.Entries
	Collections three.Nodes // the mappings that contain the entries; a version may have the mapping without the field
	Path        *three.Path
}

// A Move is a field that a side moved to another mapping, such as image here. From is the field at its old place, in
// the versions that have it there, and To the field at its new place.
//
//	original     side
//	image: a     server:
//	port: 80       image: a
//	log: b         port: 80
//	               log: b
type Move struct{ From, To Field }

// Versions returns the entries of the moved field, at the new place in the sides that moved it and at the old place in
// the other versions, and the mappings that contain them.
func (m *Move) Versions() (entries three.Entries, collections three.Nodes) {
	entries, collections = m.From.Entries, m.From.Collections
	for s, e := range m.To.Entries {
		if e != nil {
			entries[s], collections[s] = e, m.To.Collections[s]
		}
	}
	return entries, collections
}

// FindMoves returns the fields of a document that one or both sides certainly moved to another mapping, so that the
// other side's edits can be made at the new place. Here it returns the fields image and port:
//
//	original    dest          updated
//	image: a    server:       image: b
//	port: 80      image: a    port: 80
//	              port: 80
//
// It returns nil if no removed field is contested, that is, if each field that a side removed from its mapping is still
// as it was in the other side. Only the first maxMoves removed fields are examined. roots has the root of the document
// in each version, and p is its path. t.Hasher and t.Lines must be set. It may set t.Lines.MayDependOnElided.
func (t *Table) FindMoves(roots three.Nodes, p *three.Path) (found []*Move) {
	f := &moveFinder{Table: t, roots: roots, added: map[*syntax.Entry]*Field{}}
	if !f.hasContested(roots, p) {
		return nil // no move decides where an edit is made
	}
	if f.collect(roots, p); len(f.added) == 0 {
		return nil
	}
	var candidates []*Move
	for i := range f.removed[:min(len(f.removed), maxMoves)] {
		if m := f.findMove(&f.removed[i]); m != nil {
			candidates = append(candidates, m)
		}
	}
	movedLeaves := f.countMovedLeaves(candidates)
	for _, m := range candidates {
		isCertain := func(s three.Version) bool { return f.isCertainMove(s, m, movedLeaves[m.places(s)]) }
		if slices.ContainsFunc(three.Sides[:], isCertain) {
			found = append(found, m)
		}
	}
	if len(found) > 0 { // with more entries, a field may have more copies, and its leaves prove less
		t.Lines.MayDependOnElided = true
	}
	return found
}

// isCertainMove reports whether s certainly moved the field of m, rather than deleting it and adding a similar one. One
// sign is enough:
//   - the field is a large mapping (isLarge)
//   - s put a new heading above it (hasNewHeading)
//   - several leaves moved between the two mappings: MinEvidence of movedLeaves, the result of countMovedLeaves
//   - its new value is the other side's edit (hasEditOfOther)
//
// It returns false if s did not move the field.
func (f *moveFinder) isCertainMove(s three.Version, m *Move, movedLeaves [3]int) bool {
	if m.To.Entries[s] == nil {
		return false
	}
	return f.isLarge(m.From.Entries[three.Original].Value) || f.hasNewHeading(m, s) ||
		slices.Max(movedLeaves[:]) >= MinEvidence || f.hasEditOfOther(m, s)
}

// hasNewHeading reports whether s only put a new heading above the moved field of m, such as database here. The mapping
// below the heading must be new, and s must have removed all of its keys from the old mapping. Git's diff must align
// the lines of the field.
//
//	original          side
//	app:              app:
//	  level: info       level: info
//	  port: 5432      database:
//	                    port: 5432
func (f *moveFinder) hasNewHeading(m *Move, s three.Version) bool {
	if m.To.Collections[three.Original] != nil {
		return false
	}
	areRemoved := haveRemovedKeys(m.To.Collections[s], m.From.Collections[three.Original], m.From.Collections[s])
	return areRemoved && f.Lines.areAligned(s, m.From.Entries[three.Original].Span, m.To.Entries[s].Span)
}

// haveRemovedKeys reports whether all entries of added are fields with keys that the mapping original has and side
// lacks.
func haveRemovedKeys(added, original, side *syntax.Node) bool {
	removed := map[string]bool{}
	for _, n := range [...]*syntax.Node{original, side} {
		if n == nil || n.Kind != syntax.Mapping {
			continue
		}
		for _, e := range n.Entries {
			if e.Key.Kind == syntax.Scalar {
				removed[e.Key.Value] = n == original
			}
		}
	}
	return !slices.ContainsFunc(added.Entries, func(e *syntax.Entry) bool { return e.Key == nil || !removed[e.Key.Value] })
}

// hasEditOfOther reports whether the moved field has, at its new place in s, the value to which the other side changed
// it at the old place. Then s has probably merged its move with the other side's edit. The value must have several
// leaves, because a single one may be equal by chance.
func (t *Table) hasEditOfOther(m *Move, s three.Version) bool {
	before, edited, after := m.From.Entries[three.Original], m.From.Entries[s.Other()], m.To.Entries[s]
	return edited != nil && len(t.Hasher.leavesOf(after.Value).all) > 1 &&
		t.Hasher.Equal(after.Value, edited.Value) && !t.Hasher.Equal(after.Value, before.Value)
}

// A movePlaces has the mapping around a moved field in the original, and the one around its new place in a side, or nil
// if the side did not move the field.
type movePlaces struct{ from, to *syntax.Node }

// places returns the mappings between which s moved the field of m.
func (m *Move) places(s three.Version) movePlaces {
	return movePlaces{m.From.Collections[three.Original], m.To.Collections[s]}
}

// A moveFinder has the fields of a document that a side removed or added, in all of its mappings.
type moveFinder struct {
	*Table
	roots   three.Nodes
	removed []Field                  // fields of the original that a side lacks
	added   map[*syntax.Entry]*Field // by the entry of each side that has it
}

// isContested reports whether both sides changed or removed x, a field of the original: neither side has it, with its
// key and comments, as it was, byte for byte.
func (f *moveFinder) isContested(x Field) bool {
	original := f.Lines.Files[three.Original].Slice(x.Entries[three.Original].Span)
	return !slices.ContainsFunc(three.Sides[:], func(s three.Version) bool {
		e := x.Entries[s]
		return e != nil && bytes.Equal(original, f.Lines.Files[s].Slice(e.Span))
	})
}

// hasContested reports whether a side removed a contested field (isContested) from the collections v at path p, or from
// collections in them. Entries that one side left as they were are not matched: in most documents, this is all that
// has to be done.
func (f *moveFinder) hasContested(v three.Nodes, p *three.Path) bool {
	return slices.ContainsFunc(f.changedEntries(v, p), func(x Field) bool {
		switch e := x.Entries; {
		case e[three.Original] == nil || !f.isContested(x):
			return false
		case e[three.Dest] != nil && e[three.Updated] != nil:
			return f.hasContested(e.Values(), x.Path)
		}
		return x.Entries[three.Original].Key != nil
	})
}

// collect adds the fields that a side removed from the collections v at path p, or from collections in them, to
// f.removed. It adds those that a side added to f.added (see add).
func (f *moveFinder) collect(v three.Nodes, p *three.Path) {
	for _, x := range f.changedEntries(v, p) {
		switch original := x.Entries[three.Original]; {
		case original == nil:
			f.add(x)
		case x.Entries[three.Dest] != nil && x.Entries[three.Updated] != nil:
			f.collect(x.Entries.Values(), x.Path)
		case original.Key != nil:
			f.removed = append(f.removed, x)
		}
	}
}

// changedEntries returns the entries of the collections v, the versions of one collection at path p. It returns nil if
// neither side changed the collection, or if the sides have values of different kinds.
func (f *moveFinder) changedEntries(v three.Nodes, p *three.Path) (all []Field) {
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	isUnchanged := o != nil && f.Hasher.Equal(o, d) && f.Hasher.Equal(o, u)
	haveDifferentKinds := d != nil && u != nil && d.Kind != u.Kind
	if d == nil && u == nil || isUnchanged || haveDifferentKinds {
		return nil
	}
	if o != nil && o.Kind != cmp.Or(d, u).Kind { // the value was replaced: all of it is added
		v[three.Original] = nil // only here: v is a copy
	}
	children := f.MatchEntries(v, p)
	for _, entries := range children.entries(v) {
		all = append(all, Field{entries, v, children.ItemPath(entries)})
	}
	return all
}

// add adds x, an entry that the original lacks, to f.added if it is a field of a mapping in block style. It also adds
// the fields in the value of x, even if x itself is not added.
func (f *moveFinder) add(x Field) {
	for s, e := range x.Entries {
		if e != nil && e.Key != nil && x.Collections[s].Style == syntax.Block {
			f.added[e] = &x
		}
	}
	f.collect(x.Entries.Values(), x.Path)
}

// findMove returns the move of the field from, which one or both sides removed from its old place. It returns nil
// unless the new place is clear:
//
//   - the sides that removed the field added one copy in block style (addedCopies), at the same place
//   - the original has no other copy
//   - a side that kept the field has none at the new place
//
// FindMoves checks afterwards whether the copy is only a similar field.
func (f *moveFinder) findMove(from *Field) *Move {
	copies := f.addedCopies(from)
	if len(copies) == 0 || len(f.findCopies(from.Entries[three.Original], three.Original)) != 1 {
		return nil
	}
	to := copies[0]
	isElsewhere := func(c *Field) bool { return c == nil || c.Entries != to.Entries }
	if isElsewhere(to) || slices.ContainsFunc(copies, isElsewhere) {
		return nil
	}
	for _, s := range three.Sides {
		if isAtOld, isAtNew := from.Entries[s] != nil, to.Entries[s] != nil; isAtOld == isAtNew {
			return nil // s has the field at both places, or at neither
		}
	}
	return &Move{*from, *to}
}

// addedCopies returns the fields that may be the field from at its new place, in the sides that removed it from its old
// place. They are similar to it (findCopies) as it was in the original, or as the other side edited it. The result has
// a nil for each similar field or item that the side did not add in block style.
func (f *moveFinder) addedCopies(from *Field) (all []*Field) {
	for _, s := range three.Sides {
		for _, v := range [...]three.Version{three.Original, s.Other()} {
			if from.Entries[s] != nil || from.Entries[v] == nil {
				continue
			}
			for _, c := range f.findCopies(from.Entries[v], s) {
				all = append(all, f.added[c])
			}
		}
	}
	return all
}

// findCopies returns the fields of version v, at any depth, that may be the field e: at its place or at another one. e
// may be of another version. They have most leaves and the key of e. If e is a large mapping (isLarge), the key does
// not matter, and list items are returned, too.
func (f *moveFinder) findCopies(e *syntax.Entry, v three.Version) (found []*syntax.Entry) {
	isLarge := f.isLarge(e.Value)
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		for _, x := range n.Entries {
			visit(x.Value)
			hasSameKey := x.Key != nil && f.Hasher.HaveSameKey(x, e)
			if (isLarge || hasSameKey) && f.Hasher.hasMostOf(x.Value, e.Value) {
				found = append(found, x)
			}
		}
	}
	visit(f.roots[v])
	return found
}

// isLarge reports whether n is a mapping in block style with at least MinLargeLeaves leaves, not counting boilerplate
// such as kind. It is then known by its content, even under another key.
func (t *Table) isLarge(n *syntax.Node) bool {
	if n.Kind != syntax.Mapping || n.Style != syntax.Block {
		return false
	}
	leaves := t.Hasher.leavesOf(n)
	return len(leaves.all)-len(leaves.boilerplate) >= MinLargeLeaves
}

// hasMostOf reports whether x has at least three quarters of the leaves of n. Leaves that unrelated mappings share
// (apiVersion, kind and nulls) are ignored if both have them. It returns false if n has no other leaves.
func (h *Hasher) hasMostOf(x, n *syntax.Node) bool {
	inX, inN := h.leavesOf(x), h.leavesOf(n)
	same, _, _ := inX.compare(inN)
	size := len(inN.all) - syntax.CountCommon(inX.boilerplate, inN.boilerplate)
	return size > 0 && hasMost(same, size)
}

// countValues returns how often n has each scalar, alias and empty collection, except nulls: by a hash of the value and
// the last mapping key above it, so that the same leaf is found at another place. key is that of n, or nil.
func (h *Hasher) countValues(n, key *syntax.Node) map[uint64]int {
	counts := map[uint64]int{}
	var visit func(n, key *syntax.Node)
	visit = func(n, key *syntax.Node) {
		if len(n.Entries) == 0 && !n.IsNull() {
			counts[syntax.CombineHashes(h.Hash(key), h.Hash(n))]++
		}
		for _, e := range n.Entries {
			visit(e.Value, cmp.Or(e.Key, key))
		}
	}
	visit(n, key)
	return counts
}

// countMovedLeaves returns how many leaves moved together between two mappings, as evidence that the moves are certain.
// A leaf counts if it occurs once in the version with the old place, and once in the side, at the new place. The
// numbers are by the version with the old place: the original, or the other side, if its edits were moved, too. For a
// move of x: {a: 1, b: 2} without edits, it is 2 for the original.
func (f *moveFinder) countMovedLeaves(moves []*Move) map[movePlaces][3]int {
	var occurrences [3]map[uint64]int
	for v, n := range f.roots {
		occurrences[v] = f.Hasher.countValues(n, nil)
	}
	movedLeaves := map[movePlaces][3]int{}
	for _, m := range moves {
		for _, s := range three.Sides {
			if m.To.Entries[s] == nil {
				continue
			}
			counts, atNew := movedLeaves[m.places(s)], f.Hasher.countValues(m.To.Entries[s].Value, m.To.Entries[s].Key)
			// s moved the field as it was in the original, or with the edits of the other side
			for _, v := range [...]three.Version{three.Original, s.Other()} {
				if e := m.From.Entries[v]; e != nil {
					for hash := range f.Hasher.countValues(e.Value, e.Key) {
						if occurrences[v][hash] == 1 && occurrences[s][hash] == 1 && atNew[hash] == 1 {
							counts[v]++
						}
					}
				}
			}
			movedLeaves[m.places(s)] = counts
		}
	}
	return movedLeaves
}
