package template

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// wraps are the guards of entries that one side added where the other side put a
// block around what is there: around both neighbours, or around all others of the
// collection. What stands in open does not count.
func (l *Law) wraps(open [3][]text.Span) (all bag) {
	for _, side := range [...]int{dest, updated} {
		w := wrapping{l: l, in: l.facts[side], other: l.facts[dest+updated-side]}
		base := l.facts[original]
		if !w.other.wraps(base) {
			continue
		}
		w.known = map[string]*entry{}
		w.other.each(func(e *entry, path string) bool {
			w.known[path] = e
			return true
		})
		for _, added := range w.in.siblings() {
			for i, at := range added {
				e := &w.in.entries[at]
				if w.known[w.in.path(at)] == nil && !holds(open[side], e.Start) && !base.stands(w.in.path(at)) {
					w.around(&all, added, i)
				}
			}
		}
	}
	return all
}

// wraps reports whether f has a block around an entry of base that base has not.
func (f *facts) wraps(base *facts) bool {
	return slices.ContainsFunc(f.of[guards].order, func(n int) bool {
		return f.of[guards].count(n) > base.of[guards].count(n) && base.stands(f.facts[n].path)
	})
}

func holds(spans []text.Span, off int) bool {
	return slices.ContainsFunc(spans, func(s text.Span) bool { return s.Start <= off && off < s.End })
}

// siblings are the entries of each collection in their order, by what they are in.
func (f *facts) siblings() map[int][]int {
	all := map[int][]int{}
	for i := range f.entries {
		if f.entries[i].Entry != nil {
			all[f.entries[i].up] = append(all[f.entries[i].up], i)
		}
	}
	return all
}

// A wrapping looks for blocks of the other side around what a side added.
type wrapping struct {
	l         *Law
	in, other *facts
	known     map[string]*entry // those of the other side
}

// around adds the guards of the i-th entry of a collection.
func (w *wrapping) around(all *bag, entries []int, i int) {
	before, after := w.shared(entries[:i]), w.shared(entries[i+1:])
	near := slices.Concat(before, after)
	if len(before) > 0 && len(after) > 0 {
		near = []*entry{before[len(before)-1], after[0]}
	}
	if len(near) < 2 {
		return
	}
	for f := near[0].in; f != nil && f != w.other.entries[near[0].up].in; f = f.up {
		block := f.levels(f.up)[0]
		wrapped := w.l.ledger.number(fact{path: near[0].path, said: block})
		if w.in.of[guards].count(wrapped)+w.l.facts[original].of[guards].count(wrapped) == 0 && !slices.ContainsFunc(near, func(e *entry) bool { return !f.holds(e.in) }) {
			all.add(w.l.ledger.number(fact{path: w.in.path(entries[i]), said: block}), 1)
		}
	}
}

// shared are the entries of the other side that stand here too.
func (w *wrapping) shared(entries []int) (all []*entry) {
	for _, i := range entries {
		if e := w.known[w.in.path(i)]; e != nil {
			all = append(all, e)
		}
	}
	return all
}
