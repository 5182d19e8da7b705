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
		return q.violation("lost", "ours and theirs have %s, it is gone", q[ours].Summary())
	case inBase | inResult, inBase | inOurs | inResult, inBase | inTheirs | inResult:
		if ok {
			return q.violation("undone", "one side deleted it, but the result has %s", q[result].Summary())
		}
		if !q.part() {
			return q.violation("deleted and changed", "one side deleted it and the other changed it; the result has %s", q[result].Summary())
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
	case q.retyped():
		return q.violation("key", "ours and theirs added it under keys of two types")
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
	case q.divisible():
		by := pairing{ID: ByValue, values: true}
		if q.any().Kind == syntax.Mapping {
			by.ID = c.byGuard(q, ByKey)
		}
		found := len(c.found)
		if x := c.collection(at, q, by); x != nil || q.part() || len(c.found) > found {
			return x
		}
	case n == nil && r != nil && r.Entry != nil:
		return q.violation("invented", "no change of ours or theirs explains %s", r.Entry.Summary())
	case n == nil && r != nil:
		return q.violation("invented", "no change of ours or theirs explains %s", r.Summary())
	case n == nil:
		return nil
	case b != nil:
		return q.violation("deleted and changed", "%s changed it to %s, %s deleted it", n.V, n.Summary(), n.V.Other())
	case r == nil:
		return q.violation("lost", "%s has %s, which the result lacks", n.V, n.Summary())
	}
	return q.violation("value", "expected %s, which %s has, found %s", n.Summary(), n.V, r.Summary())
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
	case q.part(), c.unlikeNames(at, q):
		return c.descend(at, q)
	}
	return q.violation("added differently", "ours added %s, theirs %s", o.Summary(), t.Summary())
}

