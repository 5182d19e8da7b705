// Package plan computes the plan of a merge. For each part of the result, the plan states whether the part is copied
// from a side, merged from smaller parts, or in conflict. It also states from which side the format of each part
// comes: style, indentation, key text or comment. The package does not match entries (package pair does), write text
// (package page does), or verify a result.
//
// A Walker computes the plan of three parsed versions, from the documents down to the scalars and comments. A plan
// consists of Documents. Each Document or Entry is copied from a side, merged or in conflict, and each of these cases
// has its own type. A merged entry contains a Value, and its Children are entries again. Comments and blank lines are
// Trivia. For example:
//
//	original    dest        updated     plan
//	a: 1        a: 2        a: 1        TakenEntry, from dest
//	m:          m:          m:          MergedEntry, its Value has the Children:
//	  b: 1        b: 2        b: 3        EntryConflict of the kind ConflictValue
//	  c: 1        c: 1                    DeletedEntry, in Value.Deleted
//	                          d: 2        TakenEntry, from updated
//
// Terms in the comments of this package:
//
//   - version: original, dest or updated. The parameter v has the versions of a node, and at those of an entry or a
//     document: nil for a version that lacks it.
//   - side: dest or updated.
//   - trivia: comments and blank lines. A Slot has those at one place in each version, before they are merged. Lead is
//     the trivia above an entry, Foot the trivia below it that belongs to it, and Tail what follows the last entry.
//   - format: style, indentation, quotes and blanks. FormatFrom is the side from which a merged value gets them.
//   - head: what follows the key or dash of an entry, up to its value, such as ": &x # comment". The head of a document
//     is the text before its root.
//   - expanded: said of a flow collection in which each entry, and the closing bracket, is on a line of its own.
//   - step: the indexes of one entry in the three versions, or of several entries in conflict. Package pair makes them.
//   - forced: said of a conflict over something that may merge, usually because an earlier result failed verification.
//   - scope: where the Walker is in the versions: the path, the columns, and the collections around the entry.
//   - RuleSet: rules that replace the three-way merge, such as those of kustomize. Most merges have none.
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
	ConflictValue        ConflictKind = "value"         // both sides changed a value differently
	ConflictDeleteModify ConflictKind = "delete/modify" // one side deleted the entry, the other side changed it
	ConflictAddAdd       ConflictKind = "add/add"       // both sides added different entries at one place
	ConflictReplace      ConflictKind = "replace"       // both sides replaced the same entries
	ConflictList         ConflictKind = "list"          // overlapping changes of a list's items
	ConflictComment      ConflictKind = "comment"       // both sides changed the same comment
	ConflictText         ConflictKind = "text"          // both sides changed the same lines of a multi-line scalar
	ConflictRefused      ConflictKind = "refused"       // the merged result failed verification
	ConflictLine         ConflictKind = "line"          // a conflict of the line merge
	ConflictEncrypted    ConflictKind = "encrypted"     // the mac of SOPS, which only SOPS can compute
	ConflictAccess       ConflictKind = "access"        // each side widened another field, and the mapping grants every combination of their values
)

// Value is the plan of one node.
type Value struct {
	Nodes three.Nodes
	// FormatFrom is the side from which the node is copied, or the side that determines the format of a merged
	// collection.
	FormatFrom three.Version
	// PropertiesFrom is the side from which the anchor and the tag are copied.
	PropertiesFrom three.Version
	// Merged reports whether this is a collection with entries that are planned one by one, in Children. If false, the
	// whole node is copied from FormatFrom, unless Lines are set.
	Merged   bool
	Children []Entry // without any *DeletedEntry
	Deleted  []*DeletedEntry
	Tail     Trivia
	// Lines are the merged lines of a multi-line scalar. If Joined is true, they are the merged parts of one line.
	Lines  []TextPart
	Joined bool
	// Flow is how a merged collection is written in flow style, with the commas and blanks of FormatFrom. NoFlow means
	// that it is written in block style.
	Flow FlowStyle
}

// FlowStyle is the source of the text of a merged flow collection.
type FlowStyle uint8

