package plan

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A RuleSet decides the merge of documents, entries and values in place of the default three-way merge, so that only
// comments can be in conflict. If both sides changed a value, one of them wins. The rules of kustomize and of
// `kubectl apply` are RuleSets.
//
// It knows before the merge which documents, fields and items the result has. If the result omits an element inside of
// a collection, at any depth, the collection is partial. The bytes of a partial collection cannot be copied as they
// are: its entries are planned one by one.
type RuleSet interface {
	// PairDocuments returns the documents of the versions, and the steps that pair them: one for each document of the
	// result, with its index in each version, in the order of the result.
	PairDocuments() (docs [3][]*syntax.Document, steps []pair.Step)
	// PairEntries pairs the entries of the mappings or lists v at path p, in the order of the result. Only Steps and
	// ItemPath are set.
	PairEntries(v three.Nodes, p *three.Path) pair.PairedEntries

	// IsPartial reports whether n is a collection with an element, at any depth, that the result omits.
	IsPartial(n *syntax.Node) bool
	// DecideEntry reports whether the result has the entry with the versions at, an entry of the collections of. The
	// function path returns the path of the entry.
	DecideEntry(at three.Entries, of three.Nodes, path func(three.Entries) *three.Path) bool

	// DecideDocument returns the side from which the document is copied, or none if the result has no such document. If
	// ok is false, both sides have the document and it has to be merged.
	DecideDocument(at [3]*syntax.Document) (s three.Optional, ok bool)
	// DecideValue returns the side from which the value is copied, or none if both values are collections of one kind,
	// and their entries have to be merged. v has the versions of the value, which is at path p. dest is the entry with
	// the value in dest, and nil for the root of a document.
	DecideValue(v three.Nodes, p *three.Path, dest *syntax.Entry) three.Optional
	// DecideFlow decides how to write the merged collection m, which has the format of a flow collection. It returns
	// the side from which the value has to be copied instead, or none. Then DecideFlow sets m.Flow, or sets
	// m.FormatFrom to a side that has a block collection. The collection is at path p. dest is the entry with it in
	// dest, and nil for the root of a document.
	DecideFlow(m *Value, p *three.Path, dest *syntax.Entry) (copyFrom three.Optional)

	// MergeTrivia merges comments and blank lines.
	MergeTrivia(t Slot) Trivia
	// ChooseHead sets c.Head if, in any version, the bytes between the key and the value are more than blanks, an
	// anchor, a tag and one comment. c.Head is the side from which these bytes are copied as a whole. It also sets
	// c.Key and the format of c.Value to those of that side.
	ChooseHead(c *MergedEntry)
	// ChooseFrame completes the plan d of a document whose root shares a line with the bytes before or after it, as in
	// "--- {a: 1} # x". It sets d.Frame, the sides from which these bytes are copied, and sets the root's format to
	// one that fits. It returns d, or a document that is copied from a side as a whole if no format fits.
	ChooseFrame(d *MergedDocument) Document
}

// pick returns the version that a three-way merge chooses for a value: the side that changed it, or dest if both sides
// are equal. ok is false if both sides changed it differently. With w.IgnoreOriginal, ok is true only if both sides are
// equal.
func (w *Walker) pick(equal func(a, b three.Version) bool) (s three.Version, ok bool) {
	return three.PickBy(func(a, b three.Version) bool { return (a != three.Original || !w.IgnoreOriginal) && equal(a, b) })
}

// mustMergeInside reports whether the bytes of the collection n, which may be nil, cannot be copied as they are. This
// is so if w.RuleSet omits an element in n, or if n contains the new place of a moved field that the other side
// changed.
func (w *Walker) mustMergeInside(n *syntax.Node) bool {
	return w.moves.isAround[n] || w.RuleSet != nil && w.RuleSet.IsPartial(n)
}

// canCopy reports whether the bytes sp of version s, the span of the value n or of its entry, can be copied with all
// comments. They cannot if mustMergeInside is true for n or, without a RuleSet, if copying them would bring back a
// comment that the other side removed.
func (w *Walker) canCopy(s three.Version, n *syntax.Node, sp text.Span) bool {
	return !w.mustMergeInside(n) && (w.RuleSet != nil || !w.restoresRemovedComment(s, sp))
}

// planCopy returns the plan of a value that is copied from version s. v has its versions. If the bytes of s cannot be
// copied as they are (see mustMergeInside), it is a plan of the entries of s that remain in the result; its Nodes then
// has only the node of s.
func (w *Walker) planCopy(v three.Nodes, s three.Version, sc scope) *Value {
	if !w.mustMergeInside(v[s]) {
		return &Value{Nodes: v, FormatFrom: s, PropertiesFrom: s}
	}
	m := &Value{FormatFrom: s, PropertiesFrom: s, Merged: true}
	m.Nodes[s] = v[s]
	compared := m.Nodes
	if v[s.Other()] == nil { // an entry that only s has may be a change that the result lacks
		compared[three.Original] = v[three.Original]
	}
	m.Children, _ = w.mergeChildren(compared, sc)
	if v[s].Style != syntax.Flow {
		m.Tail = w.tailSlot(m.Nodes).Take(s)
		return m
	}
	if _, mustCopy := w.RuleSet.DecideFlow(m, sc.path, sc.destEntry).Get(); mustCopy {
		return &Value{Nodes: m.Nodes, FormatFrom: s, PropertiesFrom: s}
	}
	return m
}

// planDocumentCopy returns the plan of a document that a RuleSet copies from side. It is a *MergedDocument if the
// result omits an entry in it, and otherwise a *TakenDocument. If side is none, the result lacks the document, and nil
// is returned. index has the position of the document in each version.
func (w *Walker) planDocumentCopy(at [3]*syntax.Document, side three.Optional, index [3]int) Document {
	s, ok := side.Get()
	switch {
	case !ok:
		return nil
	case !w.mustMergeInside(at[s].Root):
		return &TakenDocument{Documents: at, Side: s}
	}
	d := at[s]
	p := new(MergedDocument)
	p.Documents[s] = d
	p.Path = w.DocumentPath(p.Documents, index)
	p.Root = w.planCopy(rootNodes(p.Documents), s, scope{path: p.Path})
	if w.willBeOnWholeLines(s, d, p.Root) {
		p.Head, p.Foot = w.aboveRoot(p.Documents).Take(s), w.belowRoot(p.Documents).Take(s)
	} else {
		p.Frame = &Frame{Head: s, Foot: s}
	}
	return p
}
