package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A val is a value of a generated file, with the comments of its entry. A nil val is an absent value.
type val struct {
	kind          valKind
	text          string // text of a scalar as written
	keys          []string
	kids          []*val
	flow          bool // v and its descendants are written in flow style
	quoted        bool // the key of v is quoted
	above, behind string
	anchor        string
}

type valKind uint8

const (
	aScalar valKind = iota
	aNull
	aMap
	aList
)

func scalarVal(text string) *val { return &val{kind: aScalar, text: text} }

func (v *val) field(key string) *val {
	if v != nil && v.kind == aMap {
		if i := slices.Index(v.keys, key); i >= 0 {
			return v.kids[i]
		}
	}
	return nil
}

// isNamed reports whether v is a list whose first item has a name.
func (v *val) isNamed() bool {
	return v != nil && v.kind == aList && len(v.kids) > 0 && v.kids[0].field("name") != nil
}

func (v *val) set(key string, to *val) {
	if i := slices.Index(v.keys, key); i >= 0 {
		v.kids[i] = to
		return
	}
	v.keys, v.kids = append(v.keys, key), append(v.kids, to)
}

func (v *val) drop(i int) {
	if v.kind == aMap {
		v.keys = slices.Delete(slices.Clone(v.keys), i, i+1)
	}
	v.kids = slices.Delete(slices.Clone(v.kids), i, i+1)
}

// clone returns a deep copy of v, or nil if v is nil.
func (v *val) clone() *val {
	if v == nil {
		return nil
	}
	w := *v
	w.keys, w.kids = slices.Clone(v.keys), make([]*val, len(v.kids))
	for i, k := range v.kids {
		w.kids[i] = k.clone()
	}
	return &w
}

