package pair

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Pair pairs elements by their keys, and finds renames where the rules follow
// them.
func (m *Matcher) Pair(v [3][]elem) []Step {
	if !m.RuleSet.UpdatedWins {
		return Keyed(v, m.Sums, m.Lines)
	}
	k := &keyed{v: v}
	k.match()
	order := k.order()
	if m.RuleSet.Always {
		order = k.weave(three.Dest) // the others are other files
	}
	var out []Step
	for _, n := range order {
		out = append(out, k.steps[n])
	}
	return out
}

// Placed puts the items of a list where the rules want new ones.
func (m *Matcher) Placed(steps []Step) []Step {
	if m.RuleSet.Ordered {
		return inOrderOf(three.Updated, steps)
	}
	return m.Appended(steps)
}

// Appended puts what dest lacks at the end, in the order of updated, where the
// rules want that.
func (m *Matcher) Appended(steps []Step) []Step {
	if !m.RuleSet.UpdatedWins {
		return steps
	}
	var out, added []Step
	for _, st := range steps {
		if st.At[three.Dest] < 0 {
			added = append(added, st)
		} else {
			out = append(out, st)
		}
	}
	slices.SortStableFunc(added, func(a, b Step) int { return a.At[three.Updated] - b.At[three.Updated] })
	return append(out, added...)
}

// inOrderOf puts the elements that s has first, in its order.
func inOrderOf(s three.Side, steps []Step) []Step {
	at := make([]int, len(steps))
	for i := range at {
		at[i] = -1
	}
	var rest []Step
	for i, st := range steps {
		if j := st.At[s]; j >= 0 && j < len(at) {
			at[j] = i
		} else {
			rest = append(rest, st)
		}
	}
	var out []Step
	for _, i := range at {
		if i >= 0 {
			out = append(out, steps[i])
		}
	}
	return append(out, rest...)
}
