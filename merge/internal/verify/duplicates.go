package verify

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// Whoever made a result, and however its parts came together: no mapping has a key twice,
// no list an item, and no file a resource, unless a version has it twice there. This
// knows of no claims; a thing is at its address.

// checkDuplicates looks for what stands twice.
func (c *checker) checkDuplicates() *Violation {
	if c.isTemplate() { // of which blocks choose documents
		if r := c.checkPrints(); r != nil {
			return r
		}
	} else {
		if r := c.checkDuplicatesBy(c.docs, resourceHash); r != nil {
			return r
		}
		if r := c.checkRepeatedItems(schema.List{}, c.docs, c.docs[:result]); r != nil {
			return r
		}
	}
	return c.checkDuplicatesBelow(nil, c.docs)
}

// checkDuplicatesBelow looks at what is in q[result], beside what the versions have there.
func (c *checker) checkDuplicatesBelow(at *three.Path, q nodeVersions) *Violation {
	inInputs := map[uint64]bool{} // what a version has there, it may have
	for _, n := range q[:result] {
		for _, k := range n.GetChildren() {
			inInputs[syntax.CombineHashes(k.KeyHash, k.Data)] = true
		}
	}
	var byName [result]map[uint64][]*Node // once it is asked for
	nth := map[uint64]int{}
	for i := range q[result].Children {
		k := &q[result].Children[i]
		name := k.NameHash()
		nth[name]++
		if len(k.Children) == 0 || inInputs[syntax.CombineHashes(k.KeyHash, k.Data)] {
			continue
		}
		aligned := nodeVersions{result: k}
		var candidates []*Node // what the versions have of that name
		for v := range byName {
			if byName[v] == nil {
				byName[v] = q[v].ChildrenByName()
			}
			if same := byName[v][name]; len(same) > 0 {
				aligned[v] = same[min(nth[name], len(same))-1]
				candidates = append(candidates, same...)
			}
		}
		below := k.PathUnder(at, c.File)
		r := c.checkDuplicatesBy(aligned, c.duplicateID(below, aligned))
		if r == nil && k.Kind == syntax.Sequence && !below.IsItems() {
			l, _ := c.Rules.DeclaredList(below.Place())
			r = c.checkRepeatedItems(l, aligned, candidates)
		}
		if r == nil && slices.ContainsFunc(k.Entries, func(e *syntax.Entry) bool { return len(e.Value.Entries) > 0 }) {
			r = c.checkDuplicatesBelow(below, aligned)
		}
		if r != nil {
			return r
		}
	}
	return nil
}

// duplicateID is what no two entries of q may have in common, nor two runs of items without a name in a row; nil for nothing.
func (c *checker) duplicateID(at *three.Path, q nodeVersions) func(*Node) uint64 {
	r := q[result]
	switch {
	case r.Kind == syntax.Mapping:
		return func(n *Node) uint64 {
			if n.Entry.Key.Tag == "!!merge" {
				return 0
			}
			return n.KeyHash
		}
	case r.Kind != syntax.Sequence || len(r.Children) < 2:
		return nil
	case at.IsItems():
		return resourceHash
	}
	l, _ := c.Rules.DeclaredList(at.Place())
	return func(n *Node) uint64 {
		if x, named := l.ID(n.Node); named {
			return Hash(x)
		}
		if len(n.Children) > 1 && len(c.Conflicts) == 0 {
			return n.Data
		}
		return 0
	}
}

// checkDuplicatesBy refuses what q[result] has more often than each version, by id.
func (c *checker) checkDuplicatesBy(q nodeVersions, id func(*Node) uint64) *Violation {
	if id == nil {
		return nil
	}
	kids := q[result].Children
	var byID [versions]map[uint64][]*Node
	for v, n := range slices.Backward(q[:]) {
		byID[v] = map[uint64][]*Node{}
		if n != nil && n.Kind == q[result].Kind {
			for i := range n.Children {
				byID[v][id(&n.Children[i])] = append(byID[v][id(&n.Children[i])], &n.Children[i])
			}
		}
		if len(byID[result]) == len(kids) {
			return nil
		}
	}
	excess := map[uint64]bool{}
	for key, all := range byID[result] {
		n := versionCounts{result: int32(c.maxCoexisting(all))}
		for v := range result {
			n[v] = int32(c.maxCoexisting(byID[v][key]))
		}
		excess[key] = key != 0 && n.exceedsInputs()
	}
	lastIndex, lastOther := map[uint64]int{}, -1 // where each stood last, and what is not there too often
	for i := range kids {
		key := id(&kids[i])
		at, isRepeated := lastIndex[key]
		if lastIndex[key] = i; !excess[key] {
			lastOther = i
		}
		if !isRepeated || !excess[key] || key == kids[i].Data && lastOther > at {
			continue
		}
		duplicate := nodeVersions{result: &kids[i]}
		for v := range result {
			if same := byID[v][key]; len(same) > 0 {
				duplicate[v] = same[0]
			}
		}
		return duplicate.duplicateViolation()
	}
	return nil
}

