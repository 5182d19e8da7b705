package diff3

// Match aligns a and b. The runs are increasing in both, and no two could be one;
// what no run holds was deleted from a or inserted into b.
//
// The alignment is a longest common subsequence, or close to one where a and
// b have little in common. An insertion that could stand at several places of
// equal items stands at the last, or beside a deletion.
func Match[T comparable](a, b []T) []Run { return match(a, b, exact) }

func match[T comparable](a, b []T, h how) []Run {
	classes := make(map[T]int32, len(a))
	return align(classify(classes, a), classify(classes, b), h)
}

// MatchBoth aligns original with dest and with updated, each as Match does.
func MatchBoth[T comparable](original, dest, updated []T) (withDest, withUpdated []Run) {
	classes := make(map[T]int32, len(original))
	o := classify(classes, original)
	return align(o, classify(classes, dest), exact), align(o, classify(classes, updated), exact)
}

// classify numbers the items: equal items have equal numbers.
func classify[T comparable](classes map[T]int32, items []T) []int32 {
	ids := make([]int32, len(items))
	for i, item := range items {
		id, ok := classes[item]
		if !ok {
			id = int32(len(classes))
			classes[item] = id
		}
		ids[i] = id
	}
	return ids
}

// how selects what align does.
type how uint8

const (
	exact     how = iota // near to a longest common subsequence
	gitMyers             // as git's default diff
	histogram            // as git's histogram diff
)

// align aligns two sequences of classes. It takes memory for every class up to the highest.
func align(a, b []int32, h how) []Run {
	d := newDelta(a, b)
	if h == histogram {
		d.histogram()
	} else {
		d.myers(h == gitMyers)
	}
	slide(d.a, d.b)
	slide(d.b, d.a)
	return d.runs()
}

// A delta is the difference of two sequences of classes. An item of a that is
// changed was deleted, one of b was inserted; the others pair in order.
type delta struct {
	a, b    version
	classes int // more than the highest
}

// A version is one side of a delta.
type version struct {
	ids     []int32
	changed []bool // of the length of ids
}

func newDelta(a, b []int32) *delta {
	changed := make([]bool, len(a)+len(b))
	d := &delta{a: version{a, changed[:len(a):len(a)]}, b: version{b, changed[len(a):]}}
	for _, ids := range [...][]int32{a, b} {
		for _, id := range ids {
			d.classes = max(d.classes, int(id)+1)
		}
	}
	return d
}

// edges returns how many equal items a and b start with, and end with.
func edges[T comparable](a, b []T) (head, tail int) {
	n := min(len(a), len(b))
	for head < n && a[head] == b[head] {
		head++
	}
	for tail < n-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

// EdgeRuns are the equal lines at the start and at the end of a and b.
func EdgeRuns[T comparable](a, b []T) (runs []Run) {
	head, tail := edges(a, b)
	if head > 0 {
		runs = append(runs, Run{Len: head})
	}
	if tail > 0 {
		runs = append(runs, Run{A: len(a) - tail, B: len(b) - tail, Len: tail})
	}
	return runs
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

// A group is a maximal range of changed items, or the empty range before an
// unchanged one. A version with n unchanged items has n+1 groups, so that the
// groups of the two versions of a delta pair one to one.
type group struct {
	version
	Range
}

// first returns the first group of v.
func first(v version) group {
	return group{v, Range{0, v.unchanged(0)}}
}

// next moves g to the next group, if there is one.
func (g *group) next() bool {
	if g.End == len(g.ids) {
		return false
	}
	g.Start = g.End + 1
	g.End = g.unchanged(g.Start)
	return true
}

// previous moves g to the group before it, if there is one.
func (g *group) previous() bool {
	if g.Start == 0 {
		return false
	}
	g.End = g.Start - 1
	g.Start = g.End
	g.absorbUp()
	return true
}

// down moves g by one item, if its first item equals the one behind it, and
// joins it with the group that it meets.
func (g *group) down() bool {
	if g.End == len(g.ids) || g.ids[g.Start] != g.ids[g.End] {
		return false
	}
	g.changed[g.Start], g.changed[g.End] = false, true
	g.Start++
	g.End = g.unchanged(g.End)
	return true
}

// up is down in the other direction.
func (g *group) up() bool {
	if g.Start == 0 || g.ids[g.Start-1] != g.ids[g.End-1] {
		return false
	}
	g.Start--
	g.End--
	g.changed[g.Start], g.changed[g.End] = true, false
	g.absorbUp()
	return true
}

func (g *group) absorbUp() {
	for g.Start > 0 && g.changed[g.Start-1] {
		g.Start--
	}
}

// slide moves every group of v as far down as it goes, joining groups that
// meet; a group that can stand beside a group of other stands there instead.
func slide(v, other version) {
	g, o := first(v), first(other)
	for {
		if !g.Empty() {
			settle(&g, &o)
		}
		if !g.next() {
			return
		}
		o.next()
	}
}

// settle moves one group to its place; o stays the group that pairs with g.
func settle(g, o *group) {
	var beside, movable bool
	for size := -1; size != g.Len(); {
		size = g.Len()
		for g.up() {
			o.previous()
		}
		top := g.End
		beside = !o.Empty()
		for g.down() {
			o.next()
			beside = beside || !o.Empty()
		}
		movable = g.End != top
	}
	for movable && beside && o.Empty() {
		g.up()
		o.previous()
	}
}
