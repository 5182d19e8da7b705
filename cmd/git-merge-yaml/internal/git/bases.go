package git

import (
	"cmp"
	"container/heap"
	"slices"
)

// Bases finds merge bases. One that is used again uses its memory again; it
// is not safe for concurrent use.
type Bases struct {
	graph *Graph
	marks []mark // of all commits
	dirty []int  // commits with a mark
	queue queue
	fresh int // commits in queue that are not stale
}

// NewBases returns a finder of merge bases in g.
func (g *Graph) NewBases() *Bases {
	return &Bases{graph: g, marks: make([]mark, g.Len()), queue: queue{dates: g.dates}}
}

type mark uint8

const (
	ofOne mark = 1 << iota
	ofOther
	stale // below a merge base
	queued

	ofBoth = ofOne | ofOther
)

// Of returns the best common ancestors of any commit of one and any of other,
// the newest first, as `git merge-base --all` does.
//
// Commits are visited by corrected dates, so every commit after all its
// children: one that both sides have reached and that is not stale by then is
// a base, and all below it is stale.
func (b *Bases) Of(one, other []int) []int {
	b.reset()
	for _, c := range one {
		b.paint(c, ofOne)
	}
	for _, c := range other {
		b.paint(c, ofOther)
	}
	var bases []int
	for b.fresh > 0 {
		c := b.pop()
		m := b.marks[c] & (ofBoth | stale)
		if m == ofBoth {
			bases = append(bases, c)
			m |= stale
		}
		for _, p := range b.graph.parents[c] {
			b.paint(int(p), m)
		}
	}
	slices.SortStableFunc(bases, func(x, y int) int { return cmp.Compare(b.graph.dates[y], b.graph.dates[x]) })
	return bases
}

// AnyApart reports whether it holds for any commit that only one of those has reached
// for which Of was asked last.
func (b *Bases) AnyApart(holds func(c int) bool) bool {
	return slices.ContainsFunc(b.dirty, func(c int) bool {
		m := b.marks[c] & (ofBoth | stale)
		return (m == ofOne || m == ofOther) && holds(c)
	})
}

// paint adds marks to c, and c to the queue.
func (b *Bases) paint(c int, m mark) {
	old := b.marks[c]
	if old == 0 {
		b.dirty = append(b.dirty, c)
	}
	b.marks[c] = old | m | queued
	switch {
	case old&queued == 0:
		heap.Push(&b.queue, c)
		if b.marks[c]&stale == 0 {
			b.fresh++
		}
	case old&stale == 0 && m&stale != 0:
		b.fresh--
	}
}

func (b *Bases) pop() int {
	c := heap.Pop(&b.queue).(int)
	b.marks[c] &^= queued
	if b.marks[c]&stale == 0 {
		b.fresh--
	}
	return c
}

func (b *Bases) reset() {
	for _, c := range b.dirty {
		b.marks[c] = 0
	}
	b.dirty, b.queue.commits, b.fresh = b.dirty[:0], b.queue.commits[:0], 0
}

// queue is a heap of commits, the latest date first, then the lowest number.
type queue struct {
	dates   []int64
	commits []int
}

func (q *queue) Len() int { return len(q.commits) }

func (q *queue) Less(i, j int) bool {
	x, y := q.commits[i], q.commits[j]
	return q.dates[x] > q.dates[y] || q.dates[x] == q.dates[y] && x < y
}

func (q *queue) Swap(i, j int) { q.commits[i], q.commits[j] = q.commits[j], q.commits[i] }
func (q *queue) Push(c any)    { q.commits = append(q.commits, c.(int)) }

func (q *queue) Pop() any {
	last := len(q.commits) - 1
	c := q.commits[last]
	q.commits = q.commits[:last]
	return c
}
