package form

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// CommentsChanged reports whether b holds other comments than a.
func (f *Versions) CommentsChanged(sa three.Side, a *syntax.Node, sb three.Side, b *syntax.Node) bool {
	return !slices.Equal(f.CommentsIn(sa, a.Span), f.CommentsIn(sb, b.Span))
}

// CommentsIn returns the comments that stand within sp, in order. They are looked for once: most
// files have none.
func (f *Versions) CommentsIn(s three.Side, sp text.Span) (c []string) {
	if !f.sought[s] {
		f.comments[s], f.sought[s] = f.Streams[s].Comments(), true
	}
	all := f.comments[s]
	i, _ := slices.BinarySearchFunc(all, sp.Start, func(c syntax.Comment, at int) int { return c.Span.Start - at })
	for ; i < len(all) && all[i].Span.End <= sp.End; i++ {
		c = append(c, string(bytes.TrimRight(f.Bytes(s, all[i].Span), " \t\r")))
	}
	return c
}

// AddedComments reports whether s, which has x, changed a comment of what the original
// has at o, or added one. One that s took over from elsewhere is none of these: an entry
// that follows a deleted one may get its comments.
func (f *Versions) AddedComments(o text.Span, s three.Side, x text.Span) bool {
	had := map[string]int{}
	for _, c := range f.CommentsIn(three.Original, o) {
		had[c]++
	}
	for _, c := range f.CommentsIn(s, x) {
		if had[c]--; had[c] < 0 && f.counted(s)[c] > f.counted(three.Original)[c] {
			return true
		}
	}
	return false
}

// counted is how often each comment stands in s.
func (f *Versions) counted(s three.Side) map[string]int {
	if f.times[s] == nil {
		f.times[s] = map[string]int{}
		for _, c := range f.AllComments(s) {
			f.times[s][c]++
		}
	}
	return f.times[s]
}

// AllComments returns the comments of version s.
func (f *Versions) AllComments(s three.Side) []string {
	return f.CommentsIn(s, text.Span{End: len(f.Files[s].Bytes())})
}

// WithoutRemoved leaves out of each side's slot the comments that it took over from
// elsewhere and that the other side removed there: a blank line is enough to make the
// comment of one entry that of another.
func (f *Versions) WithoutRemoved(t plan.Slot) plan.Slot {
	had := plan.Comments(t.Lines[three.Original])
	for _, s := range three.Sides {
		removed := func(l plan.Line) bool {
			c := string(bytes.TrimSpace(l.Text))
			return f.removed(s)[c] && !slices.Contains(had, c)
		}
		if slices.ContainsFunc(t.Lines[s], removed) {
			t.Lines[s] = slices.DeleteFunc(slices.Clone(t.Lines[s]), removed)
		}
	}
	return t
}

// Undoes reports whether what s has at sp, taken as it is, would bring back a comment
// that the other side removed.
func (f *Versions) Undoes(s three.Side, sp text.Span) bool {
	return len(f.removed(s)) > 0 && slices.ContainsFunc(f.CommentsIn(s, sp), func(c string) bool { return f.removed(s)[c] })
}

// removed are the comments that s and the original have once, and the other side has
// not: of what stands there more often nobody knows which one went.
func (f *Versions) removed(s three.Side) map[string]bool {
	if f.undone[s] == nil {
		f.undone[s] = map[string]bool{}
		for c, n := range f.counted(three.Original) {
			if n == 1 && (c[0] == '#' || c[0] == '/') && f.counted(s)[c] == 1 && f.counted(s.Other())[c] == 0 {
				f.undone[s][c] = true
			}
		}
	}
	return f.undone[s]
}
