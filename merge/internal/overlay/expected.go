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
	// Strategic makes the merge follow kubectl: sets are merged by value, single documents are the same resource, and of
	// a union only the field that updated sets is kept.
	Strategic bool
	// ByPosition identifies resources by their position in the file.
	ByPosition bool
}

// ListAt returns the rule for the list at p. Its items are merged by associative key (schema.Map), by value
// (schema.Set, only if r.Strategic is set) or not at all. versions has the list in each version, nil for a version
// without it.
func (r Override) ListAt(p schema.Place, versions ...*syntax.Node) schema.List {
	if r.Strategic {
		return r.ListRules.StrategicList(p, versions...)
	}
	return r.ListRules.PairableList(p, versions...)
}

// NewIdentityFunc returns a function that returns the identity of a resource in v, by which the resources of the
// versions are merged. It is the position in the file if r.ByPosition is set, otherwise kind, namespace and name, with
// the API group if that is needed (see schema.StrictIdentityFunc). A node that is not a resource has its anchor, or "".
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

// A rowSet describes a merged collection row by row. A row is one field or item, with its entry in each version that
// has it.
type rowSet struct {
	list      schema.List
	resources bool                  // the items are resources
	rows      map[*syntax.Entry]int // the row of each entry, from 1; 0 for a duplicate in a set
	inResult  []bool                // by row, whether the result contains it
}

// contains reports whether the result contains entry e, possibly with the value of another version.
func (h *rowSet) contains(e *syntax.Entry) bool { return h.inResult[h.rows[e]] }

// A resultBuilder computes an expectedResult.
type resultBuilder struct {
	expectedResult
	file      string
	additions map[*syntax.Node]bool // results of hasAdditions
}

// A nodeVersions contains one node in all versions. It is nil for a version that lacks the node.
type nodeVersions [3]*verify.Node

// anyNode returns the node of dest, or that of updated or the original if dest has none.
func (q nodeVersions) anyNode() *verify.Node {
	return cmp.Or(q[three.Dest], q[three.Updated], q[three.Original])
}

// syntaxNode returns the syntax node of version v, or nil if there is none.
func (q nodeVersions) syntaxNode(v three.Version) *syntax.Node {
	if q[v] == nil {
		return nil
	}
	return q[v].Node
}

// hasOnlyResources reports whether all children of the node, in all versions that have it, are resources: mappings with
// kind and name (metadata.name). It returns true if there are no children.
func (q nodeVersions) hasOnlyResources() bool {
	isOther := func(k verify.Node) bool { return !verify.IsResource(&k) }
	return !slices.ContainsFunc(q[:], func(n *verify.Node) bool { return slices.ContainsFunc(n.GetChildren(), isOther) })
}

// ExpectedResult returns the result of a merge by these rules, for verification. The inputs are original, dest and
// updated of the file at path.
func (r Override) ExpectedResult(inputs [3]*syntax.Stream, path string) *verify.ExpectedResult {
	return &buildExpected(inputs, path, r).ExpectedResult
}

// buildExpected computes what a merge by the rules of override must have, without writing bytes. The result has the
// merged documents, the rows of each merged collection, the rule of each list, and the places of dest and updated that
// are not in the result. inputs are original, dest and updated, and do not change. path is that of the file.
func buildExpected(inputs [3]*syntax.Stream, path string, override Override) *expectedResult {
	r := &resultBuilder{expectedResult: expectedResult{Override: override, rowSets: map[*syntax.Node]*rowSet{}}, file: path, additions: map[*syntax.Node]bool{}}
	r.ListKinds, r.ExpectedResult.ByPosition = map[*syntax.Node]schema.List{}, override.ByPosition
	var q nodeVersions
	for v, st := range inputs {
		q[v] = verify.Read(st, three.Version(v), nil, nil)
	}
	single := r.removeBlankDocuments(q, inputs)
	rows := pairMembers(q, r.identityFunc(q))
	isOther := func(m row) bool { return !verify.IsResource(m.q.anyNode()) }
	if single && (override.Strategic || len(rows) < 2 || slices.ContainsFunc(rows, isOther)) {
		rows = pairMembers(q, func(*verify.Node) uint64 { return 1 })
	}
	var kept []verify.Node
	for _, m := range rows {
		if n, inResult := r.mergeResource(m.q.anyNode().PathUnder(nil, path), m.q); inResult {
			kept = append(kept, n)
		}
	}
	list := q[three.Dest].WithChildren(kept)
	r.Docs = &list
	return &r.expectedResult
}

