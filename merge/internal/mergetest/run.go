package mergetest

import (
	"runtime/debug"
	"testing"
)

// RunTests runs the tests of a package that merges many small files, and returns the exit code. Unless GOGC sets
// something else, the garbage collector waits until the heap has grown fivefold: with Go's default it takes a tenth to a
// quarter of the time of such tests. The limit keeps large merges from using more memory than with the default.
func RunTests(m *testing.M) int {
	if old := debug.SetGCPercent(400); old == 100 {
		debug.SetMemoryLimit(1 << 30)
	} else {
		debug.SetGCPercent(old)
	}
	return m.Run()
}
