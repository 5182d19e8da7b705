package verify

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// nodesOf returns all nodes of v, each at its index. Elements without a node, such as those of a removed document, are
// nil. The result must not be changed.
func (c *checker) nodesOf(v version) []*Node {
	if c.nodes[v] == nil {
		c.indexNodes(c.docs[v], nil)
	}
	return c.nodes[v]
}

// parentOf returns the parent of n: a mapping or list; for the root of a document, the list of documents; for that
// list, nil.
func (c *checker) parentOf(n *Node) *Node {
	c.nodesOf(n.Version)
	return c.parents[n.Version][n.index]
}

// indexNodes adds n and its descendants to c.nodes, the nodes of each version by their index, and the parent of each to
// c.parents, by the same index. The indexes of nodes in removed documents get nil. parent is that of n; it is nil if n
// is the list of documents.
func (c *checker) indexNodes(n, parent *Node) {
	nodes, parents := &c.nodes[n.Version], &c.parents[n.Version]
	missing := int(n.index) - len(*nodes) // the nodes of removed documents
	*nodes = append(append(*nodes, make([]*Node, missing)...), n)
	*parents = append(append(*parents, make([]*Node, missing)...), parent)
	for i := range n.Children {
		c.indexNodes(&n.Children[i], n)
	}
}

// hasSingleDocuments reports whether no input has more than one document.
func (c *checker) hasSingleDocuments() bool {
	return !slices.ContainsFunc(c.docs[:result], func(n *Node) bool { return len(n.Children) > 1 })
}

// differOnlyInNames reports whether q, a node that both sides added, can be merged by field, because the sides differ
// only in collections whose mapping keys are names, such as labels. Anchors and tags of mappings are not compared. at
// is the path of q.
//
//	ours                       theirs
//	labels: {a: 1}             labels: {b: 1}             true: the keys of labels are names
//	spec: {replicas: 1}        spec: {paused: true}       false
func (c *checker) differOnlyInNames(at *three.Path, q nodeVersions) bool {
	o, t := q[ours], q[theirs]
	switch {
	case o.Data == t.Data:
		return true
	case t.Kind == o.Kind && c.Rules.HasNamesAsKeys(at.Place(), o.Node, t.Node):
		return true
	case o.Kind != syntax.Mapping || t.Kind != o.Kind || len(o.Entries) != len(t.Entries):
		return false
	}
	inTheirs := t.childrenBy(ByKey)
	for i := range o.Children {
		k := &o.Children[i]
		sameKey := inTheirs[k.KeyHash]
		if len(sameKey) == 0 || !c.differOnlyInNames(k.PathUnder(at, c.File), nodeVersions{ours: k, theirs: sameKey[0]}) {
			return false
		}
	}
	return true
}

// resourceIdentity returns a function for the hash by which resources, the children of q, match in different versions.
// A result by the rules of kustomize or kubectl has its own (expectedIdentity). For other results, it is the hash of:
//
//	with a kind and name                               these
//	  repeated in an input, or added by the
//	  sides in different namespaces                    also the namespace
//	  repeated in an input with the namespace          also the API group, if there is one
//	without a name                                     a constant, so that all match
//	  several in a version                             the value
func (c *checker) resourceIdentity(q nodeVersions) func(*Node) uint64 {
	if c.expected != nil {
		return c.expectedIdentity(q)
	}
	name := func(n *Node) uint64 { return hashIfSet(schema.KindAndName(n.Node)) } // 0 without a name
	fullName := func(n *Node) uint64 { return Hash(schema.Identity(n.Node)) }     // with the namespace
	inputs := nodeVersions{q[base], q[ours], q[theirs]}
	repeatedNames, repeatedFullNames := inputs.repeatedIDs(name), inputs.repeatedIDs(fullName)
	maps.Copy(repeatedNames, q.idsAddedInTwoNamespaces(name))
	hasSeveralUnnamed := q.repeatedIDs(name)[0] // in the result, too
	return func(n *Node) uint64 {
		id := name(n)
		switch {
		case id == 0 && hasSeveralUnnamed:
			return ByValue(n)
		case id == 0:
			return nameless
		case repeatedNames[id]:
			id = fullName(n)
		}
		if group, _, ok := strings.Cut(n.ScalarAt("apiVersion"), "/"); ok && repeatedFullNames[id] {
			return syntax.CombineHashes(id, Hash(group))
		}
		return id
	}
}

// expectedIdentity returns a function for the identity of resources, the children of q, by which the result is compared
// with that of kustomize or kubectl (c.expected). With c.expected.ByPosition, it is the position in the file.
// Otherwise, it is the kind and name and, if a version repeats these, also the data.
func (c *checker) expectedIdentity(q nodeVersions) func(*Node) uint64 {
	if !c.expected.ByPosition {
		return q.disambiguate(func(n *Node) uint64 { return Hash(schema.KindAndName(n.Node)) }, dataOf)
	}
	position := map[*syntax.Node]uint64{}
	for _, v := range [...]version{ours, result} { // the inputs are all the same, the expected result
		for i, n := range q.members(v) {
			position[n.Node] = uint64(i) + 1
		}
	}
	return func(n *Node) uint64 { return position[n.Node] }
}

