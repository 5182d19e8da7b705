package merge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// The plan says, for every node of the result, where its bytes come from. It
// decides nothing about text; the renderer decides nothing about data.

// value is the plan of one node.
type value struct {
	v nodes
	// form is the side whose bytes are taken, or whose form a merged
	// collection keeps.
	form side
	// props is the side whose anchor and tag are taken.
	props side
	// kids are the merged entries of a collection; nil with merged unset
	// means that the whole node is taken from form.
	merged bool
	kids   []*child
	gone   []goneEntry
	tail   trivia
	// lines are the merged lines of a multi-line scalar.
	lines []textPart
	// flow is the text of a merged flow collection.
	flow []byte
	// header is the side of a merged block scalar's header.
	header side
}

// textPart is some merged lines of a multi-line scalar, or three versions of
// them in conflict. The lines come as they stand in the file of side.
type textPart struct {
	side  side
	span  text.Span
	clash *[3]text.Span
}

// goneEntry is an entry that one side deleted and the other left alone. It
// stood before the entry at of the result.
type goneEntry struct {
	child *child
	at    int
}

// child is the plan of one entry of a collection, or of a conflict there.
type child struct {
	at   entries
	path *path
	name func(entries) *path // spells path where it was not asked for
	up   *child              // the entry that holds the collection; nil at the root
	doc  *docPlan
	// whole takes the entry of this side as it is; original means that the
	// parts below are merged one by one.
	whole   side
	lead    trivia
	foot    trivia
	key     side
	comment remark
	head    side // the side of the bytes between key and value, where they are odd
	value   *value
	clash   *clash
	gone    bool // deleted: nothing is written
}

// remark is the merged comment at the end of an entry's line.
type remark struct {
	side  side // whose comment (it may have none)
	clash bool // both changed it differently
}

// clash is a conflict over entries: what each version has there.
type clash struct {
	kind ConflictKind
	runs [3][]*syntax.Entry
	// bare says that lead and foot merged and stand outside the markers.
	bare bool
}

// docPlan is the plan of one document of the result.
type docPlan struct {
	at       [3]*syntax.Document
	path     *path
	whole    side
	head     trivia
	foot     trivia
	form     side // whose Head frames an inline root
	footForm side // whose Foot does
	root     *value
	clash    *docClash
}

// docClash is a conflict over documents.
type docClash struct {
	kind ConflictKind
	runs [3][]*syntax.Document
}

// contest makes c a conflict over what its versions have, and returns it.
func (c *child) contest(kind ConflictKind) *child {
	c.clash, c.whole = &clash{kind: kind}, original
	for s, e := range c.at {
		if e != nil {
			c.clash.runs[s] = []*syntax.Entry{e}
		}
	}
	return c
}

// setKids takes the entries of a merged collection, the deleted ones aside.
func (m *value) setKids(all []*child) {
	m.kids = all[:0]
	for _, c := range all {
		if c.gone {
			m.gone = append(m.gone, goneEntry{child: c, at: len(m.kids)})
			continue
		}
		m.kids = append(m.kids, c)
	}
}

// clashes reports whether a plan has a conflict anywhere.
func (m *value) clashes() bool {
	if m == nil {
		return false
	}
	for _, l := range m.lines {
		if l.clash != nil {
			return true
		}
	}
	for _, c := range m.kids {
		if c.clash != nil || c.comment.clash || c.lead.clashes() || c.foot.clashes() || c.value.clashes() {
			return true
		}
	}
	return m.tail.clashes()
}

// propsSide is the side whose properties are written: the form's, if those are
// the merged ones, as it wrote them.
func (m *value) propsSide() side {
	if sameProps(m.v[m.props], m.v[m.form]) {
		return m.form
	}
	return m.props
}

// takes makes s the form of a merged block collection, where that changes
// nothing: both stand at one column.
func (m *value) takes(s side) bool {
	a, b := m.v[m.form], m.v[s]
	if a.Style != syntax.Block || b.Style != syntax.Block || a.Indent != b.Indent || compact(a) != compact(b) {
		return false
	}
	m.form = s
	return true
}

// emptied reports whether nothing is left of a block collection.
func (m *value) emptied() bool {
	return m.merged && m.v[m.form].Style == syntax.Block && len(m.kids) == 0
}

// contest makes d a conflict over what its versions have, and returns it.
func (p *docPlan) contest(kind ConflictKind) *docPlan {
	p.clash = &docClash{kind: kind}
	for s, d := range p.at {
		if d != nil {
			p.clash.runs[s] = []*syntax.Document{d}
		}
	}
	return p
}

// within reports whether an entry above c is in conflict already.
func (c *child) within() bool {
	for p := c.up; p != nil; p = p.up {
		if p.clash != nil {
			return true
		}
	}
	return c.doc != nil && c.doc.clash != nil
}
