package plan

import (
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// conflictUnits puts fields of a mapping in conflict that must not be combined from two sides: kind and name of a
// reference, or fields that exclude each other, such as emptyDir and hostPath of a volume. It returns the plans of all
// fields, and may change kids. kind is "", or ConflictAddAdd if the caller has to put the whole mapping in conflict.
func (w *Walker) conflictUnits(kids []Entry, sc scope) (all []Entry, kind ConflictKind) {
	if len(kids) < 2 {
		return kids, ""
	}
	v := sc.collections
	for _, u := range w.Rules.Units(sc.path.Place()) {
		detail := ""
		for _, s := range three.Sides {
			detail = cmp.Or(detail, u.Problem(v[three.Original], v[three.Dest], v[three.Updated], resultEntries(kids, s)))
		}
		if detail == "" {
			continue
		}
		var isOne bool
		// separate conflicts could be decided for fields of both sides
		if kids, isOne = w.conflictUnit(kids, u, detail, sc); !isOne && u.IsExclusive() {
			kind = ConflictAddAdd
		}
	}
	return kids, kind
}

// conflictUnit puts the fields of u in which the sides differ in conflict, with detail as the description for the user,
// and returns the new plans; kids may be changed. isOne is true if they became one conflict, or if there are none;
// otherwise each is a conflict of its own.
func (w *Walker) conflictUnit(kids []Entry, u schema.Unit, detail string, sc scope) (all []Entry, isOne bool) {
	kind := ConflictValue
	if u.IsExclusive() {
		kind = ConflictAddAdd
	}
	var members []int
	isOne = true
	lastChanged := -1 // the last field that a side changed, other than a member
	for i, e := range kids {
		at := e.Versions()
		d, t := at[three.Dest], at[three.Updated]
		isMember := u.HasField(at[at.First()]) && (d == nil || t == nil || !w.Hasher.Equal(d.Value, t.Value))
		switch {
		case isMember:
			isOne = isOne && (len(members) == 0 || lastChanged < members[len(members)-1])
			members = append(members, i)
		case d == nil || t == nil: // with the sides swapped, it could be between them
			isOne = false
		case !w.sameEntry(at, sc.collections, three.Dest, three.Updated):
			lastChanged = i
		}
	}
	if len(members) == 0 {
		return kids, true
	}
	// one conflict also has the unchanged fields between the members
	whole := &EntryConflict{Path: sc.path, Kind: kind, Detail: detail}
	end := members[len(members)-1] + 1
	for _, k := range kids[members[0]:end] {
		for s, e := range k.Versions() {
			if e != nil {
				whole.Entries[s] = cmp.Or(whole.Entries[s], e)
				whole.Runs[s] = append(whole.Runs[s], e)
			}
		}
	}
	if isOne {
		return slices.Replace(kids, members[0], end, Entry(whole)), true
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

// conflictDetail returns the value that the merge functions return for a collection in conflict as a whole: only its
// Detail is set, to that of the first conflict in kids, the plans of the entries. It returns nil if none has a Detail.
func conflictDetail(kids []Entry) *Value {
	for _, e := range kids {
		if c, ok := e.(*EntryConflict); ok && c.Detail != "" {
			return &Value{Detail: c.Detail}
		}
	}
	return nil
}
