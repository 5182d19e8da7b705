package verify

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// hasSingleDocuments reports whether no input has more than one document.
func (c *checker) hasSingleDocuments() bool {
	return !slices.ContainsFunc(c.docs[:result], func(n *Node) bool { return len(n.Children) > 1 })
}

// differOnlyInNames reports whether the nodes of ours and theirs in q are equal or differ only inside mappings
// and lists with names as keys, such as labels and env. Both sides added q at path at, so that neither node is nil. Two
// different keys always mean two different things there, so that they can be merged by field. The schema defines them.
// It returns false if a field outside of them is only in one side, or if q is another list or scalar with different
// values.
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
	byName := t.ChildrenByName()
	for i := range o.Children {
		k := &o.Children[i]
		if n := byName[k.KeyHash]; len(n) == 0 || !c.differOnlyInNames(k.PathUnder(at, c.File), nodeVersions{ours: k, theirs: n[0]}) {
			return false
		}
	}
	return true
}

// resourceIdentity returns a function that identifies the documents in q, or the items of a kind: List, so that they
// can be matched in all versions. The function returns a hash; 0 matches nothing. The first matching case applies:
//
//	resource; an input has several with its kind, name and namespace    these three and the API group
//	resource; an input has several with its kind and name               kind, name and namespace
//	other resource                                                      kind and name
//	other document, at most one in each version                         (all match)
//	other document                                                      value; 0 if partly in a conflict
//
// In a template, the template blocks around the first field are added in the first two cases.
//
// If c.expected is set, the result is compared with that of a merge with the rules of kustomize or kubectl. If
// c.expected.ByPosition is true, resources are then identified by their position in the file. Otherwise they are
// identified by kind and name, and if a version has several with the same, also by value.
func (c *checker) resourceIdentity(q nodeVersions) func(*Node) uint64 {
	switch {
	case c.expected != nil && c.expected.ByPosition:
		position := map[*syntax.Node]uint64{}
		for _, v := range [...]version{ours, result} {
			for i, n := range q.members(v, true) {
				position[n.Node] = uint64(i) + 1
			}
		}
		return func(n *Node) uint64 { return position[n.Node] }
	case c.expected != nil:
		return q.disambiguate(true, func(n *Node) uint64 { return Hash(schema.KindAndName(n.Node)) }, dataOf)
	}
	repeated, isOnlyUnnamed := map[string]bool{}, true
	for v := range versions {
		seen := map[string]bool{}
		for _, n := range q.members(v, false) {
			name, id := schema.KindAndName(n.Node), schema.Identity(n.Node)
			repeated[name] = repeated[name] || seen[name] && v != result
			repeated[id] = repeated[id] || seen[id] && v != result
			isOnlyUnnamed = isOnlyUnnamed && (name != "" || !seen[""])
			seen[name], seen[id] = true, true
		}
	}
	return func(n *Node) uint64 {
		id := schema.KindAndName(n.Node)
		switch {
		case id == "" && isOnlyUnnamed:
			return nameless
		case id == "":
			return ByValue(n)
		case repeated[id]:
			id = schema.Identity(n.Node)
		}
		if group, _, ok := strings.Cut(n.ScalarAt("apiVersion"), "/"); ok && repeated[id] {
			id += "\x00" + group
		}
		if c.isTemplate() && repeated[schema.KindAndName(n.Node)] && len(n.Entries) > 0 {
			id += "\x00" + guardText(n.Entries[0].OwnLevels())
		}
		return Hash(id)
	}
}

// dataOf returns the data hash of n: of its values, tags and anchors, independent of the order of fields, comments and
// format.
func dataOf(n *Node) uint64 { return n.Data }

// disambiguate returns a function that identifies the children of q, so that they can be matched in all versions. For a
// child n, the function returns:
//
//	id(n) is 0, which matches nothing           0
//	no version has several children with id(n)  id(n)
//	a version has several                       a combination of id(n) and detail(n), in all versions and also for the
//	                                              first child with the id
//
// Children that are ignored because they are in a conflict (masked) are only counted if includeMasked is true.
func (q nodeVersions) disambiguate(includeMasked bool, id, detail func(*Node) uint64) func(*Node) uint64 {
	repeated := q.repeatedIDs(includeMasked, id)
	return func(n *Node) uint64 {
		x := id(n)
		if x != 0 && repeated[x] {
			return syntax.CombineHashes(x, detail(n))
		}
		return x
	}
}

