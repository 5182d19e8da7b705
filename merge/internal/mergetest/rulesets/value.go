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

// setField sets a field of a mapping. A new field is added at the end.
func (v *value) setField(key string, to *value) {
	if i := slices.Index(v.keys, key); i >= 0 {
		v.children[i] = to
		return
	}
	v.keys, v.children = append(v.keys, key), append(v.children, to)
}

// deleteEntry deletes the field or item with index i.
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
	v.removeComments(true)
	return v
}

// removeComments removes the comments from everything inside flow collections, and from v itself if within is true.
func (v *value) removeComments(always bool) {
	if always {
		v.above, v.lineComment = "", ""
	}
	for _, k := range v.children {
		k.removeComments(always || v.flow)
	}
}

// writeAfter writes v after a key or, if item is true, after a dash. col is the column of the key or the dash.
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

// endComment returns the comment behind v as it is written, or "".
func endComment(v *value) string {
	if v.lineComment == "" {
		return ""
	}
	return " # " + v.lineComment
}

// writeEntries writes the children of v at column col. If compact is true, the first child continues the current line.
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

// keyText returns a key as it is written: in quotes if v.quoted is true.
func (v *value) keyText(name string) string {
	if v.quoted {
		return `"` + name + `"`
	}
	return name
}

// flowText returns v in flow style, without comments.
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

// randomWord returns a random scalar.
func (g *generator) randomWord() *value {
	words := [...]string{"a", "b", "1", "2", "true", `"x y"`, `'1'`, "on line"}
	return newScalar(words[g.IntN(len(words))])
}

// addRandomComments adds comments to v at random and returns v.
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

// randomValue returns a random value that nests at most deep levels, with aliases only if aliases is true.
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

// randomNamedItems returns a list of up to three items with different names.
func (g *generator) randomNamedItems(depth int) *value {
	l := &value{kind: listKind}
	for _, i := range g.Perm(4)[:g.IntN(4)] {
		l.children = append(l.children, g.randomItem(i, depth))
	}
	return l
}

// randomItem returns an item with the name that belongs to i.
func (g *generator) randomItem(number, depth int) *value {
	it := &value{kind: mappingKind, flow: g.maybe(25)}
	it.setField("name", newScalar(fmt.Sprintf("n%d", number)))
	g.setRandomFields(it, depth, false)
	return g.addRandomComments(it)
}

var fieldNames = [...]string{"p", "q", "r", "s", "t"}

// setRandomFields sets up to three random fields of v.
func (g *generator) setRandomFields(v *value, depth int, aliases bool) {
	for _, i := range g.Perm(len(fieldNames))[:g.IntN(4)] {
		v.setField(fieldNames[i], g.randomValue(depth, aliases))
	}
}

// randomResource returns a Pod, whose lists are in the built-in schema, or a Widget, which has no schema.
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

// randomWords returns a flow list of different words.
func (g *generator) randomWords() *value {
	l := &value{kind: listKind, flow: true}
	for _, i := range g.Perm(5)[:g.IntN(5)] {
		l.children = append(l.children, newScalar(string(rune('a'+i))))
	}
	return l
}

// addRandomDirectives adds directives at random to u, which is a patch of d. It adds none at u itself unless within is true.
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

// randomEdit returns an edited copy of v.
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

// randomReplacement returns a random replacement for v. For apply, it returns v itself rather than a list in place of a
// mapping, or a mapping in place of a list.
func (g *generator) randomReplacement(v *value, depth int, aliases bool) *value {
	w := g.randomValue(max(depth-1, 0), aliases)
	if collections := v.kind >= mappingKind && w.kind >= mappingKind; g.rules == "apply" && collections && v.kind != w.kind {
		return v
	}
	return w
}

// appendRandomItem appends an item to a list: an item with a new name if the list has names, otherwise a word.
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
