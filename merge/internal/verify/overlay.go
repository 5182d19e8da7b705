package verify

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// An Overlay is rules under which theirs wins. That is the same equation after base was
// rewritten to ours where both changed one thing, and beside it: a null clears its
// field, a list that has no keys is one value, and what a side alone has in something
// that is gone may stay. Data, comments and doubled keys are judged, order and form
// are not.
type Overlay struct {
	// Lists says what a list is: a Map is paired by its keys, others are one value.
	Lists func(schema.Place, ...*syntax.Node) schema.List
	// Always says that theirs's value stands also where it did not change it.
	Always bool
	// DestNull says that a null in ours clears its field, as one in theirs does.
	DestNull bool
	// Strategic says that sets are paired by value, that single documents are
	// one resource, and that unions have one member.
	Strategic bool
	// ByPlace says that resources are known by their place in the file.
	ByPlace bool
}

// overlayer is the state of one CheckOverlay.
type overlayer struct {
	Overlay
	*checker
	gone  [versions][]text.Span // what of ours and theirs is not in the result
	known map[*node]bool        // what news found
}

// CheckOverlay returns why c does not hold by these rules, or nil if it holds. Of
// the comments that are open one stands, or none.
func CheckOverlay(c Merge, by Overlay) *Violation {
	k := &overlayer{Overlay: by, known: map[*node]bool{}}
	for _, o := range c.Conflicts {
		for _, v := range sides {
			k.gone[v] = append(k.gone[v], o.At[v])
		}
	}
	c.Conflicts = nil
	k.checker = newChecker(c)
	single := k.blanks()
	id := k.identities(k.docs)
	other := func(r *match) bool { return !facts.IsResource(r.q.any()) }
	if one := matched(k.docs, id, false); single && (k.Strategic || len(one) < 2 || slices.ContainsFunc(one, other)) {
		id = func(*node) uint64 { return 1 }
	}
	for _, m := range matched(k.docs, id, false) {
		if r := k.resource(&place{root: m.q.any()}, m.q); r != nil {
			return r
		}
	}
	return k.remarksStand()
}

// blanks takes out the documents in which nothing is written, and reports whether no
// version has several others. Their comments need not stand beside those of a side
// that has more documents.
func (k *overlayer) blanks() (single bool) {
	var n counts
	var blank [versions][]text.Span
	for v, docs := range k.docs {
		for i := range docs.Kept {
			if d := &docs.Kept[i]; d.IsBlank() {
				d.Masked = true
				blank[v] = append(blank[v], k.streams[v].Docs[i].Span)
			} else {
				n[v]++
			}
		}
	}
	for _, v := range sides {
		if n[ours] != n[theirs] {
			k.gone[v] = append(k.gone[v], blank[v]...)
		}
	}
	return slices.Max(n[:]) < 2
}

// keep notes that of ours and theirs no other than want stands.
func (k *overlayer) keep(q quad, want *node) {
	for _, v := range sides {
		if n := q[v]; n != nil && n != want {
			k.gone[v] = append(k.gone[v], n.Whole())
		}
	}
}

// resource holds a document, or an item of a List: one that ours alone has stands as it
// is, one that theirs alone has but for its nulls, or it is gone.
func (k *overlayer) resource(at *place, q quad) *Violation {
	b, o, t, r := q[base], q[ours], q[theirs], q[result]
	switch {
	case o != nil && t != nil && r != nil:
		return k.value(at, q, schema.List{})
	case o != nil && t != nil:
		return q.violation("lost", "both sides have it, but the result lacks it")
	}
	want := o
	if o == nil && (b == nil || k.Always) {
		want = t
	} else if b != nil && !k.Always {
		want = nil
	}
	k.keep(q, want)
	if want != nil && want == t && r != nil {
		return k.value(at, quad{theirs: t, result: r}, schema.List{}) // without its nulls
	}
	if (want == nil) != (r == nil) || r != nil && want.Data != r.Data {
		return q.violation("value", "found another resource than the rules ask for")
	}
	return nil
}

// entry holds a field or an item; key says that it tells which item it is in.
func (k *overlayer) entry(at *place, q quad, key bool, in schema.List) *Violation {
	o, t, r := q[ours], q[theirs], q[result]
	switch stands := key && (o != nil || t != nil) && !k.cleared(q) || k.stands(at, q); {
	case !stands && r != nil:
		return q.violation("undone", "found %s, which a side removed", r.Show())
	case !stands:
		k.keep(q, nil)
		return nil
	case r == nil:
		return q.violation("lost", "expected a value, found nothing")
	}
	if key && o == nil {
		q[base] = nil
	}
	return k.value(at, q, in)
}

