package ident

import (
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
)

// TestPathsOfLeaves checks that a dot at the start of a key stays in the paths that isExcluded gets.
func TestPathsOfLeaves(t *testing.T) {
	var paths []string
	isExcluded := func(path string) bool {
		paths = append(paths, path)
		return false
	}
	NewHasher().forEachLeaf(trees.Root(t, "{.metadata: {name: a}, list: [{.b: 1}]}"), isExcluded, func(leaf) {})
	if want := []string{".metadata", ".metadata.name", "list", ".b"}; !slices.Equal(paths, want) {
		t.Errorf("paths %q, want %q", paths, want)
	}
}
