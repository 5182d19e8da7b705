package facts

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
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

// Alike are the lines that d and u both put in, alone or with the same lines around them.
func Alike(d, u edit) map[uint64]bool {
	both, runs := map[uint64]bool{}, d.runs()
	for run := range u.runs() {
		for _, x := range runs[run] {
			both[x.line] = true
		}
	}
	return both
}

// runs are the additions by what they say, those at one place together.
func (e edit) runs() map[uint64][]addition {
	runs := map[uint64][]addition{}
	for i := 0; i < len(e.added); {
		start, sum := i, uint64(0)
		for ; i < len(e.added) && e.added[i].from == e.added[start].from; i++ {
			sum = tree.Mix(sum, e.added[i].line)
		}
		runs[sum] = e.added[start:i]
	}
	return runs
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
	end := len(original) // the next line that both kept
	if w.kept < len(kept) {
		end = kept[w.kept]
	}
	ofD, ofU := w.d < len(d) && d[w.d].to <= end, w.u < len(u) && u[w.u].to <= end
	switch {
	case !ofD && !ofU && w.kept < len(kept) && original[end].Data == line:
		return []weave{{w.d, w.u, w.kept + 1}}
	case ofD && ofU:
		ofD, ofU = !u[w.u].above(d[w.d]), !d[w.d].above(u[w.u])
	}
	ofD, ofU = ofD && d[w.d].line == line, ofU && u[w.u].line == line
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

// Common are the indices of the lines of a common subsequence of a and b, as diff3 aligns them.
func Common(a, b []*Node) (all [][2]int) {
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
