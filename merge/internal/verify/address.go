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

// indexNodes adds n, whose parent may be nil, and its descendants to c.nodes and c.parents.
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

// differOnlyInNames reports whether q[ours] and q[theirs], a node that both sides added, can be merged by field: they
// differ, anchors and tags aside, only in collections whose mapping keys are names, such as labels. at is the path of
// q.
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
	byName := t.childrenBy((*Node).NameHash)
	for i := range o.Children {
		k := &o.Children[i]
		if n := byName[k.KeyHash]; len(n) == 0 || !c.differOnlyInNames(k.PathUnder(at, c.File), nodeVersions{ours: k, theirs: n[0]}) {
			return false
		}
	}
	return true
}

// resourceIdentity returns a function for the identity by which resources, the children of q, match in different
// versions:
//
//	with a kind and name             these, if no input repeats them
//	  repeated                       also the namespace
//	  repeated with the namespace    also the API group
//	without a name                   the value, if a version has several; otherwise all match
func (c *checker) resourceIdentity(q nodeVersions) func(*Node) uint64 {
	if c.expected != nil {
		return c.expectedIdentity(q)
	}
	name := func(n *Node) uint64 { return hashIfSet(schema.KindAndName(n.Node)) }
	fullName := func(n *Node) uint64 { return Hash(schema.Identity(n.Node)) } // with the namespace
	inputs := nodeVersions{q[base], q[ours], q[theirs]}
	hasSeveralUnnamed := q.repeatedIDs(name)[0] // in the result, too
	repeated, repeatedFull := inputs.repeatedIDs(name), inputs.repeatedIDs(fullName)
	maps.Copy(repeated, q.idsAddedInTwoNamespaces(name))
	return func(n *Node) uint64 {
		id := name(n)
		switch {
		case id == 0 && hasSeveralUnnamed:
			return ByValue(n)
		case id == 0:
			return nameless
		case repeated[id]:
			id = fullName(n)
		}
		if group, _, ok := strings.Cut(n.ScalarAt("apiVersion"), "/"); ok && repeatedFull[id] {
			id = syntax.CombineHashes(id, Hash(group))
		}
		return id
	}
}

// expectedIdentity returns a function for the identity by which resources, the children of q, match when the result is
// compared with that of kustomize or kubectl (c.expected): their position or, without ByPosition, their kind and name
// and, if repeated, the data.
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
// two resources although kind and name are equal. name returns the id of a child of q. Resources without a namespace
// do not count.
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

// recordRenamed gives the nodes of k, if a side renamed or moved k, one address in all versions, so that comments and
// aliases at them can be compared. Nodes below k get addresses under it by their names.
func (c *checker) recordRenamed(k *match) {
	first := cmp.Or(k.nodes[base], k.nodes.anyNode())
	if !c.isMoved(k) && !k.nodes.hasNode(func(n *Node) bool { return n.NameHash() != first.NameHash() }) {
		return
	}
	var record func(n *Node, addr uint64)
	record = func(n *Node, addr uint64) {
		c.baseAddr[n.Node] = addr
		for i := range n.Children {
			if child := &n.Children[i]; !c.moves.removed[child.Node] { // a moved one has the address of its old place
				record(child, syntax.CombineHashes(addr, child.NameHash()))
			}
		}
	}
	addr := c.addressOf(first)
	for _, n := range k.nodes {
		if n != nil {
			record(n, addr)
		}
	}
	c.byAddr = [versions]map[uint64][]*Node{}
}

// addressOf returns the address of n, by which comments and aliases at nodes are compared between versions. If a
// version renamed n or a node around it, it has the base's address. The list of documents has 0.
func (c *checker) addressOf(n *Node) uint64 { return cmp.Or(c.baseAddr[n.Node], n.Addr) }

// nodesWithAddress returns the nodes of v with the address (see addressOf), in the order of the file. Nodes in
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

