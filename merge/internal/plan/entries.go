package plan

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// newStepConflict returns the conflict for a step over several entries, such as items that both sides added at one
// place. Its Runs has all of these entries by version; its Entries and Path are those of the first entry in each
// version. st must be a conflict.
func (sc scope) newStepConflict(st pair.Step) *EntryConflict {
	c := &EntryConflict{Kind: conflictKind(st.Conflict)}
	for s, run := range st.Runs {
		for _, i := range run {
			c.addEntries(s, sc.collections[s].Entries[i])
		}
	}
	c.Path = sc.pathOf(c.Entries)
	return c
}

// conflictKind returns the kind that the user sees for a conflict of package pair. c is the reason why the package
// could not pair entries or documents.
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
	Decision team.Decision
}

// applyUnion resolves the conflicts of a list by the policy "union", which keeps the items of both sides. It returns
// the new steps, with the conflicts that remain. v has the versions of the list, p is its path, and steps pair its
// items.
//
//	original   dest     updated     result
//	[a, b]     [a, x]   [a, b, y]   [a, x, y]
//
// It adds the list to w.result.Unions, for the report to the user, if a conflict was resolved or there was none.
func (w *Walker) applyUnion(v three.Nodes, p *three.Path, steps []pair.Step) []pair.Step {
	hasConflict := slices.ContainsFunc(steps, isStepConflict) // otherwise, the sides added items next to each other
	switch {
	case hasConflict && hasOnlyScalars(v):
		// additions and deletions of both sides, each value once
		steps = pair.PairByKey(w.MatchSet(v, schema.List{Kind: schema.Set}).Elems, false)
	case hasConflict:
		// items that both sides inserted at one place, dest's first; other conflicts remain
		var isResolved bool
		if steps, isResolved = pair.KeepBothInsertions(steps); !isResolved {
			return steps
		}
	}
	w.result.Unions = append(w.result.Unions, UnionApplied{Path: p, Decision: w.Rules.DecisionAt(p.Place())})
	return steps
}

// isStepConflict reports whether st is a conflict over several entries.
func isStepConflict(st pair.Step) bool { return st.Conflict != pair.NoConflict }

// hasOnlyScalars reports whether all items of the lists v are scalars; an alias is none. It returns true if there are
// no items. Missing versions (nil) are ignored.
func hasOnlyScalars(v three.Nodes) bool {
	for _, n := range v {
		if n != nil && slices.ContainsFunc(n.Entries, func(e *syntax.Entry) bool { return e.Value.Kind != syntax.Scalar }) {
			return false
		}
	}
	return true
}

// FollowedRename is an item, a document or a field that one side renamed, or moved to another mapping, and the other
// side changed. The change was applied at the new name or place. From and To are names, for a moved field paths.
type FollowedRename struct {
	List     *three.Path // the list; nil for a document or a moved field
	From, To string
}

