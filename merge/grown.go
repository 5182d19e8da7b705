package merge

import "bytes"

// A grownEntry is an entry that growth put into conflict, and how it was merged
// before.
type grownEntry struct {
	child *child
	whole side
	clash *clash
}

// refuse makes an entry that merged, or was deleted, a conflict.
func (w *walker) refuse(c *child) {
	if c.path == nil {
		c.path = c.name(c.at)
	}
	w.grown = append(w.grown, &grownEntry{child: c, whole: c.whole})
	c.contest(ConflictRefused)
}

// swap merges the entry again, or puts it into conflict once more.
func (g *grownEntry) swap() {
	g.child.whole, g.whole = g.whole, g.child.whole
	g.child.clash, g.clash = g.clash, g.child.clash
}

// size is how many bytes stand in conflict there.
func (g *grownEntry) size() int {
	n := 0
	for _, run := range g.child.clash.runs {
		for _, e := range run {
			n += e.Span.Len()
		}
	}
	return n
}

// settled reports whether what is written, with either side at the conflicts,
// has the comments for which it grew as often as that side has them, or as both sides' edits add up to. In
// conflicts the referee lets pass what a side removed and the other one moved.
func (w *walker) settled(written func(side) []byte) bool {
	for _, c := range w.disputed {
		var n [3]int
		for s, f := range w.files {
			n[s] = bytes.Count(f.Bytes(), c)
		}
		for _, s := range sides {
			if got := bytes.Count(written(s), c); got != n[s] && got != max(0, n[dest]+n[updated]-n[original]) {
				return false
			}
		}
	}
	return true
}
