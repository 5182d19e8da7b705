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
// other side's edits can be made there. roots has the root in each version. t.Hasher and t.Lines must be set. It may
// set t.Lines.MayDependOnElided.
func (t *Table) FindMoves(roots three.Nodes, p *three.Path) (found []*Move) {
	f := &moveFinder{Table: t, roots: roots, added: map[*syntax.Entry]*Field{}, haveRemovedKeys: map[[2]*syntax.Node]bool{}}
	// most documents have no field that is worth a search of the parts that one side left as they were
	if f.visit(roots, p, true); len(f.removed) == 0 {
		return nil
	}
	f.removed = nil
	f.visit(roots, p, false)
	if len(f.added) == 0 {
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

// hasNewHeading reports whether s only put a new heading above the moved field, such as database here. The mapping
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
	areRemoved, isKnown := f.haveRemovedKeys[m.places(s)]
	if !isKnown {
		areRemoved = haveRemovedKeys(m.To.Collections[s], m.From.Collections[three.Original], m.From.Collections[s])
		f.haveRemovedKeys[m.places(s)] = areRemoved
	}
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

// places returns the mapping around the field in the original, and the mapping around its new place in s, or nil if s
// did not move it.
func (m *Move) places(s three.Version) [2]*syntax.Node {
	return [2]*syntax.Node{m.From.Collections[three.Original], m.To.Collections[s]}
}

// A moveFinder has the fields of a document that a side removed or added, in all of its mappings.
type moveFinder struct {
	*Table
	roots   three.Nodes
	removed []Field                  // fields of the original that a side lacks
	added   map[*syntax.Entry]*Field // by the entry of each side that has it
	count   [3]map[uint64]int        // in each version, how often each hash of forEachValue occurs
	// haveRemovedKeys has the results of the function haveRemovedKeys by the places of a move.
	haveRemovedKeys map[[2]*syntax.Node]bool
}

// isContested reports whether both sides changed or removed an entry that the original has: neither side has it, with
// its key and comments, as it was, byte for byte.
func (f *moveFinder) isContested(entries three.Entries) bool {
	original := f.Lines.Files[three.Original].Slice(entries[three.Original].Span)
	return !slices.ContainsFunc(three.Sides[:], func(s three.Version) bool {
		e := entries[s]
		return e != nil && bytes.Equal(original, f.Lines.Files[s].Slice(e.Span))
	})
}

// visit collects the fields that a side removed (f.removed) or added (f.added, see add) in the collections v at path p
// and all collections in them. With onlyContested, it collects removed fields only, and skips entries that one side
// left as they were.
func (f *moveFinder) visit(v three.Nodes, p *three.Path, onlyContested bool) {
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	isUnchanged := o != nil && f.Hasher.Equal(o, d) && f.Hasher.Equal(o, u)
	haveDifferentKinds := d != nil && u != nil && d.Kind != u.Kind
	if d == nil && u == nil || isUnchanged || haveDifferentKinds {
		return
	}
	kind := cmp.Or(d, u).Kind
	if o != nil && o.Kind != kind { // the value was replaced: all of it is added
		v[three.Original] = nil // only here: v is a copy
	}
	children := f.MatchEntries(v, p)
	for _, entries := range children.entries(v) {
		original := entries[three.Original]
		isAdded, isEmptyClass := original == nil, entries == (three.Entries{})
		if isEmptyClass || onlyContested && (isAdded || !f.isContested(entries)) {
			continue
		}
		switch path := children.ItemPath(entries); {
		case isAdded:
			f.add(Field{entries, v, path})
		case entries[three.Dest] != nil && entries[three.Updated] != nil:
			f.visit(entries.Values(), path, onlyContested)
		case original.Key != nil:
			f.removed = append(f.removed, Field{entries, v, path})
		}
	}
}

// add adds x, an entry that the original lacks, to f.added if it is a field of a mapping in block style. It also adds
// the fields in the value of x, even if x itself is not added.
func (f *moveFinder) add(x Field) {
	for s, e := range x.Entries {
		if e != nil && e.Key != nil && x.Collections[s].Style == syntax.Block {
			f.added[e] = &x
		}
	}
	f.visit(x.Entries.Values(), x.Path, false)
}

// findMove returns the move of the field from, which one or both sides removed, or nil if its new place is not clear:
//
//   - each of these sides must have added one copy in block style (findCopies), both at the same place
//   - the original must have no other copy
//   - a side that kept the field must not have one at the new place
//
// FindMoves checks afterwards whether the copy is only a similar field.
func (f *moveFinder) findMove(from *Field) *Move {
	var to *Field
	for _, s := range three.Sides {
		if from.Entries[s] != nil {
			continue
		}
		// s moved the field as it was in the original, or with the edits of the other side
		for _, v := range [...]three.Version{three.Original, s.Other()} {
			e := from.Entries[v]
			if e == nil {
				continue
			}
			for _, c := range f.findCopies(e, s) {
				place := f.added[c]
				if place == nil || to != nil && to.Entries != place.Entries {
					return nil // s did not add the copy, or there are several places
				}
				to = place
			}
		}
	}
	if to == nil || len(f.findCopies(from.Entries[three.Original], three.Original)) != 1 {
		return nil
	}
	for _, s := range three.Sides {
		if isAtOld, isAtNew := from.Entries[s] != nil, to.Entries[s] != nil; isAtOld == isAtNew {
			return nil // s has the field at both places, or at neither
		}
	}
	return &Move{*from, *to}
}

// findCopies returns the fields of version v, at any depth, that may be the field e at another place, and e itself.
// They have most leaves and the key of e. For a large mapping, the key does not matter, and list items are returned,
// too.
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

// forEachValue calls f for each scalar, alias and empty collection of n, except nulls. The hash is that of the value
// and the last mapping key above it, so that the same leaf is found at another place. key is that of n, or nil.
func (h *Hasher) forEachValue(n, key *syntax.Node, f func(hash uint64)) {
	if len(n.Entries) == 0 && !n.IsNull() {
		f(syntax.CombineHashes(h.Hash(key), h.Hash(n)))
	}
	for _, e := range n.Entries {
		if e.Key != nil {
			key = e.Key
		}
		h.forEachValue(e.Value, key, f)
	}
}

// countMovedLeaves counts leaves of moved fields that one version has only at the old place, and another only at the
// new place. The map key has the two mappings (Move.places); numbers are by the version that has the old place. It sets
// f.count.
func (f *moveFinder) countMovedLeaves(moves []*Move) map[[2]*syntax.Node][3]int {
	for v, n := range f.roots {
		count := map[uint64]int{}
		f.Hasher.forEachValue(n, nil, func(hash uint64) { count[hash]++ })
		f.count[v] = count
	}
	movedLeaves := map[[2]*syntax.Node][3]int{}
	for _, m := range moves {
		for _, s := range three.Sides {
			counts := movedLeaves[m.places(s)]
			// s moved the field as it was in the original, or with the edits of the other side
			for _, v := range [...]three.Version{three.Original, s.Other()} {
				counts[v] += f.countCommon(m.From.Entries[v], v, m.To.Entries[s], s)
			}
			movedLeaves[m.places(s)] = counts
		}
	}
	return movedLeaves
}

// countCommon returns the number of leaves (scalars with their key) that occur once in all of version v, in its field
// from, and once in all of version s, in its field to. It returns 0 if one of the fields is nil.
func (f *moveFinder) countCommon(from *syntax.Entry, v three.Version, to *syntax.Entry, s three.Version) (n int) {
	if from == nil || to == nil {
		return 0
	}
	isUniqueInFrom := map[uint64]bool{}
	f.Hasher.forEachValue(from.Value, from.Key, func(hash uint64) { isUniqueInFrom[hash] = f.count[v][hash] == 1 })
	f.Hasher.forEachValue(to.Value, to.Key, func(hash uint64) {
		if isUniqueInFrom[hash] && f.count[s][hash] == 1 {
			n++
		}
	})
	return n
}
