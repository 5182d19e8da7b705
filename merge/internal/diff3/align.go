package diff3

// Match aligns a and b and returns the runs of equal items, in increasing order in both. The alignment is a longest
// common subsequence, or almost one if a and b have little in common. An insertion among equal items gets the last
// possible place, unless it can touch a deletion:
//
//	Match("ab", "aab")  // "a" was inserted at index 1, not at index 0
func Match[T comparable](a, b []T) []Run { return matchItems(a, b, nearLCS) }

// matchItems aligns a and b with the given algorithm. It returns runs of equal items, in increasing order in both a
// and b.
func matchItems[T comparable](a, b []T, algo algorithm) []Run {
	classOf := make(map[T]int32, len(a))
	return alignClasses(classifyItems(classOf, a), classifyItems(classOf, b), algo)
}

// classifyItems returns a class for each item: equal items have equal classes. The
// classes come from classOf. An item that classOf does not have gets the next free
// class, which is added to classOf.
func classifyItems[T comparable](classOf map[T]int32, items []T) []int32 {
	classes := make([]int32, len(items))
	for i, item := range items {
		class, ok := classOf[item]
		if !ok {
			class = int32(len(classOf))
			classOf[item] = class
		}
		classes[i] = class
	}
	return classes
}

// An algorithm selects how two sequences are aligned.
type algorithm uint8

const (
	nearLCS      algorithm = iota // a longest common subsequence, or almost one
	gitMyers                      // like git's default diff
	gitHistogram                  // like git's histogram diff
)

// alignClasses aligns the sequences a and b, which are given by the classes of their items. It returns the runs of
// equal items, in increasing order in both. Among several places for a deleted or inserted item, it chooses the one
// that git chooses (see slideGroups). The memory that it needs grows with the highest class.
func alignClasses(a, b []int32, algo algorithm) []Run {
	diff := newDelta(a, b)
	if algo == gitHistogram {
		diff.alignHistogram()
	} else {
		diff.alignMyers(algo == gitMyers)
	}
	slideGroups(diff.a, diff.b)
	slideGroups(diff.b, diff.a)
	return diff.commonRuns()
}

// A delta is the difference between two sequences a and b, as a mark for each item. An item of a that is marked as
// changed was deleted, and such an item of b was inserted. The items without the mark are equal in pairs: the first
// ones of a and b, the second ones, and so on.
type delta struct {
	a, b       sequence
	classCount int // the highest class plus one
}

// A sequence is one of the two sequences of a delta. Items are represented by their classes: numbers that are equal
// for equal items.
type sequence struct {
	classes []int32
	changed []bool // by item
}

// newDelta returns the state before the alignment of two sequences, which are given by the classes of their items. No
// item is marked as deleted or inserted yet.
func newDelta(a, b []int32) *delta {
	changed := make([]bool, len(a)+len(b))
	diff := &delta{a: sequence{a, changed[:len(a):len(a)]}, b: sequence{b, changed[len(a):]}}
	for _, classes := range [...][]int32{a, b} {
		for _, class := range classes {
			diff.classCount = max(diff.classCount, int(class)+1)
		}
	}
	return diff
}

// commonAffixes returns the length of the common prefix and of the common suffix of a and b. The two do not overlap:
// for equal sequences, head is their length and tail is 0.
func commonAffixes[T comparable](a, b []T) (head, tail int) {
	head = commonPrefix(a, b)
	return head, commonSuffix(a[head:], b[head:])
}

