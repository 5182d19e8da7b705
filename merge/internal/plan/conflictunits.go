package plan

import (
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// conflictUnits puts fields of a mapping in conflict that must not be combined from two sides. Such fields are a unit:
// they belong together, as kind and name of a reference, or exclude each other.
//
//	original    dest        updated
//	kind: A     kind: B     kind: A
//	name: x     name: x     name: y     kind and name are in conflict
//
// plans are the plans of the fields. It returns the changed plans. If fields that exclude each other cannot get one
// conflict for all, it returns a conflict over the whole mapping instead.
func (w *Walker) conflictUnits(plans []Entry, sc scope) ([]Entry, *valueConflict) {
	if len(plans) < 2 {
		return plans, nil
	}
	original, dest, updated := sc.collections[three.Original], sc.collections[three.Dest], sc.collections[three.Updated]
	isWholeInConflict := false
	for u := range w.Rules.Units(sc.path.Place()) {
		problemWith := func(s three.Version) string { return u.Problem(original, dest, updated, resultEntries(plans, s)) }
		detail := cmp.Or(problemWith(three.Dest), problemWith(three.Updated))
		if detail == "" {
			continue
		}
		var isJoined bool
		plans, isJoined = w.conflictUnit(plans, u, detail, sc)
		// separate conflicts over fields that exclude each other could be decided for fields of both sides
		isWholeInConflict = isWholeInConflict || !isJoined && u.IsExclusive()
	}
	if isWholeInConflict {
		return nil, &valueConflict{ConflictAddAdd, firstDetail(plans)}
	}
	return plans, nil
}

// conflictUnit puts the fields of the unit u that differ between the sides in conflict, and returns the changed plans.
// If possible (canJoinFields), these fields and those between them get one conflict in place of their plans. isJoined
// is false if each field has a conflict of its own instead. Without such fields, plans are unchanged and isJoined is
// true. detail describes the conflicts for the user.
func (w *Walker) conflictUnit(plans []Entry, u schema.Unit, detail string, sc scope) (all []Entry, isJoined bool) {
	members := w.differingFields(plans, u)
	if len(members) == 0 {
		return plans, true
	}
	kind := ConflictValue
	if u.IsExclusive() {
		kind = ConflictAddAdd
	}
	if w.canJoinFields(plans, members, sc) {
		first, end := members[0], members[len(members)-1]+1
		whole := &EntryConflict{Path: sc.path, Kind: kind, Detail: detail}
		for _, e := range plans[first:end] {
			for s, run := range entryRuns(e) {
				whole.addEntries(s, run...)
			}
		}
		return slices.Replace(plans, first, end, Entry(whole)), true
	}
	for _, i := range members {
		c, isConflict := plans[i].(*EntryConflict)
		if !isConflict {
			c = sc.newConflict(plans[i].Versions(), kind)
			plans[i] = c
		}
		c.Detail = detail
	}
	return plans, false
}

// entryRuns returns the entries of e in each version: at most one, but a conflict may have several.
func entryRuns(e Entry) [3][]*syntax.Entry {
	if c, ok := e.(*EntryConflict); ok {
		return c.Runs
	}
	return runsOf(e.Versions())
}

// differingFields returns which fields of the unit u have to be in conflict: those that only one side has, or that have
// different values in the sides. A unit has fields that belong together or exclude each other. The result has indexes
// in plans.
func (w *Walker) differingFields(plans []Entry, u schema.Unit) (members []int) {
	for i, e := range plans {
		at, runs := e.Versions(), entryRuns(e)
		d, t := at[three.Dest], at[three.Updated]
		isField := slices.ContainsFunc(runs[:], func(run []*syntax.Entry) bool { return slices.ContainsFunc(run, u.HasField) })
		if isField && (d == nil || t == nil || !w.Hasher.Equal(d.Value, t.Value)) {
			members = append(members, i)
		}
	}
	return members
}

// canJoinFields reports whether the fields members can get one conflict together. members are indexes in plans. The
// conflict also covers all fields between them. It returns false if another field of the mapping
//
//   - is missing in one side, anywhere in plans, or
//   - is between the members and differs between the sides.
func (w *Walker) canJoinFields(plans []Entry, members []int, sc scope) bool {
	first, last := members[0], members[len(members)-1]
	for i, e := range plans {
		at := e.Versions()
		switch {
		case slices.Contains(members, i):
		case at[three.Dest] == nil || at[three.Updated] == nil: // with the sides swapped, it could be between the members
			return false
		case first < i && i < last && !w.sameEntry(at, sc.collections, three.Dest, three.Updated):
			return false
		}
	}
	return true
}

// firstDetail returns the first Detail of a conflict among plans, or "" if none has one.
func firstDetail(plans []Entry) string {
	for _, e := range plans {
		if c, ok := e.(*EntryConflict); ok && c.Detail != "" {
			return c.Detail
		}
	}
	return ""
}
