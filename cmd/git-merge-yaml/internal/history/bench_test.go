package history

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// BenchmarkReplay replays histories of the size of well-known repositories, after git gc. It reports the peak memory and the
// number of merged files per second.
func BenchmarkReplay(b *testing.B) {
	for _, c := range []struct {
		name                     string
		commits, merges, touched int
	}{
		{"7000commits", 7000, 2800, 12},
		{"15000merges", 32000, 15000, 200},
		{"2000files", 4000, 2000, 2000},
	} {
		b.Run(c.name, func(b *testing.B) {
			g := busyHistory(c.commits, c.merges, c.touched).createRepository(b)
			if _, err := g.Run("gc", "-q"); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				stopWatching := watchPeakMemory()
				s, err := Replay(context.Background(), Options{Session: &session.Session{Git: g, Library: merge.Merge}}, func(*Case) error { return nil })
				if err != nil || s.Merges != c.merges || s.Touched != c.touched {
					b.Fatalf("%+v, %v", s, err)
				}
				b.ReportMetric(float64(stopWatching())/(1<<20), "MB-from-system")
				b.ReportMetric(float64(s.Files)/s.Time.Seconds(), "files/s")
			}
		})
	}
}

// watchPeakMemory samples the memory that the process has from the system, every 50 milliseconds. The function that it
// returns ends the sampling and returns the maximum in bytes.
func watchPeakMemory() func() uint64 {
	done, result := make(chan struct{}), make(chan uint64)
	go func() {
		var peak uint64
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.Sys-m.HeapReleased)
			select {
			case <-done:
				result <- peak
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(done); return <-result }
}
