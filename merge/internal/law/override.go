package law

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// An Override is rules under which updated wins. That is the law after base was
// rewritten to dest where both changed one thing, and beside it: a null clears its
// field, a list that has no keys is one value, and what a side alone has in something
// that is gone may stay. Data, comments and doubled keys are judged, order and form
// are not.
type Override struct {
	// Lists says what a list is: a Map is paired by its keys, others are one value.
	Lists func(schema.Place, ...*syntax.Node) schema.List
	// Always says that updated's value stands also where it did not change it.
	Always bool
	// DestNull says that a null in dest clears its field, as one in updated does.
	DestNull bool
	// Strategic says that sets are paired by value, that single documents are
	// one resource, and that unions have one member.
	Strategic bool
	// ByPlace says that resources are known by their place in the file.
	ByPlace bool
}

// overrider is the state of one CheckOverride.
type overrider struct {
	Override
	*checker
	gone  [versions][]text.Span // what of dest and updated is not in the result
	known map[*node]bool        // what news found
}

// CheckOverride returns why c does not hold by these rules, or nil if it holds. Of
// the comments that are open one stands, or none.
func CheckOverride(c Claim, by Override) *Refusal {
	k := &overrider{Override: by, known: map[*node]bool{}}
	for _, o := range c.Open {
		k.drop(o.At[dest], dest)
		k.drop(o.At[updated], updated)
	}
	c.Open = nil
	k.checker = newChecker(c)
	single := k.blanks()
	q := quad(k.docs)
	id := k.identities(q)
	if one := pair(q, id); single && (k.Strategic || len(one) < 2 || slices.ContainsFunc(one, func(r row) bool { return identity(r.q.any()) == "" })) {
		id = func(*node) uint64 { return 1 }
	}
	for _, m := range pair(q, id) {
		if r := k.resource(&member{at: &place{root: m.q.any()}, q: m.q}); r != nil {
			return r
		}
	}
	return k.remarks()
}

// blanks takes out the documents in which nothing is written, and reports whether no
// version has several others. Their comments need not stand beside those of a side
// that has more documents.
func (k *overrider) blanks() (single bool) {
	var n counts
	var blank [versions][]text.Span
	for v, docs := range k.docs {
		for i := range docs.kids {
			if d := &docs.kids[i]; d.isBlank() {
				d.gone = true
				blank[v] = append(blank[v], k.streams[v].Docs[i].Span)
				continue
			}
			n[v]++
		}
	}
	for _, v := range sides {
		if n[dest] != n[updated] {
			k.gone[v] = append(k.gone[v], blank[v]...)
		}
	}
	return max(n[original], n[dest], n[updated], n[result]) < 2
}

// drop notes that what stands at s in v is not in the result.
func (k *overrider) drop(s text.Span, v version) { k.gone[v] = append(k.gone[v], s) }

// keep notes that of dest and updated no other than want stands.
func (k *overrider) keep(q quad, want *node) {
	for _, v := range sides {
		if n := q[v]; n != nil && n != want {
			k.drop(n.whole(), v)
		}
	}
}

// resource holds a document: one that dest or updated alone has stands as it is,
// or is gone.
func (k *overrider) resource(m *member) *Refusal {
	o, d, u := m.q[original], m.q[dest], m.q[updated]
	switch {
	case d != nil && u != nil && m.q[result] != nil:
		return k.value(m)
	case d != nil && u != nil:
		return m.q.refuse("lost", "both sides have it, it is gone")
	}
	want := d
	if d == nil && (o == nil || k.Always) {
		want = u
	} else if o != nil && !k.Always {
		want = nil
	}
	k.keep(m.q, want)
	if says(want) != says(m.q[result]) {
		return m.q.refuse("value", "found another resource than the rules ask for")
	}
	return nil
}

// entry holds a field or an item; key says that it tells which item it is in.
func (k *overrider) entry(m *member, key bool) *Refusal {
	d, u, r := m.q[dest], m.q[updated], m.q[result]
	switch stands := key && (d != nil || u != nil) && !k.cleared(m.q) || k.stands(m); {
	case !stands && r != nil:
		return m.q.refuse("undone", "found %s, which a side removed", r.show())
	case !stands:
		k.keep(m.q, nil)
		return nil
	case r == nil:
		return m.q.refuse("lost", "expected a value, found nothing")
	}
	if key && d == nil {
		m.q[original] = nil
	}
	return k.value(m)
}