// The sources of the text of a merged flow collection.
const (
	NoFlow       FlowStyle = iota
	FlowCopied             // the text of a side, unchanged
	FlowSpliced            // the text of a side, with the merged entries in place of its own entries
	FlowRebuilt            // the merged entries, with the separators of a side
	FlowExpanded           // the merged entries, each on lines of its own; some can be in conflict
)

// IsFlowText reports whether m is written in flow style ({a: 1}) as one text, so that no entry in m can be a conflict
// by itself.
func (m *Value) IsFlowText() bool { return m.Flow != NoFlow && !m.IsExpandedFlow() }

// IsExpandedFlow reports whether m is written in flow style with lines of its own for each entry.
func (m *Value) IsExpandedFlow() bool { return m.Flow == FlowExpanded }

// TextPart is a run of merged lines of a multi-line scalar, or a conflict over such lines. Without a conflict, the
// lines are those at Span in the file of Side. Otherwise Conflict contains the spans of the lines in the three
// versions.
type TextPart struct {
	Side     three.Version
	Span     text.Span
	Conflict *[3]text.Span
}

// An Entry is the plan of an entry of a collection, or of a conflict there: a *TakenEntry, *DeletedEntry, *MergedEntry
// or *EntryConflict.
type Entry interface {
	// Versions returns the entry in each version; in a conflict over several entries, the first one of each version.
	Versions() three.Entries
}

// A TakenEntry is an entry that is copied from one side as a whole.
type TakenEntry struct {
	Entries three.Entries
	Side    three.Version
}

// A DeletedEntry is an entry that one side deleted and the other side left unchanged, or the old place of a moved
// field. It is not in the result.
type DeletedEntry struct{ Entries three.Entries }

// A MergedEntry is an entry with parts that are merged one by one.
type MergedEntry struct {
	Entries three.Entries
	Path    *three.Path
	Key     three.Version // the side from which the mapping key or the dash is copied
	Comment LineComment
	// Head is the side from which everything after the key is copied, up to the entries of a block collection or to the
	// end of any other value and its line. It is set if the bytes before the value can only be copied as a whole in a
	// version (see Versions.hasIrregularHead). Otherwise Comment applies.
	Head three.Optional
	Lead Trivia
	Foot Trivia
	// Value is the plan of the value. It is never nil.
	Value *Value
	// Collections are the mappings that contain the entries, if one side moved the entry to another mapping. They are
	// nil for all other entries.
	Collections *three.Nodes
}

// An EntryConflict is a conflict over entries.
type EntryConflict struct {
	Entries three.Entries
	Path    *three.Path // may be nil in an expanded flow collection
	Kind    ConflictKind
	Runs    [3][]*syntax.Entry // the entries of each version that are in conflict
	// Around is the trivia above and below the entry if it merged and is written outside of the markers. It is nil
	// if the trivia is written inside of them, as part of the entries.
	Around *Surroundings
	// Detail describes the conflict if Kind is not specific enough.
	Detail string
	// Both is the plan of the entry with the edits of both sides, if Kind is ConflictAccess and the rest of the entry
	// merged. Otherwise it is nil.
	Both *MergedEntry
}

// Surroundings are the merged trivia above and below an entry.
type Surroundings struct{ Lead, Foot Trivia }

// Versions returns the entry in each version.
func (e *TakenEntry) Versions() three.Entries { return e.Entries }

// Versions returns the entry in each version.
func (e *DeletedEntry) Versions() three.Entries { return e.Entries }

// Versions returns the entry in each version.
func (e *MergedEntry) Versions() three.Entries { return e.Entries }

// Versions returns the entry in each version; in a conflict over several entries, the first one of each version.
func (e *EntryConflict) Versions() three.Entries { return e.Entries }

// LineComment is the merged comment at the end of an entry's line.
type LineComment struct {
	Side     three.Version // the side from which the comment is copied; it may have none
	Conflict bool          // whether both sides changed the comment differently
}

// IsTwoInsertions reports whether the conflict consists of list items that each side added, and of no entry of the
// original.
func (c *EntryConflict) IsTwoInsertions() bool {
	adds := func(run []*syntax.Entry) bool { return len(run) > 0 && run[0].Key == nil }
	return len(c.Runs[three.Original]) == 0 && adds(c.Runs[three.Dest]) && adds(c.Runs[three.Updated])
}

