package merge

import (
	"os"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
)

// TestMain runs the tests with less garbage collection.
func TestMain(m *testing.M) { os.Exit(mergetest.RunTests(m)) }
