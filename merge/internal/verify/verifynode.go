package verify

import (
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// verifyNode returns a violation if the result of q, a field, item or document, is not the three-way merge of the
// inputs. Parts in a conflict are ignored. at is the path of q. Violations of the nodes in q may be recorded in c.found
// instead.
func (c *checker) verifyNode(at *three.Path, q nodeVersions) *Violation {
	b, o, t, r := q[base], q[ours], q[theirs], q[result]
	// an alias, or a template condition around q, can change what q means although its text is the same
	lacksCondition := c.lacksConditionOf(q, ours) || c.lacksConditionOf(q, theirs)
	dependsOnContext := lacksCondition || r != nil && q.hasNode(func(n *Node) bool { return n.HasAlias })
	if dependsOnContext {
		c.record(cmp.Or(c.checkAccess(at, q), c.checkExpanded(q)))
	}
	if !dependsOnContext && q.isTriviallyMerged() && !c.moves.isAroundMoved(b) {
		return nil // the most frequent case, for which equal bytes suffice
	}
	isComparedAsWhole := q.presentIn() != inAll && !q.isPartial() && !q.hasTwoKeyTypes()
	if isComparedAsWhole && q.isMerged() && !c.moves.isAroundMoved(r) {
		return c.checkLineComment(q) // the value is that of the only side that changed q
	}
	switch {
	case o == nil && t == nil && r == nil:
		return nil // both sides deleted it
	case o != nil && t != nil && r != nil:
		return c.verifyInBoth(at, q)
	case o != nil && t != nil:
		return q.newViolation(RuleLost, "ours and theirs have %s; missing from the result", o.Summary())
	case b != nil && r != nil && !q.isPartial(): // a side deleted it
		if _, ok := q.expectedNode(); ok { // and the other side left it unchanged or deleted it, too
			return q.undoneViolation(q.deletedBy())
		}
		return q.newViolation(RuleDeletedAndChanged, "deleted by one side and modified by the other; the result has %s", r.Summary())
	}
	return c.verifyOneSided(at, q)
}

// isTriviallyMerged reports whether the bytes suffice to show that q is merged correctly: at most one side changed the
// bytes, or both in the same way, and the result has these bytes. It returns false if the result lacks q, or if a part
// of q is in a conflict.
func (q nodeVersions) isTriviallyMerged() bool {
	s, ok := three.PickBy(func(a, b version) bool { return identical(q[a], q[b]) })
	return ok && q[result] != nil && !q.isPartial() && identical(q[s], q[result])
}

// hasTwoKeyTypes reports whether both sides added q with equal mapping keys that differ in tag or anchor, such as 1 and
// !!str 1.
func (q nodeVersions) hasTwoKeyTypes() bool {
	return q.isAddedByBoth() && q[ours].FullKeyHash != q[theirs].FullKeyHash
}

// undoneViolation returns the violation that the result still has q, which by, the name of a side or of both, deleted
// or replaced.
func (q nodeVersions) undoneViolation(by string) *Violation {
	return q.newViolation(RuleUndone, "deleted or replaced by %s, but the result still has %s", by, q[result].Summary())
}

// wrongValueViolation returns the violation that the result has another value than expected, a node of a side.
func (q nodeVersions) wrongValueViolation(expected *Node) *Violation {
	return q.newViolation(RuleValue, "expected %s as in %s, found %s", expected.Summary(), expected.Version, q[result].Summary())
}

// conflictViolation returns a violation for q, a value that both sides changed differently, so that it cannot be
// merged.
func (q nodeVersions) conflictViolation() *Violation {
	return q.newViolation(RuleValue, "ours has %s, theirs has %s; cannot be merged automatically", q[ours].Summary(), q[theirs].Summary())
}

// deletedBy returns the names of the sides that lack q, for messages: "ours", "theirs" or "ours and theirs". At least
// one side must lack q.
func (q nodeVersions) deletedBy() string {
	switch {
	case q[ours] == nil && q[theirs] == nil:
		return "ours and theirs"
	case q[ours] == nil:
		return "ours"
	}
	return "theirs"
}

// verifyInBoth returns a violation if q, a node that both sides and the result contain, is not the merge of the inputs.
// If the base has q, q is merged by field (verifyShared). If both sides added q, the result must usually equal the side
// that contains the other (verifyAddedByBoth), except for the only document and for values that a policy chose. Mapping
// keys that both added with different types, such as 1 and !!str 1, are a violation. at is the path of q.
func (c *checker) verifyInBoth(at *three.Path, q nodeVersions) *Violation {
	isDecided := c.decided[q[ours].Node] && c.decided[q[theirs].Node]
	isOnlyDocument := at.Up == nil && c.hasSingleDocuments() // the root of an empty file counts as present
	switch {
	case q.hasTwoKeyTypes() && c.demands(RuleProperty):
		return q.newViolation(RuleProperty, "added by both, with keys of different types")
	case q[base] == nil && !isDecided && !isOnlyDocument: // other additions are merged by field
		return c.verifyAddedByBoth(at, q)
	}
	return c.verifyShared(at, q)
}

// verifyAddedByBoth returns a violation if the result is wrong for q, a node that both sides added. Usually, it must
// equal the side that contains everything in the other one. Maps with names as keys, nodes partly in a conflict, and
// nodes in git's line merge are merged by field instead. at is the path of q.
//
//	ours            theirs           result
//	x: {a: 1}       x: {b: 2}        x: {a: 1, b: 2}         violation
//	labels: {a: 1}  labels: {b: 2}   labels: {a: 1, b: 2}    correct in Kubernetes
func (c *checker) verifyAddedByBoth(at *three.Path, q nodeVersions) *Violation {
	o, t, r := q[ours], q[theirs], q[result]
	switch {
	case r.Data == o.Data && containsAll(o, t), r.Data == t.Data && containsAll(t, o):
		return nil
	case q.isPartial(), c.hasDecided(q), c.moves.isAroundMoved(r): // a part is in a conflict, decided by a policy or moved
		return c.verifyShared(at, q)
	case !c.demands(RuleAddedDifferently), c.differOnlyInNames(at, q): // in git's line merge, or as in labels
		return c.verifyShared(at, q)
	}
	return q.newViolation(RuleAddedDifferently, "ours added %s, theirs added %s", o.Summary(), t.Summary())
}

// hasDecided reports whether a policy chose a value in q (Merge.Decided). q[ours] and q[theirs] must not be nil.
func (c *checker) hasDecided(q nodeVersions) bool {
	return slices.ContainsFunc(c.Decided, func(d three.Nodes) bool {
		isIn := func(s version) bool { return d[s] != nil && q[s].Span.Contains(d[s].Span) }
		return isIn(ours) && isIn(theirs)
	})
}

// verifyShared returns a violation if q, a node that both sides and the result contain, is not the merge of the inputs
// by field, or if both sides together emptied it. If the kinds differ, such as a mapping and a scalar, q is compared as
// a whole (checkKinds). If both sides replaced the node by one of another kind, it counts as added by both. Violations
// of the nodes in q may be recorded in c.found instead. The base may lack q. at is the path of q.
func (c *checker) verifyShared(at *three.Path, q nodeVersions) *Violation {
	b, o, t, r := q[base], q[ours], q[theirs], q[result]
	switch {
	case q.isEmptied() && c.demands(RuleEmptied) && !c.hasResolvedConflict(q):
		return q.newViolation(RuleEmptied, "with the changes of both sides, it is or can be empty")
	case b != nil && b.Kind != o.Kind && o.Kind == t.Kind: // both sides wrote another kind of node in its place
		q[base] = nil
		return c.verifyAddedByBoth(at, q)
	case o.Kind != t.Kind || o.Kind != r.Kind:
		return q.checkKinds()
	}
	c.record(q.checkProperties())
	if x := q.checkBothUndone(); x != nil && !q.isPartial() && c.maker != byLines {
		return x
	}
	return cmp.Or(c.verifyContent(at, q), c.checkLineComment(q))
}

// isEmptied reports whether both sides together emptied mapping or list q: the result has no entries in it, or null,
// although each input has some, and both sides changed q. In a template, it also returns true if the blocks in q can
// leave the result without entries (canBeEmpty), but not an input.
//
//	base      ours    theirs    result
//	[a, b]    [a]     [b]       []        true
func (q nodeVersions) isEmptied() bool {
	b, r := q[base], q[result]
	if b == nil || !r.canBeEmpty() || r.Kind != b.Kind && !r.IsNull() {
		return false
	}
	isConditional := len(r.Children) > 0 // whether it is empty depends on template blocks
	for _, n := range q[:result] {
		wasEmpty := len(n.Children) == 0 || isConditional && n.canBeEmpty()
		isUnchanged := n != b && n.Data == b.Data
		if n.Kind != b.Kind || wasEmpty || isUnchanged && !isConditional {
			return false
		}
	}
	return true
}

// canBeEmpty reports whether n can be without children, because it has none, or because a template can leave out all of
// them. Each child must be in a template block. The blocks must not be such that one of them is always rendered: a
// block and its {{ else }}, or a condition and its negation. A child in nested blocks counts as one that can be left
// out.
func (n *Node) canBeEmpty() bool {
	var conditional [][]template.Level // the block around each child that is in exactly one
	for i := range n.Children {
		switch levels := n.Children[i].Entry.OwnLevels(); len(levels) {
		case 0:
			return false
		case 1:
			conditional = append(conditional, levels)
		}
	}
	conditional = conditional[:min(len(conditional), maxCoexistingCompared)] // more are not compared
	for _, a := range conditional {
		isOpposite := func(b []template.Level) bool { // one of a and b is certainly rendered
			// exclusive branches of one block can both be left out, unless b is "if .a / else" and not "else if .b"
			isElse := elseOf(b[0]) == syntax.BranchSeparator+"else"
			return template.AreExclusive(a, b) && (isElse || a[0].Condition() != b[0].Condition())
		}
		if slices.ContainsFunc(conditional, isOpposite) {
			return false
		}
	}
	return true
}

// checkKinds verifies q, which has different kinds in the versions, such as a mapping in place of a scalar, and can
// only be merged as a whole. It returns a violation if the result does not have the data of the side that changed q. If
// both sides changed q differently, every result is a violation.
func (q nodeVersions) checkKinds() *Violation {
	b, r := q[base], q[result]
	expected, ok := q.expectedNode()
	switch {
	case !ok || q.isPartial():
		return q.newViolation(RuleValue, "ours has %s and theirs has %s, but the result has %s", q[ours].Summary(), q[theirs].Summary(), r.Summary())
	case expected.Data == r.Data:
		return nil
	case b != nil && r.Data == b.Data:
		return q.undoneViolation(expected.Version.String())
	}
	return q.wrongValueViolation(expected)
}

// checkProperties returns a violation unless the mapping key, anchor and tag of the result are the merge of those of
// the inputs. The three are merged as one value: if ours changed the anchor and theirs the tag, every result is a
// violation. Equal mapping keys with different tags or anchors are different here.
func (q nodeVersions) checkProperties() *Violation {
	type properties struct {
		anchor, tag string
		key         uint64
	}
	byVersion := mapVersions(q, func(n *Node) properties { return properties{n.Anchor, n.TagText, n.FullKeyHash} })
	if want, ok := choose(byVersion); !ok || want != byVersion[result] {
		return q.newViolation(RuleProperty, "the key, anchor or tag is not the merge of ours and theirs")
	}
	return nil
}

// checkBothUndone returns a violation if both sides changed the data of q (its values, tags and anchors), but the
// result still has that of the base. It does not matter whether the sides made the same change. It returns nil if a
// version lacks q.
func (q nodeVersions) checkBothUndone() *Violation {
	r, hashes := q[result], q.dataHashes()
	isUndone := hashes[result] == hashes[base] && !slices.Contains(hashes[ours:result], hashes[base])
	if !isUndone || slices.Contains(q[:], nil) {
		return nil
	}
	// for documents that consist of the same field, the message shows the field
	isOtherNode := func(n *Node) bool {
		return n.Entry != nil || n.Kind != syntax.Mapping || len(n.Children) != 1 || n.Children[0].KeyHash != r.Children[0].KeyHash
	}
	if !q.hasNode(isOtherNode) {
		r = &r.Children[0]
	}
	return q.newViolation(RuleUndone, "modified by both, but the result still has the value of base: %s", r.Summary())
}

// verifyContent returns a violation if the contents of q are not the merge of the inputs: the value of a scalar or
// alias, the order of the children of a mapping or list, or an atomic list as a whole. Other violations in a mapping or
// list are recorded in c.found: of its children, and of fields that must not be combined (checkUnits, checkAccess). All
// versions of q have the same kind; only the base may lack q. at is the path of q.
func (c *checker) verifyContent(at *three.Path, q nodeVersions) *Violation {
	switch q[result].Kind {
	case syntax.Mapping:
		c.record(c.checkUnits(at, q))
		c.record(c.checkAccess(at, q))
		by, _ := c.pairingOf(at, q)
		return c.newCollection(at, q, by).verify()
	case syntax.Sequence:
		return c.verifyList(at, q)
	}
	return c.verifyScalar(at, q)
}

// verifyScalar returns a violation if the value of q, a scalar or an alias, is not the merge of the inputs. If at most
// one side changed it, or both in the same way, the result must have this value; in git's line merge, only the line
// breaks at the end of a text are compared. If both sides changed it differently, only an image reference or a longer
// text can be merged. A value that a policy chose is not verified. at is the path of q.
func (c *checker) verifyScalar(at *three.Path, q nodeVersions) *Violation {
	hashes := mapVersions(q, func(n *Node) uint64 { return n.BareHash })
	want, ok := choose(hashes)
	switch {
	case c.decided[q[ours].Node] && c.decided[q[theirs].Node]: // a policy chose the value
		return nil
	case !ok || q.isPartial(): // an image is merged by its parts, a text by its lines
		if x, isImage := c.verifyImage(at, q); isImage {
			return x
		}
		return c.verifyText(q)
	case want == hashes[result]:
		return nil
	case c.maker == byLines: // git copied the line of a side; checkLineParents verifies its place
		return q.checkTextEnd()
	}
	expected := q[ours]
	if want == hashes[theirs] {
		expected = q[theirs]
	}
	return q.wrongValueViolation(expected)
}

// An imageRef is a container image reference: its name and its version (tag or digest).
type imageRef struct{ name, version string }

// verifyImage verifies q as a container image, whose name and version are merged separately: a/app:1, a/app:2 and
// b/app:1 in base, ours and theirs give b/app:2. isImage is false if q cannot be merged in this way; bad is then nil.
// at is the path of q.
func (c *checker) verifyImage(at *three.Path, q nodeVersions) (bad *Violation, isImage bool) {
	if q.isPartial() || slices.Contains(q[:], nil) {
		return nil, false
	}
	refs := mapVersions(q, func(n *Node) (r imageRef) { // empty if the text differs from the value
		file := c.files[n.Version]
		if at, ok := n.Node.Image(file); ok {
			r = imageRef{string(file.Slice(at.Name)), string(file.Slice(at.Version))}
		}
		return r
	})
	if slices.Contains(refs[:], imageRef{}) || !c.Rules.IsImage(at.Place()) {
		return nil, false
	}
	name, hasName := choose([versions]string{refs[base].name, refs[ours].name, refs[theirs].name})
	version, hasVersion := choose([versions]string{refs[base].version, refs[ours].version, refs[theirs].version})
	if !hasName || !hasVersion || syntax.Program(name) != syntax.Program(refs[base].name) {
		return nil, false
	}
	// a plain value such as 1:20 may be read as a number
	if r := q[result]; refs[result] != (imageRef{name, version}) || r.Style == syntax.Plain && syntax.IsAmbiguous(r.Value) {
		return q.newViolation(RuleValue, "expected the image %q with the version %q, found %s", name, version, r.Summary()), true
	}
	return nil, true
}

// verifyOneSided returns the violation for q, a node that at most one side has and whose result is wrong: invented
// (neither side has it), lost or altered (only one side added it), or deleted by one side and changed by the other. If
// only the result and one input have q, both with children, it verifies the children instead, and records a violation
// for each wrong one. It returns nil for git's line merge. at is the path of q.
func (c *checker) verifyOneSided(at *three.Path, q nodeVersions) *Violation {
	r, n := q[result], cmp.Or(q[ours], q[theirs])
	switch {
	case c.maker == byLines:
		return nil
	case q.isDivisible():
		return c.verifyDivided(at, q)
	case n == nil && r.Entry != nil:
		return q.newViolation(RuleInvented, "neither ours nor theirs added %s", r.Entry.Summary())
	case n == nil:
		return q.newViolation(RuleInvented, "neither ours nor theirs added %s", r.Summary())
	case q[base] != nil:
		return q.newViolation(RuleDeletedAndChanged, "deleted by %s, modified by %s to %s", n.Version.Other(), n.Version, n.Summary())
	case r == nil:
		return q.newViolation(RuleLost, "%s has %s; missing from the result", n.Version, n.Summary())
	}
	return q.wrongValueViolation(n)
}

// isDivisible reports whether the children of q can be verified one by one, so that a violation can name the child that
// differs. The result and exactly one input contain q, as nodes of one kind, and both have children.
func (q nodeVersions) isDivisible() bool {
	inputs := q.presentIn() &^ inResult
	isInOneInput := inputs == inBase || inputs == inOurs || inputs == inTheirs
	if !isInOneInput || q[result] == nil {
		return false
	}
	n, r := q.anyNode(), q[result] // anyNode prefers inputs
	return n.Kind == r.Kind && len(n.Children) > 0 && len(r.Children) > 0
}

// verifyDivided verifies the children of q one by one, to name those that differ. q, whose path is at, is a mapping or
// list of one input that has other contents in the result. It records the violations of children in c.found. If only
// their order differs, it returns this violation.
func (c *checker) verifyDivided(at *three.Path, q nodeVersions) *Violation {
	by := pairing{ID: c.moves.byValue, isByValue: true}
	if q.anyNode().Kind == syntax.Mapping {
		by.ID = c.withGuard(q, ByKey)
	}
	foundBefore := len(c.found)
	x := c.newCollection(at, q, by).verify()
	onlyOrderDiffers := x == nil && len(c.found) == foundBefore && !q.isPartial()
	if onlyOrderDiffers && c.demands(RuleOrder) && !c.moves.isAroundMoved(q[result]) {
		return q.wrongValueViolation(q.anyNode())
	}
	return x
}

// checkDocuments verifies all documents of the result with everything in them. It records the violations in c.found,
// such as a lost, invented or changed document, and only returns one about the order of documents; nil does not mean
// that there is none. Documents match by the kind and name of their resource or, if several have no name, by their
// values. If no input has more than one document, they match in any case, and a blank document equals none: it is
// removed from c.docs.
func (c *checker) checkDocuments() *Violation {
	if c.hasSingleDocuments() {
		for _, docs := range c.docs {
			if len(docs.Children) == 1 && docs.Children[0].IsBlank() {
				docs.Children = nil
			}
		}
	}
	by, _ := c.pairingOf(nil, c.docs)
	return c.newCollection(nil, c.docs, by).verify()
}

// verifyList returns a violation if the order of list q is wrong, or if q is merged as a unit (atomic) and does not
// have the value of the side that changed it, or both changed it differently. In git's line merge, the value of either
// side is accepted. An atomic list is not compared as a whole if a part is in a conflict or a template block.
// Violations of items, and of references between them, are recorded in c.found. Only the base may lack q. at is its
// path.
func (c *checker) verifyList(at *three.Path, q nodeVersions) *Violation {
	by, atomic := c.pairingOf(at, q)
	isUnguarded := func(n *Node) bool { return len(c.guardOf(n)) == 0 } // not in a template block
	if atomic && !q.isPartial() && q.allChildren(isUnguarded) {
		switch expected, ok := q.expectedNode(); {
		// git's line merge may have copied the list of one side; its items are verified below
		case !ok && (c.maker != byLines || !q.isCopyOfSide()):
			return q.newViolation(RuleUnit, "ours and theirs changed the list differently, and the list is merged as a unit")
		case ok && c.demands(RuleValue) && expected.Data != q[result].Data:
			return q.newViolation(RuleValue, "the list is merged as a unit; expected the list of %s", expected.Version)
		}
	}
	c.record(c.checkReferences(at, q))
	return c.newCollection(at, q, by).verify()
}

// pairingOf returns by what the children of q match in different versions: mapping keys, names of resources,
// associative keys or values. atomic reports whether q is a list that is merged as one value. at is the path of q, nil
// for the documents.
func (c *checker) pairingOf(at *three.Path, q nodeVersions) (by pairing, atomic bool) {
	switch {
	case at == nil && c.hasSingleDocuments(): // they all match
		return pairing{ID: func(*Node) uint64 { return 1 }, isUnique: true}, false
	case at != nil && q.anyNode().Kind == syntax.Mapping: // fields; in a template, repeated ones also by their blocks
		return pairing{ID: c.withGuard(q, ByKey), isUnique: true}, false
	case at == nil, at.IsItems() && q.allChildren(IsResource): // resources, by kind and name
		return pairing{ID: c.resourceIdentity(q), isUnique: true}, false
	case c.expected != nil: // the rules of kustomize or kubectl say how the items match; other lists are atomic
		l, hasKind := c.expected.ListKinds[q[ours].Node]
		return pairing{ID: q.disambiguate(listItemID(l), dataOf), isUnique: hasKind, isByValue: !hasKind}, !hasKind
	}
	l := c.Rules.ListAt(at.Place(), q.inputNodes()...)
	// items of a map by the associative key that the schema defines or that was inferred, items of a set by value
	if l.Kind == schema.Map || l.Kind == schema.Set {
		return pairing{ID: c.withGuard(q, listItemID(l)), isUnique: !l.IsGuess(), isOrdered: l.OrderMatters}, false
	}
	return pairing{ID: c.withGuard(q, ByValue), isByValue: true, isOrdered: true}, l.Kind == schema.Atomic
}

// A collection is a mapping, a list or the documents of a file, with its children in all versions.
type collection struct {
	*checker
	at      *three.Path // nil for the documents
	nodes   nodeVersions
	by      pairing  // how the children are matched
	matches []*match // the children
}

// newCollection returns the collection with these nodes, whose path is at, or nil for the documents. by says which of
// its children match.
func (c *checker) newCollection(at *three.Path, nodes nodeVersions, by pairing) *collection {
	return &collection{c, at, nodes, by, c.match(nodes, by)}
}

// verify verifies the children of c: their values, copies, replacements and template blocks. It records the violations
// in c.found. In merges by field, it also verifies their order, and returns a violation of it, or nil.
func (c *collection) verify() *Violation {
	c.record(c.checkCopies())
	c.checkRepeatedKeys(c.matches)
	for _, k := range c.matches {
		if c.isDone() {
			return nil
		}
		c.recordRenamed(k)
		c.record(c.verifyMember(k))
		c.checkMixed(c.at, k, c.matches)
	}
	isSingleDocument := c.at == nil && c.hasSingleDocuments()
	if c.isTemplate() && !isSingleDocument { // blocks around a single document are verified as blocks around its fields
		c.record(c.checkGuards(c.matches))
	}
	mayHaveReplaced := c.at != nil || !isSingleDocument && !c.isTemplate() // blocks of a template can add a document
	if mayHaveReplaced && c.maker&(byFields|byLines) != 0 {
		c.record(c.checkReplaced())
	}
	if c.maker != byFields {
		return nil
	}
	ordered := slices.DeleteFunc(slices.Clone(c.matches), c.isMoved)
	if c.by.isOrdered {
		if x := c.nodes.checkBothOrders(ordered); x != nil {
			return x
		}
	}
	return checkOrder(ordered, c.nodes.isPartial())
}

// checkCopies returns a violation if the merge depends on which of several equal children a side deleted or added, so
// that a person has to decide.
//
//	base    [a, b, a]    ours deleted the first a
//	ours    [b, a]       theirs deleted the last a
//	theirs  [a, b]       violation: which a remains?
func (c *collection) checkCopies() *Violation {
	bothDeletedCopies := func(k *match) bool { // in template blocks, a field can be repeated
		n := k.counts
		return min(n[ours], n[theirs]) > 0 && max(n[ours], n[theirs]) < n[base] && len(c.guardOf(k.nodes.anyNode())) > 0
	}
	areNamelessDocuments := c.at == nil && c.nodes.allChildren(func(n *Node) bool { return !IsResource(n) }) // these match by value, too
	mayBeSplit := c.by.isByValue || areNamelessDocuments || slices.ContainsFunc(c.matches, bothDeletedCopies)
	if !mayBeSplit || c.hasResolvedConflict(c.nodes) {
		return nil
	}
	var members [versions][]*Node
	for v := range versions {
		members[v] = c.nodes.members(v)
	}
	return align(members, c.by.ID).checkSplitDuplicates()
}

// verifyMember returns a violation if the result of k, a child of c, is not the merge of the inputs (verifyNode). Some
// children have weaker checks. Of a child in a conflict, only the changes that both sides made are verified; of an item
// without a name beside a conflict that a person resolved, only its addition or deletion; and of equal copies, only
// their number. In git's line merge, a child that one side deleted may remain if it can be another copy.
func (c *collection) verifyMember(k *match) *Violation {
	isOnlyInResult := k.nodes.presentIn() == inResult
	isDeletedByOne := (k.nodes[ours] == nil) != (k.nodes[theirs] == nil)
	isIdentifiedByData := k.key == k.nodes.anyNode().Data // an item without a name
	at := k.nodes.anyNode().PathUnder(c.at, c.File)
	switch {
	case k.hasMasked: // a conflict decides about it
		return k.nodes.checkBothUndone()
	case c.hasResolvedConflict(c.nodes) && (isIdentifiedByData || k.key == 0): // a person may have edited it into another item
		return c.verifyBesideResolved(at, k, c.matches)
	case c.maker == byLines && k.nodes[result] == nil && k.counts.bothRemovedCopy(): // each side removed another copy
		return k.nodes.splitDuplicateViolation()
	case c.maker == byLines && isDeletedByOne && (c.nodes.isPartial() || k.hasSeveral()):
		return nil // what the result has may be another copy, or the copy in a conflict
	case k.hasSeveral() && isIdentifiedByData && k.counts.isExpectedAtOnePlace(): // equal children cannot be distinguished
		return nil
	case isOnlyInResult && k.counts.exceedsInputs(): // a further copy
		return k.duplicateViolation(c.by)
	}
	x := c.verifyNode(at, k.nodes)
	if x != nil && isOnlyInResult { // its position in the inputs is that of the collection
		spans := c.nodes.spans()
		copy(x.At[:result], spans[:])
	}
	return x
}

// verifyBesideResolved verifies k, an item beside a conflict that a person resolved in any way. It returns a violation
// if the result lacks k, which one side added, or still has k, which one side deleted. Changes of k are not verified.
// If another item is partly in the conflict and may be k, it returns nil. matches are the members of the list, and at
// is the path of k.
func (c *checker) verifyBesideResolved(at *three.Path, k *match, matches []*match) *Violation {
	in := k.nodes.presentIn()
	isLost := in == inOurs || in == inTheirs
	isUndone := (in == inAll&^inOurs || in == inAll&^inTheirs) && !k.hasSeveral()
	// an item partly in the conflict that does not match in all inputs may be the same item as k
	mayBeSame := func(m *match) bool { return m.nodes.isPartial() && slices.Contains(m.nodes[:result], nil) }
	switch {
	case !isLost && !isUndone || slices.ContainsFunc(matches, mayBeSame):
		return nil
	case isLost:
		return c.verifyOneSided(at, k.nodes)
	}
	return k.nodes.undoneViolation(k.nodes.deletedBy())
}

// duplicateViolation returns the violation for k, a further copy of a child that the result contains too often. In each
// input, it has the position of the first child with the same identity. Its rule is RuleDuplicate if the child has a
// name that must be unique, such as a mapping key, and otherwise RuleRepeated.
func (k *match) duplicateViolation(by pairing) *Violation {
	q := k.matches[0].nodes
	q[result] = k.nodes[result]
	if hasName := k.key != q[result].Data; by.isUnique && hasName {
		return q.duplicateViolation(RuleDuplicate)
	}
	return q.duplicateViolation(RuleRepeated)
}
