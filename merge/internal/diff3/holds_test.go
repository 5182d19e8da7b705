package diff3

import (
	"strings"
	"testing"
)

func TestHolds(t *testing.T) {
	for _, c := range []struct {
		base, side, other string
		want              bool
	}{
		{"a b", "a x b", "a x b", true},
		{"a b", "a x b", "z a x b y", true},
		{"a b", "a x b", "a b", false},
		{"a b", "a x b", "a b x", false},
		{"a b c", "a c", "a c d", true},
		{"a b c", "a c", "a b c d", false},
		{"a b c", "a c", "a x c", false}, // deleted and changed
		{"a b c", "a c", "b a c", false},
		{"a - b - c", "a - c", "a - c - d", true},
		{"a b c", "c a b", "c a b d", false}, // moved
		{"", "x", "x y", true},
	} {
		lines := func(s string) []byte { return []byte(strings.ReplaceAll(s, " ", "\n") + "\n") }
		if got := Of(lines(c.base), lines(c.side), lines(c.other)).Holds(); got != c.want {
			t.Errorf("Holds(%q, %q, %q) = %v", c.base, c.side, c.other, got)
		}
	}
}

func TestLacks(t *testing.T) {
	for _, c := range []struct {
		base, side, other string
		lacking, put      int
		ok                bool
	}{
		{"a b", "a x b", "a x b", 0, 1, true},
		{"a b", "a x b", "x a", 0, 1, true},
		{"a b", "a x b", "a b", 0, 0, false},
		{"a b c", "a c", "a c d", 0, 0, true},
		{"a b b", "a b b b", "a x b b", 1, 1, true},
		{"a b b", "a b b b", "a x b", 1, 1, true},
		{"a b", "a b x a y z", "y a x z", 1, 4, true}, // a copy of a line that was changed in one place
	} {
		lines := func(s string) []byte { return []byte(strings.ReplaceAll(s, " ", "\n") + "\n") }
		lacking, put, ok := Of(lines(c.base), lines(c.side), lines(c.other)).Lacks()
		if lacking != c.lacking || put != c.put || ok != c.ok {
			t.Errorf("Lacks(%q, %q, %q) = %d, %d, %v", c.base, c.side, c.other, lacking, put, ok)
		}
	}
}

func TestChanges(t *testing.T) {
	for _, c := range []struct {
		base, side, other string
		want              bool
	}{
		{"a b c", "a c", "a c d", false},
		{"a b c", "a c", "a b c", false},
		{"a web:1 c", "a c", "a web:2 c", true}, // deleted and changed
		{"a web:1 c", "a c", "a db:2 c", false},
		{"a b c", "a y c", "a x c", false},
		{"a b c", "a y c", "a y x c", false},
	} {
		lines := func(s string) []byte { return []byte(strings.ReplaceAll(s, " ", "\n") + "\n") }
		if got := Of(lines(c.base), lines(c.side), lines(c.other)).Changes(); got != c.want {
			t.Errorf("Changes(%q, %q, %q) = %v", c.base, c.side, c.other, got)
		}
	}
}

func TestRest(t *testing.T) {
	for _, c := range []struct {
		base, side, other, want string
		ok                      bool
	}{
		{"a b c", "a x b c", "a x b y c", "a b y c", true},
		{"a b c", "a c", "z a c", "z a b c", true},
		{"a b c", "a x b c", "a y b c", "", false}, // other changed what side did
	} {
		lines := func(s string) []byte { return []byte(strings.ReplaceAll(s, " ", "\n") + "\n") }
		got, ok := Of(lines(c.base), lines(c.side), lines(c.other)).Rest()
		if ok != c.ok || ok && string(got) != string(lines(c.want)) {
			t.Errorf("Rest(%q, %q, %q) = %q, %v", c.base, c.side, c.other, got, ok)
		}
	}
}
