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
		for _, v := range sides {
			k.gone[v] = append(k.gone[v], o.At[v])
		}
	}
	c.Open = nil
	k.checker = newChecker(c)
	single := k.blanks()
	id := k.identities(k.docs)
	if one := pair(k.docs, id, false); single && (k.Strategic || len(one) < 2 || slices.ContainsFunc(one, func(r *row) bool { return !isResource(r.q.any()) })) {
		id = func(*node) uint64 { return 1 }
	}
	for _, m := range pair(k.docs, id, false) {
		if r := k.resource(&place{root: m.q.any()}, m.q); r != nil {
			return r
		}
	}
	return k.remarksStand()
}

// blanks takes out the documents in which nothing is written, and reports whether no
// version has several others. Their comments need not stand beside those of a side
// that has more documents.
func (k *overrider) blanks() (single bool) {
	var n counts
	var blank [versions][]text.Span
	for v, docs := range k.docs {
		for i := range docs.kept {
			if d := &docs.kept[i]; d.isBlank() {
				d.gone = true
				blank[v] = append(blank[v], k.streams[v].Docs[i].Span)
			} else {
				n[v]++
			}
		}
	}
	for _, v := range sides {
		if n[dest] != n[updated] {
			k.gone[v] = append(k.gone[v], blank[v]...)
		}
	}
	return slices.Max(n[:]) < 2
}

// keep notes that of dest and updated no other than want stands.
func (k *overrider) keep(q quad, want *node) {
	for _, v := range sides {
		if n := q[v]; n != nil && n != want {
			k.gone[v] = append(k.gone[v], n.whole())
		}
	}
}

// resource holds a document, or an item of a List: one that dest alone has stands as it
// is, one that updated alone has but for its nulls, or it is gone.
func (k *overrider) resource(at *place, q quad) *Refusal {
	o, d, u, r := q[original], q[dest], q[updated], q[result]
	switch {
	case d != nil && u != nil && r != nil:
		return k.value(at, q, schema.List{})
	case d != nil && u != nil:
		return q.refuse("lost", "both sides have it, it is gone")
	}
	want := d
	if d == nil && (o == nil || k.Always) {
		want = u
	} else if o != nil && !k.Always {
		want = nil
	}
	k.keep(q, want)
	if want != nil && want == u && r != nil {
		return k.value(at, quad{updated: u, result: r}, schema.List{}) // without its nulls
	}
	if (want == nil) != (r == nil) || r != nil && want.data != r.data {
		return q.refuse("value", "found another resource than the rules ask for")
	}
	return nil
}

// entry holds a field or an item; key says that it tells which item it is in.
func (k *overrider) entry(at *place, q quad, key bool, in schema.List) *Refusal {
	d, u, r := q[dest], q[updated], q[result]
	switch stands := key && (d != nil || u != nil) && !k.cleared(q) || k.stands(at, q); {
	case !stands && r != nil:
		return q.refuse("undone", "found %s, which a side removed", r.show())
	case !stands:
		k.keep(q, nil)
		return nil
	case r == nil:
		return q.refuse("lost", "expected a value, found nothing")
	}
	if key && d == nil {
		q[original] = nil
	}
	return k.value(at, q, in)
}

// stands reports whether a field or an item is in the result. Of what updated
// deleted stands what dest alone has, and what kubectl sends anyway.
func (k *overrider) stands(at *place, q quad) bool {
	o, d, u := q[original], q[dest], q[updated]
	switch {
	case d == nil && u == nil, k.cleared(q):
		return false
	case u == nil && o != nil && (k.Always || !o.isNull()):
		sent := k.Strategic && schema.Sent(at.schema(k.File))
		return sent && d.Kind != syntax.Mapping || (sent || !k.Always) && k.news(at, o, d, false)
	case d == nil && o != nil && !k.Always:
		return k.news(at, o, u, true)
	}
	return true
}

// cleared reports whether a null removes the field q.
func (k *overrider) cleared(q quad) bool {
	null := func(n *node) bool { return n != nil && n.entry.Key != nil && n.isNull() }
	return null(q[updated]) || k.DestNull && null(q[dest])
}

func (n *node) isNull() bool { return n.Kind == syntax.Scalar && n.Tag() == "!!null" }

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
	rows, _, parts := k.rows(at, q)
	k.known[n] = !parts && otherwise || parts && slices.ContainsFunc(rows, func(m *row) bool {
		return m.q[n.v] != nil && !k.cleared(m.q) && k.news(at.below(m.q.any(), q), m.q[original], m.q[n.v], otherwise)
	})
	return k.known[n]
}

// value holds what is in the result. What does not merge is as if the winner alone
// had it. Of a union no field stands that updated lacks.
func (k *overrider) value(at *place, q quad, in schema.List) *Refusal {
	d, u, r := q[dest], q[updated], q[result]
	if k.Always && d == nil {
		q[original] = nil
	}
	rows, list, parts := k.rows(at, q)
	if !parts {
		want := k.winner(q)
		if q[original] != nil || d != nil && u != nil {
			alone := quad{result: r}
			alone[want.v] = want
			return k.value(at, alone, in)
		}
		if want.data != r.data {
			return q.refuse("value", "expected %s, which %s has, found %s", want.show(), want.v, r.show())
		}
		return nil
	}
	n := q.any()
	if r.Kind != n.Kind {
		return q.refuse("value", "expected %s, found %s", n.show(), r.show())
	}
	union := k.Strategic && d != nil && u != nil && d.Kind == syntax.Mapping && schema.RetainsKeys(at.schema(k.File), u.Node)
	for _, m := range rows {
		f := m.q.any()
		if union && m.q[dest] != nil && m.q[updated] == nil {
			m.q[original] = m.q[dest] // it goes
		}
		if at.isItems() && q.all(isResource) && (m.q[dest] == nil || m.q[updated] == nil) {
			if x := k.resource(at.below(f, q), m.q); x != nil {
				return x
			}
			continue
		}
		key := (d == nil || u == nil) && f.entry.Key != nil && in.IsKey(f.entry.Key.Value)
		if x := k.entry(at.below(f, q), m.q, key, list); x != nil {
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
			k.gone[n.v] = append(k.gone[n.v], n.Span)
		}
	}
	return want
}

// remarksStand holds comments: those of dest and the new ones of updated stand, if
// what they belong to does, and the result has no others.
func (k *overrider) remarksStand() *Refusal {
	for v, spans := range k.gone {
		k.cuts[v] = union(spans)
	}
	all, by := k.remarks()
	for _, r := range all {
		n, stands := by[r.said].all, by[r.said].standing
		old := n[original] > 0
		lost := n[result] == 0 && (stands[dest] > 0 && (!old || n[updated] > 0) || stands[updated] > 0 && (!old || n[dest] > 0))
		if lost || n[result] > n[dest]+n[updated] {
			return k.refuseComment(all, r, n)
		}
	}
	return nil
}

// union sorts spans and joins those that overlap.
func union(spans []text.Span) (all []cut) {
	slices.SortFunc(spans, func(a, b text.Span) int { return a.Start - b.Start })
	for _, s := range spans {
		if n := len(all); n > 0 && s.Start <= all[n-1].End {
			all[n-1].End = max(all[n-1].End, s.End)
			continue
		}
		all = append(all, cut{Span: s})
	}
	return all
}
