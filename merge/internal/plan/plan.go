// Package plan makes the plan of a merge: which parts of the result are taken from a side, which are merged part by part, and
// which are in conflict. The plan also has the format of the result: the side whose style, indentation, key or comment is taken
// for each part. The package does not match entries (package pair does), write text (package page does), or verify a result.
//
// A Walker makes the plan of three parsed versions, from the documents down to the scalars and comments. A plan consists of
// Documents. A document or an Entry is taken from a side, merged or in conflict, and each of these has a type of its own. A merged
// one has a Value, whose Kids are entries again. Trivia are its comments and blank lines. For example:
//
//	original    dest        updated     plan
//	a: 1        a: 2        a: 1        TakenEntry, from dest
//	m:          m:          m:          MergedEntry with the Kids:
//	  b: 1        b: 2        b: 3        EntryConflict of the kind ConflictValue
//	  c: 1        c: 1                    DeletedEntry, in Gone
//	                          d: 2        TakenEntry, from updated
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
	Nodes three.Nodes
	// FormatFrom is the side whose bytes are taken, or whose form a merged
	// collection keeps.
	FormatFrom three.Version
	// PropertiesFrom is the side whose anchor and tag are taken.
	PropertiesFrom three.Version
	// Merged says that the entries of a collection, Kids, merged one by one; else
	// the whole node is taken from Form.
	Merged   bool
	Children []Entry // none of them is a *DeletedEntry
	Deleted  []*DeletedEntry
	Tail     Trivia
	// Lines are the merged lines of a multi-line scalar; with Joined, the merged
	// parts of one line.
	Lines  []TextPart
	Joined bool
	// Flow is how a merged collection is written in flow style.
	Flow Flow
	// HeaderFrom is the side of a merged block scalar's header.
	HeaderFrom three.Version
	// Detail says what is in conflict in a flow collection that has the edits of both sides (ConflictMultiplied).
	Detail string
}

// Flow is how a merged collection is written in flow style, and the side whose
// commas and blanks it keeps; the zero value is not at all.
type Flow struct {
	Style      FlowStyle
	FormatFrom three.Version
}

// FlowStyle is where the text of a merged flow collection comes from.
type FlowStyle uint8

// The texts of merged flow collections.
const (
	NoFlow       FlowStyle = iota
	FlowCopied             // a side's, as it stands
	FlowSpliced            // a side's, with the merged entries in the place of its own
	FlowRebuilt            // the merged entries, separated as a side separates its own
	FlowExpanded           // the merged entries, each on lines of its own, some in conflict perhaps
)

// IsFlowText reports whether m is written in flow style as one text, so that no entry in it can be
// a conflict of its own.
func (m *Value) IsFlowText() bool { return m.Flow.Style != NoFlow && !m.IsExpandedFlow() }

// IsExpandedFlow reports whether m is written in flow style, each of its entries on lines of its own.
func (m *Value) IsExpandedFlow() bool { return m.Flow.Style == FlowExpanded }

// TextPart is some merged lines of a multi-line scalar, or three versions of
// them in conflict. The lines are those of Side's file at Span.
type TextPart struct {
	Side     three.Version
	Span     text.Span
	Conflict *[3]text.Span
}

// An Entry is the plan of an entry of a collection, or of a conflict there: a *TakenEntry, *DeletedEntry, *MergedEntry or
// *EntryConflict.
type Entry interface {
	// Versions returns the entry in each version; in a conflict over several entries, the first one of each version.
	Versions() three.Entries
}

// A TakenEntry is an entry that is taken from one side as a whole.
type TakenEntry struct {
	Entries three.Entries
	Side    three.Version
}

// A DeletedEntry is an entry that one side deleted and the other side left unchanged. It is not in the result.
type DeletedEntry struct{ Entries three.Entries }

// A MergedEntry is an entry whose parts are merged one by one.
type MergedEntry struct {
	Entries three.Entries
	Path    *three.Path
	Key     three.Version // the side whose key is taken
	Comment LineComment
	// Head is the side whose bytes between key and value, comment included, are taken as a whole, since a version has more
	// there than usual (see Versions.Odd). It is none if no version has; then Comment is taken, too.
	Head three.Optional
	Lead Trivia
	Foot Trivia
	// Value is the plan of the value. It is never nil.
	Value *Value
}

