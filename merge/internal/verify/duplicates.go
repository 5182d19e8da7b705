package verify

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// The checks in this file apply to every result: no mapping may contain a mapping key, no list an item and no file a
// resource more often than each input. They ignore claims and identify nodes by address.

// checkDuplicates returns a violation if the result contains a document, field or item more than once and more often
// than each input, for example because both sides added a field and the result has both copies. Documents of templates
// are not compared, because blocks can select one. Two other kinds of violations are recorded and not returned: output
// lines of a template that occur too often, and items that occur in two forms (checkRepeatedItems).
func (c *checker) checkDuplicates() *Violation {
	if c.isTemplate() {
		c.record(c.checkOutputLines())
	} else {
		if bad := c.checkDuplicatesBy(c.docs, RuleDuplicate, resourceHash); bad != nil {
			return bad
		}
		c.record(c.checkRepeatedItems(schema.List{}, c.docs, c.docs[:result]))
	}
	return c.checkDuplicatesBelow(nil, c.docs)
}

// checkDuplicatesBelow returns a violation if a mapping or list in q[result], at any depth, has a child more often than
// each input. Each child of q[result] is compared with the child of the same name in each input or, if there is none,
// with the most similar one. A child that an input has with the same data is skipped. at is the path of q, nil for the
// documents.
//
//	base     ours         theirs       result
//	a: {}    a: {x: 1}    a: {x: 2}    a: {x: 1, x: 2}    violation
func (c *checker) checkDuplicatesBelow(at *three.Path, q nodeVersions) *Violation {
	inInputs := map[uint64]bool{} // children of the inputs, which are accepted
	for _, n := range q[:result] {
		for _, k := range n.GetChildren() {
			inInputs[syntax.CombineHashes(k.KeyHash, k.Data)] = true
		}
	}
	byName := nodeGroups(mapVersions(q, func(n *Node) map[uint64][]*Node { return n.childrenBy((*Node).NameHash) }))
	nth := map[uint64]int{} // the number of children of the result with each name so far
	for i := range q[result].Children {
		k := &q[result].Children[i]
		name := k.NameHash()
		nth[name]++
		if len(k.Children) == 0 || inInputs[syntax.CombineHashes(k.KeyHash, k.Data)] {
			continue
		}
		aligned := nodeVersions{result: k}
		for v := range result {
			switch same, all := byName[v][name], q[v].GetChildren(); {
			case len(same) > 0: // several with one name match in order
				aligned[v] = same[min(nth[name], len(same))-1]
			case len(all) == 1 && len(q[result].Children) == 1: // a side may have renamed the only field
				aligned[v] = &all[0]
			default:
				aligned[v] = c.mostSimilarChild(q[v], k)
			}
		}
		path := k.PathUnder(at, c.File)
		sameName := slices.Concat(byName[base][name], byName[ours][name], byName[theirs][name])
		if bad := c.checkDuplicateChildren(path, aligned, sameName); bad != nil {
			return bad
		}
		if bad := c.checkDuplicatesBelow(path, aligned); bad != nil {
			return bad
		}
	}
	return nil
}

// checkDuplicateChildren returns a violation if collection q[result] has a child more often than each input, or a
// value twice that must be unique. at is the path of q. sameName are all nodes of the inputs with the name of q.
func (c *checker) checkDuplicateChildren(at *three.Path, q nodeVersions, sameName []*Node) *Violation {
	bad := c.checkDuplicatesBy(q, RuleDuplicate, c.duplicateID(at, q))
	if bad != nil || q[result].Kind != syntax.Sequence || at.IsItems() {
		return bad
	}
	l, _ := c.Rules.DeclaredList(at.Place())
	c.record(c.checkRepeatedItems(l, q, sameName))
	for _, field := range c.Rules.UniqueFields(at.Place()) {
		bad = cmp.Or(bad, c.checkUnique(q, field))
	}
	return bad
}

// checkUnique returns a violation if two or more items of the list q[result] have the same value in a field, and no
// input has as many with this value. field is a name such as port. If it has the form name=value, as in default=true,
// only this value of the field has to be unique.
//
//	base    ours                      theirs                    result
//	[]      - {name: a, port: 80}     - {name: b, port: 80}     - {name: a, port: 80}
//	                                                            - {name: b, port: 80}    violation
func (c *checker) checkUnique(q nodeVersions, field string) *Violation {
	name, only, _ := strings.Cut(field, "=")
	duplicate := c.findDuplicate(q, func(n *Node) uint64 {
		if value := n.ScalarAt(name); only == "" || value == only {
			return hashIfSet(value)
		}
		return 0
	})
	if duplicate == nil {
		return nil
	}
	return duplicate.newViolation(RuleUnique, "more than one item has %s: %s", name, duplicate[result].ScalarAt(name))
}

