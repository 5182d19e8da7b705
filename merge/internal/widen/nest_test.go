package widen

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// TestNest holds that a nest finds what a look at every entry finds.
func TestNest(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var children []*plan.Child
		for s := range 3 {
			for i, span := range spans(r, text.Span{Start: 0, End: 40}, nil) {
				for i >= len(children) {
					children = append(children, &plan.Child{})
				}
				if r.IntN(4) > 0 {
					children[i].At[s] = &syntax.Entry{Span: span}
				}
			}
		}
		n := newNest(children)
		for range 50 {
			var at [3]text.Span
			for s := range at {
				at[s].Start = r.IntN(40)
				at[s].End = at[s].Start + r.IntN(8)
			}
			got, want := make([]int, len(children)), make([]int, len(children))
			n.around(at, func(child, size int) { got[child] += size })
			for i, c := range children {
				want[i] = around(c, at)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: around %v are %v, not %v", seed, at, got, want)
			}
		}
	}
}

// spans are spans in in, apart or in each other.
func spans(r *rand.Rand, in text.Span, all []text.Span) []text.Span {
	for at := in.Start; at < in.End; {
		part := text.Span{Start: at, End: min(in.End, at+1+r.IntN(12))}
		all = append(all, part)
		if r.IntN(2) > 0 && (part != in || r.IntN(3) > 0) {
			all = spans(r, text.Span{Start: part.Start + r.IntN(2), End: part.End}, all)
		}
		at = part.End + r.IntN(2)
	}
	return all
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
