package overlay

import (
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// An Override is a set of rules for values under which updated wins.
type Override struct {
	// ListRules are the rules for lists. Lists of kind map are merged by their associative keys, others as a unit.
	ListRules *team.Rules
	// UpdatedAlwaysWins makes the value of updated win even if only dest changed it.
	UpdatedAlwaysWins bool
	// DestNullDeletes makes a null in dest delete its field, like one in updated.
	DestNullDeletes bool
	// Strategic makes the merge follow kubectl: sets are merged by value, single documents are the same resource, and
	// of a union only the field that updated sets is kept.
	Strategic bool
	// ByPosition identifies resources by their position in the file.
	ByPosition bool
}

// ListAt returns how the list at p is merged: by associative key (schema.Map), by value (schema.Set, only for kubectl's
// rules), or as a unit. versions has the list in each version, nil for a version without it.
func (r Override) ListAt(p schema.Place, versions ...*syntax.Node) schema.List {
	if r.Strategic {
		return r.ListRules.StrategicList(p, versions...)
	}
	return r.ListRules.PairableList(p, versions...)
}

// NewIdentityFunc returns a function that returns the identity of a resource: the text by which resources of different
// versions are paired, to be merged with each other. v has all resources of each version.
//
//	rules           identity
//	ByPosition      the position in the file, as in "2"; documents without content are not counted
//	Strategic       kind, namespace and name; a missing namespace is taken from the resource in dest, if there is only one
//	all others      kind, namespace and name; only kind and name if each version has them exactly once
//
// If only their API groups differ, Strategic gives resources of dest and updated different identities. Except by
// position, the identity of any other node is its anchor or "".
func (r Override) NewIdentityFunc(v [3][]*syntax.Node) func(*syntax.Node) string {
	switch {
	case r.ByPosition:
		return schema.PositionFunc(v)
	case r.Strategic: // a resource without a namespace is in that of the live resource, if there is only one
		return schema.StrictIdentityFunc(v, schema.NamespacesOf(v[three.Dest]).NamespaceOf, false)
	}
	return schema.StrictIdentityFunc(v, schema.Namespace, true)
}

// An expectedResult is the result that a merge of three versions must have.
type expectedResult struct {
	verify.ExpectedResult
	Override
	// rowSets contains the row set of each collection of dest and updated that is not merged as a unit. Two collections
	// that are merged with each other have the same row set.
	rowSets map[*syntax.Node]*rowSet
}

// A rowSet describes a collection that is merged entry by entry. A row is one field or item, with its entry in each
// version that has it. A nil rowSet stands for a collection that is merged as a unit.
type rowSet struct {
	list      schema.List // the rule of a list
	resources bool        // the items are resources
	rows      []row
	rowOf     map[*syntax.Entry]int // the number of the row of each entry, from 1; 0 for a duplicate in a set
}

// contains reports whether the result contains entry e, possibly with the value of another version. It returns true if
// h is nil.
func (h *rowSet) contains(e *syntax.Entry) bool {
	return h == nil || h.rowOf[e] > 0 && h.rows[h.rowOf[e]-1].inResult
}

// A resultBuilder computes an expectedResult.
type resultBuilder struct {
	expectedResult
	file      string
	additions map[*syntax.Node]bool // results of hasAdditions
}

// A nodeVersions contains one node in all versions. It is nil for a version that lacks the node.
type nodeVersions [3]*verify.Node

// anyNode returns the node of dest, or that of updated or the original if dest has none.
func (nodes nodeVersions) anyNode() *verify.Node {
	return cmp.Or(nodes[three.Dest], nodes[three.Updated], nodes[three.Original])
}

// hasOnlyResources reports whether all children of the node, in all versions that have it, are resources: mappings with
// kind and name (metadata.name). It returns true if there are no children.
func (nodes nodeVersions) hasOnlyResources() bool {
	isOther := func(child verify.Node) bool { return !verify.IsResource(&child) }
	return !slices.ContainsFunc(nodes[:], func(n *verify.Node) bool { return slices.ContainsFunc(n.GetChildren(), isOther) })
}

// ExpectedResult returns the result of a merge by these rules, for verification. The inputs are original, dest and
// updated of the file at path.
func (r Override) ExpectedResult(inputs [3]*syntax.Stream, path string) *verify.ExpectedResult {
	return &buildExpected(inputs, path, r).ExpectedResult
}

// buildExpected computes the result that a merge by the rules of override must have: the values, but not the bytes.
// inputs are original, dest and updated, and path is the path of the file. Verification compares results with it, and a
// Merger follows it.
func buildExpected(inputs [3]*syntax.Stream, path string, override Override) *expectedResult {
	r := &resultBuilder{expectedResult: expectedResult{Override: override, rowSets: map[*syntax.Node]*rowSet{}}, file: path, additions: map[*syntax.Node]bool{}}
	r.ListKinds, r.ExpectedResult.ByPosition = map[*syntax.Node]schema.List{}, override.ByPosition // for verify
	var streams nodeVersions
	for v, st := range inputs {
		streams[v] = verify.Read(st, three.Version(v), nil)
	}
	r.removeBlankDocuments(streams, inputs)
	var kept []verify.Node
	for _, m := range r.pairDocuments(streams) {
		if n, inResult := r.mergeResource(m.nodes.anyNode().PathUnder(nil, path), m.nodes); inResult {
			kept = append(kept, n)
		}
	}
	docs := streams[three.Dest].WithChildren(kept)
	r.Docs = &docs
	return &r.expectedResult
}

// removeBlankDocuments removes documents without content from the children of streams, which has each version. inputs
// are the parsed files of streams. If dest and updated then have different numbers of documents, the places of the
// removed ones are added to r.Discarded: their comments need not be in the result.
func (r *resultBuilder) removeBlankDocuments(streams nodeVersions, inputs [3]*syntax.Stream) {
	var blank [3][]text.Span
	for v, stream := range streams {
		for i := range stream.Children {
			if stream.Children[i].IsBlank() {
				blank[v] = append(blank[v], inputs[v].Docs[i].Span)
			}
		}
		stream.Children = slices.DeleteFunc(stream.Children, verify.Node.IsBlank)
	}
	if len(streams[three.Dest].Children) != len(streams[three.Updated].Children) {
		r.Discarded[three.Dest], r.Discarded[three.Updated] = blank[three.Dest], blank[three.Updated]
	}
}

// pairDocuments returns a row for each document: its nodes in the versions that have it. streams has the documents of
// each version. They are paired by the identity of their resources, such as kind, namespace and name. If no version has
// several, single documents are also paired if one of them is not a resource, and by kubectl's rules even if they are
// different resources.
func (r *resultBuilder) pairDocuments(streams nodeVersions) []row {
	rows := pairMembers(streams, r.identityFunc(streams))
	isOther := func(m row) bool { return !verify.IsResource(m.nodes.anyNode()) }
	hasSeveral := func(stream *verify.Node) bool { return len(stream.Children) > 1 }
	if slices.ContainsFunc(streams[:], hasSeveral) || !r.Strategic && !slices.ContainsFunc(rows, isOther) {
		return rows
	}
	return pairMembers(streams, func(*verify.Node) uint64 { return 1 })
}

// recordRemoved adds an entry that the result lacks to r.Discarded, because its comments need not be in the result.
// nodes has its versions; its places in dest and updated are added.
func (r *resultBuilder) recordRemoved(nodes nodeVersions) {
	for _, v := range three.Sides {
		if n := nodes[v]; n != nil {
			r.Discarded[v] = append(r.Discarded[v], n.EntrySpan())
		}
	}
}

// mergeResource returns the merged document at path, or the merged item of a kind: List. nodes has its versions:
//
//	versions with it      result
//	both sides            merged
//	one side              its own, if it was added or updated always wins
//	all others            none; inResult is false
func (r *resultBuilder) mergeResource(path *three.Path, nodes nodeVersions) (n verify.Node, inResult bool) {
	o, d, u := nodes[three.Original], nodes[three.Dest], nodes[three.Updated]
	if d != nil && u != nil {
		return r.mergeValue(path, nodes, schema.List{}), true
	}
	isDeleted := o != nil && !r.UpdatedAlwaysWins
	switch {
	case d != nil && !isDeleted:
		return *d, true
	case u != nil && !isDeleted:
		return r.mergeValue(path, nodeVersions{three.Updated: u}, schema.List{}), true
	}
	r.recordRemoved(nodes)
	return n, false
}

// mergeEntry returns the merged field or item at path. nodes has its versions. inResult is false if a deletion or a
// null removes it. isKey says that it is an associative key of the item around it, which a deletion does not remove.
// parentList is the rule of the list that contains the entry, empty for a field.
func (r *resultBuilder) mergeEntry(path *three.Path, nodes nodeVersions, isKey bool, parentList schema.List) (n verify.Node, inResult bool) {
	o, d, u := nodes[three.Original], nodes[three.Dest], nodes[three.Updated]
	isKeptKey := isKey && (d != nil || u != nil) && !r.isDeletedByNull(nodes)
	if !isKeptKey && !r.isInResult(path, nodes) {
		r.recordRemoved(nodes)
		return n, false
	}
	n = r.mergeValue(path, nodes, parentList)
	destKeyUnchanged := d != nil && o != nil && o.FullKeyHash == d.FullKeyHash
	if d == nil || destKeyUnchanged && u != nil {
		n.FullKeyHash = u.FullKeyHash // the spelling of the key
	} else {
		n.FullKeyHash = d.FullKeyHash
	}
	return n, true
}

// isInResult reports whether the result contains the field or item at path. nodes has its versions.
//
//	a null deletes it (isDeletedByNull)     no
//	both sides have it, or one added it     yes
//	dest deleted it                         if updated changed it or always wins
//	updated deleted it                      as survivesUpdated decides
//	both deleted it                         no
func (r *resultBuilder) isInResult(path *three.Path, nodes nodeVersions) bool {
	o, d, u := nodes[three.Original], nodes[three.Dest], nodes[three.Updated]
	switch {
	case d == nil && u == nil, r.isDeletedByNull(nodes):
		return false
	case o == nil, d != nil && u != nil: // nothing deleted it
		return true
	case u == nil:
		return r.survivesUpdated(path, o, d)
	}
	// dest deleted it; a change of updated is enough
	return r.UpdatedAlwaysWins || r.hasAdditions(path, o, u)
}

// survivesUpdated reports whether the result contains an entry that updated deleted, while dest still has it. original
// and dest are its nodes, and path is its path.
//
//	updated does not always win         if it was null in the original, or dest added to it
//	kubectl always sends the field      if it is not a mapping, or dest added to it
//	all others                          no
func (r *resultBuilder) survivesUpdated(path *three.Path, original, dest *verify.Node) bool {
	if original.IsNull() && !r.UpdatedAlwaysWins { // a null in the original counts as no field
		return true
	}
	isSent := r.Strategic && schema.IsAlwaysSent(path.Place())
	if isSent && dest.Kind != syntax.Mapping {
		return true
	}
	return (isSent || !r.UpdatedAlwaysWins) && r.hasAdditions(path, original, dest)
}

// isDeletedByNull reports whether a null deletes a field, whose versions are nodes: a null in updated, or one in dest
// if r.DestNullDeletes is set. It returns false for items of lists.
func (r *resultBuilder) isDeletedByNull(nodes nodeVersions) bool {
	isNull := func(n *verify.Node) bool { return n != nil && n.Entry.Key != nil && n.IsNull() }
	return isNull(nodes[three.Updated]) || r.DestNullDeletes && isNull(nodes[three.Dest])
}

// hasAdditions reports whether the node n of a side contains something that the original lacks, so that a deletion by
// the other side would lose it:
//
//	original    dest        updated
//	a:          a:                     true for a in dest, which adds c
//	  b: 1        b: 2
//	              c: 1
//
// original is the same node there, or nil, and path is its path. If n is of updated, a changed value, such as that of
// b, counts, too. The answer is kept in r.additions.
func (r *resultBuilder) hasAdditions(path *three.Path, original, n *verify.Node) bool {
	changesCount := n.Version == three.Updated
	switch {
	case original == nil, !changesCount && original.IsNull(): // a null counts as no field, even if n is null, too
		return true
	case original.Data == n.Data:
		return false
	case original.Kind != n.Kind:
		return changesCount
	}
	if known, ok := r.additions[n.Node]; ok {
		return known
	}
	nodes := nodeVersions{three.Original: original}
	nodes[n.Version] = n
	found := changesCount
	if set := r.pairChildren(path, nodes); set != nil { // otherwise, the value is merged as a unit
		found = slices.ContainsFunc(set.rows, func(m row) bool {
			child := m.nodes[n.Version]
			return child != nil && !r.isDeletedByNull(m.nodes) && r.hasAdditions(child.PathUnder(path, r.file), m.nodes[three.Original], child)
		})
	}
	r.additions[n.Node] = found
	return found
}

// mergeValue returns the merged value at path. nodes has its versions. A mapping, and a list whose items can be paired,
// is merged by entry; any other value is that of one side. The parts of a side that the result lacks are recorded in r.
// parentList is the rule of the list around the value, if it is an item: its associative keys are kept if only one side
// has the item.
func (r *resultBuilder) mergeValue(path *three.Path, nodes nodeVersions, parentList schema.List) verify.Node {
	set := r.pairChildren(path, nodes)
	if set == nil {
		return r.mergeUnit(path, nodes, parentList)
	}
	r.addRowSet(set, nodes)
	d, u := nodes[three.Dest], nodes[three.Updated]
	isOneSided := d == nil || u == nil
	keptKeys := schema.List{}
	if isOneSided { // the item remains an item of its list only with these keys
		keptKeys = parentList
	}
	// of a union, such as the strategy of a Deployment, kubectl deletes the fields that the configuration lacks
	isUnion := r.Strategic && !isOneSided && d.Kind == syntax.Mapping && schema.RetainsKeys(path.Place(), u.Node)
	children := make([]verify.Node, 0, len(set.rows))
	for i := range set.rows {
		m := &set.rows[i]
		if isUnion && m.nodes[three.Dest] != nil && m.nodes[three.Updated] == nil {
			m.nodes[three.Original] = m.nodes[three.Dest] // as if updated had deleted it
		}
		var n verify.Node
		if n, m.inResult = r.mergeChild(path, m.nodes, set, keptKeys); m.inResult {
			children = append(children, n)
		}
	}
	merged := nodes.propertiesNode().WithChildren(children)
	if merged.Kind == syntax.Sequence {
		r.ListKinds[merged.Node] = set.list
	}
	return merged
}

// addRowSet records how the entries of a collection are paired, so that the Merger later pairs them in the same way and
// knows which of them the result contains. set is stored in r.rowSets under the node of each side in nodes, which has
// the versions of the collection. set.rowOf gets, for each entry of any version, the number of its row, from 1.
func (r *resultBuilder) addRowSet(set *rowSet, nodes nodeVersions) {
	for _, s := range three.Sides {
		if nodes[s] != nil {
			r.rowSets[nodes[s].Node] = set
		}
	}
	set.rowOf = map[*syntax.Entry]int{}
	for i, m := range set.rows {
		for _, n := range m.nodes {
			if n != nil {
				set.rowOf[n.Entry] = i + 1
			}
		}
	}
}

// mergeUnit returns the merged value at path if it is merged as a unit: the value of one side. Fields in it that a null
// deletes are left out, if it is a collection that can be merged by entry. nodes has its versions. parentList is the
// rule of the list if the value is an item.
func (r *resultBuilder) mergeUnit(path *three.Path, nodes nodeVersions, parentList schema.List) verify.Node {
	want := r.pickAtomic(nodes)
	onlyWinner := nodeVersions{}
	onlyWinner[want.Version] = want
	if nodes == onlyWinner { // it cannot be merged by entry even alone, so no null in it deletes a field
		return *want
	}
	return r.mergeValue(path, onlyWinner, parentList)
}

// mergeChild returns one merged field or item of a collection. nodes has its versions, path is the path of the
// collection, and parentSet is its row set. inResult is false if the result lacks it. keptKeys is the rule of the list
// around the collection if deletions must not remove its associative keys, and empty otherwise.
func (r *resultBuilder) mergeChild(path *three.Path, nodes nodeVersions, parentSet *rowSet, keptKeys schema.List) (n verify.Node, inResult bool) {
	child := nodes.anyNode()
	childPath := child.PathUnder(path, r.file)
	if parentSet.resources && (nodes[three.Dest] == nil || nodes[three.Updated] == nil) {
		return r.mergeResource(childPath, nodes)
	}
	isKey := child.Entry.Key != nil && keptKeys.IsKey(child.Entry.Key.Value)
	return r.mergeEntry(childPath, nodes, isKey, parentSet.list)
}

// pickAtomic returns the node of the result for a value that is merged as a unit. It is usually updated's. It is dest's
// in these cases:
//
//   - only dest has the value
//   - the values are equal
//   - updated did not change the value, and does not always win
//
// A side must have the value. A side with another value is added to r.Discarded.
func (r *resultBuilder) pickAtomic(nodes nodeVersions) *verify.Node {
	o, d, u := nodes[three.Original], nodes[three.Dest], nodes[three.Updated]
	want := u
	switch {
	case u == nil:
		want = d
	case d == nil:
	case d.Data == u.Data, !r.UpdatedAlwaysWins && o != nil && o.Data == u.Data:
		want = d
	}
	for _, n := range [...]*verify.Node{d, u} {
		if n != nil && n.Data != want.Data {
			r.Discarded[n.Version] = append(r.Discarded[n.Version], n.Span)
		}
	}
	return want
}

// propertiesNode returns the node whose anchor and tag the result has. If both sides have the node, it is updated's if
// updated changed its anchor or tag, even if dest changed them, too; otherwise dest's. If a side lacks the node, it is
// the other side's, or else the original's.
func (nodes nodeVersions) propertiesNode() *verify.Node {
	properties := func(s three.Version) (p [2]string) {
		if n := nodes[s]; n != nil {
			p = [...]string{n.Anchor, n.TagText}
		}
		return p
	}
	if nodes[three.Dest] != nil && nodes[three.Updated] != nil && properties(three.Updated) != properties(three.Original) {
		return nodes[three.Updated]
	}
	return nodes.anyNode()
}

// A row is one member of a collection (a field, an item or a document), in all versions.
type row struct {
	nodes    nodeVersions
	index    int  // position in its version among the members with the same identity, from 0
	inResult bool // whether the result contains it; set by mergeValue
}

// pairMembers pairs the children of the same collection in different versions. id returns a hash for a child: those
// with the same hash are paired, but never those with the hash 0. If a version has a hash several times, the first is
// paired with the first, and so on. The rows are in the order of dest, then updated, then the original.
func pairMembers(nodes nodeVersions, id func(*verify.Node) uint64) (rows []row) {
	rowsOf := map[uint64][]int{} // by hash, the indexes of its rows
	for _, v := range [...]three.Version{three.Dest, three.Updated, three.Original} {
		count := map[uint64]int{}
		children := nodes[v].GetChildren()
		for i := range children {
			hash := id(&children[i])
			nth := count[hash]
			count[hash]++
			at := len(rows)
			if hash != 0 && nth < len(rowsOf[hash]) {
				at = rowsOf[hash][nth]
			} else {
				rowsOf[hash] = append(rowsOf[hash], at)
				rows = append(rows, row{index: nth})
			}
			rows[at].nodes[v] = &children[i]
		}
	}
	return rows
}

// pairChildren returns the row set of a collection, with its rows, or nil if the value is merged as a unit, for example
// because it is a scalar, or the sides have different kinds. path is the path of the value, and nodes has its versions.
func (r *resultBuilder) pairChildren(path *three.Path, nodes nodeVersions) *rowSet {
	kind, d, u := nodes.anyNode().Kind, nodes[three.Dest], nodes[three.Updated]
	if d != nil && u != nil && d.Kind != u.Kind {
		return nil
	}
	var lists three.Nodes
	for v, n := range nodes {
		switch {
		case n == nil:
		case n.Kind != kind: // an original of another kind has no entries to pair
			nodes[v] = nil
		default:
			lists[v] = n.Node
		}
	}
	switch {
	case kind == syntax.Mapping:
		return &rowSet{rows: pairMembers(nodes, verify.ByKey)}
	case kind != syntax.Sequence:
		return nil
	case path.IsItems() && nodes.hasOnlyResources():
		return &rowSet{rows: pairMembers(nodes, r.identityFunc(nodes)), resources: true}
	}
	l := r.ListAt(path.Place(), lists[:]...)
	switch isSet := l.Kind == schema.Set && r.Strategic; {
	case l.Kind == schema.Map:
		// items with equal keys are paired with those of updated first
		ids := l.UniqueIDs(lists[three.Updated], lists[three.Original], lists[three.Dest])
		return &rowSet{rows: pairMembers(nodes, func(n *verify.Node) uint64 { return verify.Hash(ids(n.Node)) }), list: l}
	case isSet && (d == nil || u == nil):
		return &rowSet{rows: pairMembers(nodes, verify.ByValue), list: l}
	case isSet && d.Data != u.Data: // equal sets need no merge
		isDuplicate := func(m row) bool { return m.index > 0 } // of equal items, the result has one
		return &rowSet{rows: slices.DeleteFunc(pairMembers(nodes, verify.ByValue), isDuplicate), list: l}
	}
	return nil
}

// identityFunc returns a function that returns a hash of the identity of a resource, as NewIdentityFunc defines it.
// nodes has the stream, or the list of resources, of each version. Nodes without an identity have the same hash.
func (r *resultBuilder) identityFunc(nodes nodeVersions) func(*verify.Node) uint64 {
	var v [3][]*syntax.Node
	for i, n := range nodes {
		for _, child := range n.GetChildren() {
			v[i] = append(v[i], child.Node)
		}
	}
	id := r.NewIdentityFunc(v)
	return func(n *verify.Node) uint64 { return verify.Hash(id(n.Node)) }
}
