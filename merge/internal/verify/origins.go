package verify

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/ident"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Each node of a side is a version of at most one node of the base: the node with the same path, otherwise a node that
// the side renamed or moved as a whole. A node that a side added is a version of none. A node of the result is
// identified by the version that its first line comes from.
//
// The original of a node is the node of the base that it is a version of, or the node of the side that added it.

// origins maps the nodes and lines of a side, and those of the result, to the nodes and lines of the base that they
// come from, if there are any. Lines are counted from 0, and nodes have the number Node.index.
type origins struct {
	*checker
	// of each version, by line:
	starts [versions][][]*Node // the entries that start on the line, outermost first
	texts  [versions][]*Node   // the scalar with text that continues on the line
	// of a side, by its lines and nodes:
	baseLines [result][]int   // the line of the base, or -1 if the side changed or added the line
	baseNodes [result][]*Node // the node of the base that the node is a version of
	// of a side, by the lines and nodes of the base:
	sideLines     [result][]int   // its line, or -1 if it changed or deleted the line
	sideNodes     [result][]*Node // its version of the node
	samePathNodes [result][]*Node // its node with the same path
	resultIsSide  bool            // whether the result has the same bytes as a side
	// of the result, by line:
	sources      [][result]int // the line of each input that it is a copy of, or -1
	counterparts [][result]int // the same; if a side replaced lines by equally many, also the old line
	// results of methods, so that they are computed once:
	tried          map[*Node]bool                  // nodes for which originalOf searched a renamed node
	originalsCache [][]*Node                       // of originalsOf, by the nodes of the result
	renamableNodes [result]map[syntax.Kind][]*Node // of renamable
	comparisons    int                             // pairs of nodes that findByLeaves has compared
	twins          [result]map[uint64][]*Node      // of twinsOf: the nodes of a side by hashWithoutName
	resultNodes    map[*Node][]*Node               // of mayHoldInResult: the nodes of the result by original
	nodeLines      map[*Node]map[string]bool       // of hasLine: the lines of a node
	itemsByData    map[*Node]map[uint64]*Node      // of onlyItem: the items of each list by data, nil for several
}

// sourceOf returns the version from which git's line merge has the lines of chunk k: theirs if only theirs changed
// them, otherwise ours. If the chunk is a conflict, it is chosen, the version whose lines the result has in conflicts.
func sourceOf(k diff3.Chunk, chosen version) version {
	switch {
	case k.Open:
		return chosen
	case k.Kind == diff3.UpdatedChanged:
		return theirs
	}
	return ours
}

// newOrigins returns an index for the checks of git's line merge: from which lines of the inputs each line of the
// result comes, and of which node of the base each node of a side is a new version. Nodes with the same path are paired
// now; renamed and moved ones only when originalOf is called for them. chunks are git's line merge of the versions,
// with the lines of chosen, a side, in conflicts.
func newOrigins(c *checker, chunks []diff3.Chunk, chosen version) *origins {
	o := &origins{checker: c, tried: map[*Node]bool{}, nodeLines: map[*Node]map[string]bool{}, itemsByData: map[*Node]map[uint64]*Node{}}
	for v := range versions {
		lineCount := c.files[v].Line(len(c.files[v].Bytes()))
		o.starts[v], o.texts[v] = make([][]*Node, lineCount), make([]*Node, lineCount)
		o.indexLines(v)
	}
	for _, s := range sides {
		o.sideLines[s] = slices.Repeat([]int{-1}, len(o.starts[base]))
		o.baseLines[s] = slices.Repeat([]int{-1}, len(o.starts[s]))
		o.baseNodes[s], o.sideNodes[s] = make([]*Node, len(o.nodesOf(s))), make([]*Node, len(o.nodesOf(base)))
	}
	o.originalsCache = make([][]*Node, len(o.nodesOf(result)))
	for _, chunk := range chunks {
		o.addChunk(chunk, sourceOf(chunk, chosen))
	}
	for _, s := range sides {
		o.pairSide(s)
		o.samePathNodes[s] = slices.Clone(o.sideNodes[s])
	}
	return o
}

