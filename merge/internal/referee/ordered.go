package referee

import (
	"slices"
	"sort"
)

// elements are what an ordered list holds.
type elements uint8

const (
	ofItems     elements = iota
	ofLines              // of a text; they do not merge
	ofDocuments          // without identity; what both sides add stands twice
)

// An orderedList checks the items of a list without keys by counting values.
// What the counts do not explain must be merged items: one of the result that
// is the merge of an item that both sides took away and one that each side put
// there, the latter of which are missing from the result.
type orderedList struct {
	*checker
	at       *place
	rows     *rows
	of       elements
	formOnly [versions]*bool
	bothLack *bool
	counts   map[uint64]*[versions]int
	merged   []*row                   // of the result alone
	gone     pool                     // of the original alone
	missing  [versions]pool           // of one side alone, and not in the result
	standing [versions]pool           // of one side alone, and in the result
	bearers  [versions]map[string]int // how many of those that changed bear a name
	leaves   map[*node][]uint64       // of items, sorted
}

// place names r by its index in the result or where else it is.
func (o *orderedList) place(r *row) *place {
	for _, v := range [...]version{result, dest, updated, original} {
		if r.at[v] != nil {
			return o.at.index(int(r.pos[v]))
		}
	}
	return o.at
}

// split sorts the rows and refuses what can have no explanation.
func (o *orderedList) split() *Refusal {
	for i := range o.rows.of {
		r := &o.rows.of[i]
		if r.at.untouched() {
			continue
		}
		var has [versions]bool
		for v, n := range r.at {
			has[v] = n != nil
		}
		want, _ := choose(has[original], has[dest], has[updated])
		switch {
		case want && has[result]:
			if ref := o.stands(r); ref != nil {
				return ref
			}
		case has[result]:
			if o.tooMany(r.at[result]) {
				o.merged = append(o.merged, r)
			}
		case !want:
			if !has[dest] && !has[updated] {
				o.gone.add(r)
			}
		case !o.tooFew(r.at.any()):
		case has[original] || has[dest] && has[updated]:
			return o.place(r).refuse("lost", "the item %s is gone", r.at.any().show())
		default:
			s := r.at.any().v
			o.missing[s].add(r)
		}
	}
	return nil
}

// stands checks the form of an item that is in the result as it has to be.
func (o *orderedList) stands(r *row) *Refusal {
	if r.at[original] == nil && (r.at[dest] == nil || r.at[updated] == nil) {
		s := r.at.any().v
		o.standing[s].add(r)
		if o.reformatted(s.other()) {
			o.noteSame(r.at) // it may be the new value in the other side's form
			return nil
		}
	}
	if r.at[original] == nil && o.formOf(updated, r) {
		return nil
	}
	return o.triple(o.place(r), r.at)
}

// formOf reports whether an item that both sides have alike, and that may be made
// of one of the original, is written as s wrote it: s may have changed its form
// too.
func (o *orderedList) formOf(s version, r *row) bool {
	t := r.at
	if t[dest] == nil || t[updated] == nil || t[dest].raw == t[updated].raw || !o.replaced() {
		return false
	}
	t[s.other()] = nil
	if o.triple(o.place(r), t) != nil {
		return false
	}
	o.noteSame(r.at)
	return true
}

// replaced reports whether neither side has an item of the original any more as
// it was.
func (o *orderedList) replaced() bool {
	if o.bothLack == nil {
		found := false
		for i := range o.rows.of {
			t := &o.rows.of[i].at
			found = found || t[original] != nil && t[dest] == nil && t[updated] == nil
		}
		o.bothLack = &found
	}
	return *o.bothLack
}

// reformatted reports whether s changed only the form of an item that the
// other side took away or changed.
func (o *orderedList) reformatted(s version) bool {
	if o.formOnly[s] == nil {
		found := false
		for i := range o.rows.of {
			t := &o.rows.of[i].at
			found = found || t[s.other()] == nil && t[original] != nil && t[s] != nil && t[original].raw != t[s].raw
		}
		o.formOnly[s] = &found
	}
	return *o.formOnly[s]
}

// count returns how often each version has the value of n.
func (o *orderedList) count(n *node) [versions]int {
	if o.counts == nil {
		o.counts = map[uint64]*[versions]int{}
		for v, ms := range o.rows.members {
			for _, m := range ms {
				if o.counts[m.sum] == nil {
					o.counts[m.sum] = &[versions]int{}
				}
				o.counts[m.sum][v]++
			}
		}
	}
	return *o.counts[n.sum]
}

