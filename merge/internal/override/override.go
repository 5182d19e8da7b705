// Package override rewrites three versions so that nothing is in conflict by rules under which
// theirs wins, and gives the one that all of them become: what stands. It is a function
// of the inputs alone. Package overlay writes what stands, and the verifier holds a result against
// it as against three versions that agree: that what is written is what stands is proven in every
// merge, and what stands is held by the model of the rules and by kustomize and kubectl, in tests.
//
// Where a value is one, the base becomes ours, so that theirs's stands if theirs changed it, or
// always. Beside that:
//
//   - a null clears its field;
//   - a list that has no keys is one value;
//   - of what a side deleted stands what the other alone has there;
//   - a resource is there or not.
//
// Comments are not rewritten: what of ours and theirs does not stand is given, and what is
// written there is open.
package override

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Rules are rules under which theirs wins.
type Rules struct {
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
func (r Rules) Lists(p schema.Place, versions ...*syntax.Node) schema.List {
	if r.Strategic {
		return r.Known.Strategic(p, versions...)
	}
	return r.Known.Paired(p, versions...)
}

// Identities is what tells resources apart: their places, or kind, namespace and name, and the
// API group where these are not enough. Where one says no namespace, it is to kubectl in that
// of the only one of its kind and name in ours, else in the default one.
func (r Rules) Identities(v [3][]*syntax.Node) func(*syntax.Node) string {
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
	Rules
	// Docs are the roots of the documents, as one list.
	Docs *facts.Node
	// Kinds says what the lists in Docs are; one that it lacks is one value.
	Kinds map[*syntax.Node]schema.List
	// Gone is what of ours and theirs does not stand.
	Gone [facts.Versions][]text.Span
	// Held says what stands in the collections of ours and theirs that are not one value; two
	// that merge have the same.
	Held map[*syntax.Node]*Held
}

// Held is what stands in a collection, row by row: a row is an entry in its versions.
type Held struct {
	List      schema.List
	Resources bool // its items are resources
	rows      map[*syntax.Entry]int
	stands    []bool
}

// Row is the number of the row that e is in, from 0; -1 where it is another one of a set.
func (h *Held) Row(e *syntax.Entry) int {
	if i, ok := h.rows[e]; ok {
		return i
	}
	return -1
}

// Stands reports whether e does, whose value may be another version's.
func (h *Held) Stands(e *syntax.Entry) bool {
	i := h.Row(e)
	return i >= 0 && h.stands[i]
}

const (
	base   = facts.Base
	ours   = facts.Ours
	theirs = facts.Theirs
)

// A rewriter is the state of one Rewrite.
type rewriter struct {
	Standing
	known map[*syntax.Node]bool // what news found
}

// Rewrite returns what stands of inputs by rules. They are base, ours and theirs at path, and
// docs what facts.Read says of each, from which it takes the documents without content.
func Rewrite(inputs [3]*syntax.Stream, docs [3]*facts.Node, path string, by Rules) *Standing {
	r := &rewriter{Standing: Standing{Rules: by, Kinds: map[*syntax.Node]schema.List{}, Held: map[*syntax.Node]*Held{}}, known: map[*syntax.Node]bool{}}
	q := triple(docs)
	single := r.blanks(q, inputs)
	rows := matched(q, ours, r.identities(q))
	other := func(m row) bool { return !facts.IsResource(m.q.any()) }
	if single && (by.Strategic || len(rows) < 2 || slices.ContainsFunc(rows, other)) {
		rows = matched(q, ours, func(*facts.Node) uint64 { return 1 })
	}
	var stand []facts.Node
	for _, m := range rows {
		if n, stands := r.resource(below(schema.Place{File: path}, m.q.any()), m.q); stands {
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
func (r *rewriter) blanks(q triple, inputs [3]*syntax.Stream) (single bool) {
	var blank [len(q)][]text.Span
	for v, docs := range q {
		for i := range docs.Kids {
			if docs.Kids[i].IsBlank() {
				blank[v] = append(blank[v], inputs[v].Docs[i].Span)
			}
		}
		docs.Kids = slices.DeleteFunc(docs.Kids, func(n facts.Node) bool { return n.IsBlank() })
	}
	for _, v := range facts.Sides {
		if len(q[ours].Kids) != len(q[theirs].Kids) {
			r.Gone[v] = append(r.Gone[v], blank[v]...)
		}
	}
	return max(len(q[base].Kids), len(q[ours].Kids), len(q[theirs].Kids)) < 2
}

// keep notes that of ours and theirs no other than want stands.
func (r *rewriter) keep(q triple, want *facts.Node) {
	for _, v := range facts.Sides {
		if n := q[v]; n != nil && n != want {
			r.Gone[v] = append(r.Gone[v], n.Whole())
		}
	}
}

// resource is a document, or an item of a List: one that ours alone has stands as it
// is, one that theirs alone has but for its nulls, or it is gone.
func (r *rewriter) resource(at schema.Place, q triple) (n facts.Node, stands bool) {
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
		return r.value(at, triple{theirs: t}, schema.List{}), true
	}
	return *want, true
}

// entry is a field or an item; key says that it tells which item it is in.
func (r *rewriter) entry(at schema.Place, q triple, key bool, in schema.List) (n facts.Node, stands bool) {
	o, t := q[ours], q[theirs]
	key = key && (o != nil || t != nil) && !r.cleared(q)
	if !key && !r.stands(at, q) {
		r.keep(q, nil)
		return n, false
	}
	spelled := q.key()
	if key && o == nil {
		q[base] = nil
	}
	n = r.value(at, q, in)
	n.Key = spelled
	return n, true
}

// stands reports whether a field or an item does. Of what theirs deleted stands what
// ours alone has, and what kubectl sends anyway.
func (r *rewriter) stands(at schema.Place, q triple) bool {
	b, o, t := q[base], q[ours], q[theirs]
	switch {
	case o == nil && t == nil, r.cleared(q):
		return false
	case t == nil && b != nil && (r.Always || !b.IsNull()):
		sent := r.Strategic && schema.Sent(at)
		return sent && o.Kind != syntax.Mapping || (sent || !r.Always) && r.news(at, b, o, false)
	case o == nil && b != nil && !r.Always:
		return r.news(at, b, t, true)
	}
	return true
}

// cleared reports whether a null removes the field q.
func (r *rewriter) cleared(q triple) bool {
	null := func(n *facts.Node) bool { return n != nil && n.Entry.Key != nil && n.IsNull() }
	return null(q[theirs]) || r.DestNull && null(q[ours])
}

// news reports whether a side's n has something that o lacks, or, if so is said,
// something else.
func (r *rewriter) news(at schema.Place, o, n *facts.Node, otherwise bool) bool {
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
	q := triple{base: o}
	q[n.V] = n
	rows, _, parts := r.matches(at, q)
	r.known[n.Node] = !parts && otherwise || parts && slices.ContainsFunc(rows, func(m row) bool {
		return m.q[n.V] != nil && !r.cleared(m.q) && r.news(below(at, m.q.any()), m.q[base], m.q[n.V], otherwise)
	})
	return r.known[n.Node]
}

// value is what stands of q. What does not merge is as if the winner alone had it. Of a
// union no field stands that theirs lacks.
func (r *rewriter) value(at schema.Place, q triple, in schema.List) facts.Node {
	o, t := q[ours], q[theirs]
	if r.Always && o == nil {
		q[base] = nil
	}
	rows, list, parts := r.matches(at, q)
	if !parts {
		return r.whole(at, q, in)
	}
	union := r.Strategic && o != nil && t != nil && o.Kind == syntax.Mapping && schema.RetainsKeys(at, t.Node)
	resources := isItems(at) && q.all(facts.IsResource)
	held := &Held{List: list, Resources: resources, rows: map[*syntax.Entry]int{}}
	for _, side := range [...]*facts.Node{o, t} {
		if side != nil {
			r.Held[side.Node] = held
		}
	}
	kids := make([]facts.Node, 0, len(rows))
	for i, m := range rows {
		f := m.q.any()
		for _, n := range m.q {
			if n != nil {
				held.rows[n.Entry] = i
			}
		}
		if union && m.q[ours] != nil && m.q[theirs] == nil {
			m.q[base] = m.q[ours] // it goes
		}
		var n facts.Node
		var stands bool
		if resources && (m.q[ours] == nil || m.q[theirs] == nil) {
			n, stands = r.resource(below(at, f), m.q)
		} else {
			key := (o == nil || t == nil) && f.Entry.Key != nil && in.IsKey(f.Entry.Key.Value)
			n, stands = r.entry(below(at, f), m.q, key, list)
		}
		held.stands = append(held.stands, stands)
		if stands {
			kids = append(kids, n)
		}
	}
	n := q.properties().With(kids)
	if n.Kind == syntax.Sequence {
		r.Kinds[n.Node] = list
	}
	return n
}

// whole is a value that is one.
func (r *rewriter) whole(at schema.Place, q triple, in schema.List) facts.Node {
	want := r.winner(q)
	if q[base] != nil || q[ours] != nil && q[theirs] != nil {
		alone := triple{}
		alone[want.V] = want
		return r.value(at, alone, in)
	}
	return *want
}

// winner is the side that stands where a value is one. What the other has goes.
func (r *rewriter) winner(q triple) *facts.Node {
	b, o, t := q[base], q[ours], q[theirs]
	want := t
	if t == nil || o != nil && (o.Data == t.Data || !r.Always && b != nil && b.Data == t.Data) {
		want = o
	}
	for _, n := range [...]*facts.Node{o, t} {
		if n != nil && n.Data != want.Data {
			r.Gone[n.V] = append(r.Gone[n.V], n.Span)
		}
	}
	return want
}
