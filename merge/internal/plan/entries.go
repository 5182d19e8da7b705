package plan

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// newStepConflict returns the conflict of the step st over one or more entries of each version. st has a reason for the
// conflict and the indexes of these entries, and sc the collections that contain them. Runs has all entries of each
// version, and Entries the first one; both are nil for a version without any. Path is the path of these first entries.
// Around, Detail and Both are not set.
func (w *Walker) newStepConflict(st pair.Step, sc scope) *EntryConflict {
	c := &EntryConflict{Kind: conflictKind(st.Conflict)}
	for s, run := range st.Runs {
		for _, i := range run {
			c.Runs[s] = append(c.Runs[s], sc.collections[s].Entries[i])
		}
		if len(run) > 0 && c.Entries[s] == nil {
			c.Entries[s] = sc.collections[s].Entries[run[0]]
		}
	}
	c.Path = sc.pathOf(c.Entries)
	return c
}

// conflictKind returns the kind of the conflict that has reason c: ConflictReplace for pair.BothReplaced and
// pair.Wrapped, ConflictAddAdd for pair.BothInserted, and ConflictList for every other reason.
func conflictKind(c pair.ConflictReason) ConflictKind {
	switch c {
	case pair.BothReplaced, pair.Wrapped:
		return ConflictReplace
	case pair.BothInserted:
		return ConflictAddAdd
	}
	return ConflictList
}

// UnionApplied is a list for which a union policy decided the conflicts, with that policy.
type UnionApplied struct {
	Path     *three.Path
	Decision schema.Decision
}

// applyUnion resolves conflicts in an ordered list if the rules have the policy "union" for its path p. steps are the
// paired items of the versions v of the list, in the order of the result; each step has the index of one item in each
// version, or is a conflict over several items. In a list of scalars, the additions and deletions of both sides are
// applied. A conflict remains only if both sides deleted the same item and each added another one in its place. An
// example:
//
//	original   dest     updated     result
//	[a, b]     [a, x]   [a, b, y]   [a, x, y]
//
// In other lists, a conflict between items that both sides inserted at one place is replaced with the items of both
// sides. Other conflicts remain. The function returns the new steps, and adds the list to w.result.Unions if it has
// replaced a conflict, and for each list of scalars. Without a conflict or without this policy, it returns steps
// unchanged.
func (w *Walker) applyUnion(v three.Nodes, p *three.Path, steps []pair.Step) []pair.Step {
	if !slices.ContainsFunc(steps, func(st pair.Step) bool { return st.Conflict != pair.NoConflict }) {
		return steps
	}
	by := w.Rules.DecisionAt(p.Place())
	if by.Policy != schema.Union {
		return steps
	}
	changed := true
	if hasOnlyScalars(v) {
		steps = w.PairSet(v, schema.List{Kind: schema.Set})
	} else {
		steps, changed = pair.KeepBothInsertions(v, steps)
	}
	if changed {
		w.result.Unions = append(w.result.Unions, UnionApplied{Path: p, Decision: by})
	}
	return steps
}

// hasOnlyScalars reports whether all items of all versions are scalars; an alias is none. Missing versions (nil) and
// empty lists are ignored, so the result is true if there are no items.
func hasOnlyScalars(v three.Nodes) bool {
	for _, n := range v {
		if n == nil {
			continue
		}
		for _, e := range n.Entries {
			if e.Value.Kind != syntax.Scalar {
				return false
			}
		}
	}
	return true
}

// FollowedRename is an item or a document that one side renamed and the other side changed. The change was applied to
// the renamed one.
type FollowedRename struct {
	List     *three.Path // the list; nil for a document
	From, To string
}

// recordFollowedRenames adds to w.result.FollowedRenames each item or document that one side renamed and whose content
// the other side changed, so that the change is now under the new name. steps pair the elements: each has the index of
// one element in each version. list is the path of the list, and nil for documents. nameAndNode returns the name and
// the node of the i-th element of a version; an element without a name ("") is ignored. Elements that are in conflict,
// or that a version does not have, are ignored, too.
func (w *Walker) recordFollowedRenames(steps []pair.Step, list *three.Path, nameAndNode func(three.Version, int) (string, *syntax.Node)) {
	for _, st := range steps {
		if st.Conflict != pair.NoConflict || st.Index[three.Original] < 0 || st.Index[three.Dest] < 0 || st.Index[three.Updated] < 0 {
			continue
		}
		from, originalNode := nameAndNode(three.Original, st.Index[three.Original])
		for _, s := range three.Sides {
			to, _ := nameAndNode(s, st.Index[s])
			other, otherNode := nameAndNode(s.Other(), st.Index[s.Other()])
			renamed := from != to && from != "" && to != ""
			if renamed && from == other && !w.Hasher.Equal(originalNode, otherNode) {
				w.result.FollowedRenames = append(w.result.FollowedRenames, FollowedRename{list, from, to})
			}
		}
	}
}

