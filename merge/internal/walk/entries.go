package walk

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// mapping merges the fields of mappings by key.
func (w *Walker) mapping(v three.Nodes, in scope) ([]*plan.Child, plan.ConflictKind) {
	p := in.path
	steps := w.Pair(w.Elems(v, tree.FieldKey, func(e *syntax.Entry) *syntax.Node { return e.Value }))
	kids := w.steps(steps, in.inside(v, func(e three.Entries) *three.Path { return p.Child(e[e.First()].Key.Value) }))
	w.contestDoubled(kids, v)
	if !w.exclude(kids, v, p) {
		return nil, plan.ConflictAddAdd
	}
	return kids, ""
}

// list merges lists by what is known of them.
func (w *Walker) list(v three.Nodes, in scope) ([]*plan.Child, plan.ConflictKind) {
	p := in.path
	if steps := w.Resources(v, p); steps != nil {
		return w.steps(steps, in.inside(v, w.ResourcePath(p))), ""
	}
	l := w.ListOf(v, p)
	if l.Kind == schema.Map {
		return w.keyedItems(v, l, in), ""
	}
	in = in.inside(v, w.Indexed(p, v))
	switch l.Kind {
	case schema.Set:
		return w.steps(w.PairSet(v, l), in), ""
	case schema.Atomic:
		if _, ok := three.PickFunc(v, w.Sums.Equal); !ok {
			return nil, plan.ConflictList
		}
	}
	return w.steps(w.united(v, p, w.PairOrdered(v)), in), ""
}

// keyedItems merges the items of a map list.
func (w *Walker) keyedItems(v three.Nodes, l schema.List, in scope) []*plan.Child {
	p := in.path
	in.guessed = l.Guessed()
	steps := w.PairItems(v, l)
	w.follow(steps, p, func(s three.Side, i int) (string, *syntax.Node) {
		n := v[s].Entries[i].Value
		return l.Label(n), n
	})
	return w.steps(steps, in.inside(v, func(e three.Entries) *three.Path {
		return p.Labelled(l.Label(e[e.First()].Value))
	}))
}

// steps turns the paired entries of three collections into plans.
func (w *Walker) steps(steps []pair.Step, in scope) []*plan.Child {
	out := make([]*plan.Child, 0, len(steps))
	for _, st := range steps {
		var c *plan.Child
		if st.Cause != pair.NoCause {
			c = w.contested(st, in)
		} else {
			var at three.Entries
			for s, i := range st.At {
				if i >= 0 {
					at[s] = in.of[s].Entries[i]
				}
			}
			c = w.entry(at, in)
		}
		if c != nil {
			out = append(out, c)
		}
	}
	return out
}

// contested is the plan of a conflict over several entries.
func (w *Walker) contested(st pair.Step, in scope) *plan.Child {
	c := &plan.Child{Up: in.up, Doc: in.doc, Clash: &plan.Clash{Kind: kindOf(st.Cause)}}
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