// removeBlankDocuments removes the documents without content from the children of the streams in q. single is true if
// each version then has one document at most. If dest and updated have different numbers of documents after that, the
// removed documents of both sides are added to r.Discarded: their comments need not be in the result.
func (r *resultBuilder) removeBlankDocuments(q nodeVersions, inputs [3]*syntax.Stream) (single bool) {
	var blank [3][]text.Span
	maxDocuments := 0
	for v, docs := range q {
		for i := range docs.Children {
			if docs.Children[i].IsBlank() {
				blank[v] = append(blank[v], inputs[v].Docs[i].Span)
			}
		}
		docs.Children = slices.DeleteFunc(docs.Children, verify.Node.IsBlank)
		maxDocuments = max(maxDocuments, len(docs.Children))
	}
	if len(q[three.Dest].Children) != len(q[three.Updated].Children) {
		for _, v := range three.Sides {
			r.Discarded[v] = append(r.Discarded[v], blank[v]...)
		}
	}
	return maxDocuments < 2
}

// recordRemoved adds the entries of dest and updated in q to r.Discarded, which has the places that are not in the
// result. A side without the node is ignored, and so is the original.
func (r *resultBuilder) recordRemoved(q nodeVersions) {
	for _, v := range three.Sides {
		if n := q[v]; n != nil {
			r.Discarded[v] = append(r.Discarded[v], n.EntrySpan())
		}
	}
}

// mergeResource merges a document, or an item of a kind: List, at path, which q has in each version. inResult is false
// if neither side has it, or if one deleted it, even if the other changed it. If updated always wins, deletions by one
// side do not count. Nodes that are not in the result are added to r.Discarded.
func (r *resultBuilder) mergeResource(path *three.Path, q nodeVersions) (n verify.Node, inResult bool) {
	o, d, u := q[three.Original], q[three.Dest], q[three.Updated]
	if d != nil && u != nil {
		return r.mergeValue(path, q, schema.List{}), true
	}
	isDeleted := o != nil && !r.UpdatedAlwaysWins
	switch {
	case d != nil && !isDeleted:
		return *d, true
	case u != nil && !isDeleted:
		return r.mergeValue(path, nodeVersions{three.Updated: u}, schema.List{}), true
	}
	r.recordRemoved(q)
	return n, false
}

// mergeEntry returns the expected field or item at path, from its versions q. inResult is false if a deletion or a null
// removes the entry, which is then added to r.Discarded. isKey marks an associative key in an item that only one side
// has. Such a key is removed only by a null. parentList is the rule of the list if the entry is an item.
func (r *resultBuilder) mergeEntry(path *three.Path, q nodeVersions, isKey bool, parentList schema.List) (n verify.Node, inResult bool) {
	o, d, u := q[three.Original], q[three.Dest], q[three.Updated]
	isKeptKey := isKey && (d != nil || u != nil) && !r.isDeletedByNull(q)
	if !isKeptKey && !r.isInResult(path, q) {
		r.recordRemoved(q)
		return n, false
	}
	n = r.mergeValue(path, q, parentList)
	destKeyUnchanged := d != nil && o != nil && o.FullKeyHash == d.FullKeyHash
	if d == nil || destKeyUnchanged && u != nil {
		n.FullKeyHash = u.FullKeyHash // the spelling of the key
	} else {
		n.FullKeyHash = d.FullKeyHash
	}
	return n, true
}

// isInResult reports whether the result contains a field or an item at path, which q has in each version. It does not
// if both sides lack it or a null deletes it (see isDeletedByNull). If only one side deleted it, additions of the other
// side keep it; if that was dest, changes of updated do so, too, and if updated always wins, it is kept in any case.
// For deletions by updated, see survivesUpdated.
func (r *resultBuilder) isInResult(path *three.Path, q nodeVersions) bool {
	o, d, u := q[three.Original], q[three.Dest], q[three.Updated]
	switch {
	case d == nil && u == nil, r.isDeletedByNull(q):
		return false
	case o == nil, d != nil && u != nil: // nothing deleted it
		return true
	case u == nil:
		return r.survivesUpdated(path, o, d)
	}
	// dest deleted it; a change of updated is enough
	return r.UpdatedAlwaysWins || r.hasAdditions(path, o, u, true)
}

// survivesUpdated reports whether the result contains an entry at path that the original and dest have, and updated
// deleted: dest added something to it, or it was null in the original. If updated always wins, neither counts, except
// for fields that kubectl sends in any case (schema.IsAlwaysSent): a value that is not a mapping remains, and so does a
// mapping to which dest added something.
func (r *resultBuilder) survivesUpdated(path *three.Path, original, dest *verify.Node) bool {
	if original.IsNull() && !r.UpdatedAlwaysWins { // a null in the original counts as no field
		return true
	}
	isSent := r.Strategic && schema.IsAlwaysSent(path.Place())
	if isSent && dest.Kind != syntax.Mapping {
		return true
	}
	return (isSent || !r.UpdatedAlwaysWins) && r.hasAdditions(path, original, dest, false)
}

