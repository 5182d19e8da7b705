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

// findAddedComments returns the comments of each entry that only one side added, by entry. The merge uses them to find
// out whether the other side added the same comments at another entry. v has the collections with the entries, and
// steps pair the entries. An entry has two lists of comments: those above it, and those below it. Either can be nil.
func (w *Walker) findAddedComments(steps []pair.Step, v three.Nodes) map[*syntax.Entry][][]string {
	added := map[*syntax.Entry][][]string{}
	for _, st := range steps {
		if st.Index[three.Original] >= 0 {
			continue
		}
		at := st.Entries(v)
		for _, s := range three.Sides {
			if at[s] != nil && at[s.Other()] == nil {
				var own three.Entries
				own[s] = at[s]
				added[at[s]] = [][]string{Comments(w.leadSlot(own, v).Lines[s]), Comments(w.footSlot(own, v).Lines[s])}
			}
		}
	}
	return added
}

// neighborComments returns the comments at the neighbors of e that only side s added: the entries directly above e
// (step -1) or below e (step +1), up to the first entry that s did not add alone. sc.addedComments has the comments of
// all such entries. There are two lists for each neighbor: the comments above it and those below it.
//
//	a: 1     e, with step +1
//	b: 2     added by s: gives no comments above it, and # x below it
//	# x
//
//	c: 3
func (sc scope) neighborComments(s three.Version, e *syntax.Entry, step int) (lists [][]string) {
	entries := sc.collections[s].Entries
	for i := slices.Index(entries, e) + step; i >= 0 && i < len(entries); i += step {
		own, isAdded := sc.addedComments[entries[i]]
		if !isAdded {
			break
		}
		lists = append(lists, own...)
	}
	return lists
}

// tailWithoutShared returns t, the lines below the last entry, without comments that one side added there if the other
// side has them at a last entry that only it added. The result then has them once, at that entry.
//
//	original   dest   updated   result
//	a: 1       a: 1   a: 1      t without the # x of dest
//	           # x    # x
//	                  b: 2
//
// plans are the plans of the entries, and v has their collections. If no such entry is at the end, t is returned
// unchanged.
func (w *Walker) tailWithoutShared(t Slot, plans []Entry, v three.Nodes) Slot {
	t, _ = t.withoutShared(func(s three.Version) (lists [][]string) {
		for _, e := range slices.Backward(plans) {
			at := e.Versions()
			if at[s] == nil || at[s.Other()] != nil || at[three.Original] != nil {
				break
			}
			lists = append(lists, Comments(w.leadSlot(at, v).Lines[s]), Comments(w.footSlot(at, v).Lines[s]))
		}
		return lists
	})
	return t
}

// withoutShared returns t without comments that one side added to it, and that the other side has at a neighbor of this
// place. The result then has them once. neighbors(s) returns the comments at each neighbor in side s. ok reports
// whether any comments were left out.
//
//	dest    updated
//	# x     # x        t is above b, neighbors(updated) is [[# x]]
//	b: 1    a: 0
//	        b: 1
func (t Slot) withoutShared(neighbors func(other three.Version) [][]string) (_ Slot, ok bool) {
	if t.hasTemplateAction() {
		return t, false // lines with actions of a template remain together
	}
	had := Comments(t.Lines[three.Original])
	for _, s := range three.Sides {
		isAdded := func(l Line) bool { return !l.isBlank() && !slices.Contains(had, l.content()) }
		added := contentsOf(t.Lines[s], isAdded)
		hasAll := func(list []string) bool { return containsRun(list, added) }
		if len(added) > 0 && slices.ContainsFunc(neighbors(s.Other()), hasAll) {
			t.Lines[s], ok = withoutLines(t.Lines[s], isAdded), true
		}
	}
	return t, ok
}

// triviaWithoutShared returns the comments and blank lines above (lead) and below (foot) an entry, not yet merged, but
// without comments that both sides added if they belong to a new entry of one side. isShared reports whether there were
// any.
//
//	original   dest     updated   lead of b
//	b: 1       # x      # x       none in both sides; isShared is true
//	           b: 1     a: 0
//	                    b: 1
func (w *Walker) triviaWithoutShared(at three.Entries, sc scope) (lead, foot Slot, isShared bool) {
	lead, inLead := w.leadSlot(at, sc.collections).withoutShared(func(s three.Version) [][]string { return sc.neighborComments(s, at[s], -1) })
	foot, inFoot := w.footSlot(at, sc.collections).withoutShared(func(s three.Version) [][]string { return sc.neighborComments(s, at[s], 1) })
	return lead, foot, inLead || inFoot
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
// the first blank line below is left out, too, but no further ones. ls is unchanged.
func withoutLines(ls []Line, isDeleted func(Line) bool) (lines []Line) {
	for i, l := range ls {
		isBelowDeleted := i > 0 && isDeleted(ls[i-1])
		isSecondBlank := isBelowDeleted && l.isBlank() && len(lines) > 0 && lines[len(lines)-1].isBlank()
		if !isDeleted(l) && !isSecondBlank {
			lines = append(lines, l)
		}
	}
	return lines
}