// tooMany reports whether the result has the value of n more often than the
// sides allow. An item that both added stands twice only if they added it at two
// places and it bears no name; lines repeat so often that their neighbours do not
// tell places apart.
func (o *orderedList) tooMany(n *node) bool {
	c := o.count(n)
	least, most := between(c)
	return c[result] > most || c[result] > least && o.of == ofItems && (o.beside(n.sum) || o.twice(n.sum) || n.name() != "")
}

func (o *orderedList) tooFew(n *node) bool {
	c := o.count(n)
	least, _ := between(c)
	return c[result] < least
}

// beside reports whether dest and updated have sum before or behind the same
// value. What asks for it is paid as a trial is.
func (o *orderedList) beside(sum uint64) bool {
	if o.work < 0 {
		return true
	}
	near := map[[2]uint64]bool{}
	o.neighbours(dest, sum, func(n [2]uint64) { near[n] = true })
	found := false
	o.neighbours(updated, sum, func(n [2]uint64) { found = found || near[n] })
	return found || o.work < 0
}

// twice reports whether the result has sum twice in a row, which no input has.
// What asks for it is paid as a trial is.
func (o *orderedList) twice(sum uint64) bool {
	inRow := func(v version) bool {
		ms := o.rows.members[v]
		o.work -= len(ms)
		for i := range ms {
			if i > 0 && ms[i].sum == sum && ms[i-1].sum == sum {
				return true
			}
		}
		return false
	}
	return o.work < 0 || inRow(result) && !inRow(original) && !inRow(dest) && !inRow(updated)
}

// neighbours calls f with what stands before and behind every sum in v: 0 and
// the value before, 1 and the value behind, 0 at the ends.
func (o *orderedList) neighbours(v version, sum uint64, f func([2]uint64)) {
	ms := o.rows.members[v]
	o.work -= len(ms)
	for i, m := range ms {
		if m.sum != sum {
			continue
		}
		before, behind := [2]uint64{0, 0}, [2]uint64{1, 0}
		if i > 0 {
			before[1] = ms[i-1].sum
		}
		if i+1 < len(ms) {
			behind[1] = ms[i+1].sum
		}
		f(before)
		f(behind)
	}
}

// between returns how often a value that the inputs have n times has to be in
// the result: as often as in the original, plus what both sides added or
// removed. What both did may be one change or two.
func between(n [versions]int) (least, most int) {
	o, d, u := n[original], n[dest], n[updated]
	sum := max(0, d+u-o)
	switch {
	case d > o && u > o:
		return max(d, u), sum
	case d < o && u < o:
		return sum, min(d, u)
	}
	return sum, sum
}

// explain finds the triple of every merged item, and for an item that a side
// changed and the result lacks, one of the other side that contains the change.
func (o *orderedList) explain() *Refusal {
	for _, m := range o.merged {
		if !o.explainMerged(m) {
			return o.unexplained(m)
		}
	}
	o.explainNearest()
	for _, s := range sides {
		for i := range o.missing[s].each {
			if r := o.missing[s].rows[i]; !o.explainMissing(s, r) {
				return o.unmerged(s, r)
			}
		}
	}
	return nil
}

// unexplained refuses m, with the reason why it is not the merge of the first
// three that might make it.
func (o *orderedList) unexplained(m *row) *Refusal {
	n := m.at[result]
	d, u, g := o.missing[dest].first(), o.missing[updated].first(), o.gone.first()
	if d != nil && u != nil && g != nil && o.work > 0 && o.of != ofLines {
		t := quad{g.at[original], d.at[dest], u.at[updated], n}
		if r := o.triple(o.place(m), t); r != nil {
			return r
		}
	}
	switch c := o.count(n); {
	case c[original]+c[dest]+c[updated] == 0:
		return o.place(m).refuse("invented", "no input has the item %s, nor is it the merge of three", n.show())
	case c[dest] < c[original] || c[updated] < c[original]:
		return o.place(m).refuse("undone", "a side deleted the item %s", n.show())
	}
	return o.place(m).refuse("doubled", "the item %s stands too often", n.show())
}

