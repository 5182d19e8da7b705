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
// than each input. In templates, documents are not compared, because blocks such as {{ if .a }} can select one of
// several. Instead, output lines such as {{ include "x" . }} are checked.
func (c *checker) checkDuplicates() *Violation {
	if c.isTemplate() { // blocks select documents
		if r := c.record(c.checkOutputLines()); r != nil {
			return r
		}
	} else {
		if r := c.checkDuplicatesBy(c.docs, RuleDuplicate, resourceHash); r != nil {
			return r
		}
		if r := c.record(c.checkRepeatedItems(schema.List{}, c.docs, c.docs[:result])); r != nil {
			return r
		}
	}
	return c.checkDuplicatesBelow(nil, c.docs)
}

// checkDuplicatesBelow verifies the mappings and lists below q[result], at any depth. It returns a violation if one has
// a field or item more often than each input, one item in two forms (checkRepeatedItems), or a value twice that must be
// unique. Each is compared with the child of the same name in the inputs, otherwise with the most similar one. Children
// that equal a child of an input are accepted. at is the path of q, or nil for the documents.
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
			if same := byName[v][name]; len(same) > 0 { // several with one name match in order
				aligned[v] = same[min(nth[name], len(same))-1]
				candidates = append(candidates, same...)
			} else if aligned[v] = c.mostSimilarChild(q[v], k); aligned[v] == nil && len(q[v].GetChildren()) == 1 && len(q[result].Children) == 1 {
				aligned[v] = &q[v].Children[0] // a side renamed the only field
			}
		}
		path := k.PathUnder(at, c.File)
		r := c.checkDuplicatesBy(aligned, RuleDuplicate, c.duplicateID(path, aligned))
		if r == nil && k.Kind == syntax.Sequence && !path.IsItems() {
			l, _ := c.Rules.DeclaredList(path.Place())
			r = c.record(c.checkRepeatedItems(l, aligned, candidates))
			for _, field := range c.Rules.UniqueFields(path.Place()) {
				r = cmp.Or(r, c.checkUnique(aligned, field))
			}
		}
		if r == nil {
			r = c.checkDuplicatesBelow(path, aligned)
		}
		if r != nil {
			return r
		}
	}
	return nil
}

// checkUnique returns a violation if several items of the list q[result] have the same value in a field, and more items
// than in each input. If field has the form name=value, only this value of the field name has to be unique.
func (c *checker) checkUnique(q nodeVersions, field string) *Violation {
	name, only, _ := strings.Cut(field, "=")
	value := "" // in the item that was compared last
	bad := c.checkDuplicatesBy(q, RuleUnique, func(n *Node) uint64 {
		if value = n.ScalarAt(name); only == "" || value == only {
			return hashIfSet(value)
		}
		return 0
	})
	if bad != nil { // about the item that was compared last
		bad.Detail = "more than one item has " + name + ": " + value
	}
	return bad
}

// duplicateID returns a function that gives each child of q an id; children with equal ids are duplicates, except for
// id 0. It returns nil if q[result] can have no duplicates, such as a scalar or a list with one item. at is the path of
// q.
//
//	field of a mapping                        mapping key; 0 for merge keys (<<)
//	item of a kind: List                      kind, namespace, name and API version; 0 if it is no resource
//	item of a list of kind map or set         value of the associative key or, in a set, of the item
//	other item with children                  its data, in a file without conflicts
//	other item                                0
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
// often than each input. It has the position of a further copy. Children with id 0 are ignored; if id is nil, so are
// all. Children in conflicts count. In a template, children whose blocks exclude each other count as one. Copies of an
// item of the base that are identified by their data must have no other item between them.
func (c *checker) checkDuplicatesBy(q nodeVersions, r Rule, id func(*Node) uint64) *Violation {
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
		// Children of the base that are identified by their data count only if nothing but duplicates is between two
		// copies: with x and y in the base, x, x, y is a violation, and x, y, x is not.
		isFromBase := key == children[i].Data && len(byID[base][key]) > 0
		isApart := isFromBase && lastOther > at
		if !isRepeated || !excess[key] || isApart {
			continue
		}
		duplicate := nodeVersions{result: &children[i]}
		for v := range result {
			if same := byID[v][key]; len(same) > 0 {
				duplicate[v] = same[0]
			}
		}
		return duplicate.duplicateViolation(r)
	}
	return nil
}

