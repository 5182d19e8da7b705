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
		last := 0
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
			at, _ := slices.BinarySearch(want, last)
			got = nil
			for i := range p.onward {
				got = append(got, i)
			}
			if !slices.Equal(got, slices.Concat(want[at:], want[:at])) {
				t.Fatalf("%v behind %d, of %v", got, last, want)
			}
			if len(want) == 0 {
				break
			}
			if p.first() != p.rows[want[0]] {
				t.Fatalf("the first of %v is another", want)
			}
			k := r.Intn(len(want))
			last = want[k]
			p.remove(last)
			want = slices.Delete(want, k, k+1)
		}
		if p.first() != nil {
			t.Fatal("an empty pool has a row")
		}
	}
}
