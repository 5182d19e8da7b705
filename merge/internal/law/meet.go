package law

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// settled reports whether one side left q alone, or both made the same of it,
// and the result has the other's very bytes.
func (q quad) settled() bool {
	o, d, u, r := q[original], q[dest], q[updated], q[result]
	switch {
	case r == nil || q.part():
		return false
	case same(o, d):
		return same(u, r)
	}
	return (same(o, u) || same(d, u)) && same(d, r)
}

func same(a, b *node) bool {
	return a == b || a != nil && b != nil && bytes.Equal(a.src(), b.src())
}

// meet holds one thing to the law: a change that one side made, or both alike,
// is in the result, and nothing else is.
func (c *checker) meet(at *place, q quad) *Refusal {
	if q.settled() {
		return nil
	}
	o, d, u, r := q[original], q[dest], q[updated], q[result]
	sums := q.data()
	want, ok := choose(sums)
	ok = ok && !q.part()
	switch {
	case d == nil && u == nil && r == nil:
		return nil
	case o == nil && d != nil && u != nil && d.key != u.key:
		return q.refuse("key", "ours and theirs added it under keys of two types")
	case ok && want == sums[result] && slices.Contains(q[:], nil):
		return c.written(q)
	case d != nil && u != nil && r != nil && (o != nil || c.emptyFile(at) || c.decided[d.Node] && c.decided[u.Node]):
		return c.descend(at, q)
	case d != nil && u != nil && r == nil:
		return q.refuse("lost", "ours and theirs have %s, it is gone", d.show())
	case d != nil && u != nil:
		return c.addedByBoth(at, q)
	case o != nil && r != nil && ok:
		return q.refuse("undone", "a side deleted it, found %s", r.show())
	case o != nil && r != nil && !q.part():
		return q.refuse("deleted and changed", "a side deleted it, the other changed it, found %s", r.show())
	}
	return c.unmatched(at, q)
}

// unmatched refuses q, which the result lacks or has alone, or has otherwise than the one
// version that has it: what is wrong in that.
func (c *checker) unmatched(at *place, q quad) *Refusal {
	o, r := q[original], q[result]
	n := q[dest]
	if n == nil {
		n = q[updated]
	}
	switch {
	case q.divisible():
		by := pairing{id: byValue, values: true}
		if q.any().Kind == syntax.Mapping {
			by.id = c.byGuard(q, byKey)
		}
		if x := c.collection(at, q, by); x != nil || q.part() || c.all {
			return x
		}
	case n == nil && r != nil:
		x := q.refuse("invented", "no change of ours or theirs explains %s", r.named())
		if o == nil {
			home := at.in.refuse("", "")
			copy(x.At[:result], home.At[:])
		}
		return x
	case n == nil:
		return nil
	case o != nil:
		return q.refuse("deleted and changed", "%s changed it to %s, %s deleted it", n.v, n.show(), n.v.other())
	case r == nil:
		return q.refuse("lost", "%s has %s, which is not there", n.v, n.show())
	}
	return q.refuse("value", "expected %s, which %s has, found %s", n.show(), n.v, r.show())
}

// divisible reports whether just two versions have q, as collections of one kind.
func (q quad) divisible() bool {
	n, kind := 0, q.any().Kind
	for _, x := range q {
		if x != nil && (x.size() == 0 || x.Kind != kind) {
			return false
		}
		if x != nil {
			n++
		}
	}
	return n == 2 && q[result] != nil
}

// addedByBoth holds what both sides added under one name: the result is the one
// that holds all of the other.
func (c *checker) addedByBoth(at *place, q quad) *Refusal {
	d, u, r := q[dest], q[updated], q[result]
	switch {
	case r.data == d.data && holds(d, u), r.data == u.data && holds(u, d):
		return nil
	case q.part():
		return c.descend(at, q)
	}
	return q.refuse("added differently", "ours added %s, theirs %s", d.show(), u.show())
}

// holds reports whether a has all that b has and that counts.
func holds(a, b *node) bool {
	if a.data == b.data {
		return true
	}
	if a.Kind != b.Kind || a.Kind == syntax.Scalar || a.Anchor != b.Anchor || a.TagText != b.TagText {
		return false
	}
	of, kids := a.kids(), b.kids()
	i := 0
	for j := range kids {
		k := &kids[j]
		if k.gone {
			continue
		}
		if a.Kind == syntax.Mapping {
			i = 0
		}
		for i < len(of) && !(of[i].id == k.id && holds(&of[i], k)) {
			i++
		}
		if i == len(of) {
			return false
		}
		i++
	}
	return true
}

// emptyFile reports whether at is the root of the only document, which an empty
// file has too.
func (c *checker) emptyFile(at *place) bool { return at.up == nil && c.single() }

