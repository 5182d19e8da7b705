package overlay

import (
	"cmp"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/verify"
)

// An Override is rules under which updated wins.
type Override struct {
	// Known says what lists are: a Map is paired by its keys, others are one value.
	Known *schema.Rules
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

// Lists says what the list at p is by these rules.
func (r Override) Lists(p schema.Place, versions ...*syntax.Node) schema.List {
	if r.Strategic {
		return r.Known.StrategicList(p, versions...)
	}
	return r.Known.PairableList(p, versions...)
}

// Identities is what tells resources apart: their places, or kind, namespace and name, and the
// API group where these are not enough. Where one says no namespace, it is to kubectl in that
// of the only one of its kind and name in dest, else in the default one.
func (r Override) Identities(v [3][]*syntax.Node) func(*syntax.Node) string {
	switch {
	case r.ByPlace:
		return schema.PositionFunc(v)
	case r.Strategic:
		return schema.StrictIdentityFunc(v, schema.NamespacesOf(v[three.Dest]).NamespaceOf, false)
	}
	return schema.StrictIdentityFunc(v, schema.Namespace, true)
}

// standing is what stands of three versions by rules.
type standing struct {
	verify.ExpectedResult
	Override
	// held says what stands in the collections of dest and updated that are not one value; two
	// that merge have the same.
	held map[*syntax.Node]*rowset
}

// A rowset is what stands in a collection, row by row: a row is an entry in its versions.
type rowset struct {
	list      schema.List
	resources bool                  // its items are resources
	rows      map[*syntax.Entry]int // from 1; 0 is another one of a set
	stands    []bool                // by row
}

// has reports whether e stands, whose value may be another version's.
func (h *rowset) has(e *syntax.Entry) bool { return h.stands[h.rows[e]] }

// A rewriter is the state of one rewrite.
type rewriter struct {
	standing
	file  string
	known map[*syntax.Node]bool // what news found
}

// A triple is one thing in the three versions, nil where a version lacks it.
type triple [3]*verify.Node

// any is q in dest, else updated or the original.
func (q triple) any() *verify.Node { return cmp.Or(q[three.Dest], q[three.Updated], q[three.Original]) }

// syntax is the node of a version, nil if it has none.
func (q triple) syntax(v three.Version) *syntax.Node {
	if q[v] == nil {
		return nil
	}
	return q[v].Node
}

// resources reports whether q holds nothing else.
func (q triple) resources() bool {
	for _, n := range q {
		if slices.ContainsFunc(n.GetChildren(), func(k verify.Node) bool { return !verify.IsResource(&k) }) {
			return false
		}
	}
	return true
}

// Standing is what stands by these rules of original, dest and updated at path, as the verifier asks for it.
func (r Override) Standing(inputs [3]*syntax.Stream, path string) *verify.ExpectedResult {
	return &rewrite(inputs, path, r).ExpectedResult
}

// rewrite returns what stands of inputs by rules. They are original, dest and updated at path.
func rewrite(inputs [3]*syntax.Stream, path string, by Override) *standing {
	r := &rewriter{standing: standing{Override: by, held: map[*syntax.Node]*rowset{}}, file: path, known: map[*syntax.Node]bool{}}
	r.ListKinds, r.ExpectedResult.ByPosition = map[*syntax.Node]schema.List{}, by.ByPlace
	var q triple
	for v, st := range inputs {
		q[v] = verify.Read(st, three.Version(v), nil, nil)
	}
	single := r.blanks(q, inputs)
	rows := matched(q, three.Dest, r.identities(q))
	other := func(m row) bool { return !verify.IsResource(m.q.any()) }
	if single && (by.Strategic || len(rows) < 2 || slices.ContainsFunc(rows, other)) {
		rows = matched(q, three.Dest, func(*verify.Node) uint64 { return 1 })
	}
	var stand []verify.Node
	for _, m := range rows {
		if n, stands := r.resource(m.q.any().PathUnder(nil, path), m.q); stands {
			stand = append(stand, n)
		}
	}
	list := q[three.Dest].WithChildren(stand)
	r.Docs = &list
	return &r.standing
}

// blanks takes out the documents in which nothing is written, and reports whether no
// version has several others. Their comments need not stand beside those of a side
// that has more documents.
func (r *rewriter) blanks(q triple, inputs [3]*syntax.Stream) (single bool) {
	var blank [3][]text.Span
	most := 0
	for v, docs := range q {
		for i := range docs.Children {
			if docs.Children[i].IsBlank() {
				blank[v] = append(blank[v], inputs[v].Docs[i].Span)
			}
		}
		docs.Children = slices.DeleteFunc(docs.Children, verify.Node.IsBlank)
		most = max(most, len(docs.Children))
	}
	if len(q[three.Dest].Children) != len(q[three.Updated].Children) {
		for _, v := range three.Sides {
			r.Discarded[v] = append(r.Discarded[v], blank[v]...)
		}
	}
	return most < 2
}

// keep notes that of dest and updated no other than want stands.
func (r *rewriter) keep(q triple, want *verify.Node) {
	for _, v := range three.Sides {
		if n := q[v]; n != nil && n != want {
			r.Discarded[v] = append(r.Discarded[v], n.EntrySpan())
		}
	}
}

// resource is a document, or an item of a List: one that dest alone has stands as it
// is, one that updated alone has but for its nulls, or it is gone.
func (r *rewriter) resource(at *three.Path, q triple) (n verify.Node, stands bool) {
	o, d, u := q[three.Original], q[three.Dest], q[three.Updated]
	if d != nil && u != nil {
		return r.value(at, q, schema.List{}), true
	}
	want := d
	if d == nil && (o == nil || r.Always) {
		want = u
	} else if o != nil && !r.Always {
		want = nil
	}
	r.keep(q, want)
	switch {
	case want == nil:
		return n, false
	case want == u:
		return r.value(at, triple{three.Updated: u}, schema.List{}), true
	}
	return *want, true
}

// entry is a field or an item; key says that it tells which item it is in.
func (r *rewriter) entry(at *three.Path, q triple, key bool, in schema.List) (n verify.Node, stands bool) {
	d, u := q[three.Dest], q[three.Updated]
	key = key && (d != nil || u != nil) && !r.cleared(q)
	if !key && !r.stands(at, q) {
		r.keep(q, nil)
		return n, false
	}
	written := d // where the key is as it stands: in updated if that alone changed it
	left := d != nil && q[three.Original] != nil && q[three.Original].FullKeyHash == d.FullKeyHash
	if d == nil || left && u != nil {
		written = u
	}
	if key && d == nil {
		q[three.Original] = nil
	}
	n = r.value(at, q, in)
	n.FullKeyHash = written.FullKeyHash
	return n, true
}

// stands reports whether a field or an item does. Of what updated deleted stands what
// dest alone has, and what kubectl sends anyway.
func (r *rewriter) stands(at *three.Path, q triple) bool {
	o, d, u := q[three.Original], q[three.Dest], q[three.Updated]
	switch {
	case d == nil && u == nil, r.cleared(q):
		return false
	case u == nil && o != nil && (r.Always || !o.IsNull()):
		sent := r.Strategic && schema.IsAlwaysSent(at.Place())
		return sent && d.Kind != syntax.Mapping || (sent || !r.Always) && r.news(at, o, d, false)
	case d == nil && o != nil && !r.Always:
		return r.news(at, o, u, true)
	}
	return true
}

// cleared reports whether a null removes the field q.
func (r *rewriter) cleared(q triple) bool {
	null := func(n *verify.Node) bool { return n != nil && n.Entry.Key != nil && n.IsNull() }
	return null(q[three.Updated]) || r.DestNull && null(q[three.Dest])
}

// news reports whether a side's n has something that was lacks, or, if so is said,
// something else.
func (r *rewriter) news(at *three.Path, was, n *verify.Node, otherwise bool) bool {
	switch {
	case was == nil, !otherwise && was.IsNull():
		return true
	case was.Data == n.Data:
		return false
	case was.Kind != n.Kind:
		return otherwise
	}
	if f, ok := r.known[n.Node]; ok {
		return f
	}
	q := triple{three.Original: was}
	q[n.Version] = n
	rows, _, parts := r.matches(at, q)
	r.known[n.Node] = !parts && otherwise || parts && slices.ContainsFunc(rows, func(m row) bool {
		return m.q[n.Version] != nil && !r.cleared(m.q) && r.news(m.q.any().PathUnder(at, r.file), m.q[three.Original], m.q[n.Version], otherwise)
	})
	return r.known[n.Node]
}

// value is what stands of q. What does not merge is as if the winner alone had it. Of a
// union no field stands that updated lacks.
func (r *rewriter) value(at *three.Path, q triple, in schema.List) verify.Node {
	d, u := q[three.Dest], q[three.Updated]
	if r.Always && d == nil {
		q[three.Original] = nil
	}
	rows, list, parts := r.matches(at, q)
	if !parts {
		want := r.winner(q)
		if q[three.Original] == nil && (q[three.Dest] == nil || q[three.Updated] == nil) {
			return *want
		}
		alone := triple{}
		alone[want.Version] = want
		return r.value(at, alone, in)
	}
	union := r.Strategic && d != nil && u != nil && d.Kind == syntax.Mapping && schema.RetainsKeys(at.Place(), u.Node)
	resources := at.IsItems() && q.resources()
	held := &rowset{list: list, resources: resources, rows: map[*syntax.Entry]int{}, stands: []bool{false}}
	for _, side := range [...]*verify.Node{d, u} {
		if side != nil {
			r.held[side.Node] = held
		}
	}
	kids := make([]verify.Node, 0, len(rows))
	for i, m := range rows {
		f := m.q.any()
		for _, n := range m.q {
			if n != nil {
				held.rows[n.Entry] = i + 1
			}
		}
		if union && m.q[three.Dest] != nil && m.q[three.Updated] == nil {
			m.q[three.Original] = m.q[three.Dest] // it goes
		}
		var n verify.Node
		var stands bool
		if resources && (m.q[three.Dest] == nil || m.q[three.Updated] == nil) {
			n, stands = r.resource(f.PathUnder(at, r.file), m.q)
		} else {
			key := (d == nil || u == nil) && f.Entry.Key != nil && in.IsKey(f.Entry.Key.Value)
			n, stands = r.entry(f.PathUnder(at, r.file), m.q, key, list)
		}
		held.stands = append(held.stands, stands)
		if stands {
			kids = append(kids, n)
		}
	}
	n := q.propertied().WithChildren(kids)
	if n.Kind == syntax.Sequence {
		r.ListKinds[n.Node] = list
	}
	return n
}

// winner is the side that stands where a value is one. What the other has goes.
func (r *rewriter) winner(q triple) *verify.Node {
	o, d, u := q[three.Original], q[three.Dest], q[three.Updated]
	want := u
	if u == nil || d != nil && (d.Data == u.Data || !r.Always && o != nil && o.Data == u.Data) {
		want = d
	}
	for _, n := range [...]*verify.Node{d, u} {
		if n != nil && n.Data != want.Data {
			r.Discarded[n.Version] = append(r.Discarded[n.Version], n.Span)
		}
	}
	return want
}

// propertied is the side whose anchor and tag stand: updated if it changed them.
func (q triple) propertied() *verify.Node {
	had := func(s three.Version) (p [2]string) {
		if n := q[s]; n != nil {
			p = [...]string{n.Anchor, n.TagText}
		}
		return p
	}
	if q[three.Dest] != nil && q[three.Updated] != nil && had(three.Updated) != had(three.Original) {
		return q[three.Updated]
	}
	return q.any()
}

// A row is one member of a collection.
type row struct {
	q   triple
	nth int // which of its identity it is, from 0
}

// matched pairs the members of q, those of one identity in their order: first those of first.
func matched(q triple, first three.Version, id func(*verify.Node) uint64) (rows []row) {
	of := map[uint64][]int{} // the rows of an identity
	for _, v := range [...]three.Version{first, first.Other(), three.Original} {
		nth := map[uint64]int{}
		for kids := q[v].GetChildren(); len(kids) > 0; kids = kids[1:] {
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
func (r *rewriter) matches(at *three.Path, q triple) (rows []row, l schema.List, parts bool) {
	kind, d, u := q.any().Kind, q[three.Dest], q[three.Updated]
	for v, n := range q {
		if n != nil && n.Kind != kind {
			q[v] = nil
		}
	}
	switch {
	case d != nil && u != nil && d.Kind != u.Kind, kind != syntax.Mapping && kind != syntax.Sequence:
		return nil, l, false
	case kind == syntax.Mapping:
		return matched(q, three.Dest, verify.ByKey), l, true
	case at.IsItems() && q.resources():
		return matched(q, three.Dest, r.identities(q)), l, true
	}
	first := three.Dest // whose items stand first
	if r.Strategic {
		first = three.Updated
	}
	l = r.Lists(at.Place(), q.syntax(three.Original), q.syntax(three.Dest), q.syntax(three.Updated))
	switch set := r.Strategic && l.Kind == schema.Set; {
	case l.Kind == schema.Map:
		ids := l.UniqueIDs(q.syntax(three.Updated), q.syntax(three.Original), q.syntax(three.Dest))
		return matched(q, first, func(n *verify.Node) uint64 { return verify.Hash(ids(n.Node)) }), l, true
	case set && d != nil && u != nil: // what stands twice is one
		rows = slices.DeleteFunc(matched(q, first, verify.ByValue), func(m row) bool { return m.nth > 0 })
		return rows, l, d.Data != u.Data
	case set:
		return matched(q, first, verify.ByValue), l, true
	}
	return nil, l, false
}

// identities is what tells apart the resources of q.
func (r *rewriter) identities(q triple) func(*verify.Node) uint64 {
	var v [3][]*syntax.Node
	for i, n := range q {
		for kids := n.GetChildren(); len(kids) > 0; kids = kids[1:] {
			v[i] = append(v[i], kids[0].Node)
		}
	}
	id := r.Identities(v)
	return func(n *verify.Node) uint64 { return verify.Hash(id(n.Node)) }
}