// An EntryConflict is a conflict over entries.
type EntryConflict struct {
	Entries three.Entries
	Path    *three.Path // nil in a flow collection, of an entry that a side has unchanged
	Kind    ConflictKind
	Runs    [3][]*syntax.Entry // the entries that each version has there
	// Around is the trivia above and below the entry, which merged and is outside of the markers. It is nil if the trivia is
	// inside, as part of the entries.
	Around *Surroundings
	// Indivisible says that no lines of it merge by themselves: one side put the entries inside of another one.
	Indivisible bool
	// Detail says what is in conflict, where Kind does not say enough.
	Detail string
	// Both is the plan of the entry with the edits of both sides, if Kind is ConflictMultiplied and the rest of
	// the entry merged; else nil.
	Both *MergedEntry
}

// Surroundings are the merged trivia above and below an entry.
type Surroundings struct{ Lead, Foot Trivia }

// Versions returns e.At.
func (e *TakenEntry) Versions() three.Entries { return e.Entries }

// Versions returns e.At.
func (e *DeletedEntry) Versions() three.Entries { return e.Entries }

// Versions returns e.At.
func (e *MergedEntry) Versions() three.Entries { return e.Entries }

// Versions returns e.At.
func (e *EntryConflict) Versions() three.Entries { return e.Entries }

// LineComment is the merged comment at the end of an entry's line.
type LineComment struct {
	Side     three.Version // whose comment (it may have none)
	Conflict bool          // both changed it differently
}

// IsTwoInsertions reports whether each side added items where base has nothing.
func (c *EntryConflict) IsTwoInsertions() bool {
	adds := func(run []*syntax.Entry) bool { return len(run) > 0 && run[0].Key == nil }
	return len(c.Runs[three.Original]) == 0 && adds(c.Runs[three.Dest]) && adds(c.Runs[three.Updated])
}

// A Document is the plan of one document of the result, or of a conflict over documents: a *TakenDocument, *MergedDocument or
// *DocumentConflict.
type Document interface {
	// Versions returns the document in each version. It has none for a conflict over several documents.
	Versions() [3]*syntax.Document
}

// A TakenDocument is a document that is taken from one side as a whole.
type TakenDocument struct {
	Documents [3]*syntax.Document
	Side      three.Version
}

// A MergedDocument is a document whose parts are merged one by one.
type MergedDocument struct {
	Documents [3]*syntax.Document
	Path      *three.Path
	Root      *Value
	// Frame has the sides whose bytes before and after the root are taken, if the root shares its lines with them. It is nil
	// if the root has lines of its own; then the trivia in Head and Foot is above and below it.
	Frame *Frame
	Head  Trivia
	Foot  Trivia
}

// A Frame is the side whose bytes before the root of a document are taken, and the side whose bytes after it are.
type Frame struct{ Head, Foot three.Version }

// A DocumentConflict is a conflict over documents.
type DocumentConflict struct {
	Documents [3]*syntax.Document
	Path      *three.Path
	Kind      ConflictKind
	Runs      [3][]*syntax.Document // the documents that each version has there
	Detail    string                // as in EntryConflict
	Both      *MergedDocument       // as in EntryConflict
}

// Versions returns d.At.
func (d *TakenDocument) Versions() [3]*syntax.Document { return d.Documents }

// Versions returns d.At.
func (d *MergedDocument) Versions() [3]*syntax.Document { return d.Documents }

// Versions returns d.At.
func (d *DocumentConflict) Versions() [3]*syntax.Document { return d.Documents }

// NewEntryConflict returns a conflict over the versions of one entry.
func NewEntryConflict(at three.Entries, path *three.Path, kind ConflictKind) *EntryConflict {
	c := &EntryConflict{Entries: at, Path: path, Kind: kind}
	for s, e := range at {
		if e != nil {
			c.Runs[s] = []*syntax.Entry{e}
		}
	}
	return c
}

// NewDocumentConflict returns a conflict over the versions of one document.
func NewDocumentConflict(at [3]*syntax.Document, path *three.Path, kind ConflictKind) *DocumentConflict {
	c := &DocumentConflict{Documents: at, Path: path, Kind: kind}
	for s, d := range at {
		if d != nil {
			c.Runs[s] = []*syntax.Document{d}
		}
	}
	return c
}

// isConflict reports whether e is an *EntryConflict.
func isConflict(e Entry) bool {
	_, ok := e.(*EntryConflict)
	return ok
}

