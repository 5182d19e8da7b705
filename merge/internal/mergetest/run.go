package mergetest

import (
	"os"
	"runtime/debug"
	"testing"
)

// RunTests runs the tests of a package that merges many small files, and returns the exit code. Unless GOGC is set, the
// garbage collector waits until the heap has grown fivefold: with Go's default it takes a tenth to a quarter of the time
// of such tests. The limit keeps large merges from using more memory than with the default.
func RunTests(m *testing.M) int {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		debug.SetMemoryLimit(1 << 30)
	}
	return m.Run()
}
