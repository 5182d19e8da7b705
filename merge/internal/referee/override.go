package referee

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// An Override is the claim that Result is the merge of the other three by
// rules under which updated wins: it holds all of updated's edits, dest's
// where updated did not change the field, and nothing else changed but
// cleared nulls.
type Override struct {
	Original, Dest, Updated, Result *syntax.Stream
	// File is the path of the file, for Lists, which says what a list is: a
	// map list is paired by its keys, all others are one value.
	File  string
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
	// Settled are the comments that both changed, of which one stands, and those
	// of documents that ask for nothing.
	Settled []Open
}

// CheckOverride returns why c does not hold, or nil if it holds. It judges
// data, comments and doubled keys; the order of fields and items is not judged.
func CheckOverride(c Override) *Refusal {
	k := &overrider{Override: c, fresh: map[*node]bool{}}
	for _, o := range c.Settled {
		k.gone[dest] = append(k.gone[dest], o.Dest)
		k.gone[updated] = append(k.gone[updated], o.Updated)
	}
	streams := [versions]*syntax.Stream{c.Original, c.Dest, c.Updated, c.Result}
	docs, single := k.written(streams)
	if r := k.resources(docs, single); r != nil {
		return r
	}
	return k.remarks(streams)
}

// written returns the documents in which something is written, and whether no
// version has several. The comments of others need not stand beside those of a
// side that has more documents.
func (k *overrider) written(streams [versions]*syntax.Stream) (docs [versions][]*node, single bool) {
	var blank [versions][]text.Span
	single = true
	for v, s := range streams {
		for i, d := range readDocs(s, version(v), nil, nil, nil) {
			if d.isBlank() {
				blank[v] = append(blank[v], s.Docs[i].Span)
				continue
			}
			docs[v] = append(docs[v], d)
		}
		single = single && len(docs[v]) <= 1
	}
	for _, v := range sides {
		if len(docs[dest]) != len(docs[updated]) {
			k.gone[v] = append(k.gone[v], blank[v]...)
		}
	}
	return docs, single
}

type overrider struct {
	Override
	gone  [versions][]text.Span // what of dest and updated is not in the result
	fresh map[*node]bool        // what isFresh and hasOwn found
}

// resources checks documents by identity; single ones pair unless they are
// different resources.
func (k *overrider) resources(m [versions][]*node, single bool) *Refusal {
	id := k.identities(m)
	if single && (k.Strategic || !differ(m, id)) {
		id = func(*node) string { return "" }
	}
	for _, r := range pair(m, func(n *node) uint64 { return hash(id(n)) }).of {
		at := (*place)(nil).document("", r.at.any())
		if !single {
			at.name = resourceName(at.root)
		}
		if ref := k.resource(at, r.at); ref != nil {
			return ref
		}
	}
	return nil
}

func differ(m [versions][]*node, id func(*node) string) bool {
	ids := map[string]bool{}
	for _, v := range inputs {
		for _, n := range m[v] {
			ids[id(n)] = true
		}
	}
	return len(ids) > 1 && !ids[""]
}

// resource checks a document: one that dest or updated alone has stands as it
// is, or is gone.
func (k *overrider) resource(at *place, t quad) *Refusal {
	o, d, u, r := t[original], t[dest], t[updated], t[result]
	switch {
	case d != nil && u != nil && r != nil:
		return k.value(&member{at: at, t: t})
	case d != nil && u != nil:
		return at.refuse("lost", "both sides have it, it is gone")
	}
	want := d
	if d == nil && (o == nil || k.Always) {
		want = u
	} else if o != nil && !k.Always {
		want = nil
	}
	k.drop(t, want)
	if !equal(want, r) {
		return at.refuse("value", "found another resource than the rules ask for")
	}
	return nil
}

// drop notes that of dest and updated no other than want stands.
func (k *overrider) drop(t quad, want *node) {
	for _, v := range sides {
		if n := t[v]; n != nil && n != want {
			span := n.Span
			if n.entry != nil {
				span = n.entry.Span
			}
			k.gone[v] = append(k.gone[v], span)
		}
	}
}

// entry checks a field or an item; key says that it tells which item it is in.
func (k *overrider) entry(m *member, key bool) *Refusal {
	at, t := m.at, m.t
	switch stands := key && (t[dest] != nil || t[updated] != nil) && !k.cleared(t) || k.stands(m); {
	case !stands && t[result] != nil:
		return at.refuse("undone", "found %s, which a side removed", t[result].show())
	case !stands:
		k.drop(t, nil)
		return nil
	case t[result] == nil:
		return at.refuse("lost", "expected a value, found nothing")
	}
	if key && t[dest] == nil {
		m.t[original] = nil
	}
	return k.value(m)
}

