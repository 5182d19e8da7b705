package verify

import (
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// checkAccess returns a violation if the merged mapping q grants more than both sides intended, and otherwise nil. A
// mapping grants every combination of the values of its access fields. The verbs and resources of a rule in a
// Kubernetes Role are an example. If ours added a value to one field and theirs to another, the merged mapping grants
// combinations that neither side grants:
//
//	base                ours                     theirs                       result
//	verbs: [get]        verbs: [get, delete]     verbs: [get]                 verbs: [get, delete]
//	resources: [pods]   resources: [pods]        resources: [pods, secrets]   resources: [pods, secrets]    delete secrets
//
// It is also a violation if the result lost all values of a field without which everything is granted: ours deleted a
// and theirs b from resourceNames: [a, b]. at is the path of q; the schema defines the access fields for each path.
// An alias has the values of its anchor. checkAccess returns nil if there are no access fields at this path, or if the
// result or, unless it has an alias, a side lacks the mapping.
func (c *checker) checkAccess(at *three.Path, q nodeVersions) *Violation {
	o, t, r := c.expand(q[ours]), c.expand(q[theirs]), c.expand(q[result])
	if r == nil || r.Kind != syntax.Mapping || (o == nil || t == nil) && (o == t || !q[result].HasAlias) || !c.demands(ruleAccess) {
		return nil
	}
	lacking := syntax.NewNode(syntax.Mapping, 0)
	o, t = cmp.Or(o, lacking), cmp.Or(t, lacking)
	for _, m := range c.Rules.AccessFields(at.Place()) {
		if field, ok := m.FindEmptied(r, o, t); ok {
			return q.newViolation(ruleAccess, "both sides removed values of %s; if none is left, every value is granted", field)
		}
		if byOurs, byTheirs, ok := m.FindWidenedIn(r, o, t); ok {
			return q.newViolation(ruleAccess, "%s widened by us, %s by them; together they grant access that neither side grants", byOurs, byTheirs)
		}
	}
	return nil
}

// maxExpanded is the maximum number of nodes that expand visits, because aliases of aliases can grow exponentially.
const maxExpanded = 1 << 12

// expand returns n with the value of its anchor for each alias in it, and with the fields that a merge key (<<) adds to a
// mapping. It returns the node itself if it has no aliases, and nil if n is nil. Aliases after maxExpanded nodes, and
// those without an anchor, remain.
func (c *checker) expand(n *Node) *syntax.Node {
	if n == nil {
		return nil
	}
	if n.HasAlias && c.targets == nil {
		c.targets = map[*syntax.Node]*syntax.Node{}
		for v := range versions {
			for _, x := range c.aliasUses(v) {
				if x.target != nil {
					c.targets[x.alias.Node] = x.target.Node
				}
			}
		}
	}
	budget := maxExpanded
	var expand func(n *syntax.Node) *syntax.Node
	expand = func(n *syntax.Node) *syntax.Node {
		n = cmp.Or(c.targets[n], n)
		if budget--; budget < 0 || len(n.Entries) == 0 {
			return n
		}
		var own, merged []*syntax.Entry
		for _, e := range n.Entries {
			entry := *e
			entry.Value = expand(e.Value)
			switch {
			case e.Key == nil || !e.IsMergeKey():
				own = append(own, &entry)
			case entry.Value.Kind == syntax.Sequence:
				for _, source := range entry.Value.Entries {
					merged = append(merged, source.Value.Entries...)
				}
			default:
				merged = append(merged, entry.Value.Entries...)
			}
		}
		for _, e := range merged {
			if e.Key != nil && n.Field(e.KeyText()) == nil {
				own = append(own, e)
			}
		}
		return n.WithEntries(own)
	}
	if !n.HasAlias {
		return n.Node
	}
	return expand(n.Node)
}

// maxMixedCompared is the maximum number of items of each side that are compared with an item of the result.
const maxMixedCompared = 64

// checkMixed verifies k, a document or an item that not both sides contain. Git's line-by-line merge may have combined k
// from an item of ours and an item of theirs with other names or values. It is a violation if k combines fields that
// must not be combined from two sides (checkUnits), or grants a combination that neither of these items grants:
//
//	ours                   theirs                 result
//	- verbs: [delete]      - verbs: [get]         - verbs: [delete]
//	  resources: [pods]      resources: [secrets]   resources: [secrets]
//
// p is the path of the list with k, and matches are all its items. For an input that lacks k, the item is the one most
// similar to k among matches that the result lacks; only the first maxMixedCompared of them are compared. If there is
// none in a side, or if the result has no mapping there, there is no violation. Violations are recorded in c.found; checkMixed
// returns the one that ends the verification, otherwise nil.
func (c *checker) checkMixed(p *three.Path, k *match, matches []*match) *Violation {
	r := k.nodes[result]
	if r == nil || r.Kind != syntax.Mapping || k.nodes[ours] != nil && k.nodes[theirs] != nil || !c.demands(ruleAccess) {
		return nil
	}
	if slices.ContainsFunc(k.nodes[:result], func(n *Node) bool { return n != nil && n.Data == r.Data }) {
		return nil // copied as a whole
	}
	var missing [result][]*Node
	for _, m := range matches {
		for v, n := range m.nodes[:result] {
			if n != nil && m.nodes[result] == nil && len(missing[v]) < maxMixedCompared {
				missing[v] = append(missing[v], n)
			}
		}
	}
	q := k.nodes
	for v := range missing {
		if q[v] == nil {
			q[v] = c.mostSimilar(r, missing[v])
		}
	}
	return c.checkMixedBelow(r.PathUnder(p, c.File), q)
}

// checkMixedBelow verifies q, a node of the result that was combined from a node of ours and a node of theirs, and all
// mappings in it. A mapping is a violation if it combines fields that must not be combined (checkUnits), or grants a
// combination of values that neither side grants, as with the verbs [delete] of ours and the resources [secrets] of
// theirs in a Kubernetes Role. at is the path of q. Each child is compared with the most similar child of each input
// that has the same mapping key; the base may lack it. Nodes are accepted if a side lacks
// them, has another kind there, or has equal data. Violations are recorded in c.found; checkMixedBelow returns the one
// that ends the verification, otherwise nil.
func (c *checker) checkMixedBelow(at *three.Path, q nodeVersions) *Violation {
	o, t, r := q[ours], q[theirs], q[result]
	if o == nil || t == nil || o.Kind != r.Kind || t.Kind != r.Kind || r.Data == o.Data || r.Data == t.Data {
		return nil
	}
	if r.Kind == syntax.Mapping {
		for _, x := range []*Violation{c.checkUnits(at, q), c.checkAccess(at, q)} {
			if x := c.record(x); x != nil {
				return x
			}
		}
	}
	for i := range r.Children {
		child := &r.Children[i]
		below := nodeVersions{result: child}
		for v, n := range q[:result] {
			if n == nil {
				continue
			}
			var candidates []*Node
			for j := range n.Children {
				if kid := &n.Children[j]; kid.KeyHash == child.KeyHash && len(candidates) < maxMixedCompared {
					candidates = append(candidates, kid)
				}
			}
			below[v] = c.mostSimilar(child, candidates)
		}
		if len(child.Children) > 0 {
			if x := c.checkMixedBelow(child.PathUnder(at, c.File), below); x != nil {
				return x
			}
		}
	}
	return nil
}

// mostSimilar returns the candidate that has the most leaves in common with n, the first one if several have the same
// number. It returns nil if there are no candidates. If there is only one, it is the result, even if it has no leaf in
// common with n. A leaf is a scalar, an alias or an empty collection, with the mapping keys on the way to it.
func (c *checker) mostSimilar(n *Node, candidates []*Node) (best *Node) {
	if len(candidates) == 1 {
		return candidates[0]
	}
	most := -1
	for _, x := range candidates {
		if common, _ := c.countCommonLeaves(x, n); common > most {
			best, most = x, common
		}
	}
	return best
}
