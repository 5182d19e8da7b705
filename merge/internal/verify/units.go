package verify

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// checkUnits returns a violation if the result of q, a mapping, combines fields that must not be combined from two
// sides. These exclude each other, as emptyDir and hostPath of a volume, or are one value, as kind and name of a
// reference. Otherwise it returns nil, also if the result lacks q. at is the path of q; the schema of Kubernetes,
// presets and the team's rules define the fields. Fields in a conflict that a person resolved may be combined.
func (c *checker) checkUnits(at *three.Path, q nodeVersions) *Violation {
	r := q[result]
	if r == nil || len(r.Entries) < 2 || !c.demands(ruleUnit) {
		return nil
	}
	for _, u := range c.Rules.Units(at.Place()) {
		rule := ruleUnit
		if u.IsExclusive() {
			rule = ruleOneOf
		}
		isResolved := func(k Node) bool { return k.Masked || k.CountsFor != base }
		if c.maker == byPerson && q.hasNode(func(n *Node) bool {
			return isResolved(*n) || slices.ContainsFunc(n.Children, func(k Node) bool { return u.HasField(k.Entry) && (k.Partial || isResolved(k)) })
		}) {
			continue
		}
		if problem := u.Problem(c.expand(q[base]), c.expand(q[ours]), c.expand(q[theirs]), c.expand(r).Entries); problem != "" {
			return q.newViolation(rule, "%s", problem)
		}
	}
	return nil
}
