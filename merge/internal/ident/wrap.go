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

// Wraps reports whether wrapper contains x, or an edited copy of x, at some depth. This copy must have more leaves
// (scalars with their keys) in common with x than wrapper as a whole has; otherwise wrapper is itself an edited copy of
// x. It returns false if wrapper is not a collection.
func (h *Hasher) Wraps(wrapper, x *syntax.Node) bool {
	shared, _, _ := h.leavesOf(wrapper).compare(h.leavesOf(x))
	return h.containsSimilar(wrapper, x, shared)
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

// markWrappers finds elements that one side moved into a new element of the same collection, the wrapper, as a block of
// tasks wraps tasks. If the other side changed one of them, it sets IsWrap of these elements and of the wrapper, so
// that they become one conflict. Elements for which FindMoves knows the new place are ignored. It may set
// k.Lines.MayDependOnElided. Here the items a and b become one conflict:
//
//	original               side                            other side
//	- {name: a, run: x}    - name: b                       - {name: a, run: y}
//	                         tasks: [{name: a, run: x}]
func (k *Keyed) markWrappers() {
	for _, s := range three.Sides {
		removed, added := k.findRemovedAndAdded(s)
		// a moved element is known to be at another place
		removed = slices.DeleteFunc(removed, func(n int) bool { return k.moved[k.elem(three.Original, n).Node] })
		added = slices.DeleteFunc(added, func(n int) bool { return k.has(s.Other(), n) })
		if len(removed)*len(added) > MaxComparisons {
			continue
		}
		for _, wrapper := range added {
			if wrapped := k.findWrapped(k.elem(s, wrapper).Node, removed); len(wrapped) > 0 {
				k.markWrapper(s, wrapper, wrapped)
			}
		}
	}
}

// markWrapper marks a wrapper and the elements in it as one conflict (IsWrap) if the other side changed one of these
// elements. wrapper and wrapped are indexes into k.Classes; s added wrapper and removed wrapped. If s wrapped all
// fields of a mapping, fields that the other side added to it are marked, too. It may set k.Lines.MayDependOnElided.
func (k *Keyed) markWrapper(s three.Version, wrapper int, wrapped []int) {
	conflict := append([]int{wrapper}, wrapped...)
	isChangedByOther := func(n int) bool { return k.editsOrDeletes(s.Other(), n) }
	hasChange := slices.ContainsFunc(wrapped, isChangedByOther)
	if k.hasAllFields(wrapped) {
		for _, n := range k.ClassOf[s.Other()] {
			if !k.has(three.Original, n) && !k.has(s, n) {
				conflict, hasChange = append(conflict, n), true
			}
		}
	}
	if !hasChange {
		return
	}
	if k.Lines != nil {
		k.Lines.MayDependOnElided = true
	}
	for _, n := range conflict {
		k.Classes[n].IsWrap = true
	}
}

// hasAllFields reports whether classes, which are indexes into k.Classes, contain every field of the original. It
// returns true if the original has no fields, and false if it has items of a list.
func (k *Keyed) hasAllFields(classes []int) bool {
	isMissing := func(n int) bool { return !k.elem(three.Original, n).IsField || !slices.Contains(classes, n) }
	return !slices.ContainsFunc(k.ClassOf[three.Original], isMissing)
}

// editsOrDeletes reports whether s edited or deleted an element that the other side removed. removed is the index of
// the element in k.Classes.
func (k *Keyed) editsOrDeletes(s three.Version, removed int) bool {
	return !k.has(s, removed) || !k.Hasher.Equal(k.elem(three.Original, removed).Node, k.elem(s, removed).Node)
}

// findWrapped returns which elements of removed are in wrapper. s removed these elements, and wrapper is the value of
// an element that s added. An element is in it if wrapper has a similar value at some depth (Wraps), or has the field
// with others of its mapping (appendWrappedFields). Elements are indexes into k.Classes, and may be returned twice.
func (k *Keyed) findWrapped(wrapper *syntax.Node, removed []int) (found []int) {
	fields := map[string]int{}
	for _, n := range removed {
		e := k.elem(three.Original, n)
		if e.IsField {
			fields[e.Identity] = n
		}
		// a single leaf may be equal by chance: it must have the same key as well
		if len(k.Hasher.leavesOf(e.Node).all) > 1 && k.Hasher.Wraps(wrapper, e.Node) {
			found = append(found, n)
		}
	}
	if len(fields) == 0 {
		return found
	}
	return k.appendWrappedFields(found, wrapper, fields)
}

// appendWrappedFields appends to found the removed fields that a mapping in n has, at any depth. For one of them, such
// as apt here, the mapping must have a field with the same key and a similar value: at least half of the leaves of the
// larger value are in both. Then all removed fields whose keys the mapping has are in it, such as when. fields has the
// removed fields by their keys. Fields are indexes into k.Classes.
//
//	original   side
//	apt: x     block:
//	when: a      apt: x
//	             when: b
func (k *Keyed) appendWrappedFields(found []int, n *syntax.Node, fields map[string]int) []int {
	var sameKey []int
	hasSimilarValue := false
	for _, e := range n.Entries {
		found = k.appendWrappedFields(found, e.Value, fields)
		if e.Key == nil {
			continue
		}
		if class, ok := fields[e.FieldKey()]; ok {
			sameKey = append(sameKey, class)
			hasSimilarValue = hasSimilarValue || k.Hasher.isSimilar(e.Value, k.elem(three.Original, class).Node, 0)
		}
	}
	if hasSimilarValue {
		found = append(found, sameKey...)
	}
	return found
}
