package pair

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A side wraps an element if it removes it and has it inside of one that it added in the same collection:
//
//	- name: Install        - when: debian           build:        ci:
//	  apt: {name: x}   →     block:                   run: x   →    build:
//	                         - name: Install                          run: x
//	                           apt: {name: x}
//
// What the other side changed in such an element has no place outside of the wrapper, and none inside of it without a
// question: both are one conflict, so that each answer has the elements of one side.

// Wraps reports whether w, a list item or a document, has x, another one, inside of it: a node of the kind of x that is x, or
// a collection with at least half of the leaves of the larger one, and with more of those of x than w itself.
func (c *sums) Wraps(w, x *syntax.Node) bool {
	if len(w.Entries) == 0 {
		return false
	}
	own := 0
	if w.Kind == x.Kind {
		own, _, _ = c.leavesOf(w).compare(c.leavesOf(x))
	}
	return c.hasLike(w, x, own)
}

// hasLike reports whether a node like x, with more than least leaves of it, is inside of n. A scalar is looked for among list
// items only.
func (c *sums) hasLike(n, x *syntax.Node, least int) bool {
	for _, e := range n.Entries {
		if v := e.Value; c.hasLike(v, x, least) {
			return true
		} else if v.Kind == x.Kind && (x.Kind != syntax.Scalar || e.Key == nil) && c.like(v, x, least) {
			return true
		}
	}
	return false
}

// like reports whether two nodes of one kind are equal or are collections that share more than least leaves and half of those
// of the larger one.
func (c *sums) like(a, b *syntax.Node, least int) bool {
	if a.Kind == syntax.Scalar || a.Kind == syntax.Alias {
		return c.Equal(a, b)
	}
	same, _, most := c.leavesOf(a).compare(c.leavesOf(b))
	return same > least && 2*same >= most
}

// wrapped marks, in k.wraps, the elements that a side wraps and their wrappers, if the other side changed one of these
// elements, or deleted it.
func (k *keyed) wrapped() {
	for _, s := range three.Sides {
		removed, added := k.changedKeys(s)
		added = slices.DeleteFunc(added, func(n int) bool { return k.steps[n].At[s.Other()] >= 0 })
		if len(removed) == 0 || len(added) == 0 || len(removed)*len(added) > maxAlike {
			continue
		}
		for _, a := range added {
			inside := k.inside(k.v[s][k.steps[a].At[s]].node, removed)
			if !slices.ContainsFunc(inside, func(r int) bool { return k.edited(s.Other(), r) }) {
				continue
			}
			if k.wraps == nil {
				k.wraps = map[int]bool{}
			}
			if k.lines != nil {
				k.lines.Asked = true // what is left out may tell otherwise
			}
			for _, n := range append(inside, a) {
				k.wraps[n] = true
			}
		}
	}
}

// edited reports whether s changed an element of the original, or removed it without wrapping it.
func (k *keyed) edited(s three.Version, removed int) bool {
	at := k.steps[removed].At
	if at[s] >= 0 {
		return !k.sums.Equal(k.v[three.Original][at[three.Original]].node, k.v[s][at[s]].node)
	}
	return !slices.ContainsFunc(k.id[s], func(n int) bool {
		added := k.steps[n].At
		return added[three.Original] < 0 && len(k.inside(k.v[s][added[s]].node, []int{removed})) > 0
	})
}

// inside returns those of the removed elements that w, an added one, has inside of it. Fields are there if a mapping has
// their keys, and at least one of them with a value that is like; or if a value of several leaves is there under another key.
func (k *keyed) inside(w *syntax.Node, removed []int) (found []int) {
	if w == nil {
		return nil
	}
	fields := map[string]int{}
	for _, r := range removed {
		switch x := k.v[three.Original][k.steps[r].At[three.Original]]; {
		case x.field:
			fields[x.key] = r
			if x.node != nil && len(k.sums.leavesOf(x.node).all) > 1 && k.sums.Wraps(w, x.node) {
				found = append(found, r)
			}
		case x.node != nil && k.sums.Wraps(w, x.node):
			found = append(found, r)
		}
	}
	var in func(n *syntax.Node)
	in = func(n *syntax.Node) {
		var here []int
		alike := false
		for _, e := range n.Entries {
			if e.Key != nil {
				if r, ok := fields[e.FieldKey()]; ok {
					x := k.v[three.Original][k.steps[r].At[three.Original]].node
					here, alike = append(here, r), alike || x.Kind == e.Value.Kind && k.sums.like(e.Value, x, 0)
				}
			}
			in(e.Value)
		}
		if alike {
			found = append(found, here...)
		}
	}
	if len(fields) > 0 {
		in(w)
	}
	return found
}

// wrapped finds the items that a side wraps and that the other side changed or deleted, takes apart what is matched with a wrapper, and
// notes the wrappers and all that these wrap, by their indexes.
func (a *ordered) wrapped() {
	for _, s := range three.Sides {
		edited := a.editedItems(s.Other())
		if len(edited)*len(a.v[s]) > maxAlike {
			continue
		}
		for j, w := range a.v[s] {
			from := a.back[s][j]
			if len(w.node.Entries) == 0 || from >= 0 && a.v[three.Original][from].sum == w.sum || !slices.ContainsFunc(edited, func(i int) bool {
				return (i == from || a.match[s][i] < 0) && a.sums.Wraps(w.node, a.v[three.Original][i].node)
			}) {
				continue
			}
			if from >= 0 && !a.sums.Wraps(w.node, a.v[three.Original][from].node) {
				continue // it was there
			}
			if a.lines != nil {
				a.lines.Asked = true // what is left out may tell otherwise
			}
			if from >= 0 {
				a.match[s][from], a.back[s][j] = -1, -1
			}
			a.wraps[s] = append(a.wraps[s], j)
			for i, x := range a.v[three.Original] {
				if a.match[s][i] < 0 && a.sums.Wraps(w.node, x.node) {
					a.wraps[three.Original] = append(a.wraps[three.Original], i)
				}
			}
		}
	}
}

// editedItems returns the original's items that s changed, or removed without wrapping them. Where there are too many to look
// for wrappers, those that it removed are none of these.
func (a *ordered) editedItems(s three.Version) (items []int) {
	few := len(a.v[three.Original])*len(a.v[s]) <= maxAlike
	for i, x := range a.v[three.Original] {
		switch {
		case a.changedItem(s, i):
			items = append(items, i)
		case few && a.match[s][i] < 0 && !slices.ContainsFunc(a.v[s], func(w elem) bool { return a.sums.Wraps(w.node, x.node) }):
			items = append(items, i)
		}
	}
	return items
}

// hasWrapper reports whether a wrapper, or an item that a side wraps, is in p.
func (a *ordered) hasWrapper(p span) bool {
	for s, items := range a.wraps {
		for _, i := range items {
			if p.from[s] <= i && i < p.to[s] {
				return true
			}
		}
	}
	return false
}
