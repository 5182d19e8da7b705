package walk

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/form"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Walker makes the plan of a merge from three parsed versions.
type Walker struct {
	*pair.Matcher
	*form.Versions
	// Deep compares no bytes: it descends to the leaves.
	Deep bool
	made *Merge
}

// New returns what makes the plan of the merge of streams, as known pairs
// what they have.
func New(streams [3]*syntax.Stream, known *pair.Matcher) *Walker {
	w := &Walker{Matcher: known, Versions: form.New(streams)}
	known.Lines = &pair.Lines{Files: w.Files}
	return w
}

// A Merge is the plan of a merge, and what was decided on the way.
type Merge struct {
	Documents []*plan.Document
	United    []United   // the lists that policies decided
	Followed  []Followed // the renames of one side that the changes of the other followed
}

// Merge makes the plan of a whole stream.
func (w *Walker) Merge() *Merge {
	w.made = &Merge{}
	w.made.Documents = w.docSteps(w.pairDocuments())
	return w.made
}

// sameValue reports whether two versions of a node are the same bytes, trivia
// included, at the same depth below their parents.
func (w *Walker) sameValue(v three.Nodes, a, b three.Side, in scope) bool {
	x, y := v[a], v[b]
	if in.deep || x == nil || y == nil || x.Kind != y.Kind || x.Style != y.Style || x.Indent != y.Indent {
		return false
	}
	return bytes.Equal(w.Bytes(a, x.Span), w.Bytes(b, y.Span))
}

// value merges one node. An empty kind means that it merged; conflicts below
// it are in its plan.
func (w *Walker) value(v three.Nodes, in scope) (*plan.Value, plan.ConflictKind) {
	if s, ok := three.PickBy(func(a, b three.Side) bool { return w.sameValue(v, a, b, in) }); ok && !w.Undoes(s, v[s].Span) {
		return &plan.Value{V: v, Form: s, Props: s}, ""
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

// collection merges two mappings or two lists. A base of another kind counts
// as empty.
func (w *Walker) collection(v three.Nodes, in scope) (*plan.Value, plan.ConflictKind) {
	props, ok := w.Props(v)
	if !ok {
		return nil, plan.ConflictValue
	}
	if v[three.Original] != nil && v[three.Original].Kind != v[three.Dest].Kind {
		v[three.Original] = nil
	}
	m := &plan.Value{V: v, Props: props, Merged: true}
	all, kind := w.kids(v, in)
	if kind == plan.ConflictList {
		if s, ok := w.largerList(v); ok {
			return &plan.Value{V: v, Form: s, Props: props}, ""
		}
	}
	if kind != "" {
		return nil, kind
	}
	m.SetKids(all)
	if w.bothAdded(v, in) && !(clean(all) && schema.StringMap(in.path.Place(), v[:]...)) {
		contestAdded(m)
	}
	m.Form = w.Collection(m, in.cols)
	if v[m.Form].Style == syntax.Flow {
		return w.flow(m, in)
	}
	m.Tail = w.trivia(w.Tail(v))
	return m, ""
}
