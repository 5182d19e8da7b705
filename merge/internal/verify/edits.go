package verify

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Standing are the lines of a text that count.
func (n *Node) Standing() (all []*Node) {
	for i := range n.Kids {
		if k := &n.Kids[i]; !k.Masked {
			all = append(all, k)
		}
	}
	return all
}

// A textLine is a line that a side gives the result: line from of the base, which the other side kept too, or one that it
// put behind the base's line from-1, which it kept, and before its line to.
type textLine struct {
	said     uint64
	from, to int
	run      uint64 // the sum of what it put there; 0 for a line of the base
}

// above reports whether x stands above y, of another side, as lines of the base say.
func (x textLine) above(y textLine) bool {
	return x.to < y.from || x.to == y.from && (x.from < x.to || y.from < y.to)
}

// given are what each side gives of a text. What it did in a conflict that it lost does not count: there it has what base has.
func given(base []*Node, edited [2][]*Node) (all [2][]textLine) {
	var matched [2][][2]int
	var kept [2][]bool
	for s, lines := range edited {
		matched[s], kept[s] = common(base, lines), make([]bool, len(base))
		for i, line := range base {
			kept[s][i] = line.For == sides[s]
		}
		for _, m := range matched[s] {
			kept[s][m[0]] = true
		}
	}
	for s, lines := range edited {
		at, from, next := 0, 0, 0
		for _, m := range append(matched[s], [2]int{len(base), len(lines)}) {
			for ; at < m[0]; at++ {
				if kept[0][at] && kept[1][at] {
					all[s] = append(all[s], textLine{base[at].Data, at, at + 1, 0})
				}
			}
			run := uint64(0)
			for _, line := range lines[next:m[1]] {
				run = syntax.Mix(run, line.Data)
			}
			for _, line := range lines[next:m[1]] {
				all[s] = append(all[s], textLine{line.Data, from, m[0], run})
			}
			from, next = m[0]+1, m[1]+1
		}
	}
	return all
}

// alikeLines are the lines that both sides put in, alone or with the same lines around them.
func alikeLines(all [2][]textLine) map[uint64]bool {
	runs, both := map[uint64]bool{}, map[uint64]bool{}
	for _, line := range all[0] {
		runs[line.run] = line.run != 0
	}
	for _, line := range all[1] {
		both[line.said] = both[line.said] || runs[line.run]
	}
	return both
}

// mostWeaves bounds how many ways to tell a text are followed at a time.
const mostWeaves = 256

// woven reports whether got is what both sides give, each in its order. What both put in alike stands once or twice;
// what stands in one place, in either order.
func woven(all [2][]textLine, got []*Node) bool {
	ways := [][2]int{{}} // as many lines of each side as are told
	for _, line := range got {
		var next [][2]int
		for _, w := range ways {
			for _, x := range steps(all[0][w[0]:], all[1][w[1]:], line.Data) {
				if x = [2]int{w[0] + x[0], w[1] + x[1]}; !slices.Contains(next, x) {
					next = append(next, x)
				}
			}
		}
		if ways = next; len(ways) == 0 || len(ways) > mostWeaves {
			return false
		}
	}
	return slices.Contains(ways, [2]int{len(all[0]), len(all[1])})
}

// steps are how many lines of o and t, which are to come, may be told by said.
func steps(o, t []textLine, said uint64) (all [][2]int) {
	first := func(x, y []textLine) bool { // x begins with it, and may be told before y
		return len(x) > 0 && x[0].said == said && (len(y) == 0 || !y[0].above(x[0]))
	}
	ofO, ofT := first(o, t), first(t, o)
	if ofO && o[0].run != 0 {
		all = append(all, [2]int{1, 0})
	}
	if ofT && t[0].run != 0 {
		all = append(all, [2]int{0, 1})
	}
	if ofO && ofT && (o[0].run == 0) == (t[0].run == 0) {
		all = append(all, [2]int{1, 1})
	}
	return all
}

// common are the indices of the lines of a common subsequence of a and b, as diff3 aligns them.
func common(a, b []*Node) (all [][2]int) {
	for _, r := range diff3.Match(said(a), said(b)) {
		for i := range r.Len {
			all = append(all, [2]int{r.A + i, r.B + i})
		}
	}
	return all
}

func said(all []*Node) (sums []uint64) {
	for _, n := range all {
		sums = append(sums, n.Data)
	}
	return sums
}
