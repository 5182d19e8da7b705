package merge

import "slices"

// A ruleModel says what a rule set makes of values. It knows no text: that is what it is
// there for.
type ruleModel struct {
	always    bool // updated's value stands also where it changed nothing
	destNull  bool // a null of dest clears
	strategic bool // lists are what the types of Kubernetes say
}

var ruleModels = map[string]ruleModel{
	"kustomize": {destNull: true},
	"merge2":    {always: true},
	"apply":     {always: true, strategic: true},
}

// where is what a model knows of the place of a value.
type where struct {
	kind   string // of the resource
	field  string // that it is the value of
	frozen bool   // it stands in a list that is one value
	items  bool   // it is an item of a list
}

// keyed reports whether the items of lists pair, and by what.
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

// entry is a field or an item: nil if it does not stand.
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

func (v *val) lead() string { return v.above }
func (v *val) tail() string { return v.behind }

func noted(v *val, above, behind string) *val {
	w := *v
	w.above, w.behind = above, behind
	return &w
}

// note is which comment stands.
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

// parts reports whether values merge by what they hold.
func (m ruleModel) parts(at where, a, b *val) bool {
	if a.kind != b.kind || a.kind < aMap || at.frozen {
		return false
	}
	_, keyed := m.keyed(at, a, b)
	return a.kind == aMap || keyed
}

// part is what of x stands, which one side alone has: all but nulls, and of what the
// original has too only what is new.
func (m ruleModel) part(o, x *val, updated bool, at where) *val {
	if o != nil && o.kind != x.kind {
		o = nil
	}
	_, keyed := m.keyed(at, o, x)
	if x.kind == aList && !keyed {
		o = nil // another list
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

// value is what stands of what both sides have.
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
		return d.silent() // one of them took comments out, or put some in
	case d.data() == u.data():
		return d
	case !m.always && o != nil && o.data() == u.data():
		want = d
	}
	return m.part(nil, want, want == u, at)
}

// union is a set: what u has, and what d alone has.
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

// obey is d and u as the directives of u leave them, and whether u is to be deleted.
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

// replaced leaves of d what u has too.
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

// resourceLike is the one of all that is of the kind and name of r, nil if none is.
func resourceLike(all []*val, r *val) *val {
	name := func(v *val) string { return v.field("kind").data() + "/" + v.field("metadata").field("name").data() }
	i := slices.IndexFunc(all, func(v *val) bool { return name(v) == name(r) })
	if i < 0 {
		return nil
	}
	return all[i]
}

// resources are the documents that stand; of a List, its items.
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

// sorted is the data of resources, in whatever order.
func sorted(all []*val) (out []string) {
	for _, v := range all {
		out = append(out, v.data())
	}
	slices.Sort(out)
	return out
}
