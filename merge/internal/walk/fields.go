package walk

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// mapping merges the fields of mappings by key.
func (w *Walker) mapping(v three.Nodes, p *three.Path) ([]*plan.Child, plan.ConflictKind) {
	defer func(retain bool) { w.retain = retain }(w.retain)
	w.retain = w.retained(v, p)
	steps := w.Pair(w.Elems(v, tree.FieldKey, func(e *syntax.Entry) *syntax.Node { return e.Value }))
	return w.steps(v, steps, func(e three.Entries) *three.Path { return p.Child(e[e.First()].Key.Value) }), ""
}

// list merges lists by what is known of them.
func (w *Walker) list(v three.Nodes, p *three.Path) ([]*plan.Child, plan.ConflictKind) {
	if steps := w.Resources(v, p); steps != nil {
		return w.steps(v, w.Appended(steps), w.ResourcePath(p)), ""
	}
	l := w.listOf(v, p)
	if l.Kind == schema.Map {
		return w.keyedItems(v, p, l), ""
	}
	if w.RuleSet.UpdatedWins {
		w.frozen++
		defer func() { w.frozen-- }()
	}
	switch l.Kind {
	case schema.Set:
		return w.steps(v, w.Placed(w.PairSet(v, l)), w.Indexed(p, v)), ""
	case schema.Atomic:
		if !w.Sums.Equal(v[three.Original], v[three.Dest]) && !w.Sums.Equal(v[three.Original], v[three.Updated]) && !w.Sums.Equal(v[three.Dest], v[three.Updated]) {
			return nil, plan.ConflictList
		}
	}
	return w.steps(v, w.united(v, p, w.PairOrdered(v)), w.Indexed(p, v)), ""
}

// keyedItems merges the items of a map list.
func (w *Walker) keyedItems(v three.Nodes, p *three.Path, l schema.List) []*plan.Child {
	defer func(f func(string) bool) { w.isKey = f }(w.isKey)
	w.isKey = l.IsKey
	return w.steps(v, w.Placed(w.PairItems(v, l)), func(e three.Entries) *three.Path {
		return p.Labelled(l.Label(e[e.First()].Value))
	})
}

// steps turns the paired entries of three collections into plans.
func (w *Walker) steps(v three.Nodes, steps []pair.Step, name func(three.Entries) *three.Path) []*plan.Child {
	out := make([]*plan.Child, 0, len(steps))
	for _, st := range steps {
		var c *plan.Child
		if st.Cause != pair.NoCause {
			c = w.contested(v, st, name)
		} else {
			var at three.Entries
			for s, i := range st.At {
				if i >= 0 {
					at[s] = v[s].Entries[i]
				}
			}
			c = w.entry(at, v, name)
		}
		if c != nil {
			out = append(out, c)
		}
	}
	return out
}

// contested is the plan of a conflict over several entries.
func (w *Walker) contested(v three.Nodes, st pair.Step, name func(three.Entries) *three.Path) *plan.Child {
	c := &plan.Child{Up: w.up, Doc: w.doc, Clash: &plan.Clash{Kind: kindOf(st.Cause)}}
	for s, run := range st.Runs {
		for _, i := range run {
			c.Clash.Runs[s] = append(c.Clash.Runs[s], v[s].Entries[i])
		}
		if len(run) > 0 && c.At[s] == nil {
			c.At[s] = v[s].Entries[run[0]]
		}
	}
	c.Path = name(c.At)
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
