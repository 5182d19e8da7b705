package pair

import (
	"fmt"
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
		for _, s := range [2]three.Side{three.Original, three.Dest} {
			v[s] = make([]elem, r.IntN(12))
			for i := range v[s] {
				item := fmt.Sprintf("[x%d, x%d, x%d]", r.Uint64N(20), r.Uint64N(20), r.Uint64N(20))
				v[s][i].node = read(t, item).Nodes[three.Original]
			}
		}
		a := &ordered{v: v, sums: NewSums()}
		last := pairing{-1, -1}
		for _, p := range a.anchors(three.Dest, 0, len(v[three.Original]), 0, len(v[three.Dest])) {
			if p.o <= last.o || p.x <= last.x || a.sums.alike(v[three.Original][p.o].node, v[three.Dest][p.x].node) == 0 {
				t.Fatalf("%v behind %v", p, last)
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
