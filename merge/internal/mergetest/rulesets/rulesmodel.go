package rulesets

import "slices"

// A model computes the right result of a merge with a rule set. It works on values only, not on the text of files, so
// that it is independent of the code under test. The three versions are the original, dest (the file of the user) and
// updated (the new version, or a patch).
type model struct {
	updatedWins bool // updated's value wins even if updated did not change it
	nullDeletes bool // a null in dest deletes the field
	usesTypes   bool // the Kubernetes type of a list defines how the list is merged
}

// models has the model of each rule set, by its name: kustomize and merge2 merge as kustomize does (with and without an
// original), and apply as kubectl apply does.
var models = map[string]model{
	"kustomize": {nullDeletes: true},
	"merge2":    {updatedWins: true},
	"apply":     {updatedWins: true, usesTypes: true},
}

// A location describes the place of a value, as far as the result of its merge depends on it.
type location struct {
	kind   string // the kind of the resource
	field  string // the key of the field that has the value, "" for an item
	isItem bool   // it is an item of a list
}

// associativeKey returns the key by which the items of lists are matched. If m.usesTypes is true, only the containers
// of a Pod have one, "name". Otherwise it is "name" if all items have a scalar name. ok is false without a key. at is
// the location of the lists, and lists has the versions of one list; a version that is no list is ignored.
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

// findItem returns the item of list l that has the value id in its field key, or nil if there is none. l may be nil or
// another kind of value.
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

// mergeEntry returns the right merge of a field or an item, or nil if the result does not have it. o, d and u are its
// values in the original, dest and updated, nil for a version without it. For the rule set kustomize:
//
//	o      d      u       result
//	a: 1   a: 1   -       -        updated deleted it
//	-      a: 1   -       a: 1     only dest has it
//	a: 1   a: 1   null    -        null deletes it
func (m model) mergeEntry(o, d, u *value, at location) *value {
	null := func(v *value) bool { return v != nil && v.kind == nullKind && !at.isItem }
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

// commentAbove returns the comment above v, without "#", or "".
func (v *value) commentAbove() string { return v.above }

// commentAtEnd returns the comment after v, on the same line, without "#", or "".
func (v *value) commentAtEnd() string { return v.lineComment }

// copyWithComments returns a shallow copy of v with these comments instead of its own.
func copyWithComments(v *value, above, lineComment string) *value {
	w := *v
	w.above, w.lineComment = above, lineComment
	return &w
}

// mergeComment returns the comment of the result for a value that both dest and updated have: that of the side that
// changed it, updated's if both did. Without an original, it is updated's if there is one. If m.updatedWins is true, it
// is dest's if there is one. get returns the comment of a version. o may be nil.
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

// mergesEntries reports whether a and b, two versions of a value at the given location, are merged field by field or
// item by item. They are not if they are scalars or of different kinds, if they are within an atomic list (one that is
// merged as a unit), or if they are lists without a key.
func (m model) mergesEntries(at location, a, b *value) bool {
	if a.kind != b.kind || a.kind < mappingKind {
		return false
	}
	_, keyed := m.associativeKey(at, a, b)
	return a.kind == mappingKind || keyed
}

// keepOneSided returns what the result keeps of x, a value that only one side has: updated if updated is true,
// otherwise dest. o is the original, or nil; it is ignored if it has another kind, and for lists without a key. A
// mapping, or a list with a key, loses the fields and items that mergeEntry does not keep: with o = {a: 1} and
// x = {a: 1, b: 2} of dest, it returns {b: 2}. A list item keeps its name. With o, it returns nil if nothing is left.
func (m model) keepOneSided(o, x *value, updated bool, at location) *value {
	if o != nil && o.kind != x.kind {
		o = nil
	}
	_, keyed := m.associativeKey(at, o, x)
	if x.kind == listKind && !keyed {
		o = nil // a list that is replaced as a unit has no original
		_, keyed = m.associativeKey(at, x)
	}
	if x.kind < mappingKind || x.kind == listKind && !keyed {
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
	// the name that identifies the item remains
	if name := x.field("name"); o != nil && at.isItem && name != nil && out.field("name") == nil {
		out.setField("name", name)
	}
	return copyWithComments(out, x.above, x.lineComment)
}

// mergeChildren returns the right merge of mappings, or of lists with an associative key, entry by entry. The entries
// of d are first, followed by those that only u has. o may be nil, and so may one of d and u. The result has no
// comments of its own.
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
				below := location{kind: at.kind, field: name}
				if r := m.mergeEntry(o.field(name), d.field(name), u.field(name), below); r != nil {
					out.setField(name, r)
				}
				continue
			}
			id := k.field("name").data()
			if v == u && findItem(d, "name", id) != nil {
				continue
			}
			below := location{kind: at.kind, isItem: true}
			if r := m.mergeEntry(findItem(o, "name", id), findItem(d, "name", id), findItem(u, "name", id), below); r != nil {
				out.children = append(out.children, r)
			}
		}
	}
	return out
}

// mergeValue returns the right merge of a value that both dest (d) and updated (u) have. o is the original, or nil.
// Mappings, and lists with an associative key, are merged entry by entry. Another value is dest's if only dest changed
// it and m.updatedWins is false, and otherwise updated's. The caller sets the comments above and after the value.
func (m model) mergeValue(o, d, u *value, at location) *value {
	if o != nil && o.kind != d.kind {
		if d.kind == u.kind {
			o = nil
		}
	}
	if d.kind == u.kind && (d.kind == mappingKind || d.kind == listKind) {
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
	// the finalizers of a Pod are a set
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

// mergeAsSets returns the merge of lists as sets of scalars: the items of u, followed by those that only d has. o may
// be nil. For example, o = [a], d = [a, b] and u = [c] give [c, b].
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

// applyDirectives carries out the $patch directives in u, a patch for d, and removes them from u. It changes u and d.
// It returns true if the directive of u itself is delete; the caller then deletes d. d is nil if there is nothing to
// patch.
func applyDirectives(d, u *value) (deleted bool) {
	directive := u.field("$patch").data()
	if i := slices.Index(u.keys, "$patch"); i >= 0 {
		u.deleteEntry(i)
	}
	if directive == "delete" {
		return true
	}
	// all that u does not have goes
	if directive == "replace" {
		removeMissing(d, u)
	}
	for i := len(u.children) - 1; i >= 0; i-- {
		k := u.children[i]
		// a null deletes the field
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

// removeMissing removes from mapping d, at every depth, the fields that u does not have. If d is a list, it removes all
// items. It does nothing if d is nil or of another kind than u. For example, d = {a: 1, b: 2} and u = {a: 3} give d =
// {a: 1}.
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

// findResource returns the resource in all that has the kind and the name of r, or nil if there is none.
func findResource(all []*value, r *value) *value {
	name := func(v *value) string { return v.field("kind").data() + "/" + v.field("metadata").field("name").data() }
	i := slices.IndexFunc(all, func(v *value) bool { return name(v) == name(r) })
	if i < 0 {
		return nil
	}
	return all[i]
}

// mergeResources returns the right merge of Kubernetes resources. They are matched by kind and name. The result has
// those of dest (d), merged with those of updated (u), in the order of dest, followed by those that only updated has. A
// resource of the original (o) that a side deleted is left out, unless m.updatedWins is true.
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

// sortedData returns the data of all resources, each as one line of text, sorted. Comments, formats and the order of
// the resources do not matter.
func sortedData(all []*value) (out []string) {
	for _, v := range all {
		out = append(out, v.data())
	}
	slices.Sort(out)
	return out
}
