package plan

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// If both sides add the same comment at one place, and one side also adds an entry below it, the comment is above this
// entry in one side, and above another entry in the other side. The result must have it once:
//
//	original   dest       updated    result
//	type: x    # type: x  # type: x  # type: x
//	size: 1    size: 1    min: 0     min: 0
//	                      size: 1    size: 1

// neighborComments has the comments of entries that only one side added, by the entries of this side next to them. The
// comments above one added entry are one list, and so are those below it.
type neighborComments struct {
	// above has the comments of the added entries directly above an entry that the other side has, too, and below of
	// those directly below it.
	above, below map[*syntax.Entry][][]string
}

// findNeighborComments returns the comments of the entries that only one side added to the collections v. steps pair
// their entries. Steps in conflict are ignored. Both maps are nil if there are no such comments.
func (w *Walker) findNeighborComments(steps []pair.Step, v three.Nodes) (n neighborComments) {
	added := map[*syntax.Entry][][]string{}
	for _, st := range steps {
		if st.Conflict != pair.NoConflict || st.Index[three.Original] >= 0 {
			continue
		}
		at := st.Entries(v)
		for _, s := range three.Sides {
			if at[s] == nil || at[s.Other()] != nil {
				continue
			}
			var own three.Entries
			own[s] = at[s]
			lists := [][]string{Comments(w.LeadSlot(own, v).Lines[s]), Comments(w.FootSlot(own, v).Lines[s])}
			added[at[s]] = slices.DeleteFunc(lists, func(c []string) bool { return len(c) == 0 })
		}
	}
	if len(added) == 0 {
		return n
	}
	n.above, n.below = map[*syntax.Entry][][]string{}, map[*syntax.Entry][][]string{}
	for _, s := range three.Sides {
		if v[s] == nil {
			continue
		}
		var last *syntax.Entry
		var since [][]string
		for _, e := range v[s].Entries {
			if lists, ok := added[e]; ok {
				since = append(since, lists...)
				continue
			}
			n.above[e], n.below[last] = since, since
			last, since = e, nil
		}
		n.below[last] = since
	}
	return n
}

// tailWithoutShared returns t, the comments and blank lines below the last entry of a collection with the versions v. A
// comment that both sides added there is left out of a side, if it belongs to an entry that the other side added at the
// end. kids are the plans of the entries in the result, in order.
func (w *Walker) tailWithoutShared(t Slot, kids []Entry, v three.Nodes) Slot {
	if w.RuleSet != nil {
		return t
	}
	t, _ = t.withoutShared(func(s three.Version) (lists [][]string) {
		for _, e := range slices.Backward(kids) {
			at := e.Versions()
			if at[s] == nil || at[s.Other()] != nil || at[three.Original] != nil {
				break
			}
			lists = append(lists, Comments(w.LeadSlot(at, v).Lines[s]), Comments(w.FootSlot(at, v).Lines[s]))
		}
		return lists
	})
	return t
}

// withoutShared returns t without the comments that a side added here, if the other side added them above or below an
// entry that it added next to this place. others returns the lists of comments of the entries that the other side added
// there. All comments that the side added here must be in one of these lists, one after another. t is unchanged. ok is
// false if nothing was left out, as in lines with template actions.
func (t Slot) withoutShared(others func(other three.Version) [][]string) (_ Slot, ok bool) {
	if t.hasTemplateAction() {
		return t, false
	}
	had := Comments(t.Lines[three.Original])
	for _, s := range three.Sides {
		isAdded := func(l Line) bool { return !l.isBlank() && !slices.Contains(had, l.content()) }
		added := Comments(slices.DeleteFunc(slices.Clone(t.Lines[s]), func(l Line) bool { return !isAdded(l) }))
		if len(added) > 0 && slices.ContainsFunc(others(s.Other()), func(list []string) bool { return containsRun(list, added) }) {
			t.Lines[s], ok = withoutLines(t.Lines[s], isAdded), true
		}
	}
	return t, ok
}

// triviaWithoutShared returns the comments and blank lines above and below the entry at, as lines for each version, not
// yet merged. A comment that both sides added at this place is left out of a side, if it belongs to a new entry in the
// other side; isShared is then true.
func (w *Walker) triviaWithoutShared(at three.Entries, sc scope) (lead, foot Slot, isShared bool) {
	lead, inLead := w.leadWithBlankLines(at, sc).withoutShared(func(s three.Version) [][]string { return sc.neighborComments.above[at[s]] })
	foot, inFoot := w.FootSlot(at, sc.collections).withoutShared(func(s three.Version) [][]string { return sc.neighborComments.below[at[s]] })
	return lead, foot, inLead || inFoot
}

// hasSharedComment reports whether triviaWithoutShared leaves out a comment above or below the entry at.
func (w *Walker) hasSharedComment(at three.Entries, sc scope) bool {
	if sc.neighborComments.above == nil {
		return false
	}
	_, _, isShared := w.triviaWithoutShared(at, sc)
	return isShared
}

// containsRun reports whether run is in list, one element after another. It is true if run is empty.
func containsRun(list, run []string) bool {
	for i := 0; i+len(run) <= len(list); i++ {
		if slices.Equal(list[i:i+len(run)], run) {
			return true
		}
	}
	return false
}

// withoutLines returns the lines of ls for which isDeleted is false. If blank lines are above and below deleted lines,
// those below are left out, too. ls is unchanged.
func withoutLines(ls []Line, isDeleted func(Line) bool) (lines []Line) {
	afterDeleted := false // whether all lines since the last one in lines were left out
	for _, l := range ls {
		switch {
		case isDeleted(l):
			afterDeleted = true
		case afterDeleted && l.isBlank() && len(lines) > 0 && lines[len(lines)-1].isBlank():
		default:
			lines, afterDeleted = append(lines, l), false
		}
	}
	return lines
}