// idsAddedInTwoNamespaces returns the set of ids that ours and theirs added in different namespaces, so that they are
// two resources although kind and name are equal. name returns the id of a child of q. An id that the base has is not
// in the set, nor one that a side has without a namespace.
//
//	ours                                  theirs
//	metadata: {name: a, namespace: x}     metadata: {name: a, namespace: y}     the id of a is returned
func (q nodeVersions) idsAddedInTwoNamespaces(name func(*Node) uint64) map[uint64]bool {
	var namespaces [result]map[uint64]string // of the resources of each version
	for v := range namespaces {
		namespaces[v] = map[uint64]string{}
		for _, n := range q.members(version(v)) {
			namespaces[v][name(n)] = schema.Namespace(n.Node)
		}
	}
	added := map[uint64]bool{}
	for id, namespace := range namespaces[ours] {
		_, isInBase := namespaces[base][id]
		other := namespaces[theirs][id]
		haveNamespaces := namespace != "" && other != ""
		if !isInBase && haveNamespaces && namespace != other {
			added[id] = true
		}
	}
	return added
}

// dataOf returns the data hash of n: of its values, tags and anchors, independent of the order of fields, comments and
// format.
func dataOf(n *Node) uint64 { return n.Data }

// disambiguate returns a function that identifies the children of q by id. Children whose id occurs several times in a
// version are also identified by detail, in all versions. The id 0, which matches nothing, remains 0.
func (q nodeVersions) disambiguate(id, detail func(*Node) uint64) func(*Node) uint64 {
	repeated := q.repeatedIDs(id)
	return func(n *Node) uint64 {
		x := id(n)
		if x != 0 && repeated[x] {
			return syntax.CombineHashes(x, detail(n))
		}
		return x
	}
}

// repeatedIDs returns the set of ids that two or more children of q have in the same version. It can contain the id 0
// of children that match nothing. Children in a conflict (masked) are not counted.
func (q nodeVersions) repeatedIDs(id func(*Node) uint64) map[uint64]bool {
	repeated := map[uint64]bool{}
	for v := range versions {
		seen := map[uint64]bool{}
		for _, n := range q.members(v) {
			x := id(n)
			if seen[x] {
				repeated[x] = true
			}
			seen[x] = true
		}
	}
	return repeated
}

// recordRenamed gives the nodes of k one address in all versions if a side renamed or moved k: that of the base or, if
// the base lacks k, that of another version. Comments and aliases at k, and at the nodes below it, can then be compared
// by their addresses (see addressOf). It does nothing if all versions have k under one name and at one place.
func (c *checker) recordRenamed(k *match) {
	first := cmp.Or(k.nodes[base], k.nodes.anyNode())
	isRenamed := k.nodes.hasNode(func(n *Node) bool { return n.NameHash() != first.NameHash() })
	if !isRenamed && !c.isMoved(k) {
		return
	}
	addr := c.addressOf(first)
	for _, n := range k.nodes {
		if n != nil {
			c.setAddress(n, addr)
		}
	}
	c.byAddr = nodeGroups{} // nodesWithAddress groups the nodes again
}

// setAddress records in c.baseAddr that n has the address addr, and that the nodes below n have the addresses that
// follow from it by their names. A node below n that a side moved there from another mapping is left out: it has the
// address of its old place.
func (c *checker) setAddress(n *Node, addr uint64) {
	c.baseAddr[n.Node] = addr
	for i := range n.Children {
		if child := &n.Children[i]; !c.moves.removed[child.Node] {
			c.setAddress(child, syntax.CombineHashes(addr, child.NameHash()))
		}
	}
}

// addressOf returns the address of n, by which comments and aliases at nodes are compared between versions. If a
// version renamed n or a node around it, it has the base's address. The list of documents has 0.
func (c *checker) addressOf(n *Node) uint64 { return cmp.Or(c.baseAddr[n.Node], n.Addr) }

// nodesWithAddress returns the nodes of v with the address addr (see addressOf), in the order of the file. Nodes in
// conflicts are included, the list of documents is not.
func (c *checker) nodesWithAddress(v version, addr uint64) []*Node {
	if c.byAddr[v] == nil {
		c.byAddr[v] = c.docs[v].groupNodes(c.addressOf)
	}
	return c.byAddr[v][addr]
}

// atPathOf returns the first node of v with the same path as n, a node of any version, or nil if there is none. A node
// that a side renamed has the base's path.
func (c *checker) atPathOf(v version, n *Node) *Node {
	if found := c.nodesWithAddress(v, c.addressOf(n)); len(found) > 0 {
		return found[0]
	}
	return nil
}

