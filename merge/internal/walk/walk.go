package walk

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/resource"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// Walker makes the plan of a merge from three parsed versions.
type Walker struct {
	*pair.Matcher
	Files    [3]*text.File
	Streams  [3]*syntax.Stream
	comments [3][]syntax.Comment
	sought   [3]bool           // in which comments were sought
	counts   [3]map[string]int // of the comments, once they are asked for
	names    [3]string         // of the files, for errors
	Decided  []United          // what policies decided on the way
	// Overridden are the changes that do not stand under the rule set.
	Overridden []Lost
	Err        error                 // the first one of the rule set
	retain     bool                  // of the mapping at hand only updated's fields stand
	nulls      map[*syntax.Node]bool // what holdsNull remembers
	known      map[string]bool       // the comments of dest
	// AllComments says that comments of updated are written also where they
	// stand elsewhere in dest: not all that stands in dest stays.
	AllComments bool
	frozen      int               // lists around the entry at hand that are one value
	isKey       func(string) bool // of the list around the entry at hand
	children    []*plan.Child     // all merged entries, parents before their children
	Grown       []*Grown          // those that are in conflict as a result was refused
	disputed    [][]byte          // the comments for which they are
	doc         *plan.Document
	up          *plan.Child
	Deep        bool   // compare no bytes: descend to the leaves (for tests)
	cols        [3]int // the column of the entry at hand, in each version
}

// New returns what makes the plan of the merge of streams, as known pairs
// what they have. The names are those of the files, for errors.
func New(streams [3]*syntax.Stream, known *pair.Matcher, names [3]string) *Walker {
	w := &Walker{Matcher: known, Streams: streams, names: names}
	for s, st := range streams {
		w.Files[s] = st.File
	}
	return w
}

// CheckResources refuses streams whose resources the rule set cannot tell apart.
func (w *Walker) CheckResources() error {
	c := resource.Check{Files: w.Files, Names: w.names}
	for s, st := range w.Streams {
		for _, d := range st.Docs {
			c.Roots[s] = append(c.Roots[s], d.Root)
		}
	}
	if err := c.Streams(w.Identities(c.Roots)); err != nil {
		return err
	}
	if w.RuleSet.Strategic && !w.RuleSet.ByPlace {
		return c.Live()
	}
	return nil
}

// bytes returns what stands at sp in version s.
func (w *Walker) bytes(s three.Side, sp text.Span) []byte { return w.Files[s].Slice(sp) }

// sameValue reports whether two versions of a node are the same bytes, trivia
// included, at the same depth below their parents.
func (w *Walker) sameValue(a three.Side, x *syntax.Node, b three.Side, y *syntax.Node) bool {
	if w.Deep || x == nil || y == nil || x.Kind != y.Kind || x.Style != y.Style || x.Indent != y.Indent {
		return false
	}
	return bytes.Equal(w.bytes(a, x.Span), w.bytes(b, y.Span))
}

// value merges one node. An empty kind means that it merged; conflicts below
// it are in its plan.
func (w *Walker) value(v three.Nodes, p *three.Path) (*plan.Value, plan.ConflictKind) {
	if w.RuleSet.UpdatedWins && !w.Sums.Equal(v[three.Dest], v[three.Updated]) && !w.together(v, p) {
		return w.winner(v, p), ""
	}
	switch {
	case w.RuleSet.Always && v[three.Dest].Kind == syntax.Scalar && w.Sums.Equal(v[three.Dest], v[three.Updated]):
		return w.take(v, three.Dest), ""
	case w.RuleSet.UpdatedWins && w.frozen == 0 && (w.HoldsNull(v[three.Dest]) || w.HoldsNull(v[three.Updated])) && w.together(v, p):
		return w.collection(v, p, w.kids)
	case w.sameValue(three.Dest, v[three.Dest], three.Updated, v[three.Updated]), !w.RuleSet.Always && w.sameValue(three.Original, v[three.Original], three.Updated, v[three.Updated]):
		return w.take(v, three.Dest), ""
	case !w.RuleSet.Always && w.sameValue(three.Original, v[three.Original], three.Dest, v[three.Dest]):
		return w.take(v, three.Updated), ""
	case v[three.Dest].Kind == v[three.Updated].Kind && (v[three.Dest].Kind == syntax.Mapping || v[three.Dest].Kind == syntax.Sequence):
		return w.collection(v, p, w.kids)
	}
	return w.leaf(v, p)
}

// kids merges the entries of two mappings, or two lists.
func (w *Walker) kids(v three.Nodes, p *three.Path) ([]*plan.Child, plan.ConflictKind) {
	if v[three.Dest].Kind == syntax.Mapping {
		return w.mapping(v, p)
	}
	return w.list(v, p)
}

func (w *Walker) take(v three.Nodes, s three.Side) *plan.Value {
	return &plan.Value{V: v, Form: s, Props: s}
}

