package diff3

// window is the number of items around a frequent one that decide about it.
const window = 100

// kept are the items of a version that take part in the search.
type kept struct {
	version
	ids   []int32 // their classes
	index []int32 // their indexes in the version
}

func (k kept) mark(start, end int) {
	for _, i := range k.index[start:end] {
		k.changed[i] = true
	}
}

// keep returns the items of v within a range that take part in the search, and marks the
// others there as changed. Partners is how many items of each class the other version has.
func keep(v version, partners []int32, within Range, discard bool) kept {
	k := kept{v, make([]int32, 0, within.Len()), make([]int32, 0, within.Len())}
	ranks := ranking{v.ids, partners, within, int32(min(root(len(v.ids)), 1024))}
	for i := within.Start; i < within.End; i++ {
		if rk := ranks.of(i); rk == none || discard && rk == many && ranks.lost(i) {
			v.changed[i] = true
			continue
		}
		k.ids = append(k.ids, v.ids[i])
		k.index = append(k.index, int32(i))
	}
	return k
}

// A ranking says how many partners the items within a range have.
type ranking struct {
	ids      []int32
	partners []int32
	within   Range
	limit    int32 // from how many partners on an item is frequent
}

// rank is how many partners an item has.
type rank uint8

const (
	none rank = iota
	few
	many
)

func (r *ranking) of(i int) rank {
	switch n := r.partners[r.ids[i]]; {
	case n == 0:
		return none
	case n < r.limit:
		return few
	}
	return many
}

// lost reports whether the frequent item i stands among items without any
// partner: there are some on either side of it before the next item with few
// partners, and in all more than three times as many as frequent ones.
func (r *ranking) lost(i int) bool {
	before, frequentBefore := r.run(i, -1, max(i-window, r.within.Start)-1)
	if before == 0 {
		return false
	}
	after, frequentAfter := r.run(i, +1, min(i+window, r.within.End-1)+1)
	frequent := frequentBefore + frequentAfter + 2
	return after > 0 && 3*frequent < before+after
}

// run counts the items without partners and the frequent ones from the one
// next to i up to the next with few partners, or to end.
func (r *ranking) run(i, step, end int) (alone, frequent int) {
	for i += step; i != end; i += step {
		switch r.of(i) {
		case none:
			alone++
		case many:
			frequent++
		default:
			return alone, frequent
		}
	}
	return alone, frequent
}

// root is about the square root of n, rounded up to a power of two.
func root(n int) int {
	r := 1
	for ; n > 0; n >>= 2 {
		r <<= 1
	}
	return r
}
