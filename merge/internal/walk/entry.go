package walk

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/tree"
)

// added is an entry that s alone has: in conflict where it stands in the place of
// another one, under a comment that the other side removed.
func (w *Walker) added(at three.Entries, s three.Side, in scope) *plan.Child {
	if e := at[s]; e.Value.Kind == syntax.Scalar && w.Undoes(s, text.Span{Start: e.Span.Start, End: e.Value.Span.End}) {
		return in.conflict(at, plan.ConflictComment)
	}
	return &plan.Child{At: at, Whole: s}
}

// trivia merges a slot of comments and blank lines.
func (w *Walker) trivia(t plan.Slot) plan.Trivia { return w.WithoutRemoved(t).Merge() }

// deleted merges an entry that the side other than s deleted: gone, or a
// conflict if s changed it or its comments.
func (w *Walker) deleted(at three.Entries, s three.Side, in scope) *plan.Child {
	o, x := at[three.Original], at[s]
	if w.Sums.Equal(o.Value, x.Value) && w.Sums.SameKey(o, x) && !w.AddedComments(o.Span, s, x.Span) {
		return &plan.Child{At: at, Gone: true}
	}
	return in.conflict(at, plan.ConflictDeleteModify)
}

// sameEntry reports whether two versions of an entry are the same bytes,
// trivia included, in collections of one indent.
func (w *Walker) sameEntry(at three.Entries, a, b three.Side, in scope) bool {
	x, y, v := at[a], at[b], in.of
	if in.deep || x == nil || y == nil || v[a].Indent != v[b].Indent || v[a].Style != v[b].Style || x.Inline != y.Inline {
		return false
	}
	return bytes.Equal(w.Bytes(a, x.Span), w.Bytes(b, y.Span))
}

// bareClash makes c a conflict with its own comments outside the markers
// where these merged.
func (w *Walker) bareClash(c *plan.Child, kind plan.ConflictKind) *plan.Child {
	c.Contest(kind)
	c.Clash.Bare = !c.Lead.Clashes() && !c.Foot.Clashes()
	return c
}

// remark merges the comment at the end of the entry's line.
func (w *Walker) remark(at three.Entries) plan.Remark {
	var c [3]string
	for s, e := range at {
		if e != nil {
			c[s] = string(bytes.TrimSpace(w.Bytes(three.Side(s), e.Comment)))
		}
	}
	s, ok := three.Pick(c)
	return plan.Remark{Side: s, Clash: !ok}
}

// key merges the key of an entry. A new key is a rename: the form follows who
// made it. It reports false where both renamed, or where one renamed a field
// that the other changed: what reads a field knows it by its name. (Keyed
// items and documents have no such key: edits follow their renames.)
func (w *Walker) key(at three.Entries) (three.Side, bool) {
	o, d, u := at[three.Original], at[three.Dest], at[three.Updated]
	if o == nil || o.Key == nil || d.Key == nil || u.Key == nil {
		return three.Dest, true
	}
	dSame, uSame := w.Sums.SameKey(o, d), w.Sums.SameKey(o, u)
	switch {
	case dSame && uSame:
		if bytes.Equal(w.KeyText(three.Original, o), w.KeyText(three.Dest, d)) {
			return three.Updated, true
		}
		return three.Dest, true
	case uSame:
		return three.Dest, w.Sums.Equal(o.Value, u.Value)
	case dSame:
		return three.Updated, w.Sums.Equal(o.Value, d.Value)
	}
	return three.Dest, w.Sums.SameKey(d, u)
}

// oddHead chooses the bytes between key and value where they hold more than
// usual (comments or properties on lines of their own): they merge only as a
// whole. It reports false where they cannot.
func (w *Walker) oddHead(c *plan.Child) (three.Side, bool) {
	odd := false
	var h [3][]byte
	for s, e := range c.At {
		if e != nil {
			odd = odd || w.Odd(three.Side(s), e)
			h[s] = w.Bytes(three.Side(s), text.Span{Start: e.Colon, End: e.HeadEnd})
		}
	}
	switch {
	case !odd:
		return three.Original, true
	case !c.Value.Merged:
		return w.wholeHead(c, h)
	case c.Comment.Clash:
		return three.Dest, false
	}
	s, ok := three.PickFunc(h, bytes.Equal)
	return s, ok && (c.Value.Form == s || s == three.Updated && c.Value.Takes(s))
}

// wholeHead chooses the odd head of an entry whose value is taken from one
// side: the bytes of that side, or of one with the same value, if the other
// left them alone.
func (w *Walker) wholeHead(c *plan.Child, h [3][]byte) (three.Side, bool) {
	m := c.Value
	s, ok := three.PickFunc(h, bytes.Equal)
	switch {
	case !ok:
		return s, false
	case bytes.Equal(h[three.Dest], h[three.Updated]):
		s = m.Form
	}
	whole := m.Lines == nil && m.V[s].Style != syntax.Block && !tree.IsBlockScalar(m.V[s]) && w.Sums.Equal(m.V[s], m.V[m.Form])
	if whole {
		m.Form, m.Props = s, s
	}
	return s, whole || !tree.IsBlockScalar(m.V[m.Form]) && m.Form == s && m.PropsSide() == s
}