// A Document is the plan of one document of the result, or of a conflict over documents: a *TakenDocument,
// *MergedDocument or *DocumentConflict.
type Document interface {
	// Versions returns the document in each version. It returns no documents for a conflict over several documents.
	Versions() [3]*syntax.Document
}

// A TakenDocument is a document that is copied from one side as a whole.
type TakenDocument struct {
	Documents [3]*syntax.Document
	Side      three.Version
}

// A MergedDocument is a document with parts that are merged one by one.
type MergedDocument struct {
	Documents [3]*syntax.Document
	Path      *three.Path
	Root      *Value
	// Frame contains the sides from which the bytes before and after the root are copied, if the root shares its
	// lines with them. It is nil if the root has lines of its own. Head and Foot are then the trivia above and below
	// it.
	Frame *Frame
	Head  Trivia
	Foot  Trivia
}

// A Frame names the side from which the bytes before the root of a document are copied (Head), and the side from which
// the bytes after it are (Foot). In "--- {a: 1} # x", these are "--- " and " # x".
type Frame struct{ Head, Foot three.Version }

// A DocumentConflict is a conflict over documents.
type DocumentConflict struct {
	Documents [3]*syntax.Document
	Path      *three.Path
	Kind      ConflictKind
	Runs      [3][]*syntax.Document // the documents of each version that are in conflict
	// Detail describes the conflict if Kind is not specific enough.
	Detail string
	// Both is the plan of the document with the edits of both sides, if Kind is ConflictAccess and the rest of the
	// document merged. Otherwise it is nil.
	Both *MergedDocument
}

// Versions returns the document in each version.
func (d *TakenDocument) Versions() [3]*syntax.Document { return d.Documents }

// Versions returns the document in each version.
func (d *MergedDocument) Versions() [3]*syntax.Document { return d.Documents }

// Versions returns the document in each version; none in a conflict over several documents.
func (d *DocumentConflict) Versions() [3]*syntax.Document { return d.Documents }

// A valueConflict is the reason why a value is in conflict as a whole.
type valueConflict struct {
	kind   ConflictKind
	detail string // for the user, if kind is not specific enough
}

// NewEntryConflict returns a conflict over the versions of one entry. The fields Around, Detail and Both are left for
// the caller. path may be nil.
func NewEntryConflict(at three.Entries, path *three.Path, kind ConflictKind) *EntryConflict {
	return &EntryConflict{Entries: at, Path: path, Kind: kind, Runs: runsOf(at)}
}

// addEntries adds entries of version s to c.Runs, and sets c.Entries to the first one of all.
func (c *EntryConflict) addEntries(s int, entries ...*syntax.Entry) {
	c.Runs[s] = append(c.Runs[s], entries...)
	if len(c.Runs[s]) > 0 {
		c.Entries[s] = c.Runs[s][0]
	}
}

// NewDocumentConflict returns a conflict over the versions of one document. Detail and Both are left for the caller.
func NewDocumentConflict(at [3]*syntax.Document, path *three.Path, kind ConflictKind) *DocumentConflict {
	return &DocumentConflict{Documents: at, Path: path, Kind: kind, Runs: runsOf(at)}
}

// runsOf returns the runs of a conflict over one entry or document: for each version that has the element, a slice
// with only this element, and nil for the others.
func runsOf[T any](at [3]*T) (runs [3][]*T) {
	for s, x := range at {
		if x != nil {
			runs[s] = []*T{x}
		}
	}
	return runs
}

// isConflict reports whether e is an *EntryConflict.
func isConflict(e Entry) bool {
	_, ok := e.(*EntryConflict)
	return ok
}

// HasConflict reports whether m contains a conflict at any depth: in an entry, in the lines of a multi-line scalar, or
// in comments.
func (m *Value) HasConflict() bool {
	if m.Tail.HasConflict() || slices.ContainsFunc(m.Lines, func(l TextPart) bool { return l.Conflict != nil }) {
		return true
	}
	return slices.ContainsFunc(m.Children, func(e Entry) bool {
		c, isMerged := e.(*MergedEntry)
		if !isMerged {
			return isConflict(e)
		}
		return c.Comment.Conflict || c.Lead.HasConflict() || c.Foot.HasConflict() || c.Value.HasConflict()
	})
}