// HasConflict reports whether a plan has a conflict anywhere.
func (m *Value) HasConflict() bool {
	return m.Tail.HasConflict() || slices.ContainsFunc(m.Lines, func(l TextPart) bool { return l.Conflict != nil }) ||
		slices.ContainsFunc(m.Children, func(e Entry) bool {
			c, merged := e.(*MergedEntry)
			return isConflict(e) || merged && (c.Comment.Conflict || c.Lead.HasConflict() || c.Foot.HasConflict() || c.Value.HasConflict())
		})
}

// PropertiesTextFrom is the side whose properties are written: the form's, if those are
// the merged ones, as it wrote them.
func (m *Value) PropertiesTextFrom() three.Version {
	if m.Nodes[m.PropertiesFrom].SameProperties(m.Nodes[m.FormatFrom]) {
		return m.FormatFrom
	}
	return m.PropertiesFrom
}

// hasSameFormat reports whether a merged block collection is written the same with the form of s: both have their entries in the
// same column.
func (m *Value) hasSameFormat(s three.Version) bool {
	a, b := m.Nodes[m.FormatFrom], m.Nodes[s]
	return a.Style == syntax.Block && a.SameStyleAndIndent(b) && a.IsCompact() == b.IsCompact()
}

// IsEmptyBlock reports whether nothing is left of a block collection.
func (m *Value) IsEmptyBlock() bool {
	return m.Merged && m.Nodes[m.FormatFrom].Style == syntax.Block && len(m.Children) == 0
}

// withBothEdits returns m with the edits of both sides where each of them widened another multiplied field; nil if anything
// else in m is in conflict, or if something deeper is.
func (m *Value) withBothEdits() *Value {
	all := *m
	all.Children = slices.Clone(m.Children)
	for i, e := range all.Children {
		if c, ok := e.(*EntryConflict); ok && c.Both != nil {
			all.Children[i], all.Detail = c.Both, c.Detail
		}
	}
	if all.HasConflict() {
		return nil
	}
	return &all
}

// UnkeyedMatches are the things of the versions that the plan takes for one though no address
// says so: documents, items, and fields that a side renamed. They come in the order of
// the result.
func UnkeyedMatches(docs []Document) (all []three.Nodes) {
	for _, d := range docs {
		all = append(all, rootNodes(d.Versions()))
		if c, ok := d.(*DocumentConflict); ok {
			if c.Kind != ConflictReplace && c.Kind != ConflictAddAdd {
				all = append(all, zipRuns(c.Runs, rootNodes)...)
			}
			if c.Both != nil {
				d = c.Both
			}
		}
		if m, ok := d.(*MergedDocument); ok {
			all = m.Root.appendUnkeyedMatches(all)
		}
	}
	return all
}

func rootNodes(at [3]*syntax.Document) (v three.Nodes) {
	for s, d := range at {
		if d != nil {
			v[s] = d.Root
		}
	}
	return v
}

// zipRuns are the things of runs of equal length, one of each.
func zipRuns[T any](runs [3][]T, nodes func([3]T) three.Nodes) (all []three.Nodes) {
	if len(runs[three.Original]) != len(runs[three.Dest]) || len(runs[three.Original]) != len(runs[three.Updated]) {
		return nil
	}
	for i, o := range runs[three.Original] {
		all = append(all, nodes([3]T{o, runs[three.Dest][i], runs[three.Updated][i]}))
	}
	return all
}

// appendUnkeyedMatches adds those in m.
func (m *Value) appendUnkeyedMatches(all []three.Nodes) []three.Nodes {
	for _, e := range m.Children {
		if c, ok := e.(*EntryConflict); ok {
			if c.Kind != ConflictReplace && c.Kind != ConflictAddAdd { // these are of two things
				all = append(all, zipRuns(c.Runs, func(e [3]*syntax.Entry) three.Nodes { return three.Entries(e).Values() })...)
			}
			if c.Both != nil {
				all = c.Both.Value.appendUnkeyedMatches(all)
			}
			continue
		}
		if at := e.Versions(); !haveSameKey(at) {
			all = append(all, at.Values())
		}
		if c, ok := e.(*MergedEntry); ok {
			all = c.Value.appendUnkeyedMatches(all)
		}
	}
	return all
}

// haveSameKey reports whether the versions of e are fields of one key.
func haveSameKey(e three.Entries) bool {
	first := e[e.First()]
	for _, x := range e {
		if x != nil && (x.Key == nil || x.Key.Value != first.Key.Value) {
			return false
		}
	}
	return true
}