// stands reports whether a field or an item is in the result. Of what theirs
// deleted stands what ours alone has, and what kubectl sends anyway.
func (k *overlayer) stands(at *place, q quad) bool {
	b, o, t := q[base], q[ours], q[theirs]
	switch {
	case o == nil && t == nil, k.cleared(q):
		return false
	case t == nil && b != nil && (k.Always || !b.IsNull()):
		sent := k.Strategic && schema.Sent(at.schema(k.File))
		return sent && o.Kind != syntax.Mapping || (sent || !k.Always) && k.news(at, b, o, false)
	case o == nil && b != nil && !k.Always:
		return k.news(at, b, t, true)
	}
	return true
}

// cleared reports whether a null removes the field q.
func (k *overlayer) cleared(q quad) bool {
	null := func(n *node) bool { return n != nil && n.Entry.Key != nil && n.IsNull() }
	return null(q[theirs]) || k.DestNull && null(q[ours])
}

// news reports whether a side's n has something that o lacks, or, if so is said,
// something else.
func (k *overlayer) news(at *place, o, n *node, otherwise bool) bool {
	switch {
	case o == nil, !otherwise && o.IsNull():
		return true
	case o.Data == n.Data:
		return false
	case o.Kind != n.Kind:
		return otherwise
	}
	if f, ok := k.known[n]; ok {
		return f
	}
	q := quad{base: o}
	q[n.V] = n
	rows, _, parts := k.matches(at, q)
	k.known[n] = !parts && otherwise || parts && slices.ContainsFunc(rows, func(m *match) bool {
		return m.q[n.V] != nil && !k.cleared(m.q) && k.news(at.below(m.q.any(), q), m.q[base], m.q[n.V], otherwise)
	})
	return k.known[n]
}

// value holds what is in the result. What does not merge is as if the winner alone
// had it. Of a union no field stands that theirs lacks.
func (k *overlayer) value(at *place, q quad, in schema.List) *Violation {
	o, t, r := q[ours], q[theirs], q[result]
	if k.Always && o == nil {
		q[base] = nil
	}
	rows, list, parts := k.matches(at, q)
	if !parts {
		return k.whole(at, q, in)
	}
	n := q.any()
	if r.Kind != n.Kind {
		return q.violation("value", "expected %s, found %s", n.Show(), r.Show())
	}
	union := k.Strategic && o != nil && t != nil && o.Kind == syntax.Mapping && schema.RetainsKeys(at.schema(k.File), t.Node)
	for _, m := range rows {
		f := m.q.any()
		if union && m.q[ours] != nil && m.q[theirs] == nil {
			m.q[base] = m.q[ours] // it goes
		}
		below := at.below(f, q)
		holds := func() *Violation {
			key := (o == nil || t == nil) && f.Entry.Key != nil && in.IsKey(f.Entry.Key.Value)
			return k.entry(below, m.q, key, list)
		}
		if m.q.in()&(inOurs|inTheirs) != inOurs|inTheirs && at.isItems() && q.all(facts.IsResource) {
			holds = func() *Violation { return k.resource(below, m.q) }
		}
		if x := holds(); x != nil {
			return x
		}
	}
	return nil
}

// whole verifies a value that is one.
func (k *overlayer) whole(at *place, q quad, in schema.List) *Violation {
	want, r := k.winner(q), q[result]
	if q[base] != nil || q[ours] != nil && q[theirs] != nil {
		alone := quad{result: r}
		alone[want.V] = want
		return k.value(at, alone, in)
	}
	if want.Data != r.Data {
		return q.violation("value", "expected %s, which %s has, found %s", want.Show(), want.V, r.Show())
	}
	return nil
}

// winner is the side that stands where a value is one. What the other has goes.
func (k *overlayer) winner(q quad) *node {
	b, o, t := q[base], q[ours], q[theirs]
	want := t
	if t == nil || o != nil && (o.Data == t.Data || !k.Always && b != nil && b.Data == t.Data) {
		want = o
	}
	for _, n := range [...]*node{o, t} {
		if n != nil && n.Data != want.Data {
			k.gone[n.V] = append(k.gone[n.V], n.Span)
		}
	}
	return want
}

// remarksStand holds comments: those of ours and the new ones of theirs stand, if
// what they belong to does, and the result has no others.
func (k *overlayer) remarksStand() *Violation {
	for v, spans := range k.gone {
		k.masks[v] = union(spans)
	}
	all, by := k.remarks()
	for _, r := range all {
		n, stands := by[r.said].all, by[r.said].standing
		old := n[base] > 0
		lost := n[result] == 0 && (stands[ours] > 0 && (!old || n[theirs] > 0) || stands[theirs] > 0 && (!old || n[ours] > 0))
		if lost || n[result] > n[ours]+n[theirs] {
			return k.commentViolation(all, r, n)
		}
	}
	return nil
}

// union sorts spans and joins those that overlap.
func union(spans []text.Span) (all []facts.Mask) {
	slices.SortFunc(spans, func(a, b text.Span) int { return a.Start - b.Start })
	for _, s := range spans {
		if n := len(all); n > 0 && s.Start <= all[n-1].End {
			all[n-1].End = max(all[n-1].End, s.End)
			continue
		}
		all = append(all, facts.Mask{Span: s})
	}
	return all
}
