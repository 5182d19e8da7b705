package syntax

import (
	"slices"
	"testing"
)

// TestCountCommon checks that elements count as often as both slices have them, in either order, also if one slice is
// so much longer that its elements are looked up.
func TestCountCommon(t *testing.T) {
	long := make([]uint64, 100)
	for i := range long {
		long[i] = uint64(10 + i)
	}
	for _, c := range []struct {
		a, b []uint64
		want int
	}{
		{nil, nil, 0},
		{nil, long, 0},
		{[]uint64{1, 1, 2}, []uint64{1, 1, 1}, 2},
		{[]uint64{10, 10, 109, 110}, long, 2},
		{[]uint64{1, 12, 12, 12}, slices.Sorted(slices.Values(append(slices.Clone(long), 12))), 2},
		{[]uint64{200, 201}, long, 0},
	} {
		if got, swapped := CountCommon(c.a, c.b), CountCommon(c.b, c.a); got != c.want || swapped != c.want {
			t.Errorf("%d with %d elements: %d and %d, want %d", len(c.a), len(c.b), got, swapped, c.want)
		}
	}
}
