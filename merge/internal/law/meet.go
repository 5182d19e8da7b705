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
		c.loose.add(original, at, q)
		return nil
	case o == nil && d != nil && u != nil && d.key != u.key:
		return q.refuse("key", "ours and theirs added it under keys of two types")
	case ok && want == sums[result] && slices.Contains(q[:], nil):
		return c.written(q)
	case d != nil && u != nil && r != nil && (o != nil || c.emptyFile(at)):
		return c.descend(at, q)
	case d != nil && u != nil && r == nil:
		return q.refuse("lost", "ours and theirs have %s, it is gone", d.show())
	case d != nil && u != nil:
		c.loose.both = append(c.loose.both, &stray{q: q, at: at})
		return nil
	case o != nil && r != nil && ok:
		return q.refuse("undone", "a side deleted it, found %s", r.show())
	case o != nil && r != nil && !q.part():
		return q.refuse("deleted and changed", "a side deleted it, the other changed it, found %s", r.show())
	}
	for v := range versions {
		c.loose.add(v, at, q)
	}
	return nil
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
		return c.collection(at, q, pairing{id: byKey, sure: true})
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
	c.loose.both = append(c.loose.both, &stray{q: q, at: at})
	return nil
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
	if at.isItems() && q.all(isResource) {
		return c.collection(at, q, pairing{id: c.byIdentity(q), sure: true})
	}
	l := c.Rules.Of(at.schema(c.File), q.nodes()...)
	switch {
	case l.Kind == schema.Atomic && !q.part() && !c.byLine:
		if want, ok := choose(q.data()); !ok || want != q[result].data {
			return q.refuse("value", "it is one value, and neither that of ours nor of theirs")
		}
	case l.Kind == schema.Map, l.Kind == schema.Set && !c.byLine:
		return c.collection(at, q, pairing{id: byID(l), sure: !l.Guessed()})
	}
	return c.collection(at, q, pairing{id: byValue, values: true})
}

// collection holds what is in q.
func (c *checker) collection(at *place, q quad, by pairing) *Refusal {
	rows := pair(q, by.id, c.person)
	reformed := sync.OnceValue(func() bool { return rewrote(rows) })
	for _, k := range rows {
		var x *Refusal
		switch below := at.below(k.q.any(), q); {
		case c.byLine:
			x = c.defect(below, q, k, rows, by)
		case k.open:
			x = k.q.undone()
		default:
			x = c.member(below, q, k)
		}
		if x != nil && x.Rule == "form" && slices.Contains(k.q[:], nil) && reformed() {
			continue
		}
		if x := c.judge(x); x != nil {
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
func (c *checker) member(at *place, q quad, k *row) *Refusal {
	alike := k.key == k.q.any().data
	switch {
	case c.person && q.part() && (alike || k.key == 0):
		return nil
	case k.several() && alike && k.counts.between(true):
		return nil
	case k.doubled():
		return k.refuse()
	}
	return c.meet(at, k.q)
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
