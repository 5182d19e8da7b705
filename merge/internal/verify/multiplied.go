package verify

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// checkMultiplied returns a violation if the result's mapping grants combinations that neither side grants: only ours
// added values to one multiplied field and only theirs to another, and the result has both; or the result lost all
// values of a field without which everything is granted. Otherwise it returns nil.
func (c *checker) checkMultiplied(at *three.Path, q nodeVersions) *Violation {
	o, t, r := q[ours], q[theirs], q[result]
	if o == nil || t == nil || r == nil || !c.demands(ruleMultiplied) {
		return nil
	}
	for _, m := range c.Rules.Multiplied(at.Place()) {
		if field, ok := m.FindEmptied(r.Node, o.Node, t.Node); ok {
			return q.newViolation(ruleMultiplied, "each side removed a part of %s, and without it everything is granted", field)
		}
		if byOurs, byTheirs, ok := m.FindWidenedIn(r.Node, o.Node, t.Node); ok {
			return q.newViolation(ruleMultiplied, "ours widened %s, theirs %s; together they grant what neither side grants", byOurs, byTheirs)
		}
	}
	return nil
}

// maxMixedCompared is the maximum number of items of each side that are compared with an item of the result.
const maxMixedCompared = 64

// checkMixed verifies the multiplied fields of k, a document or an item of the list at p, if a side lacks it. A line
// merge may have combined it from an item of ours and an item of theirs with other names, or without names. It is
// therefore compared with the most similar items that the result lacks. It records violations, and returns the one
// that ends the verification, otherwise nil.
func (c *checker) checkMixed(p *three.Path, k *match, matches []*match) *Violation {
	r := k.nodes[result]
	if r == nil || r.Kind != syntax.Mapping || k.nodes[ours] != nil && k.nodes[theirs] != nil || !c.demands(ruleMultiplied) {
		return nil
	}
	at := r.PathUnder(p, c.File)
	if !c.Rules.HasMultipliedFields(at.Place(), r.Node) {
		return nil
	}
	var missing [result][]*Node
	for _, m := range matches {
		for _, s := range sides {
			if n := m.nodes[s]; n != nil && m.nodes[result] == nil && len(missing[s]) < maxMixedCompared {
				missing[s] = append(missing[s], n)
			}
		}
	}
	q := nodeVersions{ours: k.nodes[ours], theirs: k.nodes[theirs], result: r}
	for _, s := range sides {
		if q[s] == nil {
			q[s] = c.mostSimilar(r, missing[s])
		}
	}
	return c.checkMixedBelow(at, q)
}

// checkMixedBelow verifies the multiplied fields in q, which the result has combined from ours and theirs. It records
// and returns violations like checkMixed.
func (c *checker) checkMixedBelow(at *three.Path, q nodeVersions) *Violation {
	o, t, r := q[ours], q[theirs], q[result]
	if o == nil || t == nil || o.Kind != r.Kind || t.Kind != r.Kind || r.Data == o.Data || r.Data == t.Data {
		return nil
	}
	if r.Kind == syntax.Mapping {
		if x := c.record(c.checkMultiplied(at, q)); x != nil {
			return x
		}
	}
	for i := range r.Children {
		child := &r.Children[i]
		below := nodeVersions{result: child}
		for _, s := range sides {
			candidates := make([]*Node, 0, len(q[s].Children))
			for j := range q[s].Children {
				if kid := &q[s].Children[j]; kid.KeyHash == child.KeyHash && len(candidates) < maxMixedCompared {
					candidates = append(candidates, kid)
				}
			}
			below[s] = c.mostSimilar(child, candidates)
		}
		if len(child.Children) > 0 {
			if x := c.checkMixedBelow(child.PathUnder(at, c.File), below); x != nil {
				return x
			}
		}
	}
	return nil
}

// mostSimilar returns the candidate with the most leaves in common with n, or nil if there are no candidates.
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