// commonPrefix returns the number of items with which both a and b start.
func commonPrefix[T comparable](a, b []T) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// commonSuffix returns the number of items with which both a and b end.
func commonSuffix[T comparable](a, b []T) (n int) {
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// AffixRuns aligns only the common prefix and the common suffix of a and b, which do not overlap. If a and b are equal,
// there is one run.
func AffixRuns[T comparable](a, b []T) (runs []Run) {
	head, tail := commonAffixes(a, b)
	if head > 0 {
		runs = append(runs, Run{Len: head})
	}
	if tail > 0 {
		runs = append(runs, Run{A: len(a) - tail, B: len(b) - tail, Len: tail})
	}
	return runs
}

// commonRuns returns the pairs of equal items that are not marked as changed, as runs in order. Items that follow each
// other in both sequences are in one run.
func (d *delta) commonRuns() (runs []Run) {
	var next Run
	for {
		next.A, next.B, next.Len = d.a.nextUnchanged(next.A), d.b.nextUnchanged(next.B), 0
		for d.a.isUnchanged(next.A+next.Len) && d.b.isUnchanged(next.B+next.Len) {
			next.Len++
		}
		if next.Len == 0 {
			return runs
		}
		runs = append(runs, next)
		next.A, next.B = next.A+next.Len, next.B+next.Len
	}
}

// isUnchanged reports whether the sequence has an item i that is not marked as changed.
func (v sequence) isUnchanged(i int) bool { return i < len(v.changed) && !v.changed[i] }

// nextUnchanged returns the first index >= i of an unchanged item, or the length of
// the sequence if there is none.
func (v sequence) nextUnchanged(i int) int {
	for i < len(v.changed) && v.changed[i] {
		i++
	}
	return i
}

// markChanged marks the items of r as changed.
func (v sequence) markChanged(r Range) {
	for i := r.Start; i < r.End; i++ {
		v.changed[i] = true
	}
}

// A group is a maximal range of changed items of a sequence: of consecutive deleted items, or of consecutive inserted
// ones. It is an empty range where no item was changed: before the first item, between two unchanged items, or at the
// end. A sequence with n unchanged items thus has n+1 groups, and group k of one sequence of a delta lies between the
// same unchanged items as group k of the other one.
type group struct {
	sequence
	Range
}

// firstGroup returns the first group of v: the changed items at its start. It is empty if the first item is unchanged.
func firstGroup(v sequence) group {
	return group{v, Range{0, v.nextUnchanged(0)}}
}

// next moves g to the next group of its sequence: the changed items after the next unchanged item. The group can be
// empty. It returns false and changes nothing if g is at the end of the sequence.
func (g *group) next() (moved bool) {
	if g.End == len(g.classes) {
		return false
	}
	g.Start = g.End + 1
	g.End = g.nextUnchanged(g.Start)
	return true
}

// previous moves g to the previous group of its sequence: the changed items before the unchanged item that precedes g.
// The group can be empty. It returns false and changes nothing if g is at the start of the sequence.
func (g *group) previous() (moved bool) {
	if g.Start == 0 {
		return false
	}
	g.End = g.Start - 1
	g.Start = g.End
	g.extendUp()
	return true
}

// slideDown moves g by one item towards the end, if the first item of g equals the item after g. g must not be empty.
// It joins g with the next group if they then touch.
//
//	a b [a b] a     becomes     a b a [b a]
//
// It returns false and changes nothing if the items are not equal, or if g is at the end.
func (g *group) slideDown() (moved bool) {
	if g.End == len(g.classes) || g.classes[g.Start] != g.classes[g.End] {
		return false
	}
	g.changed[g.Start], g.changed[g.End] = false, true
	g.Start++
	g.End = g.nextUnchanged(g.End)
	return true
}

// slideUp moves g by one item towards the start, if the last item of g equals the item before g. g must not be empty.
// It joins g with the previous group if they then touch.
//
//	a b a [b a]     becomes     a b [a b] a
//
// It returns false and changes nothing if the items are not equal, or if g is at the start.
func (g *group) slideUp() (moved bool) {
	if g.Start == 0 || g.classes[g.Start-1] != g.classes[g.End-1] {
		return false
	}
	g.Start--
	g.End--
	g.changed[g.Start], g.changed[g.End] = true, false
	g.extendUp()
	return true
}

// extendUp extends g to include all changed items directly before it.
func (g *group) extendUp() {
	for g.Start > 0 && g.changed[g.Start-1] {
		g.Start--
	}
}

// slideGroups gives each group of changed items of seq the place that git gives it, if equal items around it allow
// several. This is the last place at which the other sequence has a group, so that a deletion and an insertion are
// together, or else the last place. Groups that then touch become one. Git's indent heuristic is not used.
func slideGroups(seq, other sequence) {
	current, otherGroup := firstGroup(seq), firstGroup(other)
	for {
		if !current.Empty() {
			placeGroup(&current, &otherGroup)
		}
		if !current.next() {
			return
		}
		otherGroup.next()
	}
}

// placeGroup moves current, a group of changed items, to its place (see slideGroups): the last one at which the group
// of the other sequence is not empty, or else the last of all. otherGroup is the group between the same unchanged items
// of the other sequence, and moves along. current joins groups that it touches.
func placeGroup(current, otherGroup *group) {
	size := current.Len()
	canMove, meetsOther := slideToLastPlace(current, otherGroup)
	for size != current.Len() { // it joined another group, with which it may have more places
		size = current.Len()
		canMove, meetsOther = slideToLastPlace(current, otherGroup)
	}
	for canMove && meetsOther && otherGroup.Empty() {
		current.slideUp()
		otherGroup.previous()
	}
}

// slideToLastPlace moves current to its first place and from there to its last place, to find out what places there
// are. canMove reports whether there is more than one, and meetsOther whether otherGroup is not empty at one of them.
// otherGroup is the group between the same unchanged items of the other sequence, and moves along.
func slideToLastPlace(current, otherGroup *group) (canMove, meetsOther bool) {
	for current.slideUp() {
		otherGroup.previous()
	}
	firstEnd := current.End
	meetsOther = !otherGroup.Empty()
	for current.slideDown() {
		otherGroup.next()
		meetsOther = meetsOther || !otherGroup.Empty()
	}
	return current.End != firstEnd, meetsOther
}