// addChunk records where the lines of the result in a chunk of git's line merge come from: the lines of from, a side.
// It also records which lines of the sides are lines of the base. Chunks must be added in order.
//
//	base line 3    ours line 3    theirs line 4    from      sources       counterparts
//	a: 1           a: 1           a: 2             theirs    -1, -1, 4     3, 3, 4
func (o *origins) addChunk(chunk diff3.Chunk, from version) {
	isChanged := func(v version) bool {
		return v != base && (chunk.Kind == diff3.BothChanged || chunk.Kind == changedBy[v])
	}
	for _, s := range sides {
		for i := range chunk.Original.Len() {
			if line, baseLine := rangeOf(chunk, s).Start+i, chunk.Original.Start+i; !isChanged(s) {
				o.sideLines[s][baseLine], o.baseLines[s][line] = line, baseLine
			}
		}
	}
	size := rangeOf(chunk, from).Len()
	for i := range size {
		source := [result]int{base: -1, ours: -1, theirs: -1}
		counterpart := source
		for v := range result {
			areDifferent := isChanged(v) && chunk.Open // edits of both sides in a conflict
			isCopied := v == from || isChanged(v) == isChanged(from) && !areDifferent
			// isReplaced is whether each line of v has its counterpart in the result, at the same index in the chunk
			isReplaced := chunk.Kind != diff3.BothChanged && !chunk.Open && rangeOf(chunk, v).Len() == size
			if isCopied {
				source[v] = rangeOf(chunk, v).Start + i
			}
			if isCopied || isReplaced {
				counterpart[v] = rangeOf(chunk, v).Start + i
			}
		}
		o.sources, o.counterparts = append(o.sources, source), append(o.counterparts, counterpart)
	}
}

// indexLines records which nodes each line of v, counted from 0, belongs to: the entries that start on it (o.starts),
// and the scalar that continues on it from a line above (o.texts). If several such scalars do, the last one counts.
func (o *origins) indexLines(v version) {
	file := o.files[v]
	for _, n := range o.nodesOf(v) {
		if n == nil {
			continue
		}
		if n.Entry != nil {
			line := file.Line(n.Entry.Start) - 1 // Line counts from 1
			o.starts[v][line] = append(o.starts[v][line], n)
		}
		if n.Kind == syntax.Scalar && bytes.ContainsAny(file.Slice(n.Content), "\r\n") {
			for line := file.Line(n.Content.Start); line < file.Line(n.Content.End-1); line++ { // from its second line
				o.texts[v][line] = n
			}
		}
	}
}

// baseNodeOf returns the node of the base of which n, a node of a side, is a new version. It returns nil if there is
// none, or if it has not been found yet: nodes with the same path are known from the start, renamed and moved nodes
// only after a call of originalOf.
func (o *origins) baseNodeOf(n *Node) *Node { return o.baseNodes[n.Version][n.index] }

// sideNodeOf returns the version in side s of b, a node of the base. It returns nil if b is not a node of the base, if
// s deleted it, or if it has not been found yet (see baseNodeOf).
func (o *origins) sideNodeOf(s version, b *Node) *Node {
	if b.Version != base {
		return nil
	}
	return o.sideNodes[s][b.index]
}

// hasNodeAtPathOf reports whether side s has a node with the same path as b, a node of the base. A renamed or moved
// node does not count.
func (o *origins) hasNodeAtPathOf(s version, b *Node) bool { return o.samePathNodes[s][b.index] != nil }

// parentOfLine returns the node that a line of v, counted from 0, is a part of: the mapping or list with the entry that
// starts on the line, or the scalar whose text continues on it. If several entries start on it, the outermost one
// counts. It returns nil for other lines, such as comments.
//
//	a:            the mapping with a
//	- b: 1        the list, which is the value of a
//	  c: |        the item
//	    text      the scalar c
//	# comment     nil
func (o *origins) parentOfLine(v version, line int) *Node {
	if starting := o.starts[v][line]; len(starting) > 0 {
		return o.parentOf(starting[0])
	}
	return o.texts[v][line]
}

// parentOfFirstField returns the item whose first field is on the line of its dash, as in "- a: 1", for which
// parentOfLine returns the list. It returns nil for other lines, or if that field has children. line is counted from
// 0.
func (o *origins) parentOfFirstField(v version, line int) *Node {
	starting := o.starts[v][line]
	if len(starting) < 2 || o.isHeading(v, line) {
		return nil
	}
	return o.parentOf(starting[len(starting)-1])
}

