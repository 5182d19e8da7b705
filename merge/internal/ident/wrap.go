package ident

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

// Wraps reports whether w contains x, or an edited copy of x, at some depth. w and x are list items, values of fields,
// or documents. The result is true in these cases:
//
//   - x is a scalar, and a list in w has an item equal to it; or x is an alias, and w contains an equal one.
//   - x is a collection, and w contains a similar collection: it is of the same kind, and at least half of the leaves
//     of the larger one are equal. A leaf is a scalar, alias or empty collection, with the mapping keys that lead to
//     it. If w and x are of the same kind, there must also be more equal leaves than there are between w as a whole and
//     x; otherwise w is itself an edited copy of x.
//
// It returns false if w is not a collection or is empty.
func (h *Hasher) Wraps(w, x *syntax.Node) bool {
	if len(w.Entries) == 0 {
		return false
	}
	shared := 0
	if w.Kind == x.Kind {
		shared, _, _ = h.leavesOf(w).compare(h.leavesOf(x))
	}
	return h.containsSimilar(w, x, shared)
}

// containsSimilar reports whether n contains a node at some depth that is similar to x. n itself is not compared; the
// result is false if it has no entries. It depends on x:
//
//	x is a scalar       an equal item of a list is similar to x; an equal value of a field is not
//	x is an alias       an equal alias is similar to x
//	x is a collection   a collection of the same kind is similar to x if it has more than minShared leaves in common with
//	                    x, and at least half of the leaves of the larger one
//
// A leaf is a scalar, alias or empty collection, with the mapping keys that lead to it. For a scalar or an alias,
// minShared is ignored.
func (h *Hasher) containsSimilar(n, x *syntax.Node, minShared int) bool {
	for _, e := range n.Entries {
		if v := e.Value; h.containsSimilar(v, x, minShared) {
			return true
		} else if v.Kind == x.Kind && (x.Kind != syntax.Scalar || e.Key == nil) && h.isSimilar(v, x, minShared) {
			return true
		}
	}
	return false
}

// isSimilar reports whether two nodes of one kind are similar. Scalars and aliases are if they are equal; minShared is
// then ignored. Collections are if they have more than minShared leaves in common, and at least half of the leaves of
// the larger one. A leaf is a scalar, alias or empty collection, with the mapping keys that lead to it. Neither node
// may be nil.
func (h *Hasher) isSimilar(a, b *syntax.Node, minShared int) bool {
	if a.Kind == syntax.Scalar || a.Kind == syntax.Alias {
		return h.Equal(a, b)
	}
	same, _, larger := h.leavesOf(a).compare(h.leavesOf(b))
	return same > minShared && hasHalf(same, larger)
}

// markWrappers finds conflicts in which one side wrapped an element: it removed the element from the collection, and
// added another one (the wrapper) that contains it, as a block of tasks contains a task. It is a conflict if the other
// side edited or deleted the element. For each such wrapper:
//
//   - The wrapper and all elements that it contains are added to k.WrapClasses, as indexes into k.Classes.
//   - k.Lines.MayDependOnElided is set if k.Lines is not nil: the conflict may be wrong if entries were left out of the
//     versions for speed (elided).
//
// Without such a wrapper, nothing is changed, and k.WrapClasses may be nil. An element of k.Moved is not wrapped, because
// it is known to have been moved to another place. An element that the other side also added is not a wrapper. A side
// is skipped if there are more than MaxComparisons (40,000) pairs of an element that it removed and one that it added.
func (k *Keyed) markWrappers() {
	for _, s := range three.Sides {
		removed, added := k.findRemovedAndAdded(s)
		removed = slices.DeleteFunc(removed, func(n int) bool {
			return k.Moved[k.Elems[three.Original][k.Classes[n].Index[three.Original]].Node]
		})
		added = slices.DeleteFunc(added, func(n int) bool { return k.Classes[n].Index[s.Other()] >= 0 })
		if len(removed) == 0 || len(added) == 0 || len(removed)*len(added) > MaxComparisons {
			continue
		}
		for _, wrapper := range added {
			wrapped := k.findWrapped(k.Elems[s][k.Classes[wrapper].Index[s]].Node, removed)
			if !slices.ContainsFunc(wrapped, func(r int) bool { return k.editsOrDeletes(s.Other(), r) }) {
				continue
			}
			if k.WrapClasses == nil {
				k.WrapClasses = map[int]bool{}
			}
			if k.Lines != nil {
				k.Lines.MayDependOnElided = true
			}
			for _, n := range append(wrapped, wrapper) {
				k.WrapClasses[n] = true
			}
		}
	}
}

// editsOrDeletes reports whether s edited an element of the original, or deleted it. It does not count as deleted if an
// element that s added contains it, such as a new block of tasks that contains the task. removed is the index of the
// element in k.Classes; the other side removed it. The original must have the element.
func (k *Keyed) editsOrDeletes(s three.Version, removed int) bool {
	at := k.Classes[removed].Index
	if at[s] >= 0 {
		return !k.Hasher.Equal(k.Elems[three.Original][at[three.Original]].Node, k.Elems[s][at[s]].Node)
	}
	return !slices.ContainsFunc(k.ClassOf[s], func(n int) bool {
		added := k.Classes[n].Index
		return added[three.Original] < 0 && len(k.findWrapped(k.Elems[s][added[s]].Node, []int{removed})) > 0
	})
}

// findWrapped returns the elements of the original that a side moved into wrapper, the value of an element that the
// side added to the collection. The candidates are the elements that the side removed. They are given, and returned, as
// indexes into k.Classes.
//
//   - An item of a list was moved if wrapper contains it or an edited copy of it at some depth.
//   - A field was moved if its value has several leaves (scalars, aliases or empty collections) and wrapper contains
//     the value or an edited copy of it.
//   - A field was also moved if a mapping in wrapper has its mapping key, and has the key of a removed field (this one
//     or another one) with a similar value.
//
// By the last rule, apt and when were both moved into block here, although only the value of apt is still the same:
//
//	original   side
//	apt: x     block:
//	when: a      apt: x
//	             when: b
//
// The result may have an element several times. It is nil if wrapper is nil, or contains none of them.
func (k *Keyed) findWrapped(wrapper *syntax.Node, removed []int) (found []int) {
	if wrapper == nil {
		return nil
	}
	fields := map[string]int{}
	for _, r := range removed {
		switch x := k.Elems[three.Original][k.Classes[r].Index[three.Original]]; {
		case x.IsField:
			fields[x.Identity] = r
			if x.Node != nil && len(k.Hasher.leavesOf(x.Node).all) > 1 && k.Hasher.Wraps(wrapper, x.Node) {
				found = append(found, r)
			}
		case x.Node != nil && k.Hasher.Wraps(wrapper, x.Node):
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
					x := k.Elems[three.Original][k.Classes[r].Index[three.Original]].Node
					matching, similar = append(matching, r), similar || x.Kind == e.Value.Kind && k.Hasher.isSimilar(e.Value, x, 0)
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
