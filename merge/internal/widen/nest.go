package widen

import (
	"cmp"
	"slices"
	"sort"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A nest finds the merged entries around a place. Entries of one version nest: two of them
// are apart, or one holds the other.
type nest struct {
	children []*plan.Child
	versions [3][]nested // each by where they start, those that hold others first
}

// A nested is an entry of a version.
type nested struct {
	span  text.Span
	child int // in children
	up    int // the smallest that holds it, -1 if none does
}

func newNest(children []*plan.Child) *nest {
	n := &nest{children: children}
	for s := range n.versions {
		n.versions[s] = nestOf(children, s)
	}
	return n
}

// nestOf is the nest of version s.
func nestOf(children []*plan.Child, s int) []nested {
	var all []nested
	for i, c := range children {
		if e := c.At[s]; e != nil {
			all = append(all, nested{e.Span, i, -1})
		}
	}
	slices.SortStableFunc(all, func(a, b nested) int {
		return cmp.Or(cmp.Compare(a.span.Start, b.span.Start), cmp.Compare(b.span.End, a.span.End))
	})
	at := -1
	for i := range all {
		for at >= 0 && !all[at].span.Contains(all[i].span) {
			at = all[at].up
		}
		all[i].up, at = at, i
	}
	return all
}

// around calls f with the entries that hold at in a version, and with how large they
// are there: in the first one in which they do.
func (n *nest) around(at [3]text.Span, f func(child, size int)) {
	var seen []int
	for s, span := range at {
		all := n.versions[s]
		if span.Empty() {
			continue
		}
		i := sort.Search(len(all), func(i int) bool { return all[i].span.Start > span.Start }) - 1
		for ; i >= 0; i = all[i].up {
			if e := all[i]; e.span.Contains(span) && !slices.Contains(seen, e.child) {
				seen = append(seen, e.child)
				f(e.child, e.span.Len())
			}
		}
	}
}