// duplicateID returns a function for the id of children of q; two children with one id are duplicates. The id is a
// mapping key, kind and name, associative key or data. Children with the id 0 have no duplicates. It returns nil if
// q[result] can have none. at is the path of q.
func (c *checker) duplicateID(at *three.Path, q nodeVersions) func(*Node) uint64 {
	r := q[result]
	switch {
	case r.Kind == syntax.Mapping: // by the mapping key, without merge keys (<<)
		return func(n *Node) uint64 {
			if n.Entry.Key.Tag == "!!merge" {
				return 0
			}
			return n.KeyHash
		}
	case r.Kind != syntax.Sequence || len(r.Children) < 2:
		return nil
	case at.IsItems(): // of a kind: List
		return resourceHash
	}
	l, _ := c.Rules.DeclaredList(at.Place())
	return func(n *Node) uint64 {
		// the associative key of a map, or the value in a set
		if x, ok := l.ID(n.Node); ok {
			return Hash(x)
		}
		if len(n.Children) > 0 && len(c.Conflicts) == 0 {
			return n.Data
		}
		return 0
	}
}

// hashIfSet returns the hash of s, or 0 if s is empty.
func hashIfSet(s string) uint64 {
	if s == "" {
		return 0
	}
	return Hash(s)
}

// checkDuplicatesBy returns a violation of rule r if q[result] has children with the same id more than once and more
// often than each input (see findDuplicate).
func (c *checker) checkDuplicatesBy(q nodeVersions, r Rule, id func(*Node) uint64) *Violation {
	if duplicate := c.findDuplicate(q, id); duplicate != nil {
		return duplicate.duplicateViolation(r)
	}
	return nil
}

// findDuplicate returns a further copy of a child that q[result] has more than once and more often than each input, or
// nil. id identifies children; 0 matches nothing. In a template, children whose blocks exclude each other count as
// one.
//
//	base    result
//	x, y    x, x, y    the second x
//	x, y    x, y, x    nil for items that are identified by their data
func (c *checker) findDuplicate(q nodeVersions, id func(*Node) uint64) *nodeVersions {
	if id == nil {
		return nil
	}
	children := q[result].Children
	var byID nodeGroups
	if byID[result] = q[result].childrenBy(id); len(byID[result]) == len(children) {
		return nil // most collections
	}
	for v, n := range q[:result] {
		if n != nil && n.Kind == q[result].Kind {
			byID[v] = n.childrenBy(id)
		}
	}
	isRepeated := map[uint64]bool{} // ids that the result has too often
	for x := range byID[result] {
		var n versionCounts
		for v := range versions {
			n[v] = int32(c.maxCoexisting(byID[v][x]))
		}
		isRepeated[x] = x != 0 && n.exceedsInputs()
	}
	lastIndex := map[uint64]int{} // of the last child with each repeated id
	lastOther := -1               // the index of the last child without one
	for i := range children {
		x := id(&children[i])
		if !isRepeated[x] {
			lastOther = i
			continue
		}
		last, isCopy := lastIndex[x]
		lastIndex[x] = i
		// a child of the base that is identified by its data may have been moved, unless its copies are neighbors
		isFromBase := x == children[i].Data && len(byID[base][x]) > 0
		isApart := lastOther > last
		if !isCopy || isFromBase && isApart {
			continue
		}
		duplicate := byID.first(x)
		duplicate[result] = &children[i]
		return &duplicate
	}
	return nil
}

// checkRepeatedItems returns a violation if list q of the result has one item twice, perhaps in two forms: items with
// the same name, path or similar field (see isSameItem). lists are the inputs' versions of q, and l is the schema's
// rule for q. Two such items are accepted if
//   - one of lists has a value of this field twice, so that it identifies nothing,
//   - l is of kind map, or calls the two items distinct, or
//   - a template never renders both.
func (c *checker) checkRepeatedItems(l schema.List, q nodeVersions, lists []*Node) *Violation {
	// the associative key identifies the items of a map
	if l.Kind == schema.Map || !slices.ContainsFunc(syntax.NameFields[:], q[result].hasRepeated) {
		return nil // the result of most lists; lists may be long and are shared by many q
	}
	fields := identifyingFields(lists)
	seen := map[string][]*Node{} // items of the result, by field and value
	for i := range q[result].Children {
		k := &q[result].Children[i]
		isRepeated := func(first *Node) bool {
			return isSameItem(first, k, fields) && !l.AreDistinct(first.Node, k.Node) && c.maxCoexisting([]*Node{first, k}) > 1
		}
		for _, field := range fields {
			value := k.fieldValue(field)
			name := field + "=" + value
			if value == "" || len(seen[name]) > maxCoexistingCompared { // enough: the time is quadratic
				continue
			}
			if slices.ContainsFunc(seen[name], isRepeated) {
				duplicate := nodeVersions(mapVersions(q, func(n *Node) *Node { return n.findItem(field, value) }))
				duplicate[result] = k
				return duplicate.duplicateViolation(RuleRepeated)
			}
			seen[name] = append(seen[name], k)
		}
	}
	return nil
}

