package template

import (
	"strings"
	"testing"
)

func TestInOrder(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"a", "", true},
		{"", "a b", true},
		{"a b c", "a b c", true},
		{"a b c", "a x c", true},
		{"a b c", "x a y b z c", true},
		{"a b c", "a c b", false},
		{"a b", "b a", false},
		{"a a b", "a b a", false},
		{"a b a", "a a", true},
		{"x y a", "a z w", true},
		{"a x b y c", "b a", false},
	} {
		a, b := strings.Fields(c.a), strings.Fields(c.b)
		if inOrder(a, b) != c.want || inOrder(b, a) != c.want {
			t.Errorf("%q, %q: want %v both ways", c.a, c.b, c.want)
		}
	}
}
