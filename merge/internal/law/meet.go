package law

import (
	"slices"
	"strconv"

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
	if a == nil || b == nil {
		return a == b
	}
	return a.raw == b.raw
}

// part reports whether something in q is in conflict, so that its sums say
// nothing of it.
func (q quad) part() bool {
	for _, n := range q {
		if n != nil && n.part {
			return true
		}
	}
	return false
}

func says(n *node) uint64 {
	if n == nil {
		return 0
	}
	return n.data
}

// meet holds one thing to the law: a change that one side made, or both alike,
// is in the result, and nothing else is.
func (c *checker) meet(at *place, q quad) *Refusal {
	if q.settled() {
		return nil
	}
	o, d, u, r := q[original], q[dest], q[updated], q[result]
	want, ok := choose(says(o), says(d), says(u))
	ok = ok && !q.part()
	switch {
	case d == nil && u == nil && r == nil:
		c.loose.bases = append(c.loose.bases, o)
		return nil
	case o == nil && d != nil && u != nil && d.key != u.key:
		return q.refuse("key", "ours and theirs added it under keys of two types")
	case ok && want == says(r) && (r == nil || o == nil || d == nil || u == nil):
		return c.written(q)
	case d != nil && u != nil && r != nil && (o != nil || c.emptyFile(at)):
		return c.descend(at, q)
	case d != nil && u != nil && r == nil:
		return q.refuse("lost", "ours and theirs have %s, it is gone", d.show())
	case d != nil && u != nil:
		c.loose.both = append(c.loose.both, stray{q: q, at: at})
		return nil
	case o != nil && r != nil && ok:
		return q.refuse("undone", "a side deleted it, found %s", r.show())
	case o != nil && r != nil && !q.part():
		return q.refuse("deleted and changed", "a side deleted it, the other changed it, found %s", r.show())
	}
	c.loose.add(at, q)
	return nil
}

// emptyFile reports whether at is the root of the only document, which an empty
// file has too.
func (c *checker) emptyFile(at *place) bool { return at.up == nil && c.single() }

// descend holds what is in q, which all have but perhaps the original.
func (c *checker) descend(at *place, q quad) *Refusal {
	d, u, r := q[dest], q[updated], q[result]
	if o := q[original]; o != nil && o.Kind != d.Kind && d.Kind == u.Kind {
		return c.replaced(at, q)
	}
	if d.Kind != u.Kind || d.Kind != r.Kind {
		if want, ok := choose(says(q[original]), says(d), says(u)); ok && want == r.data && !q.part() {
			return c.written(q)
		}
		return q.refuse("value", "expected %s or %s, found %s", d.show(), u.show(), r.show())
	}
	if x := q.properties(); x != nil {
		return x
	}
	if o := q[original]; o != nil && !q.part() && r.data == o.data && d.data != o.data && u.data != o.data && d.data != u.data {
		return q.refuse("undone", "ours and theirs both changed it, found what base has: %s", r.show())
	}
	var x *Refusal
	switch r.Kind {
	case syntax.Mapping:
		x = c.fields(at, q)
	case syntax.Sequence:
		x = c.list(at, q)
	default:
		x = c.scalarOf(q)
	}
	if x != nil {
		return x
	}
	return c.form(q)
}

// replaced holds what both sides made a collection of that was none: they added it.
func (c *checker) replaced(at *place, q quad) *Refusal {
	q[original] = nil
	if want, ok := choose(0, q[dest].data, q[updated].data); ok && want == q[result].data && !q.part() {
		return c.written(q)
	}
	if q[result].Kind != q[dest].Kind || len(q[result].kids) == 0 && len(q[result].Entries) == 0 {
		return q.refuse("value", "ours has %s, theirs %s, found %s", q[dest].show(), q[updated].show(), q[result].show())
	}
	c.loose.both = append(c.loose.both, stray{q: q, at: at})
	return nil
}

// properties holds anchors and written tags, which belong to the node, and keys.
func (q quad) properties() *Refusal {
	var p [versions]string
	for v, n := range q {
		if n != nil {
			p[v] = n.Anchor + " " + n.TagText + " " + strconv.FormatUint(n.key, 36)
		}
	}
	if want, ok := choose(p[original], p[dest], p[updated]); !ok || want != p[result] {
		return q.refuse("anchor or tag", "its key, anchor or tag is not that of ours or theirs")
	}
	return nil
}

// scalarOf holds a scalar or an alias.
func (c *checker) scalarOf(q quad) *Refusal {
	o, d, u, r := q[original], q[dest], q[updated], q[result]
	was := uint64(0)
	if o != nil {
		was = o.bare
	}
	if want, ok := choose(was, d.bare, u.bare); ok && !q.part() {
		if want == r.bare {
			return nil
		}
		by := d
		if want == u.bare {
			by = u
		}
		return q.refuse("value", "expected %s, which %s has, found %s", by.show(), by.v, r.show())
	}
	return c.text(q)
}