// data returns the data of v as text, without comments and format. Fields, and the items of a list with names, are
// sorted.
func (v *val) data() string {
	switch {
	case v == nil:
		return "absent"
	case v.kind == aScalar:
		return v.anchor + v.text
	case v.kind == aNull:
		return "null"
	}
	var all []string
	for i, k := range v.kids {
		s := k.data()
		if v.kind == aMap {
			s = v.keys[i] + ": " + s
		}
		all = append(all, s)
	}
	if v.kind == aMap {
		slices.Sort(all)
		return v.anchor + "{" + strings.Join(all, ", ") + "}"
	}
	if v.isNamed() {
		slices.Sort(all) // the order of items with names does not matter
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// silent returns a copy of v without comments.
func (v *val) silent() *val {
	v = v.clone()
	v.quiet(true)
	return v
}

// quiet removes the comments from everything inside flow collections, and from v itself if within is true.
func (v *val) quiet(within bool) {
	if within {
		v.above, v.behind = "", ""
	}
	for _, k := range v.kids {
		k.quiet(within || v.flow)
	}
}

// write writes v after a key or, if item is true, after a dash. col is the column of the key or the dash.
func (v *val) write(b *strings.Builder, col int, item bool) {
	if v.anchor != "" {
		b.WriteString(" " + v.anchor)
	}
	if v.flow || len(v.kids) == 0 {
		b.WriteString(" " + v.inline() + tail(v) + "\n")
		return
	}
	if item && v.kind == aMap && v.behind == "" && v.kids[0].above == "" && v.anchor == "" {
		b.WriteByte(' ')
		v.entries(b, col+2, true)
		return
	}
	b.WriteString(tail(v) + "\n")
	v.entries(b, col+2, false)
}

func tail(v *val) string {
	if v.behind == "" {
		return ""
	}
	return " # " + v.behind
}

// entries writes the children of v at column col. If compact is true, the first child continues the current line.
func (v *val) entries(b *strings.Builder, col int, compact bool) {
	pad := strings.Repeat(" ", col)
	for i, k := range v.kids {
		if k.above != "" {
			b.WriteString(pad + "# " + k.above + "\n")
		}
		if i > 0 || !compact {
			b.WriteString(pad)
		}
		if v.kind == aMap {
			b.WriteString(k.key(v.keys[i]) + ":")
			k.write(b, col, false)
		} else {
			b.WriteString("-")
			k.write(b, col, true)
		}
	}
}

func (v *val) key(name string) string {
	if v.quoted {
		return `"` + name + `"`
	}
	return name
}

// inline returns v in flow style, without comments.
func (v *val) inline() string {
	switch v.kind {
	case aScalar:
		return v.text
	case aNull:
		return "null"
	}
	var all []string
	for i, k := range v.kids {
		s := k.inline()
		if k.anchor != "" {
			s = k.anchor + " " + s
		}
		if v.kind == aMap {
			s = k.key(v.keys[i]) + ": " + s
		}
		all = append(all, s)
	}
	if v.kind == aMap {
		return "{" + strings.Join(all, ", ") + "}"
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// comments returns the comments of v and its descendants. It skips what is inside a flow collection.
func (v *val) comments() (all []string) {
	if v == nil {
		return nil
	}
	for _, c := range [...]string{v.above, v.behind} {
		if c != "" {
			all = append(all, c)
		}
	}
	if !v.flow {
		for _, k := range v.kids {
			all = append(all, k.comments()...)
		}
	}
	return all
}

// A ruleGen generates files to be merged by a rule set.
type ruleGen struct {
	*rand.Rand
	rules string
	notes int
	side  string // prefix of the comments
}

func (g *ruleGen) maybe(percent int) bool { return g.IntN(100) < percent }

func (g *ruleGen) word() *val {
	words := [...]string{"a", "b", "1", "2", "true", `"x y"`, `'1'`, "on line"}
	return scalarVal(words[g.IntN(len(words))])
}

// noted adds comments to v at random and returns v.
func (g *ruleGen) noted(v *val) *val {
	note := func() string {
		g.notes++
		return fmt.Sprintf("%s%d-", g.side, g.notes)
	}
	if g.maybe(12) {
		v.above = note()
	}
	if g.maybe(12) {
		v.behind = note()
	}
	return v
}

// value returns a random value that nests at most deep levels, with aliases only if aliases is true.
func (g *ruleGen) value(deep int, aliases bool) *val {
	var v *val
	switch n := g.IntN(12); {
	case n < 2 && deep > 0:
		v = &val{kind: aMap}
		g.fields(v, deep-1, aliases)
	case n < 4 && deep > 0:
		v = &val{kind: aList}
		for range g.IntN(4) {
			v.kids = append(v.kids, g.noted(g.word()))
		}
	case n < 6 && deep > 0:
		v = g.named(deep - 1)
	case n == 6:
		v = &val{kind: aNull}
	case n == 7 && aliases:
		v = scalarVal("*base")
	default:
		v = g.word()
	}
	v.flow, v.quoted = g.maybe(25), g.maybe(10)
	return g.noted(v)
}

// named returns a list of up to three items with different names.
func (g *ruleGen) named(deep int) *val {
	l := &val{kind: aList}
	for _, i := range g.Perm(4)[:g.IntN(4)] {
		l.kids = append(l.kids, g.item(i, deep))
	}
	return l
}

func (g *ruleGen) item(i, deep int) *val {
	it := &val{kind: aMap, flow: g.maybe(25)}
	it.set("name", scalarVal(fmt.Sprintf("n%d", i)))
	g.fields(it, deep, false)
	return g.noted(it)
}

var fieldNames = [...]string{"p", "q", "r", "s", "t"}

func (g *ruleGen) fields(v *val, deep int, aliases bool) {
	for _, i := range g.Perm(len(fieldNames))[:g.IntN(4)] {
		v.set(fieldNames[i], g.value(deep, aliases))
	}
}

// resource returns a Pod, whose lists are in the built-in schema, or a Widget, which has no schema.
func (g *ruleGen) resource(i int) *val {
	r, pod := &val{kind: aMap}, g.maybe(40)
	kind := [2]string{"example.com/v1", "Widget"}
	if pod {
		kind = [2]string{"v1", "Pod"}
	}
	r.set("apiVersion", scalarVal(kind[0]))
	r.set("kind", scalarVal(kind[1]))
	meta := &val{kind: aMap}
	meta.set("name", scalarVal(fmt.Sprintf("w%d", i)))
	if pod {
		meta.set("finalizers", g.words())
	}
	r.set("metadata", meta)
	if g.maybe(40) {
		base := &val{kind: aMap, anchor: "&base", flow: g.maybe(50)}
		base.set("x", scalarVal("1"))
		r.set("base", base)
	}
	spec := &val{kind: aMap}
	g.fields(spec, 2, r.field("base") != nil)
	if pod {
		spec.set("containers", g.named(1))
	}
	r.set("spec", spec)
	g.fields(r, 2, r.field("base") != nil)
	return g.noted(r)
}

// words returns a flow list of different words.
func (g *ruleGen) words() *val {
	l := &val{kind: aList, flow: true}
	for _, i := range g.Perm(5)[:g.IntN(5)] {
		l.kids = append(l.kids, scalarVal(string(rune('a'+i))))
	}
	return l
}

// direct adds directives at random to u, which is a patch of d. It adds none at u itself unless within is true.
func (g *ruleGen) direct(d, u *val, within bool) {
	if u.kind == aMap && d != nil && d.kind == aMap && within && u.field("$patch") == nil && u.anchor == "" && g.maybe(6) {
		u.set("$patch", scalarVal([...]string{"delete", "replace", "merge"}[g.IntN(3)]))
	}
	for i, k := range u.kids {
		switch {
		case u.kind == aMap && u.keys[i] != "metadata":
			g.direct(d.field(u.keys[i]), k, true)
		case u.kind == aList && d.isNamed() && u.isNamed():
			g.direct(itemOf(d, "name", k.field("name").data()), k, true)
		}
	}
}

// edit returns an edited copy of v.
func (g *ruleGen) edit(v *val, deep int, aliases bool) *val {
	v = v.clone()
	v.quoted = v.quoted != g.maybe(8)
	if v.kind != aMap && v.kind != aList {
		if g.maybe(25) {
			return g.other(v, deep, aliases)
		}
		return v
	}
	for i := len(v.kids) - 1; i >= 0; i-- {
		name := v.kind == aMap && slices.Contains([]string{"apiVersion", "kind", "metadata", "base", "name"}, v.keys[i])
		switch n := g.IntN(20); {
		case name && v.keys[i] == "metadata" && v.kids[i].field("finalizers") != nil:
			v.kids[i].set("finalizers", g.words())
		case name:
		case n == 0:
			v.drop(i)
		case n == 1 && v.kind == aMap && v.keys[i] != "containers":
			v.kids[i] = g.other(v.kids[i], deep, aliases)
		case n == 2 && v.kind == aMap && v.keys[i] != "items":
			v.kids[i] = g.noted(&val{kind: aNull})
		default:
			v.kids[i] = g.edit(v.kids[i], deep-1, aliases)
		}
	}
	if g.maybe(15) {
		v.flow = !v.flow && v.anchor == ""
	}
	if v.kind == aMap && deep > 0 && g.maybe(30) && v.anchor == "" {
		key := fieldNames[g.IntN(len(fieldNames))]
		if v.field(key) == nil {
			v.set(key, g.value(deep-1, aliases))
		}
	}
	if v.kind == aList && len(v.kids) > 0 && g.maybe(20) {
		g.grow(v)
	}
	return v
}

// other returns a random replacement for v. For apply, it returns v itself rather than a list in place of a mapping, or
// a mapping in place of a list.
func (g *ruleGen) other(v *val, deep int, aliases bool) *val {
	w := g.value(max(deep-1, 0), aliases)
	if collections := v.kind >= aMap && w.kind >= aMap; g.rules == "apply" && collections && v.kind != w.kind {
		return v
	}
	return w
}

// grow appends an item to a list: an item with a new name if the list has names, otherwise a word.
func (g *ruleGen) grow(l *val) {
	if len(l.kids) == 0 || l.kids[0].kind != aMap {
		l.kids = append(l.kids, g.noted(g.word()))
		return
	}
	for i := range 4 {
		has := slices.ContainsFunc(l.kids, func(v *val) bool { return v.field("name").data() == fmt.Sprintf("n%d", i) })
		if !has && l.kids[0].field("name") != nil {
			l.kids = append(l.kids, g.item(i, 0))
			return
		}
	}
}
