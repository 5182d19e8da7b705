package merge

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// entry merges one field or item of the collections v; nil means that both
// sides deleted it.
func (w *walker) entry(at entries, v nodes, name func(entries) *path) *child {
	if w.set.updatedWins {
		return w.override(at, v, name)
	}
	o, d, u := at[original], at[dest], at[updated]
	switch {
	case d == nil && u == nil:
		return nil
	case o == nil && u == nil:
		return &child{at: at, name: name, whole: dest}
	case o == nil && d == nil:
		return &child{at: at, name: name, whole: updated}
	case d == nil:
		return w.deleted(at, updated, name)
	case u == nil:
		return w.deleted(at, dest, name)
	}
	return w.merged(at, v, name)
}

// deleted merges an entry that the side other than s deleted: gone, or a
// conflict if s changed it or its comments.
func (w *walker) deleted(at entries, s side, name func(entries) *path) *child {
	o, x := at[original], at[s]
	if w.sums.equal(o.Value, x.Value) && w.sums.sameKey(o, x) && !w.addedComments(o, s, x) {
		return &child{at: at, name: name, gone: true}
	}
	return (&child{at: at, path: name(at), up: w.up, doc: w.doc}).contest(ConflictDeleteModify)
}

// sameEntry reports whether two versions of an entry are the same bytes,
// trivia included, in collections of one indent.
func (w *walker) sameEntry(at entries, v nodes, a, b side) bool {
	x, y := at[a], at[b]
	if w.deep || x == nil || y == nil || v[a].Indent != v[b].Indent || v[a].Style != v[b].Style || x.Inline != y.Inline {
		return false
	}
	return bytes.Equal(w.bytes(a, x.Span), w.bytes(b, y.Span))
}

// merged merges an entry that both sides have.
func (w *walker) merged(at entries, v nodes, name func(entries) *path) *child {
	switch {
	case !w.untouchable(at[dest]) || !w.untouchable(at[updated]):
	case w.sameEntry(at, v, dest, updated), !w.set.always && w.sameEntry(at, v, original, updated):
		return &child{at: at, name: name, whole: dest}
	case !w.set.always && w.sameEntry(at, v, original, dest):
		return &child{at: at, name: name, whole: updated}
	}
	c := &child{at: at, path: name(at), up: w.up, doc: w.doc}
	w.children = append(w.children, c)
	defer w.enter(c, v)()
	c.lead = w.mergeSlot(w.entrySlot(at, v, func(e *syntax.Entry) text.Span { return e.Lead }))
	c.foot = w.mergeSlot(w.entrySlot(at, v, func(e *syntax.Entry) text.Span { return e.Foot }))
	c.comment = w.remark(at)
	var ok bool
	if c.key, ok = w.key(at); !ok {
		return c.contest(ConflictReplace)
	}
	var kind ConflictKind
	if c.value, kind = w.value(at.values(), c.path); kind != "" {
		return w.bareClash(c, kind)
	}
	if c.head, ok = w.oddHead(c); !ok {
		return c.contest(ConflictValue)
	}
	return c
}

// enter makes c the entry at hand, until the function that it returns is
// called.
func (w *walker) enter(c *child, v nodes) func() {
	up, cols := w.up, w.cols
	w.up = c
	for s, n := range v {
		if n != nil {
			w.cols[s] = max(n.Indent, 0)
		}
	}
	return func() { w.up, w.cols = up, cols }
}

// bareClash makes c a conflict with its own comments outside the markers
// where these merged.
func (w *walker) bareClash(c *child, kind ConflictKind) *child {
	c.contest(kind)
	c.clash.bare = !c.lead.clashes() && !c.foot.clashes()
	return c
}

// entrySlot gathers the trivia of the versions of an entry in block
// collections.
func (w *walker) entrySlot(at entries, v nodes, get func(*syntax.Entry) text.Span) slot {
	var t slot
	for s, e := range at {
		if e == nil || v[s].Style == syntax.Flow {
			continue
		}
		t.spans[s] = get(e)
		t.lines[s] = triviaLines(w.files[s], t.spans[s], v[s].Indent)
	}
	return t
}

// remark merges the comment at the end of the entry's line.
func (w *walker) remark(at entries) remark {
	var c [3]string
	for s, e := range at {
		if e != nil && !(w.set.always && side(s) == original) {
			c[s] = string(bytes.TrimSpace(w.bytes(side(s), e.Comment)))
		}
	}
	switch {
	case c[dest] == c[updated], c[original] == c[updated]:
		return remark{side: dest}
	case c[original] == c[dest]:
		return remark{side: updated}
	}
	return remark{side: dest, clash: true}
}

