package verify

import (
	"cmp"
	"maps"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// checkAccess returns a violation if the result of mapping q grants access that neither side grants. The rules define
// access fields for at, the path of q: together, they grant every combination of their values. Here, the result grants
// "delete secrets":
//
//	ours                     theirs                       result
//	verbs: [get, delete]     verbs: [get]                 verbs: [get, delete]
//	resources: [pods]        resources: [pods, secrets]   resources: [pods, secrets]
//
// In a template, it is also a violation if one side added a value, and the other side removed a condition around q.
func (c *checker) checkAccess(at *three.Path, q nodeVersions) *Violation {
	if !c.isTemplate() && q.isCopyOfSide() { // in a template, the side may have other conditions
		return nil
	}
	fields := c.Rules.AccessFields(at.Place())
	if len(fields) == 0 {
		return nil
	}
	granted := mapVersions(q, c.expand)
	if granted[result].Kind != syntax.Mapping || granted[ours] == nil && granted[theirs] == nil {
		return nil
	}
	for _, s := range sides { // a side without the mapping grants nothing
		granted[s] = cmp.Or(granted[s], syntax.NewNode(syntax.Mapping, 0))
	}
	for _, group := range fields {
		if byOurs, byTheirs, ok := group.FindWidenedIn(granted[result], granted[ours], granted[theirs]); ok {
			return q.newViolation(RuleAccess, "%s widened by us, %s by them; together they grant access that neither side grants", byOurs, byTheirs)
		}
		for _, s := range sides {
			if field, ok := group.FindAdded(granted[result], granted[s.Other()]); ok && c.lacksConditionOf(q, s) {
				return q.newViolation(RuleAccess, "%s widened by %s, and a condition removed by %s; together they grant access that neither side grants", field, s, s.Other())
			}
		}
	}
	return nil
}

// lacksConditionOf reports whether fewer template blocks are around q in the result than in side s. Only the numbers
// are compared, because another condition can be a stricter one. Blocks around the parent of q do not count. It returns
// false if the result or s lacks q.
func (c *checker) lacksConditionOf(q nodeVersions, s version) bool {
	return q[result] != nil && len(c.guardOf(q[s])) > len(c.guardOf(q[result]))
}

// maxExpanded is the maximum number of nodes that expand visits, because aliases of aliases can grow exponentially.
const maxExpanded = 1 << 12

// expand returns n as a YAML parser would read it: with aliases replaced by their targets, and merge keys (<<) by the
// fields that they add. Aliases without a target remain. n may be nil. The result may be shared and must not be
// changed.
//
//	job: {<<: *x, b: 2}    with the anchor &x {a: 1, b: 1}    job: {b: 2, a: 1}
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

// expand returns n, or its target if n is an alias, with all aliases in it replaced and merge keys (<<) replaced by the
// fields that they add. A field of n precedes an inherited one, and that of the first source the others. It returns n
// itself if nothing changes. Nodes beyond x.budget remain as they are.
func (x *expander) expand(n *syntax.Node) *syntax.Node {
	n = cmp.Or(x.targets[n], n)
	if x.budget--; x.budget < 0 || len(n.Entries) == 0 {
		return n
	}
	var own, inherited []*syntax.Entry
	for _, e := range n.Entries {
		value, isMergeKey := x.expand(e.Value), e.Key != nil && e.IsMergeKey()
		switch {
		case isMergeKey && value.Kind == syntax.Sequence: // <<: [*x, *y]
			for _, source := range value.Entries {
				inherited = append(inherited, source.Value.Entries...)
			}
		case isMergeKey:
			inherited = append(inherited, value.Entries...)
		case value == e.Value:
			own = append(own, e)
		default:
			expanded := *e
			expanded.Value = value
			own = append(own, &expanded)
		}
	}
	if slices.Equal(own, n.Entries) {
		return n // most nodes have no alias
	}
	hasKey := map[string]bool{}
	for _, e := range own {
		hasKey[e.KeyText()] = true
	}
	for _, e := range inherited {
		if key := e.KeyText(); e.Key != nil && !e.IsMergeKey() && !hasKey[key] {
			own, hasKey[key] = append(own, e), true
		}
	}
	return n.WithEntries(own)
}

// checkExpanded returns a violation if an alias or a merge key (<<) gives q a value in the result that no side gave it.
// It compares the versions with aliases and merge keys expanded. It does so only if the result has a new alias there,
// or a version has a merge key, and if both sides and the result have q.
//
//	base           ours            theirs         result
//	web: {a: 1}    web: &x {a: 1}  web: {a: 2}    web: &x {a: 2}
//	job: {a: 1}    job: {<<: *x}   job: {a: 1}    job: {<<: *x}     violation: no side changed job.a
func (c *checker) checkExpanded(q nodeVersions) *Violation {
	if q[ours] == nil || q[theirs] == nil || q[result] == nil || q.isPartial() {
		return nil
	}
	isAlias := func(n *Node) bool { return n != nil && n.Kind == syntax.Alias }
	hasMergeKey := func(n *Node) bool {
		return n.Kind == syntax.Mapping && slices.ContainsFunc(n.Entries, (*syntax.Entry).IsMergeKey)
	}
	isNewAlias := isAlias(q[result]) && !isAlias(q[base])
	if !isNewAlias && !q.hasNode(hasMergeKey) || c.maker == byRules { // the values of an ExpectedResult are not in its syntax nodes
		return nil
	}
	expanded := mapVersions(q, c.expand)
	if expanded[result].Kind == syntax.Alias {
		return nil // without an anchor; see checkAliases
	}
	if slices.ContainsFunc(expanded[:], func(n *syntax.Node) bool { return n != nil && n.Kind != syntax.Mapping }) {
		return q.checkExpandedValue("it", expanded)
	}
	fields := map[string][versions]*syntax.Node{}
	for v, n := range expanded {
		if n == nil {
			continue
		}
		for _, e := range n.Entries {
			values := fields[e.KeyText()]
			values[v] = cmp.Or(values[v], e.Value)
			fields[e.KeyText()] = values
		}
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if x := q.checkExpandedValue(key, fields[key]); x != nil {
			return x
		}
	}
	return nil
}

// checkExpandedValue returns a violation if the expanded value of a field of q, or of q itself, is one that no side
// gave it. name is used in messages. values are nil for versions without the field.
//
//	base   ours   theirs   result
//	1      1      1        none      lost
//	1      1      1        2         changed by no side
//	1      none   1        1         deleted by ours, but inherited in the result
//	1      2      1        3         nil: ours wrote an alias, and theirs edited its anchor
func (q nodeVersions) checkExpandedValue(name string, values [versions]*syntax.Node) *Violation {
	b := values[base]
	expected, ok := three.PickFunc([3]*syntax.Node(values[:result]), syntax.EqualData)
	isUnchanged := syntax.EqualData(b, values[ours]) && syntax.EqualData(b, values[theirs])
	switch {
	case !ok || syntax.EqualData(values[expected], values[result]):
		return nil
	case isUnchanged && values[result] == nil:
		return q.newViolation(RuleMovedLost, "base, ours and theirs have %s; the result neither has nor inherits it", name)
	case isUnchanged:
		return q.newViolation(RuleAlias, "%s gets a value by an alias that no side has there", name)
	case values[expected] == nil:
		return q.newViolation(RuleUndone, "%s is deleted by one side, and inherited in the result", name)
	}
	return nil
}

// checkMixed records a violation if mapping k of the result, which a side lacks, combines fields of both sides that
// must not be combined, such as access fields. For an input that lacks k, it is compared with the most similar entry
// that the result lacks. matches are k and its siblings, and collection is the path of their parent.
//
//	ours                   theirs                 result
//	- verbs: [delete]      - verbs: [get]         - verbs: [delete]
//	  resources: [pods]      resources: [secrets]   resources: [secrets]    violation: deletes of secrets are in no side
func (c *checker) checkMixed(collection *three.Path, k *match, matches []*match) {
	q := k.nodes
	r := q[result]
	isInBoth := q[ours] != nil && q[theirs] != nil // it is verified with both sides
	if isInBoth || r == nil || r.Kind != syntax.Mapping {
		return
	}
	if slices.ContainsFunc(q[:result], func(n *Node) bool { return n != nil && n.Data == r.Data }) {
		return // copied as a whole
	}
	for v := range result {
		if q[v] != nil {
			continue
		}
		var candidates []*Node
		for _, m := range matches {
			if m.nodes[v] != nil && m.nodes[result] == nil {
				candidates = append(candidates, m.nodes[v])
			}
		}
		q[v] = c.mostSimilar(r, candidates)
	}
	c.checkMixedBelow(r.PathUnder(collection, c.File), q)
}

// checkMixedBelow records a violation if q[result], or a node in it, combines fields of ours and theirs that must not
// be combined (checkUnits, checkAccess). A child of q[result] is compared with the most similar child of q in each
// input. at is the path of q. It records nothing if a side lacks q, has it as another kind of node, or has it with the
// same data as the result.
func (c *checker) checkMixedBelow(at *three.Path, q nodeVersions) {
	r := q[result]
	hasOneSource := func(n *Node) bool { return n == nil || n.Kind != r.Kind || n.Data == r.Data }
	if slices.ContainsFunc(q[ours:result], hasOneSource) {
		return
	}
	if r.Kind == syntax.Mapping {
		c.record(c.checkUnits(at, q))
		c.record(c.checkAccess(at, q))
	}
	for i := range r.Children {
		child := &r.Children[i]
		below := nodeVersions{result: child}
		for v, n := range q[:result] {
			below[v] = c.mostSimilarChild(n, child)
		}
		c.checkMixedBelow(child.PathUnder(at, c.File), below)
	}
}

// maxMixedCompared is the maximum number of candidates that mostSimilar compares with a node.
const maxMixedCompared = 64

// mostSimilarChild returns the child of n that is most similar to k, a node of another version: one with the same data,
// otherwise the one with the most leaves in common (see mostSimilar). If k is a field, only the children with its
// mapping key are compared; if k is an item, only items. It returns nil if n is nil or has no such child.
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

// mostSimilar returns the candidate that has the most leaves in common with n: values together with their mapping keys
// (see leafHashes). If several have equally many, or none has any, it returns the first of these. It compares only the
// first maxMixedCompared candidates. It returns nil if there are no candidates.
func (c *checker) mostSimilar(n *Node, candidates []*Node) (best *Node) {
	most := -1
	for _, x := range candidates[:min(len(candidates), maxMixedCompared)] {
		if common, _ := c.countCommonLeaves(x, n); common > most {
			best, most = x, common
		}
	}
	return best
}
