package diff3

import (
	"bytes"
	"slices"
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

// A Lack is what a text lacks of the lines that a side has more often than the base.
type Lack int

const (
	LacksNone Lack = iota
	// LacksTaken are lines that the base has twice and the text less often than the base: its own
	// changes may have taken them out.
	LacksTaken
	// LacksCopies are lines that the base has twice, and the text as often as the base.
	LacksCopies
	// Lacks are others, or lines that side took out and the text has changed.
	Lacks
)

// Has says what other lacks of what side made of the base. Blank lines that the base has twice do not count.
func Has(base, side, other []byte) Lack {
	v := Of(base, side, other)
	if v.fit() != nil {
		return Lacks
	}
	times, m := map[int32][3]int{}, v.lineMerge(Options{})
	for i, l := range [...]*lines{m.original, m.dest, m.updated} {
		for _, id := range l.ids {
			n := times[id]
			n[i]++
			times[id] = n
		}
	}
	lack := LacksNone
	for i, id := range v.d.ids {
		switch n := times[id]; {
		case n[1] <= n[0] || n[2] >= n[1]:
		case n[0] < 2:
			return Lacks
		case len(bytes.TrimSpace(v.d.line(i))) == 0:
		case n[2] < n[0]:
			lack = max(lack, LacksTaken)
		default:
			lack = LacksCopies
		}
	}
	own := func(id int32) bool { return times[id][0]+times[id][1] == 0 }
	toSide, toOther := v.Align(Merge)
	for _, c := range Chunks(v.o.len(), v.d.len(), v.u.len(), toSide, toOther) {
		if c.Kind == BothChanged && c.Dest.Len() < c.Original.Len() && slices.ContainsFunc(v.u.ids[c.Updated.Start:c.Updated.End], own) {
			return Lacks
		}
	}
	return lack
}
