package merge

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// walker makes the plan of a merge from three parsed versions.
type walker struct {
	*matcher
	files    [3]*text.File
	streams  [3]*syntax.Stream
	comments [3][]syntax.Comment
	sought   [3]bool           // in which comments were sought
	counts   [3]map[string]int // of the comments, once they are asked for
	names    [3]string         // of the files, for errors
	decided  []unitedList      // what policies decided on the way
	// overridden are the changes that do not stand under the rule set.
	overridden []lostChange
	err        error                 // the first one of the rule set
	retain     bool                  // of the mapping at hand only updated's fields stand
	nulls      map[*syntax.Node]bool // what holdsNull remembers
	known      map[string]bool       // the comments of dest
	// allComments says that comments of updated are written also where they
	// stand elsewhere in dest: not all that stands in dest stays.
	allComments bool
	frozen      int               // lists around the entry at hand that are one value
	isKey       func(string) bool // of the list around the entry at hand
	children    []*child          // all merged entries, parents before their children
	grown       []*grownEntry     // those that are in conflict as a result was refused
	disputed    [][]byte          // the comments for which they are
	doc         *docPlan
	up          *child
	deep        bool   // compare no bytes: descend to the leaves (for tests)
	cols        [3]int // the column of the entry at hand, in each version
}

// newWalker returns what makes the plan of the merge of streams, as known pairs
// what they have. The names are those of the files, for errors.
func newWalker(streams [3]*syntax.Stream, known *matcher, names [3]string) *walker {
	w := &walker{matcher: known, streams: streams, names: names}
	for s, st := range streams {
		w.files[s] = st.File
	}
	return w
}

// checkResources refuses streams whose resources the rule set cannot tell apart.
func (w *walker) checkResources() error {
	c := resourceCheck{files: w.files, names: w.names}
	for s, st := range w.streams {
		for _, d := range st.Docs {
			c.roots[s] = append(c.roots[s], d.Root)
		}
	}
	if err := c.streams(w.identities(c.roots)); err != nil {
		return err
	}
	if w.set.strategic && !w.set.byPlace {
		return c.live()
	}
	return nil
}

// bytes returns what stands at sp in version s.
func (w *walker) bytes(s side, sp text.Span) []byte { return w.files[s].Slice(sp) }

// sameValue reports whether two versions of a node are the same bytes, trivia
// included, at the same depth below their parents.
func (w *walker) sameValue(a side, x *syntax.Node, b side, y *syntax.Node) bool {
	if w.deep || x == nil || y == nil || x.Kind != y.Kind || x.Style != y.Style || x.Indent != y.Indent {
		return false
	}
	return bytes.Equal(w.bytes(a, x.Span), w.bytes(b, y.Span))
}

// value merges one node. An empty kind means that it merged; conflicts below
// it are in its plan.
func (w *walker) value(v nodes, p *path) (*value, ConflictKind) {
	if w.set.updatedWins && !w.sums.equal(v[dest], v[updated]) && !w.together(v, p) {
		return w.winner(v, p), ""
	}
	switch {
	case w.set.always && v[dest].Kind == syntax.Scalar && w.sums.equal(v[dest], v[updated]):
		return w.take(v, dest), ""
	case w.set.updatedWins && w.frozen == 0 && (w.holdsNull(v[dest]) || w.holdsNull(v[updated])) && w.together(v, p):
		return w.collection(v, p, w.kids)
	case w.sameValue(dest, v[dest], updated, v[updated]), !w.set.always && w.sameValue(original, v[original], updated, v[updated]):
		return w.take(v, dest), ""
	case !w.set.always && w.sameValue(original, v[original], dest, v[dest]):
		return w.take(v, updated), ""
	case v[dest].Kind == v[updated].Kind && (v[dest].Kind == syntax.Mapping || v[dest].Kind == syntax.Sequence):
		return w.collection(v, p, w.kids)
	}
	return w.leaf(v, p)
}

// kids merges the entries of two mappings, or two lists.
func (w *walker) kids(v nodes, p *path) ([]*child, ConflictKind) {
	if v[dest].Kind == syntax.Mapping {
		return w.mapping(v, p)
	}
	return w.list(v, p)
}

func (w *walker) take(v nodes, s side) *value {
	return &value{v: v, form: s, props: s}
}

