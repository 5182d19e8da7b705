package verify

import (
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// isTriviallyMerged reports whether one side left q alone, or both made the same of it,
// and the result has the other's very bytes.
func (q nodeVersions) isTriviallyMerged() bool {
	b, o, t, r := q[base], q[ours], q[theirs], q[result]
	switch {
	case r == nil || q.isPartial():
		return false
	case identical(b, o):
		return identical(t, r)
	}
	return (identical(b, t) || identical(o, t)) && identical(o, r)
}

// verifyNode verifies one thing: a change that one side made, or both alike,
// is in the result, and nothing else is.
func (c *checker) verifyNode(at *three.Path, q nodeVersions) *Violation {
	if q.isTriviallyMerged() {
		return nil
	}
	hashes := q.dataHashes()
	want, ok := choose(hashes)
	ok = ok && !q.isPartial()
	presentIn := q.presentIn()
	if ok && presentIn != inAll && presentIn&^inBase != 0 && want == hashes[result] && !q.hasTwoKeyTypes() {
		return c.checkWritten(q)
	}
	switch presentIn {
	case 0, inBase:
		return nil
	case inAll, inAll &^ inBase:
		return c.verifyInBoth(at, q)
	case inOurs | inTheirs, inBase | inOurs | inTheirs:
		return q.newViolation(ruleLost, "ours and theirs have %s, it is gone", q[ours].Summary())
	case inBase | inResult, inBase | inOurs | inResult, inBase | inTheirs | inResult:
		if ok {
			return q.newViolation(ruleUndone, "one side deleted it, but the result has %s", q[result].Summary())
		}
		if !q.isPartial() {
			return q.newViolation(ruleDeletedAndChangedKept, "one side deleted it and the other changed it; the result has %s", q[result].Summary())
		}
	}
	return c.verifyOneSided(at, q)
}

// hasTwoKeyTypes reports whether both sides added q, under keys of two types.
func (q nodeVersions) hasTwoKeyTypes() bool {
	return q.presentIn()|inResult == inAll&^inBase && q[ours].FullKeyHash != q[theirs].FullKeyHash
}

// verifyInBoth verifies what both sides and the result have.
func (c *checker) verifyInBoth(at *three.Path, q nodeVersions) *Violation {
	decided := c.decided[q[ours].Node] && c.decided[q[theirs].Node]
	switch {
	case q.hasTwoKeyTypes() && c.demands(ruleKeyType):
		return q.newViolation(ruleKeyType, "ours and theirs added it under keys of two types")
	case q[base] == nil && !decided && !(at.Up == nil && c.hasSingleDocuments()): // an empty file has the root of its document, too
		return c.verifyAddedByBoth(at, q)
	}
	return c.verifyShared(at, q)
}

// verifyOneSided refuses q, which the result lacks or has alone, or has otherwise than the one
// version that has it: what is wrong in that.
func (c *checker) verifyOneSided(at *three.Path, q nodeVersions) *Violation {
	b, r := q[base], q[result]
	n := cmp.Or(q[ours], q[theirs])
	switch {
	case c.maker == byLines: // where its lines are says more
		return nil
	case q.isDivisible():
		by := pairing{ID: ByValue, isByValue: true}
		if q.anyNode().Kind == syntax.Mapping {
			by.ID = c.withGuard(q, ByKey)
		}
		before := len(c.found)
		if x := c.verifyCollection(at, q, by); x != nil || q.isPartial() || len(c.found) > before {
			return x
		}
	case n == nil && r != nil && r.Entry != nil:
		return q.newViolation(ruleInvented, "no change of ours or theirs explains %s", r.Entry.Summary())
	case n == nil && r != nil:
		return q.newViolation(ruleInvented, "no change of ours or theirs explains %s", r.Summary())
	case n == nil:
		return nil
	case b != nil:
		return q.newViolation(ruleDeletedAndChanged, "%s changed it to %s, %s deleted it", n.Version, n.Summary(), n.Version.Other())
	case r == nil:
		return q.newViolation(ruleLost, "%s has %s, which the result lacks", n.Version, n.Summary())
	}
	return q.newViolation(ruleValue, "expected %s, which %s has, found %s", n.Summary(), n.Version, r.Summary())
}

// isDivisible reports whether just two versions have q, as collections of one kind.
func (q nodeVersions) isDivisible() bool {
	n, kind := 0, q.anyNode().Kind
	for _, x := range q {
		if x != nil && (len(x.Children) == 0 || x.Kind != kind) {
			return false
		}
		if x != nil {
			n++
		}
	}
	return n == 2 && q[result] != nil
}

// verifyAddedByBoth holds what both sides added under one name: the result is the one
// that holds all of the other, or has all of both in a map of strings.
func (c *checker) verifyAddedByBoth(at *three.Path, q nodeVersions) *Violation {
	o, t, r := q[ours], q[theirs], q[result]
	switch {
	case r.Data == o.Data && containsAll(o, t), r.Data == t.Data && containsAll(t, o):
		return nil
	case q.isPartial(), !c.demands(ruleAddedDifferently), c.differOnlyInNames(at, q):
		return c.verifyShared(at, q)
	}
	return q.newViolation(ruleAddedDifferently, "ours added %s, theirs %s", o.Summary(), t.Summary())
}

// verifyShared holds what is in q, which all have but perhaps the base.
func (c *checker) verifyShared(at *three.Path, q nodeVersions) *Violation {
	b, o, t, r := q[base], q[ours], q[theirs], q[result]
	switch {
	case b != nil && b.Kind != o.Kind && o.Kind == t.Kind:
		return c.verifyBothReplaced(at, q)
	case o.Kind != t.Kind || o.Kind != r.Kind:
		if want, ok := choose(q.dataHashes()); !ok || want != r.Data || q.isPartial() {
			return q.newViolation(ruleValue, "expected %s or %s, found %s", o.Summary(), t.Summary(), r.Summary())
		}
		if x := c.checkWritten(q); x != nil || b == nil || !c.demands(ruleLineComment) {
			return x
		}
		return c.checkLineComment(q)
	}
	if x := c.record(q.checkProperties()); x != nil {
		return x
	}
	if x := q.checkReset(); x != nil && !q.isPartial() && c.demands(x.rule) {
		return x
	}
	if x := c.verifyContent(at, q); x != nil {
		return x
	}
	return c.checkFormat(q)
}

// checkReset refuses what base has in the place of two edits.
func (q nodeVersions) checkReset() *Violation {
	b, o, t, r := q[base], q[ours], q[theirs], q[result]
	if slices.Contains(q[:], nil) || b.Data != r.Data || b.Data == o.Data || b.Data == t.Data {
		return nil
	}
	return q.newViolation(ruleBothUndone, "both sides changed it, but the result has what base has: %s", r.Summary())
}

// verifyContent holds what is in q, which is of one kind.
func (c *checker) verifyContent(at *three.Path, q nodeVersions) *Violation {
	switch b, r := q[base], q[result]; r.Kind {
	case syntax.Mapping:
		if b != nil && len(r.Children) == 0 && min(len(b.Children), len(q[ours].Children), len(q[theirs].Children)) > 0 && c.demands(ruleEmptied) {
			return q.newViolation(ruleEmptied, "each side removed a part of it, and nothing is left")
		}
		if x := c.record(c.checkOneOf(at, q)); x != nil {
			return x
		}
		if x := c.record(c.checkMultiplied(at, q)); x != nil {
			return x
		}
		by, _ := c.pairingOf(at, q)
		return c.verifyCollection(at, q, by)
	case syntax.Sequence:
		return c.verifyList(at, q)
	}
	return c.verifyScalar(at, q)
}

// verifyBothReplaced holds what both sides made a collection of that was none: they added it.
func (c *checker) verifyBothReplaced(at *three.Path, q nodeVersions) *Violation {
	q[base] = nil
	if want, ok := choose(q.dataHashes()); ok && want == q[result].Data && !q.isPartial() {
		return c.checkWritten(q)
	}
	if q[result].Kind != q[ours].Kind || len(q[result].Children) == 0 {
		return q.newViolation(ruleValue, "ours has %s, theirs %s, found %s", q[ours].Summary(), q[theirs].Summary(), q[result].Summary())
	}
	return c.verifyAddedByBoth(at, q)
}

// checkProperties holds anchors and written tags, which belong to the node, and keys.
func (q nodeVersions) checkProperties() *Violation {
	type properties struct {
		anchor, tag string
		key         uint64
	}
	byVersion := mapVersions(q, func(n *Node) properties { return properties{n.Anchor, n.TagText, n.FullKeyHash} })
	if want, ok := choose(byVersion); !ok || want != byVersion[result] {
		return q.newViolation(ruleProperty, "its key, anchor or tag is not that of ours or theirs")
	}
	return nil
}

// verifyScalar holds a scalar or an alias.
func (c *checker) verifyScalar(at *three.Path, q nodeVersions) *Violation {
	hashes := mapVersions(q, func(n *Node) uint64 { return n.BareHash })
	want, ok := choose(hashes)
	switch {
	case c.decided[q[ours].Node] && c.decided[q[theirs].Node]:
		c.composed = append(c.composed, q[result].Span)
		return nil
	case !ok || q.isPartial():
		if x, image := c.verifyImage(at, q); image {
			return x
		}
		return c.verifyText(q)
	case want == hashes[result]:
		return nil
	}
	expected := q[ours]
	if want == hashes[theirs] {
		expected = q[theirs]
	}
	return q.newViolation(ruleValue, "expected %s, which %s has, found %s", expected.Summary(), expected.Version, q[result].Summary())
}

// verifyList holds a list: by keys where its kind is known, else by values.
func (c *checker) verifyList(at *three.Path, q nodeVersions) *Violation {
	by, atomic := c.pairingOf(at, q)
	if atomic && !q.isPartial() && c.demands(ruleValue) && q.allChildren(func(n *Node) bool { return len(c.guardOf(n)) == 0 }) {
		hashes := q.dataHashes()
		if want, ok := choose(hashes); !ok || want != hashes[result] {
			return q.newViolation(ruleValue, "it is one value, and neither that of ours nor of theirs")
		}
	}
	return c.verifyCollection(at, q, by)
}

// pairingOf is how the members of q, a collection, pair, and whether it is one value.
func (c *checker) pairingOf(at *three.Path, q nodeVersions) (by pairing, atomic bool) {
	switch {
	case at == nil && c.hasSingleDocuments():
		return pairing{ID: func(*Node) uint64 { return 1 }, isUnique: true}, false
	case at != nil && q.anyNode().Kind == syntax.Mapping:
		return pairing{ID: c.withGuard(q, ByKey), isUnique: true}, false
	case at == nil, at.IsItems() && q.allChildren(IsResource):
		return pairing{ID: c.resourceIdentity(q), isUnique: true}, false
	}
	if c.expected != nil {
		l, parts := c.expected.ListKinds[q[ours].Node]
		return pairing{ID: q.disambiguate(true, listItemID(l), dataOf), isUnique: parts, isByValue: !parts}, !parts
	}
	l := c.Rules.ListAt(at.Place(), q.inputNodes()...)
	if l.Kind == schema.Map || l.Kind == schema.Set {
		return pairing{ID: c.withGuard(q, listItemID(l)), isUnique: !l.IsGuess()}, false
	}
	return pairing{ID: ByValue, isByValue: true}, l.Kind == schema.Atomic
}

// verifyCollection holds what is in q.
func (c *checker) verifyCollection(at *three.Path, q nodeVersions, by pairing) *Violation {
	if by.isByValue {
		var members [versions][]*Node
		for v := range versions {
			members[v] = q.members(v, c.maker == byPerson)
		}
		if x := c.record(checkSplitDuplicates(members)); x != nil {
			return x
		}
	}
	rows := c.match(q, by)
	for _, k := range rows {
		if e := k.q.anyNode().Entry; k.several() && k.nth == 0 && e != nil && e.Key != nil {
			if x := c.record(c.checkRepeatedKey(k.class)); x != nil {
				return x
			}
		}
	}
	for _, k := range rows {
		c.recordRenamed(k)
		var x *Violation
		if below := k.q.anyNode().PathUnder(at, c.File); k.hasMasked {
			x = k.q.checkReset()
		} else {
			x = c.verifyMember(below, q, k, rows, by)
		}
		if x := c.record(x); x != nil {
			return x
		}
		if x := c.checkMixed(at, k, rows); x != nil {
			return x
		}
	}
	if c.isTemplate() {
		if x := c.record(c.checkGuards(rows)); x != nil {
			return x
		}
	}
	if !c.demands(ruleOrder) {
		return nil
	}
	return checkOrder(rows, q.isPartial())
}

// checkDocuments holds the documents of the files: a single one each pairs whatever
// it is, resources pair by identity, others are items of a list.
func (c *checker) checkDocuments() *Violation {
	if c.hasSingleDocuments() {
		for _, docs := range c.docs {
			if len(docs.Children) == 1 && docs.Children[0].IsBlank() {
				docs.Children = nil
			}
		}
	}
	by, _ := c.pairingOf(nil, c.docs)
	return c.verifyCollection(nil, c.docs, by)
}

// verifyMember verifies k, a member of q. Several members that are alike are counted, as it cannot be told which of them is which.
func (c *checker) verifyMember(at *three.Path, q nodeVersions, k *match, rows []*match, by pairing) *Violation {
	presentIn, r := k.q.presentIn(), k.q[result]
	isIdentifiedByData := k.key == k.q.anyNode().Data
	switch {
	case c.demands(ruleFewerCopies) && r == nil && k.several() && k.counts.bothRemovedCopy():
		return k.q.splitDuplicateViolation()
	case c.demands(ruleFewerCopies) && r == nil && k.several() && !by.isByValue && !q.isPartial() && k.counts.isTooFew():
		return k.q.newViolation(ruleFewerCopies, "it appears %d times, fewer than the edits of both sides leave", k.counts[result])
	case c.demands(ruleNewName) && presentIn == inResult && !k.several() && IsResource(r):
		return k.q.newViolation(ruleNewName, "no version has a resource with the name of %s", r.Summary())
	case c.maker == byLines && r != nil && presentIn != inResult && k.q[ours] == nil != (k.q[theirs] == nil) && (q.isPartial() || k.several()):
		return nil // deleted by a side, unless it is another one of several, or stands in a conflict
	case c.maker == byPerson && q.isPartial() && (isIdentifiedByData || k.key == 0):
		return c.verifyBesideDecided(at, q, k, rows)
	case k.several() && isIdentifiedByData && k.counts.isExpected(true):
		return nil
	case k.isDuplicate():
		return k.duplicateViolation(by)
	}
	x := c.verifyNode(at, k.q)
	if x != nil && presentIn == inResult { // no version has it: the violation is about what holds it
		at := q.spans()
		copy(x.At[:result], at[:])
	}
	return x
}

// verifyBesideDecided verifies k, an item without a name in a list of which a person decided some. It returns a violation only if one side
// alone added or deleted the item, the other side left it alone, and nothing else in the list can be what became of it.
func (c *checker) verifyBesideDecided(at *three.Path, q nodeVersions, k *match, rows []*match) *Violation {
	b, o, t, r := k.q[base], k.q[ours], k.q[theirs], k.q[result]
	isVague := func(k *match) bool { return k.q.isPartial() && slices.Contains(k.q[:result], nil) } // a version lacks what is in conflict
	switch {
	case (o == nil) == (t == nil) || (b == nil) != (r == nil) || q.hasUnknownMembers() || slices.ContainsFunc(rows, isVague):
		return nil
	case b == nil:
		return c.verifyOneSided(at, k.q)
	case k.several() || b.Data != k.q.anyNode().Data || b.Data != r.Data:
		return nil
	}
	return k.q.newViolation(ruleUndone, "one side deleted it, but the result has %s", r.Summary())
}

// hasUnknownMembers reports whether the result has something in q that no version has, so that
// whoever made it may have made that of what is missing.
func (q nodeVersions) hasUnknownMembers() bool {
	known := map[uint64]bool{}
	for _, n := range q[:result] {
		for _, k := range n.GetChildren() {
			known[k.Data] = true
		}
	}
	unknown := 0
	for _, k := range q[result].GetChildren() {
		if !known[k.Data] {
			unknown++
		}
	}
	partial := 0 // what was in conflict in part may be anything
	for _, k := range q[ours].GetChildren() {
		if k.Partial {
			partial++
		}
	}
	return unknown > partial
}

// isDuplicate reports whether the result alone has k, and has it more often than every input.
func (k *match) isDuplicate() bool { return k.q.presentIn() == inResult && k.counts.exceedsInputs() }

// duplicateViolation says that k is doubled; it names the first of its class. Of an item without a name that says the same as another
// one, only a scalar is certain to be no other item.
func (k *match) duplicateViolation(by pairing) *Violation {
	q := k.matches[0].q
	q[result] = k.q[result]
	if by.hasUniqueName(k, q[result]) || by.isByValue && q[result].Kind == syntax.Scalar {
		return q.duplicateViolation()
	}
	return q.newViolation(ruleDuplicateItem, "it appears more often than in any input")
}

// hasUniqueName reports whether r, of k, is known by a name, and nothing else may have it.
func (by pairing) hasUniqueName(k *match, r *Node) bool { return by.isUnique && k.key != r.Data }

// checkOneOf refuses two fields that exclude each other where no version has two.
func (c *checker) checkOneOf(at *three.Path, q nodeVersions) *Violation {
	r := q[result]
	if r == nil || len(r.Entries) < 2 || !c.demands(ruleOneOf) {
		return nil
	}
	for _, u := range c.Rules.OneOf(at.Place()) {
		mostInInputs := 0
		for _, n := range q[:result] {
			if n != nil {
				mostInInputs = max(mostInInputs, u.CountPresent(n.Entries))
			}
		}
		if u.CountPresent(r.Entries) > 1 && mostInInputs < 2 {
			return q.newViolation(ruleOneOf, "it has two of %s, which exclude each other", u)
		}
	}
	return nil
}
