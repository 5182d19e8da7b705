package verify

import (
	"cmp"
	"maps"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// checkAccess returns a violation if the result of mapping q grants access that neither side grants. Access fields,
// which the rules define for at, the path of q, grant every combination of their values. Here, the result grants
// "delete secrets":
//
//	ours                     theirs                       result
//	verbs: [get, delete]     verbs: [get]                 verbs: [get, delete]
//	resources: [pods]        resources: [pods, secrets]   resources: [pods, secrets]
func (c *checker) checkAccess(at *three.Path, q nodeVersions) *Violation {
	if !c.isTemplate() && q.isCopyOfSide() { // in a template, the side may have other conditions
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
	for _, group := range fields {
		if byOurs, byTheirs, ok := group.FindWidenedIn(merged, granted[ours], granted[theirs]); ok {
			return q.newViolation(RuleAccess, "%s widened by us, %s by them; together they grant access that neither side grants", byOurs, byTheirs)
		}
		// one side added a value or the mapping, and the other side removed a condition around it
		for _, s := range sides {
			if field, ok := group.FindAdded(merged, granted[s.Other()]); ok && c.lacksConditionOf(q, s) {
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

// expand returns n, or its target if n is an alias, with aliases in it replaced by their targets, and merge keys (<<)
// by the fields that they add. It returns n itself if nothing changes. Nodes beyond x.budget remain as they are.
func (x *expander) expand(n *syntax.Node) *syntax.Node {
	n = cmp.Or(x.targets[n], n)
	if x.budget--; x.budget < 0 || len(n.Entries) == 0 {
		return n
	}
	var own, merged []*syntax.Entry
	for _, e := range n.Entries {
		value := x.expand(e.Value)
		switch {
		case e.Key == nil || !e.IsMergeKey():
			if value != e.Value {
				expanded := *e
				expanded.Value = value
				e = &expanded
			}
			own = append(own, e)
		case value.Kind == syntax.Sequence: // <<: [*x, *y]
			for _, source := range value.Entries {
				merged = append(merged, source.Value.Entries...)
			}
		default:
			merged = append(merged, value.Entries...)
		}
	}
	if slices.Equal(own, n.Entries) {
		return n // most nodes have no alias
	}
	for _, e := range merged {
		if e.Key != nil && n.Field(e.KeyText()) == nil {
			own = append(own, e)
		}
	}
	return n.WithEntries(own)
}

// checkExpanded returns a violation if the result of q is a new alias, or a version of q has a merge key (<<), and the
// expanded value of the result has a change of no side, or a field that a side deleted. It returns nil if the versions
// cannot be compared.
//
//	base           ours            theirs         result
//	web: {a: 1}    web: &x {a: 1}  web: {a: 2}    web: &x {a: 2}
//	job: {a: 1}    job: {<<: *x}   job: {a: 1}    job: {<<: *x}     violation: no side changed job.a
func (c *checker) checkExpanded(q nodeVersions) *Violation {
	hasMergeKey := func(n *Node) bool {
		return n.Kind == syntax.Mapping && slices.ContainsFunc(n.Entries, (*syntax.Entry).IsMergeKey)
	}
	r, b := q[result], q[base]
	isNewAlias := r != nil && r.Kind == syntax.Alias && (b == nil || b.Kind != syntax.Alias)
	switch {
	case r == nil || q[ours] == nil || q[theirs] == nil, q.isPartial(), !isNewAlias && !q.hasNode(hasMergeKey):
		return nil
	case c.maker == byRules:
		return nil // the values of an ExpectedResult are not in its syntax nodes
	}
	expanded := mapVersions(q, c.expand)
	if expanded[result].Kind == syntax.Alias {
		return nil // without an anchor; see checkAliases
	}
	if slices.ContainsFunc(expanded[:], func(n *syntax.Node) bool { return n != nil && n.Kind != syntax.Mapping }) {
		return q.checkExpandedValue("it", expanded)
	}
	fields := map[string]*[versions]*syntax.Node{}
	for v, n := range expanded {
		if n == nil {
			continue
		}
		for _, e := range n.Entries {
			key := e.KeyText()
			if fields[key] == nil {
				fields[key] = &[versions]*syntax.Node{}
			}
			fields[key][v] = cmp.Or(fields[key][v], e.Value)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		if x := q.checkExpandedValue(key, *fields[key]); x != nil {
			return x
		}
	}
	return nil
}

// checkExpandedValue checks the values of a field of q, or of q itself, for checkExpanded. name is used in messages. A
// version without the field has the value nil.
func (q nodeVersions) checkExpandedValue(name string, values [versions]*syntax.Node) *Violation {
	var firstEqual [versions]int
	for v, n := range values {
		firstEqual[v] = slices.IndexFunc(values[:], func(x *syntax.Node) bool { return syntax.EqualData(x, n) })
	}
	isSame := firstEqual[base] == firstEqual[ours] && firstEqual[base] == firstEqual[theirs]
	switch want, ok := choose(firstEqual); {
	case !ok || want == firstEqual[result]:
		return nil
	case isSame && values[result] == nil:
		return q.newViolation(RuleMovedLost, "base, ours and theirs have %s; the result neither has nor inherits it", name)
	case isSame:
		return q.newViolation(RuleAlias, "%s gets a value by an alias that no side has there", name)
	case values[want] == nil:
		return q.newViolation(RuleUndone, "%s is deleted by one side, and inherited in the result", name)
	}
	return nil // a side replaced it by what the other side made of the anchor
}

// checkMixed records a violation if mapping k of the result, which a side lacks, mixes entries whose fields must not
// be combined. matches are k and its siblings, and collection is the path of their parent.
//
//	ours                   theirs                 result
//	- verbs: [delete]      - verbs: [get]         - verbs: [delete]
//	  resources: [pods]      resources: [secrets]   resources: [secrets]
func (c *checker) checkMixed(collection *three.Path, k *match, matches []*match) {
	r := k.nodes[result]
	isInBoth := k.nodes[ours] != nil && k.nodes[theirs] != nil // it is verified with both sides
	if isInBoth || r == nil || r.Kind != syntax.Mapping {
		return
	}
	if slices.ContainsFunc(k.nodes[:result], func(n *Node) bool { return n != nil && n.Data == r.Data }) {
		return // copied as a whole
	}
	var missing [result][]*Node // entries of each input that the result lacks
	for _, m := range matches {
		for v, n := range m.nodes[:result] {
			if n != nil && m.nodes[result] == nil {
				missing[v] = append(missing[v], n)
			}
		}
	}
	q := k.nodes // with a similar entry where an input lacks k
	for v := range missing {
		if q[v] == nil {
			q[v] = c.mostSimilar(r, missing[v])
		}
	}
	c.checkMixedBelow(r.PathUnder(collection, c.File), q)
}

// checkMixedBelow records a violation if q[result], or a node in it, combines fields of ours and theirs that must not
// be combined. Children are compared with the most similar ones. at is the path of q.
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

// mostSimilarChild returns the child of n that is equal to k, otherwise the child that is most similar (see
// mostSimilar). If k is a field, only children with its mapping key are compared; if k is an item, only items. It
// returns nil if n is nil or has no such child.
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
