package engine

import "slices"

// A ruleModel computes the expected result of a merge with a rule set. It works on values
// only, not on the text of files, so that it is independent of the code under test.
type ruleModel struct {
	always    bool // updated's value wins even if updated did not change it
	destNull  bool // a null in dest deletes the field
	strategic bool // the types of Kubernetes say how a list is merged
}

// ruleModels has the model of each rule set, by the name of the rule set.
var ruleModels = map[string]ruleModel{
	"kustomize": {destNull: true},
	"merge2":    {always: true},
	"apply":     {always: true, strategic: true},
}

// where describes the place of a value, as far as the result depends on it.
type where struct {
	kind   string // the kind of the resource
	field  string // the key of the field that has the value, "" for an item
	frozen bool   // it is in an atomic list
	items  bool   // it is an item of a list
}

// keyed reports whether the items of the lists are matched by an associative key, and
// returns that key. For Kubernetes types these are the containers of a Pod. Otherwise all
// items of all lists must have a scalar name, and there must be at least one item.
func (m ruleModel) keyed(at where, lists ...*val) (key string, ok bool) {
	if m.strategic {
		return "name", at.kind == "Pod" && at.field == "containers"
	}
	n := 0
	for _, l := range lists {
		if l == nil || l.kind != aList {
			continue
		}
		for _, it := range l.kids {
			if name := it.field("name"); name == nil || name.kind != aScalar {
				return "", false
			}
			n++
		}
	}
	return "name", n > 0
}

// itemOf returns the item of list l whose field key has the value id, or nil if there is none.
func itemOf(l *val, key, id string) *val {
	if l == nil || l.kind != aList {
		return nil
	}
	for _, it := range l.kids {
		if it.field(key).data() == id {
			return it
		}
	}
	return nil
}

// entry returns the result for a field or an item with the values o, d and u, of which each
// may be nil. It returns nil if the result does not have the field or item.
func (m ruleModel) entry(o, d, u *val, at where) *val {
	null := func(v *val) bool { return v != nil && v.kind == aNull && !at.items && !at.frozen }
	switch {
	case null(u), m.destNull && null(d):
		return nil
	case d == nil && u == nil:
		return nil
	case u == nil && o != nil && (m.always || o.kind != aNull):
		if m.always || !m.parts(at, o, d) {
			return nil
		}
		return m.part(o, d, false, at)
	case u == nil:
		return m.part(nil, d, false, at)
	case d == nil && o != nil && !m.always:
		if o.data() == u.data() {
			return nil
		}
		return m.part(o, u, true, at)
	case d == nil:
		return m.part(nil, u, true, at)
	}
	return noted(m.value(o, d, u, at), m.note(o, d, u, (*val).lead), m.note(o, d, u, (*val).tail))
}

// lead returns the comment above v.
func (v *val) lead() string { return v.above }

// tail returns the comment after v, on the same line.
func (v *val) tail() string { return v.behind }

// noted returns a copy of v with these comments.
func noted(v *val, above, behind string) *val {
	w := *v
	w.above, w.behind = above, behind
	return &w
}

// note returns the comment of the result. get returns the comment of a version.
//
// If updated always wins, the result has dest's comment, or updated's if dest has none.
// Otherwise it has updated's if dest did not change the comment or updated changed it, and
// dest's in all other cases. Without an original, dest's is replaced only by one that is
// not empty.
func (m ruleModel) note(o, d, u *val, get func(*val) string) string {
	switch {
	case m.always && get(d) == "", !m.always && (o == nil || get(o) == get(d)):
		if m.always || get(u) != "" || o != nil {
			return get(u)
		}
	case !m.always && o != nil && get(u) != get(o):
		return get(u)
	}
	return get(d)
}

// parts reports whether a and b are merged by their fields or items, and not as a unit.
func (m ruleModel) parts(at where, a, b *val) bool {
	if a.kind != b.kind || a.kind < aMap || at.frozen {
		return false
	}
	_, keyed := m.keyed(at, a, b)
	return a.kind == aMap || keyed
}

// part returns what the result keeps of x, a value that only one side has: updated if
// updated is true, otherwise dest. Nulls are removed, and so is everything that the
// original o has, too. It returns nil if o is given and nothing is left. A scalar or an
// atomic list is kept as it is.
func (m ruleModel) part(o, x *val, updated bool, at where) *val {
	if o != nil && o.kind != x.kind {
		o = nil
	}
	_, keyed := m.keyed(at, o, x)
	if x.kind == aList && !keyed {
		o = nil // a list that is replaced as a unit has no original
		_, keyed = m.keyed(at, x)
	}
	if x.kind < aMap || x.kind == aList && !keyed || at.frozen {
		return x
	}
	var out *val
	if updated {
		out = m.kids(o, nil, x, at)
	} else {
		out = m.kids(o, x, nil, at)
	}
	if o != nil && len(out.kids) == 0 {
		return nil
	}
	if name := x.field("name"); o != nil && at.items && name != nil && out.field("name") == nil {
		out.set("name", name)
	}
	return noted(out, x.above, x.behind)
}