// checkRepeatedItems returns a violation if list q of the result has one item twice, even in two forms (see
// isSameItem). A field such as name or path identifies the items if no list in lists, the versions of q in the inputs,
// has a value of it twice. l is the schema's rule for q. A list of kind map, and items that l calls distinct, are not
// checked.
//
//	ours              theirs                  result
//	- path: /new      - path: /old            - path: /new
//	- path: /old      - path: /new            - path: /old
//	                    pages: [/new/more]    - path: /new
//	                                            pages: [/new/more]
func (c *checker) checkRepeatedItems(l schema.List, q nodeVersions, lists []*Node) *Violation {
	// the associative key identifies the items of a map
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
					return duplicate.duplicateViolation(RuleRepeated)
				}
			}
			seen[field+"="+value] = append(seen[field+"="+value], k)
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

// hasRepeated reports whether two items of list n are mappings with an equal scalar in the given field. It returns
// false if n is nil or not a list of mappings. Values that are missing, null or empty are not compared. Scalars are
// compared as text, so that 80 and "80" are equal.
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

// isSameItem reports whether a and b, mappings in one list, are the same item. Their kind and namespace must be equal.
// Of fields, which identify items in this list, an equal name or id is enough. Otherwise the first other field that
// both have must be equal, and name and id must not differ. fields are in the order of syntax.NameFields.
//
//	{name: a, path: /x}    {name: a, path: /y}    true
//	{path: /x, url: u}     {path: /x, url: v}     true
//	{name: a, path: /x}    {name: b, path: /x}    false
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

// maxCoexisting returns how many of nodes, entries with the same name, can be rendered together. In a template, an
// entry in {{ if .a }} and one in its {{ else }} cannot. In other files, and for more than maxCoexistingCompared nodes,
// it returns len(nodes). For three or more nodes, the number may be too high, because only pairs are compared.
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

// eachNodeAndLine calls f for every node of v, in the order of the file, and after a block scalar for each of its lines
// that is not blank, with the scalar as n. hash is equal for equal data at the same path (mapping keys and item names).
// Lines are compared without indentation and, if the scalar is a list item, without the path.
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

// checkMovedItems returns a violation if all inputs contain a list item equally often, and the result less often. This
// can happen if a side moved the item, and one of the two places is in a conflict, or if each side moved a different
// one of equal items to one place. Items are equal if their path and data are; for mappings with a name, such as
// host=a.example, the path is enough. Items in conflicts count, too.
func (c *checker) checkMovedItems() (bad *Violation) {
	eachItem := func(v version, f func(n *Node, hash uint64)) {
		c.docs[v].Walk(func(n *Node) {
			if n.Entry == nil || n.Entry.Key != nil {
				return
			}
			f(n, syntax.CombineHashes(n.Data, n.Addr))
			if name := nodeNameHash(n.Node); name != nameless && n.Kind == syntax.Mapping {
				f(n, n.Addr)
			}
		})
	}
	counts := occurrenceCounts[uint64]{}
	for v := range versions {
		eachItem(v, func(_ *Node, hash uint64) { counts.add(v, hash) })
	}
	var lost nodeVersions
	first := uint64(0)
	for v := range result {
		eachItem(v, func(n *Node, hash uint64) {
			if counts[hash].isLostEverywhere() && (first == 0 || first == hash) {
				first, lost[v] = hash, n
			}
		})
	}
	if first == 0 {
		return nil
	}
	return lost.newViolation(RuleMovedLost, "base, ours and theirs have %s; the result does not", lost[base].Summary())
}

// FindDuplicate returns a violation for the first field, item, document or line of a block scalar that c.Result
// contains more than once and more often than each input, or nil. Copies have equal data and the same path; lines of a
// list item only have to be equal. The violation has no position in the inputs.
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

// checkJSON returns a violation if the inputs are JSON and the result is not, or if it has comments or trailing commas
// that no input has. Empty files, and files of white space, are ignored: it returns nil if the result or all inputs are
// empty.
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
		case isInputSeen && !ok:
			return nodeVersions{}.newViolation(RuleJSON, "base, ours and theirs are JSON, but the result is not")
		case isInputSeen && dialect&^inputDialects != 0:
			extensions := map[text.Dialect]string{text.JSONComments: "comments", text.JSONTrailingCommas: "trailing commas"}
			return nodeVersions{}.newViolation(RuleJSON, "the result has %s, unlike base, ours and theirs",
				cmp.Or(extensions[dialect&^inputDialects], "comments and trailing commas"))
		}
	}
	return nil
}