// parentOfComment returns the collection that a comment belongs to, for checkLine: the outermost block mapping or list
// that has entries above the comment, in its column. line is the line of the comment in v, counted from 0. It returns
// nil for other lines.
//
//	v is the result    this collection
//	v is a side        this collection, if it is one of the base that the other side deleted or moved; otherwise nil
//	v is the base      nil
func (o *origins) parentOfComment(v version, line int) *Node {
	if v == base || len(o.starts[v][line]) > 0 || !strings.HasPrefix(o.lineText(v, line), "#") {
		return nil
	}
	start := o.files[v].LineOffset(line + 1)
	at := start + bytes.IndexByte(o.files[v].Bytes()[start:], '#')
	n := o.docs[v].lastChildAbove(at)
	for n != nil && (len(n.Children) == 0 || n.Style != syntax.Block || n.Indent != at-start) {
		n = n.lastChildAbove(at)
	}
	if n == nil || v == result {
		return n
	}
	if b := o.originalOf(n); b.Version == v || o.hasNodeAtPathOf(v.Other(), b) {
		return nil // beside entries of the other side, it may belong to another one
	}
	return n
}

// isHeading reports whether a line of v, counted from 0, only begins a mapping or list that continues below it, such as
// "spec:". Unrelated entries have many such lines in common.
func (o *origins) isHeading(v version, line int) bool {
	starting := o.starts[v][line]
	return len(starting) > 0 && len(starting[len(starting)-1].Children) > 0
}

// lineText returns a line of v without the white space around it.
func (o *origins) lineText(v version, line int) string {
	at := o.files[v].LineOffset(line + 1)
	return string(bytes.TrimSpace(o.files[v].Slice(text.Span{Start: at, End: o.files[v].LineEnd(at)})))
}

// originalsOf returns the originals of r, a node of the result: one, or one from each side if both added r or its
// first line. The slice is empty if they are unclear, and must not be changed.
//
//	base       ours       theirs     result
//	a:         b:         a:         b:         a of the base
//	  x: 1       x: 1       x: 1       x: 1
//	                      c: 1       c: 1       c of theirs
func (o *origins) originalsOf(r *Node) []*Node {
	if r == nil {
		return nil
	}
	if o.originalsCache[r.index] == nil {
		o.originalsCache[r.index] = o.findOriginals(r)
	}
	return o.originalsCache[r.index]
}

// versionsOf returns r, a node of the result, together with the nodes of base, ours and theirs that r is a version of,
// even if a side renamed or moved it. For a side that deleted it, the node is nil. All three are nil if the base has no
// such node, or if it is unclear which it is.
func (o *origins) versionsOf(r *Node) nodeVersions {
	q := nodeVersions{result: r}
	if originals := o.originalsOf(r); len(originals) > 0 && originals[0].Version == base {
		b := originals[0]
		q[base], q[ours], q[theirs] = b, o.sideNodeOf(ours, b), o.sideNodeOf(theirs, b)
	}
	return q
}

// findOriginals finds the originals of r, a node of the result, for originalsOf, which keeps them. The slice is empty,
// not nil, if it is unclear what r is a version of. r must not be the list of documents.
//
//	an input lacks r, or both sides added it    the originals of the sides that have r
//	all inputs have the same                    this one
//	one side moved r                            that in this side
//	the sides moved r to different places       none
func (o *origins) findOriginals(r *Node) []*Node {
	counterparts := o.copiesOf(r)
	if counterparts == [result]*Node{} {
		counterparts = o.counterpartsByLine(r)
	}
	var originals [result]*Node
	for v, n := range counterparts {
		if n != nil && n.Kind == r.Kind {
			originals[v] = o.originalOf(n)
		}
	}
	ofSides := slices.DeleteFunc([]*Node{originals[ours], originals[theirs]}, func(n *Node) bool { return n == nil })
	isInAll := !slices.Contains(originals[:], nil)
	moved, ok := three.Pick(originals)
	switch {
	case !isInAll, originals[ours].Version == ours && originals[theirs].Version == theirs: // both added it
		return ofSides
	case !ok: // the sides moved it to different places
		return []*Node{}
	}
	return []*Node{originals[moved]}
}

