package referee

import (
	"math/rand"
	"slices"
	"testing"
)

// TestPool holds a pool against a slice, from which rows are cut.
func TestPool(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for size := range 20 {
		var p pool
		var want []int
		for i := range size {
			p.add(&row{})
			want = append(want, i)
		}
		for {
			var got []int
			for i := range p.each {
				got = append(got, i)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("%v are left, not %v", got, want)
			}
			if len(want) == 0 {
				break
			}
			if p.first() != p.rows[want[0]] {
				t.Fatalf("the first of %v is another", want)
			}
			k := r.Intn(len(want))
			p.remove(want[k])
			want = slices.Delete(want, k, k+1)
		}
		if p.first() != nil {
			t.Fatal("an empty pool has a row")
		}
	}
}