// stands reports whether a field or an item is in the result.
func (k *overrider) stands(m *member) bool {
	o, d, u := m.t[original], m.t[dest], m.t[updated]
	switch {
	case d == nil && u == nil, k.cleared(m.t):
		return false
	case u == nil && o != nil && (k.Always || !o.isNull()):
		return k.remains(m)
	case d == nil && o != nil && !k.Always:
		return k.isFresh(m.at, o, u)
	}
	return true
}

// remains reports whether something is left in dest of what updated deleted:
// what dest alone has, and what kubectl sends anyway.
func (k *overrider) remains(m *member) bool {
	sent := k.Strategic && schema.Sent(m.at.schema(k.File))
	if sent && m.t[dest].Kind != syntax.Mapping {
		return true
	}
	return (sent || !k.Always) && k.hasOwn(m.at, m.t[original], m.t[dest])
}

func (k *overrider) cleared(t quad) bool {
	null := func(v version) bool {
		n := t[v]
		return n != nil && n.entry.Key != nil && n.isNull()
	}
	return null(updated) || k.DestNull && null(dest)
}

func (n *node) isNull() bool { return n.Kind == syntax.Scalar && n.Tag == "!!null" }

// isFresh reports whether u has something that o has not.
func (k *overrider) isFresh(at *place, o, u *node) bool {
	if o == nil || o.full == u.full || o.Kind != u.Kind {
		return o == nil || o.full != u.full
	}
	if f, ok := k.fresh[u]; ok {
		return f
	}
	members, ok := k.members(&member{at: at, t: quad{original: o, updated: u}})
	f := !ok
	for _, m := range members {
		if m.t[updated] != nil && !k.cleared(m.t) && k.isFresh(m.at, m.t[original], m.t[updated]) {
			f = true
		}
	}
	k.fresh[u] = f
	return f
}

// hasOwn reports whether dest has something in a collection of the original
// that the original lacks.
func (k *overrider) hasOwn(at *place, o, d *node) bool {
	if o == nil || o.isNull() || o.Kind != d.Kind {
		return o == nil || o.isNull()
	}
	if f, ok := k.fresh[d]; ok {
		return f
	}
	members, ok := k.members(&member{at: at, t: quad{original: o, dest: d}})
	k.fresh[d] = ok && slices.ContainsFunc(members, func(m *member) bool {
		return m.t[dest] != nil && !k.cleared(m.t) && k.hasOwn(m.at, m.t[original], m.t[dest])
	})
	return k.fresh[d]
}

// value checks a value that is in the result.
func (k *overrider) value(m *member) *Refusal {
	if k.Always && m.t[dest] == nil {
		m.t[original] = nil
	}
	if members, ok := k.members(m); ok {
		return k.collection(m, members)
	}
	want, r := k.winner(m.t), m.t[result]
	if d, u := m.t[dest], m.t[updated]; d != nil && u != nil && d.Kind != u.Kind {
		alone := &member{at: m.at, t: quad{result: r}} // without its nulls
		alone.t[want.v] = want
		return k.value(alone)
	}
	if want.full != r.full {
		return m.at.refuse("value", "expected %s, which %s has, found %s", want.show(), want.v, r.show())
	}
	return nil
}

// collection checks what a mapping or a list holds. Of a union no field stands
// that updated lacks.
func (k *overrider) collection(m *member, members []*member) *Refusal {
	d, u, r := m.t[dest], m.t[updated], m.t[result]
	if r.Kind != d.or(u).Kind {
		return m.at.refuse("value", "expected %s, found %s", d.or(u).show(), r.show())
	}
	union := k.Strategic && d != nil && u != nil && d.Kind == syntax.Mapping && schema.RetainsKeys(m.at.schema(k.File), u.Node)
	for _, kid := range members {
		if union && kid.t[updated] == nil {
			kid.t[original] = kid.t[dest] // it goes
		}
		if ref := k.entry(kid, m.isKey(kid)); ref != nil {
			return ref
		}
	}
	return nil
}

// winner is the side that stands where a value is one. What the other has goes.
func (k *overrider) winner(t quad) *node {
	o, d, u := t[original], t[dest], t[updated]
	if d != nil && u != nil && d.full == u.full {
		return d
	}
	want := u
	if u == nil || d != nil && !k.Always && o != nil && o.full == u.full {
		want = d
	}
	k.drop(t, want)
	return want
}

func (n *node) or(m *node) *node {
	if n != nil {
		return n
	}
	return m
}
