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

// checkDuplicates returns a violation if the result contains a duplicate: a document, field or item that occurs more
// than once and more often than in each input. It returns nil if there is none. In templates, documents are not
// compared, because blocks such as {{ if .a }} can select one of several. Instead, it is also a violation if an output
// line, such as {{ include "x" . }}, is duplicated, or prints left of all entries as in no input.
func (c *checker) checkDuplicates() *Violation {
	if c.isTemplate() { // blocks select documents
		if r := c.record(c.checkOutputLines()); r != nil {
			return r
		}
	} else {
		if r := c.checkDuplicatesBy(c.docs, resourceHash); r != nil {
			return r
		}
		if r := c.record(c.checkRepeatedItems(schema.List{}, c.docs, c.docs[:result])); r != nil {
			return r
		}
	}
	return c.checkDuplicatesBelow(nil, c.docs)
}

// checkDuplicatesBelow returns a violation if a mapping or list at any depth below q[result] contains a duplicate: a
// field or item that occurs more often than in each input. It returns nil if there is none. q[result] itself is not
// checked. q[result] is not nil; the inputs may lack the node. at is the path of q, or nil for the documents. Children
// of the result match the inputs' children with the same name (mapping key, or name of an item); several with one name
// match in order. Children that are equal to a child of an input are skipped, with all their contents.
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
			r = c.record(c.checkRepeatedItems(l, aligned, candidates))
			for _, field := range c.Rules.UniqueFields(path.Place()) {
				name, only, _ := strings.Cut(field, "=")
				r = cmp.Or(r, c.checkDuplicatesBy(aligned, func(n *Node) uint64 {
					if x := n.ScalarAt(name); only == "" || x == only {
						return hashIfSet(x)
					}
					return 0
				}))
			}
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

// duplicateID returns a function that gives each child of q an id, by which duplicates are found. It returns nil if
// q[result] is a scalar, an alias, or a list with fewer than two items, which can have no duplicates. at is the path of
// q. The function returns 0 for a child that may occur any number of times.
//
//	field of a mapping                        mapping key; 0 for merge keys (<<)
//	item of a kind: List                      kind, namespace, name and API version; 0 if it is not a resource
//	item with an associative key              its value
//	other item with children, in a file
//	  without conflicts                       its data: values, tags and anchors
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

// checkDuplicatesBy returns a violation if the result of q contains children with the same id more than once and more
// often than each input, and otherwise nil. It has the position of the second copy in the result, or of a further one,
// and of the first copy in each input. Children with id 0 are ignored. If id is nil, there is no violation. There are
// two exceptions:
//
//   - In templates, fields or items in blocks that exclude each other ({{ if .a }} and its {{ else }}) count as one.
//   - If the id of a child is its data, all children between two copies must be duplicates, too. With one x and one y
//     in the inputs, x, x, y is a violation, and x, y, x is not.
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
		if !isRepeated || !excess[key] || key == children[i].Data && lastOther > at && len(byID[base][key]) > 0 {
			continue
		}
		duplicate := nodeVersions{result: &children[i]}
		for v := range result {
			if same := byID[v][key]; len(same) > 0 {
				duplicate[v] = same[0]
			}
		}
		return duplicate.duplicateViolation(ruleDuplicate)
	}
	return nil
}

// checkRepeatedItems returns a violation if list q of the result has the same item in two places, and no list of the
// inputs has two such items. Otherwise it returns nil. Two items are the same if they have equal identifying fields,
// such as path:
//
//	ours              theirs                  result
//	- path: /new      - path: /old            - path: /new
//	- path: /old      - path: /new            - path: /old
//	                    pages: [/new/more]    - path: /new
//	                                            pages: [/new/more]
//
// A field identifies items if it is one of name, id, path, key, host, url, title, href and slug, and has no value twice
// within one of lists. lists are the versions of q in the inputs, and other lists of the inputs that may be versions of
// it; they may be nil. l is the rule of the schema for the list. The result is always nil for lists with an associative
// key (kind map), as the key identifies their items. Two items are not compared if l says that they are distinct, or if
// they are in template blocks that exclude each other. Of items with equal values in a field, only the first
// maxCoexistingCompared + 1 (65) are compared.
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
					return duplicate.duplicateViolation(ruleRepeated)
				}
			}
			seen[field+"="+value] = append(seen[field+"="+value], k)
		}
	}
	return nil
}

// identifyingFields returns those of the fields name, id, path, key, host, url, title, href and slug that identify
// items in lists: no list has two items with an equal value in the field. They are in this order. It returns all of
// them if lists is empty, and nil if no field identifies items. Elements of lists may be nil.
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

