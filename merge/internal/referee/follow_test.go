package referee

import (
	"fmt"
	"strings"
	"testing"
)

func TestFollower(t *testing.T) {
	numbered := func(from, to int) string {
		var b strings.Builder
		for i := from; i < to; i++ {
			fmt.Fprintln(&b, i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, of, lines, missed string }{
		{"the same", "a\nb\n", "a\nb\n", ""},
		{"nothing", "", "a\n", "a\n"},
		{"no break at the end", "a\nb", "a\nb", ""},
		{"no break at the end, and more", "ab\n", "a", "a"},
		{"lost", "a\nb\nc\nd\n", "a\nd\n", ""},
		{"new", "a\nb\n", "a\nn\nb\n", "n\n"},
		{"another", "a\nb\nc\n", "a\nn\nc\n", "n\n"},
		{"all new", "a\n", numbered(0, 1000), numbered(0, 1000)},
		{"moved up", "a\nb\nc\n", "c\na\nb\n", "a\nb\n"},
		{"many lost", numbered(0, 3000), numbered(2000, 3000), numbered(2000, 2511)},
		{"many new", numbered(1000, 1100), numbered(0, 1100), numbered(0, 1000)},
	} {
		f := follower{rest: []byte(c.of)}
		var missed strings.Builder
		for line := range strings.Lines(c.lines) {
			if !f.passes([]byte(line)) {
				missed.WriteString(line)
			}
		}
		if missed.String() != c.missed {
			t.Errorf("%s: missed %q, want %q", c.name, &missed, c.missed)
		}
	}
}
