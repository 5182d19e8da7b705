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

// newStepConflict returns the conflict over the entries of the step st.
func (w *Walker) newStepConflict(st pair.Step, sc scope) *EntryConflict {
	c := &EntryConflict{Kind: conflictKind(st.Conflict), Indivisible: st.Conflict == pair.Wrapped}
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

// conflictKind returns the kind of the conflict that has reason c.
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

// applyUnion resolves the conflicts of an ordered list by a union policy. In a list of scalars, the additions and
// deletions of both sides are applied, as in a set. In other lists, the insertions of both sides at one place are
// kept. It returns the new steps, and adds the list to w.result.Unions if the policy applied. Without a conflict or
// without a union policy for path p, it returns steps unchanged.
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

// hasOnlyScalars reports whether all items of all versions are scalars.
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

// recordFollowedRenames adds to w.result.FollowedRenames each step with an element that one side renamed and the
// other side changed. nameAndNode returns the name and the node of the i-th element of a version.
func (w *Walker) recordFollowedRenames(steps []pair.Step, in *three.Path, nameAndNode func(three.Version, int) (string, *syntax.Node)) {
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
				w.result.FollowedRenames = append(w.result.FollowedRenames, FollowedRename{in, from, to})
			}
		}
	}
}

// mergeAdded returns the plan of an entry that only side s contains. Under the default rules, this is a conflict if
// the entry is a scalar with a comment that the other side removed.
func (w *Walker) mergeAdded(at three.Entries, s three.Version, sc scope) Entry {
	e, values := at[s], at.Values()
	if w.RuleSet == nil && e.Value.Kind == syntax.Scalar && w.RestoresRemovedComment(s, text.Span{Start: e.Span.Start, End: e.Value.Span.End}) {
		return sc.newConflict(at, ConflictComment)
	}
	at[three.Original] = nil
	if !hasForeignBlankLines(sc.blankLineSources, at) && !w.isPartial(e.Value) {
		return &TakenEntry{Entries: at, Side: s}
	}
	c := &MergedEntry{Entries: at, Path: sc.pathOf(at), Key: s, Comment: LineComment{Side: s}}
	c.Value = w.take(values, s, sc.forValue(at, c.Path))
	c.Lead, c.Foot = w.leadWithBlankLines(at, sc).Take(s), w.FootSlot(at, sc.collections).Take(s)
	if w.HasIrregularHead(s, e) {
		c.Head = three.Some(s)
	}
	return c
}

// mergeTrivia merges comments and blank lines. Under the default rules, comments that the other side removed
// elsewhere are left out; see WithoutRemoved.
func (w *Walker) mergeTrivia(t Slot) Trivia {
	if w.RuleSet != nil {
		return w.RuleSet.MergeTrivia(t)
	}
	return w.WithoutRemoved(t).Merge()
}

// mergeDeleted merges an entry that the side other than s deleted. It returns a conflict if s changed the entry or
// its comments, and a *DeletedEntry otherwise.
func (w *Walker) mergeDeleted(at three.Entries, s three.Version, sc scope) Entry {
	o, x := at[three.Original], at[s]
	if w.Hasher.Equal(o.Value, x.Value) && w.Hasher.HaveSameKey(o, x) && !w.AddedComments(o.Span, s, x.Span) {
		return &DeletedEntry{Entries: at}
	}
	return sc.newConflict(at, ConflictDeleteModify)
}

// mergeLineComment merges the comment at the end of the entry's line. Blanks around the comment are ignored.
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

