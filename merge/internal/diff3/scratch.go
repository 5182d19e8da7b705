package diff3

// A scratch holds what alignments can share, so that many small ones cost
// little. It is for one goroutine.
type scratch struct {
	countA, countB counts
	keptA, keptB   kept
	points         []int32
	index          index
}

// counts is the number of items by class.
type counts []int32

// of counts v; it gives every other class of v's and w's 0.
func (c *counts) of(v, w version) {
	for _, ids := range [...][]int32{v.ids, w.ids} {
		for _, id := range ids {
			if int(id) >= len(*c) {
				*c = append(*c, make(counts, int(id)+1-len(*c))...)
			}
			(*c)[id] = 0
		}
	}
	for _, id := range v.ids {
		(*c)[id]++
	}
}