// smallestAt returns the smallest entry of v that contains the offset at. If no entry contains it, it returns the
// document or, outside of all documents, the list of documents.
func (c *checker) smallestAt(v version, at int) (smallest *Node) {
	for n := range c.docs[v].NodesAt(at) {
		smallest = n
	}
	return smallest
}

// collectionAddressesAt returns the addresses of the collections that a comment may belong to, so that equal comments
// can be counted in each: those to which a side may add an entry beside the comment. offset is that of the comment in
// v. The first is the smallest collection around it; the list of documents has the address 0.
//
//	a:
//	- x
//	# - y     the root, and the list in a
func (c *checker) collectionAddressesAt(v version, offset int) (addresses []uint64) {
	nodes := []*Node{c.docs[v]}
	for n := range c.docs[v].NodesAt(offset) {
		isDocument := n.Entry == nil && n != c.docs[v]
		switch {
		case isDocument && len(n.Entries) > 0 && offset < n.Entries[0].Start: // above the first entry of the document
			return []uint64{0}
		case len(n.Children) > 0 && n.Span.Contains(text.Span{Start: offset, End: offset + 1}): // a smaller collection
			nodes = []*Node{n}
		case n.Entry != nil && n.Entry.Start < offset: // the comment is below its value
			nodes = append(nodes, n)
		}
	}
	column := offset - c.files[v].LineStart(offset)
	// the last entry above the comment, the last entry in it, and so on
	for n := nodes[0].lastChildAbove(offset); n != nil && n.Style == syntax.Block && n.Indent <= column; n = n.lastChildAbove(offset) {
		nodes = append(nodes, n)
	}
	for _, n := range nodes {
		if addr := c.addressOf(n); !slices.Contains(addresses, addr) {
			addresses = append(addresses, addr)
		}
	}
	return addresses
}

// lastChildAbove returns the last child of n whose entry starts before the byte at this offset, or nil.
func (n *Node) lastChildAbove(offset int) *Node {
	i := sort.Search(len(n.Children), func(i int) bool { return n.Children[i].EntrySpan().Start >= offset })
	if i == 0 {
		return nil
	}
	return &n.Children[i-1]
}

// nodesAt returns the nodes at which a violation about a byte of v is reported: in each version, the first node with
// the path of the smallest entry of v that contains the byte at this offset. If no entry contains it, it is the
// document, and outside of all documents, all nodes are nil.
func (c *checker) nodesAt(v version, offset int) (q nodeVersions) {
	n := c.smallestAt(v, offset)
	for v := range versions {
		q[v] = c.atPathOf(v, n)
	}
	return q
}

// An aliasUse is an alias and its target: the last node before it in the document that has the anchor, or nil.
type aliasUse struct{ alias, target *Node }

// checkAliases returns a violation if an alias of the result, such as *x, refers to another node than in the sides. It
// is compared with each *x that a side has at this address or, if there is none, with each *x in the sides. It must
// refer to the same node as one of these. An alias that no side has is accepted.
func (c *checker) checkAliases() *Violation {
	byName, byPlace := map[string][]aliasUse{}, map[occurrence][]aliasUse{} // those of the sides
	for _, s := range sides {
		for _, x := range c.aliasUses(s) {
			name, place := x.alias.Value, occurrence{c.addressOf(x.alias), Hash(x.alias.Value)}
			byName[name], byPlace[place] = append(byName[name], x), append(byPlace[place], x)
		}
	}
	for _, x := range c.aliasUses(result) {
		name := x.alias.Value
		inSides := byPlace[occurrence{c.addressOf(x.alias), Hash(name)}]
		if len(inSides) == 0 {
			inSides = byName[name]
		}
		hasTargetOfX := func(y aliasUse) bool { return c.isSameTarget(x.target, y.target) }
		if len(inSides) > 0 && !slices.ContainsFunc(inSides, hasTargetOfX) {
			other := inSides[0].alias
			q := nodeVersions{result: x.alias}
			q[other.Version] = other
			bad := q.newViolation(RuleAlias, "*%s refers to a different value than in %s", name, other.Version)
			bad.Subject = "*" + name
			return bad
		}
	}
	return nil
}

// isSameTarget reports whether a and b, the targets of aliases in two versions, have the same address or equal data. A
// missing target (nil) is only the same as another missing one.
func (c *checker) isSameTarget(a, b *Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Data == b.Data || c.addressOf(a) == c.addressOf(b)
}

// aliasUses returns the aliases of v with their targets, in the order of the file.
func (c *checker) aliasUses(v version) (uses []aliasUse) {
	if bytes.IndexByte(c.files[v].Bytes(), '*') < 0 && c.streams[v].Masked == nil {
		return nil
	}
	var anchors map[string]*Node // the last node with each anchor so far in the document
	c.docs[v].Walk(func(n *Node) {
		switch {
		case n.Entry == nil:
			anchors = map[string]*Node{}
		case n.Kind == syntax.Alias:
			uses = append(uses, aliasUse{n, anchors[n.Value]})
		}
		if n.Anchor != "" {
			anchors[n.Anchor] = n
		}
	})
	return uses
}
