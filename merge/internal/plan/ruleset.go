package plan

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A RuleSet replaces decisions of the default rules, so that nothing but comments is in conflict: where both sides
// changed a value, one of them wins.
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

	// DecideDocument returns the side whose document is taken as a whole, or none if the result has no such document. If
	// ok is false, both sides have the document and it has to be merged.
	DecideDocument(at [3]*syntax.Document) (s three.Optional, ok bool)
	// DecideValue returns the side whose value is taken as a whole. If ok is false, both values are collections of
	// one kind, and their entries have to be merged. The value is at path p; in dest, it is that of the entry dest,
	// which is nil for the root of a document.
	DecideValue(v three.Nodes, p *three.Path, dest *syntax.Entry) (s three.Version, ok bool)
	// DecideFlow decides how to write the merged collection m, whose form is a flow collection. If ok is true, s is
	// the side whose value is taken as a whole instead of m. Otherwise DecideFlow sets m.Flow, or sets m.Form
	// to a side that has a block collection. The arguments p and dest are as for DecideValue.
	DecideFlow(m *Value, p *three.Path, dest *syntax.Entry) (s three.Version, ok bool)

	// MergeTrivia merges comments and blank lines.
	MergeTrivia(t Slot) Trivia
	// ChooseHead sets c.Head, and with it c.Key and the form of c.Value, if there is more between key and value
	// than usual.
	ChooseHead(c *MergedEntry)
	// ChooseFrame sets the Frame of d, whose root shares its lines with what stands before and after it, and the form of
	// the root that fits. It returns d, or, if there is no such form, a document that is taken as a whole.
	ChooseFrame(d *MergedDocument) Document
}

// pick returns the version to take of something that has no parts, as three.PickBy does. It does not compare the
// original if w.IgnoreOriginal is set.
func (w *Walker) pick(equal func(a, b three.Version) bool) (three.Version, bool) {
	return three.PickBy(func(a, b three.Version) bool { return (a != three.Original || !w.IgnoreOriginal) && equal(a, b) })
}

// isPartial reports whether a collection is partial. It returns false for all nodes under the default rules.
func (w *Walker) isPartial(n *syntax.Node) bool { return w.RuleSet != nil && w.RuleSet.IsPartial(n) }

// canCopy reports whether the node n of s, or the entry that has it as its value, can be copied with its comments. Under the
// default rules, it cannot if that would bring back a comment that the other side removed.
func (w *Walker) canCopy(s three.Version, n *syntax.Node, sp text.Span) bool {
	if w.RuleSet != nil {
		return !w.RuleSet.IsPartial(n)
	}
	return !w.RestoresRemovedComment(s, sp)
}

// take returns the plan of a value of which s is taken: all of it, or, if it is partial, the entries that the
// result has.
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

// takeDocument returns the plan of a document of which a side is taken: all of it, or, if it is partial, the entries
// that the result has. It returns nil if taken is none.
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
