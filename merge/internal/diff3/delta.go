package diff3

// A delta is the difference of two sequences of classes. An item of a that is
// changed was deleted, one of b was inserted; the others pair in order.
type delta struct{ a, b version }

// A version is one side of a delta.
type version struct {
	ids     []int32
	changed []bool // of the length of ids
}

func newDelta(a, b []int32) *delta {
	changed := make([]bool, len(a)+len(b))
	return &delta{
		a: version{a, changed[:len(a):len(a)]},
		b: version{b, changed[len(a):]},
	}
}

// how selects what align does.
type how uint8

const (
	exact     how = iota // near to a longest common subsequence
	gitMyers             // as git's default diff
	histogram            // as git's histogram diff
)

// middle returns the ranges of a and b between their common head and tail.
func (d *delta) middle() (a, b Range) {
	x, y := d.a.ids, d.b.ids
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	i, j := len(x), len(y)
	for i > head && j > head && x[i-1] == y[j-1] {
		i, j = i-1, j-1
	}
	return Range{head, i}, Range{head, j}
}

// runs returns what pairs.
func (d *delta) runs() []Run {
	var runs []Run
	for i, j := 0, 0; ; {
		i, j = d.a.unchanged(i), d.b.unchanged(j)
		if i == len(d.a.ids) || j == len(d.b.ids) {
			return runs
		}
		r := Run{A: i, B: j}
		for i < len(d.a.ids) && j < len(d.b.ids) && !d.a.changed[i] && !d.b.changed[j] {
			i, j = i+1, j+1
		}
		r.Len = i - r.A
		runs = append(runs, r)
	}
}

// unchanged returns the first index from i on that is not changed.
func (v version) unchanged(i int) int {
	for i < len(v.changed) && v.changed[i] {
		i++
	}
	return i
}

// mark marks the items of r as changed.
func (v version) mark(r Range) {
	for i := r.Start; i < r.End; i++ {
		v.changed[i] = true
	}
}
