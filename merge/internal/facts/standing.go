package facts

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Standing is what stands of three versions by a rule set.
type Standing struct {
	// Docs are the roots of the documents, as one list.
	Docs *Node
	// Kinds says what the lists in Docs are; one that it lacks is one value.
	Kinds map[*syntax.Node]schema.List
	// Gone is what of ours and theirs does not stand.
	Gone [Versions][]text.Span
	// ByPlace says that resources are known by their place in the file.
	ByPlace bool
}