// copiesOf returns, for each input, the node of which r, a node of the result, is an equal copy, or nil. Copies are
// items and documents that occur once in the list of the input, and the nodes in them. It searches the lists that the
// parent of r is a version of. This finds the right item where git aligns other lines:
//
//	base         ours         theirs       result
//	- groups:    - groups:    - groups:    - groups:    a copy of theirs, although git takes the line from the base
//	  - z          - x          - y          - y
//	             - groups:    - groups:    - groups:
//	               - z          - z          - x
//	                                       - groups:
//	                                         - z
func (o *origins) copiesOf(r *Node) (copies [result]*Node) {
	parent := o.parentOf(r)
	if parent == nil {
		return copies
	}
	if parentCopies := o.copiesOf(parent); parentCopies != [result]*Node{} { // r is in an item that has a copy
		index := slices.IndexFunc(parent.Children, func(k Node) bool { return k.index == r.index })
		for v, n := range parentCopies {
			if n != nil {
				copies[v] = n.equalChild(r, index)
			}
		}
		return copies
	}
	if r.isField() || len(r.Children) == 0 {
		return copies
	}
	lists := o.docs // the versions of parent
	if parent != o.docs[result] {
		lists = o.versionsOf(parent)
		for _, original := range o.originalsOf(parent) { // also if sides added parent
			lists[original.Version] = original
		}
	}
	for v, list := range lists[:result] {
		copies[v] = o.onlyItem(list, r.Data)
	}
	return copies
}

// equalChild returns the child of n that has the mapping key and the data of k: the child of n at index if it is equal,
// otherwise the first one, because equal mappings may have their fields in another order. It returns nil if there is
// none.
func (n *Node) equalChild(k *Node, index int) *Node {
	isEqual := func(x Node) bool { return x.KeyHash == k.KeyHash && x.Data == k.Data }
	if index >= len(n.Children) || !isEqual(n.Children[index]) {
		index = slices.IndexFunc(n.Children, isEqual)
	}
	if index < 0 {
		return nil
	}
	return &n.Children[index]
}

// onlyItem returns the item of list, or the document of a list of documents, whose data has this hash. It returns nil
// if there is none or several, or if list is nil.
func (o *origins) onlyItem(list *Node, data uint64) *Node {
	if list == nil {
		return nil
	}
	byData := o.itemsByData[list]
	if byData == nil {
		byData = map[uint64]*Node{}
		for i := range list.Children {
			k := &list.Children[i]
			if _, isRepeated := byData[k.Data]; isRepeated {
				byData[k.Data] = nil
				continue
			}
			byData[k.Data] = k
		}
		o.itemsByData[list] = byData
	}
	return byData[data]
}

// counterpartsByLine returns, for each input, the node that starts on the line that corresponds to the first line of n,
// a node of the result, or nil if there is none. o.counterparts has the corresponding lines: those of which the line is
// a copy, and those that a side replaced by it. A document starts with its first entry. If several nodes start on one
// line, as in "- a: 1", the first ones correspond to each other, the second ones, and so on.
func (o *origins) counterpartsByLine(n *Node) (found [result]*Node) {
	if n.Entry == nil { // a document
		if len(n.Children) == 0 {
			return found
		}
		for v, entry := range o.counterpartsByLine(&n.Children[0]) {
			for found[v] = entry; found[v] != nil && found[v].Entry != nil; {
				found[v] = o.parentOf(found[v])
			}
		}
		return found
	}
	at := o.files[result].Line(n.Entry.Start) - 1
	if at >= len(o.counterparts) {
		return found
	}
	i := slices.Index(o.starts[result][at], n) // not -1: indexLines has all entries
	for v, line := range o.counterparts[at] {
		if line >= 0 && i < len(o.starts[v][line]) {
			found[v] = o.starts[v][line][i]
		}
	}
	return found
}

// originalOf returns the original of n, a node of an input: the node of the base that n is a version of, even if the
// side renamed or moved it. If the side added n, or if it is unclear of which node n is a version, it returns n. A
// renamed node that it finds is recorded, with the nodes below it, so that baseNodeOf and sideNodeOf then know it.
func (o *origins) originalOf(n *Node) *Node {
	if n.Version == base {
		return n
	}
	if o.baseNodeOf(n) == nil && !o.tried[n] {
		o.tried[n] = true
		if parent := o.parentOf(n); parent != o.docs[n.Version] {
			o.originalOf(parent) // if the parent was renamed, this matches its descendants
		}
		if o.baseNodeOf(n) == nil {
			if b := o.findRenamed(n); b != nil {
				f := o.newPairFinder(b, n)
				f.addTree(b, n, o.pathOf(b))
				o.recordPairs(n.Version, f.pairs)
			}
		}
	}
	if b := o.baseNodeOf(n); b != nil {
		return b
	}
	return n
}

