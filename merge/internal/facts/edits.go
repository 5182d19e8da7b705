package facts

import (
	"slices"
	"strings"
)

// Standing are the lines of a text that count.
func (n *Node) Standing() (all []*Node) {
	for i := range n.Kept {
		if k := &n.Kept[i]; !k.Masked {
			all = append(all, k)
		}
	}
	return all
}

// The lines of a text merge by edits: what a side did to the base is which of its lines
// it kept, and what it put between them. A result holds if it is the lines that both sides
// kept, with what both put between: what both put there alike once or twice, and else in
// either order, unless lines of the base say which comes first.

// An edit of a text.
type edit struct {
	kept  []bool // of the base's lines
	added []addition
}

// An addition is a line that a side put behind the base's line from-1, which it
// kept, and before its line to.
type addition struct {
	line     uint64
	from, to int
}

// Edited is what made b, which is of the side s, of a. What s did in a conflict that it
// lost does not count: there it has what a has.
func Edited(a, b []*Node, s Version) edit {
	e := edit{kept: make([]bool, len(a))}
	for i, line := range a {
		e.kept[i] = line.For == s
	}
	from, next := 0, 0
	until := func(line, to int) {
		for ; next < line; next++ {
			e.added = append(e.added, addition{b[next].Data, from, to})
		}
	}
	for _, m := range Common(a, b) {
		e.kept[m[0]] = true
		until(m[1], m[0])
		from, next = m[0]+1, m[1]+1
	}
	until(len(b), len(a))
	return e
}

// Again is a line that d and u both put in, alone or with the same lines around it, and that got has more
// often than each side; nil if there is none.
//
//	base   d    u    got
//	a      x    a    x
//	       a    x    a
//	                 x
func Again(d, u edit, sides [2][]*Node, got []*Node) *Node {
	both := map[uint64]bool{}
	for _, x := range d.runs() {
		for _, y := range u.runs() {
			if slices.EqualFunc(x, y, func(x, y addition) bool { return x.line == y.line }) {
				for _, l := range x {
					both[l.line] = true
				}
			}
		}
	}
	times := func(all []*Node, line uint64) (n int) {
		for _, l := range all {
			if l.Data == line {
				n++
			}
		}
		return n
	}
	for _, l := range got {
		if both[l.Data] && strings.TrimSpace(l.Value) != "" && times(got, l.Data) > max(times(sides[0], l.Data), times(sides[1], l.Data)) {
			return l
		}
	}
	return nil
}

// runs are the additions, those at one place together.
func (e edit) runs() (all [][]addition) {
	for i, x := range e.added {
		if i == 0 || e.added[i-1].from != x.from {
			all = append(all, nil)
		}
		all[len(all)-1] = append(all[len(all)-1], x)
	}
	return all
}

// above reports whether x stands above y, as lines of the base say, of two additions
// of two sides.
func (x addition) above(y addition) bool {
	return x.to < y.from || x.to == y.from && (x.from < x.to || y.from < y.to)
}

// A weave is how far two edits have been told in a result: as many of the additions of
// each, and of the lines that both kept.
type weave struct{ d, u, kept int }

// mostWeaves bounds how many ways to tell a result are followed at a time.
const mostWeaves = 256

// Woven reports whether got is what the edits d and u of one base make of it
// together.
func Woven(original []*Node, d, u edit, got []*Node) bool {
	var kept []int
	for i := range d.kept {
		if d.kept[i] && u.kept[i] {
			kept = append(kept, i)
		}
	}
	ways := []weave{{}}
	for _, line := range got {
		var next []weave
		for _, w := range ways {
			for _, x := range w.steps(d.added, u.added, kept, original, line.Data) {
				if !slices.Contains(next, x) {
					next = append(next, x)
				}
			}
		}
		if ways = next; len(ways) == 0 || len(ways) > mostWeaves {
			return false
		}
	}
	return slices.Contains(ways, weave{len(d.added), len(u.added), len(kept)})
}

// steps are how a line may go on from w.
func (w weave) steps(d, u []addition, kept []int, original []*Node, line uint64) (all []weave) {
	end := len(original)
	if w.kept < len(kept) {
		end = kept[w.kept]
	}
	next := func(all []addition, i int) (addition, bool) {
		if i == len(all) || all[i].to > end {
			return addition{}, false
		}
		return all[i], true
	}
	if _, ofD := next(d, w.d); !ofD {
		if _, ofU := next(u, w.u); !ofU {
			if w.kept < len(kept) && original[end].Data == line {
				return []weave{{w.d, w.u, w.kept + 1}}
			}
			return nil
		}
	}
	x, ofD := next(d, w.d)
	y, ofU := next(u, w.u)
	both := ofD && ofU
	ofD = ofD && x.line == line && !(both && y.above(x))
	ofU = ofU && y.line == line && !(both && x.above(y))
	if ofD {
		all = append(all, weave{w.d + 1, w.u, w.kept})
	}
	if ofU {
		all = append(all, weave{w.d, w.u + 1, w.kept})
	}
	if ofD && ofU { // both put it there alike
		all = append(all, weave{w.d + 1, w.u + 1, w.kept})
	}
	return all
}

// mostEdits bounds in how many lines two texts may differ: no two that people write come near.
const mostEdits = 1 << 10

// Common are the indices of the lines of a longest common subsequence of a and b; of
// sequences that differ too much, those of their equal ends alone.
func Common(a, b []*Node) (all [][2]int) {
	start := 0
	for start < min(len(a), len(b)) && a[start].Data == b[start].Data {
		all = append(all, [2]int{start, start})
		start++
	}
	n, m := len(a), len(b)
	for n > start && m > start && a[n-1].Data == b[m-1].Data {
		n, m = n-1, m-1
	}
	for _, at := range middle(a[start:n], b[start:m]) {
		all = append(all, [2]int{start + at[0], start + at[1]})
	}
	for i := range len(a) - n {
		all = append(all, [2]int{n + i, m + i})
	}
	return all
}

// A reach is how far into a sequence a search with d insertions and deletions has come on
// each diagonal k, at k+d+2; less than -1 where it has not been.
type reach []int

// enter is where the search after r, with d edits, enters the diagonal k, and from which.
func (r reach) enter(d, k int) (x, from int) {
	if d == 0 {
		return 0, 0
	}
	if right, down := r[k+d]+1, r[k+d+2]; right > down {
		return right, k - 1
	} else {
		return down, k + 1
	}
}

// middle is common by Myers' greedy search.
func middle(a, b []*Node) [][2]int {
	var all []reach
	var last reach
	for d := 0; d <= min(len(a)+len(b), mostEdits); d++ {
		r := make(reach, 2*d+5)
		for i := range r {
			r[i] = -2
		}
		for k := -d; k <= d; k += 2 {
			x, _ := last.enter(d, k)
			for x < len(a) && x-k < len(b) && a[x].Data == b[x-k].Data {
				x++
			}
			r[k+d+2] = x
			if x >= len(a) && x-k >= len(b) {
				return trace(append(all, r), k)
			}
		}
		all, last = append(all, r), r
	}
	return nil
}

// trace is what a search that ended on the diagonal k went through.
func trace(all []reach, k int) (out [][2]int) {
	for d := len(all) - 1; d >= 0; d-- {
		var before reach
		if d > 0 {
			before = all[d-1]
		}
		x, from := before.enter(d, k)
		for end := all[d][k+d+2] - 1; end >= x; end-- {
			out = append(out, [2]int{end, end - k})
		}
		k = from
	}
	slices.Reverse(out)
	return out
}
