package merge

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// maxDepth is far deeper than people nest, and bounds what every level costs:
// a path, and a look at all that is below it.
const maxDepth = 1000

// checkDepth returns an error if a document of st is nested deeper than that.
func checkDepth(st *syntax.Stream) error {
	for _, d := range st.Docs {
		if deeper(d.Root, maxDepth) {
			return fmt.Errorf("nested deeper than %d levels", maxDepth)
		}
	}
	return nil
}

func deeper(n *syntax.Node, than int) bool {
	if than == 0 {
		return true
	}
	for _, e := range n.Entries {
		if len(e.Value.Entries) > 0 && deeper(e.Value, than-1) {
			return true
		}
	}
	return false
}