// collectionAddressesAt returns the addresses of the nodes to which entries beside the comment at this offset may
// belong, so that equal comments can be counted in each. The first is that of the smallest collection around the
// comment, or 0 for the documents.
//
//	a:
//	- x
//	# - y     the addresses of the root and of the list in a
func (c *checker) collectionAddressesAt(v version, offset int) []uint64 {
	around, addresses := c.docs[v], []uint64{0}
	for n := range c.docs[v].NodesAt(offset) {
		switch {
		case n == c.docs[v]:
		case n.Entry == nil && len(n.Entries) > 0 && offset < n.Entries[0].Start: // above the first entry of the document
			return []uint64{0}
		case len(n.Children) > 0 && n.Span.Contains(text.Span{Start: offset, End: offset + 1}):
			around, addresses = n, []uint64{c.addressOf(n)}
		case n.Entry != nil && n.Entry.Start < offset: // a side may add entries to its value
			addresses = append(addresses, c.addressOf(n))
		}
	}
	column := offset - c.files[v].LineStart(offset)
	// the last entry above the comment, the last entry in it, and so on
	for n := around.lastChildAbove(offset); n != nil && n.Style == syntax.Block && n.Indent <= column; n = n.lastChildAbove(offset) {
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

// nodesAt finds the smallest entry of v that contains the byte at this offset, and returns the first node of each
// version with the path of the entry, or nil. If no entry contains the byte, it is the path of the document; outside of
// all documents, all nodes are nil.
func (c *checker) nodesAt(v version, offset int) (q nodeVersions) {
	n := c.smallestAt(v, offset)
	for v := range versions {
		q[v] = c.atPathOf(v, n)
	}
	return q
}

// An aliasUse is an alias and its target: the last node with that anchor before it.
type aliasUse struct {
	alias, target    *Node
	addr, targetAddr uint64 // their addresses: hashes of the mapping keys and item names on the way to them
}

// checkAliases returns a violation if an alias of the result, such as *x, refers to another node than in the sides:
// its target has neither the data nor the path of a target that aliases of this name have in a side.
func (c *checker) checkAliases() *Violation {
	sideUses := map[[2]uint64][]aliasUse{} // by name and address; address 0 has all of a name
	for _, s := range sides {
		for _, x := range c.aliasUses(s) {
			for _, addr := range [...]uint64{0, x.addr} {
				k := [...]uint64{Hash(x.alias.Value), addr}
				sideUses[k] = append(sideUses[k], x)
			}
		}
	}
	for _, x := range c.aliasUses(result) {
		candidates := sideUses[[...]uint64{Hash(x.alias.Value), x.addr}]
		if len(candidates) == 0 {
			candidates = sideUses[[...]uint64{Hash(x.alias.Value), 0}]
		}
		isSameTarget := func(other aliasUse) bool {
			haveTargets := x.target != nil && other.target != nil
			return x.targetAddr == other.targetAddr || haveTargets && x.target.Data == other.target.Data
		}
		if len(candidates) > 0 && !slices.ContainsFunc(candidates, isSameTarget) {
			differing := nodeVersions{result: x.alias}
			differing[candidates[0].alias.Version] = candidates[0].alias
			r := differing.newViolation(RuleAlias, "*%s refers to a different value than in %s", x.alias.Value, candidates[0].alias.Version)
			r.Subject = "*" + x.alias.Value
			return r
		}
	}
	return nil
}

// aliasUses returns the aliases of v with their targets and addresses, in the order of the file. The target is the last
// node before the alias in its document that has the anchor, or nil if there is none.
func (c *checker) aliasUses(v version) (uses []aliasUse) {
	if bytes.IndexByte(c.files[v].Bytes(), '*') < 0 && c.streams[v].Masked == nil {
		return nil
	}
	var anchors map[string]aliasUse
	c.docs[v].Walk(func(n *Node) {
		switch {
		case n.Entry == nil:
			anchors = map[string]aliasUse{}
		case n.Kind == syntax.Alias:
			anchor := anchors[n.Value]
			uses = append(uses, aliasUse{n, anchor.target, c.addressOf(n), anchor.targetAddr})
		}
		if n.Anchor != "" {
			anchors[n.Anchor] = aliasUse{target: n, targetAddr: c.addressOf(n)}
		}
	})
	return uses
}