// checkRepeatedItems refuses an item of a list, q, that the result has at two places and each version has once at most: the two have the same
// identity, of which no version of the list has two. L is what is known of the list; one whose keys are known has no other
// identities. Lists are the versions of it, and other lists of the versions that may be it.
//
//	ours              theirs                  result
//	- path: /new      - path: /old            - path: /new
//	- path: /old      - path: /new            - path: /old
//	                    pages: [/new/more]    - path: /new
//	                                            pages: [/new/more]
func (c *checker) checkRepeatedItems(l schema.List, q nodeVersions, lists []*Node) *Violation {
	if l.Kind == schema.Map || !slices.ContainsFunc(syntax.NameFields[:], q[result].hasRepeated) {
		return nil // most lists: lists may be long, and the same for many q
	}
	fields := identifyingFields(lists)
	seen := map[string][]*Node{} // items of the result, by field and value
	for i := range q[result].Children {
		k := &q[result].Children[i]
		for _, field := range fields {
			value := k.fieldValue(field)
			if value == "" || len(seen[field+"="+value]) > maxCoexistingCompared {
				continue
			}
			for _, first := range seen[field+"="+value] {
				if isSameItem(first, k, fields) && !l.AreDistinct(first.Node, k.Node) && c.maxCoexisting([]*Node{first, k}) > 1 {
					duplicate := nodeVersions{result: k}
					for v := range result {
						duplicate[v] = q[v].findItem(field, value)
					}
					return duplicate.duplicateViolation()
				}
			}
			seen[field+"="+value] = append(seen[field+"="+value], k)
		}
	}
	return nil
}

// identifyingFields returns those of syntax.NameFields that tell the items of lists apart: no list has two with the same value there.
func identifyingFields(lists []*Node) (fields []string) {
	for _, field := range syntax.NameFields {
		if !slices.ContainsFunc(lists, func(n *Node) bool { return n.hasRepeated(field) }) {
			fields = append(fields, field)
		}
	}
	return fields
}

// hasRepeated reports whether two items of n, which may be nil, have the same value in a field.
func (n *Node) hasRepeated(field string) bool {
	seen := map[string]bool{}
	kids := n.GetChildren()
	for i := range kids {
		if x := kids[i].fieldValue(field); x != "" {
			if seen[x] {
				return true
			}
			seen[x] = true
		}
	}
	return false
}

// isSameItem reports whether a and b, items of one list, are the same item by the fields that are identities there: they have the same
// name or the same id, or do not differ in these and have the same value in the first of the other fields that both have. Two things
// of different kinds or namespaces are never the same.
//
//   - {title: Home, path: /home}      # the same page: its path comes before its title
//   - {title: Start, path: /home}
func isSameItem(a, b *Node, fields []string) bool {
	for _, field := range [...]string{"kind", "namespace"} {
		if a.fieldValue(field) != b.fieldValue(field) {
			return false
		}
	}
	differ := false // in name or id
	for _, field := range fields {
		x, y := a.fieldValue(field), b.fieldValue(field)
		strong := field == "name" || field == "id"
		switch {
		case x == "" || y == "":
		case strong && x == y:
			return true
		case strong:
			differ = true
		default:
			return x == y && !differ
		}
	}
	return false
}

// fieldValue returns the scalar in a field of n; "" if there is none, or null.
func (n *Node) fieldValue(field string) string {
	if e := n.Field(field); e == nil || e.Value.Kind != syntax.Scalar || e.Value.IsNull() {
		return ""
	}
	return n.ScalarAt(field)
}

