package verify

import (
	"cmp"
	"maps"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// checkAccess returns a violation if the merged mapping q grants something that neither side grants. A mapping grants
// every combination of the values of its access fields, such as the verbs and resources in a Kubernetes Role. It is also
// a violation if one side widens the mapping, and the other side removes a template condition around it. Here, the
// result grants "delete secrets":
//
//	base                ours                     theirs                       result
//	verbs: [get]        verbs: [get, delete]     verbs: [get]                 verbs: [get, delete]
//	resources: [pods]   resources: [pods]        resources: [pods, secrets]   resources: [pods, secrets]
//
// at is the path of q, for which the rules define the access fields.
func (c *checker) checkAccess(at *three.Path, q nodeVersions) *Violation {
	if !c.isTemplate() && q.isCopyOfSide() { // in a template, conditions count, too
		return nil
	}
	fields := c.Rules.AccessFields(at.Place())
	if len(fields) == 0 {
		return nil
	}
	granted := mapVersions(q, c.expand)
	merged := granted[result]
	if merged.Kind != syntax.Mapping || granted[ours] == nil && granted[theirs] == nil {
		return nil
	}
	for _, s := range sides { // a side without the mapping grants nothing
		granted[s] = cmp.Or(granted[s], syntax.NewNode(syntax.Mapping, 0))
	}
	for _, m := range fields {
		if byOurs, byTheirs, ok := m.FindWidenedIn(merged, granted[ours], granted[theirs]); ok {
			return q.newViolation(RuleAccess, "%s widened by us, %s by them; together they grant access that neither side grants", byOurs, byTheirs)
		}
		// one side added a value or the mapping, and the other side removed a condition around it
		for _, s := range sides {
			if field, ok := m.FindAdded(merged, granted[s.Other()]); ok && c.lacksConditionOf(q, s) {
				return q.newViolation(RuleAccess, "%s widened by %s, and a condition removed by %s; together they grant access that neither side grants", field, s, s.Other())
			}
		}
	}
	return nil
}

// lacksConditionOf reports whether fewer template blocks are around q in the result than in side s. A block with another
// condition counts like that of s, as it may be narrower. Blocks around the parent of q do not count. It returns false
// if one of the two lacks q.
func (c *checker) lacksConditionOf(q nodeVersions, s version) bool {
	return q[result] != nil && len(c.guardOf(q[s])) > len(c.guardOf(q[result]))
}

// maxExpanded is the maximum number of nodes that expand visits, because aliases of aliases can grow exponentially.
const maxExpanded = 1 << 12

// expand returns the syntax node of n with each alias replaced by the value of its anchor in the same file. Its
// mappings have the fields that a merge key (<<) adds. The result must not be changed: without an alias, it is n's own.
// Aliases after maxExpanded nodes, and those without an anchor, remain. It returns nil if n is nil.
func (c *checker) expand(n *Node) *syntax.Node {
	switch {
	case n == nil:
		return nil
	case !n.HasAlias:
		return n.Node
	}
	if c.targets == nil {
		c.targets = map[*syntax.Node]*syntax.Node{}
		for v := range versions {
			for _, x := range c.aliasUses(v) {
				if x.target != nil {
					c.targets[x.alias.Node] = x.target.Node
				}
			}
		}
	}
	x := expander{c.targets, maxExpanded}
	return x.expand(n.Node)
}

// An expander replaces aliases by the values of their anchors. See checker.expand.
type expander struct {
	targets map[*syntax.Node]*syntax.Node // the anchored node of each alias
	budget  int                           // the number of nodes that it may still visit
}

// expand returns n, or the node that n is an alias of, with expanded values and the fields that a merge key (<<) adds.
func (x *expander) expand(n *syntax.Node) *syntax.Node {
	n = cmp.Or(x.targets[n], n)
	if x.budget--; x.budget < 0 || len(n.Entries) == 0 {
		return n
	}
	var own, merged []*syntax.Entry
	isCopy := false
	for i, e := range n.Entries {
		entry, isMergeKey := *e, e.Key != nil && e.IsMergeKey()
		entry.Value = x.expand(e.Value)
		if !isCopy && entry.Value == e.Value && !isMergeKey {
			continue
		}
		if !isCopy {
			own, isCopy = slices.Clone(n.Entries[:i]), true
		}
		switch {
		case !isMergeKey:
			own = append(own, &entry)
		case entry.Value.Kind == syntax.Sequence:
			for _, source := range entry.Value.Entries {
				merged = append(merged, source.Value.Entries...)
			}
		default:
			merged = append(merged, entry.Value.Entries...)
		}
	}
	if !isCopy {
		return n // most nodes have no alias
	}
	for _, e := range merged {
		if e.Key != nil && n.Field(e.KeyText()) == nil {
			own = append(own, e)
		}
	}
	return n.WithEntries(own)
}

// checkInheritedFields returns a violation if mapping q has a field in the result that one side deleted, or lacks one
// that no side deleted, because a version inherits fields by a merge key (<<).
//
//	base           ours            theirs         result
//	web: {a: 1}    web: &x {a: 1}  web: {a: 1}    web: &x {a: 1}
//	job: {a: 1}    job: {<<: *x}   job: {}        job: {<<: *x}     violation: theirs deleted job.a
func (c *checker) checkInheritedFields(q nodeVersions) *Violation {
	hasMergeKey := func(n *Node) bool {
		return n.HasAlias && slices.ContainsFunc(n.Entries, (*syntax.Entry).IsMergeKey)
	}
	if q.isPartial() || !q.hasNode(hasMergeKey) {
		return nil
	}
	counts := occurrenceCounts[string]{}
	for v, n := range q {
		if n == nil {
			continue
		}
		for _, e := range c.expand(n).Entries {
			if key := e.KeyText(); counts[key][v] == 0 {
				counts.add(version(v), key)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		switch n := counts[key]; {
		case n.isRestored():
			return q.newViolation(RuleUndone, "%s is deleted by one side, and inherited in the result", key)
		case n.isLostEverywhere():
			return q.newViolation(RuleMovedLost, "base, ours and theirs have %s; the result neither has nor inherits it", key)
		}
	}
	return nil
}

// checkMixed checks a mapping k of the result that can have fields of two entries, one of ours and one of theirs. It
// records a violation (see record) if these must not be combined (checkUnits, checkAccess):
//
//	ours                   theirs                 result
//	- verbs: [delete]      - verbs: [get]         - verbs: [delete]
//	  resources: [pods]      resources: [secrets]   resources: [secrets]
//
// A mapping that both sides have or that is equal in an input is not checked. p is the path of the collection, and
// matches are all its children.
func (c *checker) checkMixed(p *three.Path, k *match, matches []*match) *Violation {
	r := k.nodes[result]
	isInBoth := k.nodes[ours] != nil && k.nodes[theirs] != nil // it is verified with both sides
	if isInBoth || r == nil || r.Kind != syntax.Mapping {
		return nil
	}
	if slices.ContainsFunc(k.nodes[:result], func(n *Node) bool { return n != nil && n.Data == r.Data }) {
		return nil // copied as a whole
	}
	var missing [result][]*Node
	for _, m := range matches {
		for v, n := range m.nodes[:result] {
			if n != nil && m.nodes[result] == nil {
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

// checkMixedBelow verifies q, a node of the result with fields from a node of ours and a node of theirs. It is a
// violation if these must not be combined (checkUnits, checkAccess). It does nothing if the result is equal to a side.
// Otherwise, it also verifies all mappings in q: each child is compared with the most similar child of each input that
// has the same mapping key or is an item, too. at is the path of q. It records violations (see record).
func (c *checker) checkMixedBelow(at *three.Path, q nodeVersions) *Violation {
	r := q[result]
	hasOneSource := func(n *Node) bool { return n == nil || n.Kind != r.Kind || n.Data == r.Data }
	if slices.ContainsFunc(q[ours:result], hasOneSource) {
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
			below[v] = c.mostSimilarChild(n, child)
		}
		if x := c.checkMixedBelow(child.PathUnder(at, c.File), below); x != nil {
			return x
		}
	}
	return nil
}

// maxMixedCompared is the maximum number of candidates that mostSimilar compares with a node.
const maxMixedCompared = 64

// mostSimilarChild returns the child of n that is equal to k, or else the most similar one (see mostSimilar). If k is
// an item, only items are compared; otherwise only fields with the mapping key of k. It returns nil if there is none,
// or if n is nil.
func (c *checker) mostSimilarChild(n, k *Node) *Node {
	var candidates []*Node
	for i := range n.GetChildren() {
		switch x := &n.Children[i]; {
		case x.KeyHash != k.KeyHash:
		case x.Data == k.Data:
			return x
		default:
			candidates = append(candidates, x)
		}
	}
	return c.mostSimilar(k, candidates)
}

// mostSimilar returns the candidate that has the most leaves (see leafHashes) in common with n, or the first of several
// such candidates, even if they have none in common. It compares the first maxMixedCompared candidates. It returns nil
// if there are none.
func (c *checker) mostSimilar(n *Node, candidates []*Node) (best *Node) {
	most := -1
	for _, x := range candidates[:min(len(candidates), maxMixedCompared)] {
		if common, _ := c.countCommonLeaves(x, n); common > most {
			best, most = x, common
		}
	}
	return best
}
