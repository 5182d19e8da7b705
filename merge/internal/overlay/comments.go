package overlay

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// slot merges comments. Where updated always stands, the original has no say about
// them: dest's stay, and those of updated that stand elsewhere in dest are not written
// again.
func (m *Merger) slot(t plan.Slot) plan.Trivia {
	if !m.rules.Always {
		return t.Merge()
	}
	t.Lines[three.Original] = nil
	if !m.all && len(t.Lines[three.Updated]) > 0 && m.standInDest(plan.Comments(t.Lines[three.Updated])) {
		return t.Take(three.Dest)
	}
	if !t.Commented(three.Dest) && t.Commented(three.Updated) {
		return t.Take(three.Updated) // a separator may stand beside the comment
	}
	return t.Merge()
}

// standInDest reports whether all comments of lines stand in dest.
func (m *Merger) standInDest(lines []string) bool {
	if m.known == nil {
		m.known = map[string]bool{}
		for _, c := range m.AllComments(three.Dest) {
			m.known[c] = true
		}
	}
	return !slices.ContainsFunc(lines, func(l string) bool {
		i := plan.CommentAt([]byte(l))
		return i >= 0 && !m.known[l[i:]]
	})
}

// remark merges the comment at the end of the entry's line.
func (m *Merger) remark(at three.Entries) plan.Remark {
	var c [3]string
	for s, e := range at {
		if e != nil {
			c[s] = string(bytes.TrimSpace(m.Bytes(three.Side(s), e.Comment)))
		}
	}
	s, ok := three.Pick(c)
	return plan.Remark{Side: s, Clash: !ok}
}

// silent reports whether no comment of n, which is of s, needs a place.
func (m *Merger) silent(s three.Side, n *syntax.Node) bool {
	if m.Cut[n] && len(n.Entries) == 0 {
		return true
	}
	notes := m.CommentsIn(s, n.Span)
	return len(notes) == 0 || s == three.Updated && m.rules.Always && !m.all && m.standInDest(notes)
}

// flows reports whether a merged collection can be written in flow style. Comments of
// the original need no place, those of updated win.
func (m *Merger) flows(x *plan.Value) bool {
	notes := x.V
	for s, n := range notes {
		if three.Side(s) == three.Original || n != nil && m.silent(three.Side(s), n) {
			notes[s] = nil
		}
	}
	m.Place(x, notes)
	flow := func(s three.Side) bool {
		return notes[s] != nil && notes[s].Style == syntax.Flow
	}
	if flow(three.Updated) && !flow(three.Dest) && m.SameMembers(x, three.Updated) {
		x.Form = three.Updated
	}
	return m.Flows(x, notes)
}

// chooseHead chooses the bytes between key and value where they hold more than usual:
// those of the side of the value's form. Where the values are equal and updated alone has
// a comment, or changed these bytes, that is updated.
func (m *Merger) chooseHead(c *plan.Child) {
	odd := false
	var head [3]string
	var comments [3]int
	for s, e := range c.At {
		if e != nil {
			odd = odd || m.Odd(three.Side(s), e)
			at := text.Span{Start: e.Colon, End: e.HeadEnd}
			head[s], comments[s] = string(m.Bytes(three.Side(s), at)), len(m.CommentsIn(three.Side(s), at))
		}
	}
	if !odd {
		return
	}
	x, d, u := c.Value, c.At[three.Dest], c.At[three.Updated]
	onlyUpdated := func() bool {
		if head[three.Original] == head[three.Dest] {
			return head[three.Dest] != head[three.Updated]
		}
		return d.Comment.Empty() && !u.Comment.Empty() || comments[three.Dest] < comments[three.Updated]
	}
	if d != nil && u != nil && onlyUpdated() && !x.Merged && m.Sums.Equal(x.V[three.Dest], x.V[three.Updated]) {
		x.Form = three.Updated
	}
	c.Head = x.Form
	if e := c.At[c.Key]; e.Key != nil && e.Colon == e.Key.Span.End {
		c.Key = x.Form // "? key" has no colon for a value
	}
}