// stands reports whether a field or an item is in the result. Of what updated
// deleted stands what dest alone has, and what kubectl sends anyway.
func (k *overrider) stands(m *member) bool {
	o, d, u := m.q[original], m.q[dest], m.q[updated]
	switch {
	case d == nil && u == nil, k.cleared(m.q):
		return false
	case u == nil && o != nil && (k.Always || !o.isNull()):
		sent := k.Strategic && schema.Sent(m.at.schema(k.File))
		return sent && d.Kind != syntax.Mapping || (sent || !k.Always) && k.news(m.at, o, d, false)
	case d == nil && o != nil && !k.Always:
		return k.news(m.at, o, u, true)
	}
	return true
}

// cleared reports whether a null removes the field q.
func (k *overrider) cleared(q quad) bool {
	null := func(n *node) bool { return n != nil && n.entry.Key != nil && n.isNull() }
	return null(q[updated]) || k.DestNull && null(q[dest])
}

func (n *node) isNull() bool { return n.Kind == syntax.Scalar && n.Tag == "!!null" }

// news reports whether a side's n has something that o lacks, or, if so is said,
// something else.
func (k *overrider) news(at *place, o, n *node, otherwise bool) bool {
	switch {
	case o == nil, !otherwise && o.isNull():
		return true
	case o.data == n.data:
		return false
	case o.Kind != n.Kind:
		return otherwise
	}
	if f, ok := k.known[n]; ok {
		return f
	}
	q := quad{original: o}
	q[n.v] = n
	members, ok := k.members(&member{at: at, q: q})
	k.known[n] = !ok && otherwise || ok && slices.ContainsFunc(members, func(m *member) bool {
		return m.q[n.v] != nil && !k.cleared(m.q) && k.news(m.at, m.q[original], m.q[n.v], otherwise)
	})
	return k.known[n]
}

// value holds what is in the result. Where the kinds differ, it is as if the
// winner alone had it.
func (k *overrider) value(m *member) *Refusal {
	d, u, r := m.q[dest], m.q[updated], m.q[result]
	if k.Always && d == nil {
		m.q[original] = nil
	}
	if members, ok := k.members(m); ok {
		return k.collection(m, members)
	}
	want := k.winner(m.q)
	if d != nil && u != nil && d.Kind != u.Kind {
		alone := quad{result: r}
		alone[want.v] = want
		return k.value(&member{at: m.at, q: alone})
	}
	if want.data != r.data {
		return m.q.refuse("value", "expected %s, which %s has, found %s", want.show(), want.v, r.show())
	}
	return nil
}

// collection holds what is in a mapping or a list. Of a union no field stands that
// updated lacks.
func (k *overrider) collection(m *member, members []*member) *Refusal {
	d, u, r := m.q[dest], m.q[updated], m.q[result]
	if n := m.q.any(); r.Kind != n.Kind {
		return m.q.refuse("value", "expected %s, found %s", n.show(), r.show())
	}
	union := k.Strategic && d != nil && u != nil && d.Kind == syntax.Mapping && schema.RetainsKeys(m.at.schema(k.File), u.Node)
	for _, kid := range members {
		if union && kid.q[dest] != nil && kid.q[updated] == nil {
			kid.q[original] = kid.q[dest] // it goes
		}
		if x := k.entry(kid, m.isKey(kid)); x != nil {
			return x
		}
	}
	return nil
}

// winner is the side that stands where a value is one. What the other has goes.
func (k *overrider) winner(q quad) *node {
	o, d, u := q[original], q[dest], q[updated]
	want := u
	if u == nil || d != nil && (d.data == u.data || !k.Always && o != nil && o.data == u.data) {
		want = d
	}
	for _, n := range [...]*node{d, u} {
		if n != nil && n.data != want.data {
			k.drop(n.Span, n.v)
		}
	}
	return want
}
