package app

import (
	"bytes"
	"testing"
	"time"
)

func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		gone         time.Duration
		seen, merges int
		want         string
	}{
		{time.Second, 1, 9000, ""},
		{time.Second, 1, 2, ", 1s left"},
		{4 * time.Second, 10, 9000, ", 59m56s left"},
		{0, 0, 0, ", 0s left"},
	} {
		if got := timeLeft(c.gone, c.seen, c.merges); got != c.want {
			t.Errorf("%v: %q", c, got)
		}
	}
}

// TestProgress: there is a bar once a walk has taken a while, and it goes.
func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := &progress{w: &b, start: time.Now()}
	p.update(1, 4, 9)
	p.clear()
	if b.Len() > 0 {
		t.Errorf("at once: %q", &b)
	}
	p.start = p.start.Add(-atFirst)
	p.update(1, 4, 9)
	p.update(2, 4, 9) // too soon
	p.clear()
	if want := "\r[####............] 1 of 4 merges, 9 files, 2s left\x1b[K\r\x1b[K"; b.String() != want {
		t.Errorf("%q, want %q", &b, want)
	}
}
