package verify

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestEachPresence verifies a rule of a role in each set of versions that may have it, with values of each kind and with
// and without a conflict in it: no check needs a node that a version lacks.
func TestEachPresence(t *testing.T) {
	const values = "r:\n- x\n- verbs: [get]\n  resources: [pods]\n- [a, b]\n"
	at := &three.Path{Field: "*", Up: &three.Path{Field: "rules", Up: &three.Path{Root: &schema.Place{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "Role"}}}}
	for _, by := range [...]maker{byFields, byLines, byPerson} {
		c := newChecker(Merge{Base: parse(t, values), Ours: parse(t, values), Theirs: parse(t, values), Result: parse(t, values)}, by)
		c.limit, c.seen = 1<<20, map[Violation]bool{}
		var nodes [versions][]*Node // nil, and each value with and without a conflict
		for v := range versions {
			nodes[v] = append(nodes[v], nil)
			list := &c.docs[v].Children[0].Children[0]
			for i := range list.Children {
				partial := list.Children[i]
				partial.conflict = partly
				nodes[v] = append(nodes[v], &list.Children[i], &partial)
			}
		}
		for _, b := range nodes[base] {
			for _, o := range nodes[ours] {
				for _, u := range nodes[theirs] {
					for _, r := range nodes[result] {
						q := nodeVersions{b, o, u, r}
						c.record(c.verifyNode(at, q))
						if b == nil && (o == nil) != (u == nil) && r == nil && c.verifyOneSided(at, q) == nil && by != byLines {
							t.Errorf("%v: lost, but no violation", q)
						}
					}
				}
			}
		}
		if len(c.found) == 0 {
			t.Error("no violation")
		}
	}
}
