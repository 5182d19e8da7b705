package rulesets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A value is a value of a generated file, with the comments of its entry. A nil value is an absent value.
type value struct {
	kind               valueKind
	text               string // text of a scalar as it is written
	keys               []string
	children           []*value
	flow               bool // v and its descendants are written in flow style
	quoted             bool // the key of v is quoted
	above, lineComment string
	anchor             string
}

// A valueKind is the kind of a value.
type valueKind uint8

const (
	scalarKind valueKind = iota
	nullKind
	mappingKind
	listKind
)

// newScalar returns a scalar that is written as text.
func newScalar(text string) *value { return &value{kind: scalarKind, text: text} }

// field returns the value of a field, or nil if v is nil, no mapping or has no such field.
func (v *value) field(key string) *value {
	if v != nil && v.kind == mappingKind {
		if i := slices.Index(v.keys, key); i >= 0 {
			return v.children[i]
		}
	}
	return nil
}

// hasNames reports whether v is a list whose first item has a name.
func (v *value) hasNames() bool {
	return v != nil && v.kind == listKind && len(v.children) > 0 && v.children[0].field("name") != nil
}

// set sets a field of a mapping. A new field is added at the end.
func (v *value) set(key string, to *value) {
	if i := slices.Index(v.keys, key); i >= 0 {
		v.children[i] = to
		return
	}
	v.keys, v.children = append(v.keys, key), append(v.children, to)
}

// drop deletes the field or item with index i.
func (v *value) drop(i int) {
	if v.kind == mappingKind {
		v.keys = slices.Delete(slices.Clone(v.keys), i, i+1)
	}
	v.children = slices.Delete(slices.Clone(v.children), i, i+1)
}

// clone returns a deep copy of v, or nil if v is nil.
func (v *value) clone() *value {
	if v == nil {
		return nil
	}
	w := *v
	w.keys, w.children = slices.Clone(v.keys), make([]*value, len(v.children))
	for i, k := range v.children {
		w.children[i] = k.clone()
	}
	return &w
}

