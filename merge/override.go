package merge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// override merges an entry where updated wins; nil means that it is not in
// the result.
func (w *walker) override(at entries, v nodes, name func(entries) *path) *child {
	o, d, u := at[original], at[dest], at[updated]
	switch {
	case d == nil && u == nil:
		return nil
	case u == nil && d != nil && w.sent(at, name):
		return w.alone(at, v, dest, name)
	case w.cleared(at):
		return w.dropped(at, name)
	case u == nil && o != nil && (w.set.always || !isNull(o.Value)):
		return w.remainder(at, v, name)
	case u == nil && w.retain && d.Key != nil:
		return nil
	case u == nil:
		return w.alone(at, v, dest, name)
	case d != nil:
		return w.merged(at, v, name)
	case w.set.always:
		at[original] = nil
	case o != nil && w.sums.equal(o.Value, u.Value):
		return nil // it stays deleted
	}
	return w.alone(at, v, updated, name)
}

// dropped is an entry that updated removes, with what dest changed in it.
func (w *walker) dropped(at entries, name func(entries) *path) *child {
	if w.lost(at.values()) && !isNull(at[dest].Value) {
		w.tell(name(at), dest, at[dest])
	}
	return nil
}

// remainder is what dest alone has in a collection that updated deleted.
func (w *walker) remainder(at entries, v nodes, name func(entries) *path) *child {
	if w.set.always || !w.divisible(at, name) {
		return w.dropped(at, name)
	}
	told := len(w.overridden)
	c := w.alone(at, v, dest, name)
	if c == nil {
		w.overridden = w.overridden[:told]
		return w.dropped(at, name)
	}
	return c
}

// divisible reports whether original and dest have an entry as collections
// that merge by what they hold.
func (w *walker) divisible(at entries, name func(entries) *path) bool {
	o, d := at[original].Value, at[dest].Value
	return o.Kind == d.Kind && (d.Kind == syntax.Mapping || d.Kind == syntax.Sequence && w.keyedList(at.values(), name(at)))
}

// lost reports whether dest has a change that is not in updated.
func (w *walker) lost(v nodes) bool {
	return v[dest] != nil && !w.sums.equal(v[original], v[dest]) && !w.sums.equal(v[dest], v[updated])
}

// tell notes that a change of s did not stand.
func (w *walker) tell(p *path, s side, e *syntax.Entry) {
	if w.set.always {
		return // what dest changed is not asked for
	}
	w.overridden = append(w.overridden, lostChange{path: p, side: s, entry: e})
}

// lostChange is an entry with a change of a side that does not stand.
type lostChange struct {
	path  *path
	side  side
	entry *syntax.Entry
}

// together reports whether the values of both sides merge by what they hold.
func (w *walker) together(v nodes, p *path) bool {
	d, u := v[dest], v[updated]
	return d.Kind == u.Kind && (d.Kind == syntax.Mapping || d.Kind == syntax.Sequence && w.keyedList(v, p))
}

// keyedList reports whether the items of a list are paired; else it is one value.
func (w *walker) keyedList(v nodes, p *path) bool {
	for s, n := range v {
		if n != nil && n.Kind != syntax.Sequence {
			v[s] = nil
		}
	}
	if w.resources(v, p) != nil {
		return true
	}
	kind := w.listOf(v, p).Kind
	return kind == schema.Map || kind == schema.Set && w.set.strategic
}

// listOf is what is known of the list at p, whose items have its keys.
func (w *walker) listOf(v nodes, p *path) schema.List {
	if w.set.strategic {
		w.checkKeys(v, p)
	}
	return w.matcher.listOf(v, p)
}

// winner is the value that stands as a whole where updated wins.
func (w *walker) winner(v nodes, p *path) *value {
	if !w.set.always && w.sums.equal(v[original], v[updated]) {
		return w.whole(v, dest, p)
	}
	if w.set.strategic {
		w.checkKinds(v, p)
	}
	if w.lost(v) {
		w.tell(p, dest, w.current(dest))
	}
	return w.whole(v, updated, p)
}

// whole is the value of s; without its nulls where the other side has a value
// of another kind, so that it is as if s alone had it. A resource that is added
// stays as it is.
func (w *walker) whole(v nodes, s side, p *path) *value {
	added := w.up == nil && v[s.other()].Content.Empty()
	if v[dest].Kind != v[updated].Kind && w.frozen == 0 && !added && w.holdsNull(v[s]) {
		var own nodes
		own[s] = v[s]
		if v[s].Kind == syntax.Mapping || w.keyedList(own, p) {
			return w.part(own, p, s, nil)
		}
	}
	return w.take(v, s)
}

