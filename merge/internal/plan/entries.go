package plan

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// clash is the plan of a conflict over several entries.
func (w *Walker) clash(st pair.Step, in scope) *Child {
	c := &Child{Clash: &Clash{Kind: kindOf(st.Conflict), Whole: st.Conflict == pair.Wrapped}}
	for s, run := range st.Runs {
		for _, i := range run {
			c.Clash.Runs[s] = append(c.Clash.Runs[s], in.of[s].Entries[i])
		}
		if len(run) > 0 && c.At[s] == nil {
			c.At[s] = in.of[s].Entries[run[0]]
		}
	}
	c.Path = in.name(c.At)
	return c
}

func kindOf(c pair.ConflictReason) ConflictKind {
	switch c {
	case pair.BothReplaced, pair.Wrapped:
		return ConflictReplace
	case pair.BothInserted:
		return ConflictAddAdd
	}
	return ConflictList
}

// United is a list that a policy of union decided, and what it says.
type United struct {
	Path *three.Path
	By   schema.Decision
}

// united lets a policy of union decide the conflicts of an ordered list: of strings, both
// sides' additions and removals stand; of others, both sides' additions at one place.
func (w *Walker) united(v three.Nodes, p *three.Path, steps []pair.Step) []pair.Step {
	if !slices.ContainsFunc(steps, func(st pair.Step) bool { return st.Conflict != pair.NoConflict }) {
		return steps
	}
	by := w.Rules.Field(p.Place())
	if by.Policy != schema.Union {
		return steps
	}
	changed := true
	if scalars(v) {
		steps = w.PairSet(v, schema.List{Kind: schema.Set})
	} else {
		steps, changed = pair.KeepBothInsertions(v, steps)
	}
	if changed {
		w.made.United = append(w.made.United, United{Path: p, By: by})
	}
	return steps
}

func scalars(v three.Nodes) bool {
	for _, n := range v {
		if n == nil {
			continue
		}
		for _, e := range n.Entries {
			if e.Value.Kind != syntax.Scalar {
				return false
			}
		}
	}
	return true
}

// Followed is an item or a document that one side gave another name, and that the
// other side changed: its change went where the item went.
type Followed struct {
	In       *three.Path // the list; nil for a document
	From, To string
}

// follow notes the renames among steps, whose things at tells by what they are
// known, and what they are.
func (w *Walker) follow(steps []pair.Step, in *three.Path, at func(three.Version, int) (string, *syntax.Node)) {
	for _, st := range steps {
		if st.Conflict != pair.NoConflict || st.Index[three.Original] < 0 || st.Index[three.Dest] < 0 || st.Index[three.Updated] < 0 {
			continue
		}
		from, was := at(three.Original, st.Index[three.Original])
		for _, s := range three.Sides {
			to, _ := at(s, st.Index[s])
			other, x := at(s.Other(), st.Index[s.Other()])
			renamed := from != to && from != "" && to != ""
			if renamed && from == other && !w.Hasher.Equal(was, x) {
				w.made.Followed = append(w.made.Followed, Followed{in, from, to})
			}
		}
	}
}

// added is an entry that s alone has: in conflict where it stands in the place of
// another one, under a comment that the other side removed.
func (w *Walker) added(at three.Entries, s three.Version, in scope) *Child {
	if e := at[s]; e.Value.Kind == syntax.Scalar && w.Undoes(s, text.Span{Start: e.Span.Start, End: e.Value.Span.End}) {
		return in.conflict(at, ConflictComment)
	}
	if !respaced(in.gaps, at) {
		return &Child{At: at, Whole: s}
	}
	c := &Child{At: at, Path: in.name(at), Key: s, Comment: Remark{Side: s}, Value: &Value{V: at.Values(), Form: s, Props: s}}
	c.Lead, c.Foot = w.lead(at, in).Take(s), w.Foot(at, in.of).Take(s)
	if w.Odd(s, at[s]) {
		c.Head = s
	}
	return c
}

// trivia merges a slot of comments and blank lines.
func (w *Walker) trivia(t Slot) Trivia { return w.WithoutRemoved(t).Merge() }

// deleted merges an entry that the side other than s deleted: gone, or a
// conflict if s changed it or its comments.
func (w *Walker) deleted(at three.Entries, s three.Version, in scope) *Child {
	o, x := at[three.Original], at[s]
	if w.Hasher.Equal(o.Value, x.Value) && w.Hasher.HaveSameKey(o, x) && !w.AddedComments(o.Span, s, x.Span) {
		return &Child{At: at, Gone: true}
	}
	return in.conflict(at, ConflictDeleteModify)
}

// remark merges the comment at the end of the entry's line.
func (w *Walker) remark(at three.Entries) Remark {
	var c [3]string
	for s, e := range at {
		if e != nil {
			c[s] = string(bytes.TrimSpace(w.Bytes(three.Version(s), e.Comment)))
		}
	}
	s, ok := three.Pick(c)
	return Remark{Side: s, Clash: !ok}
}