// findItem returns the first item of n with a value in a field; nil if there is none, or n is nil.
func (n *Node) findItem(field, value string) *Node {
	kids := n.GetChildren()
	i := slices.IndexFunc(kids, func(k Node) bool { return k.fieldValue(field) == value })
	if i < 0 {
		return nil
	}
	return &kids[i]
}

// duplicateViolation says that q stands twice.
func (q nodeVersions) duplicateViolation() *Violation {
	return q.newViolation(ruleDuplicate, "it appears more often than in any input")
}

// maxCoexistingCompared bounds how many things of one name are compared: people write a few.
const maxCoexistingCompared = 64

// maxCoexisting is how many of all can stand at a time: those that no guards keep apart.
func (c *checker) maxCoexisting(nodes []*Node) (most int) {
	if !c.isTemplate() || len(nodes) < 2 || len(nodes) > maxCoexistingCompared {
		return len(nodes)
	}
	countByGuard, guards := map[string]int{}, map[string][]template.Level{}
	for _, n := range nodes {
		g := n.Entry.OwnLevels()
		countByGuard[guardText(g)]++
		guards[guardText(g)] = g
	}
	for guard, count := range countByGuard {
		for other, n := range countByGuard {
			if other != guard && !template.Exclude(guards[guard], guards[other]) {
				count += n
			}
		}
		most = max(most, count)
	}
	return most
}

// countFacts counts what each version says, by where it is: each node and, of a text, each line that is not blank. each calls f
// with all that a version says.
func (c *checker) countFacts() (count countsByFact[uint64], each func(v version, f func(n *Node, what uint64))) {
	each = func(v version, f func(n *Node, what uint64)) {
		c.docs[v].Walk(func(n *Node) {
			f(n, syntax.CombineHashes(n.Data, n.Addr))
			if !n.IsBlockScalar() {
				return
			}
			at := n.Addr
			if n.Entry != nil && n.Entry.Key == nil {
				at = 0 // its address is what it says
			}
			for _, l := range c.textLines(n).Children {
				if l.isNonBlank() {
					f(n, syntax.CombineHashes(l.Data, at))
				}
			}
		})
	}
	count = countsByFact[uint64]{}
	for v := range versions {
		each(v, func(_ *Node, what uint64) { count.add(v, what) })
	}
	return count, each
}

// checkMovedItems refuses a page that, with one side taken, lacks an item that all versions
// have once: where a side moved it and its new place is in conflict, so is its old one.
// An item counts in its list alone: one elsewhere that says the same is another.
func (c *checker) checkMovedItems() (bad *Violation) {
	if len(c.Conflicts) == 0 {
		return nil
	}
	counts, each := c.countFacts()
	var lost nodeVersions
	first := uint64(0)
	for v := range result {
		each(v, func(n *Node, what uint64) {
			if n.Entry != nil && n.Entry.Key == nil && what == syntax.CombineHashes(n.Data, n.Addr) && counts[what].isLostEverywhere() && (first == 0 || first == what) {
				first, lost[v] = what, n
			}
		})
	}
	if first == 0 {
		return nil
	}
	return lost.newViolation(ruleMovedLost, "all versions have %s, but the result lacks it", lost[base].Summary())
}

// FindDuplicate returns a field, an item, a line of a text or a document that c.Result has more often, there and as it is,
// than each version; nil if there is none.
func FindDuplicate(c Merge) (bad *Violation) {
	k := newChecker(c, byFields)
	counts, each := k.countFacts()
	each(result, func(n *Node, what uint64) {
		if bad == nil && n != k.docs[result] && counts[what].exceedsInputs() {
			bad = nodeVersions{result: n}.duplicateViolation()
		}
	})
	return bad
}

// checkJSON refuses a result that is no JSON where all versions that have anything are, or has comments or
// trailing commas that none has.
func (c *checker) checkJSON() *Violation {
	isInputSeen, inputDialects := false, text.Dialect(0)
	for v, f := range c.files {
		if len(bytes.TrimSpace(f.Bytes())) == 0 {
			continue
		}
		switch dialect, ok := f.JSON(); {
		case version(v) != result && !ok:
			return nil
		case version(v) != result:
			isInputSeen, inputDialects = true, inputDialects|dialect
		case isInputSeen && (!ok || dialect&^inputDialects != 0):
			return nodeVersions{}.newViolation(ruleJSON, "the versions are JSON, it is none as they are")
		}
	}
	return nil
}