// current is the entry at hand in s; of a document, its root.
func (w *walker) current(s side) *syntax.Entry {
	if w.up != nil {
		return w.up.at[s]
	}
	n := w.doc.at[s].Root
	return &syntax.Entry{Span: n.Span, Start: n.Content.Start}
}

// alone is an entry that of both sides s alone has: without its nulls and,
// where the original has it too, without what s left alone there, or, if s is
// dest, with nothing but what s added.
func (w *walker) alone(at entries, v nodes, s side, name func(entries) *path) *child {
	e, values := at[s], at.values()
	at[original] = nil
	c := &child{at: at, name: name, whole: s}
	if values[original] == nil && w.untouchable(e) {
		return c
	}
	p := name(at)
	if e.Value.Kind != syntax.Mapping && (e.Value.Kind != syntax.Sequence || !w.keyedList(values, p)) {
		return c
	}
	c.up, c.doc, c.path = w.up, w.doc, p
	var isKey func(string) bool
	if e.Key == nil {
		isKey = w.isKey
	}
	defer w.enter(c, v)()
	if c.value = w.part(values, p, s, isKey); c.value == nil {
		return nil
	}
	c.whole, c.key, c.comment = original, s, remark{side: s}
	c.lead = w.entrySlot(at, v, func(e *syntax.Entry) text.Span { return e.Lead }).take(s)
	c.foot = w.entrySlot(at, v, func(e *syntax.Entry) text.Span { return e.Foot }).take(s)
	if w.odd(s, e) {
		c.head = s
	}
	return c
}

// part is what stands of a collection that s alone has; nil if nothing of it
// is new. The fields that isKey names stay, for they say which item it is.
func (w *walker) part(v nodes, p *path, s side, isKey func(string) bool) *value {
	if o := v[original]; o != nil && o.Kind != v[s].Kind {
		v[original] = nil
	}
	m := &value{v: v, form: s, props: s, merged: true}
	m.v[original] = nil
	if v[s].Kind == syntax.Mapping {
		m.kids, _ = w.mapping(v, p)
	} else {
		m.kids, _ = w.list(v, p)
	}
	if v[original] != nil && len(m.kids) == 0 {
		return nil
	}
	if v[original] != nil && v[s].Kind == syntax.Mapping && isKey != nil {
		m.kids = withKeys(m.kids, v[s], s, isKey)
	}
	if v[s].Style == syntax.Flow {
		b, ok := w.flowText(m)
		if !ok {
			return w.take(m.v, s)
		}
		m.flow = b
		return m
	}
	m.tail = w.slot(func(n *syntax.Node) (text.Span, int, bool) { return n.Tail, n.Indent, true }, m.v).take(s)
	return m
}

// withKeys returns kids with the fields of n that are keys, in the order of n.
func withKeys(kids []*child, n *syntax.Node, s side, isKey func(string) bool) []*child {
	have := map[*syntax.Entry]*child{}
	for _, c := range kids {
		have[c.at[s]] = c
	}
	var out []*child
	for _, e := range n.Entries {
		c := have[e]
		if c == nil && isKey(e.Key.Value) && !isNull(e.Value) {
			c = &child{whole: s}
			c.at[s] = e
			c.name = func(entries) *path { return nil }
		}
		if c != nil {
			out = append(out, c)
		}
	}
	return out
}

// resourceAlone merges a document that dest or updated lacks.
func (w *walker) resourceAlone(p *docPlan) *docPlan {
	o, s := p.at[original], dest
	if p.at[dest] == nil {
		s = updated
	}
	x := p.at[s]
	switch {
	case x == nil:
		return nil
	case o == nil || w.set.always, o.Root.Content.Empty() && !x.Root.Content.Empty(),
		x.Root.Content.Empty() && w.newDocComments(o, s, x):
		p.whole = s
		return p
	}
	w.tellLost(o, s, x)
	return nil
}

// withoutResource merges a document of which one side has nothing but comments:
// that is a resource which the side does not have. It reports false where both
// are to be merged, as the comments of a file that gets its first resource.
func (w *walker) withoutResource(p *docPlan) bool {
	has, lacks := updated, dest
	if p.at[updated].Root.Content.Empty() {
		has, lacks = dest, updated
	}
	switch o := p.at[original]; {
	case o != nil && !o.Root.Content.Empty():
		p.whole = lacks
		w.tellLost(o, has, p.at[has])
	case has == dest:
		p.whole = dest
	}
	return p.whole != original
}

// tellLost tells that s changed a resource that is deleted.
func (w *walker) tellLost(o *syntax.Document, s side, x *syntax.Document) {
	if !w.sums.equal(o.Root, x.Root) {
		name := &path{field: resourceName(x.Root), root: w.resource(x.Root)}
		w.tell(name, s, &syntax.Entry{Span: x.Span, Start: x.Root.Content.Start})
	}
}
