package app

import (
	"os"
	"runtime"
	"runtime/debug"
)

// lateCollector lets the heap grow to 32 MB before garbage is collected for the
// first time: most merges end before, and do not have to pay for it. From then
// on the collector runs as it always does. GOGC in the environment stands.
func lateCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const first = 8 // times 4 MB, Go's least heap
	usual := debug.SetGCPercent(first * 100)
	mark := new(*byte) // unreachable, so that the first collection finds it
	runtime.AddCleanup(mark, func(percent int) { debug.SetGCPercent(percent) }, usual)
}