// isSameItem reports whether a and b, mappings in one list, are the same item. fields are the fields that identify
// items in the list, in the order name, id, path, key, host, url, title, href, slug. A field that is missing, null or
// not a scalar has the value "". The first matching case applies:
//
//	the values of kind or of namespace differ, also
//	  if only one item has the field                        false
//	name or id is in fields and equal, and not ""           true
//	name or id is in fields and differs, and neither is ""  false
//	another of fields is not "" in both items               whether the first of these is equal
//	otherwise                                               false
//
// For example, {title: Home, path: /home} and {title: Start, path: /home} are the same, because path comes before title
// in fields, and neither has a name or an id.
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

// findItem returns the first item of n that is a mapping with value, which is not "", as a scalar in the given field.
// It returns nil if there is none, or if n is nil. The item is the one in n.Children, not a copy.
func (n *Node) findItem(field, value string) *Node {
	children := n.GetChildren()
	i := slices.IndexFunc(children, func(k Node) bool { return k.fieldValue(field) == value })
	if i < 0 {
		return nil
	}
	return &children[i]
}

// duplicateViolation returns a violation of rule r: the result contains q more often than each input. It has the
// positions of q.
func (q nodeVersions) duplicateViolation(r rule) *Violation {
	return q.newViolation(r, "the result has more copies than base, ours or theirs")
}

// maxCoexistingCompared is the maximum number of nodes that maxCoexisting compares. Files rarely have more than a few
// of a name.
const maxCoexistingCompared = 64

// maxCoexisting returns how many of nodes, entries with the same name, can be rendered together:
//
//   - In files that are not templates, these are all. So are more than maxCoexistingCompared nodes.
//   - In templates, the blocks around two entries may exclude each other: of an entry in {{ if .a }} and one in its
//     {{ else }}, only one can be rendered. Entries are compared in pairs, so the number may be too high for three or
//     more.
//
// It returns 0 if nodes is empty.
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

// eachNodeAndLine calls f for every node of v, including the list of documents, in the order of the file. After a block
// scalar, it calls f for each of its lines that is not blank, with the scalar as n. hash depends on the call:
//
//	a node                                         its data (values, tags and anchors) and its path of mapping keys
//	                                                 and item names
//	a line of a field's scalar, or of a document   its text without the scalar's indentation, and the path of the scalar
//	a line of an item's scalar                     its text without the scalar's indentation
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

// checkMovedItems returns a violation if the result lacks a list item that each input contains once. Items are compared
// by their path (mapping keys and item names) and by their data (values, tags and anchors); mappings with a name, such
// as host=a.example, also by their path only. If there are several such items, the violation is that of the first one
// in the base. Otherwise it returns nil. It also returns nil for files without conflicts. In files with conflicts, a
// side may have moved the item within its list. If its old or its new place is in a conflict, the result can lack it in
// both places.
func (c *checker) checkMovedItems() (bad *Violation) {
	if len(c.Conflicts) == 0 {
		return nil
	}
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
	return lost.newViolation(ruleMovedLost, "base, ours and theirs have %s; missing from the result", lost[base].Summary())
}

// FindDuplicate returns a violation if a field, an item, a line of a block scalar or a document occurs in c.Result more
// than once and more often than in each input. It returns nil if there is none, and the first one if there are several.
// Occurrences are counted together if they have the same path (mapping keys and item names) and equal values, tags and
// anchors. The violation has a position in the result only. Templates are checked like other files.
func FindDuplicate(c Merge) (bad *Violation) {
	k := newChecker(c, byFields)
	counts, hasRepeated := occurrenceCounts[uint64]{}, false
	k.eachNodeAndLine(result, func(_ *Node, hash uint64) {
		counts.add(result, hash)
		hasRepeated = hasRepeated || counts[hash][result] > 1
	})
	if !hasRepeated {
		return nil
	}
	for v := range result {
		k.eachNodeAndLine(v, func(_ *Node, hash uint64) { counts.add(v, hash) })
	}
	k.eachNodeAndLine(result, func(n *Node, hash uint64) {
		if bad == nil && n != k.docs[result] && counts[hash].exceedsInputs() {
			bad = nodeVersions{result: n}.duplicateViolation(ruleDuplicate)
		}
	})
	return bad
}

// checkJSON returns a violation if all inputs that are not empty are JSON, and the result is not, or has comments or
// trailing commas that no input has. Otherwise it returns nil. It also returns nil if the result or all inputs are
// empty. A file of white space counts as empty.
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
			return nodeVersions{}.newViolation(ruleJSON, "base, ours and theirs are JSON, but the result is not")
		case isInputSeen && dialect&^inputDialects != 0:
			extensions := map[text.Dialect]string{text.JSONComments: "comments", text.JSONTrailingCommas: "trailing commas"}
			return nodeVersions{}.newViolation(ruleJSON, "the result has %s, unlike base, ours and theirs",
				cmp.Or(extensions[dialect&^inputDialects], "comments and trailing commas"))
		}
	}
	return nil
}
