package diff3

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// chars returns each character of a as a string.
func chars(a string) []string { return strings.Split(a, "")[:len(a)] }

var matchCases = []struct{ a, b, want string }{
	{"", "", ""},
	{"a", "", ""},
	{"", "a", ""},
	{"a", "b", ""},
	{"a", "a", "0=0+1"},
	{"abc", "abc", "0=0+3"},
	{"abc", "xabc", "0=1+3"},
	{"abc", "abcx", "0=0+3"},
	{"abc", "axc", "0=0+1 2=2+1"},
	{"abc", "ac", "0=0+1 2=1+1"},
	{"abcd", "bd", "1=0+1 3=1+1"},
	{"aab", "ab", "0=0+1 2=1+1"},               // the last of equal items is deleted
	{"ab", "aab", "0=0+1 1=2+1"},               // or inserted
	{"abab", "abxab", "0=0+2 2=3+2"},           // an insertion
	{"axaxa", "axa", "0=0+3"},                  // the deletion slides to the end
	{"abcabba", "cbabac", "2=0+1 4=1+1 5=3+2"}, // the example in the article by Myers
	{"xay", "yax", "2=0+1"},
	{"abcdef", "defabc", "3=0+3"},
}

func TestMatch(t *testing.T) {
	for _, c := range matchCases {
		runs := Match(chars(c.a), chars(c.b))
		var got []string
		for _, r := range runs {
			got = append(got, fmt.Sprintf("%d=%d+%d", r.A, r.B, r.Len))
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s %s: %s, want %s", c.a, c.b, s, c.want)
		}
		checkRuns(t, chars(c.a), chars(c.b), runs)
	}
}

// checkRuns fails the test if runs is not an alignment of a and b.
func checkRuns[T comparable](t *testing.T, a, b []T, runs []Run) {
	t.Helper()
	var end Run // the indexes after the last run
	for i, r := range runs {
		switch {
		case r.Len < 1 || r.A < end.A || r.B < end.B || r.A+r.Len > len(a) || r.B+r.Len > len(b):
			t.Fatalf("bad run %v in %v", r, runs)
		case i > 0 && r.A == end.A && r.B == end.B:
			t.Fatalf("run %v touches the one before it in %v", r, runs)
		case !slices.Equal(a[r.A:r.A+r.Len], b[r.B:r.B+r.Len]):
			t.Fatalf("run %v is not equal", r)
		}
		end = Run{A: r.A + r.Len, B: r.B + r.Len}
	}
}
