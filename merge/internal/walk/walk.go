package walk

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
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
	// Told are the changes that do not stand under the rule set.
	Told []Lost
	// Follows are the renames of one side that the changes of the other followed.
	Follows []Followed
	Err     error                 // the first one of the rule set
	nulls   map[*syntax.Node]bool // what HoldsNull remembers
	// pruned are the collections out of which directives took entries.
	pruned map[*syntax.Node]bool
	known  map[string]bool // the comments of dest
	// AllComments says that comments of updated are written also where they
	// stand elsewhere in dest: not all that stands in dest stays.
	AllComments bool
	children    []*plan.Child // all merged entries, parents before their children
	nest        *nest         // of children, once it is asked for
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
	if !known.RuleSet.UpdatedWins {
		known.Lines = &pair.Lines{Files: w.Files}
	}
	return w
}

// Anew is w before it walked, with the trees as they are.
func (w *Walker) Anew(allComments bool) *Walker {
	again := New(w.Streams, w.Matcher, w.names)
	again.Deep, again.pruned, again.AllComments = w.Deep, w.pruned, allComments
	return again
}

// bytes returns what stands at sp in version s.
func (w *Walker) bytes(s three.Side, sp text.Span) []byte { return w.Files[s].Slice(sp) }

// sameValue reports whether two versions of a node are the same bytes, trivia
// included, at the same depth below their parents.
func (w *Walker) sameValue(v three.Nodes, a, b three.Side, in scope) bool {
	x, y := v[a], v[b]
	if in.deep || x == nil || y == nil || x.Kind != y.Kind || x.Style != y.Style || x.Indent != y.Indent {
		return false
	}
	return bytes.Equal(w.bytes(a, x.Span), w.bytes(b, y.Span))
}

// value merges one node. An empty kind means that it merged; conflicts below
// it are in its plan.
func (w *Walker) value(v three.Nodes, in scope) (*plan.Value, plan.ConflictKind) {
	if w.RuleSet.UpdatedWins {
		if m, kind, done := w.valueBySet(v, in); done {
			return m, kind
		}
	}
	if s, ok := w.pick(func(a, b three.Side) bool { return w.sameValue(v, a, b, in) }); ok {
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
	props, ok := w.wins(w.mergeProps(v))
	if !ok {
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
	if w.bothAdded(v, in) {
		contestAdded(m)
	}
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
