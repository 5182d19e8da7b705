package rulesets

import "slices"

// A model computes the right result of a merge with a rule set. It works on values only, not on the text of files, so
// that it is independent of the code under test.
type model struct {
	updatedWins bool // updated's value wins even if updated did not change it
	nullDeletes bool // a null in dest deletes the field
	usesTypes   bool // the types of Kubernetes say how a list is merged
}

// models has the model of each rule set, by the name of the rule set.
var models = map[string]model{
	"kustomize": {nullDeletes: true},
	"merge2":    {updatedWins: true},
	"apply":     {updatedWins: true, usesTypes: true},
}

// location describes the place of a value, as far as the result depends on it.
type location struct {
	kind         string // the kind of the resource
	field        string // the key of the field that has the value, "" for an item
	inAtomicList bool   // it is in an atomic list
	isItem       bool   // it is an item of a list
}

// associativeKey returns the key by which the items of the lists are matched. ok is false if there is none. For
// Kubernetes types these are the containers of a Pod. Otherwise all items of all lists must have a scalar name, and
// there must be at least one item.
func (m model) associativeKey(at location, lists ...*value) (key string, ok bool) {
	if m.usesTypes {
		return "name", at.kind == "Pod" && at.field == "containers"
	}
	n := 0
	for _, l := range lists {
		if l == nil || l.kind != listKind {
			continue
		}
		for _, it := range l.children {
			if name := it.field("name"); name == nil || name.kind != scalarKind {
				return "", false
			}
			n++
		}
	}
	return "name", n > 0
}

// findItem returns the item of list l whose field key has the value id, or nil if there is none.
func findItem(l *value, key, id string) *value {
	if l == nil || l.kind != listKind {
		return nil
	}
	for _, it := range l.children {
		if it.field(key).data() == id {
			return it
		}
	}
	return nil
}

// mergeEntry returns the result for a field or an item with the values o, d and u, of which each
// may be nil. It returns nil if the result does not have the field or item.
func (m model) mergeEntry(o, d, u *value, at location) *value {
	null := func(v *value) bool { return v != nil && v.kind == nullKind && !at.isItem && !at.inAtomicList }
	switch {
	case null(u), m.nullDeletes && null(d):
		return nil
	case d == nil && u == nil:
		return nil
	case u == nil && o != nil && (m.updatedWins || o.kind != nullKind):
		if m.updatedWins || !m.mergesEntries(at, o, d) {
			return nil
		}
		return m.keepOneSided(o, d, false, at)
	case u == nil:
		return m.keepOneSided(nil, d, false, at)
	case d == nil && o != nil && !m.updatedWins:
		if o.data() == u.data() {
			return nil
		}
		return m.keepOneSided(o, u, true, at)
	case d == nil:
		return m.keepOneSided(nil, u, true, at)
	}
	return copyWithComments(m.mergeValue(o, d, u, at), m.mergeComment(o, d, u, (*value).commentAbove), m.mergeComment(o, d, u, (*value).commentAtEnd))
}

// commentAbove returns the comment above v.
func (v *value) commentAbove() string { return v.above }

// commentAtEnd returns the comment after v, on the same line.
func (v *value) commentAtEnd() string { return v.lineComment }

// copyWithComments returns a copy of v with these comments.
func copyWithComments(v *value, above, lineComment string) *value {
	w := *v
	w.above, w.lineComment = above, lineComment
	return &w
}

// mergeComment returns the comment of the result. get returns the comment of a version.
//
// If updated always wins, the result has dest's comment, or updated's if dest has none. Otherwise it has updated's if
// dest did not change the comment or updated changed it, and dest's in all other cases. Without an original, dest's is
// replaced only by one that is not empty.
func (m model) mergeComment(o, d, u *value, get func(*value) string) string {
	switch {
	case m.updatedWins && get(d) == "", !m.updatedWins && (o == nil || get(o) == get(d)):
		if m.updatedWins || get(u) != "" || o != nil {
			return get(u)
		}
	case !m.updatedWins && o != nil && get(u) != get(o):
		return get(u)
	}
	return get(d)
}

// mergesEntries reports whether a and b are merged by their fields or items, and not as a unit.
func (m model) mergesEntries(at location, a, b *value) bool {
	if a.kind != b.kind || a.kind < mappingKind || at.inAtomicList {
		return false
	}
	_, keyed := m.associativeKey(at, a, b)
	return a.kind == mappingKind || keyed
}

// keepOneSided returns what the result keeps of x, a value that only one side has: updated if updated is true,
// otherwise dest. Nulls are removed, and so is everything that the original o has, too. It returns nil if o is given
// and nothing is left. A scalar or an atomic list is kept as it is.
func (m model) keepOneSided(o, x *value, updated bool, at location) *value {
	if o != nil && o.kind != x.kind {
		o = nil
	}
	_, keyed := m.associativeKey(at, o, x)
	if x.kind == listKind && !keyed {
		o = nil // a list that is replaced as a unit has no original
		_, keyed = m.associativeKey(at, x)
	}
	if x.kind < mappingKind || x.kind == listKind && !keyed || at.inAtomicList {
		return x
	}
	var out *value
	if updated {
		out = m.mergeChildren(o, nil, x, at)
	} else {
		out = m.mergeChildren(o, x, nil, at)
	}
	if o != nil && len(out.children) == 0 {
		return nil
	}
	if name := x.field("name"); o != nil && at.isItem && name != nil && out.field("name") == nil {
		out.setField("name", name)
	}
	return copyWithComments(out, x.above, x.lineComment)
}

