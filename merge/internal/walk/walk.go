package walk

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/resource"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Walker makes the plan of a merge from three parsed versions.
type Walker struct {
	*pair.Matcher
	Files    [3]*text.File
	Streams  [3]*syntax.Stream
	comments [3][]syntax.Comment
	sought   [3]bool           // in which comments were sought
	times    [3]map[string]int // of the comments, once they are asked for
	names    [3]string         // of the files, for errors
	Decided  []United          // what policies decided on the way
	// Overridden are the changes that do not stand under the rule set.
	Overridden []Lost
	Err        error                 // the first one of the rule set
	nulls      map[*syntax.Node]bool // what holdsNull remembers
	known      map[string]bool       // the comments of dest
	// AllComments says that comments of updated are written also where they
	// stand elsewhere in dest: not all that stands in dest stays.
	AllComments bool
	children    []*plan.Child // all merged entries, parents before their children
	Grown       []*Grown      // those that are in conflict as a result was refused
	disputed    [][]byte      // the comments for which they are
	// Deep compares no bytes: it descends to the leaves.
	Deep bool
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

// counts reports whether version s is asked where the other two differ: the
// original is not, where updated always stands.
func (w *Walker) counts(s three.Side) bool { return s != three.Original || !w.RuleSet.Always }

// sameValue reports whether two versions of a node are the same bytes, trivia
// included, at the same depth below their parents.
func (w *Walker) sameValue(v three.Nodes, a, b three.Side, in scope) bool {
	x, y := v[a], v[b]
	if in.deep || !w.counts(a) || x == nil || y == nil || x.Kind != y.Kind || x.Style != y.Style || x.Indent != y.Indent {
		return false
	}
	return bytes.Equal(w.bytes(a, x.Span), w.bytes(b, y.Span))
}

// value merges one node. An empty kind means that it merged; conflicts below
// it are in its plan.
func (w *Walker) value(v three.Nodes, in scope) (*plan.Value, plan.ConflictKind) {
	if w.RuleSet.UpdatedWins && !w.Sums.Equal(v[three.Dest], v[three.Updated]) && !w.together(v, in.path) {
		return w.winner(v, in), ""
	}
	switch {
	case w.RuleSet.Always && v[three.Dest].Kind == syntax.Scalar && w.Sums.Equal(v[three.Dest], v[three.Updated]):
		return w.take(v, three.Dest), ""
	case w.RuleSet.UpdatedWins && !in.frozen && (w.HoldsNull(v[three.Dest]) || w.HoldsNull(v[three.Updated])) && w.together(v, in.path):
		return w.collection(v, in)
	}
	if s, ok := three.PickBy(func(a, b three.Side) bool { return w.sameValue(v, a, b, in) }); ok {
		return w.take(v, s), ""
	}
	if k := v[three.Dest].Kind; k == v[three.Updated].Kind && (k == syntax.Mapping || k == syntax.Sequence) {
		return w.collection(v, in)
	}
	return w.leaf(v, in)
}

// kids merges the entries of two mappings, or two lists.
func (w *Walker) kids(v three.Nodes, in scope) ([]*plan.Child, plan.ConflictKind) {
	if v[three.Dest].Kind == syntax.Mapping {
		return w.mapping(v, in)
	}
	return w.list(v, in)
}

func (w *Walker) take(v three.Nodes, s three.Side) *plan.Value {
	return &plan.Value{V: v, Form: s, Props: s}
}

// collection merges two mappings or two lists. A base of another kind counts
// as empty.
func (w *Walker) collection(v three.Nodes, in scope) (*plan.Value, plan.ConflictKind) {
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
	all, kind := w.kids(v, in)
	if kind != "" {
		return nil, kind
	}
	m.SetKids(all)
	m.Form = w.formOf(m, in)
	if v[m.Form].Style == syntax.Flow {
		f, kind := w.flow(m, in)
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
	return three.Pick(p)
}
