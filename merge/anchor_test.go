package merge

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestManyItemsAllChanged merges lists of more items than are compared one by
// one, all of them changed by both sides, with others inserted and deleted.
func TestManyItemsAllChanged(t *testing.T) {
	version := func(ours, theirs bool) []byte {
		return []byte(times(600, func(i int) string {
			if (ours || theirs) && i%101 == 50 {
				return "" // both delete it
			}
			item := fmt.Sprintf("- u: %d\n  a: %d\n  b: %d\n  c: 7\n", i, i+5000*len(or(ours, "x", "")), i+9000*len(or(theirs, "x", "")))
			return item + or(ours && i%37 == 5, fmt.Sprintf("- ours %d\n", i), "") + or(theirs && i%41 == 11, fmt.Sprintf("- theirs %d\n", i), "")
		}))
	}
	o, d, u, want := version(false, false), version(true, false), version(false, true), version(true, true)
	for name, v := range map[string][2][]byte{"as it is": {d, u}, "swapped": {u, d}} {
		res, err := Merge(o, v[0], v[1], Options{})
		switch {
		case err != nil || !res.Clean():
			t.Errorf("%s: %d conflicts, %s %v", name, len(res.Conflicts), res.Reason, err)
		case string(res.Bytes) != string(want):
			t.Errorf("%s: another merge", name)
		}
	}
}

// TestAnchors holds of any two lists that anchors are alike and in order, that
// an item is one at most once.
func TestAnchors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var v [3][]elem
		var parts [3][][]uint64
		for _, s := range [2]side{original, dest} {
			v[s] = make([]elem, r.IntN(12))
			for range v[s] {
				parts[s] = append(parts[s], []uint64{r.Uint64N(20), r.Uint64N(20), r.Uint64N(20)})
			}
		}
		shared := func(a side, i int, b side, j int) float64 {
			n := 0.0
			for _, x := range parts[a][i] {
				for _, y := range parts[b][j] {
					if x == y {
						n++
					}
				}
			}
			return n
		}
		a := &ordered{v: v, alike: shared, parts: func(s side, i int) []uint64 { return parts[s][i] }}
		last := pairing{-1, -1}
		for _, p := range a.anchors(dest, 0, len(v[original]), 0, len(v[dest])) {
			if p.o <= last.o || p.x <= last.x || shared(original, p.o, dest, p.x) == 0 {
				t.Fatalf("%v behind %v of %v", p, last, parts)
			}
			last = p
		}
	}
}

// TestLongestInOrder holds it against the definition.
func TestLongestInOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		all := make([]pairing, r.IntN(12))
		for i, x := range r.Perm(len(all)) {
			all[i] = pairing{i, x}
		}
		best := make([]int, len(all)) // the length of the longest that ends there
		most := 0
		for i := range all {
			best[i] = 1
			for j := range i {
				if all[j].x < all[i].x {
					best[i] = max(best[i], best[j]+1)
				}
			}
			most = max(most, best[i])
		}
		got := longestInOrder(all)
		for i := 1; i < len(got); i++ {
			if got[i].o <= got[i-1].o || got[i].x <= got[i-1].x {
				t.Fatalf("%v of %v is not in order", got, all)
			}
		}
		if len(got) != most {
			t.Fatalf("%v of %v, but %d are in order", got, all, most)
		}
	}
}
