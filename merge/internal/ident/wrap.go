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
// belongs inside. The wrapper and the element are then one conflict, so that each resolution has the elements of one
// side.

// Wraps reports whether w contains x, or an edited copy of x, at some depth. This copy must have more leaves in common
// with x than w as a whole has; otherwise w is itself an edited copy of x. It returns false if w is not a collection.
func (h *Hasher) Wraps(w, x *syntax.Node) bool {
	shared, _, _ := h.leavesOf(w).compare(h.leavesOf(x))
	return h.containsSimilar(w, x, shared)
}

// containsSimilar reports whether n contains, at any depth, a node that has more than minShared leaves in common with
// x, and at least half of the leaves of the larger one (isSimilar). n itself is not compared.
func (h *Hasher) containsSimilar(n, x *syntax.Node, minShared int) bool {
	return slices.ContainsFunc(n.Entries, func(e *syntax.Entry) bool {
		return h.containsSimilar(e.Value, x, minShared) || h.isSimilar(e.Value, x, minShared)
	})
}

// isSimilar reports whether the leaves that two nodes have in common are more than minShared, and at least half of the
// larger node's leaves.
func (h *Hasher) isSimilar(a, b *syntax.Node, minShared int) bool {
	same, _, larger := h.leavesOf(a).compare(h.leavesOf(b))
	return same > minShared && hasHalf(same, larger)
}

// markWrappers finds conflicts in which one side wrapped elements, as a block of tasks wraps tasks, and the other side
// edited or deleted one of them. If all fields of a mapping are wrapped, a field that the other side added is a
// conflict, too. It sets IsWrap of the wrapper and of these elements. It may set k.Lines.MayDependOnElided.
func (k *Keyed) markWrappers() {
	for _, s := range three.Sides {
		removed, added := k.findRemovedAndAdded(s)
		// a moved element is known to be at another place
		removed = slices.DeleteFunc(removed, func(n int) bool { return k.moved[k.elem(three.Original, n).Node] })
		added = slices.DeleteFunc(added, func(n int) bool { return k.Classes[n].Index[s.Other()] >= 0 })
		if len(removed)*len(added) > MaxComparisons {
			continue
		}
		for _, wrapper := range added {
			wrapped := k.findWrapped(k.elem(s, wrapper).Node, removed)
			if len(wrapped) > 0 && k.hasAllFields(wrapped) { // what the other side added belongs to them, too
				for _, n := range k.ClassOf[s.Other()] {
					if at := k.Classes[n].Index; at[three.Original] < 0 && at[s] < 0 {
						wrapped = append(wrapped, n)
					}
				}
			}
			isChangedByOther := func(n int) bool { return k.Classes[n].Index[three.Original] < 0 || k.editsOrDeletes(s.Other(), n) }
			if !slices.ContainsFunc(wrapped, isChangedByOther) {
				continue
			}
			if k.Lines != nil {
				k.Lines.MayDependOnElided = true
			}
			for _, n := range append(wrapped, wrapper) {
				k.Classes[n].IsWrap = true
			}
		}
	}
}

// hasAllFields reports whether classes, which are indexes into k.Classes, contain every field of the original. It
// returns false for items of a list.
func (k *Keyed) hasAllFields(classes []int) bool {
	isMissing := func(n int) bool { return !k.elem(three.Original, n).IsField || !slices.Contains(classes, n) }
	return !slices.ContainsFunc(k.ClassOf[three.Original], isMissing)
}

// editsOrDeletes reports whether s edited or deleted an element that the other side removed. removed is the index of
// the element in k.Classes.
func (k *Keyed) editsOrDeletes(s three.Version, removed int) bool {
	return k.Classes[removed].Index[s] < 0 || !k.Hasher.Equal(k.elem(three.Original, removed).Node, k.elem(s, removed).Node)
}

// findWrapped returns which of the elements removed, which a side removed from the collection, are in wrapper, the
// value of an element that it added. Elements are indexes into k.Classes, and may be returned several times.
func (k *Keyed) findWrapped(wrapper *syntax.Node, removed []int) (found []int) {
	fields := map[string]int{}
	for _, r := range removed {
		x := k.elem(three.Original, r)
		if x.IsField {
			fields[x.Identity] = r
		}
		// a single leaf may be equal by chance: it must have the same key as well
		if len(k.Hasher.leavesOf(x.Node).all) > 1 && k.Hasher.Wraps(wrapper, x.Node) {
			found = append(found, r)
		}
	}
	if len(fields) == 0 {
		return found
	}
	return k.appendWrappedFields(found, wrapper, fields)
}

// appendWrappedFields appends to found the given fields that are also in n, at any depth. fields has indexes into
// k.Classes, by mapping key. If one field of a mapping in n has a similar value, all fields of this mapping count, as
// when does here:
//
//	original   side
//	apt: x     block:
//	when: a      apt: x
//	             when: b
func (k *Keyed) appendWrappedFields(found []int, n *syntax.Node, fields map[string]int) []int {
	var matching []int
	isSimilar := false
	for _, e := range n.Entries {
		if e.Key != nil {
			if r, ok := fields[e.FieldKey()]; ok {
				matching = append(matching, r)
				isSimilar = isSimilar || k.Hasher.isSimilar(e.Value, k.elem(three.Original, r).Node, 0)
			}
		}
		found = k.appendWrappedFields(found, e.Value, fields)
	}
	if isSimilar {
		found = append(found, matching...)
	}
	return found
}