// identifyingFields returns the fields of syntax.NameFields (name, id, path, ...) in which none of lists has a value
// twice, so that they can identify items. Elements of lists may be nil.
func identifyingFields(lists []*Node) (fields []string) {
	for _, field := range syntax.NameFields {
		if !slices.ContainsFunc(lists, func(n *Node) bool { return n.hasRepeated(field) }) {
			fields = append(fields, field)
		}
	}
	return fields
}

// hasRepeated reports whether two items of list n are mappings with an equal scalar in the given field. Other items are
// ignored, and so are values that are missing, null or empty. Scalars are compared as text, so that 80 and "80" are
// equal. n may be nil.
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

// isSameItem reports whether a and b, mappings in one list, are the same item: their name or id is equal or, if they
// have no name or id in common, the first other of fields that both have. fields are from syntax.NameFields, in that
// order. Items with different kinds or namespaces are not the same.
//
//	{name: a, path: /x}    {name: a, path: /y}    true
//	{path: /x, url: u}     {path: /x, url: v}     true
//	{name: a, path: /x}    {name: b, path: /x}    false
func isSameItem(a, b *Node, fields []string) bool {
	isEqual := func(field string) bool { return a.fieldValue(field) == b.fieldValue(field) }
	if !isEqual("kind") || !isEqual("namespace") {
		return false
	}
	isMissing := func(field string) bool { return a.fieldValue(field) == "" || b.fieldValue(field) == "" }
	shared := slices.DeleteFunc(slices.Clone(fields), isMissing)
	isName := func(field string) bool { return field == "name" || field == "id" } // these two are the first fields
	if slices.ContainsFunc(shared, func(field string) bool { return isName(field) && isEqual(field) }) {
		return true
	}
	return len(shared) > 0 && !isName(shared[0]) && isEqual(shared[0])
}

// fieldValue returns the scalar in a field of n as text. It returns "" if the field is missing, null or not a scalar,
// and if n is not a mapping.
func (n *Node) fieldValue(field string) string {
	if e := n.Field(field); e == nil || e.Value.Kind != syntax.Scalar || e.Value.IsNull() {
		return ""
	}
	return n.ScalarAt(field)
}

// findItem returns the first item of n that is a mapping with value as a scalar in the given field. It returns nil if
// no item is, or if n is nil. value must not be empty.
func (n *Node) findItem(field, value string) *Node {
	children := n.GetChildren()
	i := slices.IndexFunc(children, func(k Node) bool { return k.fieldValue(field) == value })
	if i < 0 {
		return nil
	}
	return &children[i]
}

// duplicateViolation returns a violation of rule r at the positions of q: the result contains q more often than each
// input.
func (q nodeVersions) duplicateViolation(r Rule) *Violation {
	return q.newViolation(r, "the result has more copies than base, ours or theirs")
}

// maxCoexistingCompared is the maximum number of nodes that maxCoexisting compares. Files rarely have more than a few
// of a name.
const maxCoexistingCompared = 64

// maxCoexisting returns how many of nodes, entries with the same name, a template can render together. An entry in {{
// if .a }} excludes one in its {{ else }}, for example. For each entry, those that it does not exclude are counted,
// with itself; the result is the largest of these numbers. It is too high if some of those exclude each other: it is 3
// for one entry without a block, one in {{ if .a }} and one in its {{ else }}. Without a template, or for more than
// maxCoexistingCompared nodes, it is len(nodes).
func (c *checker) maxCoexisting(nodes []*Node) (most int) {
	if !c.isTemplate() || len(nodes) < 2 || len(nodes) > maxCoexistingCompared {
		return len(nodes)
	}
	counts, guards := map[string]int{}, map[string][]template.Level{} // by the text of the blocks around a node
	for _, n := range nodes {
		guard := n.Entry.OwnLevels()
		counts[guardText(guard)]++
		guards[guardText(guard)] = guard
	}
	for text, count := range counts {
		for other, otherCount := range counts {
			if other != text && !template.AreExclusive(guards[text], guards[other]) {
				count += otherCount
			}
		}
		most = max(most, count)
	}
	return most
}

