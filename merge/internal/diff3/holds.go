package diff3

import (
	"bytes"
)

// Holds reports whether updated has all that dest made of original: each line that
// dest put in stands there too, in its order among the others, and none that dest took out.
//
//	original   dest   updated
//	a          a      z
//	b          x      a
//	c          c      x
//	                  c
//
// Where dest moved a line, or deleted one for which updated has another, it does not.
func (v *Versions) Holds() bool {
	if v.fit() != nil {
		return false
	}
	toDest, kept := v.Align(Merge)
	still := partners(kept, v.o.len())
	times := [2][]int{make([]int, v.distinct), make([]int, v.distinct)}
	for i, l := range [...]*lines{v.d, v.u} {
		for _, id := range l.ids {
			times[i][id]++
		}
	}
	stays, taken := make([]bool, v.d.len()), make([]bool, v.distinct)
	for i, j := range partners(toDest, v.o.len()) {
		switch id := v.o.ids[i]; {
		case j >= 0:
			stays[j] = true
		case times[1][id] > times[0][id] && (times[0][id] == 0 || still[i] >= 0):
			return false
		default:
			taken[id] = true
		}
	}
	for j, id := range v.d.ids {
		if moved := taken[id] && times[0][id] == 1; !stays[j] && (moved || times[1][id] == 0) {
			return false
		}
	}
	toUpdated := partners(v.across(), v.d.len())
	for j := range stays {
		if !stays[j] && toUpdated[j] < 0 {
			return false
		}
	}
	to := func(j int) int { // where line j of dest stands in updated
		switch {
		case j < 0:
			return -1
		case j >= v.d.len():
			return v.u.len()
		}
		return toUpdated[j]
	}
	put := func(j int) bool { return 0 <= j && j < len(stays) && !stays[j] }
	next := 0
	for _, j := range partners(toDest, v.o.len()) {
		switch {
		case j >= 0:
			next = j + 1
		case !put(next-1) && !put(next) && to(next) != to(next-1)+1:
			return false // dest deleted what updated put something for
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

// across aligns the lines of dest with those of updated.
func (v *Versions) across() []Run {
	l := v.lines()
	return align(l[1].ids, l[2].ids, Merge.how())
}

// Rest is updated without what dest made of original: the lines that dest kept, as updated has them. It reports false
// where updated changed what dest did, or beside it.
func (v *Versions) Rest() ([]byte, bool) {
	if v.fit() != nil {
		return nil, false
	}
	toDest, _ := v.Align(Merge)
	back := make([]Run, len(toDest))
	for i, r := range toDest {
		back[i] = Run{A: r.B, B: r.A, Len: r.Len}
	}
	m := &lineMerge{original: v.d, dest: v.o, updated: v.u}
	m.compare(back, v.across())
	rest, conflicts := m.write()
	return rest, conflicts == 0
}

// Lacks counts the lines that dest has more often than original, and those of them that updated lacks. It reports
// false where updated lacks one that original has none of. Of the others its own changes may have taken copies out, as of a line in
// one of two blocks that dest made of one. Blank lines do not count.
func (v *Versions) Lacks() (lacking, put int, ok bool) {
	if v.fit() != nil {
		return 0, 0, false
	}
	all := v.lines()
	times := make([][3]int, v.distinct)
	for i, l := range all {
		for j, id := range l.ids {
			if len(bytes.TrimSpace(l.line(j))) > 0 {
				times[id][i]++
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

// Retains counts the lines that dest has less often than original, and those of them that updated has as often as original, with
// any indentation. Blank lines do not count.
//
//	original   dest   updated
//	a          c      if:       2 deleted, 2 retained
//	b                   a
//	c                   b
//	                  c
func (v *Versions) Retains() (retained, deleted int) {
	times := map[string]*[3]int{}
	for i, l := range v.lines() {
		for j := range l.ids {
			text := string(bytes.TrimSpace(l.line(j)))
			if text == "" {
				continue
			}
			if times[text] == nil {
				times[text] = new([3]int)
			}
			times[text][i]++
		}
	}
	for _, n := range times {
		less := max(0, n[0]-n[1])
		deleted += less
		retained += max(0, min(less, n[2]-n[1]))
	}
	return retained, deleted
}

// mostCompared is how many pairs of lines are compared at one place; of more, some are taken for alike.
const mostCompared = 1 << 16

// Changes reports whether updated changed what dest took out of original: it has lines of its own there, and more than half of
// one, but not all, is what a line of original said.
func (v *Versions) Changes() bool {
	if v.fit() != nil {
		return true
	}
	toDest, toUpdated := v.Align(Merge)
	seen := make([]bool, v.distinct)
	for _, l := range [...]*lines{v.o, v.d} {
		for _, id := range l.ids {
			seen[id] = true
		}
	}
	for _, c := range Chunks(v.o.len(), v.d.len(), v.u.len(), toDest, toUpdated) {
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