// isDeletedByNull reports whether a null deletes field q: a null in updated, or one in dest if r.DestNullDeletes is set.
func (r *resultBuilder) isDeletedByNull(q nodeVersions) bool {
	isNull := func(n *verify.Node) bool { return n != nil && n.Entry.Key != nil && n.IsNull() }
	return isNull(q[three.Updated]) || r.DestNullDeletes && isNull(q[three.Dest])
}

// hasAdditions reports whether n, a node of dest or updated at path, contains something that the original, which may be
// nil, lacks or, if orChanges is true, has with another value. Entries that a null deletes do not count. The answer for
// a node is kept in r.additions, so all calls for one node must have the same orChanges.
func (r *resultBuilder) hasAdditions(path *three.Path, original, n *verify.Node, orChanges bool) bool {
	switch {
	case original == nil, !orChanges && original.IsNull(): // a null has no entries
		return true
	case original.Data == n.Data:
		return false
	case original.Kind != n.Kind:
		return orChanges
	}
	if f, ok := r.additions[n.Node]; ok {
		return f
	}
	q := nodeVersions{three.Original: original}
	q[n.Version] = n
	rows, _, isMerged := r.pairChildren(path, q)
	isAddition := func(m row) bool {
		child := m.q[n.Version]
		return child != nil && !r.isDeletedByNull(m.q) && r.hasAdditions(child.PathUnder(path, r.file), m.q[three.Original], child, orChanges)
	}
	r.additions[n.Node] = !isMerged && orChanges || slices.ContainsFunc(rows, isAddition)
	return r.additions[n.Node]
}

// mergeValue returns the merged value at path, which q has in each version. Mappings, and lists whose items can be
// paired, are merged entry by entry; any other value is one side's. It adds to r.Discarded what the result lacks, and
// to r.rowSets and r.ListKinds the merged collections. parentList is the rule of the list if the value is an item.
func (r *resultBuilder) mergeValue(path *three.Path, q nodeVersions, parentList schema.List) verify.Node {
	d, u := q[three.Dest], q[three.Updated]
	rows, list, isMerged := r.pairChildren(path, q)
	isOneSided := d == nil || u == nil
	if !isMerged {
		want := r.pickAtomic(q)
		if isOneSided && q[three.Original] == nil {
			return *want
		}
		onlyWinner := nodeVersions{}
		onlyWinner[want.Version] = want
		return r.mergeValue(path, onlyWinner, parentList)
	}
	isUnion := r.Strategic && !isOneSided && d.Kind == syntax.Mapping && schema.RetainsKeys(path.Place(), u.Node)
	resources := path.IsItems() && q.hasOnlyResources()
	set := &rowSet{list: list, resources: resources, rows: map[*syntax.Entry]int{}, inResult: []bool{false}}
	for _, side := range [...]*verify.Node{d, u} {
		if side != nil {
			r.rowSets[side.Node] = set
		}
	}
	keyedBy := schema.List{}
	if isOneSided {
		keyedBy = parentList
	}
	children := make([]verify.Node, 0, len(rows))
	for i, m := range rows {
		for _, n := range m.q {
			if n != nil {
				set.rows[n.Entry] = i + 1
			}
		}
		if isUnion && m.q[three.Dest] != nil && m.q[three.Updated] == nil {
			m.q[three.Original] = m.q[three.Dest] // so that it is deleted
		}
		n, inResult := r.mergeChild(path, m.q, set, keyedBy)
		set.inResult = append(set.inResult, inResult)
		if inResult {
			children = append(children, n)
		}
	}
	n := q.propertiesNode().WithChildren(children)
	if n.Kind == syntax.Sequence {
		r.ListKinds[n.Node] = list
	}
	return n
}

// mergeChild returns the expected child q of the collection at path, whose rows are set. inResult is false if the
// result does not have it. keyedBy is the rule of the list if the collection is an item that only one side has: its
// associative keys are removed only by a null.
func (r *resultBuilder) mergeChild(path *three.Path, q nodeVersions, set *rowSet, keyedBy schema.List) (n verify.Node, inResult bool) {
	child := q.anyNode()
	childPath := child.PathUnder(path, r.file)
	if set.resources && (q[three.Dest] == nil || q[three.Updated] == nil) {
		return r.mergeResource(childPath, q)
	}
	isKey := child.Entry.Key != nil && keyedBy.IsKey(child.Entry.Key.Value)
	return r.mergeEntry(childPath, q, isKey, set.list)
}

