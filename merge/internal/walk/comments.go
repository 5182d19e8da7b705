package walk

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// commentsChanged reports whether b holds other comments than a.
func (w *Walker) commentsChanged(sa three.Side, a *syntax.Node, sb three.Side, b *syntax.Node) bool {
	return !slices.Equal(w.commentsIn(sa, a.Span), w.commentsIn(sb, b.Span))
}

// commentsIn returns the comments that stand within sp, in order.
func (w *Walker) commentsIn(s three.Side, sp text.Span) []string {
	var c []string
	all := w.allIn(s)
	for i := firstComment(all, sp.Start); i < len(all) && all[i].Span.End <= sp.End; i++ {
		c = append(c, string(bytes.TrimRight(w.bytes(s, all[i].Span), " \t\r")))
	}
	return c
}

// allIn returns the comments of version s, which are looked for once: most
// files have none.
func (w *Walker) allIn(s three.Side) []syntax.Comment {
	if !w.sought[s] {
		w.comments[s], w.sought[s] = w.Streams[s].Comments(), true
	}
	return w.comments[s]
}

// firstComment is the index of the first comment at or behind off.
func firstComment(all []syntax.Comment, off int) int {
	lo, hi := 0, len(all)
	for lo < hi {
		if mid := (lo + hi) / 2; all[mid].Span.Start < off {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// addedComments reports whether s changed a comment of the original's entry
// o, or added one. One that s took over from elsewhere is none of these: an entry
// that follows a deleted one may get its comments.
func (w *Walker) addedComments(o *syntax.Entry, s three.Side, x *syntax.Entry) bool {
	had := map[string]int{}
	for _, c := range w.commentsIn(three.Original, o.Span) {
		had[c]++
	}
	for _, c := range w.commentsIn(s, x.Span) {
		if had[c]--; had[c] < 0 && w.counted(s)[c] > w.counted(three.Original)[c] {
			return true
		}
	}
	return false
}

// counted is how often each comment stands in s.
func (w *Walker) counted(s three.Side) map[string]int {
	if w.times[s] == nil {
		w.times[s] = map[string]int{}
		for _, c := range w.commentsIn(s, text.Span{End: len(w.Files[s].Bytes())}) {
			w.times[s][c]++
		}
	}
	return w.times[s]
}

// mergeSlot merges a slot by the rules of w. Where updated always stands, the
// original has no say about comments: dest's stay, and those of updated that
// stand elsewhere in dest are not written again.
func (w *Walker) mergeSlot(t plan.Slot) plan.Trivia {
	if !w.RuleSet.Always {
		return t.Merge()
	}
	t.Lines[three.Original] = nil
	if !w.AllComments && len(t.Lines[three.Updated]) > 0 && w.standInDest(plan.Comments(t.Lines[three.Updated])) {
		return t.Take(three.Dest)
	}
	if !t.Commented(three.Dest) && t.Commented(three.Updated) {
		return t.Take(three.Updated) // a separator may stand beside the comment
	}
	return t.Merge()
}

// standInDest reports whether all comments of lines stand in dest.
func (w *Walker) standInDest(lines []string) bool {
	if w.known == nil {
		w.known = map[string]bool{}
		for _, c := range w.commentsIn(three.Dest, text.Span{End: len(w.Files[three.Dest].Bytes())}) {
			w.known[c] = true
		}
	}
	return !slices.ContainsFunc(lines, func(l string) bool {
		i := plan.CommentAt([]byte(l))
		return i >= 0 && !w.known[l[i:]]
	})
}