// descend holds what is in q, which all have but perhaps the original.
func (c *checker) descend(at *place, q quad) *Refusal {
	o, d, u, r := q[original], q[dest], q[updated], q[result]
	switch {
	case o != nil && o.Kind != d.Kind && d.Kind == u.Kind:
		return c.replaced(at, q)
	case d.Kind != u.Kind || d.Kind != r.Kind:
		if want, ok := choose(q.data()); !ok || want != r.data || q.part() {
			return q.refuse("value", "expected %s or %s, found %s", d.show(), u.show(), r.show())
		}
		if x := c.written(q); x != nil || o == nil || c.person {
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
func (q quad) undone() *Refusal {
	o, d, u, r := q[original], q[dest], q[updated], q[result]
	if slices.Contains(q[:], nil) || o.data != r.data || o.data == d.data || o.data == u.data {
		return nil
	}
	return q.refuse("undone", "ours and theirs both changed it, found what base has: %s", r.show())
}

// content holds what is in q, which is of one kind.
func (c *checker) content(at *place, q quad) *Refusal {
	switch o, r := q[original], q[result]; r.Kind {
	case syntax.Mapping:
		if o != nil && r.size() == 0 && min(o.size(), q[dest].size(), q[updated].size()) > 0 && !c.byLine {
			return q.refuse("emptied", "each side removed a part of it, nothing is left")
		}
		if x := c.judge(c.oneOf(at, q)); x != nil {
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
func (c *checker) replaced(at *place, q quad) *Refusal {
	q[original] = nil
	if want, ok := choose(q.data()); ok && want == q[result].data && !q.part() {
		return c.written(q)
	}
	if q[result].Kind != q[dest].Kind || q[result].size() == 0 {
		return q.refuse("value", "ours has %s, theirs %s, found %s", q[dest].show(), q[updated].show(), q[result].show())
	}
	return c.addedByBoth(at, q)
}

// properties holds anchors and written tags, which belong to the node, and keys.
func (q quad) properties() *Refusal {
	type properties struct {
		anchor, tag string
		key         uint64
	}
	p := of(q, func(n *node) properties { return properties{n.Anchor, n.TagText, n.key} })
	if want, ok := choose(p); !ok || want != p[result] {
		return q.refuse("anchor or tag", "its key, anchor or tag is not that of ours or theirs")
	}
	return nil
}

// scalarOf holds a scalar or an alias.
func (c *checker) scalarOf(at *place, q quad) *Refusal {
	bare := of(q, func(n *node) uint64 { return n.bare })
	want, ok := choose(bare)
	switch {
	case c.decided[q[dest].Node] && c.decided[q[updated].Node]:
		c.images = append(c.images, q[result].Span)
		return nil
	case c.byLine && q[original] == nil && (bare[result] == bare[dest] || bare[result] == bare[updated]):
		return nil // which of two was taken is not told
	case !ok && c.isImage(at, q):
		return c.image(q)
	case !ok || q.part():
		return c.text(q)
	case want == bare[result]:
		return nil
	}
	by := q[dest]
	if want == bare[updated] {
		by = q[updated]
	}
	return q.refuse("value", "expected %s, which %s has, found %s", by.show(), by.v, q[result].show())
}

// A pairing says which members of a collection are one.
type pairing struct {
	id     func(*node) uint64
	sure   bool // nothing may have an id twice
	values bool // it is what an item says
}

// byKey knows a field by its key.
func byKey(n *node) uint64 { return n.id }

// byValue knows an item by all that it says; one that is in conflict in part is
// like no other.
func byValue(n *node) uint64 {
	if n.part {
		return 0
	}
	return n.data
}

// byID knows an item by what identifies it in l; what lacks that, by its value.
func byID(l schema.List) func(*node) uint64 {
	return func(n *node) uint64 {
		if x, ok := l.ID(n.Node); ok {
			return hash(x)
		}
		return byValue(n)
	}
}

// list holds a list: by keys where its kind is known, else by values.
func (c *checker) list(at *place, q quad) *Refusal {
	by, atomic := c.pairing(at, q)
	if atomic && !q.part() && !c.byLine && q.all(func(n *node) bool { return len(c.guard(n)) == 0 }) {
		if want, ok := choose(q.data()); !ok || want != q[result].data {
			return q.refuse("value", "it is one value, and neither that of ours nor of theirs")
		}
	}
	return c.collection(at, q, by)
}

// pairing is how the members of q, a collection, pair, and whether it is one value.
func (c *checker) pairing(at *place, q quad) (by pairing, atomic bool) {
	switch {
	case q.any().Kind == syntax.Mapping:
		return pairing{id: c.byGuard(q, byKey), sure: true}, false
	case at.isItems() && q.all(isResource):
		return pairing{id: c.byIdentity(q), sure: true}, false
	}
	l := c.Rules.Of(at.schema(c.File), q.nodes()...)
	if l.Kind == schema.Map || l.Kind == schema.Set && !c.byLine {
		return pairing{id: c.byGuard(q, byID(l)), sure: !l.Guessed()}, false
	}
	return pairing{id: byValue, values: true}, l.Kind == schema.Atomic
}

// collection holds what is in q.
func (c *checker) collection(at *place, q quad, by pairing) *Refusal {
	members := q.all4(c.person)
	rows := pairAll(members, by.id, c.claimed(members, by.id))
	reformed := sync.OnceValue(func() bool { return rewrote(rows) })
	unsure := sync.OnceValue(func() bool { return q.undetermined() || vague(rows) })
	for _, k := range rows {
		c.call(k)
		var x *Refusal
		switch below := at.below(k.q.any(), q); {
		case c.byLine:
			x = c.defect(below, q, k, rows, by)
		case k.open:
			x = k.q.undone()
		default:
			x = c.member(below, q, k, unsure)
		}
		if x != nil && x.Rule == "form" && slices.Contains(k.q[:], nil) && reformed() {
			continue
		}
		if x := c.judge(x); x != nil {
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

// member holds a member of q. Of several that are alike it cannot be told which is
// which, and need not be.
func (c *checker) member(at *place, q quad, k *row, unsure func() bool) *Refusal {
	alike := k.key == k.q.any().data
	switch {
	case c.person && q.part() && (alike || k.key == 0):
		d, u := k.q[dest], k.q[updated]
		if k.q[original] != nil || k.q[result] != nil || (d == nil) == (u == nil) || unsure() {
			return nil
		}
		return c.unmatched(at, k.q)
	case k.several() && alike && k.counts.between(true):
		return nil
	case k.doubled():
		return k.refuse()
	case k.several() && alike && !q.part() && !k.counts.between(false):
		n := k.counts
		if _, most := n.merged(); n[result] > most {
			return k.refuse()
		}
		return k.q.refuse("lost", "base has %s %d times, ours %d, theirs %d, the result %d", k.q.any().show(), n[original], n[dest], n[updated], n[result])
	}
	return c.meet(at, k.q)
}

// vague reports whether something is in conflict in part, of which a version lacks what it is.
func vague(rows []*row) bool {
	return slices.ContainsFunc(rows, func(k *row) bool { return k.q.part() && slices.Contains(k.q[:result], nil) })
}

// undetermined reports whether the result has something in q that no version has, so that
// whoever made it may have made that of what is missing.
func (q quad) undetermined() bool {
	known := map[uint64]bool{}
	for _, n := range q[:result] {
		for _, k := range n.entries() {
			known[k.data] = true
		}
	}
	fresh := 0
	for _, k := range q[result].entries() {
		if !known[k.data] {
			fresh++
		}
	}
	open := 0 // what was in conflict in part may be anything
	for _, k := range q[dest].entries() {
		if k.part {
			open++
		}
	}
	return fresh > open
}

// doubled reports whether the result alone has k, and has it more often than every input.
func (k *row) doubled() bool { return k.nth > 0 && k.q == quad{result: k.q[result]} }

// refuse says that k is doubled; it names the first of its group.
func (k *row) refuse() *Refusal {
	q := k.rows[0].q
	q[result] = k.q[result]
	return q.refuse("doubled", "it stands more often than in every input")
}

// named is n for people, with its key.
func (n *node) named() string {
	if n.entry != nil && n.entry.Key != nil {
		return n.entry.KeyText() + ": " + n.show()
	}
	return n.show()
}

// show is n for people, in one short line.
func (n *node) show() string {
	const most = 60
	switch n.Kind {
	case syntax.Mapping:
		return "a mapping of " + strconv.Itoa(len(n.Entries))
	case syntax.Sequence:
		return "a list of " + strconv.Itoa(len(n.Entries))
	case syntax.Alias:
		return "*" + n.Value
	}
	s := strconv.Quote(n.Value[:min(len(n.Value), 2*most)])
	if len(s) > most {
		s = s[:most] + "..."
	}
	switch n.Tag() {
	case "!!str":
		return s
	case "!!bool", "!!int", "!!float", "!!null", "!!timestamp":
		if s == `"`+n.Value+`"` { // as a file has it: true, for !!bool "true"
			return cmp.Or(n.Value, "null")
		}
	}
	return n.Tag() + " " + s
}

// unions are what excludes each other at a place; that is the same for all items of a list.
func (c *checker) unions(at *place) []schema.OneOf {
	if at.name != item || at.root != nil || at.up == nil {
		return c.Rules.OneOf(at.schema(c.File))
	}
	list := at.up
	if !list.asked {
		list.asked, list.unions = true, c.Rules.OneOf(at.schema(c.File))
	}
	return list.unions
}

// oneOf refuses two fields that exclude each other where no version has two.
func (c *checker) oneOf(at *place, q quad) *Refusal {
	r := q[result]
	if r == nil || len(r.Entries) < 2 {
		return nil
	}
	for _, u := range c.unions(at) {
		had := 0
		for _, n := range q[:result] {
			if n != nil {
				had = max(had, u.Held(n.Entries))
			}
		}
		if u.Held(r.Entries) > 1 && had < 2 {
			return q.refuse("one of", "it has two of %s, which exclude each other", u)
		}
	}
	return nil
}