// pathOf returns the path of n from the file, or nil if n is the list of documents.
func (o *origins) pathOf(n *Node) *three.Path {
	if n == o.docs[n.Version] {
		return nil
	}
	return n.PathUnder(o.pathOf(o.parentOf(n)), o.File)
}

// lineSpan returns the range of lines of n. Lines are counted from 0, and End is the line after the last one. The span
// is {0, 0} if n has no text, as for an empty document.
func (o *origins) lineSpan(n *Node) text.Span {
	at := n.EntrySpan()
	if at.Empty() {
		return text.Span{}
	}
	return text.Span{Start: o.files[n.Version].Line(at.Start) - 1, End: o.files[n.Version].Line(at.End - 1)}
}

// findRenamed returns the node of the base that a side renamed or moved to n, a node of the side for which baseNodeOf
// has none: the node with the most lines or leaves in common with n (findMostSimilar). It returns nil if there is none,
// if the schema says that the two are different fields, or if the side added n twice, under different names, so that
// the other copy may be the renamed one.
func (o *origins) findRenamed(n *Node) *Node {
	b := o.findMostSimilar(n)
	if b == nil || o.areDistinctFields(b, n) {
		return nil
	}
	for _, x := range o.twinsOf(n) {
		if x == n || o.baseNodeOf(x) != nil {
			continue
		}
		if source := o.findMostSimilar(x); source == nil || source == b { // x may be the renamed one
			return nil
		}
	}
	return b
}

// findMostSimilar returns the node of the base that a side may have renamed or moved to n: one that the side lacks and
// that has more than half of its lines or leaves in common with n. It returns nil if there is none.
func (o *origins) findMostSimilar(n *Node) *Node {
	if b := o.findByLines(n); b != nil {
		return b
	}
	return o.findByLeaves(n)
}

// isEnough reports whether b, a node of the base, and n, a node of a side, have enough lines or leaves in common to
// show that the side renamed b to n. common is their number. If the parents differ, it must be at least MinEvidence,
// because a few may be equal by chance.
func (o *origins) isEnough(common int, b, n *Node) bool {
	return common >= ident.MinEvidence || o.baseNodeOf(o.parentOf(n)) == o.parentOf(b)
}

// findByLines returns, for findMostSimilar, the node of the base that has the most lines in common with n, a node of a
// side: more than half of the lines of each. Lines that git aligns are common. The node must have the kind of n, the
// side must have no node at its path, and the common lines must be enough (isEnough). Of several nodes with as many
// lines, it is the one with the fewest lines. It returns nil if there is none.
func (o *origins) findByLines(n *Node) (best *Node) {
	commonLines := map[*Node]int{}
	s, span := n.Version, o.lineSpan(n)
	for line := span.Start; line < span.End; line++ {
		if !o.isCounted(line, n) || o.baseLines[s][line] < 0 {
			continue
		}
		// the line belongs to all nodes around it, up to those that the side still has at their path
		for x := o.parentOfLine(base, o.baseLines[s][line]); x != nil && !o.hasNodeAtPathOf(s, x); x = o.parentOf(x) {
			if x.Kind == n.Kind {
				commonLines[x]++
			}
		}
	}
	// more common lines, then fewer lines, then the earlier place, so that the order of the map does not matter
	isBetter := func(x, y *Node) bool {
		return cmp.Or(commonLines[y]-commonLines[x], o.countLines(x)-o.countLines(y), x.EntrySpan().Start-y.EntrySpan().Start) < 0
	}
	lineCount := o.countLines(n)
	for x, common := range commonLines {
		isMostOfN := 2*common > lineCount
		if isMostOfN && o.isEnough(common, x, n) && 2*common > o.countLines(x) && (best == nil || isBetter(x, best)) {
			best = x
		}
	}
	return best
}