// descend holds what is in q, which all have but perhaps the base.
func (c *checker) descend(at *three.Path, q quad) *Violation {
	b, o, t, r := q[base], q[ours], q[theirs], q[result]
	switch {
	case b != nil && b.Kind != o.Kind && o.Kind == t.Kind:
		return c.replaced(at, q)
	case o.Kind != t.Kind || o.Kind != r.Kind:
		if want, ok := choose(q.data()); !ok || want != r.Data || q.part() {
			return q.violation("value", "expected %s or %s, found %s", o.Summary(), t.Summary(), r.Summary())
		}
		if x := c.written(q); x != nil || b == nil || c.person {
			return x
		}
		return c.remark(q)
	}
	if x := q.properties(); x != nil {
		return x
	}
	if x := q.undone(); x != nil && !q.part() {
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
	return q.violation("undone", "both sides changed it, but the result has what base has: %s", r.Summary())
}

// content holds what is in q, which is of one kind.
func (c *checker) content(at *three.Path, q quad) *Violation {
	switch b, r := q[base], q[result]; r.Kind {
	case syntax.Mapping:
		if b != nil && len(r.Kids) == 0 && min(len(b.Kids), len(q[ours].Kids), len(q[theirs].Kids)) > 0 && !c.byLine {
			return q.violation("emptied", "each side removed a part of it, and nothing is left")
		}
		if x := c.judge(c.oneOf(at, q)); x != nil {
			return x
		}
		if x := c.judge(c.repeatedKey(q)); x != nil {
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
		return q.violation("value", "ours has %s, theirs %s, found %s", q[ours].Summary(), q[theirs].Summary(), q[result].Summary())
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
		return q.violation("anchor or tag", "its key, anchor or tag is not that of ours or theirs")
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
	case c.byLine && q[base] == nil && (bare[result] == bare[ours] || bare[result] == bare[theirs]):
		return nil // which of two was taken is not told
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
	return q.violation("value", "expected %s, which %s has, found %s", by.Summary(), by.V, q[result].Summary())
}

// list holds a list: by keys where its kind is known, else by values.
func (c *checker) list(at *three.Path, q quad) *Violation {
	by, atomic := c.pairing(at, q)
	if atomic && !q.part() && !c.byLine && q.all(func(n *Node) bool { return len(c.guard(n)) == 0 }) {
		sums := q.data()
		if want, ok := choose(sums); !ok || want != sums[result] {
			return q.violation("value", "it is one value, and neither that of ours nor of theirs")
		}
	}
	return c.collection(at, q, by)
}

// pairing is how the members of q, a collection, pair, and whether it is one value.
func (c *checker) pairing(at *three.Path, q quad) (by pairing, atomic bool) {
	switch {
	case q.any().Kind == syntax.Mapping:
		return pairing{ID: c.byGuard(q, ByKey), sure: true}, false
	case at.IsItems() && q.all(IsResource):
		return pairing{ID: c.byIdentity(q), sure: true}, false
	}
	if c.stands != nil {
		l, parts := c.stands.Kinds[q[ours].Node]
		return pairing{ID: q.apart(true, byID(l), valueOf), sure: parts, values: !parts}, !parts
	}
	l := c.Rules.ListAt(at.Place(), q.nodes()...)
	if l.Kind == schema.Map || l.Kind == schema.Set && !c.byLine {
		return pairing{ID: c.byGuard(q, byID(l)), sure: !l.IsGuess()}, false
	}
	return pairing{ID: ByValue, values: true}, l.Kind == schema.Atomic
}

// collection holds what is in q.
func (c *checker) collection(at *three.Path, q quad, by pairing) *Violation {
	if by.values {
		var members [versions][]*Node
		for v := range versions {
			members[v] = q.members(v, c.person)
		}
		if x := c.judge(removedApart(members)); x != nil {
			return x
		}
	}
	rows := c.match(q, by)
	for _, k := range rows {
		c.call(k)
		var x *Violation
		switch below := k.q.any().Under(at, c.File); {
		case c.byLine:
			x = c.defect(below, q, k, rows, by)
		case k.open:
			x = k.q.undone()
		default:
			x = c.member(below, q, k, rows)
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
	if c.byLine {
		return nil
	}
	return order(rows, q.part())
}

// documents holds the documents of the files: a single one each pairs whatever
// it is, resources pair by identity, others are items of a list.
func (c *checker) documents() *Violation {
	by := pairing{ID: c.byIdentity(c.docs), sure: true}
	if c.single() {
		by.ID = func(*Node) uint64 { return 1 }
		for _, docs := range c.docs {
			if len(docs.Kids) == 1 && docs.Kids[0].IsBlank() {
				docs.Kids = nil
			}
		}
	}
	return c.collection(nil, c.docs, by)
}

// member holds a member of q. Of several that are alike it cannot be told which is
// which, and need not be.
func (c *checker) member(at *three.Path, q quad, k *match, rows []*match) *Violation {
	alike := k.key == k.q.any().Data
	switch {
	case c.person && q.part() && (alike || k.key == 0):
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
		return k.q.violation("undone", "one side deleted it, but the result has %s", r.Summary())
	case k.several() && alike && k.counts.Between(true):
		return nil
	case k.doubled():
		return k.twice()
	}
	x := c.meet(at, k.q)
	if x != nil && k.q.in() == inResult { // it stands nowhere else: what holds it does
		copy(x.At[:result], q.violation("", "").At[:])
	}
	return x
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
func (k *match) doubled() bool { return k.nth > 0 && k.q == quad{result: k.q[result]} }

// twice says that k is doubled; it names the first of its class.
func (k *match) twice() *Violation {
	q := k.matches[0].q
	q[result] = k.q[result]
	return q.twice()
}

// oneOf refuses two fields that exclude each other where no version has two.
func (c *checker) oneOf(at *three.Path, q quad) *Violation {
	r := q[result]
	if r == nil || len(r.Entries) < 2 || c.stands != nil { // a rule set says what stands
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
			return q.violation("one of", "it has two of %s, which exclude each other", u)
		}
	}
	return nil
}

// defect looks at k, a member of q.
func (c *checker) defect(at *three.Path, q quad, k *match, rows []*match, by pairing) *Violation {
	if k.q.settled() {
		return nil
	}
	open := q.part() && !by.values // what a version lacks may stand in conflict
	left := k.several() && k.accounted()
	if k.q[result] == nil && k.counts.apart() {
		return k.q.splitDouble()
	}
	switch r := k.q[result]; k.q.in() {
	case inResult:
		if k.doubled() && by.tells(k, r) {
			return k.twice()
		}
	case inBase | inOurs | inResult, inBase | inTheirs | inResult:
		if !q.part() && !k.several() {
			return k.q.violation("undone", "one side has it no longer, but the result has %s", r.Summary())
		}
	case inBase | inOurs | inTheirs:
		if !open && !left {
			return k.q.violation("lost", "all versions have %s, but the result lacks it", k.q[ours].Summary())
		}
	case inOurs, inTheirs:
		if !open && !by.values && !left && !k.carried(rows) {
			return k.q.violation("lost", "%s is not where it was added", k.q.any().Summary())
		}
	case inAll, inAll &^ inBase:
		return c.defectIn(at, k, rows)
	}
	return nil
}

// defectIn looks at what is in k, which the result and both sides have.
func (c *checker) defectIn(at *three.Path, k *match, rows []*match) *Violation {
	b, o, t, r := k.q[base], k.q[ours], k.q[theirs], k.q[result]
	switch {
	case o.Kind != t.Kind, b != nil && b.Kind != o.Kind:
	case r.Kind == o.Kind:
		if !c.reused(k, rows) {
			return c.content(at, k.q)
		}
	case !r.IsNull():
		return k.q.violation("value", "expected %s, found %s", o.Summary(), r.Summary())
	}
	return nil
}

// tells reports whether another r, which k has twice, is one too many.
func (by pairing) tells(k *match, r *Node) bool {
	return by.sure && k.key != r.Data || by.values && r.Kind == syntax.Scalar
}

// accounted reports whether what the result lacks of k, an identity that a version has
// several times, stands in it as often as the edits of both sides leave it.
func (k *match) accounted() bool {
	for _, s := range sides {
		if k.q[s] == nil {
			continue
		}
		var n counts
		for _, m := range k.matches {
			for v, x := range m.q {
				if x != nil && x.Data == k.q[s].Data {
					n[v]++
				}
			}
		}
		if !n.Between(false) {
			return false
		}
	}
	return true
}

// reused reports whether a side gave the name of k to another thing than the base's.
func (c *checker) reused(k *match, rows []*match) bool {
	for _, s := range sides {
		var lost, added []*Node
		for _, m := range rows {
			switch {
			case m.q[base] == nil && m.q[s] != nil:
				added = append(added, m.q[s])
			case m.q[base] != nil && m.q[s] == nil:
				lost = append(lost, m.q[base])
			}
		}
		if c.givenAway(k.q[base], k.q[s], lost, added) {
			return true
		}
	}
	return false
}

// givenAway reports whether a side gave the name of b, which may be nil, to another thing, n. That is so if n is an item with less than
// half of what is in b, and more of what is in one of lost, the nodes of the base whose names the side has no longer, or if b is a text that has more in
// common with one of added, the nodes whose names the base has not.
func (c *checker) givenAway(b, n *Node, lost, added []*Node) bool {
	switch {
	case b == nil || b.Entry == nil || n.Data == b.Data:
		return false
	case b.IsBlockScalar():
		return slices.ContainsFunc(added, func(x *Node) bool { return c.alike(b, x) > c.alike(b, n) })
	case b.Entry.Key != nil:
		return false
	}
	same := shared(n, b)
	return 2*same < len(leaves(nil, b, 7)) && slices.ContainsFunc(lost, func(x *Node) bool { return shared(n, x) > same })
}

// alike is how many lines two texts have in common.
func (c *checker) alike(a, b *Node) int {
	return len(common(c.textLines(a).Standing(), c.textLines(b).Standing()))
}

// carried reports whether what a side added may have gone with its neighbours, which
// the other side moved elsewhere.
func (k *match) carried(rows []*match) bool {
	s := k.q.any().V
	return slices.ContainsFunc(rows, func(n *match) bool {
		return n.q[s] != nil && n.q[result] == nil && (n.at[s] == k.at[s]-1 || n.at[s] == k.at[s]+1)
	})
}