// collection merges two mappings or two lists. A base of another kind counts
// as empty.
func (w *Walker) collection(v three.Nodes, p *three.Path, kids func(three.Nodes, *three.Path) ([]*plan.Child, plan.ConflictKind)) (*plan.Value, plan.ConflictKind) {
	props, ok := w.mergeProps(v)
	switch {
	case ok:
	case w.RuleSet.UpdatedWins:
		props = three.Updated
	default:
		return nil, plan.ConflictValue
	}
	if v[three.Original] != nil && v[three.Original].Kind != v[three.Dest].Kind {
		v[three.Original] = nil
	}
	m := &plan.Value{V: v, Props: props, Merged: true}
	all, kind := kids(v, p)
	if kind != "" {
		return nil, kind
	}
	m.SetKids(all)
	m.Form = w.formOf(m)
	if v[m.Form].Style == syntax.Flow {
		f, kind := w.flow(m)
		other := m.Form.Other()
		if !w.RuleSet.UpdatedWins || v[other].Style == syntax.Flow || kind == "" && (len(m.Kids) == 0 || len(w.commentsIn(other, v[other].Span)) == 0) {
			return f, kind
		}
		m.Form = other // its comments have places there
	}
	m.Tail = w.mergeSlot(w.slot(func(n *syntax.Node) (text.Span, int, bool) {
		return n.Tail, n.Indent, n.Style == syntax.Block
	}, v))
	return m, ""
}

// flow merges what is written in flow style: as a whole, or not at all.
func (w *Walker) flow(m *plan.Value) (*plan.Value, plan.ConflictKind) {
	if m.Clashes() {
		return nil, plan.ConflictValue
	}
	if s, ok := w.flowOf(m.V); ok {
		m.Form, m.Flow = s, w.bytes(s, m.V[s].Content)
		return m, ""
	}
	b, ok := w.flowText(m)
	if !ok {
		return nil, plan.ConflictValue
	}
	m.Flow = b
	return m, ""
}

// flowOf returns the side whose text a merged flow collection is: the one that
// alone rewrote it, down to its commas and blanks; dest, where both made the
// same of it. It reports false where text has to be merged.
func (w *Walker) flowOf(v three.Nodes) (three.Side, bool) {
	o, d, u := v[three.Original], v[three.Dest], v[three.Updated]
	if w.RuleSet.Always || w.RuleSet.UpdatedWins || o == nil || d.Style != syntax.Flow || u.Style != syntax.Flow {
		return three.Dest, false
	}
	at := func(s three.Side) []byte { return text.ShiftRest(w.bytes(s, v[s].Content), -w.cols[s]) }
	was, ours, theirs := at(three.Original), at(three.Dest), at(three.Updated)
	switch {
	case bytes.Equal(was, theirs), bytes.Equal(ours, theirs):
		return three.Dest, true
	case bytes.Equal(was, ours):
		return three.Updated, true
	}
	return three.Dest, w.Sums.Equal(d, u) && !w.flowComments(v)
}

// formOf is the side whose form (block or flow, indent) a merged collection
// keeps: updated's where it alone changed the original's, else dest's. What a
// side emptied has no form of its own, unless the result is empty.
func (w *Walker) formOf(m *plan.Value) three.Side {
	o, d, u := m.V[three.Original], m.V[three.Dest], m.V[three.Updated]
	switch {
	case len(m.Kids) == 0 && len(d.Entries) > 0 && len(u.Entries) == 0, len(m.Kids) > 0 && len(d.Entries) == 0:
		return three.Updated
	case len(d.Entries) == 0 || len(u.Entries) == 0 || o == nil:
		return three.Dest
	}
	if o.Style == d.Style && d.Style != u.Style {
		return three.Updated
	}
	n := len(o.Entries)
	if len(d.Entries) != n || len(u.Entries) != n {
		n = min(n, len(d.Entries), len(u.Entries), 2)
	}
	if d.Style == u.Style && w.shape(three.Original, o, n) == w.shape(three.Dest, d, n) && w.shape(three.Dest, d, n) != w.shape(three.Updated, u, n) {
		return three.Updated
	}
	return three.Dest
}

// shape is how a collection is laid out: its style, its indent below its
// parent, whether it starts on its parent's line; in flow style what
// stands between its first few entries.
type shape struct {
	style  syntax.Style
	indent int
	inline bool
	blanks string
}

func (w *Walker) shape(s three.Side, n *syntax.Node, few int) shape {
	if n.Style != syntax.Flow {
		return shape{style: n.Style, indent: n.Indent - w.cols[s], inline: tree.Compact(n)}
	}
	var between bytes.Buffer
	for _, e := range n.Entries[:few] {
		between.Write(w.bytes(s, text.Span{Start: e.Span.Start, End: e.Start}))
		between.WriteByte('|')
		between.Write(w.bytes(s, e.Foot))
		between.WriteByte('|')
	}
	between.Write(w.bytes(s, n.Tail))
	return shape{style: syntax.Flow, blanks: between.String()}
}

// slot gathers the trivia of three versions.
func (w *Walker) slot(get func(*syntax.Node) (text.Span, int, bool), v three.Nodes) plan.Slot {
	var t plan.Slot
	for s, n := range v {
		if n == nil {
			continue
		}
		if sp, base, ok := get(n); ok {
			t.Spans[s] = sp
			t.Lines[s] = plan.Lines(w.Files[s], sp, base)
		}
	}
	return t
}

// mergeProps merges anchor and tag, which belong to the node. It reports false
// where both sides changed them differently.
func (w *Walker) mergeProps(v three.Nodes) (three.Side, bool) {
	var p [3]uint64
	for s, n := range v {
		if n != nil {
			p[s] = w.Sums.Props(n)
		}
	}
	switch {
	case p[three.Dest] == p[three.Updated], p[three.Original] == p[three.Updated]:
		return three.Dest, true
	case p[three.Original] == p[three.Dest]:
		return three.Updated, true
	}
	return three.Dest, false
}