// findByLeaves returns, for findMostSimilar, the node of the base that has the most leaves (values with their mapping
// keys) in common with n, a node of a side: more than half of the leaves of each. The node must have the kind of n, the
// side must have no node at its path, and the common leaves must be enough (isEnough). It returns nil if there is none,
// or if the checker has compared maxComparisons pairs, which o.comparisons counts.
func (o *origins) findByLeaves(n *Node) (best *Node) {
	bestCommon := 0
	for _, x := range o.renamable(n.Version, n.Kind) {
		if o.comparisons++; o.comparisons > maxComparisons {
			return nil
		}
		common, total := o.countCommonLeaves(x, n)
		if common > bestCommon && 2*common > max(total, len(o.leafHashes(n))) && o.isEnough(common, x, n) {
			best, bestCommon = x, common
		}
	}
	return best
}

// countLines returns the number of lines of n by which findByLines compares it: lines with an entry in n or a part of
// its text, except for lines such as "spec:" (isCounted). It is 0 for a field on one line.
func (o *origins) countLines(n *Node) (count int) {
	span := o.lineSpan(n)
	for line := span.Start; line < span.End; line++ {
		if o.isCounted(line, n) {
			count++
		}
	}
	return count
}

// isCounted reports whether a line of node n has an entry in n or a part of the text of n. The line with the name of n,
// comments, blank lines, and lines that only begin a mapping or list (isHeading) do not count.
func (o *origins) isCounted(line int, n *Node) bool {
	parent := o.parentOfLine(n.Version, line)
	return parent != nil && parent != o.parentOf(n) && !o.isHeading(n.Version, line)
}

// maxComparisons is the maximum number of pairs of nodes that findByLeaves compares. After that, only nodes with common
// lines are found to be renamed, so that edits in other renamed nodes are rejected. Without the limit, a file of 300 KB
// with 21,000 similar documents takes 25 seconds.
const maxComparisons = 1 << 22

// renamable returns the nodes of the base of the given kind (mapping, list, ...) that side s may have renamed or moved:
// s has no node at their path. They are in the order of the file. The result must not be changed.
func (o *origins) renamable(s version, kind syntax.Kind) []*Node {
	if o.renamableNodes[s] == nil {
		o.renamableNodes[s] = map[syntax.Kind][]*Node{}
		o.docs[base].Walk(func(x *Node) {
			if !o.hasNodeAtPathOf(s, x) {
				o.renamableNodes[s][x.Kind] = append(o.renamableNodes[s][x.Kind], x)
			}
		})
	}
	return o.renamableNodes[s][kind]
}

// twinsOf returns n, a node of a side, and the nodes of the same side that equal n except for their name (see
// hashWithoutName). Nodes without a name are twins if they have equal data. The result must not be changed.
func (o *origins) twinsOf(n *Node) []*Node {
	s := n.Version
	if o.twins[s] == nil {
		o.twins[s] = o.docs[s].groupNodes(hashWithoutName)
	}
	return o.twins[s][hashWithoutName(n)]
}

// hashWithoutName returns a hash of the value of n without its name, to find renamed nodes: {name: a, x: 1}, {name: b,
// x: 1} and {id: a, x: 1} have the same hash. Without a name, it is the hash of the data.
func hashWithoutName(n *Node) uint64 {
	nameField, _, hasName := strings.Cut(syntax.NameOf(n.Node), "=")
	isResource := schema.KindAndName(n.Node) != ""
	if !hasName && !isResource {
		return n.Data
	}
	var leaves []uint64
	for i := range n.Children {
		child := &n.Children[i]
		switch key := child.Entry.KeyText(); {
		case hasName && key == nameField:
		case isResource && key == "metadata": // it has the name of the resource
			leaves = append(leaves, hashWithoutName(child))
		default:
			leaves = appendLeafHashes(leaves, child, child.KeyHash)
		}
	}
	slices.Sort(leaves)
	hash := uint64(len(n.Children))
	for _, leaf := range leaves {
		hash = syntax.CombineHashes(hash, leaf)
	}
	return hash
}

// areDistinctFields reports whether b, a field of the base, and n, a field of a side, are certainly different by the
// rules for their mapping, so that the side did not rename b to n: emptyDir and hostPath of a Kubernetes volume, for
// example. It returns false for items, and if n is not in the side's version of the mapping with b.
func (o *origins) areDistinctFields(b, n *Node) bool {
	up := o.parentOf(n)
	if !b.isField() || !n.isField() || o.baseNodeOf(up) != o.parentOf(b) {
		return false
	}
	at := o.pathOf(o.parentOf(b))
	return o.Rules.AreDistinctFields(at.Place(), b.Entry.Key.Value, n.Entry.Key.Value)
}
