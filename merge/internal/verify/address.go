package verify

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// hasSingleDocuments reports whether no input has more than one document.
func (c *checker) hasSingleDocuments() bool {
	return !slices.ContainsFunc(c.docs[:result], func(n *Node) bool { return len(n.Children) > 1 })
}

// differOnlyInNames reports whether the nodes that both sides added differ only within mappings that have names as
// keys, such as maps of strings.
func (c *checker) differOnlyInNames(at *three.Path, q nodeVersions) bool {
	o, t := q[ours], q[theirs]
	switch {
	case o.Data == t.Data:
		return true
	case o.Kind != syntax.Mapping || t.Kind != o.Kind:
		return false
	case c.Rules.HasNamesAsKeys(at.Place(), o.Node, t.Node):
		return true
	case len(o.Entries) != len(t.Entries):
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

// resourceIdentity returns the function that identifies the documents or resources in q. Resources are identified by
// kind and name. If an input has two with the same kind and name, they are also distinguished by namespace, API group
// and, in a template, guards. A document that is not a resource is identified by its value, or matches all others if
// each version has only one. If an expected result is given, the function identifies resources by position, or by
// kind and name and then by value.
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

// dataOf returns the data hash of n.
func dataOf(n *Node) uint64 { return n.Data }

// disambiguate returns a function that identifies the members of q by id, and additionally by detail if a version has
// several members with the same id. Masked members are counted if includeMasked is true.
func (q nodeVersions) disambiguate(includeMasked bool, id, detail func(*Node) uint64) func(*Node) uint64 {
	repeated := map[uint64]bool{}
	for v := range versions {
		seen := map[uint64]bool{}
		for _, n := range q.members(v, includeMasked) {
			x := id(n)
			repeated[x] = repeated[x] || seen[x]
			seen[x] = true
		}
	}
	return func(n *Node) uint64 {
		x := id(n)
		if x != 0 && repeated[x] {
			return syntax.CombineHashes(x, detail(n))
		}
		return x
	}
}

// recordRenamed records the base's address for all nodes of k in c.baseAddr, if they have different names or places. If the
// base lacks the node, it records the address of the first version.
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

// addressBelow returns the address of n, a child of the node at parentAddr. Nodes with a record in c.baseAddr have
// that address.
func (c *checker) addressBelow(n *Node, parentAddr uint64) uint64 {
	if at, ok := c.baseAddr[n.Node]; ok {
		return at
	}
	if n.Entry == nil {
		return n.Addr
	}
	return syntax.CombineHashes(parentAddr, n.NameHash())
}

// addressAt returns the addresses of the smallest entry of v that contains the offset at, and of its parent. The
// address of the file is 0.
func (c *checker) addressAt(v version, at int) (addr, parentAddr uint64) {
	for n := range c.docs[v].NodesAt(at) {
		if n != c.docs[v] {
			addr, parentAddr = c.addressBelow(n, addr), addr
		}
	}
	return addr, parentAddr
}

// walkAddresses calls f for each node of v except the root, with the hash of the path to the node.
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

// nodesAt returns, for each version, the first node with the address of the smallest entry of v that contains the
// offset at.
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
	addr, targetAddr uint64 // their addresses
}

// checkAliases returns a violation if an alias of the result has another target than in the sides: than the alias at
// the same address, or if there is none, than all aliases of the same name. Targets are the same if they have equal
// data or the same address.
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
			r := differing.newViolation(ruleAlias, "*%s does not mean what it means in %s", x.alias.Value, candidates[0].alias.Version)
			r.Subject = "*" + x.alias.Value
			return r
		}
	}
	return nil
}

// aliasUses returns the aliases of v with their targets.
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
