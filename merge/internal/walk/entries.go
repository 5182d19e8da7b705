package walk

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// clash is the plan of a conflict over several entries.
func (w *Walker) clash(st pair.Step, in scope) *plan.Child {
	c := &plan.Child{Clash: &plan.Clash{Kind: kindOf(st.Cause)}}
	for s, run := range st.Runs {
		for _, i := range run {
			c.Clash.Runs[s] = append(c.Clash.Runs[s], in.of[s].Entries[i])
		}
		if len(run) > 0 && c.At[s] == nil {
			c.At[s] = in.of[s].Entries[run[0]]
		}
	}
	c.Path = in.name(c.At)
	return c
}

func kindOf(c pair.Cause) plan.ConflictKind {
	switch c {
	case pair.Replaced:
		return plan.ConflictReplace
	case pair.Inserted:
		return plan.ConflictAddAdd
	}
	return plan.ConflictList
}

// United is a list that a policy of union decided, and what it says.
type United struct {
	Path *three.Path
	By   string
}

// united lets a policy of union decide the conflicts of an ordered list: of strings, both
// sides' additions and removals stand; of others, both sides' additions at one place.
func (w *Walker) united(v three.Nodes, p *three.Path, steps []pair.Step) []pair.Step {
	if !slices.ContainsFunc(steps, func(st pair.Step) bool { return st.Cause != pair.NoCause }) {
		return steps
	}
	policy, source := w.Rules.Field(p.Place())
	if policy != schema.Union {
		return steps
	}
	changed := true
	if scalars(v) {
		steps = w.PairSet(v, schema.List{Kind: schema.Set})
	} else {
		steps, changed = pair.Both(v, steps)
	}
	if changed {
		w.made.United = append(w.made.United, United{Path: p, By: three.By(policy, source)})
	}
	return steps
}

func scalars(v three.Nodes) bool {
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

// Followed is an item or a document that one side gave another name, and that the
// other side changed: its change went where the item went.
type Followed struct {
	In       *three.Path // the list; nil for a document
	From, To string
}

// follow notes the renames among steps, whose things at tells by what they are
// known, and what they are.
func (w *Walker) follow(steps []pair.Step, in *three.Path, at func(three.Side, int) (string, *syntax.Node)) {
	for _, st := range steps {
		if st.Cause != pair.NoCause || st.At[three.Original] < 0 || st.At[three.Dest] < 0 || st.At[three.Updated] < 0 {
			continue
		}
		from, was := at(three.Original, st.At[three.Original])
		for _, s := range three.Sides {
			to, _ := at(s, st.At[s])
			other, x := at(s.Other(), st.At[s.Other()])
			if from != to && from == other && from != "" && to != "" && !w.Sums.Equal(was, x) {
				w.made.Followed = append(w.made.Followed, Followed{in, from, to})
			}
		}
	}
}
