package verify

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// An identifier pairs the nodes of the base with the nodes of a side that are versions of them, in the way of the merge
// by field. Git's line merge is made without this pairing, so the pairing can judge it.
type identifier struct {
	*origins
	matcher *pair.Matcher
	nodes   map[*syntax.Node]*Node // of the base and of the side
	pairs   [][2]int32             // the indexes of all recorded nodes: of the base, and of the side
}

// newIdentifier returns an identifier for the nodes in b, a node of the base, and in n, a node of a side. It has no
// pairs yet: the caller records which of these nodes are versions of each other.
func (o *origins) newIdentifier(b, n *Node) *identifier {
	matcher := pair.NewMatcher(o.Rules, o.File)
	// a matcher pairs three versions: here the base, the side and the base again
	matcher.Lines = &ident.Lines{Files: [3]*text.File{o.files[base], o.files[n.Version], o.files[base]}}
	id := &identifier{origins: o, matcher: matcher, nodes: map[*syntax.Node]*Node{}}
	for _, root := range [...]*Node{b, n} {
		root.Walk(func(x *Node) { id.nodes[x.Node] = x })
	}
	return id
}

// identify records in o which nodes of side s are versions of which nodes of the base: those with the same mapping key
// or name or, in lists without names, a similar value. It keeps the pairs in o.Trees for the next verification.
func (o *origins) identify(s version) {
	o.recordPair(o.docs[base], o.docs[s])
	known := &o.Trees[s]
	if known.base == o.streams[base] { // an earlier verification found the pairs
		for _, p := range known.pairs {
			o.recordPair(o.nodesOf(base)[p[0]], o.nodesOf(s)[p[1]])
		}
		return
	}
	id := o.newIdentifier(o.docs[base], o.docs[s])
	// the matcher takes three versions: index 0 is the base, 1 the side
	docs, steps := id.matcher.PairSingleDocuments([3]*syntax.Stream{o.streams[base], o.streams[s], o.streams[base]})
	if steps == nil {
		steps = id.matcher.Pair(id.matcher.DocumentElems(docs))
	}
	for _, st := range steps {
		if st.Index[0] >= 0 && st.Index[1] >= 0 {
			d := pair.Elements(st, docs)
			id.recordTree(d[0].Root, d[1].Root, id.matcher.DocumentPath(d, st.Index))
		}
	}
	known.base, known.pairs = o.streams[base], id.pairs
}

// recordPair records that n, a node of a side, is a version of b, a node of the base: baseNodeOf then returns b for n,
// and sideNodeOf returns n for b, unless b already has a version in this side.
func (o *origins) recordPair(b, n *Node) {
	s := n.Version
	o.baseNodes[s][n.index] = b
	if o.sideNodes[s][b.index] == nil {
		o.sideNodes[s][b.index] = n
	}
}

// record records that n is a version of b.
func (id *identifier) record(b, n *Node) {
	id.pairs = append(id.pairs, [2]int32{b.index, n.index})
	id.recordPair(b, n)
}

// recordEqual records that n is a version of b, and each node in n of the node at the same place in b. The two nodes
// must have equal contents in the same order.
func (id *identifier) recordEqual(b, n *Node) {
	id.record(b, n)
	for i := range b.Children {
		id.recordEqual(&b.Children[i], &n.Children[i])
	}
}

// recordTree records that n is a version of b, whose path is at, and does the same for the nodes in them: for fields
// with equal mapping keys and items that the merge by field would pair, unless the side reused the name (isNameReused).
// It does nothing if b and n are of different kinds.
func (id *identifier) recordTree(b, n *syntax.Node, at *three.Path) {
	x, y := id.nodes[b], id.nodes[n]
	if b.Kind != n.Kind || x == nil || y == nil { // blank documents have no node
		return
	}
	if x.Data == y.Data && identical(x, y) {
		id.recordEqual(x, y) // they need not be matched
		return
	}
	id.record(x, y)
	if len(b.Entries) == 0 || len(n.Entries) == 0 {
		return
	}
	v := three.Nodes{b, n, b} // as in newIdentifier: index 0 is the base, 1 the side
	items := pair.PairedItems{ItemPath: func(e three.Entries) *three.Path { return at.Child(e[e.First()].Key.Value) }}
	if b.Kind == syntax.Mapping {
		items.Steps = pair.PairByKey(id.matcher.KeyedElems(v, (*syntax.Entry).FieldKey), true)
	} else {
		items = id.matcher.PairItems(v, at)
	}
	var lost, added []*Node // entries with a name that only the base has, or only the side
	for _, st := range items.Steps {
		switch e := st.Entries(v); {
		case e[0] != nil && e[1] == nil:
			lost = append(lost, id.nodes[e[0].Value])
		case e[0] == nil && e[1] != nil:
			added = append(added, id.nodes[e[1].Value])
		}
	}
	for _, st := range items.Steps {
		if st.Index[0] < 0 || st.Index[1] < 0 {
			continue
		}
		if e := st.Entries(v); !id.isNameReused(id.nodes[e[0].Value], id.nodes[e[1].Value], lost, added) {
			id.recordTree(e[0].Value, e[1].Value, items.ItemPath(e))
		}
	}
}

// isNameReused reports whether n, a node of a side, has the name of b, a node of the base, but is probably another
// thing: a node of lost, which the side lacks, or of added, which only the side has, is as similar or more.
//
//	base                         side
//	- {name: a, x: 1, y: 2}      - {name: b, x: 1, y: 2}    # the item that was a; the name b is reused
//	- {name: b, z: 3, w: 4}
func (o *origins) isNameReused(b, n *Node, lost, added []*Node) bool {
	if b.Entry == nil || n.Data == b.Data || len(lost)+len(added) == 0 {
		return false
	}
	// either of two added items that differ only in their names may be the renamed one
	isTwin := func(x *Node) bool { return hashWithoutName(x) == hashWithoutName(n) }
	if b.Entry.Key == nil && syntax.NameOf(b.Node) != syntax.NameOf(n.Node) && slices.ContainsFunc(added, isTwin) {
		return true
	}
	common, size := o.countCommonLeaves(b, n)
	isMoreSimilar := func(b, n *Node) bool {
		other, _ := o.countCommonLeaves(b, n)
		return other > common
	}
	if b.IsBlockScalar() { // leaves are its lines: a node that the side added has more of them
		return slices.ContainsFunc(added, func(x *Node) bool { return isMoreSimilar(b, x) })
	}
	// n is an item with less than half of the leaves of b, and has more in common with an item that the side lacks
	return b.Entry.Key == nil && 2*common < size && slices.ContainsFunc(lost, func(x *Node) bool { return isMoreSimilar(x, n) })
}
