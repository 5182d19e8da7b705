package walk

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// exclude makes conflicts of the fields of a merged mapping that exclude each
// other, where no version has two of them and the merge would. It reports false
// where they do not stand together, so that the mapping is one conflict.
func (w *Walker) exclude(kids []*plan.Child, v three.Nodes, in scope) bool {
	if len(kids) < 2 {
		return true
	}
	for _, u := range w.Rules.OneOf(in.path.Place()) {
		had := 0
		for _, n := range v {
			if n != nil {
				had = max(had, u.Held(n.Entries))
			}
		}
		if had < 2 && max(u.Held(standing(kids, three.Dest)), u.Held(standing(kids, three.Updated))) > 1 && !in.contestMembers(kids, u) {
			return false
		}
	}
	return true
}

// standing are the entries of merged kids, with s taken in conflicts.
func standing(kids []*plan.Child, s three.Side) []*syntax.Entry {
	var out []*syntax.Entry
	for _, c := range kids {
		e := c.At[s]
		switch {
		case c.Gone:
			continue
		case c.Clash != nil:
		case c.Whole != three.Original:
			e = c.At[c.Whole]
		default:
			e = c.At[c.Value.Form]
		}
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

// contestMembers makes conflicts of the fields of u that the sides do not have
// alike. It reports false where others stand between them, or may with the sides
// swapped: fields that one side added.
func (in scope) contestMembers(kids []*plan.Child, u schema.OneOf) bool {
	last, together := -1, true
	for i, c := range kids {
		if !u.Member(c.At[c.At.First()]) || c.Clash == nil && c.Whole == three.Original && !c.Gone && c.Value.Merged {
			together = together && (c.At[three.Original] != nil || c.At[three.Dest] != nil && c.At[three.Updated] != nil)
			continue
		}
		together = together && (last < 0 || last == i-1)
		last = i
		if c.Clash != nil {
			continue
		}
		kids[i] = in.conflict(c.At, plan.ConflictAddAdd)
	}
	return together
}

// What both sides added under one name is often two ways to do one thing. It
// merges if it is the same, or if only one side's has what the other's lacks; if
// both have, all of that is in conflict. The entries of a map of strings all stand,
// unless one of them is in conflict.

// clean reports whether none of kids is in conflict.
func clean(kids []*plan.Child) bool {
	return !slices.ContainsFunc(kids, func(c *plan.Child) bool { return c.Clash != nil })
}

// bothAdded reports whether both sides added the collection at hand. An empty file has
// a document, whose fields merge.
func (w *Walker) bothAdded(in scope) bool {
	return in.of[three.Original] == nil && (in.inner || w.Multi)
}

// contestAdded makes conflicts of those of kids, the entries of a collection that both sides added, that
// one side alone has, if each side has such.
func (in scope) contestAdded(kids []*plan.Child) {
	var more [3]bool
	for _, c := range kids {
		for _, s := range three.Sides {
			more[s] = more[s] || c.Clash == nil && c.At[s.Other()] == nil
		}
	}
	if !more[three.Dest] || !more[three.Updated] {
		return
	}
	for i, c := range kids {
		if c.Clash == nil && (c.At[three.Dest] == nil || c.At[three.Updated] == nil) {
			kids[i] = in.conflict(c.At, plan.ConflictAddAdd)
		}
	}
}

// twoAdded reports whether both sides added v, and may mean two things: neither
// holds all of the other.
func (w *Walker) twoAdded(v three.Nodes) bool {
	d, u := v[three.Dest], v[three.Updated]
	return v[three.Original] == nil && !w.Sums.Holds(d, u) && !w.Sums.Holds(u, d)
}
