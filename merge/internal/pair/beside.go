package pair

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// beside merges edits of both sides that touch, and of which none is about an item
// that the other side changed. It reports false where there are others.
func (a *ordered) beside(p span) bool {
	within := func(s three.Side) diff3.Range { return diff3.Range{Start: p.from[s], End: p.to[s]} }
	region := diff3.Chunk{Original: within(three.Original), Dest: within(three.Dest), Updated: within(three.Updated)}
	chunks := region.ApartBy(a.kept(three.Dest, p), a.kept(three.Updated, p))
	if chunks == nil {
		return false
	}
	for i := p.from[three.Original]; i < p.to[three.Original]; i++ {
		for _, s := range three.Sides {
			if a.match[s][i] < 0 && a.changedItem(s.Other(), i) {
				return false
			}
		}
	}
	for _, c := range chunks {
		switch c.Kind {
		case diff3.DestChanged:
			a.added(three.Dest, c.Dest)
		case diff3.UpdatedChanged:
			a.added(three.Updated, c.Updated)
		}
		for i := c.Original.Start; i < c.Original.End; i++ {
			a.steps = append(a.steps, Triple(i, a.match[three.Dest][i], a.match[three.Updated][i]))
		}
	}
	return true
}

// kept are the items of the original's p that s has, counted from the starts of p.
func (a *ordered) kept(s three.Side, p span) (runs []diff3.Run) {
	for i := p.from[three.Original]; i < p.to[three.Original]; i++ {
		if j := a.match[s][i]; j >= 0 {
			runs = append(runs, diff3.Run{A: i - p.from[three.Original], B: j - p.from[s], Len: 1})
		}
	}
	return runs
}

// added makes the steps of what s alone has.
func (a *ordered) added(s three.Side, r diff3.Range) {
	for j := r.Start; j < r.End; j++ {
		st := Triple(-1, -1, -1)
		st.At[s] = j
		a.steps = append(a.steps, st)
	}
}
