package plan

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A RuleSet replaces decisions of the default rules, so that only comments can be in conflict. If both sides changed a
// value, one of them wins.
//
// It knows before the walk which elements the result has. A collection is partial if an element in it, at
// any depth, is not in the result. The bytes of a partial collection cannot be copied as they are.
type RuleSet interface {
	// PairDocuments returns the documents of the versions, and how they are paired, in the order of the result.
	PairDocuments() (docs [3][]*syntax.Document, steps []pair.Step)
	// PairEntries pairs the entries of the mappings or lists v at path p, in the order of the result.
	PairEntries(v three.Nodes, p *three.Path) pair.PairedItems

	// IsPartial reports whether n is partial.
	IsPartial(n *syntax.Node) bool
	// HasEntry reports whether the result has the entry at of the collections of. The function path returns the
	// path of the entry.
	HasEntry(at three.Entries, of three.Nodes, path func(three.Entries) *three.Path) bool

	// DecideDocument returns the side from which the document is copied, or none if the result has no such document. If
	// ok is false, both sides have the document and it has to be merged.
	DecideDocument(at [3]*syntax.Document) (s three.Optional, ok bool)
	// DecideValue returns the side from which the value is copied. If ok is false, both values are collections of
	// one kind, and their entries have to be merged. The value is at path p; in dest, it is that of the entry dest,
	// which is nil for the root of a document.
	DecideValue(v three.Nodes, p *three.Path, dest *syntax.Entry) (s three.Version, ok bool)
	// DecideFlow decides how to write the merged collection m, which has the format of a flow collection. If ok is true,
	// the value is copied from s instead. Otherwise DecideFlow sets m.Flow, or sets m.FormatFrom to a side that has a
	// block collection. The arguments p and dest are as for DecideValue.
	DecideFlow(m *Value, p *three.Path, dest *syntax.Entry) (s three.Version, ok bool)

	// MergeTrivia merges comments and blank lines.
	MergeTrivia(t Slot) Trivia
	// ChooseHead sets c.Head, and with it c.Key and the format of c.Value, if there is more between key and value
	// than usual.
	ChooseHead(c *MergedEntry)
	// ChooseFrame sets the Frame of a document with a root that shares its lines with the bytes before and after it, and
	// sets the root's format to one that fits. It returns d, or a document that is copied as a whole if no format fits.
	ChooseFrame(d *MergedDocument) Document
}

// pick returns the version that a three-way merge chooses for a value without parts; see three.PickBy. It ignores the
// original if w.IgnoreOriginal is set.
func (w *Walker) pick(equal func(a, b three.Version) bool) (three.Version, bool) {
	return three.PickBy(func(a, b three.Version) bool { return (a != three.Original || !w.IgnoreOriginal) && equal(a, b) })
}

// isPartial reports whether the bytes of a collection cannot be copied as they are: it is partial under the rule set, or
// the other side's changes of an element follow to a place in it.
func (w *Walker) isPartial(n *syntax.Node) bool {
	return w.moves.isAround[n] || w.RuleSet != nil && w.RuleSet.IsPartial(n)
}

// canCopy reports whether the node n of s, or the entry that has it as its value, can be copied with its comments.
// It cannot if n is partial or, under the default rules, if that would bring back a comment that the other side removed.
func (w *Walker) canCopy(s three.Version, n *syntax.Node, sp text.Span) bool {
	return !w.isPartial(n) && (w.RuleSet != nil || !w.RestoresRemovedComment(s, sp))
}

// take returns the plan of a value that is copied from s. If the value is partial, only the entries that the result has
// are copied.
func (w *Walker) take(v three.Nodes, s three.Version, sc scope) *Value {
	if !w.isPartial(v[s]) {
		return &Value{Nodes: v, FormatFrom: s, PropertiesFrom: s}
	}
	if v[s.Other()] != nil {
		var onlySide three.Nodes
		onlySide[s] = v[s]
		v = onlySide
	}
	m := &Value{Nodes: v, FormatFrom: s, PropertiesFrom: s, Merged: true}
	m.Children, _ = w.mergeChildren(v, sc)
	m.Nodes[three.Original] = nil
	if v[s].Style != syntax.Flow {
		m.Tail = w.TailSlot(m.Nodes).Take(s)
		return m
	}
	if _, ok := w.RuleSet.DecideFlow(m, sc.path, sc.destEntry); ok {
		return &Value{Nodes: m.Nodes, FormatFrom: s, PropertiesFrom: s}
	}
	return m
}

// takeDocument returns the plan of a document that is copied from a side. If its root is partial, only the entries that
// the result has are copied. It returns nil if side is none.
func (w *Walker) takeDocument(at [3]*syntax.Document, side three.Optional, index [3]int) Document {
	s, ok := side.Get()
	switch {
	case !ok:
		return nil
	case !w.isPartial(at[s].Root):
		return &TakenDocument{Documents: at, Side: s}
	}
	d := at[s]
	p := new(MergedDocument)
	p.Documents[s] = d
	p.Path = w.DocumentPath(p.Documents, index)
	p.Root = w.take(rootNodes(p.Documents), s, scope{path: p.Path})
	if w.willBeOnWholeLines(s, d, p.Root) {
		p.Head, p.Foot = w.AboveRoot(p.Documents).Take(s), w.BelowRoot(p.Documents).Take(s)
	} else {
		p.Frame = &Frame{Head: s, Foot: s}
	}
	return p
}