// kids merges the fields of mappings or the items of keyed lists, those of d before those
// that only u has. o, and one of d and u, may be nil.
func (m ruleModel) kids(o, d, u *val, at where) *val {
	any := u
	if any == nil {
		any = d
	}
	out := &val{kind: any.kind, anchor: any.anchor}
	for _, v := range [...]*val{d, u} {
		if v == nil {
			continue
		}
		for i, k := range v.kids {
			if v.kind == aMap {
				name := v.keys[i]
				if v == u && d.field(name) != nil {
					continue
				}
				below := where{kind: at.kind, field: name, frozen: at.frozen}
				if r := m.entry(o.field(name), d.field(name), u.field(name), below); r != nil {
					out.set(name, r)
				}
				continue
			}
			id := k.field("name").data()
			if v == u && itemOf(d, "name", id) != nil {
				continue
			}
			below := where{kind: at.kind, items: true, frozen: at.frozen}
			if r := m.entry(itemOf(o, "name", id), itemOf(d, "name", id), itemOf(u, "name", id), below); r != nil {
				out.kids = append(out.kids, r)
			}
		}
	}
	return out
}

// value returns the result for a value that both sides have. o may be nil.
func (m ruleModel) value(o, d, u *val, at where) *val {
	if o != nil && o.kind != d.kind {
		if d.kind == u.kind {
			o = nil
		}
	}
	if d.kind == u.kind && !at.frozen && (d.kind == aMap || d.kind == aList) {
		var lists []*val
		for _, v := range [...]*val{o, d, u} {
			if v != nil && v.kind == d.kind {
				lists = append(lists, v)
			}
		}
		if _, keyed := m.keyed(at, lists...); d.kind == aMap || keyed {
			return m.kids(o, d, u, at)
		}
	}
	want := u
	switch {
	case m.strategic && at.field == "finalizers" && at.kind == "Pod":
		return union(o, d, u)
	case d.data() == u.data() && !m.always && !slices.Equal(d.comments(), u.comments()):
		return d.silent() // one side removed or added comments, and the result has none
	case d.data() == u.data():
		return d
	case !m.always && o != nil && o.data() == u.data():
		want = d
	}
	return m.part(nil, want, want == u, at)
}

// union merges lists as sets: it returns the items of u, then those that only d has.
func union(o, d, u *val) *val {
	has := func(l, k *val) bool {
		return l != nil && slices.ContainsFunc(l.kids, func(v *val) bool { return v.data() == k.data() })
	}
	out := &val{kind: aList, kids: slices.Clone(u.kids)}
	for _, k := range d.kids {
		if !has(u, k) && !has(o, k) {
			out.kids = append(out.kids, k)
		}
	}
	return out
}

// obey applies the $patch directives in u. It removes the directives from u, removes from d
// what they delete or replace, and sets a field of u that they delete to null. It reports
// whether the directive of u itself is delete.
func obey(d, u *val) (deleted bool) {
	says := u.field("$patch").data()
	if i := slices.Index(u.keys, "$patch"); i >= 0 {
		u.drop(i)
	}
	if says == "delete" {
		return true
	}
	if says == "replace" {
		replaced(d, u)
	}
	for i := len(u.kids) - 1; i >= 0; i-- {
		k := u.kids[i]
		if u.kind == aMap && obey(d.field(u.keys[i]), k) {
			u.kids[i] = &val{kind: aNull}
		}
		if u.kind != aList || k.field("name") == nil {
			continue
		}
		if name := k.field("name").data(); obey(itemOf(d, "name", name), k) {
			u.drop(i)
			if d != nil && d.kind == aList {
				d.kids = slices.DeleteFunc(d.kids, func(v *val) bool { return v.field("name").data() == name })
			}
		}
	}
	return false
}

// replaced removes from mapping d, at every depth, the fields that u does not have. If d is
// a list, it removes all items. It does nothing if d is nil or of another kind than u.
func replaced(d, u *val) {
	if d == nil || d.kind != u.kind {
		return
	}
	for i := len(d.kids) - 1; i >= 0; i-- {
		if d.kind == aMap && u.field(d.keys[i]) != nil {
			replaced(d.kids[i], u.field(d.keys[i]))
		} else {
			d.drop(i)
		}
	}
}

// resourceLike returns the resource with the kind and name of r, or nil if there is none.
func resourceLike(all []*val, r *val) *val {
	name := func(v *val) string { return v.field("kind").data() + "/" + v.field("metadata").field("name").data() }
	i := slices.IndexFunc(all, func(v *val) bool { return name(v) == name(r) })
	if i < 0 {
		return nil
	}
	return all[i]
}

// resources returns the resources of the result: the merged ones and those of dest in the
// order of dest, then those that only updated has. A resource is a document, or an item of
// a List.
func (m ruleModel) resources(o, d, u []*val) (all []*val) {
	for _, x := range d {
		was, now, at := resourceLike(o, x), resourceLike(u, x), where{kind: x.field("kind").data()}
		switch {
		case now != nil:
			all = append(all, noted(m.value(was, x, now, at), m.note(was, x, now, (*val).lead), ""))
		case was == nil || m.always:
			all = append(all, x)
		}
	}
	for _, x := range u {
		if resourceLike(d, x) == nil && (m.always || resourceLike(o, x) == nil) {
			all = append(all, m.part(nil, x, true, where{kind: x.field("kind").data()}))
		}
	}
	return all
}

// sorted returns the data of all resources, sorted, to compare them without their order.
func sorted(all []*val) (out []string) {
	for _, v := range all {
		out = append(out, v.data())
	}
	slices.Sort(out)
	return out
}
