package pair

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A side wraps an element if it removes the element from a collection and adds a wrapper to the same collection that
// contains the element. In both examples, the side is on the right:
//
//	- name: Install        - when: debian           build:        ci:
//	  apt: {name: x}   →     block:                   run: x   →    build:
//	                         - name: Install                          run: x
//	                           apt: {name: x}
//
// If the other side edited such an element, the edit cannot be kept outside the wrapper, and it is not certain that it
// belongs inside. The wrapper and the element are then one conflict, so that each resolution has the elements of one side.

// Wraps reports whether w contains a node similar to x at some depth: an equal scalar, or a collection of the
// same kind that shares with x at least half of the leaves of the larger of the two. It also has to share more
// leaves with x than w itself does, if w and x have the same kind. w and x are list items, fields' values or
// documents.
func (h *hasher) Wraps(w, x *syntax.Node) bool {
	if len(w.Entries) == 0 {
		return false
	}
	shared := 0
	if w.Kind == x.Kind {
		shared, _, _ = h.leavesOf(w).compare(h.leavesOf(x))
	}
	return h.containsSimilar(w, x, shared)
}

// containsSimilar reports whether n contains a node that is similar to x and shares more than minShared leaves
// with it: see isSimilar. If x is a scalar, only list items are considered.
func (h *hasher) containsSimilar(n, x *syntax.Node, minShared int) bool {
	for _, e := range n.Entries {
		if v := e.Value; h.containsSimilar(v, x, minShared) {
			return true
		} else if v.Kind == x.Kind && (x.Kind != syntax.Scalar || e.Key == nil) && h.isSimilar(v, x, minShared) {
			return true
		}
	}
	return false
}

// isSimilar reports whether two nodes of one kind are equal scalars or aliases, or collections that share more
// than minShared leaves and at least half of the leaves of the larger one.
func (h *hasher) isSimilar(a, b *syntax.Node, minShared int) bool {
	if a.Kind == syntax.Scalar || a.Kind == syntax.Alias {
		return h.Equal(a, b)
	}
	same, _, larger := h.leavesOf(a).compare(h.leavesOf(b))
	return same > minShared && 2*same >= larger
}

// markWrappers sets k.wrapSteps to the wrappers of each side and the elements that they wrap, if the other side
// edited or deleted one of these elements. If it finds any, it sets k.lines.MayDependOnElided, because elided
// entries could change that.
func (k *keyPairing) markWrappers() {
	for _, s := range three.Sides {
		removed, added := k.findRemovedAndAdded(s)
		removed = slices.DeleteFunc(removed, func(n int) bool {
			return k.moved[k.elems[three.Original][k.steps[n].Index[three.Original]].node]
		})
		added = slices.DeleteFunc(added, func(n int) bool { return k.steps[n].Index[s.Other()] >= 0 })
		if len(removed) == 0 || len(added) == 0 || len(removed)*len(added) > maxComparisons {
			continue
		}
		for _, wrapper := range added {
			wrapped := k.findWrapped(k.elems[s][k.steps[wrapper].Index[s]].node, removed)
			if !slices.ContainsFunc(wrapped, func(r int) bool { return k.editsOrDeletes(s.Other(), r) }) {
				continue
			}
			if k.wrapSteps == nil {
				k.wrapSteps = map[int]bool{}
			}
			if k.lines != nil {
				k.lines.MayDependOnElided = true
			}
			for _, n := range append(wrapped, wrapper) {
				k.wrapSteps[n] = true
			}
		}
	}
}

// editsOrDeletes reports whether s edited an element of the original, or deleted it without wrapping it. removed
// is its step.
func (k *keyPairing) editsOrDeletes(s three.Version, removed int) bool {
	at := k.steps[removed].Index
	if at[s] >= 0 {
		return !k.hasher.Equal(k.elems[three.Original][at[three.Original]].node, k.elems[s][at[s]].node)
	}
	return !slices.ContainsFunc(k.stepOf[s], func(n int) bool {
		added := k.steps[n].Index
		return added[three.Original] < 0 && len(k.findWrapped(k.elems[s][added[s]].node, []int{removed})) > 0
	})
}

