package history

import (
	"context"
	"errors"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

var errStop = errors.New("stop")

// TestReplayStops checks that an error of each, or a canceled context, ends the run, and that the summary then counts only
// the merges and files before.
func TestReplayStops(t *testing.T) {
	g := busyHistory(60, 20, 4).createRepository(t)
	o := Options{Session: &session.Session{Git: g, Library: merge.Merge}}
	n := 0
	s, err := Replay(context.Background(), o, func(c *Case) error {
		if n++; c.Number != n {
			t.Errorf("number %d, want %d", c.Number, n)
		}
		if n == 2 {
			return errStop
		}
		return nil
	})
	if !errors.Is(err, errStop) || n != 2 || s.Files != 2 {
		t.Errorf("%d files, %+v, %v", n, s, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(seen, merges, _ int) {
		if merges != 20 {
			t.Errorf("%d merges", merges)
		}
		if seen == 3 {
			cancel()
		}
	}
	s, err = Replay(ctx, o, func(*Case) error { return nil })
	if !errors.Is(err, context.Canceled) || s.Merges != 3 {
		t.Errorf("cancelled: %+v, %v", s, err)
	}
}
