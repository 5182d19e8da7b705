package widen

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Widened is an entry that was put into conflict, and how it was merged before.
type Widened struct {
	child *plan.Child
	whole three.Side
	clash *plan.Clash
}

// refuse makes an entry that merged, or was deleted, a conflict.
func (g *Widener) refuse(c *plan.Child) {
	if c.Path == nil {
		c.Path = c.Name(c.At)
	}
	g.Widened = append(g.Widened, &Widened{child: c, whole: c.Whole})
	c.Contest(plan.ConflictRefused)
}

// Swap merges the entry again, or puts it into conflict once more.
func (g *Widened) Swap() {
	g.child.Whole, g.whole = g.whole, g.child.Whole
	g.child.Clash, g.clash = g.clash, g.child.Clash
}

// Size is how many bytes stand in conflict there.
func (g *Widened) Size() int {
	n := 0
	for _, run := range g.child.Clash.Runs {
		for _, e := range run {
			n += e.Span.Len()
		}
	}
	return n
}

// note remembers the merged entries of m.
func (g *Widener) note(m *plan.Value) {
	if m == nil {
		return
	}
	for _, c := range m.Kids {
		if c.Whole == three.Original && c.Path != nil {
			g.children = append(g.children, c)
			g.note(c.Value)
		}
	}
}