// PropertiesTextFrom returns the side from which the bytes of the anchor and the tag are copied. It is m.FormatFrom,
// from which the rest of the value comes, if that side has the same anchor and tag as m.PropertiesFrom. Otherwise it is
// m.PropertiesFrom.
func (m *Value) PropertiesTextFrom() three.Version {
	if m.Nodes[m.PropertiesFrom].SameProperties(m.Nodes[m.FormatFrom]) {
		return m.FormatFrom
	}
	return m.PropertiesFrom
}

// IsEmptyBlock reports whether m is a merged block collection without any remaining entries.
func (m *Value) IsEmptyBlock() bool {
	return m.Merged && m.Nodes[m.FormatFrom].Style == syntax.Block && len(m.Children) == 0
}

// UnkeyedMatches returns the matches of a plan that verification cannot find by comparing mapping keys. A match has the
// node of each version that the merge took for one thing, and nil for the others. It is one of these:
//
//   - the root of a document
//   - a list item, or a renamed or moved field
//   - an entry in conflict, unless the sides have different things there
//
// Deleted entries and everything inside of copied entries are left out.
func UnkeyedMatches(docs []Document) (all []three.Nodes) {
	for _, d := range docs {
		all = append(all, rootNodes(d.Versions()))
		if m, ok := d.(*MergedDocument); ok {
			all = m.Root.appendUnkeyedMatches(all)
		}
	}
	return all
}

// rootNodes returns the roots of the documents, by version; nil for each version without the document.
func rootNodes(at [3]*syntax.Document) (v three.Nodes) {
	for s, d := range at {
		if d != nil {
			v[s] = d.Root
		}
	}
	return v
}

// zipRuns matches the entries of a conflict by their position in runs. It returns the values of the first entry in each
// version, then those of the second entry, and so on. If the versions have different numbers of entries, or none, it
// returns nil.
func zipRuns(runs [3][]*syntax.Entry) (all []three.Nodes) {
	if len(runs[three.Original]) != len(runs[three.Dest]) || len(runs[three.Original]) != len(runs[three.Updated]) {
		return nil
	}
	for i, o := range runs[three.Original] {
		all = append(all, three.Entries{o, runs[three.Dest][i], runs[three.Updated][i]}.Values())
	}
	return all
}

// appendUnkeyedMatches adds to all the matches inside of the collection m, at any depth, that verification cannot find
// by comparing mapping keys, and returns the result. A match has the nodes of one entry by version. They are those of
// list items, and of renamed or moved fields. They are also those of entries in conflict if all versions have equally
// many, except where the sides have different things (ConflictReplace, ConflictAddAdd). Deleted entries and those
// inside of copied entries are left out.
func (m *Value) appendUnkeyedMatches(all []three.Nodes) []three.Nodes {
	for _, e := range m.Children {
		at := e.Versions()
		switch c := e.(type) {
		case *EntryConflict:
			if c.Kind != ConflictReplace && c.Kind != ConflictAddAdd { // in these, the entries of the sides are different things
				all = append(all, zipRuns(c.Runs)...)
			}
			if c.Both != nil { // the user may choose the edits of both sides
				all = c.Both.Value.appendUnkeyedMatches(all)
			}
		case *TakenEntry:
			if !haveSameKey(at) {
				all = append(all, at.Values())
			}
		case *MergedEntry:
			if isMoved := c.Collections != nil; isMoved || !haveSameKey(at) {
				all = append(all, at.Values())
			}
			all = c.Value.appendUnkeyedMatches(all)
		}
	}
	return all
}

// haveSameKey reports whether all versions of an entry that exist are fields with the same mapping key. It returns
// false for list items, which have no mapping key, and true if no version exists. Anchors and tags of the keys are
// ignored.
func haveSameKey(at three.Entries) bool {
	first := at[at.First()]
	for _, e := range at {
		if e != nil && (e.Key == nil || e.Key.Value != first.Key.Value) {
			return false
		}
	}
	return true
}
