package resolve

import (
	"strings"
	"testing"
)

func TestNeighbours(t *testing.T) {
	for _, c := range []struct {
		shown, value          string
		firstFrom, firstTo    int
		lastFrom, lastToShown int
	}{
		{"a b c", "b", 1, 2, 1, 2},
		{"a b c", "a b", 0, 2, 0, 2},
		{"a b c", "x a b", 0, 0, 0, 2}, // its beginning is not shown
		{"a b c", "c x y", 2, 3, 0, 0}, // its end is not
		{"a b c", "z", 0, 0, 0, 0},
		{"", "z", 0, 0, 0, 0},
	} {
		shown, value := strings.Fields(c.shown), strings.Fields(c.value)
		if n := firstOf(shown, value); n.from != c.firstFrom || n.to != c.firstTo {
			t.Errorf("firstOf(%q, %q) = %d to %d", c.shown, c.value, n.from, n.to)
		}
		if n := lastOf(shown, value); n.from != c.lastFrom || n.to != c.lastToShown {
			t.Errorf("lastOf(%q, %q) = %d to %d", c.shown, c.value, n.from, n.to)
		}
	}
}
