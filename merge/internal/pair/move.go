package pair

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

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

// minMovedLeaves is the minimum number of leaves of a mapping that counts as moved. A smaller one may have been written
// again for another purpose, as the limits of a container are.
const minMovedLeaves = 10

// MayBeMoved reports whether n is a mapping in block style that is large enough to be recognized at another place.
func (h *hasher) MayBeMoved(n *syntax.Node) bool {
	return n.Kind == syntax.Mapping && n.Style == syntax.Block && h.HasMovableSize(n)
}

// HasMovableSize reports whether n is large enough to have a mapping that was moved.
func (h *hasher) HasMovableSize(n *syntax.Node) bool { return len(h.leavesOf(n).all) >= minMovedLeaves }

// FindMoved returns the mappings in block style in root, at any depth, that have more than four fifths of the leaves of n.
// Boilerplate is not counted. Flow style is left out, because it can be so deep that comparing each level takes minutes.
func (h *hasher) FindMoved(n, root *syntax.Node) (found []*syntax.Node) {
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

// hasMostOf reports whether x has more than four fifths of the leaves of n, and n at least minMovedLeaves.
func (h *hasher) hasMostOf(x, n *syntax.Node) bool {
	a, b := h.leavesOf(x), h.leavesOf(n)
	same, _, _ := a.compare(b)
	size := len(b.all) - syntax.CountCommon(a.boilerplate, b.boilerplate)
	return size >= minMovedLeaves && 5*same > 4*size
}
