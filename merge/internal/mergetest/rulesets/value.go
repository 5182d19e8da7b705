package rulesets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A value is a value of a generated file, with the comments of its field or item. A nil *value means that there is no
// value. A mapping has its keys in keys and its values in children, in order, and a list has its items in children.
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

// newScalar returns a scalar that is written as text, such as 1, `"x y"` or *base.
func newScalar(text string) *value { return &value{kind: scalarKind, text: text} }

// field returns the value of the field with this key in v. It returns nil if there is none, or if v is nil or not a
// mapping.
func (v *value) field(key string) *value {
	if v != nil && v.kind == mappingKind {
		if i := slices.Index(v.keys, key); i >= 0 {
			return v.children[i]
		}
	}
	return nil
}

// hasNames reports whether v is a list whose first item is a mapping with a field name.
func (v *value) hasNames() bool {
	return v != nil && v.kind == listKind && len(v.children) > 0 && v.children[0].field("name") != nil
}

// setField sets the field of the mapping v with this key to a value. A field that v does not have is added at the end.
func (v *value) setField(key string, to *value) {
	if i := slices.Index(v.keys, key); i >= 0 {
		v.children[i] = to
		return
	}
	v.keys, v.children = append(v.keys, key), append(v.children, to)
}

// deleteEntry deletes the field or item of v with the index i.
func (v *value) deleteEntry(i int) {
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

// data returns the data of v as one line of text, for comparison. It has no comments and formats, but anchors. Fields
// are sorted, and so are the items of a list with names. A nil value gives "absent". For example, v written as
//
//	b: [2, 1] # x
//	a: null
//
// gives {a: null, b: [2, 1]}.
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

// withoutComments returns a deep copy of v in which v and all values in it have no comments.
func (v *value) withoutComments() *value {
	v = v.clone()
	v.removeComments(true)
	return v
}

// removeComments removes the comments of all values in flow collections within v, because they cannot be written there.
// If always is true, it removes the comments of v and of all values within it.
func (v *value) removeComments(always bool) {
	if always {
		v.above, v.lineComment = "", ""
	}
	for _, k := range v.children {
		k.removeComments(always || v.flow)
	}
}

// writeAfter appends the text of v to b, which ends in "key:" or, if afterDash is true, in "-". col is the column of
// the key or the dash. The text begins with a space, if it is on the same line, and ends with a newline.
func (v *value) writeAfter(b *strings.Builder, col int, afterDash bool) {
	if v.anchor != "" {
		b.WriteString(" " + v.anchor)
	}
	if v.flow || len(v.children) == 0 {
		b.WriteString(" " + v.flowText() + endComment(v) + "\n")
		return
	}
	if afterDash && v.kind == mappingKind && v.lineComment == "" && v.children[0].above == "" && v.anchor == "" {
		b.WriteByte(' ')
		v.writeEntries(b, col+2, true)
		return
	}
	b.WriteString(endComment(v) + "\n")
	v.writeEntries(b, col+2, false)
}

// endComment returns the comment at the end of the line of v as it is written, as in " # x", or "" if there is none.
func endComment(v *value) string {
	if v.lineComment == "" {
		return ""
	}
	return " # " + v.lineComment
}

// writeEntries appends the lines of the fields or items of v to b. col is their column. If afterDash is true, the first
// one continues the line that is already in b.
func (v *value) writeEntries(b *strings.Builder, col int, afterDash bool) {
	pad := strings.Repeat(" ", col)
	for i, k := range v.children {
		if k.above != "" {
			b.WriteString(pad + "# " + k.above + "\n")
		}
		if i > 0 || !afterDash {
			b.WriteString(pad)
		}
		if v.kind == mappingKind {
			b.WriteString(k.keyText(v.keys[i]) + ":")
			k.writeAfter(b, col, false)
		} else {
			b.WriteString("-")
			k.writeAfter(b, col, true)
		}
	}
}

// keyText returns the key name of v as it is written: in double quotes if v.quoted is true.
func (v *value) keyText(name string) string {
	if v.quoted {
		return `"` + name + `"`
	}
	return name
}

// flowText returns the text of v in flow style, on one line, without comments: for a mapping, {a: 1, b: [x]}. The
// anchor of v itself is left out.
func (v *value) flowText() string {
	switch v.kind {
	case scalarKind:
		return v.text
	case nullKind:
		return "null"
	}
	var all []string
	for i, k := range v.children {
		s := k.flowText()
		if k.anchor != "" {
			s = k.anchor + " " + s
		}
		if v.kind == mappingKind {
			s = k.keyText(v.keys[i]) + ": " + s
		}
		all = append(all, s)
	}
	if v.kind == mappingKind {
		return "{" + strings.Join(all, ", ") + "}"
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// comments returns the texts of the comments of v and of all values within it, without "#". Values within a flow
// collection have none. It returns nil for a nil value.
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

// A generator generates random resources and edits of them. comments is the number of comments that it generated.
type generator struct {
	*rand.Rand
	rules    string
	comments int
	side     string // prefix of the comments
}

// maybe returns true in this percentage of calls.
func (g *generator) maybe(percent int) bool { return g.IntN(100) < percent }

// randomWord returns a random scalar, such as 1, true or "x y".
func (g *generator) randomWord() *value {
	words := [...]string{"a", "b", "1", "2", "true", `"x y"`, `'1'`, "on line"}
	return newScalar(words[g.IntN(len(words))])
}

// addRandomComments adds a comment above v, after v, both or none at random, and returns v itself. No two comments have
// the same text: one is g.side and a number, as in "d3-".
func (g *generator) addRandomComments(v *value) *value {
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

// randomValue returns a random value: a scalar, a mapping, or a list of words or of items with names. For depth 0 it is
// a scalar; a greater depth also allows collections, and collections in them. If aliases is true, a scalar may be the
// alias *base.
func (g *generator) randomValue(depth int, aliases bool) *value {
	var v *value
	switch n := g.IntN(12); {
	case n < 2 && depth > 0:
		v = &value{kind: mappingKind}
		g.setRandomFields(v, depth-1, aliases)
	case n < 4 && depth > 0:
		v = &value{kind: listKind}
		for range g.IntN(4) {
			v.children = append(v.children, g.addRandomComments(g.randomWord()))
		}
	case n < 6 && depth > 0:
		v = g.randomNamedItems(depth - 1)
	case n == 6:
		v = &value{kind: nullKind}
	case n == 7 && aliases:
		v = newScalar("*base")
	default:
		v = g.randomWord()
	}
	v.flow, v.quoted = g.maybe(25), g.maybe(10)
	return g.addRandomComments(v)
}

// randomNamedItems returns a list of up to three items with different names, as in [{name: n2, p: 1}, {name: n0}].
// depth limits how deep the values of their fields are nested: for 0, they are scalars.
func (g *generator) randomNamedItems(depth int) *value {
	l := &value{kind: listKind}
	for _, i := range g.Perm(4)[:g.IntN(4)] {
		l.children = append(l.children, g.randomItem(i, depth))
	}
	return l
}

// randomItem returns an item with the name n and the number, and random other fields, as in {name: n2, p: 1}. depth
// limits how deep the values of these fields are nested: for 0, they are scalars.
func (g *generator) randomItem(number, depth int) *value {
	it := &value{kind: mappingKind, flow: g.maybe(25)}
	it.setField("name", newScalar(fmt.Sprintf("n%d", number)))
	g.setRandomFields(it, depth, false)
	return g.addRandomComments(it)
}

// fieldNames are the keys of random fields.
var fieldNames = [...]string{"p", "q", "r", "s", "t"}

// setRandomFields sets up to three random fields of v, a mapping. depth limits how deep their values are nested: for 0,
// they are scalars. If aliases is true, a scalar may be the alias *base.
func (g *generator) setRandomFields(v *value, depth int, aliases bool) {
	for _, i := range g.Perm(len(fieldNames))[:g.IntN(4)] {
		v.setField(fieldNames[i], g.randomValue(depth, aliases))
	}
}

// randomResource returns a random Kubernetes resource with the name w and the number, as in w0. It is a Pod, for which
// the program has a schema, or a Widget, which has none. Some of them have a field base with the anchor &base.
func (g *generator) randomResource(number int) *value {
	r, pod := &value{kind: mappingKind}, g.maybe(40)
	kind := [2]string{"example.com/v1", "Widget"}
	if pod {
		kind = [2]string{"v1", "Pod"}
	}
	r.setField("apiVersion", newScalar(kind[0]))
	r.setField("kind", newScalar(kind[1]))
	meta := &value{kind: mappingKind}
	meta.setField("name", newScalar(fmt.Sprintf("w%d", number)))
	if pod {
		meta.setField("finalizers", g.randomWords())
	}
	r.setField("metadata", meta)
	if g.maybe(40) {
		base := &value{kind: mappingKind, anchor: "&base", flow: g.maybe(50)}
		base.setField("x", newScalar("1"))
		r.setField("base", base)
	}
	spec := &value{kind: mappingKind}
	g.setRandomFields(spec, 2, r.field("base") != nil)
	if pod {
		spec.setField("containers", g.randomNamedItems(1))
	}
	r.setField("spec", spec)
	g.setRandomFields(r, 2, r.field("base") != nil)
	return g.addRandomComments(r)
}

// randomWords returns a list in flow style with up to four different words, such as [c, a].
func (g *generator) randomWords() *value {
	l := &value{kind: listKind, flow: true}
	for _, i := range g.Perm(5)[:g.IntN(5)] {
		l.children = append(l.children, newScalar(string(rune('a'+i))))
	}
	return l
}

// addRandomDirectives adds $patch directives at random to the mappings in u, a patch for d. d may be nil or of another
// kind than u; such a mapping gets none. u itself gets a directive only if within is true. The field metadata gets
// none. For example, the patch may become
//
//	kind: Widget
//	spec:
//	  $patch: replace
//	  q: 1
func (g *generator) addRandomDirectives(d, u *value, within bool) {
	if u.kind == mappingKind && d != nil && d.kind == mappingKind && within && u.field("$patch") == nil && u.anchor == "" && g.maybe(6) {
		u.setField("$patch", newScalar([...]string{"delete", "replace", "merge"}[g.IntN(3)]))
	}
	for i, k := range u.children {
		switch {
		case u.kind == mappingKind && u.keys[i] != "metadata":
			g.addRandomDirectives(d.field(u.keys[i]), k, true)
		case u.kind == listKind && d.hasNames() && u.hasNames():
			g.addRandomDirectives(findItem(d, "name", k.field("name").data()), k, true)
		}
	}
}

// randomEdit returns a copy of v with random edits: fields and items are deleted, replaced, set to null and added, and
// quotes and flow style change. Fields that identify a resource or an item remain. depth limits how deep new values are
// nested. If aliases is true, a new scalar may be the alias *base.
func (g *generator) randomEdit(v *value, depth int, aliases bool) *value {
	v = v.clone()
	v.quoted = v.quoted != g.maybe(8)
	if v.kind != mappingKind && v.kind != listKind {
		if g.maybe(25) {
			return g.randomReplacement(v, depth, aliases)
		}
		return v
	}
	for i := len(v.children) - 1; i >= 0; i-- {
		name := v.kind == mappingKind && slices.Contains([]string{"apiVersion", "kind", "metadata", "base", "name"}, v.keys[i])
		switch n := g.IntN(20); {
		case name && v.keys[i] == "metadata" && v.children[i].field("finalizers") != nil:
			v.children[i].setField("finalizers", g.randomWords())
		case name:
		case n == 0:
			v.deleteEntry(i)
		case n == 1 && v.kind == mappingKind && v.keys[i] != "containers":
			v.children[i] = g.randomReplacement(v.children[i], depth, aliases)
		case n == 2 && v.kind == mappingKind && v.keys[i] != "items":
			v.children[i] = g.addRandomComments(&value{kind: nullKind})
		default:
			v.children[i] = g.randomEdit(v.children[i], depth-1, aliases)
		}
	}
	if g.maybe(15) {
		v.flow = !v.flow && v.anchor == ""
	}
	if v.kind == mappingKind && depth > 0 && g.maybe(30) && v.anchor == "" {
		key := fieldNames[g.IntN(len(fieldNames))]
		if v.field(key) == nil {
			v.setField(key, g.randomValue(depth-1, aliases))
		}
	}
	if v.kind == listKind && len(v.children) > 0 && g.maybe(20) {
		g.appendRandomItem(v)
	}
	return v
}

// randomReplacement returns a random value that replaces v. depth and aliases are those of the collection that contains
// v: depth limits how deep the value is nested, and if aliases is true, a scalar may be the alias *base. With the rule
// set apply, it returns v itself if a mapping would replace a list, or a list a mapping.
func (g *generator) randomReplacement(v *value, depth int, aliases bool) *value {
	w := g.randomValue(max(depth-1, 0), aliases)
	if collections := v.kind >= mappingKind && w.kind >= mappingKind; g.rules == "apply" && collections && v.kind != w.kind {
		return v
	}
	return w
}

// appendRandomItem appends an item to l: an item with a name that no other item has if the items have names, otherwise
// a word. It appends nothing if the items are mappings without names, or if all four names occur.
func (g *generator) appendRandomItem(l *value) {
	if len(l.children) == 0 || l.children[0].kind != mappingKind {
		l.children = append(l.children, g.addRandomComments(g.randomWord()))
		return
	}
	for i := range 4 {
		has := slices.ContainsFunc(l.children, func(v *value) bool { return v.field("name").data() == fmt.Sprintf("n%d", i) })
		if !has && l.children[0].field("name") != nil {
			l.children = append(l.children, g.randomItem(i, 0))
			return
		}
	}
}
