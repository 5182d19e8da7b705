package verify

import (
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// settled reports whether one side left q alone, or both made the same of it,
// and the result has the other's very bytes.
func (q quad) settled() bool {
	b, o, t, r := q[base], q[ours], q[theirs], q[result]
	switch {
	case r == nil || q.part():
		return false
	case same(b, o):
		return same(t, r)
	}
	return (same(b, t) || same(o, t)) && same(o, r)
}

// meet verifies one thing: a change that one side made, or both alike,
// is in the result, and nothing else is.
func (c *checker) meet(at *three.Path, q quad) *Violation {
	if q.settled() {
		return nil
	}
	sums := q.data()
	want, ok := choose(sums)
	ok = ok && !q.part()
	in := q.in()
	if ok && in != inAll && in&^inBase != 0 && want == sums[result] && !q.retyped() {
		return c.written(q)
	}
	switch in {
	case 0, inBase:
		return nil
	case inAll, inAll &^ inBase:
		return c.inBoth(at, q)
	case inOurs | inTheirs, inBase | inOurs | inTheirs:
		return q.violation(ruleLost, "ours and theirs have %s, it is gone", q[ours].Summary())
	case inBase | inResult, inBase | inOurs | inResult, inBase | inTheirs | inResult:
		if ok {
			return q.violation(ruleUndone, "one side deleted it, but the result has %s", q[result].Summary())
		}
		if !q.part() {
			return q.violation(ruleKeptDeleted, "one side deleted it and the other changed it; the result has %s", q[result].Summary())
		}
	}
	return c.unmatched(at, q)
}

// retyped reports whether both sides added q, under keys of two types.
func (q quad) retyped() bool {
	return q.in()|inResult == inAll&^inBase && q[ours].Key != q[theirs].Key
}

// inBoth verifies what both sides and the result have.
func (c *checker) inBoth(at *three.Path, q quad) *Violation {
	decided := c.decided[q[ours].Node] && c.decided[q[theirs].Node]
	switch {
	case q.retyped() && c.demands(ruleKeyType):
		return q.violation(ruleKeyType, "ours and theirs added it under keys of two types")
	case q[base] == nil && !decided && !(at.Up == nil && c.single()): // an empty file has the root of its document, too
		return c.addedByBoth(at, q)
	}
	return c.descend(at, q)
}

// unmatched refuses q, which the result lacks or has alone, or has otherwise than the one
// version that has it: what is wrong in that.
func (c *checker) unmatched(at *three.Path, q quad) *Violation {
	b, r := q[base], q[result]
	n := cmp.Or(q[ours], q[theirs])
	switch {
	case c.by == byLines: // where its lines are says more
		return nil
	case q.divisible():
		by := pairing{ID: ByValue, values: true}
		if q.any().Kind == syntax.Mapping {
			by.ID = c.byGuard(q, ByKey)
		}
		found := len(c.found)
		if x := c.collection(at, q, by); x != nil || q.part() || len(c.found) > found || !c.demands(ruleOrder) {
			return x // without a violation, the two differ in their order
		}
	case n == nil && r != nil && r.Entry != nil:
		return q.violation(ruleInvented, "no change of ours or theirs explains %s", r.Entry.Summary())
	case n == nil && r != nil:
		return q.violation(ruleInvented, "no change of ours or theirs explains %s", r.Summary())
	case n == nil:
		return nil
	case b != nil:
		return q.violation(ruleDeletedAndChanged, "%s changed it to %s, %s deleted it", n.V, n.Summary(), n.V.Other())
	case r == nil:
		return q.violation(ruleLost, "%s has %s, which the result lacks", n.V, n.Summary())
	}
	return q.violation(ruleValue, "expected %s, which %s has, found %s", n.Summary(), n.V, r.Summary())
}

// divisible reports whether just two versions have q, as collections of one kind.
func (q quad) divisible() bool {
	n, kind := 0, q.any().Kind
	for _, x := range q {
		if x != nil && (len(x.Kids) == 0 || x.Kind != kind) {
			return false
		}
		if x != nil {
			n++
		}
	}
	return n == 2 && q[result] != nil
}

// addedByBoth holds what both sides added under one name: the result is the one
// that holds all of the other, or has all of both in a map of strings.
func (c *checker) addedByBoth(at *three.Path, q quad) *Violation {
	o, t, r := q[ours], q[theirs], q[result]
	switch {
	case r.Data == o.Data && holds(o, t), r.Data == t.Data && holds(t, o):
		return nil
	case q.part(), !c.demands(ruleAddedDifferently), c.unlikeNames(at, q):
		return c.descend(at, q)
	}
	return q.violation(ruleAddedDifferently, "ours added %s, theirs %s", o.Summary(), t.Summary())
}

// descend holds what is in q, which all have but perhaps the base.
func (c *checker) descend(at *three.Path, q quad) *Violation {
	b, o, t, r := q[base], q[ours], q[theirs], q[result]
	switch {
	case b != nil && b.Kind != o.Kind && o.Kind == t.Kind:
		return c.replaced(at, q)
	case o.Kind != t.Kind || o.Kind != r.Kind:
		if want, ok := choose(q.data()); !ok || want != r.Data || q.part() {
			return q.violation(ruleValue, "expected %s or %s, found %s", o.Summary(), t.Summary(), r.Summary())
		}
		if x := c.written(q); x != nil || b == nil || !c.demands(ruleLineComment) {
			return x
		}
		return c.remark(q)
	}
	if x := c.judge(q.properties()); x != nil {
		return x
	}
	if x := q.undone(); x != nil && !q.part() && c.demands(x.rule) {
		return x
	}
	if x := c.content(at, q); x != nil {
		return x
	}
	return c.form(q)
}

// undone refuses what base has in the place of two edits.
func (q quad) undone() *Violation {
	b, o, t, r := q[base], q[ours], q[theirs], q[result]
	if slices.Contains(q[:], nil) || b.Data != r.Data || b.Data == o.Data || b.Data == t.Data {
		return nil
	}
	return q.violation(ruleReset, "both sides changed it, but the result has what base has: %s", r.Summary())
}

// content holds what is in q, which is of one kind.
func (c *checker) content(at *three.Path, q quad) *Violation {
	switch b, r := q[base], q[result]; r.Kind {
	case syntax.Mapping:
		if b != nil && len(r.Kids) == 0 && min(len(b.Kids), len(q[ours].Kids), len(q[theirs].Kids)) > 0 && c.demands(ruleEmptied) {
			return q.violation(ruleEmptied, "each side removed a part of it, and nothing is left")
		}
		if x := c.judge(c.oneOf(at, q)); x != nil {
			return x
		}
		if x := c.judge(c.multiplied(at, q)); x != nil {
			return x
		}
		by, _ := c.pairing(at, q)
		return c.collection(at, q, by)
	case syntax.Sequence:
		return c.list(at, q)
	}
	return c.scalarOf(at, q)
}

// replaced holds what both sides made a collection of that was none: they added it.
func (c *checker) replaced(at *three.Path, q quad) *Violation {
	q[base] = nil
	if want, ok := choose(q.data()); ok && want == q[result].Data && !q.part() {
		return c.written(q)
	}
	if q[result].Kind != q[ours].Kind || len(q[result].Kids) == 0 {
		return q.violation(ruleValue, "ours has %s, theirs %s, found %s", q[ours].Summary(), q[theirs].Summary(), q[result].Summary())
	}
	return c.addedByBoth(at, q)
}

// properties holds anchors and written tags, which belong to the node, and keys.
func (q quad) properties() *Violation {
	type properties struct {
		anchor, tag string
		key         uint64
	}
	p := of(q, func(n *Node) properties { return properties{n.Anchor, n.TagText, n.Key} })
	if want, ok := choose(p); !ok || want != p[result] {
		return q.violation(ruleProperty, "its key, anchor or tag is not that of ours or theirs")
	}
	return nil
}

// scalarOf holds a scalar or an alias.
func (c *checker) scalarOf(at *three.Path, q quad) *Violation {
	bare := of(q, func(n *Node) uint64 { return n.Bare })
	want, ok := choose(bare)
	switch {
	case c.decided[q[ours].Node] && c.decided[q[theirs].Node]:
		c.images = append(c.images, q[result].Span)
		return nil
	case !ok || q.part():
		if x, image := c.image(at, q); image {
			return x
		}
		return c.text(q)
	case want == bare[result]:
		return nil
	}
	by := q[ours]
	if want == bare[theirs] {
		by = q[theirs]
	}
	return q.violation(ruleValue, "expected %s, which %s has, found %s", by.Summary(), by.V, q[result].Summary())
}

// list holds a list: by keys where its kind is known, else by values.
func (c *checker) list(at *three.Path, q quad) *Violation {
	by, atomic := c.pairing(at, q)
	if atomic && !q.part() && c.demands(ruleValue) && q.all(func(n *Node) bool { return len(c.guard(n)) == 0 }) {
		sums := q.data()
		if want, ok := choose(sums); !ok || want != sums[result] {
			return q.violation(ruleValue, "it is one value, and neither that of ours nor of theirs")
		}
	}
	return c.collection(at, q, by)
}

// pairing is how the members of q, a collection, pair, and whether it is one value.
func (c *checker) pairing(at *three.Path, q quad) (by pairing, atomic bool) {
	switch {
	case at == nil && c.single():
		return pairing{ID: func(*Node) uint64 { return 1 }, sure: true}, false
	case at != nil && q.any().Kind == syntax.Mapping:
		return pairing{ID: c.byGuard(q, ByKey), sure: true}, false
	case at == nil, at.IsItems() && q.all(IsResource):
		return pairing{ID: c.byIdentity(q), sure: true}, false
	}
	if c.stands != nil {
		l, parts := c.stands.Kinds[q[ours].Node]
		return pairing{ID: q.apart(true, byID(l), valueOf), sure: parts, values: !parts}, !parts
	}
	l := c.Rules.ListAt(at.Place(), q.nodes()...)
	if l.Kind == schema.Map || l.Kind == schema.Set {
		return pairing{ID: c.byGuard(q, byID(l)), sure: !l.IsGuess()}, false
	}
	return pairing{ID: ByValue, values: true}, l.Kind == schema.Atomic
}

// collection holds what is in q.
func (c *checker) collection(at *three.Path, q quad, by pairing) *Violation {
	if by.values {
		var members [versions][]*Node
		for v := range versions {
			members[v] = q.members(v, c.by == byPerson)
		}
		if x := c.judge(removedApart(members)); x != nil {
			return x
		}
	}
	rows := c.match(q, by)
	for _, k := range rows {
		if e := k.q.any().Entry; k.several() && k.nth == 0 && e != nil && e.Key != nil {
			if x := c.judge(c.repeatedKey(k.class)); x != nil {
				return x
			}
		}
	}
	for _, k := range rows {
		c.call(k)
		var x *Violation
		if below := k.q.any().Under(at, c.File); k.open {
			x = k.q.undone()
		} else {
			x = c.member(below, q, k, rows, by)
		}
		if x := c.judge(x); x != nil {
			return x
		}
		if x := c.mixed(at, k, rows); x != nil {
			return x
		}
	}
	if c.isTemplate() {
		if x := c.judge(c.guards(rows)); x != nil {
			return x
		}
	}
	if !c.demands(ruleOrder) {
		return nil
	}
	return order(rows, q.part())
}

// documents holds the documents of the files: a single one each pairs whatever
// it is, resources pair by identity, others are items of a list.
func (c *checker) documents() *Violation {
	if c.single() {
		for _, docs := range c.docs {
			if len(docs.Kids) == 1 && docs.Kids[0].IsBlank() {
				docs.Kids = nil
			}
		}
	}
	by, _ := c.pairing(nil, c.docs)
	return c.collection(nil, c.docs, by)
}

// member verifies k, a member of q. Several members that are alike are counted, as it cannot be told which of them is which.
func (c *checker) member(at *three.Path, q quad, k *match, rows []*match, by pairing) *Violation {
	in, r := k.q.in(), k.q[result]
	alike := k.key == k.q.any().Data
	switch {
	case c.demands(ruleFewer) && r == nil && k.several() && k.counts.apart():
		return k.q.splitDouble()
	case c.demands(ruleFewer) && r == nil && k.several() && !by.values && !q.part() && k.counts.fewer():
		return k.q.violation(ruleFewer, "it appears %d times, fewer than the edits of both sides leave", k.counts[result])
	case c.demands(ruleNewName) && in == inResult && !k.several() && IsResource(r):
		return k.q.violation(ruleNewName, "no version has a resource with the name of %s", r.Summary())
	case c.by == byLines && r != nil && in != inResult && k.q[ours] == nil != (k.q[theirs] == nil) && (q.part() || k.several()):
		return nil // deleted by a side, unless it is another one of several, or stands in a conflict
	case c.by == byPerson && q.part() && (alike || k.key == 0):
		return c.besideDecided(at, q, k, rows)
	case k.several() && alike && k.counts.Between(true):
		return nil
	case k.doubled():
		return k.twice(by)
	}
	x := c.meet(at, k.q)
	if x != nil && in == inResult { // no version has it: the violation is about what holds it
		at := q.spans()
		copy(x.At[:result], at[:])
	}
	return x
}

// besideDecided verifies k, an item without a name in a list of which a person decided some. It returns a violation only if one side
// alone added or deleted the item, the other side left it alone, and nothing else in the list can be what became of it.
func (c *checker) besideDecided(at *three.Path, q quad, k *match, rows []*match) *Violation {
	b, o, t, r := k.q[base], k.q[ours], k.q[theirs], k.q[result]
	isVague := func(k *match) bool { return k.q.part() && slices.Contains(k.q[:result], nil) } // a version lacks what is in conflict
	switch {
	case (o == nil) == (t == nil) || (b == nil) != (r == nil) || q.undetermined() || slices.ContainsFunc(rows, isVague):
		return nil
	case b == nil:
		return c.unmatched(at, k.q)
	case k.several() || b.Data != k.q.any().Data || b.Data != r.Data:
		return nil
	}
	return k.q.violation(ruleUndone, "one side deleted it, but the result has %s", r.Summary())
}

// undetermined reports whether the result has something in q that no version has, so that
// whoever made it may have made that of what is missing.
func (q quad) undetermined() bool {
	known := map[uint64]bool{}
	for _, n := range q[:result] {
		for _, k := range n.Inside() {
			known[k.Data] = true
		}
	}
	fresh := 0
	for _, k := range q[result].Inside() {
		if !known[k.Data] {
			fresh++
		}
	}
	open := 0 // what was in conflict in part may be anything
	for _, k := range q[ours].Inside() {
		if k.Partial {
			open++
		}
	}
	return fresh > open
}

// doubled reports whether the result alone has k, and has it more often than every input.
func (k *match) doubled() bool { return k.q.in() == inResult && k.counts.More() }

// twice says that k is doubled; it names the first of its class. Of an item without a name that says the same as another
// one, only a scalar is certain to be no other item.
func (k *match) twice(by pairing) *Violation {
	q := k.matches[0].q
	q[result] = k.q[result]
	if by.named(k, q[result]) || by.values && q[result].Kind == syntax.Scalar {
		return q.twice()
	}
	return q.violation(ruleDoubledItem, "it appears more often than in any input")
}

// named reports whether r, of k, is known by a name, and nothing else may have it.
func (by pairing) named(k *match, r *Node) bool { return by.sure && k.key != r.Data }

// oneOf refuses two fields that exclude each other where no version has two.
func (c *checker) oneOf(at *three.Path, q quad) *Violation {
	r := q[result]
	if r == nil || len(r.Entries) < 2 || !c.demands(ruleOneOf) {
		return nil
	}
	for _, u := range c.Rules.OneOf(at.Place()) {
		had := 0
		for _, n := range q[:result] {
			if n != nil {
				had = max(had, u.CountPresent(n.Entries))
			}
		}
		if u.CountPresent(r.Entries) > 1 && had < 2 {
			return q.violation(ruleOneOf, "it has two of %s, which exclude each other", u)
		}
	}
	return nil
}
