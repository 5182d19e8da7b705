package text

import "fmt"

// An Edit replaces the bytes of Span by New.
type Edit struct {
	Span
	New []byte
}

// Apply returns src with the edits done. They must be sorted by position and
// must not overlap; edits at one offset are done in their order. Apply
// returns an error if any edit is out of bounds, out of order or overlaps
// another. Neither src nor edits are changed.
func Apply(src []byte, edits []Edit) ([]byte, error) {
	size, err := check(len(src), edits)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, size)
	last := 0
	for _, e := range edits {
		out = append(out, src[last:e.Start]...)
		out = append(out, e.New...)
		last = e.End
	}
	return append(out, src[last:]...), nil
}

// check returns the size of the result.
func check(size int, edits []Edit) (int, error) {
	n, last, result := size, 0, size
	for i, e := range edits {
		switch {
		case e.Start < 0 || e.Start > e.End || e.End > n:
			return 0, fmt.Errorf("edit %d [%d,%d) is out of bounds [0,%d)", i, e.Start, e.End, n)
		case e.Start < last:
			return 0, fmt.Errorf("edit %d [%d,%d) is out of order or overlaps what ends at %d", i, e.Start, e.End, last)
		}
		last = e.End
		result += len(e.New) - e.Len()
	}
	return result, nil
}