// repeatedIDs returns the values of id that two or more children of q have in the same version, each with the value
// true. The map is empty if there are none. Children that are ignored because they are in a conflict (masked) are only
// counted if includeMasked is true. The id 0, which matches nothing, is counted like the others.
func (q nodeVersions) repeatedIDs(includeMasked bool, id func(*Node) uint64) map[uint64]bool {
	repeated := map[uint64]bool{}
	for v := range versions {
		seen := map[uint64]bool{}
		for _, n := range q.members(v, includeMasked) {
			x := id(n)
			if seen[x] {
				repeated[x] = true
			}
			seen[x] = true
		}
	}
	return repeated
}

// recordRenamed records in c.baseAddr that all nodes of k have the address of one of them. The address of a node is the
// hash of the mapping keys and item names on the way to it. It records nothing unless a version calls the node
// differently (by another mapping key or item name) or has it in another mapping. The recorded address is that of the
// node of the base or, if the base lacks it, of the first of ours, theirs and the result that has it.
func (c *checker) recordRenamed(k *match) {
	first := cmp.Or(k.nodes[base], k.nodes.anyNode())
	if !c.isMoved(k) && !k.nodes.hasNode(func(n *Node) bool { return n.NameHash() != first.NameHash() }) {
		return
	}
	for _, n := range k.nodes {
		if n != nil {
			c.baseAddr[n.Node] = first.Addr
		}
	}
}

// addressBelow returns the address of n: the hash of the mapping keys and item names on the way to it from the root of
// its document. Comments and aliases at nodes with equal addresses are compared. parentAddr is the address of its
// parent. The first matching case applies:
//
//	n was recorded in c.baseAddr, as a version renamed it    the recorded address: that of the base's node
//	n is a document                                          hash of its kind, namespace and name
//	otherwise                                                hash of parentAddr and the name of n
func (c *checker) addressBelow(n *Node, parentAddr uint64) uint64 {
	if at, ok := c.baseAddr[n.Node]; ok {
		return at
	}
	if n.Entry == nil {
		return n.Addr
	}
	return syntax.CombineHashes(parentAddr, n.NameHash())
}

// addressAt returns the addresses of the smallest entry of v that contains the offset at, and of its parent. An address
// is the hash of the mapping keys and item names on the way to a node, in the base if a side renamed it. The parent of
// a top-level field is the document. In a document, but in no entry of it, addr is that of the document and parentAddr
// is 0. Outside of all documents, both are 0.
func (c *checker) addressAt(v version, at int) (addr, parentAddr uint64) {
	for n := range c.docs[v].NodesAt(at) {
		if n != c.docs[v] {
			addr, parentAddr = c.addressBelow(n, addr), addr
		}
	}
	return addr, parentAddr
}

// collectionAddressesAt returns the addresses of the mappings and lists of v in which the comment at the offset at may
// be. An address is the hash of the mapping keys and item names on the way to a node, 0 for the list of documents. It
// remains the same if a side adds or deletes entries next to the comment. The addresses are those of
//
//   - the smallest mapping or list around the comment; the list of documents, if the comment is above the first entry
//     of its document or outside of all documents
//   - the smallest entry around the comment, if its value is not: a side may add entries to the value
//   - each block mapping or list that ends above the comment and is not indented more than it
//
// For "# - y" below the lines "a:" and "- x", they are those of the root and of the list in a.
func (c *checker) collectionAddressesAt(v version, at int) []uint64 {
	addr, around, aroundAddr := uint64(0), c.docs[v], uint64(0)
	addresses := []uint64{0}
	for n := range c.docs[v].NodesAt(at) {
		switch {
		case n == c.docs[v]:
			continue
		case n.Entry == nil && len(n.Entries) > 0 && at < n.Entries[0].Start:
			return []uint64{0}
		}
		addr = c.addressBelow(n, addr)
		if len(n.Children) > 0 && n.Span.Contains(text.Span{Start: at, End: at + 1}) {
			around, aroundAddr, addresses = n, addr, []uint64{addr}
		} else if n.Entry != nil && n.Entry.Start < at {
			addresses = append(addresses, addr)
		}
	}
	column := at - c.files[v].LineStart(at)
	for n, addr := around, aroundAddr; ; {
		i := sort.Search(len(n.Children), func(i int) bool { return n.Children[i].EntrySpan().Start >= at })
		if i == 0 {
			return addresses
		}
		n = &n.Children[i-1]
		if n.Style != syntax.Block || n.Indent > column {
			return addresses
		}
		if addr = c.addressBelow(n, addr); !slices.Contains(addresses, addr) {
			addresses = append(addresses, addr)
		}
	}
}