// key merges the key of an entry. A new key is a rename: the form follows who
// made it. It reports false where both renamed, or where one renamed a field
// that the other changed: what reads a field knows it by its name. (Keyed
// items and documents have no such key: edits follow their renames.)
func (w *walker) key(at entries) (side, bool) {
	o, d, u := at[original], at[dest], at[updated]
	if o == nil || o.Key == nil || d.Key == nil || u.Key == nil {
		return dest, true
	}
	dSame, uSame := w.sums.sameKey(o, d), w.sums.sameKey(o, u)
	switch {
	case dSame && uSame:
		if bytes.Equal(w.keyText(original, o), w.keyText(dest, d)) {
			return updated, true
		}
		return dest, true
	case uSame:
		return dest, w.sums.equal(o.Value, u.Value)
	case dSame:
		return updated, w.sums.equal(o.Value, d.Value)
	}
	return dest, w.sums.sameKey(d, u)
}

func (w *walker) keyText(s side, e *syntax.Entry) []byte { return w.bytes(s, keySpan(e)) }

// odd reports whether more than blanks, properties and one comment stands
// between key and value. A value that merely starts on a line of its own is
// not odd.
func (w *walker) odd(s side, e *syntax.Entry) bool {
	if !e.Odd || e.Value.Implicit {
		return e.Odd
	}
	inline := e.Value.Style != syntax.Block && !isBlockScalar(e.Value) && !e.Value.Content.Empty()
	gap := w.bytes(s, text.Span{Start: e.Colon, End: max(e.Colon, e.Value.Content.Start)})
	key := w.keyText(s, e)
	return !inline || bytes.IndexByte(gap, '#') >= 0 || !bytes.HasSuffix(key, []byte(":")) && !bytes.Equal(key, []byte("-"))
}

// oddHead chooses the bytes between key and value where they hold more than
// usual (comments or properties on lines of their own): they merge only as a
// whole. It reports false where they cannot.
func (w *walker) oddHead(c *child) (side, bool) {
	odd := false
	var h [3][]byte
	for s, e := range c.at {
		if e != nil {
			odd = odd || w.odd(side(s), e)
			h[s] = w.bytes(side(s), text.Span{Start: e.Colon, End: e.HeadEnd})
		}
	}
	switch {
	case !odd:
		return original, true
	case w.set.updatedWins:
		return w.wonHead(c), true
	case !c.value.merged:
		return w.wholeHead(c, h)
	case c.comment.clash:
		return dest, false
	case bytes.Equal(h[dest], h[updated]), bytes.Equal(h[original], h[updated]):
		return dest, c.value.form == dest
	case bytes.Equal(h[original], h[dest]):
		return updated, c.value.form == updated || c.value.takes(updated)
	}
	return dest, false
}

// wholeHead chooses the odd head of an entry whose value is taken from one
// side: the bytes of that side, or of one with the same value, if the other
// left them alone.
func (w *walker) wholeHead(c *child, h [3][]byte) (side, bool) {
	s := dest
	m := c.value
	switch {
	case bytes.Equal(h[dest], h[updated]):
		s = m.form
	case bytes.Equal(h[original], h[updated]):
	case bytes.Equal(h[original], h[dest]):
		s = updated
	default:
		return dest, false
	}
	whole := m.lines == nil && m.v[s].Style != syntax.Block && !isBlockScalar(m.v[s]) && w.sums.equal(m.v[s], m.v[m.form])
	if whole {
		m.form, m.props = s, s
	}
	return s, whole || !isBlockScalar(m.v[m.form]) && m.form == s && m.propsSide() == s
}

// wonHead is the side of an odd head under rules by which updated wins: that of
// the value's form, or updated's where the values are equal and only that has a
// comment in it.
func (w *walker) wonHead(c *child) side {
	m := c.value
	d, u := c.at[dest], c.at[updated]
	if d != nil && u != nil && d.Comment.Empty() && !u.Comment.Empty() && !m.merged && w.sums.equal(m.v[dest], m.v[updated]) {
		m.form = updated
	}
	if e := c.at[c.key]; e.Key != nil && e.Colon == e.Key.Span.End {
		c.key = m.form // "? key" has no colon for a value
	}
	return m.form
}
