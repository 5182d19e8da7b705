package walk

import (
	"bytes"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Grow puts what a refusal is about into conflict: the entries that hold its
// comment or its alias, else the smallest merged entry around where it stands in
// the inputs, or around its path where a template was refused. It reports false where nothing is left to grow.
func (w *Walker) Grow(docs []*plan.Document, at [3]text.Span, path, subject string) bool {
	if subject != "" && w.growAbout(docs, subject) {
		if subject[0] != '*' {
			w.disputed = append(w.disputed, []byte(subject))
		}
		return true
	}
	if path != "" && w.unbare(path) {
		return true
	}
	best := w.smallest(at, path)
	if best != nil {
		w.refuse(best)
	}
	return best != nil
}

// smallest is the smallest merged entry around at or path that can be a conflict, nil if
// there is none.
func (w *Walker) smallest(at [3]text.Span, path string) *plan.Child {
	best, least := -1, 0
	look := func(i, size int) {
		c := w.children[i]
		if (best < 0 || size < least || size == least && i < best) && c.Clash == nil && !c.Within() && !c.InFlow() {
			best, least = i, size
		}
	}
	if path == "" {
		if w.nest == nil || len(w.nest.children) != len(w.children) {
			w.nest = newNest(w.children)
		}
		w.nest.around(at, look)
	} else {
		for i, c := range w.children {
			size := around(c, at)
			if covers(c.Path.String(), path) {
				size = 1 + len(path) - len(c.Path.String())
			}
			if size > 0 {
				look(i, size)
			}
		}
	}
	if best < 0 {
		return nil
	}
	return w.children[best]
}

// unbare takes the lines above and below the entry at path into its conflict: the
// actions there are of one version then. It reports false if there is no such
// conflict.
func (w *Walker) unbare(path string) bool {
	for _, c := range w.children {
		if c.Clash != nil && c.Clash.Bare && c.Path.String() == path {
			c.Clash.Bare = false
			return true
		}
	}
	return false
}

// covers reports whether the path p is path or one above it.
func covers(p, path string) bool {
	rest, ok := strings.CutPrefix(path, p)
	return ok && (rest == "" || p == "" || strings.ContainsRune(".[:", rune(rest[0])))
}

// around is how large c is where it holds at in a version; 0 where it does not.
func around(c *plan.Child, at [3]text.Span) int {
	for s, e := range c.At {
		if e != nil && !at[s].Empty() && e.Span.Contains(at[s]) {
			return e.Span.Len()
		}
	}
	return 0
}

// GrowDocument makes the merged document that holds at a conflict, or the first
// one if none does.
func (w *Walker) GrowDocument(docs []*plan.Document, at [3]text.Span) bool {
	var best *plan.Document
	for _, d := range docs {
		if d.Clash != nil || d.Whole != three.Original {
			continue
		}
		holds := false
		for s, x := range d.At {
			holds = holds || x != nil && !at[s].Empty() && x.Span.Contains(at[s])
		}
		if best == nil || holds {
			best = d
		}
	}
	if best == nil {
		return false
	}
	best.Contest(plan.ConflictRefused)
	return true
}

// Grown is an entry that growth put into conflict, and how it was merged
// before.
type Grown struct {
	child *plan.Child
	whole three.Side
	clash *plan.Clash
}

// refuse makes an entry that merged, or was deleted, a conflict.
func (w *Walker) refuse(c *plan.Child) {
	if c.Path == nil {
		c.Path = c.Name(c.At)
	}
	w.Grown = append(w.Grown, &Grown{child: c, whole: c.Whole})
	c.Contest(plan.ConflictRefused)
}

// Swap merges the entry again, or puts it into conflict once more.
func (g *Grown) Swap() {
	g.child.Whole, g.whole = g.whole, g.child.Whole
	g.child.Clash, g.clash = g.clash, g.child.Clash
}

// Size is how many bytes stand in conflict there.
func (g *Grown) Size() int {
	n := 0
	for _, run := range g.child.Clash.Runs {
		for _, e := range run {
			n += e.Span.Len()
		}
	}
	return n
}

// Settled reports whether what is written, with either side at the conflicts,
// has the comments for which it grew as often as that side has them, or as both sides' edits add up to. In
// conflicts the law lets pass what a side removed and the other one moved.
func (w *Walker) Settled(written func(three.Side) []byte) bool {
	for _, c := range w.disputed {
		var n [3]int
		for s, f := range w.Files {
			n[s] = bytes.Count(f.Bytes(), c)
		}
		for _, s := range three.Sides {
			if got := bytes.Count(written(s), c); got != n[s] && got != max(0, n[three.Dest]+n[three.Updated]-n[three.Original]) {
				return false
			}
		}
	}
	return true
}
