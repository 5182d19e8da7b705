package app

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// gcPercent is what SetGCPercent was given last.
func gcPercent() int {
	p := debug.SetGCPercent(100)
	debug.SetGCPercent(p)
	return p
}

func TestLateCollector(t *testing.T) {
	usual := gcPercent()
	t.Cleanup(func() { debug.SetGCPercent(usual) })
	t.Setenv("GOGC", "50")
	if lateCollector(); gcPercent() != usual {
		t.Error("GOGC in the environment does not stand")
	}
	t.Setenv("GOGC", "")
	if lateCollector(); gcPercent() <= usual {
		t.Error("the first collection is not late")
	}
	for range 100 { // the cleanup runs after the collection
		if runtime.GC(); gcPercent() == usual {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("after a collection it is %d, want %d", gcPercent(), usual)
}
