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

// neighborComments has comments of entries that only one side added. The keys are the other entries of this side next
// to them. Each value is a list for each place: the comments above one added entry are one list, those below it another
// one.
//
//	a: 1
//	# x
//	b: 2     # added by this side
//	c: 3
//
// below[a] and above[c] are both [["# x"]].
type neighborComments struct {
	// above has the comments of the added entries directly above an entry that is not added itself, and below those of
	// the added entries directly below it.
	above, below map[*syntax.Entry][][]string
}

// findNeighborComments collects the comments of the entries that only one side added to the collections v, for the
// comparison with comments that the other side added at the entry next to them. neighborComments has an example.
// Consecutive added entries count as one place; the comments of those at the start of a collection are in below[nil].
// steps pair the entries of v. Both maps are nil if no entry was added by one side only.
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

// tailWithoutShared returns t, the comments and blank lines below the last entry of the collections v, without added
// comments that the other side has above or below the entries that only it added at the end. Otherwise the result would
// have them twice. kids are the plans of the entries. If w.RuleSet is set, nothing is left out.
//
//	original   dest   updated   result
//	a: 1       a: 1   a: 1      t without the # x of dest
//	           # x    # x
//	                  b: 2
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

// withoutShared returns t without the comments that one side added to it and the other side has at an entry next to
// this place, so that the result does not have them twice. others(other) returns the comments at such entries of the
// side other, a list for each place.
//
//	dest    updated
//	# x     # x        t is above b, and others(updated) is [[# x]]: dest's # x is left out
//	b: 1    a: 0
//	        b: 1
//
// The comments of a side are left out all together, and only if one list has them directly one after another. t is
// returned as it is, and ok is false, if nothing is left out or if t contains a template action.
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

// triviaWithoutShared returns the comments and blank lines above (lead) and below (foot) an entry, not yet merged. If
// both sides added the same comments here, but one side put a new entry between them and this entry, they belong to the
// new entry. They are left out of the other side, and isShared is true.
//
//	original   dest     updated   lead of b
//	b: 1       # x      # x       none in both sides; isShared is true
//	           b: 1     a: 0
//	                    b: 1
func (w *Walker) triviaWithoutShared(at three.Entries, sc scope) (lead, foot Slot, isShared bool) {
	lead, inLead := w.LeadSlot(at, sc.collections).withoutShared(func(s three.Version) [][]string { return sc.neighborComments.above[at[s]] })
	foot, inFoot := w.FootSlot(at, sc.collections).withoutShared(func(s three.Version) [][]string { return sc.neighborComments.below[at[s]] })
	return lead, foot, inLead || inFoot
}

// hasSharedComment reports whether triviaWithoutShared leaves out comments above or below this entry: both sides added
// them, but in the other side they are at an entry that only it added. The bytes of the entry can then not be copied.
func (w *Walker) hasSharedComment(at three.Entries, sc scope) bool {
	if sc.neighborComments.above == nil {
		return false
	}
	_, _, isShared := w.triviaWithoutShared(at, sc)
	return isShared
}

// containsRun reports whether list contains the elements of run, directly one after another: a, b, c contains b, c, but
// not a, c. It returns true if run is empty.
func containsRun(list, run []string) bool {
	for i := 0; i+len(run) <= len(list); i++ {
		if slices.Equal(list[i:i+len(run)], run) {
			return true
		}
	}
	return false
}

// withoutLines returns the lines of ls for which isDeleted is false. If blank lines are above and below deleted lines,
// those below are left out, too; blank lines with nothing above the deleted lines are kept. ls is unchanged. The result
// is nil if no line is left.
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
