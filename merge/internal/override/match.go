package override

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// A triple is one thing in base, ours and theirs, nil where a version lacks it.
type triple [3]*facts.Node

// any returns q in ours, else theirs or the base.
func (q triple) any() *facts.Node { return cmp.Or(q[ours], q[theirs], q[base]) }

// properties is the side whose anchor and tag stand: theirs if it changed them.
func (q triple) properties() *facts.Node {
	var had [len(q)][2]string
	for v, n := range q {
		if n != nil {
			had[v] = [...]string{n.Anchor, n.TagText}
		}
	}
	if q[ours] != nil && q[theirs] != nil && had[theirs] != had[base] {
		return q[theirs]
	}
	return q.any()
}

// key is how the key of q is written: as in theirs if that alone changed it, else as in ours.
func (q triple) key() uint64 {
	b, o, t := q[base], q[ours], q[theirs]
	if o == nil || t != nil && b != nil && b.Key == o.Key {
		return t.Key
	}
	return o.Key
}

// all reports whether f holds of all that is in q.
func (q triple) all(f func(*facts.Node) bool) bool {
	for _, n := range q {
		for kids := n.Inside(); len(kids) > 0; kids = kids[1:] {
			if !f(&kids[0]) {
				return false
			}
		}
	}
	return true
}

// A row is one member of a collection.
type row struct {
	q   triple
	nth int // which of its identity it is, from 0
}

// matched pairs the members of q, those of one identity in their order: first those of first.
func matched(q triple, first facts.Version, id func(*facts.Node) uint64) (rows []row) {
	of := map[uint64][]int{} // the rows of an identity
	for _, v := range [...]facts.Version{first, first.Other(), base} {
		nth := map[uint64]int{}
		for kids := q[v].Inside(); len(kids) > 0; kids = kids[1:] {
			n := &kids[0]
			key := id(n)
			i := nth[key]
			nth[key]++
			if key == 0 || i == len(of[key]) {
				of[key] = append(of[key], len(rows))
				rows = append(rows, row{nth: i})
				i = len(of[key]) - 1
			}
			rows[of[key][i]].q[v] = n
		}
	}
	return rows
}

// matches pairs what the values of q hold, and says which list they are. It reports false
// where q is one value.
func (r *rewriter) matches(at schema.Place, q triple) (rows []row, l schema.List, parts bool) {
	kind, o, t := q.any().Kind, q[ours], q[theirs]
	for v, n := range q {
		if n != nil && n.Kind != kind {
			q[v] = nil
		}
	}
	switch {
	case o != nil && t != nil && o.Kind != t.Kind, kind != syntax.Mapping && kind != syntax.Sequence:
		return nil, l, false
	case kind == syntax.Mapping:
		return matched(q, ours, facts.ByKey), l, true
	case isItems(at) && q.all(facts.IsResource):
		return matched(q, ours, r.identities(q)), l, true
	}
	first := ours // whose items stand first
	if r.Strategic {
		first = theirs
	}
	l = r.Lists(at, q.syntax()...)
	switch set := r.Strategic && l.Kind == schema.Set; {
	case l.Kind == schema.Map:
		ids := l.IDs(q[theirs].Syntax(), q[base].Syntax(), q[ours].Syntax())
		return matched(q, first, func(n *facts.Node) uint64 { return facts.Hash(ids(n.Node)) }), l, true
	case set && o != nil && t != nil: // what stands twice is one
		rows = slices.DeleteFunc(matched(q, first, facts.ByValue), func(m row) bool { return m.nth > 0 })
		return rows, l, o.Data != t.Data
	case set:
		return matched(q, first, facts.ByValue), l, true
	}
	return nil, l, false
}

// syntax are the nodes of the versions that have q.
func (q triple) syntax() (all []*syntax.Node) {
	for _, n := range q {
		if n != nil {
			all = append(all, n.Node)
		}
	}
	return all
}

// below is where n stands in what stands at. Documents and the items of a `kind: List` are
// resources of their own.
func below(at schema.Place, n *facts.Node) schema.Place {
	switch {
	case n.Entry == nil, n.Entry.Key == nil && isItems(at):
		return schema.Place{File: at.File, APIVersion: n.Scalar("apiVersion"), Kind: n.Scalar("kind")}
	case n.Entry.Key == nil:
		at.Path = append(slices.Clip(at.Path), "*")
	default:
		at.Path = append(slices.Clip(at.Path), n.Entry.KeyText())
	}
	return at
}

// isItems reports whether at is the list of a `kind: List`.
func isItems(at schema.Place) bool {
	return len(at.Path) == 1 && at.Path[0] == "items" && strings.HasSuffix(at.Kind, "List")
}

// identities is what tells apart the resources of q.
func (r *rewriter) identities(q triple) func(*facts.Node) uint64 {
	var v [len(q)][]*syntax.Node
	for i, n := range q {
		for kids := n.Inside(); len(kids) > 0; kids = kids[1:] {
			v[i] = append(v[i], kids[0].Node)
		}
	}
	id := r.Identities(v)
	return func(n *facts.Node) uint64 { return facts.Hash(id(n.Node)) }
}
