package pair

import (
	"math/rand/v2"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestAnchors holds of any two lists that anchors are alike and in order, that
// an item is one at most once.
func TestAnchors(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var v [3][]elem
		var parts [3][][]uint64
		for _, s := range [2]three.Side{three.Original, three.Dest} {
			v[s] = make([]elem, r.IntN(12))
			for range v[s] {
				parts[s] = append(parts[s], []uint64{r.Uint64N(20), r.Uint64N(20), r.Uint64N(20)})
			}
		}
		shared := func(a three.Side, i int, b three.Side, j int) float64 {
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
		a := &ordered{v: v, alike: shared, parts: func(s three.Side, i int) []uint64 { return parts[s][i] }}
		last := pairing{-1, -1}
		for _, p := range a.anchors(three.Dest, 0, len(v[three.Original]), 0, len(v[three.Dest])) {
			if p.o <= last.o || p.x <= last.x || shared(three.Original, p.o, three.Dest, p.x) == 0 {
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
