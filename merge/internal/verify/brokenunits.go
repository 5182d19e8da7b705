package verify

import (
	"regexp"
	"slices"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// checkUnits returns a violation if the result of mapping q combines fields of both sides that must not be combined.
// The rules define them for at, the path of q. It returns nil if a person resolved a conflict in q.
//
//	kind and name of a reference      must be those of one side
//	emptyDir and hostPath             must not both be present, unless an input has both
//	minReplicas and maxReplicas       must be in ascending order, unless those of an input are not
func (c *checker) checkUnits(at *three.Path, q nodeVersions) *Violation {
	r := q[result]
	if len(r.Entries) < 2 || c.hasResolvedConflict(q) || q.isCopyOfSide() {
		return nil
	}
	var expanded [versions]*syntax.Node // the versions of q; computed for the first unit
	for u := range c.Rules.Units(at.Place()) {
		if expanded[result] == nil {
			expanded = mapVersions(q, c.expand)
		}
		rule := RuleUnit
		if u.IsExclusive() {
			rule = RuleOneOf
		}
		if problem := u.Problem(expanded[base], expanded[ours], expanded[theirs], expanded[result].Entries); problem != "" {
			return q.newViolation(rule, "%s", problem)
		}
	}
	return nil
}

// isCopyOfSide reports whether the result of q has the data of one side and no alias, so that it combines nothing from
// two sides. The result must not be nil.
func (q nodeVersions) isCopyOfSide() bool {
	hashes := q.dataHashes()
	return !q[result].HasAlias && slices.Contains(hashes[ours:result], hashes[result])
}

// reference matches a reference such as $(HOST), and the escaped text $$(HOST), of which it has no name.
var reference = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$(?:\$|\(([^()]+)\))`) })

// checkReferences returns a violation if an item in the result of list q refers to a name that no item above it has,
// and neither side has this problem. The rules define the fields with references for at, the path of q; without such
// fields, it returns nil. Here, Kubernetes leaves $(HOST):
//
//	ours                       theirs                        result
//	- {name: DSN, value: db}   - {name: HOST, value: db}     - {name: DSN, value: $(HOST)}
//	- {name: HOST, value: db}  - {name: DSN, value: $(HOST)} - {name: HOST, value: db}
func (c *checker) checkReferences(at *three.Path, q nodeVersions) *Violation {
	for _, field := range c.Rules.ReferenceFields(at.Place()) {
		inSides := append(deadReferences(q[ours], field), deadReferences(q[theirs], field)...)
		for _, x := range deadReferences(q[result], field) {
			if !slices.Contains(inSides, x) {
				item := mapVersions(q, func(n *Node) *Node { return n.findItem("name", x.item) })
				return nodeVersions(item).newViolation(RuleReference, "$(%s) refers to no item before it", x.name)
			}
		}
	}
	return nil
}

// A deadReference is a reference to an item that is not above the item with the reference. item and name are their
// names.
type deadReference struct{ item, name string }

// deadReferences returns the references, such as $(HOST), in the given field of the items of list, to names that no
// item above has. They are in the order of the file. The escaped $$(HOST) is not a reference. list may be nil.
func deadReferences(list *Node, field string) (all []deadReference) {
	defined := map[string]bool{}
	children := list.GetChildren()
	for i := range children {
		item := children[i].ScalarAt("name")
		for _, m := range reference().FindAllStringSubmatch(children[i].ScalarAt(field), -1) {
			if m[1] != "" && !defined[m[1]] {
				all = append(all, deadReference{item, m[1]})
			}
		}
		defined[item] = true
	}
	return all
}
