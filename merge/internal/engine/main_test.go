package engine

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets the garbage collector wait until the heap has grown fivefold, unless GOGC is set. With Go's default it
// takes a tenth of the time of these tests, which merge many small files. The tests of memory count what is allocated,
// which does not depend on it. The limit keeps large merges from using more memory than before.
//
// With -short, which is for tests of a machine, it makes few generated merges.
func TestMain(m *testing.M) {
	if flag.Parse(); testing.Short() {
		for _, n := range []*int{triples, denseCases, flows, ruleTriples} {
			*n = min(*n, 50)
		}
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(1 << 30)
	}
	os.Exit(m.Run())
}
