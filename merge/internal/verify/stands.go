package verify

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// An Override is rules under which theirs wins.
type Override struct {
	// Known says what lists are: a Map is paired by its keys, others are one value.
	Known *schema.Rules
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

// Lists says what the list at p is by these rules.
func (r Override) Lists(p schema.Place, versions ...*syntax.Node) schema.List {
	if r.Strategic {
		return r.Known.Strategic(p, versions...)
	}
	return r.Known.Paired(p, versions...)
}

// Identities is what tells resources apart: their places, or kind, namespace and name, and the
// API group where these are not enough. Where one says no namespace, it is to kubectl in that
// of the only one of its kind and name in ours, else in the default one.
func (r Override) Identities(v [3][]*syntax.Node) func(*syntax.Node) string {
	switch {
	case r.ByPlace:
		return schema.Places(v)
	case r.Strategic:
		return schema.IdentitiesApart(v, schema.NamespacesOf(v[ours]).Of, false)
	}
	return schema.IdentitiesApart(v, schema.Namespace, true)
}

// Standing is what stands of three versions by rules.
type Standing struct {
	Override
	// Docs are the roots of the documents, as one list.
	Docs *node
	// Kinds says what the lists in Docs are; one that it lacks is one value.
	Kinds map[*syntax.Node]schema.List
	// Gone is what of ours and theirs does not stand.
	Gone [versions][]text.Span
	// Held says what stands in the collections of ours and theirs that are not one value; two
	// that merge have the same.
	Held map[*syntax.Node]*Held
}

// Held is what stands in a collection, row by row: a row is an entry in its versions.
type Held struct {
	List      schema.List
	Resources bool                  // its items are resources
	Rows      map[*syntax.Entry]int // from 1; 0 is another one of a set
	stands    []bool                // by row
}

// Stands reports whether e does, whose value may be another version's.
func (h *Held) Stands(e *syntax.Entry) bool { return h.stands[h.Rows[e]] }

// A rewriter is the state of one Rewrite.
type rewriter struct {
	Standing
	file  string
	known map[*syntax.Node]bool // what news found
}

// Rewrite returns what stands of inputs by rules. They are base, ours and theirs at path.
func Rewrite(inputs [3]*syntax.Stream, path string, by Override) *Standing {
	r := &rewriter{Standing: Standing{Override: by, Kinds: map[*syntax.Node]schema.List{}, Held: map[*syntax.Node]*Held{}}, file: path, known: map[*syntax.Node]bool{}}
	var q quad
	for v, st := range inputs {
		q[v] = facts.Read(st, version(v), nil, nil)
	}
	single := r.blanks(q, inputs)
	rows := matched(q, ours, r.identities(q))
	other := func(m row) bool { return !facts.IsResource(m.q.any()) }
	if single && (by.Strategic || len(rows) < 2 || slices.ContainsFunc(rows, other)) {
		rows = matched(q, ours, func(*node) uint64 { return 1 })
	}
	var stand []node
	for _, m := range rows {
		if n, stands := r.resource(under(nil, path, m.q.any()), m.q); stands {
			stand = append(stand, n)
		}
	}
	list := q[ours].With(stand)
	r.Docs = &list
	return &r.Standing
}

// blanks takes out the documents in which nothing is written, and reports whether no
// version has several others. Their comments need not stand beside those of a side
// that has more documents.
func (r *rewriter) blanks(q quad, inputs [3]*syntax.Stream) (single bool) {
	var blank [result][]text.Span
	most := 0
	for v, docs := range q[:result] {
		for i := range docs.Kids {
			if docs.Kids[i].IsBlank() {
				blank[v] = append(blank[v], inputs[v].Docs[i].Span)
			}
		}
		docs.Kids = slices.DeleteFunc(docs.Kids, isBlank)
		most = max(most, len(docs.Kids))
	}
	if len(q[ours].Kids) != len(q[theirs].Kids) {
		for _, v := range sides {
			r.Gone[v] = append(r.Gone[v], blank[v]...)
		}
	}
	return most < 2
}

func isBlank(n node) bool { return n.IsBlank() }

// keep notes that of ours and theirs no other than want stands.
func (r *rewriter) keep(q quad, want *node) {
	for _, v := range sides {
		if n := q[v]; n != nil && n != want {
			r.Gone[v] = append(r.Gone[v], n.Whole())
		}
	}
}

// resource is a document, or an item of a List: one that ours alone has stands as it
// is, one that theirs alone has but for its nulls, or it is gone.
func (r *rewriter) resource(at *three.Path, q quad) (n node, stands bool) {
	b, o, t := q[base], q[ours], q[theirs]
	if o != nil && t != nil {
		return r.value(at, q, schema.List{}), true
	}
	want := o
	if o == nil && (b == nil || r.Always) {
		want = t
	} else if b != nil && !r.Always {
		want = nil
	}
	r.keep(q, want)
	switch {
	case want == nil:
		return n, false
	case want == t:
		return r.value(at, quad{theirs: t}, schema.List{}), true
	}
	return *want, true
}

// entry is a field or an item; key says that it tells which item it is in.
func (r *rewriter) entry(at *three.Path, q quad, key bool, in schema.List) (n node, stands bool) {
	o, t := q[ours], q[theirs]
	key = key && (o != nil || t != nil) && !r.cleared(q)
	if !key && !r.stands(at, q) {
		r.keep(q, nil)
		return n, false
	}
	written := o // where the key is as it stands: in theirs if that alone changed it
	left := o != nil && q[base] != nil && q[base].Key == o.Key
	if o == nil || left && t != nil {
		written = t
	}
	if key && o == nil {
		q[base] = nil
	}
	n = r.value(at, q, in)
	n.Key = written.Key
	return n, true
}

// stands reports whether a field or an item does. Of what theirs deleted stands what
// ours alone has, and what kubectl sends anyway.
func (r *rewriter) stands(at *three.Path, q quad) bool {
	b, o, t := q[base], q[ours], q[theirs]
	switch {
	case o == nil && t == nil, r.cleared(q):
		return false
	case t == nil && b != nil && (r.Always || !b.IsNull()):
		sent := r.Strategic && schema.Sent(at.Place())
		return sent && o.Kind != syntax.Mapping || (sent || !r.Always) && r.news(at, b, o, false)
	case o == nil && b != nil && !r.Always:
		return r.news(at, b, t, true)
	}
	return true
}

// cleared reports whether a null removes the field q.
func (r *rewriter) cleared(q quad) bool {
	null := func(n *node) bool { return n != nil && n.Entry.Key != nil && n.IsNull() }
	return null(q[theirs]) || r.DestNull && null(q[ours])
}

// news reports whether a side's n has something that o lacks, or, if so is said,
// something else.
func (r *rewriter) news(at *three.Path, o, n *node, otherwise bool) bool {
	switch {
	case o == nil, !otherwise && o.IsNull():
		return true
	case o.Data == n.Data:
		return false
	case o.Kind != n.Kind:
		return otherwise
	}
	if f, ok := r.known[n.Node]; ok {
		return f
	}
	q := quad{base: o}
	q[n.V] = n
	rows, _, parts := r.matches(at, q)
	r.known[n.Node] = !parts && otherwise || parts && slices.ContainsFunc(rows, func(m row) bool {
		return m.q[n.V] != nil && !r.cleared(m.q) && r.news(under(at, r.file, m.q.any()), m.q[base], m.q[n.V], otherwise)
	})
	return r.known[n.Node]
}

// value is what stands of q. What does not merge is as if the winner alone had it. Of a
// union no field stands that theirs lacks.
func (r *rewriter) value(at *three.Path, q quad, in schema.List) node {
	o, t := q[ours], q[theirs]
	if r.Always && o == nil {
		q[base] = nil
	}
	rows, list, parts := r.matches(at, q)
	if !parts {
		want := r.winner(q)
		if q[base] == nil && (q[ours] == nil || q[theirs] == nil) {
			return *want
		}
		alone := quad{}
		alone[want.V] = want
		return r.value(at, alone, in)
	}
	union := r.Strategic && o != nil && t != nil && o.Kind == syntax.Mapping && schema.RetainsKeys(at.Place(), t.Node)
	resources := at.IsItems() && q.all(facts.IsResource)
	held := &Held{List: list, Resources: resources, Rows: map[*syntax.Entry]int{}, stands: []bool{false}}
	for _, side := range [...]*node{o, t} {
		if side != nil {
			r.Held[side.Node] = held
		}
	}
	kids := make([]node, 0, len(rows))
	for i, m := range rows {
		f := m.q.any()
		for _, n := range m.q {
			if n != nil {
				held.Rows[n.Entry] = i + 1
			}
		}
		if union && m.q[ours] != nil && m.q[theirs] == nil {
			m.q[base] = m.q[ours] // it goes
		}
		var n node
		var stands bool
		if resources && (m.q[ours] == nil || m.q[theirs] == nil) {
			n, stands = r.resource(under(at, r.file, f), m.q)
		} else {
			key := (o == nil || t == nil) && f.Entry.Key != nil && in.IsKey(f.Entry.Key.Value)
			n, stands = r.entry(under(at, r.file, f), m.q, key, list)
		}
		held.stands = append(held.stands, stands)
		if stands {
			kids = append(kids, n)
		}
	}
	n := q.propertied().With(kids)
	if n.Kind == syntax.Sequence {
		r.Kinds[n.Node] = list
	}
	return n
}

// winner is the side that stands where a value is one. What the other has goes.
func (r *rewriter) winner(q quad) *node {
	b, o, t := q[base], q[ours], q[theirs]
	want := t
	if t == nil || o != nil && (o.Data == t.Data || !r.Always && b != nil && b.Data == t.Data) {
		want = o
	}
	for _, n := range [...]*node{o, t} {
		if n != nil && n.Data != want.Data {
			r.Gone[n.V] = append(r.Gone[n.V], n.Span)
		}
	}
	return want
}

// propertied is the side whose anchor and tag stand: theirs if it changed them.
func (q quad) propertied() *node {
	had := of(q, func(n *node) [2]string { return [...]string{n.Anchor, n.TagText} })
	if q[ours] != nil && q[theirs] != nil && had[theirs] != had[base] {
		return q[theirs]
	}
	return q.any()
}

// A row is one member of a collection.
type row struct {
	q   quad
	nth int // which of its identity it is, from 0
}

// matched pairs the members of q, those of one identity in their order: first those of first.
func matched(q quad, first version, id func(*node) uint64) (rows []row) {
	of := map[uint64][]int{} // the rows of an identity
	for _, v := range [...]version{first, first.Other(), base} {
		nth := map[uint64]int{}
		for kids := q[v].Inside(); len(kids) > 0; kids = kids[1:] {
			n := &kids[0]
			key := id(n)
			i := nth[key]
			nth[key]++
			if key == 0 || i == len(of[key]) {
				of[key] = append(of[key], len(rows))
				rows = append(rows, row{nth: i})
				i = len(of[key]) - 1
			}
			rows[of[key][i]].q[v] = n
		}
	}
	return rows
}

// matches pairs what the values of q hold, and says which list they are. It reports false
// where q is one value.
func (r *rewriter) matches(at *three.Path, q quad) (rows []row, l schema.List, parts bool) {
	kind, o, t := q.any().Kind, q[ours], q[theirs]
	for v, n := range q {
		if n != nil && n.Kind != kind {
			q[v] = nil
		}
	}
	switch {
	case o != nil && t != nil && o.Kind != t.Kind, kind != syntax.Mapping && kind != syntax.Sequence:
		return nil, l, false
	case kind == syntax.Mapping:
		return matched(q, ours, facts.ByKey), l, true
	case at.IsItems() && q.all(facts.IsResource):
		return matched(q, ours, r.identities(q)), l, true
	}
	first := ours // whose items stand first
	if r.Strategic {
		first = theirs
	}
	l = r.Lists(at.Place(), q.nodes()...)
	switch set := r.Strategic && l.Kind == schema.Set; {
	case l.Kind == schema.Map:
		ids := l.IDs(q[theirs].Syntax(), q[base].Syntax(), q[ours].Syntax())
		return matched(q, first, func(n *node) uint64 { return facts.Hash(ids(n.Node)) }), l, true
	case set && o != nil && t != nil: // what stands twice is one
		rows = slices.DeleteFunc(matched(q, first, facts.ByValue), func(m row) bool { return m.nth > 0 })
		return rows, l, o.Data != t.Data
	case set:
		return matched(q, first, facts.ByValue), l, true
	}
	return nil, l, false
}

// identities is what tells apart the resources of q.
func (r *rewriter) identities(q quad) func(*node) uint64 {
	var v [result][]*syntax.Node
	for i, n := range q[:result] {
		for kids := n.Inside(); len(kids) > 0; kids = kids[1:] {
			v[i] = append(v[i], kids[0].Node)
		}
	}
	id := r.Identities(v)
	return func(n *node) uint64 { return facts.Hash(id(n.Node)) }
}
