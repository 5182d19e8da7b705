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

// newStepConflict returns the plan of the conflict over the entries of st.
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

func conflictKind(c pair.ConflictReason) ConflictKind {
	switch c {
	case pair.BothReplaced, pair.Wrapped:
		return ConflictReplace
	case pair.BothInserted:
		return ConflictAddAdd
	}
	return ConflictList
}

// UnionApplied is a list that a policy of union decided, and what it says.
type UnionApplied struct {
	Path     *three.Path
	Decision schema.Decision
}

// applyUnion lets a policy of union decide the conflicts of an ordered list: of strings, both
// sides' additions and removals stand; of others, both sides' additions at one place.
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

// FollowedRename is an item or a document that one side gave another name, and that the
// other side changed: its change went where the item went.
type FollowedRename struct {
	List     *three.Path // the list; nil for a document
	From, To string
}

// recordFollowedRenames notes the renames among steps, whose things at tells by what they are
// known, and what they are.
func (w *Walker) recordFollowedRenames(steps []pair.Step, in *three.Path, nameAndNode func(three.Version, int) (string, *syntax.Node)) {
	for _, st := range steps {
		if st.Conflict != pair.NoConflict || st.Index[three.Original] < 0 || st.Index[three.Dest] < 0 || st.Index[three.Updated] < 0 {
			continue
		}
		from, was := nameAndNode(three.Original, st.Index[three.Original])
		for _, s := range three.Sides {
			to, _ := nameAndNode(s, st.Index[s])
			other, x := nameAndNode(s.Other(), st.Index[s.Other()])
			renamed := from != to && from != "" && to != ""
			if renamed && from == other && !w.Hasher.Equal(was, x) {
				w.result.FollowedRenames = append(w.result.FollowedRenames, FollowedRename{in, from, to})
			}
		}
	}
}

// mergeAdded returns the plan of an entry that of both sides s alone has. Under the default rules, this is a conflict if
// it replaces another entry and has a comment of it that the other side removed.
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

// mergeTrivia merges comments and blank lines.
func (w *Walker) mergeTrivia(t Slot) Trivia {
	if w.RuleSet != nil {
		return w.RuleSet.MergeTrivia(t)
	}
	return w.WithoutRemoved(t).Merge()
}

// mergeDeleted merges an entry that the side other than s deleted. It returns a conflict if s changed it or its comments.
func (w *Walker) mergeDeleted(at three.Entries, s three.Version, sc scope) Entry {
	o, x := at[three.Original], at[s]
	if w.Hasher.Equal(o.Value, x.Value) && w.Hasher.HaveSameKey(o, x) && !w.AddedComments(o.Span, s, x.Span) {
		return &DeletedEntry{Entries: at}
	}
	return sc.newConflict(at, ConflictDeleteModify)
}

// mergeLineComment merges the comment at the end of the entry's line.
func (w *Walker) mergeLineComment(at three.Entries) LineComment {
	var c [3]string
	for s, e := range at {
		if e != nil {
			c[s] = string(bytes.TrimSpace(w.Bytes(three.Version(s), e.Comment)))
		}
	}
	s, ok := three.Pick(c)
	return LineComment{Side: s, Conflict: !ok}
}

// mergeKey merges the key of an entry. A new key is a rename: the form follows who
// made it. It reports false where both renamed, or where one renamed a field
// that the other changed: what reads a field knows it by its name. (Keyed
// items and documents have no such key: edits follow their renames.)
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

// chooseHead sets c.Head if a version has more than usual between key and value: comments or properties on lines of their own,
// which merge only as a whole. It also sets the form of c.Value to one that fits. It returns false if there is none, or if
// c.Value is a flow collection with lines of its own for its entries, and has such a head or comments in conflict.
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

// conflictExclusiveFields makes conflicts of the fields of a merged mapping that exclude each
// other, where no version has two of them and the merge would. It reports false
// where they do not stand together, so that the mapping is one conflict.
func (w *Walker) conflictExclusiveFields(kids []Entry, v three.Nodes, sc scope) bool {
	if len(kids) < 2 {
		return true
	}
	for _, u := range w.Rules.OneOf(sc.path.Place()) {
		had := 0
		for _, n := range v {
			if n != nil {
				had = max(had, u.CountPresent(n.Entries))
			}
		}
		if had < 2 && max(u.CountPresent(resultEntries(kids, three.Dest)), u.CountPresent(resultEntries(kids, three.Updated))) > 1 && !sc.conflictOneOf(kids, u) {
			return false
		}
	}
	return true
}

// describeMultiplied returns what is in conflict in the mapping v at p, if each side widened another one of its fields that
// are multiplied; "" otherwise.
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

// resultEntries returns the entries of kids that are in the result if s is taken in conflicts.
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

// conflictOneOf makes conflicts of the fields of u that the sides do not have
// alike. It reports false where others stand between them, or may with the sides
// swapped: fields that one side added.
func (sc scope) conflictOneOf(kids []Entry, u schema.OneOf) bool {
	last, together := -1, true
	for i, e := range kids {
		at := e.Versions()
		if c, ok := e.(*MergedEntry); !u.HasField(at[at.First()]) || ok && c.Value.Merged {
			together = together && (at[three.Original] != nil || at[three.Dest] != nil && at[three.Updated] != nil)
			continue
		}
		together = together && (last < 0 || last == i-1)
		last = i
		if !isConflict(e) {
			kids[i] = sc.newConflict(at, ConflictAddAdd)
		}
	}
	return together
}

// conflictOneSidedAdditions makes conflicts of those of kids, the entries of a collection that both sides added, that
// one side alone has, if each side has such: what both added under one name is often two ways to do one
// thing. The entries of a map of strings all stand, unless one of them is in conflict.
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

// areDifferentAdditions reports whether both sides added v, and may mean two things: neither
// holds all of the other.
func (w *Walker) areDifferentAdditions(v three.Nodes) bool {
	d, u := v[three.Dest], v[three.Updated]
	return v[three.Original] == nil && !w.Hasher.Contains(d, u) && !w.Hasher.Contains(u, d)
}
