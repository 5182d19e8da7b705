package merge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// mapping merges the fields of mappings by key.
func (w *walker) mapping(v nodes, p *path) ([]*child, ConflictKind) {
	defer func(retain bool) { w.retain = retain }(w.retain)
	w.retain = w.retained(v, p)
	steps := w.pair(w.elems(v, fieldKey, func(e *syntax.Entry) *syntax.Node { return e.Value }))
	return w.steps(v, steps, func(e entries) *path { return p.child(e[e.first()].Key.Value) }), ""
}

// list merges lists by what is known of them.
func (w *walker) list(v nodes, p *path) ([]*child, ConflictKind) {
	if steps := w.resources(v, p); steps != nil {
		return w.steps(v, w.appended(steps), w.resourcePath(p)), ""
	}
	l := w.listOf(v, p)
	if l.Kind == schema.Map {
		return w.keyedItems(v, p, l), ""
	}
	if w.set.updatedWins {
		w.frozen++
		defer func() { w.frozen-- }()
	}
	switch l.Kind {
	case schema.Set:
		return w.steps(v, w.placed(w.pairSet(v, l)), w.indexed(p, v)), ""
	case schema.Atomic:
		if !w.sums.equal(v[original], v[dest]) && !w.sums.equal(v[original], v[updated]) && !w.sums.equal(v[dest], v[updated]) {
			return nil, ConflictList
		}
	}
	return w.steps(v, w.united(v, p, w.pairOrdered(v)), w.indexed(p, v)), ""
}

// keyedItems merges the items of a map list.
func (w *walker) keyedItems(v nodes, p *path, l schema.List) []*child {
	defer func(f func(string) bool) { w.isKey = f }(w.isKey)
	w.isKey = l.IsKey
	return w.steps(v, w.placed(w.pairItems(v, l)), func(e entries) *path {
		return p.labelled(l.Label(e[e.first()].Value))
	})
}

// steps turns the paired entries of three collections into plans.
func (w *walker) steps(v nodes, steps []step, name func(entries) *path) []*child {
	out := make([]*child, 0, len(steps))
	for _, st := range steps {
		var c *child
		if st.cause != noCause {
			c = w.contested(v, st, name)
		} else {
			var at entries
			for s, i := range st.at {
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
func (w *walker) contested(v nodes, st step, name func(entries) *path) *child {
	c := &child{up: w.up, doc: w.doc, clash: &clash{kind: kindOf(st.cause)}}
	for s, run := range st.runs {
		for _, i := range run {
			c.clash.runs[s] = append(c.clash.runs[s], v[s].Entries[i])
		}
		if len(run) > 0 && c.at[s] == nil {
			c.at[s] = v[s].Entries[run[0]]
		}
	}
	c.path = name(c.at)
	return c
}

func kindOf(c cause) ConflictKind {
	switch c {
	case replaced:
		return ConflictReplace
	case inserted:
		return ConflictAddAdd
	}
	return ConflictList
}
