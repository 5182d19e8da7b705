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
		if got := Holds(lines(c.base), lines(c.side), lines(c.other)); got != c.want {
			t.Errorf("Holds(%q, %q, %q) = %v", c.base, c.side, c.other, got)
		}
	}
}

func TestHas(t *testing.T) {
	for _, c := range []struct {
		base, side, other string
		want              Lack
	}{
		{"a b", "a x b", "a x b", LacksNone},
		{"a b", "a x b", "x a", LacksNone},
		{"a b", "a x b", "a b", Lacks},
		{"a b c", "a c", "a c d", LacksNone},
		{"a b c", "a c", "a b c", LacksNone},
		{"a b c", "a c", "a x c", Lacks}, // deleted and changed
		{"a b c", "a y c", "a x c", Lacks},
		{"a b c", "a y c", "a y x c", LacksNone},
		{"a b b", "a b b b", "a x b b", LacksCopies},
		{"a b b", "a b b b", "a x b", LacksTaken},
		{"- - a", "- - - a", "- - a", LacksCopies},
	} {
		lines := func(s string) []byte { return []byte(strings.ReplaceAll(s, " ", "\n") + "\n") }
		if got := Has(lines(c.base), lines(c.side), lines(c.other)); got != c.want {
			t.Errorf("Has(%q, %q, %q) = %v", c.base, c.side, c.other, got)
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
		got, ok := Rest(lines(c.base), lines(c.side), lines(c.other))
		if ok != c.ok || ok && string(got) != string(lines(c.want)) {
			t.Errorf("Rest(%q, %q, %q) = %q, %v", c.base, c.side, c.other, got, ok)
		}
	}
}