// mergeAdded returns the plan of an entry that only side s contains: a *TakenEntry, which is copied from s as a whole.
// There are two exceptions. If the other side removed a comment that s has above or below the entry or before the value
// of a scalar, the plan is an *EntryConflict. If an entry inside of the value was moved, or is omitted by
// w.RuleSet, the plan is a *MergedEntry from s, with parts that are planned one by one.
func (w *Walker) mergeAdded(at three.Entries, s three.Version, sc scope) Entry {
	e, values := at[s], at.Values()
	if w.RuleSet == nil && (w.RestoresRemovedTrivia(at, s, sc.collections) ||
		e.Value.Kind == syntax.Scalar && w.RestoresRemovedComment(s, text.Span{Start: e.Span.Start, End: e.Value.Span.End})) {
		return sc.newConflict(at, ConflictComment)
	}
	at[three.Original] = nil
	if !w.mustMergeInside(e.Value) {
		return &TakenEntry{Entries: at, Side: s}
	}
	c := &MergedEntry{Entries: at, Path: sc.pathOf(at), Key: s, Comment: LineComment{Side: s}}
	c.Value = w.planCopy(values, s, sc.forValue(at, c.Path))
	c.Lead, c.Foot = w.LeadSlot(at, sc.collections).Take(s), w.FootSlot(at, sc.collections).Take(s)
	if w.HasIrregularHead(s, e) {
		c.Head = three.Some(s)
	}
	return c
}

// mergeTrivia merges comments and blank lines at one place, and returns the merged lines with the conflicts, or nil if
// there are no lines. v has the collections that contain them; all are nil for lines above or below the root of a
// document. If w.RuleSet is set (the rules of kustomize or `kubectl apply`), these rules decide. Otherwise
// they are merged as text, and a comment that one side moved here and the other side removed at its old place is left
// out.
func (w *Walker) mergeTrivia(t Slot, v three.Nodes) Trivia {
	if w.RuleSet != nil {
		return w.RuleSet.MergeTrivia(t)
	}
	return w.WithoutRemoved(t, v).Merge()
}

// mergeDeleted returns the plan of an entry that the side other than s deleted: an *EntryConflict of the kind
// ConflictDeleteModify if s changed the value or the mapping key, or added or changed a comment in it, and a
// *DeletedEntry otherwise. Changes of the format are ignored. The original and s must have the entry.
func (w *Walker) mergeDeleted(at three.Entries, s three.Version, sc scope) Entry {
	if !w.isChanged(at, s) {
		return &DeletedEntry{Entries: at}
	}
	return sc.newConflict(at, ConflictDeleteModify)
}

// isChanged reports whether s changed the value or the mapping key of an entry, or added or changed a comment in it. The
// original and s must have the entry.
func (w *Walker) isChanged(at three.Entries, s three.Version) bool {
	o, x := at[three.Original], at[s]
	return !w.Hasher.Equal(o.Value, x.Value) || !w.Hasher.HaveSameKey(o, x) || w.AddedComments(o.Span, s, x.Span)
}

// mergeLineComment merges the comment at the end of the entry's first line, as in "a: 1 # x". It returns the side from
// which the comment is copied: the one that changed it, or dest if neither side or both did so identically. If both
// sides changed it differently, Conflict is set, and the side is dest. A missing comment, or one of a missing version,
// is an empty one. Blanks around the comment are ignored.
func (w *Walker) mergeLineComment(at three.Entries) LineComment {
	var comments [3]string
	for s, e := range at {
		if e != nil {
			comments[s] = string(bytes.TrimSpace(w.Bytes(three.Version(s), e.Comment)))
		}
	}
	s, ok := three.Pick(comments)
	return LineComment{Side: s, Conflict: !ok}
}

// mergeKey returns the side from which the mapping key of an entry is copied, or ok = false, which makes the entry a
// conflict:
//
//	list item, or an entry without an original     dest
//	neither side renamed the key                   updated if dest did not change the bytes of the key, otherwise dest
//	one side renamed it                            that side; a conflict if the other side changed the value
//	both sides renamed it identically              dest
//	both sides renamed it differently              a conflict
//
// The change of a value does not follow the rename of its field, because programs find a field by its name. Items with
// an associative key and documents have no mapping key here, so changes can follow their renames. Both sides must have
// the entry.
func (w *Walker) mergeKey(at three.Entries) (from three.Version, ok bool) {
	o, d, u := at[three.Original], at[three.Dest], at[three.Updated]
	if o == nil || o.Key == nil || d.Key == nil || u.Key == nil {
		return three.Dest, true
	}
	dSame, uSame := w.Hasher.HaveSameKey(o, d), w.Hasher.HaveSameKey(o, u)
	switch {
	case dSame && uSame:
		if bytes.Equal(w.KeyText(three.Original, o), w.KeyText(three.Dest, d)) {
			return three.Updated, true
		}
		return three.Dest, true
	case uSame:
		return three.Dest, w.Hasher.Equal(o.Value, u.Value)
	case dSame:
		return three.Updated, w.Hasher.Equal(o.Value, d.Value)
	}
	return three.Dest, w.Hasher.HaveSameKey(d, u)
}