// findWrapped returns those of the removed steps that have their element inside wrapper, the value of an added
// element. An item is inside if wrapper wraps it. A field is inside if it has more than one leaf and wrapper
// wraps its value. It is also inside if a mapping in wrapper has its mapping key, and a similar value for this or
// another one of the removed keys. A step may occur several times in the result. If wrapper is nil, the result is
// empty.
func (k *keyPairing) findWrapped(wrapper *syntax.Node, removed []int) (found []int) {
	if wrapper == nil {
		return nil
	}
	fields := map[string]int{}
	for _, r := range removed {
		switch x := k.elems[three.Original][k.steps[r].Index[three.Original]]; {
		case x.isField:
			fields[x.identity] = r
			if x.node != nil && len(k.hasher.leavesOf(x.node).all) > 1 && k.hasher.Wraps(wrapper, x.node) {
				found = append(found, r)
			}
		case x.node != nil && k.hasher.Wraps(wrapper, x.node):
			found = append(found, r)
		}
	}
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		var matching []int
		similar := false
		for _, e := range n.Entries {
			if e.Key != nil {
				if r, ok := fields[e.FieldKey()]; ok {
					x := k.elems[three.Original][k.steps[r].Index[three.Original]].node
					matching, similar = append(matching, r), similar || x.Kind == e.Value.Kind && k.hasher.isSimilar(e.Value, x, 0)
				}
			}
			visit(e.Value)
		}
		if similar {
			found = append(found, matching...)
		}
	}
	if len(fields) > 0 {
		visit(wrapper)
	}
	return found
}

// markWrappers sets a.wrapItems to the wrappers of each side and the items that they wrap, if the other side
// edited or deleted one of these items. It removes the match of a wrapper. If it finds any, it sets
// a.lines.MayDependOnElided, because elided entries could change that.
func (a *alignment) markWrappers() {
	for _, s := range three.Sides {
		edited := a.editedItems(s.Other())
		if len(edited)*len(a.elems[s]) > maxComparisons {
			continue
		}
		for j, w := range a.elems[s] {
			original := a.back[s][j]
			if len(w.node.Entries) == 0 || original >= 0 && a.elems[three.Original][original].hash == w.hash || !slices.ContainsFunc(edited, func(i int) bool {
				return (i == original || a.match[s][i] < 0) && a.hasher.Wraps(w.node, a.elems[three.Original][i].node)
			}) {
				continue
			}
			if original >= 0 && !a.hasher.Wraps(w.node, a.elems[three.Original][original].node) {
				continue // an item of the original that contained the element before
			}
			if a.lines != nil {
				a.lines.MayDependOnElided = true
			}
			if original >= 0 {
				a.match[s][original], a.back[s][j] = -1, -1
			}
			a.wrapItems[s] = append(a.wrapItems[s], j)
			for i, x := range a.elems[three.Original] {
				if a.match[s][i] < 0 && a.hasher.Wraps(w.node, x.node) {
					a.wrapItems[three.Original] = append(a.wrapItems[three.Original], i)
				}
			}
		}
	}
}

// editedItems returns the original's items that s edited, or deleted without wrapping them. If there are more
// than maxComparisons pairs to compare, deleted items are left out.
func (a *alignment) editedItems(s three.Version) (items []int) {
	searchWrappers := len(a.elems[three.Original])*len(a.elems[s]) <= maxComparisons
	for i, x := range a.elems[three.Original] {
		switch {
		case a.isEdited(s, i):
			items = append(items, i)
		case searchWrappers && a.match[s][i] < 0 && !slices.ContainsFunc(a.elems[s], func(w elem) bool { return a.hasher.Wraps(w.node, x.node) }):
			items = append(items, i)
		}
	}
	return items
}

// hasWrapper reports whether the region has a wrapper or a wrapped item.
func (a *alignment) hasWrapper(reg region) bool {
	for s, items := range a.wrapItems {
		for _, i := range items {
			if reg.from[s] <= i && i < reg.to[s] {
				return true
			}
		}
	}
	return false
}