// pickAtomic returns the node of the result for a value that is merged as a unit, which a side must have. It is dest's
// if only dest has the value, if the sides are equal, or if only dest changed it and updated does not always win.
// Otherwise it is updated's. The span of a side with another value is added to r.Discarded.
func (r *resultBuilder) pickAtomic(q nodeVersions) *verify.Node {
	o, d, u := q[three.Original], q[three.Dest], q[three.Updated]
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

// propertiesNode returns the node with the anchor and tag of the result: updated's if both sides have the node and
// updated changed them, otherwise dest's. If dest lacks the node, it is updated's, or the original's if both sides lack
// it.
func (q nodeVersions) propertiesNode() *verify.Node {
	properties := func(s three.Version) (p [2]string) {
		if n := q[s]; n != nil {
			p = [...]string{n.Anchor, n.TagText}
		}
		return p
	}
	if q[three.Dest] != nil && q[three.Updated] != nil && properties(three.Updated) != properties(three.Original) {
		return q[three.Updated]
	}
	return q.anyNode()
}

// A row is one member of a collection (a field, an item or a document), in all versions.
type row struct {
	q     nodeVersions
	index int // position among the members with the same identity, from 0
}

// pairMembers pairs the children of q (fields, items or documents) for which id returns the same hash in different
// versions. It returns a row for each pair, triple or single child. Children of one version with the same hash are
// paired in their order; those with hash 0 are not paired. The rows have the order of dest, then of updated, then of
// the original.
func pairMembers(q nodeVersions, id func(*verify.Node) uint64) (rows []row) {
	rowsOfID := map[uint64][]int{} // by identity, the indexes of its rows
	for _, v := range [...]three.Version{three.Dest, three.Updated, three.Original} {
		seen := map[uint64]int{}
		for kids := q[v].GetChildren(); len(kids) > 0; kids = kids[1:] {
			n := &kids[0]
			key := id(n)
			i := seen[key]
			seen[key]++
			if key == 0 || i == len(rowsOfID[key]) {
				rowsOfID[key] = append(rowsOfID[key], len(rows))
				rows = append(rows, row{index: i})
				i = len(rowsOfID[key]) - 1
			}
			rows[rowsOfID[key][i]].q[v] = n
		}
	}
	return rows
}

// pairChildren returns the paired children of the node in q, which is at path, and the rule of a list. ok is false if
// the value is merged as a unit. This is a scalar or alias, sides of different kinds, or a list whose items cannot be
// paired or need not be, because both sides have the same set.
func (r *resultBuilder) pairChildren(path *three.Path, q nodeVersions) (rows []row, l schema.List, ok bool) {
	kind, d, u := q.anyNode().Kind, q[three.Dest], q[three.Updated]
	for v, n := range q {
		if n != nil && n.Kind != kind {
			q[v] = nil
		}
	}
	switch {
	case d != nil && u != nil && d.Kind != u.Kind, kind != syntax.Mapping && kind != syntax.Sequence:
		return nil, l, false
	case kind == syntax.Mapping:
		return pairMembers(q, verify.ByKey), l, true
	case path.IsItems() && q.hasOnlyResources():
		return pairMembers(q, r.identityFunc(q)), l, true
	}
	l = r.ListAt(path.Place(), q.syntaxNode(three.Original), q.syntaxNode(three.Dest), q.syntaxNode(three.Updated))
	if l.Kind == schema.Map {
		ids := l.UniqueIDs(q.syntaxNode(three.Updated), q.syntaxNode(three.Original), q.syntaxNode(three.Dest))
		return pairMembers(q, func(n *verify.Node) uint64 { return verify.Hash(ids(n.Node)) }), l, true
	}
	if !r.Strategic || l.Kind != schema.Set {
		return nil, l, false
	}
	rows = pairMembers(q, verify.ByValue)
	if d != nil && u != nil { // of equal items, the result has one
		return slices.DeleteFunc(rows, func(m row) bool { return m.index > 0 }), l, d.Data != u.Data
	}
	return rows, l, true
}

// identityFunc returns a function that returns a hash of the identity of a resource, as NewIdentityFunc defines it. q
// has the collections of resources in all versions. Nodes without an identity, such as documents that are neither
// resources nor have an anchor, all have the same hash, so that pairMembers pairs them in their order.
func (r *resultBuilder) identityFunc(q nodeVersions) func(*verify.Node) uint64 {
	var v [3][]*syntax.Node
	for i, n := range q {
		for kids := n.GetChildren(); len(kids) > 0; kids = kids[1:] {
			v[i] = append(v[i], kids[0].Node)
		}
	}
	id := r.NewIdentityFunc(v)
	return func(n *verify.Node) uint64 { return verify.Hash(id(n.Node)) }
}
