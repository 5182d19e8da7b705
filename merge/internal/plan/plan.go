// Package plan is what a result is made of: for every node the side that it is
// taken from, or the parts that merged one by one, or a conflict; and how it is written:
// whose style and indent a collection keeps, whether it can stand in flow style, what
// stands between a key and its value, and which comments stand where.
//
// A Walker makes it of three parsed versions: it goes through what package pair says is the same, from the
// documents down to the scalars and comments, and takes a side, descends, or finds a conflict. A plan decides
// nothing about text; the page that is written from it decides nothing about data.
package plan

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// ConflictKind classifies a conflict.
type ConflictKind string

// The kinds of conflicts.
const (
	ConflictValue        ConflictKind = "value"         // both changed one value differently
	ConflictDeleteModify ConflictKind = "delete/modify" // one deleted what the other changed
	ConflictAddAdd       ConflictKind = "add/add"       // both added something different at one place
	ConflictReplace      ConflictKind = "replace"       // both removed and added in one gap
	ConflictList         ConflictKind = "list"          // overlapping changes of a list's items
	ConflictComment      ConflictKind = "comment"       // both changed the same comment
	ConflictText         ConflictKind = "text"          // lines of a multi-line scalar
	ConflictRefused      ConflictKind = "refused"       // the merged result did not verify
	ConflictLine         ConflictKind = "line"          // a conflict of the line merge
	ConflictEncrypted    ConflictKind = "encrypted"     // a SOPS mac
	ConflictMultiplied   ConflictKind = "multiplied"    // each side widened another field of those that are multiplied
)

// Value is the plan of one node.
type Value struct {
	V three.Nodes
	// Form is the side whose bytes are taken, or whose form a merged
	// collection keeps.
	Form three.Version
	// Props is the side whose anchor and tag are taken.
	Props three.Version
	// Merged says that the entries of a collection, Kids, merged one by one; else
	// the whole node is taken from Form.
	Merged bool
	Kids   []*Child
	Gone   []*Child // entries that one side deleted and the other left alone
	Tail   Trivia
	// Lines are the merged lines of a multi-line scalar; with Joined, the merged
	// parts of one line.
	Lines  []TextPart
	Joined bool
	// Flow is how a merged collection is written in flow style.
	Flow Flow
	// Header is the side of a merged block scalar's header.
	Header three.Version
	// Detail says what is in conflict in a flow collection that has the edits of both sides (ConflictMultiplied).
	Detail string
}

// Flow is how a merged collection is written in flow style, and the side whose
// commas and blanks it keeps; the zero value is not at all.
type Flow struct {
	Style FlowStyle
	Form  three.Version
}

// FlowStyle is where the text of a merged flow collection comes from.
type FlowStyle uint8

// The texts of merged flow collections.
const (
	NoFlow      FlowStyle = iota
	FlowTaken             // a side's, as it stands
	FlowSpliced           // a side's, with the merged entries in the place of its own
	FlowListed            // the merged entries, separated as a side separates its own
	FlowSpread            // the merged entries, each on lines of its own, some in conflict perhaps
)

// Flows reports whether m is written in flow style as one text, so that no entry in it can be
// a conflict of its own.
func (m *Value) Flows() bool { return m.Flow.Style != NoFlow && !m.Spread() }

// Spread reports whether m is written in flow style, each of its entries on lines of its own.
func (m *Value) Spread() bool { return m.Flow.Style == FlowSpread }

// TextPart is some merged lines of a multi-line scalar, or three versions of
// them in conflict. The lines are those of Side's file at Span.
type TextPart struct {
	Side  three.Version
	Span  text.Span
	Clash *[3]text.Span
}

// Child is the plan of one entry of a collection, or of a conflict there.
type Child struct {
	At   three.Entries
	Path *three.Path // nil of what is taken whole
	// Whole is the side whose entry is taken as it is; three.Original means that
	// the parts below are merged one by one.
	Whole   three.Version
	Key     three.Version
	Comment Remark
	Head    three.Version // the side of the bytes between key and value, where they are odd
	Gone    bool          // deleted: nothing is written
	Lead    Trivia
	Foot    Trivia
	Value   *Value
	Clash   *Clash
}

// Remark is the merged comment at the end of an entry's line.
type Remark struct {
	Side  three.Version // whose comment (it may have none)
	Clash bool          // both changed it differently
}

// Clash is a conflict over entries: what each version has there.
type Clash struct {
	Kind ConflictKind
	Runs [3][]*syntax.Entry
	// Bare says that Lead and Foot merged and stand outside the markers.
	Bare bool
	// Whole says that no lines of it merge by themselves: one side put the entries inside of another one.
	Whole bool
	// Detail says what is in conflict, where Kind does not say enough.
	Detail string
	// Both is the plan of the entry with the edits of both sides, if Kind is ConflictMultiplied and the rest of
	// the entry merged; else nil.
	Both *Child
}

// TwoInsertions reports whether each side added items where base has nothing.
func (c *Clash) TwoInsertions() bool {
	adds := func(run []*syntax.Entry) bool { return len(run) > 0 && run[0].Key == nil }
	return len(c.Runs[three.Original]) == 0 && adds(c.Runs[three.Dest]) && adds(c.Runs[three.Updated])
}

