package verify

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A nodePair has the indexes of a node of the base and of a node of a side that is a version of it.
type nodePair struct{ base, side int32 }

// A pairFinder finds the nodes of a side that are versions of nodes of the base, in the way of the merge by field.
// Git's line merge is made without these pairs, so they can judge it.
type pairFinder struct {
	*origins
	matcher *pair.Matcher
	nodes   map[*syntax.Node]*Node // of the base and of the side
	pairs   []nodePair             // those found so far
}

// A matcher pairs three versions. A pairFinder passes it the base, the side and the base again.
const baseIndex, sideIndex = three.Original, three.Dest

// newPairFinder returns a pairFinder for the nodes in b, a node of the base, and in n, a node of a side.
func (o *origins) newPairFinder(b, n *Node) *pairFinder {
	f := &pairFinder{origins: o, matcher: pair.NewMatcher(o.Rules, o.File), nodes: map[*syntax.Node]*Node{}}
	f.matcher.Lines = &ident.Lines{Files: [3]*text.File{o.files[base], o.files[n.Version], o.files[base]}}
	for _, root := range [...]*Node{b, n} {
		root.Walk(func(x *Node) { f.nodes[x.Node] = x })
	}
	return f
}

// pairSide records in o which nodes of side s are versions of which nodes of the base: those with the same mapping key
// or name or, in lists without names, a similar value. It keeps the pairs in o.Trees for the next verification.
func (o *origins) pairSide(s version) {
	known := &o.Trees[s]
	if known.base != o.streams[base] {
		f := o.newPairFinder(o.docs[base], o.docs[s])
		f.addDocuments(s)
		known.base, known.pairs = o.streams[base], f.pairs
	}
	o.recordPairs(s, known.pairs)
}

// recordPairs records which nodes of side s are versions of which nodes of the base: in o.baseNodes, the node of the
// base by the index of the node of s, and in o.sideNodes the reverse. baseNodeOf and sideNodeOf return them. If a node
// of the base has several versions in s, sideNodeOf returns the first one recorded.
func (o *origins) recordPairs(s version, pairs []nodePair) {
	for _, p := range pairs {
		o.baseNodes[s][p.side] = o.nodesOf(base)[p.base]
		if o.sideNodes[s][p.base] == nil {
			o.sideNodes[s][p.base] = o.nodesOf(s)[p.side]
		}
	}
}

// addDocuments adds the pairs of nodes in all documents of the base and of side s (addTree), and the pair of their
// lists of documents. Documents are paired as the merge by field pairs them; those that only one of the two has are
// left out.
func (f *pairFinder) addDocuments(s version) {
	f.add(f.docs[base], f.docs[s])
	docs, steps := f.matcher.PairSingleDocuments([3]*syntax.Stream{f.streams[base], f.streams[s], f.streams[base]})
	if steps == nil {
		steps = f.matcher.Pair(f.matcher.DocumentElems(docs))
	}
	for _, st := range steps {
		if d := pair.Elements(st, docs); d[baseIndex] != nil && d[sideIndex] != nil {
			f.addTree(f.nodes[d[baseIndex].Root], f.nodes[d[sideIndex].Root], f.matcher.DocumentPath(d, st.Index))
		}
	}
}

// add adds the pair of b, a node of the base, and n, a node of the side.
func (f *pairFinder) add(b, n *Node) { f.pairs = append(f.pairs, nodePair{b.index, n.index}) }

// addEqual adds the pair of b and n, and of each node in b and the node at the same place in n. The two nodes must have
// equal contents in the same order.
func (f *pairFinder) addEqual(b, n *Node) {
	f.add(b, n)
	for i := range b.Children {
		f.addEqual(&b.Children[i], &n.Children[i])
	}
}

// addTree adds the pair of b and n, and the pairs of the nodes in them: fields with equal mapping keys, and items that
// the merge by field would pair. It leaves out pairs that are probably two things (isNameReused). at is the path of b.
// It does nothing if b and n are of different kinds, or if one is nil, as for a blank document.
func (f *pairFinder) addTree(b, n *Node, at *three.Path) {
	switch {
	case b == nil || n == nil || b.Kind != n.Kind:
		return
	case b.Data == n.Data && identical(b, n):
		f.addEqual(b, n) // they need not be matched
		return
	}
	f.add(b, n)
	if len(b.Children) == 0 || len(n.Children) == 0 {
		return
	}
	children, lost, added := f.pairChildren(b, n, at)
	for _, k := range children {
		if !f.isNameReused(k.b, k.n, lost, added) {
			f.addTree(k.b, k.n, k.at)
		}
	}
}

// A childPair is a child of a node of the base, the child of the side with which it was paired, and their path.
type childPair struct {
	b, n *Node
	at   *three.Path
}

// pairChildren pairs the children of b, whose path is at, with those of n: fields with equal mapping keys, and items as
// the merge by field does. lost are the children that only the base has, and added those that only the side has.
func (f *pairFinder) pairChildren(b, n *Node, at *three.Path) (pairs []childPair, lost, added []*Node) {
	inputs := three.Nodes{b.Node, n.Node, b.Node}
	var items pair.PairedEntries
	if b.Kind == syntax.Mapping { // without renames
		items.Steps = pair.PairByKey(f.matcher.KeyedElems(inputs, (*syntax.Entry).FieldKey), true)
		items.ItemPath = ident.FieldPathFunc(at)
	} else {
		items = f.matcher.PairEntries(inputs, at)
	}
	for _, st := range items.Steps {
		switch e := st.Entries(inputs); {
		case e[baseIndex] != nil && e[sideIndex] != nil:
			pairs = append(pairs, childPair{f.nodes[e[baseIndex].Value], f.nodes[e[sideIndex].Value], items.ItemPath(e)})
		case e[baseIndex] != nil:
			lost = append(lost, f.nodes[e[baseIndex].Value])
		case e[sideIndex] != nil:
			added = append(added, f.nodes[e[sideIndex].Value])
		}
	}
	return pairs, lost, added
}

// isNameReused reports whether b, a child of the base, and n, the child of a side that was paired with it, are probably
// two things, because another child resembles one of them more. lost are the siblings that only the base has, and added
// those that only the side has. It returns true for
//   - an item with a new name, if one of added differs from n only in the name
//   - a block scalar (| or >), if one of added is more similar to b than n is
//   - an item n that has fewer than half of the leaves of b, if one of lost is more similar to n than b is
//
// An example of the last:
//
//	base                         side
//	- {name: a, x: 1, y: 2}      - {name: b, x: 1, y: 2}    # the item that was a; the name b is reused
//	- {name: b, z: 3, w: 4}
func (o *origins) isNameReused(b, n *Node, lost, added []*Node) bool {
	if len(lost)+len(added) == 0 {
		return false
	}
	isItem, hasNewName := !b.isField(), syntax.NameOf(b.Node) != syntax.NameOf(n.Node)
	isTwin := func(x *Node) bool { return hashWithoutName(x) == hashWithoutName(n) }
	switch common, size := o.countCommonLeaves(b, n); {
	case isItem && hasNewName && slices.ContainsFunc(added, isTwin): // either of the twins may be the renamed b
		return true
	case b.IsBlockScalar(): // an added text has more of its lines
		return slices.ContainsFunc(added, func(x *Node) bool { return o.isMoreSimilar(b, x, n) })
	case isItem && 2*common < size: // a lost item has more in common with n
		return slices.ContainsFunc(lost, func(x *Node) bool { return o.isMoreSimilar(n, x, b) })
	}
	return false
}
