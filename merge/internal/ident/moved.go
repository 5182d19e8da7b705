package ident

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"

// A side moves a mapping if it deletes the field that has it, and adds a field with nearly the same mapping at another
// place of the document. This is the case if a resource gets a new version of its schema:
//
//	spec:                    spec:
//	  validation:              versions:
//	    openAPIV3Schema:   →     - name: v1
//	      type: object             schema:
//	      ...                        openAPIV3Schema:
//	                                   type: object
//	                                   ...

// MayBeMoved reports whether n is a mapping in block style with at least ten leaves: scalars, aliases and empty
// collections, at any depth; a text has one for each line that is not blank. Only such a mapping is recognized if it is
// moved to another place.
func (h *Hasher) MayBeMoved(n *syntax.Node) bool {
	return n.Kind == syntax.Mapping && n.Style == syntax.Block && h.HasMovableSize(n)
}

// HasMovableSize reports whether n, of any kind and style, has at least ten leaves: scalars, aliases and empty
// collections, at any depth; a text has one for each line that is not blank. A smaller node cannot contain a mapping
// that is recognized if it is moved.
func (h *Hasher) HasMovableSize(n *syntax.Node) bool { return len(h.leavesOf(n).all) >= minMovedLeaves }

// FindMoved returns the mappings in root, at any depth, that have more than four fifths of the leaves of n: the places
// to which n may have been moved. A mapping comes after those inside of it. The result is nil if there are none. A leaf
// is a scalar, an alias or an empty collection, with the mapping keys that lead to it; a text has one for each line
// that is not blank. Leaves that unrelated mappings share (apiVersion, kind and nulls) are not counted if both have
// them. Without them, n must have at least ten leaves. root itself can be in the result, and so can n if it is in root.
// Mappings in flow style ({a: 1}) are left out, because they can be so deep that comparing each level takes minutes.
func (h *Hasher) FindMoved(n, root *syntax.Node) (found []*syntax.Node) {
	size := len(h.leavesOf(n).all)
	var visit func(x *syntax.Node) (leafCount int)
	visit = func(x *syntax.Node) (leafCount int) {
		for _, e := range x.Entries {
			leafCount += visit(e.Value)
		}
		if len(x.Entries) == 0 {
			return max(1, len(x.TextLines()))
		}
		if x.Kind == syntax.Mapping && x.Style == syntax.Block && 5*leafCount > 4*size && h.hasMostOf(x, n) {
			found = append(found, x)
		}
		return leafCount
	}
	visit(root)
	return found
}

// hasMostOf reports whether x has more than four fifths of the leaves of n. A leaf is a scalar or an empty collection,
// with the mapping keys that lead to it from x or n. Leaves that unrelated mappings share (apiVersion, kind and nulls)
// are left out of the size of n if both have them. If n then has less than ten leaves, hasMostOf returns false.
func (h *Hasher) hasMostOf(x, n *syntax.Node) bool {
	a, b := h.leavesOf(x), h.leavesOf(n)
	same, _, _ := a.compare(b)
	size := len(b.all) - syntax.CountCommon(a.boilerplate, b.boilerplate)
	return size >= minMovedLeaves && 5*same > 4*size
}
