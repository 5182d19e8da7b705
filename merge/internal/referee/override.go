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
	// Settled are the comments that both changed, of which one stands.
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
	var named [versions][]*node
	single := true
	for v, s := range streams {
		for _, d := range readDocs(s, version(v), nil, false) {
			if !d.isBlank() {
				named[v] = append(named[v], d)
			}
		}
		single = single && len(named[v]) <= 1
	}
	if r := k.resources(named, single); r != nil {
		return r
	}
	return k.remarks(streams)
}

type overrider struct {
	Override
	gone  [versions][]text.Span // what of dest and updated is not in the result
	fresh map[*node]bool        // what isFresh and hasOwn found
}

// resources checks documents by identity; single ones pair unless they are
// different resources.
func (k *overrider) resources(m [versions][]*node, single bool) *Refusal {
	id := identities(m)
	if single && (k.Strategic || !differ(m, id)) {
		id = func(*node) string { return "" }
	}
	rows, order := map[string]*quad{}, []string(nil)
	for v := range m {
		for _, n := range m[v] {
			key := id(n)
			if rows[key] == nil {
				rows[key] = new(quad)
				order = append(order, key)
			}
			if rows[key][v] != nil {
				return (*place)(nil).document(resourceName(n), n).refuse("doubled", "%s has this resource twice", version(v))
			}
			rows[key][v] = n
		}
	}
	for _, key := range order {
		t := *rows[key]
		at := (*place)(nil).document("", t.any())
		if !single {
			at.name = resourceName(at.root)
		}
		if r := k.resource(at, t); r != nil {
			return r
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
	switch stands := key && (t[dest] != nil || t[updated] != nil) || k.stands(m); {
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
		return !k.Always && k.hasOwn(m.at, o, d)
	case d == nil && o != nil && !k.Always:
		return k.isFresh(m.at, o, u)
	}
	return true
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
	members, _, ok := k.members(&member{at: at, t: quad{original: o, updated: u}})
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
	if o == nil || o.Kind != d.Kind {
		return o == nil
	}
	if f, ok := k.fresh[d]; ok {
		return f
	}
	members, _, _ := k.members(&member{at: at, t: quad{original: o, dest: d}})
	k.fresh[d] = slices.ContainsFunc(members, func(m *member) bool {
		return m.t[dest] != nil && !k.cleared(m.t) && k.hasOwn(m.at, m.t[original], m.t[dest])
	})
	return k.fresh[d]
}

// value checks a value that is in the result.
func (k *overrider) value(m *member) *Refusal {
	at, t := m.at, m.t
	o, d, u, r := t[original], t[dest], t[updated], t[result]
	if k.Always && d == nil {
		m.t[original], o = nil, nil
	}
	if members, isKey, ok := k.members(m); ok {
		if r.Kind != d.or(u).Kind {
			return at.refuse("value", "expected %s, found %s", d.or(u).show(), r.show())
		}
		alone := k.Strategic && d != nil && u != nil && d.Kind == syntax.Mapping && schema.RetainsKeys(at.schema(k.File), u.Node)
		for _, kid := range members {
			if alone && kid.t[updated] == nil {
				kid.t[original] = kid.t[dest] // it goes
			}
			if ref := k.entry(kid, isKey(kid.t)); ref != nil {
				return ref
			}
		}
		return nil
	}
	want := u
	if u == nil || d != nil && !k.Always && o != nil && o.full == u.full {
		want = d
	}
	if d != nil && u != nil && d.full == u.full {
		want = d
	} else {
		k.drop(t, want)
	}
	if want.full != r.full {
		return at.refuse("value", "expected %s, which %s has, found %s", want.show(), want.v, r.show())
	}
	return nil
}

func (n *node) or(m *node) *node {
	if n != nil {
		return n
	}
	return m
}

// A member is an entry of a collection in its versions.
type member struct {
	at   *place
	t    quad
	list schema.List // the list that an item is in
}

// members pairs what the values of t hold, and says which fields are keys of
// the item that t is. It reports false where t is one value.
func (k *overrider) members(in *member) (out []*member, isKey func(quad) bool, ok bool) {
	at, t, list := in.at, in.t, schema.List{}
	isKey = func(quad) bool { return false }
	kind := t[dest].or(t[updated]).Kind
	for _, v := range sides {
		if t[v] != nil && t[v].Kind != kind {
			return nil, isKey, false
		}
	}
	if o := t[original]; o != nil && o.Kind != kind {
		t[original] = nil
	}
	id, place := func(n *node) uint64 { return n.id }, func(n *node) *place { return at.field(n.entry.Key.Value) }
	switch kind {
	case syntax.Mapping:
		if t[dest] == nil || t[updated] == nil {
			isKey = func(q quad) bool { return in.list.IsKey(q.any().entry.Key.Value) }
		}
	case syntax.Sequence:
		if id, place, list, ok = k.items(at, t); !ok {
			return nil, isKey, false
		}
	default:
		return nil, isKey, false
	}
	rows := map[uint64]*member{}
	for v := range t {
		if t[v] == nil || t[v].Kind != kind {
			continue
		}
		for i := range t[v].kids {
			n := &t[v].kids[i]
			key := id(n)
			if rows[key] == nil {
				rows[key] = &member{at: place(n), list: list}
				out = append(out, rows[key])
			}
			if rows[key].t[v] != nil {
				// A doubled key: refused below by what the input lacks.
				out = append(out, &member{at: place(n), t: quad{result: n}})
				continue
			}
			rows[key].t[v] = n
		}
	}
	return out, isKey, true
}

// items says how the items of a list pair; false if it is one value.
func (k *overrider) items(at *place, t quad) (id func(*node) uint64, name func(*node) *place, l schema.List, ok bool) {
	if at.isItems() && t.all(func(n *node) bool { return identity(n) != "" }) {
		id := identities(t.members())
		return func(n *node) uint64 { return hash(id(n)) }, func(n *node) *place { return at.item(resourceName(n)).of(n) }, l, true
	}
	l = k.listOf(at, t)
	return func(n *node) uint64 { return itemID(l, n) }, func(n *node) *place { return at.item(itemName(l, n)) }, l, l.Kind == schema.Map || k.Strategic && l.Kind == schema.Set
}

func (k *overrider) listOf(at *place, t quad) schema.List {
	var v []*syntax.Node
	for _, s := range inputs {
		if n := t[s]; n != nil && n.Kind == syntax.Sequence {
			v = append(v, n.Node)
		}
	}
	return k.Lists(at.schema(k.File), v...)
}

// remarks checks comments: those of dest and the new ones of updated stand, if
// what they belong to does, and the result has no others.
func (k *overrider) remarks(streams [versions]*syntax.Stream) *Refusal {
	var count, standing [versions]map[uint64]int
	var texts []remark
	for v, s := range streams {
		count[v], standing[v] = map[uint64]int{}, map[uint64]int{}
		slices.SortFunc(k.gone[v], func(a, b text.Span) int { return a.Start - b.Start })
		gone := union(k.gone[v])
		for _, doc := range readRemarks(s, nil) {
			for _, r := range doc {
				count[v][r.sum]++
				if !within(gone, text.Span{Start: r.off, End: r.off + len(r.text)}) {
					standing[v][r.sum]++
				}
				texts = append(texts, r)
			}
		}
	}
	for _, r := range texts {
		o, d, u, got := count[original][r.sum], count[dest][r.sum], count[updated][r.sum], count[result][r.sum]
		switch {
		case got == 0 && standing[dest][r.sum] > 0 && (o == 0 || u > 0):
			return &Refusal{Rule: "comment", Detail: "dest's " + string(r.text) + " is lost", Subject: string(r.text)}
		case got == 0 && standing[updated][r.sum] > 0 && (o == 0 || d > 0):
			return &Refusal{Rule: "comment", Detail: "updated's " + string(r.text) + " is lost", Subject: string(r.text)}
		case got > d+u:
			return &Refusal{Rule: "comment", Detail: string(r.text) + " stands more often than in the inputs", Subject: string(r.text)}
		}
	}
	return nil
}

// union joins sorted spans that overlap.
func union(spans []text.Span) []text.Span {
	var out []text.Span
	for _, s := range spans {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}
