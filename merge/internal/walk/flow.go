package walk

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// flow merges what is written in flow style: as a whole, or not at all, unless each of its
// entries has lines of its own.
func (w *Walker) flow(m *plan.Value, in scope) (*plan.Value, plan.ConflictKind) {
	clashes := m.Clashes()
	if s, ok := w.flowOf(m.V, in); ok && !clashes {
		m.Form, m.Flow = s, plan.Flow{Style: plan.FlowTaken, Form: s}
		return m, ""
	}
	if w.Spreads(m) {
		m.Tail = w.trivia(w.Tail(m.V))
		return m, ""
	}
	if clashes {
		return nil, plan.ConflictValue
	}
	if w.Place(m, m.V); !w.Flows(m, m.V) {
		return nil, plan.ConflictValue
	}
	return m, ""
}

// flowOf returns the side whose text a merged flow collection is: the one that
// alone rewrote it, down to its commas and blanks; dest, where both made the
// same of it. It reports false where text has to be merged.
func (w *Walker) flowOf(v three.Nodes, in scope) (three.Side, bool) {
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	if o == nil && d.Style == syntax.Flow && u.Style == syntax.Flow {
		return three.Dest, bytes.Equal(w.Bytes(three.Dest, d.Content), w.Bytes(three.Updated, u.Content))
	}
	if o == nil || d.Style != syntax.Flow || u.Style != syntax.Flow {
		return three.Dest, false
	}
	var at [3][]byte
	for s, n := range v {
		at[s] = text.ShiftRest(w.Bytes(three.Side(s), n.Content), -in.cols[s])
	}
	if s, ok := three.PickFunc(at, bytes.Equal); ok {
		return w.formOfProperties(v, at, s), true
	}
	return three.Dest, w.Sums.Equal(d, u) && !w.Commented(v)
}

// formOfProperties returns s, or where all wrote the same text of a collection, the side that alone
// wrote the properties in front of it in another way.
func (w *Walker) formOfProperties(v three.Nodes, at [3][]byte, s three.Side) three.Side {
	if !bytes.Equal(at[three.Original], at[three.Dest]) || !bytes.Equal(at[three.Original], at[three.Updated]) {
		return s
	}
	for side, n := range v {
		at[side] = w.Properties(three.Side(side), n)
	}
	if by, ok := three.PickFunc(at, bytes.Equal); ok && tree.SameProps(v[s], v[by]) {
		return by
	}
	return s
}
