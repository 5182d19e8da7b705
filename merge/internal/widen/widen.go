package widen

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/walk"
)

// A Widener puts into conflict what results of a plan are refused for.
type Widener struct {
	// Widened are the entries that are in conflict since then.
	Widened   []*Widened
	by        *walk.Walker
	documents []*plan.Document
	children  []*plan.Child // all merged entries, parents before their children
	nest      *nest         // of children, once it is asked for
	disputed  [][]byte      // the comments for which conflicts were widened
}

// New returns what makes the conflicts of a plan larger that w made.
func New(w *walk.Walker, docs []*plan.Document) *Widener {
	g := &Widener{by: w, documents: docs}
	for _, d := range docs {
		g.note(d.Root)
	}
	return g
}

// Widen puts what a refusal is about into conflict: the entries that hold its
// comment or its alias, else the smallest merged entry around where it stands in
// the inputs. What is wrong with the actions there takes the lines above and below a
// conflict into it. It reports false where nothing is left.
func (g *Widener) Widen(at [3]text.Span, actions bool, subject string) bool {
	if subject != "" && g.about(subject) {
		if subject[0] != '*' {
			g.disputed = append(g.disputed, []byte(subject))
		}
		return true
	}
	if actions && g.unbare(at) {
		return true
	}
	best := g.smallest(at)
	if best != nil {
		g.refuse(best)
	}
	return best != nil
}

// smallest is the smallest merged entry around at that can be a conflict, nil if there is
// none.
func (g *Widener) smallest(at [3]text.Span) *plan.Child {
	best, least := -1, 0
	if g.nest == nil || len(g.nest.children) != len(g.children) {
		g.nest = newNest(g.children)
	}
	g.nest.around(at, func(i, size int) {
		c := g.children[i]
		if (best < 0 || size < least || size == least && i < best) && c.Clash == nil && !c.Within() && !c.InFlow() {
			best, least = i, size
		}
	})
	if best < 0 {
		return nil
	}
	return g.children[best]
}

// unbare takes the lines above and below the entry at a place into its conflict: the
// actions there are of one version then. It reports false if there is no such
// conflict.
func (g *Widener) unbare(at [3]text.Span) bool {
	for _, c := range g.children {
		if c.Clash == nil || !c.Clash.Bare {
			continue
		}
		for s, e := range c.At {
			if e != nil && !at[s].Empty() && e.Span == at[s] {
				c.Clash.Bare = false
				return true
			}
		}
	}
	return false
}

// Document makes the merged document that holds at a conflict, or the first
// one if none does.
func (g *Widener) Document(at [3]text.Span) bool {
	var best *plan.Document
	for _, d := range g.documents {
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

// Settled reports whether what is written, with either side at the conflicts,
// has the comments for which it was widened as often as that side has them, or as both sides' edits add up to. In
// conflicts the verifier lets pass what a side removed and the other one moved.
func (g *Widener) Settled(written func(three.Side) []byte) bool {
	for _, c := range g.disputed {
		var n [3]int
		for s, f := range g.by.Files {
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
