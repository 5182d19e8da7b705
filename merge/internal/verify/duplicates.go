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

// The checks in this file apply to every result: no mapping may contain a mapping key, no list an item and no file a
// resource more often than each input. They ignore claims and identify nodes by address.

// checkDuplicates returns a violation if the result contains a duplicate: a document, field or item that occurs more
// often than in each input. In a template, documents are not compared; lines that print are.
func (c *checker) checkDuplicates() *Violation {
	if c.isTemplate() { // blocks select documents
		if r := c.checkOutputLines(); r != nil {
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

// checkDuplicatesBelow checks the descendants of q[result] for duplicates. Children that are equal to a child of an
// input are skipped.
func (c *checker) checkDuplicatesBelow(at *three.Path, q nodeVersions) *Violation {
	inInputs := map[uint64]bool{} // children of the inputs, which are accepted
	for _, n := range q[:result] {
		for _, k := range n.GetChildren() {
			inInputs[syntax.CombineHashes(k.KeyHash, k.Data)] = true
		}
	}
	var byName [result]map[uint64][]*Node // computed on first use
	nth := map[uint64]int{}
	for i := range q[result].Children {
		k := &q[result].Children[i]
		name := k.NameHash()
		nth[name]++
		if len(k.Children) == 0 || inInputs[syntax.CombineHashes(k.KeyHash, k.Data)] {
			continue
		}
		aligned := nodeVersions{result: k}
		var candidates []*Node // children of the inputs with that name
		for v := range byName {
			if byName[v] == nil {
				byName[v] = q[v].ChildrenByName()
			}
			if same := byName[v][name]; len(same) > 0 {
				aligned[v] = same[min(nth[name], len(same))-1]
				candidates = append(candidates, same...)
			}
		}
		path := k.PathUnder(at, c.File)
		r := c.checkDuplicatesBy(aligned, c.duplicateID(path, aligned))
		if r == nil && k.Kind == syntax.Sequence && !path.IsItems() {
			l, _ := c.Rules.DeclaredList(path.Place())
			r = c.checkRepeatedItems(l, aligned, candidates)
		}
		if r == nil && slices.ContainsFunc(k.Entries, func(e *syntax.Entry) bool { return len(e.Value.Entries) > 0 }) {
			r = c.checkDuplicatesBelow(path, aligned)
		}
		if r != nil {
			return r
		}
	}
	return nil
}

// duplicateID returns the function that identifies duplicates among the children of q: by mapping key, as resource,
// by associative key or, for mappings with several fields and without a name, by value. The function returns 0 for
// children that may occur any number of times. duplicateID returns nil if there can be no duplicates.
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

// checkDuplicatesBy returns a violation if the result contains children with the same id more often than each input.
// Children that are identified by their data only count as duplicates if all children between two copies are
// duplicates, too.
func (c *checker) checkDuplicatesBy(q nodeVersions, id func(*Node) uint64) *Violation {
	if id == nil {
		return nil
	}
	children := q[result].Children
	var byID [versions]map[uint64][]*Node
	for v, n := range slices.Backward(q[:]) {
		byID[v] = map[uint64][]*Node{}
		if n != nil && n.Kind == q[result].Kind {
			for i := range n.Children {
				byID[v][id(&n.Children[i])] = append(byID[v][id(&n.Children[i])], &n.Children[i])
			}
		}
		if len(byID[result]) == len(children) {
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
	lastIndex, lastOther := map[uint64]int{}, -1 // index of the last child with each id, and of the last child without excess
	for i := range children {
		key := id(&children[i])
		at, isRepeated := lastIndex[key]
		if lastIndex[key] = i; !excess[key] {
			lastOther = i
		}
		if !isRepeated || !excess[key] || key == children[i].Data && lastOther > at {
			continue
		}
		duplicate := nodeVersions{result: &children[i]}
		for v := range result {
			if same := byID[v][key]; len(same) > 0 {
				duplicate[v] = same[0]
			}
		}
		return duplicate.duplicateViolation()
	}
	return nil
}

// checkRepeatedItems returns a violation if the result has the same item in two places of list q, and no input
// contains two such items. Items are the same if they have equal identifying fields (see isSameItem). lists are the
// versions of q and other lists that may be versions of it. l is the rule of the list; lists of kind map are not
// checked, as their associative keys are known.
//
//	ours              theirs                  result
//	- path: /new      - path: /old            - path: /new
//	- path: /old      - path: /new            - path: /old
//	                    pages: [/new/more]    - path: /new
//	                                            pages: [/new/more]
func (c *checker) checkRepeatedItems(l schema.List, q nodeVersions, lists []*Node) *Violation {
	if l.Kind == schema.Map || !slices.ContainsFunc(syntax.NameFields[:], q[result].hasRepeated) {
		return nil // the result of most lists; lists may be long and are shared by many q
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

// identifyingFields returns the fields in syntax.NameFields that identify items: no list has two items with an equal
// value.
func identifyingFields(lists []*Node) (fields []string) {
	for _, field := range syntax.NameFields {
		if !slices.ContainsFunc(lists, func(n *Node) bool { return n.hasRepeated(field) }) {
			fields = append(fields, field)
		}
	}
	return fields
}

// hasRepeated reports whether two items of n have an equal value in a field. n may be nil.
func (n *Node) hasRepeated(field string) bool {
	seen := map[string]bool{}
	children := n.GetChildren()
	for i := range children {
		if x := children[i].fieldValue(field); x != "" {
			if seen[x] {
				return true
			}
			seen[x] = true
		}
	}
	return false
}

// isSameItem reports whether a and b, items of one list, are the same item: they have an equal name or id, or neither
// differs in these and the first other field that both contain is equal. Items of different kinds or namespaces are
// never the same. fields are the identifying fields of the list.
//
//   - {title: Home, path: /home}      # the same item: path comes before title
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

// fieldValue returns the scalar in a field of n, or "" if the field is missing, null or not a scalar.
func (n *Node) fieldValue(field string) string {
	if e := n.Field(field); e == nil || e.Value.Kind != syntax.Scalar || e.Value.IsNull() {
		return ""
	}
	return n.ScalarAt(field)
}

// findItem returns the first item of n with a value in a field, or nil if there is none. n may be nil.
func (n *Node) findItem(field, value string) *Node {
	children := n.GetChildren()
	i := slices.IndexFunc(children, func(k Node) bool { return k.fieldValue(field) == value })
	if i < 0 {
		return nil
	}
	return &children[i]
}

// duplicateViolation returns a violation for duplicate q.
func (q nodeVersions) duplicateViolation() *Violation {
	return q.newViolation(ruleDuplicate, "it appears more often than in any input")
}

// maxCoexistingCompared is the maximum number of nodes that maxCoexisting compares. Files rarely have more than a few
// of a name.
const maxCoexistingCompared = 64

// maxCoexisting returns how many of nodes can exist at once: guards of a template may exclude each other. It returns
// the number of nodes if there are more than maxCoexistingCompared.
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
			if other != guard && !template.AreExclusive(guards[guard], guards[other]) {
				count += n
			}
		}
		most = max(most, count)
	}
	return most
}

// countFacts counts the facts of each version: data hashes of nodes and of the lines of texts that are not blank,
// combined with their addresses. each calls f with every node of a version and its hash.
func (c *checker) countFacts() (count countsByFact[uint64], each func(v version, f func(n *Node, what uint64))) {
	each = func(v version, f func(n *Node, what uint64)) {
		c.docs[v].Walk(func(n *Node) {
			f(n, syntax.CombineHashes(n.Data, n.Addr))
			if !n.IsBlockScalar() {
				return
			}
			at := n.Addr
			if n.Entry != nil && n.Entry.Key == nil {
				at = 0 // the address of an item depends on its text
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

// checkMovedItems returns a violation if, with one side chosen, the result lacks an item that each input contains
// once. This happens if a side moved the item and its old or new place is in a conflict. An equal item in another
// list is a different item.
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

// FindDuplicate returns a violation if a field, an item, a line of a text or a document occurs more often in
// c.Result, at the same address and with equal data, than in each input. It returns nil if there is none.
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

// checkJSON returns a violation if all inputs that are not empty are JSON, and the result is not, or has comments or
// trailing commas that no input has.
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