// chooseHead sets c.Head to the side from which all bytes between the key and the value are copied, if these can only
// be copied as a whole: if, in any version, they are more than blanks, an anchor, a tag and one comment. It then also
// sets the format of c.Value to that of this side. It returns false if the entry has to be a conflict; c may then be
// changed in part.
//
//	a: # c
//	  &x
//	  b: 1
func (w *Walker) chooseHead(c *MergedEntry) bool {
	heads, irregular := w.HeadTexts(c.Entries)
	m := c.Value
	if !irregular {
		return !m.IsExpandedFlow() || !c.Comment.Conflict
	}
	s, ok := three.PickFunc(heads, bytes.Equal)
	if !ok || m.IsExpandedFlow() || m.Merged && c.Comment.Conflict {
		return false
	}
	if bytes.Equal(heads[three.Dest], heads[three.Updated]) {
		s = m.FormatFrom
	}
	c.Head = three.Some(s)
	switch n := m.Nodes[s]; {
	case m.Merged:
		if m.hasSameFormat(s) {
			m.FormatFrom = s
		}
		return m.FormatFrom == s
	case n.IsBlockScalar():
		return false
	case m.Lines == nil && n.Style != syntax.Block && w.Hasher.Equal(n, m.Nodes[m.FormatFrom]): // the value is copied with the head
		m.FormatFrom, m.PropertiesFrom = s, s
	}
	return m.FormatFrom == s && m.PropertiesTextFrom() == s
}

// describeAccessConflict returns a description for the user of the conflict in the mapping v, if each side widened a
// different one of its access fields. These are fields that grant every combination of their values. The rules for path
// p define them:
//
//	verbs: [get]        # ours adds delete
//	resources: [pods]   # theirs adds secrets: the merge would allow deleting secrets
//
// The description of this conflict is `verbs widened by us, resources by them; together they grant access that neither
// side grants`. It returns "" if there is no such conflict, if a side is not a mapping, or if w.RuleSet is set (the
// rules of kustomize or `kubectl apply`). Both sides must have the node.
func (w *Walker) describeAccessConflict(v three.Nodes, p *three.Path) string {
	if w.RuleSet != nil || v[three.Dest].Kind != syntax.Mapping || v[three.Updated].Kind != syntax.Mapping {
		return ""
	}
	for _, f := range w.Rules.AccessFields(p.Place()) {
		if ours, theirs, ok := f.FindWidened(v[three.Original], v[three.Dest], v[three.Updated]); ok {
			return ours + " widened by us, " + theirs + " by them; together they grant access that neither side grants"
		}
	}
	return ""
}

// resultEntries returns the entries that the result would have for the plans kids, in order. A conflict counts with its
// first entry of side s, and is left out if s has none. Deleted entries are left out. The entries inside of the entries
// are not included. The result is nil if there are none.
func resultEntries(kids []Entry, s three.Version) []*syntax.Entry {
	var out []*syntax.Entry
	for _, k := range kids {
		var e *syntax.Entry
		switch c := k.(type) {
		case *EntryConflict:
			e = c.Entries[s]
		case *TakenEntry:
			e = c.Entries[c.Side]
		case *MergedEntry:
			e = c.Entries[c.Value.FormatFrom]
		}
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

// conflictOneSidedAdditions makes conflicts of the kind ConflictAddAdd of the entries that only one side contains, in a
// collection that both sides added. It replaces their plans in kids. If both sides add a collection under the same
// name, its fields are often two ways to do the same thing:
//
//	ours            theirs
//	cache:          cache:
//	  size: 1         limit: 1    conflicts over size and limit
//
// It does nothing if only one side has such entries. Entries that are in conflict already are not counted, and are
// kept. Entries inside of the entries are not considered.
func (sc scope) conflictOneSidedAdditions(kids []Entry) {
	var addsAlone [3]bool
	for _, e := range kids {
		for _, s := range three.Sides {
			addsAlone[s] = addsAlone[s] || !isConflict(e) && e.Versions()[s.Other()] == nil
		}
	}
	if !addsAlone[three.Dest] || !addsAlone[three.Updated] {
		return
	}
	for i, e := range kids {
		if at := e.Versions(); !isConflict(e) && (at[three.Dest] == nil || at[three.Updated] == nil) {
			kids[i] = sc.newConflict(at, ConflictAddAdd)
		}
	}
}

// areDifferentAdditions reports whether both sides added v and neither side's value contains the other's.
func (w *Walker) areDifferentAdditions(v three.Nodes) bool {
	d, u := v[three.Dest], v[three.Updated]
	return v[three.Original] == nil && !w.Hasher.Contains(d, u) && !w.Hasher.Contains(u, d)
}
