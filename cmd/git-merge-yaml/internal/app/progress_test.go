package app

import (
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
