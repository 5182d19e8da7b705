package history

import (
	"context"
	"runtime"
	"testing"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// BenchmarkReplay replays histories of the size of well-known repositories,
// packed as git packs them.
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
			g := busy(c.commits, c.merges, c.touched).repository(b)
			if _, err := g.Run("gc", "-q"); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				stop := peak()
				s, err := Replay(context.Background(), Options{Session: &session.Session{Git: g, Library: merge.Merge}}, func(*Case) error { return nil })
				if err != nil || s.Merges != c.merges || s.Touched != c.touched {
					b.Fatalf("%+v, %v", s, err)
				}
				b.ReportMetric(float64(stop())/(1<<20), "MB-from-system")
				b.ReportMetric(float64(s.Files)/s.Time.Seconds(), "files/s")
			}
		})
	}
}

// peak measures how much memory the process has from the system at most until
// the function that it returns is called.
func peak() func() uint64 {
	done, result := make(chan struct{}), make(chan uint64)
	go func() {
		var most uint64
		for {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.Sys-m.HeapReleased)
			select {
			case <-done:
				result <- most
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(done); return <-result }
}