// Document is the plan of one document of the result.
type Document struct {
	At       [3]*syntax.Document
	Path     *three.Path
	Whole    three.Version
	Head     Trivia
	Foot     Trivia
	Form     three.Version // whose Head frames an inline root
	FootForm three.Version // whose Foot does
	Root     *Value
	Clash    *DocClash
}

// DocClash is a conflict over documents.
type DocClash struct {
	Kind   ConflictKind
	Runs   [3][]*syntax.Document
	Detail string    // as of Clash
	Both   *Document // as of Clash
}

// Contest makes c a conflict over what its versions have, and returns it.
func (c *Child) Contest(kind ConflictKind) *Child {
	c.Clash, c.Whole = &Clash{Kind: kind}, three.Original
	for s, e := range c.At {
		if e != nil {
			c.Clash.Runs[s] = []*syntax.Entry{e}
		}
	}
	return c
}

// Clashes reports whether a plan has a conflict anywhere.
func (m *Value) Clashes() bool {
	if m == nil {
		return false
	}
	return m.Tail.Clashes() || slices.ContainsFunc(m.Lines, func(l TextPart) bool { return l.Clash != nil }) ||
		slices.ContainsFunc(m.Kids, func(c *Child) bool {
			conflict := c.Clash != nil || c.Comment.Clash
			return conflict || c.Lead.Clashes() || c.Foot.Clashes() || c.Value.Clashes()
		})
}

// merged reports whether c was merged part by part, without a conflict of its own.
func (c *Child) merged() bool {
	return c.Clash == nil && !c.Gone && c.Whole == three.Original && c.Value.Merged
}

// PropsSide is the side whose properties are written: the form's, if those are
// the merged ones, as it wrote them.
func (m *Value) PropsSide() three.Version {
	if m.V[m.Props].SameProperties(m.V[m.Form]) {
		return m.Form
	}
	return m.Props
}

// Takes makes s the form of a merged block collection, where that changes
// nothing: both stand at one column.
func (m *Value) Takes(s three.Version) bool {
	a, b := m.V[m.Form], m.V[s]
	if a.Style != syntax.Block || !a.SameStyleAndIndent(b) || a.IsCompact() != b.IsCompact() {
		return false
	}
	m.Form = s
	return true
}

// Emptied reports whether nothing is left of a block collection.
func (m *Value) Emptied() bool {
	return m.Merged && m.V[m.Form].Style == syntax.Block && len(m.Kids) == 0
}

// Contest makes d a conflict over what its versions have, and returns it.
func (p *Document) Contest(kind ConflictKind) *Document {
	p.Clash = &DocClash{Kind: kind}
	for s, d := range p.At {
		if d != nil {
			p.Clash.Runs[s] = []*syntax.Document{d}
		}
	}
	return p
}

// both returns m with the edits of both sides where each of them widened another multiplied field; nil if anything
// else in m is in conflict, or if something deeper is.
func (m *Value) both() *Value {
	all := *m
	all.Kids = slices.Clone(m.Kids)
	for i, c := range all.Kids {
		if c.Clash != nil && c.Clash.Both != nil {
			all.Kids[i], all.Detail = c.Clash.Both, c.Clash.Detail
		}
	}
	if all.Clashes() {
		return nil
	}
	return &all
}

// Pairs are the things of the versions that the plan takes for one though no address
// says so: documents, items, and fields that a side renamed. They come in the order of
// the result.
func Pairs(docs []*Document) (all []three.Nodes) {
	for _, d := range docs {
		all = append(all, roots(d.At))
		if d.Clash != nil && d.Clash.Kind != ConflictReplace && d.Clash.Kind != ConflictAddAdd {
			all = append(all, abreast(d.Clash.Runs, roots)...)
		}
		if d.Clash != nil && d.Clash.Both != nil {
			d = d.Clash.Both
		}
		if d.Root != nil {
			all = d.Root.pairs(all)
		}
	}
	return all
}

func roots(at [3]*syntax.Document) (v three.Nodes) {
	for s, d := range at {
		if d != nil {
			v[s] = d.Root
		}
	}
	return v
}

// abreast are the things of runs of equal length, one of each.
func abreast[T any](runs [3][]T, nodes func([3]T) three.Nodes) (all []three.Nodes) {
	if len(runs[three.Original]) != len(runs[three.Dest]) || len(runs[three.Original]) != len(runs[three.Updated]) {
		return nil
	}
	for i, o := range runs[three.Original] {
		all = append(all, nodes([3]T{o, runs[three.Dest][i], runs[three.Updated][i]}))
	}
	return all
}

// pairs adds those in m.
func (m *Value) pairs(all []three.Nodes) []three.Nodes {
	for _, c := range m.Kids {
		switch {
		case c.Clash != nil && (c.Clash.Kind == ConflictReplace || c.Clash.Kind == ConflictAddAdd): // of two things
		case c.Clash != nil:
			all = append(all, abreast(c.Clash.Runs, func(e [3]*syntax.Entry) three.Nodes { return three.Entries(e).Values() })...)
		case !addressed(c.At):
			all = append(all, c.At.Values())
		}
		if c.Clash != nil && c.Clash.Both != nil {
			c = c.Clash.Both
		}
		if c.Value != nil {
			all = c.Value.pairs(all)
		}
	}
	return all
}

// addressed reports whether the versions of e are fields of one key.
func addressed(e three.Entries) bool {
	first := e[e.First()]
	for _, x := range e {
		if x != nil && (x.Key == nil || x.Key.Value != first.Key.Value) {
			return false
		}
	}
	return true
}
