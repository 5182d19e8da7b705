package app

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// A collector says when garbage is collected; nil leaves that to Go, and to
// GOGC in the environment.
type collector struct{ percent atomic.Int32 }

// lateCollector lets the heap grow to 32 MB before garbage is collected for the
// first time: most merges end before, and do not have to pay for it. From then
// on the collector runs as it always does, until so much is in use that it would let
// the heap grow beyond comfort: then it runs more often.
func lateCollector() *collector {
	if os.Getenv("GOGC") != "" {
		return nil
	}
	const first = 8 // times 4 MB, Go's least heap
	c := &collector{}
	c.percent.Store(int32(debug.SetGCPercent(first * 100)))
	c.atCollection(first * 100)
	return c
}

// atCollection sets what the collector does from its next run on, which happens by
// percent.
func (c *collector) atCollection(percent int) {
	mark := new(*byte) // unreachable, so that the next collection finds it
	runtime.AddCleanup(mark, func(c *collector) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		next := percentFor(m.NextGC*100/uint64(100+percent), int(c.percent.Load()))
		debug.SetGCPercent(next)
		c.atCollection(next)
	}, c)
}

// percentFor is by how much the heap may grow before the next collection where so many
// bytes are in use: by percent, but not beyond comfort, unless by a third.
func percentFor(inUse uint64, percent int) int {
	const comfort, least = 320 << 20, 33
	room := uint64(least)
	if inUse < comfort {
		room = max(room, (comfort-inUse)*100/max(inUse, 1))
	}
	return int(min(uint64(percent), room))
}

// rare collects less often, for commands that merge thousands of files: a
// tenth of their time for twice their memory, some 50 MB.
func (c *collector) rare() {
	if c != nil {
		c.percent.Store(250)
		debug.SetGCPercent(250)
	}
}

// growStack gives the goroutine room for what most merges put on its stack. It would
// else grow step by step, and each step takes longer the more is on it. A function asks for
// its whole frame when it is called; the room is not touched, which would cost the time that is saved.
//
//go:noinline
func growStack(touch bool) (b byte) {
	if touch {
		var room [64 << 10]byte
		b = room[len(os.Args)]
	}
	return b
}