// unmerged refuses the loss of what s has in r, with the reason why it is not
// part of the first item that might hold it.
func (o *orderedList) unmerged(s version, r *row) *Refusal {
	if y, g := o.standing[s.other()].first(), o.gone.first(); y != nil && g != nil && o.work > 0 && o.of != ofLines {
		t := y.at
		t[original], t[s] = g.at[original], r.at[s]
		if ref := o.triple(o.place(y), t); ref != nil {
			return ref
		}
	}
	return o.place(r).refuse("lost", "%s has the item %s, it is gone", s, r.at.any().show())
}

// explainMerged tries the triples in order, as nearly all lists keep theirs.
func (o *orderedList) explainMerged(m *row) bool {
	if o.of == ofLines {
		return false
	}
	if o.explainInserted(m) {
		return true
	}
	ds, us := &o.missing[dest], &o.missing[updated]
	for d := range ds.onward {
		for u := range us.onward {
			for g := range o.gone.onward {
				dr, ur, gr := ds.rows[d], us.rows[u], o.gone.rows[g]
				t := quad{gr.at[original], dr.at[dest], ur.at[updated], m.at[result]}
				if o.misnamed(t) || !o.try(o.at, t) {
					if o.work < 0 {
						return false
					}
					continue
				}
				ds.remove(d)
				us.remove(u)
				o.gone.remove(g)
				m.at, m.pos[original], m.pos[dest], m.pos[updated] = t, gr.pos[original], dr.pos[dest], ur.pos[updated]
				dr.at, ur.at, gr.at = quad{}, quad{}, quad{}
				return true
			}
		}
	}
	return false
}

// explainNearest explains what it can by items at the same place. Else an item
// might be taken for one that both sides replaced by the same, and what was made
// of that would be left without an origin.
func (o *orderedList) explainNearest() {
	gone := o.gone.left()
	if o.of == ofLines || len(gone) < 2 {
		return
	}
	standing := [versions][]*row{dest: o.standing[dest].left(), updated: o.standing[updated].left()}
	used := map[*row]bool{}
	for _, s := range sides {
		o.missing[s] = poolOf(slices.DeleteFunc(o.missing[s].left(), func(r *row) bool {
			y := nearest(standing[s.other()], s.other(), r.pos[s])
			g := nearest(gone, original, r.pos[s])
			if y == nil || g == nil || used[y] || used[g] {
				return false
			}
			t := y.at
			t[original], t[s] = g.at[original], r.at[s]
			used[y] = o.try(o.at, t)
			used[g] = used[y]
			return used[y]
		}))
	}
	isUsed := func(r *row) bool { return used[r] }
	o.gone = poolOf(slices.DeleteFunc(gone, isUsed))
	for _, s := range sides {
		o.standing[s] = poolOf(slices.DeleteFunc(standing[s], isUsed))
	}
}

// nearest returns the one of rows, in the order of v, that stands nearest to pos
// in v; nil of none.
func nearest(rows []*row, v version, pos int32) *row {
	i := sort.Search(len(rows), func(i int) bool { return rows[i].pos[v] >= pos })
	switch {
	case len(rows) == 0:
		return nil
	case i == len(rows) || i > 0 && pos-rows[i-1].pos[v] < rows[i].pos[v]-pos:
		return rows[i-1]
	}
	return rows[i]
}

// explainMissing looks for an item of the other side that stands in the result
// and holds what s did in r.
func (o *orderedList) explainMissing(s version, r *row) bool {
	if o.of == ofLines {
		return false
	}
	ys := &o.standing[s.other()]
	for y := range ys.each {
		for g := range o.gone.each {
			t := ys.rows[y].at
			t[original], t[s] = o.gone.rows[g].at[original], r.at[s]
			if o.misnamed(t) || !o.try(o.at, t) {
				if o.work < 0 {
					return false
				}
				continue
			}
			ys.remove(y)
			o.gone.remove(g)
			return true
		}
	}
	return o.explainContained(s, r)
}

// try reports whether t holds. Trials are paid from a fixed amount of work,
// so that a list that fits nowhere ends in a refusal and not in endless search.
func (c *checker) try(at *place, t quad) bool {
	c.work -= t[result].weight + 1
	if t[original] != nil {
		c.work -= t[original].weight
	}
	if c.work < 0 {
		return false
	}
	lost := len(c.moves.lost)
	if c.triple(at, t) == nil {
		return true
	}
	c.moves.lost = c.moves.lost[:lost]
	return false
}
