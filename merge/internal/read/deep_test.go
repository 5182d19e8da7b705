package read

import (
	"strings"
	"testing"
)

func TestMayBeDeep(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      bool
	}{
		{"nothing", "", false},
		{"lists in lists", strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1), true},
		{"not quite as many", strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth), false},
		{"mappings in mappings on many lines", strings.Repeat("{a:\n", MaxDepth+1), true},
		{"many lists in a row", strings.Repeat("- [{a: []}]\n", MaxDepth), false},
		{"items in items", strings.Repeat("- ", MaxDepth) + "a", true},
		{"keys in keys", "a\n" + strings.Repeat("? ", MaxDepth) + "a", true},
		{"far in", "a:\n" + strings.Repeat(" ", MaxDepth) + "b:", true},
		{"long lines", strings.Repeat("many words ", MaxDepth) + "\n" + strings.Repeat("- ", MaxDepth/8), false},
	} {
		if got := mayBeDeep([]byte(c.src)); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
