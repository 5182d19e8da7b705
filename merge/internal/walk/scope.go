package walk

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A scope is where the walk is. It goes down with the walk by value, so that what
// an entry says of what it holds ends with it.
type scope struct {
	path  *three.Path
	cols  [3]int // the column of the entry at hand in each version
	deep  bool   // compare no bytes: descend to the leaves
	inner bool   // it stands in an entry, not at the root of a document

	of   three.Nodes                     // the collection whose entries are merged
	name func(three.Entries) *three.Path // spells the path of one of them

	guessed bool // the key of the list around the entry at hand is inferred, and no name
}

// inside is the scope of the entries of v.
func (in scope) inside(v three.Nodes, name func(three.Entries) *three.Path) scope {
	in.of, in.name = v, name
	return in
}

// below is the scope of what the entry c of the collection at hand holds.
func (in scope) below(c *plan.Child) scope {
	in.inner, in.path, in.guessed = true, c.Path, false
	for s, n := range in.of {
		if n != nil {
			in.cols[s] = max(n.Indent, 0)
		}
	}
	return in
}