// eachNodeAndLine calls f for each node of v, the list of documents first, and for each line of a block scalar that is
// not blank, so that copies can be counted. Nodes or lines with equal data at the same path have the same hash. For a
// line, n is its block scalar. If the block scalar is an item, equal lines have the same hash in all such items.
func (c *checker) eachNodeAndLine(v version, f func(n *Node, hash uint64)) {
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

// checkLostItems returns a violation about the first item of the base that all inputs have equally often, and the
// result less often. Items are compared by their path and data and, if they have names, also by path alone. This
// happens, for example, if a side moved the item, and the text without it was chosen in a conflict.
//
//	base      ours      theirs    result
//	- a       - b       - a       - b       violation: a is lost
//	- b       - a       - b
//	                    - c       - c
func (c *checker) checkLostItems() *Violation {
	var items nodeGroups
	for v, docs := range c.docs {
		items[v] = map[uint64][]*Node{}
		docs.Walk(func(n *Node) {
			for _, hash := range n.itemHashes() {
				items[v][hash] = append(items[v][hash], n)
			}
		})
	}
	for _, b := range c.nodesOf(base) {
		for _, hash := range b.itemHashes() {
			if items.countsOf(hash).isLostEverywhere() {
				var lost nodeVersions // the last copy in each input
				for v := range result {
					lost[v] = items[v][hash][len(items[v][hash])-1]
				}
				return lost.newViolation(RuleMovedLost, "base, ours and theirs have %s; the result does not", lost[base].Summary())
			}
		}
	}
	return nil
}

// itemHashes returns the hashes by which items of lists are counted: of the path and the data of n and, if n is a
// mapping with a name, of its path alone. It returns nil if n is nil or not an item of a list.
func (n *Node) itemHashes() []uint64 {
	if n == nil || n.Entry == nil || n.Entry.Key != nil {
		return nil
	}
	hashes := []uint64{syntax.CombineHashes(n.Data, n.Addr)}
	if n.Kind == syntax.Mapping && nodeNameHash(n.Node) != nameless {
		hashes = append(hashes, n.Addr)
	}
	return hashes
}

// FindDuplicate returns a violation for the first field, item, document or line of a block scalar that c.Result
// contains more than once and more often than each input, with equal data at one path. It returns nil if there is none.
// Two fields with one mapping key and different values are not found. The violation has a position in the result only.
func FindDuplicate(c Merge) (bad *Violation) {
	k := newChecker(c, byFields)
	counts := occurrenceCounts[uint64]{}
	for v := range versions {
		k.eachNodeAndLine(v, func(_ *Node, hash uint64) { counts.add(v, hash) })
	}
	k.eachNodeAndLine(result, func(n *Node, hash uint64) {
		if bad == nil && n != k.docs[result] && counts[hash].exceedsInputs() {
			bad = nodeVersions{result: n}.duplicateViolation(RuleDuplicate)
		}
	})
	return bad
}

// checkJSON returns a violation if the inputs are JSON, and the result is not. It also returns one if the result has
// comments or trailing commas, and no input has them. Empty files, and files of white space, are ignored: it returns
// nil if the result or all inputs are empty.
func (c *checker) checkJSON() *Violation {
	isEmpty := func(f *text.File) bool { return len(bytes.TrimSpace(f.Bytes())) == 0 }
	hasInput, inputDialects := false, text.Dialect(0)
	for _, f := range c.files[:result] {
		if isEmpty(f) {
			continue
		}
		dialect, ok := f.JSON()
		if !ok {
			return nil
		}
		hasInput, inputDialects = true, inputDialects|dialect
	}
	if !hasInput || isEmpty(c.files[result]) {
		return nil
	}
	dialect, ok := c.files[result].JSON()
	if !ok {
		return nodeVersions{}.newViolation(RuleJSON, "base, ours and theirs are JSON, but the result is not")
	}
	if added := dialect &^ inputDialects; added != 0 {
		extensions := map[text.Dialect]string{text.JSONComments: "comments", text.JSONTrailingCommas: "trailing commas"}
		return nodeVersions{}.newViolation(RuleJSON, "the result has %s, unlike base, ours and theirs", cmp.Or(extensions[added], "comments and trailing commas"))
	}
	return nil
}