// collection merges two mappings or two lists. A base of another kind counts
// as empty.
func (w *walker) collection(v nodes, p *path, kids func(nodes, *path) ([]*child, ConflictKind)) (*value, ConflictKind) {
	props, ok := w.mergeProps(v)
	switch {
	case ok:
	case w.set.updatedWins:
		props = updated
	default:
		return nil, ConflictValue
	}
	if v[original] != nil && v[original].Kind != v[dest].Kind {
		v[original] = nil
	}
	m := &value{v: v, props: props, merged: true}
	all, kind := kids(v, p)
	if kind != "" {
		return nil, kind
	}
	m.setKids(all)
	m.form = w.formOf(m)
	if v[m.form].Style == syntax.Flow {
		f, kind := w.flow(m)
		other := m.form.other()
		if !w.set.updatedWins || v[other].Style == syntax.Flow || kind == "" && (len(m.kids) == 0 || len(w.commentsIn(other, v[other].Span)) == 0) {
			return f, kind
		}
		m.form = other // its comments have places there
	}
	m.tail = w.mergeSlot(w.slot(func(n *syntax.Node) (text.Span, int, bool) {
		return n.Tail, n.Indent, n.Style == syntax.Block
	}, v))
	return m, ""
}

// flow merges what is written in flow style: as a whole, or not at all.
func (w *walker) flow(m *value) (*value, ConflictKind) {
	if m.clashes() {
		return nil, ConflictValue
	}
	if s, ok := w.flowOf(m.v); ok {
		m.form, m.flow = s, w.bytes(s, m.v[s].Content)
		return m, ""
	}
	b, ok := w.flowText(m)
	if !ok {
		return nil, ConflictValue
	}
	m.flow = b
	return m, ""
}

// flowOf returns the side whose text a merged flow collection is: the one that
// alone rewrote it, down to its commas and blanks; dest, where both made the
// same of it. It reports false where text has to be merged.
func (w *walker) flowOf(v nodes) (side, bool) {
	o, d, u := v[original], v[dest], v[updated]
	if w.set.always || w.set.updatedWins || o == nil || d.Style != syntax.Flow || u.Style != syntax.Flow {
		return dest, false
	}
	at := func(s side) []byte { return shiftRest(w.bytes(s, v[s].Content), -w.cols[s]) }
	was, ours, theirs := at(original), at(dest), at(updated)
	switch {
	case bytes.Equal(was, theirs), bytes.Equal(ours, theirs):
		return dest, true
	case bytes.Equal(was, ours):
		return updated, true
	}
	return dest, w.sums.equal(d, u) && !w.flowComments(v)
}

// formOf is the side whose form (block or flow, indent) a merged collection
// keeps: updated's where it alone changed the original's, else dest's. What a
// side emptied has no form of its own, unless the result is empty.
func (w *walker) formOf(m *value) side {
	o, d, u := m.v[original], m.v[dest], m.v[updated]
	switch {
	case len(m.kids) == 0 && len(d.Entries) > 0 && len(u.Entries) == 0, len(m.kids) > 0 && len(d.Entries) == 0:
		return updated
	case len(d.Entries) == 0 || len(u.Entries) == 0 || o == nil:
		return dest
	}
	if o.Style == d.Style && d.Style != u.Style {
		return updated
	}
	n := len(o.Entries)
	if len(d.Entries) != n || len(u.Entries) != n {
		n = min(n, len(d.Entries), len(u.Entries), 2)
	}
	if d.Style == u.Style && w.shape(original, o, n) == w.shape(dest, d, n) && w.shape(dest, d, n) != w.shape(updated, u, n) {
		return updated
	}
	return dest
}

// shape is how a collection is laid out: its style, its indent below its
// parent, whether it starts on its parent's line; in flow style what
// stands between its first few entries.
type shape struct {
	style  syntax.Style
	indent int
	inline bool
	blanks string
}

func (w *walker) shape(s side, n *syntax.Node, few int) shape {
	if n.Style != syntax.Flow {
		return shape{style: n.Style, indent: n.Indent - w.cols[s], inline: compact(n)}
	}
	var between bytes.Buffer
	for _, e := range n.Entries[:few] {
		between.Write(w.bytes(s, text.Span{Start: e.Span.Start, End: e.Start}))
		between.WriteByte('|')
		between.Write(w.bytes(s, e.Foot))
		between.WriteByte('|')
	}
	between.Write(w.bytes(s, n.Tail))
	return shape{style: syntax.Flow, blanks: between.String()}
}

// slot gathers the trivia of three versions.
func (w *walker) slot(get func(*syntax.Node) (text.Span, int, bool), v nodes) slot {
	var t slot
	for s, n := range v {
		if n == nil {
			continue
		}
		if sp, base, ok := get(n); ok {
			t.spans[s] = sp
			t.lines[s] = triviaLines(w.files[s], sp, base)
		}
	}
	return t
}

// mergeProps merges anchor and tag, which belong to the node. It reports false
// where both sides changed them differently.
func (w *walker) mergeProps(v nodes) (side, bool) {
	var p [3]uint64
	for s, n := range v {
		if n != nil {
			p[s] = w.sums.props(n)
		}
	}
	switch {
	case p[dest] == p[updated], p[original] == p[updated]:
		return dest, true
	case p[original] == p[dest]:
		return updated, true
	}
	return dest, false
}
