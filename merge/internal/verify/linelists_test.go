package verify

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestBothOrders verifies lists whose order both sides changed.
func TestBothOrders(t *testing.T) {
	for _, c := range []struct {
		base, ours, theirs, result string
		isRight                    bool
	}{
		{"a b c d", "b a c d", "a b d c", "b a d c", true},
		{"a b c d", "b a c d", "b a c d", "b a c d", true},
		{"a b c d", "b a c d", "b a d c", "b a d c", true},
		{"a b c d", "b a c d", "b a d c", "b a c d", false},
		{"a b c d", "b a c d", "b a c d", "a b c d", false},
		{"a b c", "b a c", "a c b", "b a c", false}, // the order of b and c in theirs is lost
		{"a b c", "b a c", "a c b", "a c b", false}, // the order of a and b in ours is lost
		{"a b c", "b a c", "a c b", "c b a", false}, // no input has c above a
		{"a b c d e f", "a c d e f b", "b c d a e f", "c d a e f b", true},
		{"a b c d e f", "a c d e f b", "b c d a e f", "c d e f b a", false},
		{"a b c d", "d a b c", "b c d a", "b c d a", false}, // theirs' order of d, which ours moved
		{"a b c", "b a c", "b a c x", "b a c x", true},
		{"a b c d", "b x a c d", "a b d c", "b x a d c", true},
	} {
		if bad := checkLists(t, c.base, c.ours, c.theirs, c.result); (bad == nil) != c.isRight {
			t.Errorf("%v: %v", c, bad)
		}
	}
}

// checkLists returns the result of Check for files that consist of a list of strings. The items are separated by a
// blank; "" is an empty list.
func checkLists(t *testing.T, lists ...string) *Violation {
	t.Helper()
	var streams [versions]*syntax.Stream
	for v, items := range lists {
		lines := "[]\n"
		if items != "" {
			lines = "- " + strings.ReplaceAll(items, " ", "\n- ") + "\n"
		}
		s, err := syntax.Parse(text.New([]byte(lines)))
		if err != nil {
			t.Fatal(err)
		}
		streams[v] = s
	}
	return Check(Merge{Base: streams[base], Ours: streams[ours], Theirs: streams[theirs], Result: streams[result], Rules: &team.Rules{}})
}

// TestEmptiedList checks that an empty list is only explained by the deletions of both sides if both deleted a part.
func TestEmptiedList(t *testing.T) {
	for _, c := range []struct {
		ours, theirs string
		isByBoth     bool
	}{
		{"a", "b", true},
		{"a b", "a b", false},
		{"a", "a b", false},
	} {
		bad := checkLists(t, "a b", c.ours, c.theirs, "")
		if bad == nil || (bad.Rule == RuleEmptied) != c.isByBoth {
			t.Errorf("%v: %v", c, bad)
		}
	}
	if bad := checkLists(t, "a b", "", "a b", ""); bad != nil {
		t.Errorf("deleted by ours: %v", bad)
	}
}

// TestHasSwappedPair compares hasSwappedPair with a comparison of all pairs, for all orders of four items.
func TestHasSwappedPair(t *testing.T) {
	var orders [][]int32
	for n := range 256 {
		p := []int32{int32(n) & 3, int32(n) >> 2 & 3, int32(n) >> 4 & 3, int32(n) >> 6}
		seen := map[int32]bool{}
		for _, x := range p {
			seen[x] = true
		}
		if len(seen) == len(p) {
			orders = append(orders, p)
		}
	}
	for _, a := range orders {
		for _, b := range orders {
			want := false
			for j := range a {
				for i := range j {
					want = want || a[i] < a[j] && b[i] > b[j]
				}
			}
			if got := hasSwappedPair(a, b); got != want {
				t.Errorf("%v %v: %v", a, b, got)
			}
		}
	}
}

// TestIsBlockLine checks which lines of a script are parts of the block around them.
func TestIsBlockLine(t *testing.T) {
	for line, want := range map[string]bool{
		"fi": true, "  done": true, "}": true, "": true, "---": true, "end;": true, "{{ end }}": true,
		"a": false, "fi x": false, "make test": false, "a=1": false, "{{ .name }}": false,
	} {
		if got := isBlockLine(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
