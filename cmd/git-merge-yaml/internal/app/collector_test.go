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
	c := lateCollector()
	if gcPercent() <= usual {
		t.Error("the first collection is not late")
	}
	afterCollection(t, usual)
	if c.rare(); gcPercent() <= usual {
		t.Error("collections are not rare")
	}
	debug.SetGCPercent(usual)
	lateCollector().rare()
	afterCollection(t, 250)
}

func afterCollection(t *testing.T, want int) {
	t.Helper()
	for range 100 { // the cleanup runs after the collection
		if runtime.GC(); gcPercent() == want {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("after a collection it is %d, want %d", gcPercent(), want)
}

func TestPercentFor(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct{ inUse, percent, want int }{
		{0, 100, 100}, {4 * mb, 100, 100}, {160 * mb, 100, 100}, {200 * mb, 100, 60}, {200 * mb, 250, 60}, {100 * mb, 250, 220},
		{300 * mb, 100, 33}, {320 * mb, 100, 33}, {5000 * mb, 100, 33}, {5000 * mb, 20, 20},
	} {
		if got := percentFor(uint64(c.inUse), c.percent); got != c.want {
			t.Errorf("%d MB by %d: %d, want %d", c.inUse/mb, c.percent, got, c.want)
		}
	}
}