// fields holds a mapping, whose fields pair by key.
func (c *checker) fields(at *place, q quad) *Refusal {
	if x := c.judge(c.oneOf(at, q)); x != nil {
		return x
	}
	return c.collection(q, byKey, func(n *node) *place { return at.field(n.entry.KeyText()) })
}

// list holds a list: by keys where its kind is known, else by values.
func (c *checker) list(at *place, q quad) *Refusal {
	if at.isItems() && q.all(func(n *node) bool { return identity(n) != "" }) {
		return c.collection(q, c.byIdentity(q), func(n *node) *place { return at.item(n) })
	}
	l := c.Rules.Of(at.schema(c.File), q.nodes()...)
	if want, ok := choose(says(q[original]), q[dest].data, q[updated].data); l.Kind == schema.Atomic && !q.part() && (!ok || want != q[result].data) {
		return q.refuse("value", "it is one value, and neither that of ours nor of theirs")
	}
	id := byValue
	switch {
	case l.Kind == schema.Map && l.Source != "inference", l.Kind == schema.Set:
		id = func(n *node) uint64 {
			if x, ok := l.ID(n.Node); ok {
				return hash(x)
			}
			return byValue(n)
		}
	case l.Kind == schema.Map && q.all(func(n *node) bool { _, ok := l.ID(n.Node); return ok }):
		id = func(n *node) uint64 { x, _ := l.ID(n.Node); return hash(x) }
	}
	return c.collection(q, id, func(*node) *place { return at.field("*") })
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

// collection holds what is in q, paired by id.
func (c *checker) collection(q quad, id func(*node) uint64, below func(*node) *place) *Refusal {
	rows := pair(q, id)
	many := tally(rows)
	var reformed *bool // a side wrote a member otherwise, once asked
	var decided map[uint64]*quad
	if c.person {
		decided = q.decided(id)
	}
	for i := range rows {
		k := &rows[i]
		if was := decided[k.key]; was != nil {
			c.judge(was.undone(k.q[result]))
			continue
		}
		if c.person && q.part() && (k.key == 0 || k.key == k.q.any().data) {
			continue
		}
		if n, ok := many[k.key]; ok && k.key == k.q.any().data && n.between(true) {
			continue
		}
		if k.nth > 1 && k.q[result] != nil && k.q[original] == nil && k.q[dest] == nil && k.q[updated] == nil {
			if x := c.judge(first(rows, k).refuse("doubled", "it stands more often than in every input")); x != nil {
				return x
			}
			continue
		}
		n := k.q.any()
		before := c.loose.len()
		x := c.meet(below(n), k.q)
		if x != nil && x.Rule == "form" && !(k.counts() == counts{1, 1, 1, 1}) {
			if reformed == nil {
				reformed = &[]bool{rewrote(rows)}[0]
			}
			if *reformed {
				x = nil
			}
		}
		if x := c.judge(x); x != nil {
			return x
		}
		c.loose.home(before, q)
	}
	if x := order(rows, many, q.part()); x != nil {
		return x
	}
	if d, u, r := q[dest], q[updated], q[result]; q[original] != nil && d != nil && u != nil && r != nil && r.Kind == syntax.Mapping && len(r.Entries) == 0 && len(q[original].Entries) > 0 && len(d.Entries) > 0 && len(u.Entries) > 0 && r.Style == syntax.Flow {
		return q.refuse("emptied", "each side removed a part of it, nothing is left")
	}
	return nil
}

// tally counts the values that a version has several times: which of them is
// which cannot be told, and need not be.
func tally(rows []row) map[uint64]counts {
	var many map[uint64]counts
	for _, k := range rows {
		if k.nth > 1 && many == nil {
			many = map[uint64]counts{}
		}
		if k.nth > 1 {
			many[k.key] = counts{}
		}
	}
	for _, k := range rows {
		if n, ok := many[k.key]; ok {
			for v, x := range k.counts() {
				n[v] += x
			}
			many[k.key] = n
		}
	}
	return many
}

// counts tells which versions have k.
func (k row) counts() (n counts) {
	for v, x := range k.q {
		if x != nil {
			n[v] = 1
		}
	}
	return n
}

// first is the first row of the identity of k, with what the result has of k.
func first(rows []row, k *row) quad {
	q := k.q
	for _, f := range rows {
		if f.key == k.key && f.nth == 1 {
			q = f.q
			q[result] = k.q[result]
		}
	}
	return q
}

// A row is one member of a collection in its versions.
type row struct {
	q   quad
	key uint64
	at  [versions]int // its index, -1 where a version lacks it
	nth int           // which of those of one identity it is, from 1
}

// pair makes rows of the members of q: those of one identity in their order.
// What a version has of no identity is a row of its own.
func pair(q quad, id func(*node) uint64) []row {
	var rows []row
	index := map[uint64]int{}
	for v := range q {
		var nth map[uint64]int
		for i, n := range q.members(version(v)) {
			key := id(n)
			count := 1
			at, ok := index[mix(key, 1)]
			if ok && rows[at].q[v] != nil && key != 0 {
				if nth == nil {
					nth = map[uint64]int{}
				}
				nth[key]++
				count = nth[key] + 1
				at, ok = index[mix(key, uint64(count))]
			}
			if !ok || key == 0 {
				at = len(rows)
				rows = append(rows, row{key: key, at: [versions]int{-1, -1, -1, -1}, nth: count})
				if key != 0 {
					index[mix(key, uint64(count))] = at
				}
			}
			rows[at].q[v], rows[at].at[v] = n, i
		}
	}
	return rows
}

// members are what v has in q and what counts as if it had it.
func (q quad) members(v version) []*node {
	n := q[v]
	if n == nil {
		return nil
	}
	all := make([]*node, 0, len(n.kids))
	for i := range n.kids {
		if k := &n.kids[i]; !k.gone {
			all = append(all, k)
		}
	}
	if o := q[original]; o != nil && o.part && n.v == v && v != original && v != result {
		for i := range o.kids {
			if k := &o.kids[i]; k.lent == v {
				all = append(all, k)
			}
		}
	}
	return all
}

// all reports whether f holds of all that is in q.
func (q quad) all(f func(*node) bool) bool {
	for _, n := range q {
		if n == nil {
			continue
		}
		for i := range n.kids {
			if !f(&n.kids[i]) {
				return false
			}
		}
	}
	return true
}

// nodes are the inputs' versions of q, nil where there is none.
func (q quad) nodes() []*syntax.Node {
	all := make([]*syntax.Node, 3)
	for v := range all {
		if q[v] != nil {
			all[v] = q[v].Node
		}
	}
	return all
}

// any returns q in dest, else updated, the original or the result.
func (q quad) any() *node {
	for _, v := range [...]version{dest, updated, original, result} {
		if q[v] != nil {
			return q[v]
		}
	}
	return nil
}

// order refuses members that stand in another order than in a side, where the
// other side did not give what all have another one. Of several that are alike
// it cannot be told which is which, and what both added stands where one did.
// So does what is in conflict.
func order(rows []row, many map[uint64]counts, open bool) *Refusal {
	rows = slices.DeleteFunc(slices.Clone(rows), func(k row) bool {
		_, several := many[k.key]
		return several || k.q.lent() || open && (k.q[original] == nil || k.q[dest] == nil || k.q[updated] == nil) || k.q[original] == nil && k.q[dest] != nil && k.q[updated] != nil
	})
	moved := [versions]bool{}
	for _, v := range [...]version{dest, updated} {
		_, moved[v] = outOf(rows, original, v, func(row) bool { return true })
	}
	_, apart := outOf(rows, dest, updated, func(k row) bool { return k.q[original] != nil })
	for _, s := range sides {
		if moved[s.other()] && (apart || !moved[s]) {
			continue
		}
		if bad, is := outOf(rows, s, result, func(row) bool { return true }); is {
			return bad.q.refuse("order", "it stands in another order than in %s", s)
		}
	}
	return nil
}

// lent reports whether a side has something of the original in q.
func (q quad) lent() bool {
	return q[dest] != nil && q[dest].v != dest || q[updated] != nil && q[updated].v != updated
}

// outOf returns a member that b has in another order than a, of those that
// count and that both have.
func outOf(rows []row, a, b version, counts func(row) bool) (row, bool) {
	last := -1
	for _, k := range inOrder(rows, a) {
		if k.q[b] == nil || !counts(k) {
			continue
		}
		if k.at[b] < last {
			return k, true
		}
		last = k.at[b]
	}
	return row{}, false
}

// inOrder returns the rows of v, in its order.
func inOrder(rows []row, v version) []row {
	n := 0
	for _, k := range rows {
		n = max(n, k.at[v]+1)
	}
	out := make([]row, n)
	have := make([]bool, n)
	for _, k := range rows {
		if i := k.at[v]; i >= 0 {
			out[i], have[i] = k, true
		}
	}
	all := out[:0]
	for i := range out {
		if have[i] {
			all = append(all, out[i])
		}
	}
	return all
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
	s := strconv.Quote(n.Value)
	if len(s) > most {
		s = s[:most] + "..."
	}
	if n.Tag != "!!str" {
		return n.Tag + " " + s
	}
	return s
}