// mergeChildren merges the fields of mappings or the items of keyed lists, those of d before those
// that only u has. o, and one of d and u, may be nil.
func (m model) mergeChildren(o, d, u *value, at location) *value {
	some := u
	if some == nil {
		some = d
	}
	out := &value{kind: some.kind, anchor: some.anchor}
	for _, v := range [...]*value{d, u} {
		if v == nil {
			continue
		}
		for i, k := range v.children {
			if v.kind == mappingKind {
				name := v.keys[i]
				if v == u && d.field(name) != nil {
					continue
				}
				below := location{kind: at.kind, field: name, inAtomicList: at.inAtomicList}
				if r := m.mergeEntry(o.field(name), d.field(name), u.field(name), below); r != nil {
					out.setField(name, r)
				}
				continue
			}
			id := k.field("name").data()
			if v == u && findItem(d, "name", id) != nil {
				continue
			}
			below := location{kind: at.kind, isItem: true, inAtomicList: at.inAtomicList}
			if r := m.mergeEntry(findItem(o, "name", id), findItem(d, "name", id), findItem(u, "name", id), below); r != nil {
				out.children = append(out.children, r)
			}
		}
	}
	return out
}

// mergeValue returns the result for a value that both sides have. o may be nil.
func (m model) mergeValue(o, d, u *value, at location) *value {
	if o != nil && o.kind != d.kind {
		if d.kind == u.kind {
			o = nil
		}
	}
	if d.kind == u.kind && !at.inAtomicList && (d.kind == mappingKind || d.kind == listKind) {
		var lists []*value
		for _, v := range [...]*value{o, d, u} {
			if v != nil && v.kind == d.kind {
				lists = append(lists, v)
			}
		}
		if _, keyed := m.associativeKey(at, lists...); d.kind == mappingKind || keyed {
			return m.mergeChildren(o, d, u, at)
		}
	}
	want := u
	switch {
	case m.usesTypes && at.field == "finalizers" && at.kind == "Pod":
		return mergeAsSets(o, d, u)
	case d.data() == u.data() && !m.updatedWins && !slices.Equal(d.comments(), u.comments()):
		return d.withoutComments() // one side removed or added comments, and the result has none
	case d.data() == u.data():
		return d
	case !m.updatedWins && o != nil && o.data() == u.data():
		want = d
	}
	return m.keepOneSided(nil, want, want == u, at)
}

// mergeAsSets merges lists as sets: it returns the items of u, then those that only d has.
func mergeAsSets(o, d, u *value) *value {
	has := func(l, k *value) bool {
		return l != nil && slices.ContainsFunc(l.children, func(v *value) bool { return v.data() == k.data() })
	}
	out := &value{kind: listKind, children: slices.Clone(u.children)}
	for _, k := range d.children {
		if !has(u, k) && !has(o, k) {
			out.children = append(out.children, k)
		}
	}
	return out
}

// applyDirectives applies the $patch directives in u. It removes the directives from u, removes from d
// what they delete or replace, and sets a field of u that they delete to null. It reports
// whether the directive of u itself is delete.
func applyDirectives(d, u *value) (deleted bool) {
	directive := u.field("$patch").data()
	if i := slices.Index(u.keys, "$patch"); i >= 0 {
		u.deleteEntry(i)
	}
	if directive == "delete" {
		return true
	}
	if directive == "replace" {
		removeMissing(d, u)
	}
	for i := len(u.children) - 1; i >= 0; i-- {
		k := u.children[i]
		if u.kind == mappingKind && applyDirectives(d.field(u.keys[i]), k) {
			u.children[i] = &value{kind: nullKind}
		}
		if u.kind != listKind || k.field("name") == nil {
			continue
		}
		if name := k.field("name").data(); applyDirectives(findItem(d, "name", name), k) {
			u.deleteEntry(i)
			if d != nil && d.kind == listKind {
				d.children = slices.DeleteFunc(d.children, func(v *value) bool { return v.field("name").data() == name })
			}
		}
	}
	return false
}

// removeMissing removes from mapping d, at every depth, the fields that u does not have. If d is
// a list, it removes all items. It does nothing if d is nil or of another kind than u.
func removeMissing(d, u *value) {
	if d == nil || d.kind != u.kind {
		return
	}
	for i := len(d.children) - 1; i >= 0; i-- {
		if d.kind == mappingKind && u.field(d.keys[i]) != nil {
			removeMissing(d.children[i], u.field(d.keys[i]))
		} else {
			d.deleteEntry(i)
		}
	}
}

// findResource returns the resource with the kind and name of r, or nil if there is none.
func findResource(all []*value, r *value) *value {
	name := func(v *value) string { return v.field("kind").data() + "/" + v.field("metadata").field("name").data() }
	i := slices.IndexFunc(all, func(v *value) bool { return name(v) == name(r) })
	if i < 0 {
		return nil
	}
	return all[i]
}

// mergeResources returns the resources of the result: the merged ones and those of dest in the
// order of dest, then those that only updated has. A resource is a document, or an item of
// a List.
func (m model) mergeResources(o, d, u []*value) (all []*value) {
	for _, x := range d {
		was, now, at := findResource(o, x), findResource(u, x), location{kind: x.field("kind").data()}
		switch {
		case now != nil:
			all = append(all, copyWithComments(m.mergeValue(was, x, now, at), m.mergeComment(was, x, now, (*value).commentAbove), ""))
		case was == nil || m.updatedWins:
			all = append(all, x)
		}
	}
	for _, x := range u {
		if findResource(d, x) == nil && (m.updatedWins || findResource(o, x) == nil) {
			all = append(all, m.keepOneSided(nil, x, true, location{kind: x.field("kind").data()}))
		}
	}
	return all
}

// sortedData returns the data of all resources, sorted, to compare them without their order.
func sortedData(all []*value) (out []string) {
	for _, v := range all {
		out = append(out, v.data())
	}
	slices.Sort(out)
	return out
}