// recordFollowedRenames adds a FollowedRename to w.result for each element that one side renamed and the other side
// changed under the old name:
//
//	original     ours         theirs
//	- name: a    - name: b    - name: a      FollowedRename from a to b
//	  size: 1      size: 1      size: 2
//
// steps pair the elements; those that a version lacks are skipped. list is the path of the list, or nil for documents.
// nameAndNode(s, i) returns the name of element i in version s, "" for none, and its node.
func (w *Walker) recordFollowedRenames(steps []pair.Step, list *three.Path, nameAndNode func(three.Version, int) (string, *syntax.Node)) {
	for _, st := range steps {
		if slices.Min(st.Index[:]) < 0 { // a version lacks the element, or it is a conflict
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

// mergeAdded returns the plan of an entry that only side s has: a copy, or a *MergedEntry if the entry contains the new
// place of a moved field or something that the RuleSet omits. Without a RuleSet, it returns a ConflictComment if the
// copy would bring back a comment that the other side removed above or below the entry.
func (w *Walker) mergeAdded(at three.Entries, s three.Version, sc scope) Entry {
	if w.RuleSet == nil && w.restoresRemovedTrivia(at, s, sc.collections) {
		return sc.newConflict(at, ConflictComment)
	}
	e, values := at[s], at.Values()
	// with a RuleSet, the original may have the entry, too; it then counts only for the entries inside the value
	at[three.Original] = nil
	if !w.mustMergeInside(e.Value) {
		return &TakenEntry{Entries: at, Side: s}
	}
	c := &MergedEntry{Entries: at, Path: sc.pathOf(at), Key: s, Comment: LineComment{Side: s}}
	c.Value = w.planCopy(values, s, sc.forValue(at, c.Path))
	c.Lead, c.Foot = w.leadSlot(at, sc.collections).Take(s), w.footSlot(at, sc.collections).Take(s)
	if w.hasIrregularHead(s, e) {
		c.Head = three.Some(s)
	}
	return c
}

// mergeTrivia returns the merged trivia of t. The RuleSet merges them if there is one. Otherwise this is a three-way
// merge, and a comment that one side moved here and the other side removed is left out. v has the collections in which
// t lies, or only nils for the trivia around the root of a document.
func (w *Walker) mergeTrivia(t Slot, v three.Nodes) Trivia {
	if w.RuleSet != nil {
		return w.RuleSet.MergeTrivia(t)
	}
	return w.withoutRemoved(t, v).Merge()
}

// isChanged reports whether s changed the value or the mapping key of an entry, or added or changed a comment in it.
// Changes of the format do not count. The original and s must have the entry.
func (w *Walker) isChanged(at three.Entries, s three.Version) bool {
	o, x := at[three.Original], at[s]
	return !w.Hasher.Equal(o.Value, x.Value) || !w.Hasher.HaveSameKey(o, x) || w.AddsComment(o.Span, s, x.Span)
}

// mergeLineComment merges the comment at the end of an entry's first line, as in "a: 1 # x". at has the versions of the
// entry. The result has the side that changed the comment, or dest; if both sides changed it differently, Conflict is
// true. Blanks around the comment do not matter.
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

// mergeKey returns the side whose mapping key the entry gets: the side that renamed the key, or else the side that
// changed its quotes or blanks. at has the versions of the entry; both sides must have it. ok is false in these cases,
// in which the entry has to be in conflict:
//
//   - the sides renamed the key differently
//   - one side renamed the key, and the other side changed the value
func (w *Walker) mergeKey(at three.Entries) (from three.Version, ok bool) {
	o, d, u := at[three.Original], at[three.Dest], at[three.Updated]
	if o == nil || o.Key == nil || d.Key == nil || u.Key == nil {
		return three.Dest, true // nothing can be renamed
	}
	dSame, uSame := w.Hasher.HaveSameKey(o, d), w.Hasher.HaveSameKey(o, u)
	switch {
	case dSame && uSame:
		// only the format of the key can differ
		if bytes.Equal(w.KeyText(three.Original, o), w.KeyText(three.Dest, d)) {
			return three.Updated, true
		}
		return three.Dest, true
	// an edit of the value does not follow the rename, because programs find a field by its name
	case uSame:
		return three.Dest, w.Hasher.Equal(o.Value, u.Value)
	case dSame:
		return three.Updated, w.Hasher.Equal(o.Value, d.Value)
	}
	// both sides renamed the key
	return three.Dest, w.Hasher.HaveSameKey(d, u)
}

// chooseHead sets c.Head, the side of the bytes between key and value, if these can only be copied as a whole:
//
//	a: # c
//	  &x
//	  b: 1
//
// It may change c.Value's format to that of this side. It returns false if c is of no use and its versions have to be in
// conflict: both sides changed these bytes, a part of them is merged by itself, or the value does not fit after them.
func (w *Walker) chooseHead(c *MergedEntry) (canMerge bool) {
	heads, irregular := w.HeadTexts(c.Entries)
	m := c.Value
	if !irregular {
		// a comment in conflict cannot be on the first line of an expanded collection
		return !m.IsExpandedFlow() || !c.Comment.Conflict
	}
	s, ok := three.PickFunc(heads, bytes.Equal)
	if !ok || m.IsExpandedFlow() || m.Merged && c.Comment.Conflict {
		return false // both sides changed the head, or a part of it is merged by itself
	}
	if bytes.Equal(heads[three.Dest], heads[three.Updated]) {
		s = m.FormatFrom // either head would do
	}
	// the value gets the format of s if it is the same value there
	switch own, withHead := m.Nodes[m.FormatFrom], m.Nodes[s]; {
	case m.Merged && own.Style == syntax.Block && own.SameStyleAndIndent(withHead): // the entries are written the same
		m.FormatFrom = s
	case !m.Merged && m.Lines == nil && w.Hasher.Equal(own, withHead): // the value is copied with the head
		m.FormatFrom, m.PropertiesFrom = s, s
	}
	// a head fits only before a value in the format of its side; that of a copied value also has its anchor and tag
	c.Head = three.Some(s)
	return m.FormatFrom == s && (m.Merged || m.PropertiesTextFrom() == s)
}

// describeAccessConflict returns a description for the user if each side widened a different field of a mapping of
// access rights, so that a merge would grant more than either side:
//
//	verbs: [get]        # ours adds delete
//	resources: [pods]   # theirs adds secrets: the merge would allow deleting secrets
//
// Otherwise, and with a RuleSet, it returns "". Both sides must have v.
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

// resultEntries returns the entries that a mapping would have in the result if the user took side s in each conflict,
// in their order. They are used to check fields that belong together (see conflictUnits). plans are the plans of the
// entries. A merged entry is represented by its version in FormatFrom, and left out if this version lacks it.
func resultEntries(plans []Entry, s three.Version) (all []*syntax.Entry) {
	for _, e := range plans {
		switch c := e.(type) {
		case *TakenEntry:
			all = append(all, c.Entries[c.Side])
		case *MergedEntry:
			if x := c.Entries[c.Value.FormatFrom]; x != nil {
				all = append(all, x)
			}
		case *EntryConflict:
			all = append(all, c.Runs[s]...)
		}
	}
	return all
}

// conflictOneSidedAdditions puts entries in conflict if both sides added the collection around them, each with entries
// that the other side lacks. The collection may be two different things then:
//
//	ours            theirs
//	cache:          cache:
//	  size: 1         limit: 1    conflicts over size and limit
//
// It changes plans, the plans of the entries. It changes nothing for a whole file, for a collection with arbitrary
// names such as labels if nothing in it is in conflict, or with a RuleSet.
func (w *Walker) conflictOneSidedAdditions(plans []Entry, sc scope) {
	isWholeFile := !sc.inEntry && !w.MultiDocument
	if w.RuleSet != nil || sc.collections[three.Original] != nil || isWholeFile {
		return
	}
	if !slices.ContainsFunc(plans, isConflict) && w.Rules.HasNamesAsKeys(sc.path.Place(), sc.collections[:]...) {
		return
	}
	var oneSided [3][]int // the indexes in plans of the entries that only this side has
	for i, e := range plans {
		for _, s := range three.Sides {
			if !isConflict(e) && e.Versions()[s.Other()] == nil {
				oneSided[s] = append(oneSided[s], i)
			}
		}
	}
	if len(oneSided[three.Dest]) == 0 || len(oneSided[three.Updated]) == 0 {
		return
	}
	for _, i := range slices.Concat(oneSided[:]...) {
		plans[i] = sc.newConflict(plans[i].Versions(), ConflictAddAdd)
	}
}

// areDifferentAdditions reports whether the original lacks v, and neither side's value contains the other side's.
func (w *Walker) areDifferentAdditions(v three.Nodes) bool {
	d, u := v[three.Dest], v[three.Updated]
	return v[three.Original] == nil && !w.Hasher.Contains(d, u) && !w.Hasher.Contains(u, d)
}