// mergeKey returns the side from which the mapping key of an entry is copied: the side that renamed the key, or else
// the side that changed its format. ok is false if both sides renamed it differently, or if one side renamed a field
// that the other side changed: programs find a field by its name. (Items with an associative key and documents have
// no mapping key here, so edits can follow their renames.)
func (w *Walker) mergeKey(at three.Entries) (three.Version, bool) {
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

// chooseHead sets c.Head if a version has more than usual between key and value: comments or properties on lines of
// their own, which merge only as a whole. It may also change the format of c.Value to one that fits. It returns false
// if there is no format that fits, or if c.Value is an expanded flow collection and has such a head or comments in
// conflict.
func (w *Walker) chooseHead(c *MergedEntry) bool {
	heads, irregular := w.HeadTexts(c.Entries)
	m := c.Value
	s, ok := three.PickFunc(heads, bytes.Equal)
	switch {
	case !irregular:
		return !m.IsExpandedFlow() || !c.Comment.Conflict
	case !ok, m.IsExpandedFlow(), m.Merged && c.Comment.Conflict:
		return false
	case m.Merged:
		if s == three.Updated && m.hasSameFormat(s) {
			m.FormatFrom = s
		}
	default:
		if bytes.Equal(heads[three.Dest], heads[three.Updated]) {
			s = m.FormatFrom
		}
		if m.Lines == nil && m.Nodes[s].Style != syntax.Block && !m.Nodes[s].IsBlockScalar() && w.Hasher.Equal(m.Nodes[s], m.Nodes[m.FormatFrom]) {
			m.FormatFrom, m.PropertiesFrom = s, s
		} else if m.Nodes[m.FormatFrom].IsBlockScalar() || m.PropertiesTextFrom() != s {
			return false
		}
	}
	c.Head = three.Some(s)
	return m.FormatFrom == s
}

// conflictExclusiveFields replaces fields in kids that exclude each other with conflicts, if no version contains two
// of them and the merged mapping would. It returns false if these fields are not adjacent; then the whole mapping is
// one conflict.
func (w *Walker) conflictExclusiveFields(kids []Entry, v three.Nodes, sc scope) bool {
	if len(kids) < 2 {
		return true
	}
	for _, u := range w.Rules.OneOf(sc.path.Place()) {
		before := 0
		for _, n := range v {
			if n != nil {
				before = max(before, u.CountPresent(n.Entries))
			}
		}
		if before < 2 && max(u.CountPresent(resultEntries(kids, three.Dest)), u.CountPresent(resultEntries(kids, three.Updated))) > 1 && !sc.conflictOneOf(kids, u) {
			return false
		}
	}
	return true
}

// describeMultiplied returns a description of the conflict in the mapping v at p if each side widened another one of
// its fields that are multiplied. Otherwise it returns "".
func (w *Walker) describeMultiplied(v three.Nodes, p *three.Path) string {
	if w.RuleSet != nil || v[three.Dest].Kind != syntax.Mapping || v[three.Updated].Kind != syntax.Mapping {
		return ""
	}
	for _, f := range w.Rules.Multiplied(p.Place()) {
		if ours, theirs, ok := f.FindWidened(v[three.Original], v[three.Dest], v[three.Updated]); ok {
			return "ours widened " + ours + ", theirs " + theirs + "; together they would grant what neither side grants"
		}
	}
	return ""
}

// resultEntries returns the entries of kids that the result contains if side s is chosen in conflicts.
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

// conflictOneOf replaces the fields of u in kids with conflicts, except those with merged collections as their values.
// It returns false if these conflicts are not adjacent, or if kids has another field that only one side added: with the
// sides swapped, such a field could be between them.
func (sc scope) conflictOneOf(kids []Entry, u schema.OneOf) bool {
	last, areAdjacent := -1, true
	for i, e := range kids {
		at := e.Versions()
		if c, ok := e.(*MergedEntry); !u.HasField(at[at.First()]) || ok && c.Value.Merged {
			areAdjacent = areAdjacent && (at[three.Original] != nil || at[three.Dest] != nil && at[three.Updated] != nil)
			continue
		}
		areAdjacent = areAdjacent && (last < 0 || last == i-1)
		last = i
		if !isConflict(e) {
			kids[i] = sc.newConflict(at, ConflictAddAdd)
		}
	}
	return areAdjacent
}

// conflictOneSidedAdditions replaces in kids, the entries of a collection that both sides added, the entries that
// only one side contains with conflicts. It does nothing unless each side has such entries. If both sides add a
// collection under the same name, its fields are often two ways to do the same thing.
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
