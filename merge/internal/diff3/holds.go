package diff3

import (
	"bytes"
)

// Holds reports whether other, a text made of base, has all that side made of base: each line that
// side put in stands there too, in its order among the others, and none that side took out.
//
//	base   side   other
//	a      a      z
//	b      x      a
//	c      c      x
//	              c
//
// Where side moved a line, or deleted one for which other has another, it does not.
func Holds(base, side, other []byte) bool {
	v, w := Of(base, side, other), Of(side, base, other)
	if v.fit() != nil {
		return false
	}
	toSide, kept := v.Align(Merge)
	_, between := w.Align(Merge)
	still, toOther := partners(kept, v.o.len()), partners(between, v.d.len())
	times := [2]map[int32]int{{}, {}}
	for i, l := range [...]*lines{v.d, v.u} {
		for _, id := range l.ids {
			times[i][id]++
		}
	}
	put := map[int]bool{}
	for j := range v.d.len() {
		put[j] = true
	}
	taken := map[int32]bool{}
	for i, j := range partners(toSide, v.o.len()) {
		switch id := v.o.ids[i]; {
		case j >= 0:
			delete(put, j)
		case times[1][id] > times[0][id] && (times[0][id] == 0 || still[i] >= 0):
			return false
		default:
			taken[id] = true
		}
	}
	for j := range put {
		id := v.d.ids[j]
		if moved := taken[id] && times[0][id] == 1; moved || toOther[j] < 0 {
			return false
		}
	}
	to := func(j int) int { // where line j of side stands in other
		switch {
		case j < 0:
			return -1
		case j >= v.d.len():
			return v.u.len()
		}
		return toOther[j]
	}
	next := 0
	for _, j := range partners(toSide, v.o.len()) {
		switch {
		case j >= 0:
			next = j + 1
		case !put[next-1] && !put[next] && to(next) != to(next-1)+1:
			return false // side deleted what other put something for
		}
	}
	return true
}

// partners says with which line each of n is aligned, -1 for none.
func partners(runs []Run, n int) []int {
	to := make([]int, n)
	for i := range to {
		to[i] = -1
	}
	for _, r := range runs {
		for k := range r.Len {
			to[r.A+k] = r.B + k
		}
	}
	return to
}

// Rest is other without what side made of base: the lines that side kept, as other has them. It reports false
// where other changed what side did, or beside it.
func Rest(base, side, other []byte) ([]byte, bool) {
	v, w := Of(base, side, other), Of(side, base, other)
	if v.fit() != nil {
		return nil, false
	}
	toSide, _ := v.Align(Merge)
	_, toOther := w.Align(Merge)
	back := make([]Run, len(toSide))
	for i, r := range toSide {
		back[i] = Run{A: r.B, B: r.A, Len: r.Len}
	}
	m := w.lineMerge(Options{})
	m.compare(back, toOther)
	rest, conflicts := m.write()
	return rest, conflicts == 0
}

// Lacks counts the lines that side has more often than base, and those of them that other, a text made of base, lacks. It reports
// false where other lacks one that base has none of. Of the others its own changes may have taken copies out, as of a line in one of
// two blocks that side made of one. Blank lines do not count.
func Lacks(base, side, other []byte) (lacking, put int, ok bool) {
	v := Of(base, side, other)
	if v.fit() != nil {
		return 0, 0, false
	}
	times, m := map[int32][3]int{}, v.lineMerge(Options{})
	for i, l := range [...]*lines{m.original, m.dest, m.updated} {
		for j, id := range l.ids {
			if n := times[id]; len(bytes.TrimSpace(l.line(j))) > 0 {
				n[i]++
				times[id] = n
			}
		}
	}
	for _, n := range times {
		put += max(0, n[1]-n[0])
		lacks := n[1] - max(n[0], n[2])
		if lacks > 0 && n[0] == 0 {
			return 0, 0, false
		}
		lacking += max(0, lacks)
	}
	return lacking, put, true
}

// mostCompared is how many pairs of lines are compared at one place; of more, some are taken for alike.
const mostCompared = 1 << 16

// Changes reports whether other changed what side took out of base: it has lines of its own there, and more than half of
// one, but not all, is what a line of base said.
func Changes(base, side, other []byte) bool {
	v := Of(base, side, other)
	if v.fit() != nil {
		return true
	}
	toSide, toOther := v.Align(Merge)
	seen := map[int32]bool{}
	for _, l := range [...]*lines{v.o, v.d} {
		for _, id := range l.ids {
			seen[id] = true
		}
	}
	for _, c := range Chunks(v.o.len(), v.d.len(), v.u.len(), toSide, toOther) {
		if c.Kind != BothChanged || c.Dest.Len() >= c.Original.Len() {
			continue
		}
		pairs := 0
		for u := c.Updated.Start; u < c.Updated.End; u++ {
			for o := c.Original.Start; o < c.Original.End && !seen[v.u.ids[u]]; o++ {
				if pairs++; pairs > mostCompared || becomes(v.o.line(o), v.u.line(u)) {
					return true
				}
			}
		}
	}
	return false
}

// becomes reports whether line is old, changed.
func becomes(old, line []byte) bool {
	old, line = bytes.TrimSpace(old), bytes.TrimSpace(line)
	head, tail := edges(old, line)
	return 2*(head+tail) > max(len(old), len(line)) && !bytes.Equal(old, line)
}
