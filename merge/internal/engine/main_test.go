package engine

import (
	"flag"
	"os"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
)

// TestMain runs the tests with less garbage collection: the tests of memory count what is allocated, which does not
// depend on it. With -short, which is for tests of a machine, it makes few generated merges.
func TestMain(m *testing.M) {
	if flag.Parse(); testing.Short() {
		for _, n := range []*int{triples, denseCases, flows, ruleTriples} {
			*n = min(*n, 50)
		}
	}
	os.Exit(mergetest.RunTests(m))
}
