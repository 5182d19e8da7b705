package plan

import (
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// conflictUnits puts fields of a mapping in conflict that must not be combined from two sides, such as kind and name of
// a reference, or emptyDir and hostPath of a volume. kids are the plans of all fields. It returns the new ones, and may
// change kids. kind is "", or ConflictAddAdd if the caller has to put the whole mapping in conflict.
func (w *Walker) conflictUnits(kids []Entry, sc scope) (all []Entry, kind ConflictKind) {
	if len(kids) < 2 {
		return kids, ""
	}
	v := sc.collections
	var merged [3][]*syntax.Entry // by the side that is taken in conflicts; nil if kids has changed
	for u := range w.Rules.Units(sc.path.Place()) {
		detail := ""
		for _, s := range three.Sides {
			if merged[s] == nil {
				merged[s] = resultEntries(kids, s)
			}
			detail = cmp.Or(detail, u.Problem(v[three.Original], v[three.Dest], v[three.Updated], merged[s]))
		}
		if detail == "" {
			continue
		}
		var isOne bool
		kids, isOne = w.conflictUnit(kids, u, detail, sc)
		merged = [3][]*syntax.Entry{}
		if !isOne && u.IsExclusive() { // separate conflicts could be decided for fields of both sides
			kind = ConflictAddAdd
		}
	}
	return kids, kind
}

// conflictUnit puts the fields of u, which must not be combined from two sides, in conflict if the sides differ in
// them. It returns the new plans; kids may be changed. detail describes the conflict for the user. isOne is true if the
// fields became one conflict, or if there are none; otherwise each is a conflict of its own.
func (w *Walker) conflictUnit(kids []Entry, u schema.Unit, detail string, sc scope) (all []Entry, isOne bool) {
	members, canJoin := w.differingFields(kids, u, sc)
	if len(members) == 0 {
		return kids, true
	}
	kind := ConflictValue
	if u.IsExclusive() {
		kind = ConflictAddAdd
	}
	if canJoin {
		first, end := members[0], members[len(members)-1]+1
		whole := &EntryConflict{Path: sc.path, Kind: kind, Detail: detail}
		for _, k := range kids[first:end] {
			for s, run := range entryRuns(k) {
				whole.Runs[s] = append(whole.Runs[s], run...)
				if len(run) > 0 {
					whole.Entries[s] = cmp.Or(whole.Entries[s], run[0])
				}
			}
		}
		return slices.Replace(kids, first, end, Entry(whole)), true
	}
	for _, i := range members {
		c, isConflict := kids[i].(*EntryConflict)
		if !isConflict {
			c = sc.newConflict(kids[i].Versions(), kind)
			kids[i] = c
		}
		c.Detail = detail
	}
	return kids, false
}

// entryRuns returns the entries of k in each version. A conflict, as about another unit, may have several.
func entryRuns(k Entry) [3][]*syntax.Entry {
	if c, ok := k.(*EntryConflict); ok {
		return c.Runs
	}
	return runsOf(k.Versions())
}

// differingFields returns the indexes in kids of the fields of u that only one side has, or that the sides have with
// different values. canJoin reports whether one conflict can have them all, with the fields between them. It is false
// if only one side has another field of the mapping, or if the sides differ in a field between them.
func (w *Walker) differingFields(kids []Entry, u schema.Unit, sc scope) (members []int, canJoin bool) {
	canJoin = true
	changedSince := false // whether another field, which the sides have differently, follows the last member
	for i, e := range kids {
		at := e.Versions()
		d, t := at[three.Dest], at[three.Updated]
		isOneSided := d == nil || t == nil
		runs := entryRuns(e)
		switch {
		case slices.ContainsFunc(slices.Concat(runs[:]...), u.HasField) && (isOneSided || !w.Hasher.Equal(d.Value, t.Value)):
			canJoin = canJoin && (len(members) == 0 || !changedSince)
			members, changedSince = append(members, i), false
		case isOneSided: // with the sides swapped, it could be between the members
			canJoin = false
		case !w.sameEntry(at, sc.collections, three.Dest, three.Updated):
			changedSince = true
		}
	}
	return members, canJoin
}

// conflictDetail returns the value that the merge functions return for a collection in conflict as a whole: only its
// Detail is set, to that of the first conflict in kids, the plans of the entries, that has one. It returns nil if none
// has a Detail.
func conflictDetail(kids []Entry) *Value {
	for _, e := range kids {
		if c, ok := e.(*EntryConflict); ok && c.Detail != "" {
			return &Value{Detail: c.Detail}
		}
	}
	return nil
}
