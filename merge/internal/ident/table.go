// Package ident decides which nodes of three versions are one thing.
//
// Elements of one collection are first matched by identity or, in ordered lists, by value. What is left over is matched
// by the alignment of git's diff, and by similarity (see joinLeftovers for their order). The result is a Class for each
// element, or, for ordered lists, Items. The thresholds and scores of similarity are in thresholds.go.
//
// Terms:
//
//	side       dest or updated (ours or theirs): the versions that edited the original (base)
//	element    a field of a mapping, an item of a list, or a document
//	identity   the mapping key of a field, the associative key of an item, or the kind and name of a document
//	class      one element, as its index in each version; also how it was found if a side changed the identity
//	leaf       a scalar, an alias, an empty collection or a line of a text, with the mapping keys that lead to it
//	label      a field by which an item may be recognized, with its value, as in "name=web"
//	section    a range of the original's items and a range of a side's items, which are compared with each other
//	apart      of an item: at such different places in the versions that the matches, which are in order, lack it
//	wrapper    a new element into which a side moved others of the same collection (see wrap.go)
//	elided     left out of large files for speed; if a match might be different with what is elided, for example
//	           because lines are compared, Lines.MayDependOnElided is set
//
// An example: the fields of these mappings have four classes, with their index in each version.
//
//	original    dest        updated     classes (Index)
//	name: web   name: web   name: web   {0, 0, 0}
//	cpu: 1      cpu: 2      mem: 1      {1, 1, -1}
//	mem: 1      mem: 1      port: 80    {2, 2, 1}
//	                                    {-1, -1, 2}
//
// Two findings do not make a class. A wrapped element has no node of its own beside its wrapper, which several elements
// may share, so that it is only a conflict (markWrappers). A field that moved to another mapping can only be found
// after all collections of a document were matched (FindMoves).
//
// The package decides neither the order of the result nor whether an edit of one side is made where the other side
// moved the element. Packages pair and plan do.
package ident

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A Table has the classes of the nodes of three versions of a file. Its methods are not safe for concurrent use.
type Table struct {
	Rules         *team.Rules
	File          string  // the path of the file in its repository
	MultiDocument bool    // a version has several documents
	Hasher        *Hasher // nil to match only by identity
	Lines         *Lines  // nil if elements are not to be matched by their lines
	// AfterMatch, if it is not nil, is called with the elements of each matched collection. Tests make wrong classes with
	// it. One of Keyed and Items is set.
	AfterMatch func(Children)
	// NewIdentityFunc returns a function that returns the identity of a resource; nil means schema.IdentityFunc.
	NewIdentityFunc func(v [3][]*syntax.Node) func(*syntax.Node) string

	known map[three.Nodes]Children // the matched collections (MatchEntries)
	moved map[*syntax.Node]bool    // see SetMoved
}

// A Class is one element (field, item or document) in all versions that have it.
type Class struct {
	Index [3]int // of the element in its collection in each version; -1 if the version lacks it
	How   How
	// IsWrap means that the element is in conflict, because a side moved it into an element that it added, or moved
	// others into this one. Package pair makes one conflict of adjacent such elements.
	IsWrap bool
}

// How is the reason why the nodes of a class are one thing, although a side gave the element another identity.
type How uint8

// The reasons.
const (
	ByIdentity How = iota // all nodes have the same identity
	ByLeaves              // a side renamed the element: most of its leaves are equal
	ByLines               // a side renamed the element: git's diff aligns most of its lines
)

// IdentityFunc returns a function that returns the identity of a resource: kind, namespace and name, followed by the
// API group if these are not unique in a version. Another document is identified by its anchor, or has "". If
// t.NewIdentityFunc is set, it decides instead. v has all nodes to be identified, by version.
func (t *Table) IdentityFunc(v [3][]*syntax.Node) func(*syntax.Node) string {
	if t.NewIdentityFunc != nil {
		return t.NewIdentityFunc(v)
	}
	return schema.IdentityFunc(v, schema.Namespace)
}

// ResourcePlace returns the schema.Place of the root of resource n, which has the file, the API version and the
// kind.
func (t *Table) ResourcePlace(n *syntax.Node) *schema.Place {
	return &schema.Place{File: t.File, APIVersion: n.ScalarAt("apiVersion"), Kind: n.ScalarAt("kind")}
}