// data returns the data of v as text, without comments and format. Fields, and the items of a list with names, are
// sorted.
func (v *value) data() string {
	switch {
	case v == nil:
		return "absent"
	case v.kind == scalarKind:
		return v.anchor + v.text
	case v.kind == nullKind:
		return "null"
	}
	var all []string
	for i, k := range v.children {
		s := k.data()
		if v.kind == mappingKind {
			s = v.keys[i] + ": " + s
		}
		all = append(all, s)
	}
	if v.kind == mappingKind {
		slices.Sort(all)
		return v.anchor + "{" + strings.Join(all, ", ") + "}"
	}
	if v.hasNames() {
		slices.Sort(all) // the order of items with names does not matter
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// withoutComments returns a copy of v without comments.
func (v *value) withoutComments() *value {
	v = v.clone()
	v.dropComments(true)
	return v
}

// dropComments removes the comments from everything inside flow collections, and from v itself if within is true.
func (v *value) dropComments(within bool) {
	if within {
		v.above, v.lineComment = "", ""
	}
	for _, k := range v.children {
		k.dropComments(within || v.flow)
	}
}

// write writes v after a key or, if item is true, after a dash. col is the column of the key or the dash.
func (v *value) write(b *strings.Builder, col int, item bool) {
	if v.anchor != "" {
		b.WriteString(" " + v.anchor)
	}
	if v.flow || len(v.children) == 0 {
		b.WriteString(" " + v.inline() + tail(v) + "\n")
		return
	}
	if item && v.kind == mappingKind && v.lineComment == "" && v.children[0].above == "" && v.anchor == "" {
		b.WriteByte(' ')
		v.entries(b, col+2, true)
		return
	}
	b.WriteString(tail(v) + "\n")
	v.entries(b, col+2, false)
}

// tail returns the comment behind v as it is written, or "".
func tail(v *value) string {
	if v.lineComment == "" {
		return ""
	}
	return " # " + v.lineComment
}

// entries writes the children of v at column col. If compact is true, the first child continues the current line.
func (v *value) entries(b *strings.Builder, col int, compact bool) {
	pad := strings.Repeat(" ", col)
	for i, k := range v.children {
		if k.above != "" {
			b.WriteString(pad + "# " + k.above + "\n")
		}
		if i > 0 || !compact {
			b.WriteString(pad)
		}
		if v.kind == mappingKind {
			b.WriteString(k.key(v.keys[i]) + ":")
			k.write(b, col, false)
		} else {
			b.WriteString("-")
			k.write(b, col, true)
		}
	}
}

// key returns a key as it is written: in quotes if v.quoted is true.
func (v *value) key(name string) string {
	if v.quoted {
		return `"` + name + `"`
	}
	return name
}

// inline returns v in flow style, without comments.
func (v *value) inline() string {
	switch v.kind {
	case scalarKind:
		return v.text
	case nullKind:
		return "null"
	}
	var all []string
	for i, k := range v.children {
		s := k.inline()
		if k.anchor != "" {
			s = k.anchor + " " + s
		}
		if v.kind == mappingKind {
			s = k.key(v.keys[i]) + ": " + s
		}
		all = append(all, s)
	}
	if v.kind == mappingKind {
		return "{" + strings.Join(all, ", ") + "}"
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// comments returns the comments of v and its descendants. It skips what is inside a flow collection.
func (v *value) comments() (all []string) {
	if v == nil {
		return nil
	}
	for _, c := range [...]string{v.above, v.lineComment} {
		if c != "" {
			all = append(all, c)
		}
	}
	if !v.flow {
		for _, k := range v.children {
			all = append(all, k.comments()...)
		}
	}
	return all
}

// A generator generates files to be merged by a rule set.
type generator struct {
	*rand.Rand
	rules    string
	comments int
	side     string // prefix of the comments
}

// maybe returns true in this percentage of calls.
func (g *generator) maybe(percent int) bool { return g.IntN(100) < percent }

// word returns a random scalar.
func (g *generator) word() *value {
	words := [...]string{"a", "b", "1", "2", "true", `"x y"`, `'1'`, "on line"}
	return newScalar(words[g.IntN(len(words))])
}

// withComments adds comments to v at random and returns v.
func (g *generator) withComments(v *value) *value {
	note := func() string {
		g.comments++
		return fmt.Sprintf("%s%d-", g.side, g.comments)
	}
	if g.maybe(12) {
		v.above = note()
	}
	if g.maybe(12) {
		v.lineComment = note()
	}
	return v
}

// value returns a random value that nests at most deep levels, with aliases only if aliases is true.
func (g *generator) value(deep int, aliases bool) *value {
	var v *value
	switch n := g.IntN(12); {
	case n < 2 && deep > 0:
		v = &value{kind: mappingKind}
		g.fields(v, deep-1, aliases)
	case n < 4 && deep > 0:
		v = &value{kind: listKind}
		for range g.IntN(4) {
			v.children = append(v.children, g.withComments(g.word()))
		}
	case n < 6 && deep > 0:
		v = g.named(deep - 1)
	case n == 6:
		v = &value{kind: nullKind}
	case n == 7 && aliases:
		v = newScalar("*base")
	default:
		v = g.word()
	}
	v.flow, v.quoted = g.maybe(25), g.maybe(10)
	return g.withComments(v)
}

// named returns a list of up to three items with different names.
func (g *generator) named(deep int) *value {
	l := &value{kind: listKind}
	for _, i := range g.Perm(4)[:g.IntN(4)] {
		l.children = append(l.children, g.item(i, deep))
	}
	return l
}

// item returns an item with the name that belongs to i.
func (g *generator) item(i, deep int) *value {
	it := &value{kind: mappingKind, flow: g.maybe(25)}
	it.set("name", newScalar(fmt.Sprintf("n%d", i)))
	g.fields(it, deep, false)
	return g.withComments(it)
}

var fieldNames = [...]string{"p", "q", "r", "s", "t"}

// fields sets up to three random fields of v.
func (g *generator) fields(v *value, deep int, aliases bool) {
	for _, i := range g.Perm(len(fieldNames))[:g.IntN(4)] {
		v.set(fieldNames[i], g.value(deep, aliases))
	}
}

// resource returns a Pod, whose lists are in the built-in schema, or a Widget, which has no schema.
func (g *generator) resource(i int) *value {
	r, pod := &value{kind: mappingKind}, g.maybe(40)
	kind := [2]string{"example.com/v1", "Widget"}
	if pod {
		kind = [2]string{"v1", "Pod"}
	}
	r.set("apiVersion", newScalar(kind[0]))
	r.set("kind", newScalar(kind[1]))
	meta := &value{kind: mappingKind}
	meta.set("name", newScalar(fmt.Sprintf("w%d", i)))
	if pod {
		meta.set("finalizers", g.words())
	}
	r.set("metadata", meta)
	if g.maybe(40) {
		base := &value{kind: mappingKind, anchor: "&base", flow: g.maybe(50)}
		base.set("x", newScalar("1"))
		r.set("base", base)
	}
	spec := &value{kind: mappingKind}
	g.fields(spec, 2, r.field("base") != nil)
	if pod {
		spec.set("containers", g.named(1))
	}
	r.set("spec", spec)
	g.fields(r, 2, r.field("base") != nil)
	return g.withComments(r)
}

// words returns a flow list of different words.
func (g *generator) words() *value {
	l := &value{kind: listKind, flow: true}
	for _, i := range g.Perm(5)[:g.IntN(5)] {
		l.children = append(l.children, newScalar(string(rune('a'+i))))
	}
	return l
}

// addDirectives adds directives at random to u, which is a patch of d. It adds none at u itself unless within is true.
func (g *generator) addDirectives(d, u *value, within bool) {
	if u.kind == mappingKind && d != nil && d.kind == mappingKind && within && u.field("$patch") == nil && u.anchor == "" && g.maybe(6) {
		u.set("$patch", newScalar([...]string{"delete", "replace", "merge"}[g.IntN(3)]))
	}
	for i, k := range u.children {
		switch {
		case u.kind == mappingKind && u.keys[i] != "metadata":
			g.addDirectives(d.field(u.keys[i]), k, true)
		case u.kind == listKind && d.hasNames() && u.hasNames():
			g.addDirectives(findItem(d, "name", k.field("name").data()), k, true)
		}
	}
}

// editedCopy returns an edited copy of v.
func (g *generator) editedCopy(v *value, deep int, aliases bool) *value {
	v = v.clone()
	v.quoted = v.quoted != g.maybe(8)
	if v.kind != mappingKind && v.kind != listKind {
		if g.maybe(25) {
			return g.replacement(v, deep, aliases)
		}
		return v
	}
	for i := len(v.children) - 1; i >= 0; i-- {
		name := v.kind == mappingKind && slices.Contains([]string{"apiVersion", "kind", "metadata", "base", "name"}, v.keys[i])
		switch n := g.IntN(20); {
		case name && v.keys[i] == "metadata" && v.children[i].field("finalizers") != nil:
			v.children[i].set("finalizers", g.words())
		case name:
		case n == 0:
			v.drop(i)
		case n == 1 && v.kind == mappingKind && v.keys[i] != "containers":
			v.children[i] = g.replacement(v.children[i], deep, aliases)
		case n == 2 && v.kind == mappingKind && v.keys[i] != "items":
			v.children[i] = g.withComments(&value{kind: nullKind})
		default:
			v.children[i] = g.editedCopy(v.children[i], deep-1, aliases)
		}
	}
	if g.maybe(15) {
		v.flow = !v.flow && v.anchor == ""
	}
	if v.kind == mappingKind && deep > 0 && g.maybe(30) && v.anchor == "" {
		key := fieldNames[g.IntN(len(fieldNames))]
		if v.field(key) == nil {
			v.set(key, g.value(deep-1, aliases))
		}
	}
	if v.kind == listKind && len(v.children) > 0 && g.maybe(20) {
		g.addItem(v)
	}
	return v
}

// replacement returns a random replacement for v. For apply, it returns v itself rather than a list in place of a
// mapping, or a mapping in place of a list.
func (g *generator) replacement(v *value, deep int, aliases bool) *value {
	w := g.value(max(deep-1, 0), aliases)
	if collections := v.kind >= mappingKind && w.kind >= mappingKind; g.rules == "apply" && collections && v.kind != w.kind {
		return v
	}
	return w
}

// addItem appends an item to a list: an item with a new name if the list has names, otherwise a word.
func (g *generator) addItem(l *value) {
	if len(l.children) == 0 || l.children[0].kind != mappingKind {
		l.children = append(l.children, g.withComments(g.word()))
		return
	}
	for i := range 4 {
		has := slices.ContainsFunc(l.children, func(v *value) bool { return v.field("name").data() == fmt.Sprintf("n%d", i) })
		if !has && l.children[0].field("name") != nil {
			l.children = append(l.children, g.item(i, 0))
			return
		}
	}
}
