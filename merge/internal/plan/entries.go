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

// conflictOver returns the plan of the conflict over the entries of st.
func (w *Walker) conflictOver(st pair.Step, in scope) *EntryConflict {
	c := &EntryConflict{Kind: kindOf(st.Conflict), Whole: st.Conflict == pair.Wrapped}
	for s, run := range st.Runs {
		for _, i := range run {
			c.Runs[s] = append(c.Runs[s], in.of[s].Entries[i])
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
	by := w.Rules.DecisionAt(p.Place())
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

// added returns the plan of an entry that of both sides s alone has. Under the default rules, this is a conflict if
// it replaces another entry and has a comment of it that the other side removed.
func (w *Walker) added(at three.Entries, s three.Version, in scope) Entry {
	e, values := at[s], at.Values()
	if w.RuleSet == nil && e.Value.Kind == syntax.Scalar && w.Undoes(s, text.Span{Start: e.Span.Start, End: e.Value.Span.End}) {
		return in.conflict(at, ConflictComment)
	}
	at[three.Original] = nil
	if !respaced(in.gaps, at) && !w.isPartial(e.Value) {
		return &TakenEntry{At: at, Side: s}
	}
	c := &MergedEntry{At: at, Path: in.name(at), Key: s, Comment: Remark{Side: s}}
	c.Value = w.take(values, s, in.below(at, c.Path))
	c.Lead, c.Foot = w.lead(at, in).Take(s), w.Foot(at, in.of).Take(s)
	if w.Odd(s, e) {
		c.Head = three.Some(s)
	}
	return c
}

// trivia merges comments and blank lines.
func (w *Walker) trivia(t Slot) Trivia {
	if w.RuleSet != nil {
		return w.RuleSet.MergeTrivia(t)
	}
	return w.WithoutRemoved(t).Merge()
}

// deleted merges an entry that the side other than s deleted. It returns a conflict if s changed it or its comments.
func (w *Walker) deleted(at three.Entries, s three.Version, in scope) Entry {
	o, x := at[three.Original], at[s]
	if w.Hasher.Equal(o.Value, x.Value) && w.Hasher.HaveSameKey(o, x) && !w.AddedComments(o.Span, s, x.Span) {
		return &DeletedEntry{At: at}
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

// chooseHead sets c.Head if a version has more than usual between key and value: comments or properties on lines of their own,
// which merge only as a whole. It also sets the form of c.Value to one that fits. It returns false if there is none, or if
// c.Value is a flow collection with lines of its own for its entries, and has such a head or comments in conflict.
func (w *Walker) chooseHead(c *MergedEntry) bool {
	h, odd := w.Heads(c.At)
	m := c.Value
	s, ok := three.PickFunc(h, bytes.Equal)
	switch {
	case !odd:
		return !m.Spread() || !c.Comment.Clash
	case !ok, m.Spread(), m.Merged && c.Comment.Clash:
		return false
	case m.Merged:
		if s == three.Updated && m.canTakeForm(s) {
			m.Form = s
		}
	default:
		if bytes.Equal(h[three.Dest], h[three.Updated]) {
			s = m.Form
		}
		if m.Lines == nil && m.V[s].Style != syntax.Block && !m.V[s].IsBlockScalar() && w.Hasher.Equal(m.V[s], m.V[m.Form]) {
			m.Form, m.Props = s, s
		} else if m.V[m.Form].IsBlockScalar() || m.PropsSide() != s {
			return false
		}
	}
	c.Head = three.Some(s)
	return m.Form == s
}

// exclude makes conflicts of the fields of a merged mapping that exclude each
// other, where no version has two of them and the merge would. It reports false
// where they do not stand together, so that the mapping is one conflict.
func (w *Walker) exclude(kids []Entry, v three.Nodes, in scope) bool {
	if len(kids) < 2 {
		return true
	}
	for _, u := range w.Rules.OneOf(in.path.Place()) {
		had := 0
		for _, n := range v {
			if n != nil {
				had = max(had, u.CountPresent(n.Entries))
			}
		}
		if had < 2 && max(u.CountPresent(resultEntries(kids, three.Dest)), u.CountPresent(resultEntries(kids, three.Updated))) > 1 && !in.contestMembers(kids, u) {
			return false
		}
	}
	return true
}

// multiplied returns what is in conflict in the mapping v at p, if each side widened another one of its fields that
// are multiplied; "" otherwise.
func (w *Walker) multiplied(v three.Nodes, p *three.Path) string {
	if w.RuleSet != nil || v[three.Dest].Kind != syntax.Mapping || v[three.Updated].Kind != syntax.Mapping {
		return ""
	}
	for _, f := range w.Rules.Multiplied(p.Place()) {
		if ours, theirs, ok := f.FindWidened(v[three.Original], v[three.Dest], v[three.Updated]); ok {
			return "ours widened " + ours + ", theirs " + theirs + "; together they would grant what neither side grants"
		}
	}
	return ""
}

// resultEntries returns the entries of kids that are in the result if s is taken in conflicts.
func resultEntries(kids []Entry, s three.Version) []*syntax.Entry {
	var out []*syntax.Entry
	for _, k := range kids {
		var e *syntax.Entry
		switch c := k.(type) {
		case *EntryConflict:
			e = c.At[s]
		case *TakenEntry:
			e = c.At[c.Side]
		case *MergedEntry:
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
func (in scope) contestMembers(kids []Entry, u schema.OneOf) bool {
	last, together := -1, true
	for i, e := range kids {
		at := e.Versions()
		if c, ok := e.(*MergedEntry); !u.HasField(at[at.First()]) || ok && c.Value.Merged {
			together = together && (at[three.Original] != nil || at[three.Dest] != nil && at[three.Updated] != nil)
			continue
		}
		together = together && (last < 0 || last == i-1)
		last = i
		if !isConflict(e) {
			kids[i] = in.conflict(at, ConflictAddAdd)
		}
	}
	return together
}

// contestAdded makes conflicts of those of kids, the entries of a collection that both sides added, that
// one side alone has, if each side has such: what both added under one name is often two ways to do one
// thing. The entries of a map of strings all stand, unless one of them is in conflict.
func (in scope) contestAdded(kids []Entry) {
	var more [3]bool
	for _, e := range kids {
		for _, s := range three.Sides {
			more[s] = more[s] || !isConflict(e) && e.Versions()[s.Other()] == nil
		}
	}
	if !more[three.Dest] || !more[three.Updated] {
		return
	}
	for i, e := range kids {
		if at := e.Versions(); !isConflict(e) && (at[three.Dest] == nil || at[three.Updated] == nil) {
			kids[i] = in.conflict(at, ConflictAddAdd)
		}
	}
}

// twoAdded reports whether both sides added v, and may mean two things: neither
// holds all of the other.
func (w *Walker) twoAdded(v three.Nodes) bool {
	d, u := v[three.Dest], v[three.Updated]
	return v[three.Original] == nil && !w.Hasher.Contains(d, u) && !w.Hasher.Contains(u, d)
}
