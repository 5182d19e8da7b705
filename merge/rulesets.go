package merge

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A RuleSet is a family of merge rules.
type RuleSet uint8

// The rule sets of Merge.
const (
	// DefaultRules ask where both sides changed one thing differently.
	DefaultRules RuleSet = iota
	// KustomizeRules are those of kustomize's documented three-way merge:
	// updated wins, so that nothing is in conflict; a null clears its field;
	// a list without keys is one value. Result.Resolved names the changes of
	// dest that were overridden.
	KustomizeRules
)

// A ruleSet is how the walk decides where rule sets differ. Its zero value is
// the default rules.
type ruleSet struct {
	name string // for people
	// updatedWins says that updated's value stands where both changed a field.
	updatedWins bool
	// always says that updated's value stands also where it left alone what
	// dest changed or deleted.
	always bool
	// destNull says that a null in dest clears its field, as one in updated does.
	destNull bool
	// comments is the side whose comment stands where both changed it.
	comments side
	// ordered says that the items of a list, resources aside, stand in updated's
	// order, before those that dest alone has; else new ones stand at the end.
	ordered bool
	// byPlace says that resources are known by their place in the file.
	byPlace bool
	// strategic says that lists are what patch strategies say, and unions
	// have one member.
	strategic bool
}

var ruleSets = [...]ruleSet{
	KustomizeRules: {name: "rules kustomize", updatedWins: true, destNull: true, comments: updated},
}

// cleared reports whether a null removes the field at.
func (w *walker) cleared(at entries) bool {
	if w.frozen > 0 || at[at.first()].Key == nil {
		return false
	}
	null := func(s side) bool { return at[s] != nil && isNull(at[s].Value) }
	return null(updated) || w.set.destNull && null(dest)
}

func isNull(n *syntax.Node) bool { return n.Kind == syntax.Scalar && n.Tag == "!!null" }

// untouchable reports whether e can stand as it is: no null in it is to be
// cleared.
func (w *walker) untouchable(e *syntax.Entry) bool {
	return !w.set.updatedWins || w.frozen > 0 || !w.holdsNull(e.Value)
}

// holdsNull reports whether a field at or below n is null.
func (w *walker) holdsNull(n *syntax.Node) bool {
	if n == nil || len(n.Entries) == 0 {
		return false
	}
	if null, ok := w.nulls[n]; ok {
		return null
	}
	null := false
	for _, e := range n.Entries {
		null = null || e.Key != nil && isNull(e.Value) || w.holdsNull(e.Value)
	}
	if w.nulls == nil {
		w.nulls = map[*syntax.Node]bool{}
	}
	w.nulls[n] = null
	return null
}

// pair pairs elements by their keys, and finds renames where the rules follow
// them.
func (w *walker) pair(v [3][]elem) []step {
	if !w.set.updatedWins {
		return pairKeyed(v, w.sums)
	}
	k := &keyed{v: v}
	k.match()
	order := k.order()
	if w.set.always {
		order = k.weave(dest) // the others are other files
	}
	var out []step
	for _, n := range order {
		out = append(out, k.steps[n])
	}
	return out
}

// placed puts the items of a list where the rules want new ones.
func (w *walker) placed(steps []step) []step {
	if w.set.ordered {
		return inOrderOf(updated, steps)
	}
	return w.appended(steps)
}

// appended puts what dest lacks at the end, in the order of updated, where the
// rules want that.
func (w *walker) appended(steps []step) []step {
	if !w.set.updatedWins {
		return steps
	}
	var out, added []step
	for _, st := range steps {
		if st.at[dest] < 0 {
			added = append(added, st)
		} else {
			out = append(out, st)
		}
	}
	slices.SortStableFunc(added, func(a, b step) int { return a.at[updated] - b.at[updated] })
	return append(out, added...)
}

// inOrderOf puts the elements that s has first, in its order.
func inOrderOf(s side, steps []step) []step {
	at := make([]int, len(steps))
	for i := range at {
		at[i] = -1
	}
	var rest []step
	for i, st := range steps {
		if j := st.at[s]; j >= 0 && j < len(at) {
			at[j] = i
		} else {
			rest = append(rest, st)
		}
	}
	var out []step
	for _, i := range at {
		if i >= 0 {
			out = append(out, steps[i])
		}
	}
	return append(out, rest...)
}