// walkAddresses calls f for each node of v except the list of documents, in the order of the file, parents before their
// children. addr is the address of the node: the hash of the mapping keys and item names on the way to it, in the base
// if a side renamed a node. Nodes in conflicts are included.
func (c *checker) walkAddresses(v version, f func(n *Node, addr uint64)) {
	var visit func(n *Node, addr uint64)
	visit = func(n *Node, addr uint64) {
		for i := range n.Children {
			at := c.addressBelow(&n.Children[i], addr)
			f(&n.Children[i], at)
			visit(&n.Children[i], at)
		}
	}
	visit(c.docs[v], 0)
}

// nodesAt returns the node of each version with the same path as the smallest entry of v that contains the offset at,
// or nil if the version has none. Outside of all documents, it returns nil for all versions. Paths are compared by
// mapping keys and item names; a node that a side renamed has the path that it has in the base. If a version has
// several nodes with the path, nodesAt returns the first one.
func (c *checker) nodesAt(v version, at int) (q nodeVersions) {
	wanted, _ := c.addressAt(v, at)
	for v := range versions {
		c.walkAddresses(v, func(n *Node, at uint64) {
			if q[v] == nil && at == wanted {
				q[v] = n
			}
		})
	}
	return q
}

// An aliasUse is an alias and its target: the last node with that anchor before it.
type aliasUse struct {
	alias, target    *Node
	addr, targetAddr uint64 // their addresses: hashes of the mapping keys and item names on the way to them
}

// checkAliases returns a violation if an alias of the result, such as *x, has another target than in the sides, and
// otherwise nil. The target is the last node before it in its document with that anchor, or nil if there is none. It
// must be the target of one of these aliases:
//
//	a side has aliases of that name at the same path      these
//	the sides have aliases of that name only elsewhere    all of these
//	no side has aliases of that name                      (the alias is not compared)
//
// Two targets are the same if they have equal data or the same path. The violation has the alias as its Subject, as in
// "*x".
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
		isSameTarget := func(w aliasUse) bool { // equal data, or the same address
			a, b := x.target, w.target
			return a == b || a != nil && b != nil && (a.Data == b.Data || x.targetAddr == w.targetAddr)
		}
		if len(candidates) > 0 && !slices.ContainsFunc(candidates, isSameTarget) {
			differing := nodeVersions{result: x.alias}
			differing[candidates[0].alias.Version] = candidates[0].alias
			r := differing.newViolation(ruleAlias, "*%s refers to a different value than in %s", x.alias.Value, candidates[0].alias.Version)
			r.Subject = "*" + x.alias.Value
			return r
		}
	}
	return nil
}

// aliasUses returns the aliases of v with their targets and addresses, in the order of the file. The target is the last
// node before the alias in its document that has the anchor, or nil if there is none. It returns nil if v has no
// aliases.
func (c *checker) aliasUses(v version) (uses []aliasUse) {
	if bytes.IndexByte(c.files[v].Bytes(), '*') < 0 && c.streams[v].Masked == nil {
		return nil
	}
	var anchors map[string]aliasUse
	c.walkAddresses(v, func(n *Node, at uint64) {
		switch {
		case n.Entry == nil:
			anchors = map[string]aliasUse{}
		case n.Kind == syntax.Alias:
			anchor := anchors[n.Value]
			uses = append(uses, aliasUse{n, anchor.target, at, anchor.targetAddr})
		}
		if n.Anchor != "" {
			anchors[n.Anchor] = aliasUse{target: n, targetAddr: at}
		}
	})
	return uses
}