// key merges the key of an entry. A new key is a rename: the form follows who
// made it. It reports false where both renamed, or where one renamed a field
// that the other changed: what reads a field knows it by its name. (Keyed
// items and documents have no such key: edits follow their renames.)
func (w *Walker) key(at three.Entries) (three.Version, bool) {
	o, d, u := at[three.Original], at[three.Dest], at[three.Updated]
	if o == nil || o.Key == nil || d.Key == nil || u.Key == nil {
		return three.Dest, true
	}
	dSame, uSame := w.Hasher.HaveSameKey(o, d), w.Hasher.HaveSameKey(o, u)
	switch {
	case dSame && uSame:
		if bytes.Equal(w.KeyText(three.Original, o), w.KeyText(three.Dest, d)) {
			return three.Updated, true
		}
		return three.Dest, true
	case uSame:
		return three.Dest, w.Hasher.Equal(o.Value, u.Value)
	case dSame:
		return three.Updated, w.Hasher.Equal(o.Value, d.Value)
	}
	return three.Dest, w.Hasher.HaveSameKey(d, u)
}

// oddHead chooses the bytes between key and value where they hold more than
// usual (comments or properties on lines of their own): they merge only as a
// whole. It reports false where they cannot.
func (w *Walker) oddHead(c *Child) (three.Version, bool) {
	odd := false
	var h [3][]byte
	for s, e := range c.At {
		if e != nil {
			odd = odd || w.Odd(three.Version(s), e)
			h[s] = w.Bytes(three.Version(s), text.Span{Start: e.Colon, End: e.HeadEnd})
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
func (w *Walker) wholeHead(c *Child, h [3][]byte) (three.Version, bool) {
	m := c.Value
	s, ok := three.PickFunc(h, bytes.Equal)
	switch {
	case !ok:
		return s, false
	case bytes.Equal(h[three.Dest], h[three.Updated]):
		s = m.Form
	}
	whole := m.Lines == nil && m.V[s].Style != syntax.Block && !m.V[s].IsBlockScalar() && w.Hasher.Equal(m.V[s], m.V[m.Form])
	if whole {
		m.Form, m.Props = s, s
	}
	return s, whole || !m.V[m.Form].IsBlockScalar() && m.Form == s && m.PropsSide() == s
}

// exclude makes conflicts of the fields of a merged mapping that exclude each
// other, where no version has two of them and the merge would. It reports false
// where they do not stand together, so that the mapping is one conflict.
func (w *Walker) exclude(kids []*Child, v three.Nodes, in scope) bool {
	if len(kids) < 2 {
		return true
	}
	for _, u := range w.Rules.OneOf(in.path.Place()) {
		had := 0
		for _, n := range v {
			if n != nil {
				had = max(had, u.Held(n.Entries))
			}
		}
		if had < 2 && max(u.Held(standing(kids, three.Dest)), u.Held(standing(kids, three.Updated))) > 1 && !in.contestMembers(kids, u) {
			return false
		}
	}
	return true
}

// multiplied returns what is in conflict in the mapping v at p, if each side widened another one of its fields that
// are multiplied; "" otherwise.
func (w *Walker) multiplied(v three.Nodes, p *three.Path) string {
	if v[three.Dest].Kind != syntax.Mapping || v[three.Updated].Kind != syntax.Mapping {
		return ""
	}
	for _, f := range w.Rules.Multiplied(p.Place()) {
		if ours, theirs, ok := f.Widened(v[three.Original], v[three.Dest], v[three.Updated]); ok {
			return "ours widened " + ours + ", theirs " + theirs + "; together they would grant what neither side grants"
		}
	}
	return ""
}

// standing are the entries of merged kids, with s taken in conflicts.
func standing(kids []*Child, s three.Version) []*syntax.Entry {
	var out []*syntax.Entry
	for _, c := range kids {
		e := c.At[s]
		switch {
		case c.Gone:
			continue
		case c.Clash != nil:
		case c.Whole != three.Original:
			e = c.At[c.Whole]
		default:
			e = c.At[c.Value.Form]
		}
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

// contestMembers makes conflicts of the fields of u that the sides do not have
// alike. It reports false where others stand between them, or may with the sides
// swapped: fields that one side added.
func (in scope) contestMembers(kids []*Child, u schema.OneOf) bool {
	last, together := -1, true
	for i, c := range kids {
		if !u.Member(c.At[c.At.First()]) || c.merged() {
			together = together && (c.At[three.Original] != nil || c.At[three.Dest] != nil && c.At[three.Updated] != nil)
			continue
		}
		together = together && (last < 0 || last == i-1)
		last = i
		if c.Clash == nil {
			kids[i] = in.conflict(c.At, ConflictAddAdd)
		}
	}
	return together
}

// contestAdded makes conflicts of those of kids, the entries of a collection that both sides added, that
// one side alone has, if each side has such: what both added under one name is often two ways to do one
// thing. The entries of a map of strings all stand, unless one of them is in conflict.
func (in scope) contestAdded(kids []*Child) {
	var more [3]bool
	for _, c := range kids {
		for _, s := range three.Sides {
			more[s] = more[s] || c.Clash == nil && c.At[s.Other()] == nil
		}
	}
	if !more[three.Dest] || !more[three.Updated] {
		return
	}
	for i, c := range kids {
		if c.Clash == nil && (c.At[three.Dest] == nil || c.At[three.Updated] == nil) {
			kids[i] = in.conflict(c.At, ConflictAddAdd)
		}
	}
}

// twoAdded reports whether both sides added v, and may mean two things: neither
// holds all of the other.
func (w *Walker) twoAdded(v three.Nodes) bool {
	d, u := v[three.Dest], v[three.Updated]
	return v[three.Original] == nil && !w.Hasher.Contains(d, u) && !w.Hasher.Contains(u, d)
}
