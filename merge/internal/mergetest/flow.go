package mergetest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"gopkg.in/yaml.v3"
)

// A Flow is a merge of flow collections: objects, lists of names, and words. Each side adds, deletes and replaces
// fields, and adds and deletes names. The right merge is known as data, and Want is nil. For example, in the form
// "json":
//
//	base       {"k1": "baaa", "k2": ["caaa"]}
//	ours       {"k1": "daaa", "k2": ["caaa"]}
//	theirs     {"k1": "baaa", "k2": ["caaa", "eaaa"]}
//	data       {"k1": "daaa", "k2": ["caaa", "eaaa"]}
type Flow struct {
	Triple
	// Path is the path of the file, with the extension of its form.
	Path string
	// Mergeable reports whether the edits can be merged by field and by name. Otherwise a result without conflicts is
	// wrong.
	Mergeable bool

	want any // the data of the right merge, if Mergeable
	read func([]byte) (any, error)
}

// FlowForms are the forms of NewFlow: JSON, JSON with comments, a field of a YAML file, and a field of a YAML file in
// which template actions replace some of the words.
var FlowForms = []string{"json", "jsonc", "template", "yaml"}

// NewFlow generates the versions of a seed in a form, one of FlowForms. It panics if there is no such form.
func NewFlow(form string, seed uint64) *Flow {
	kind, ok := flowKinds[form]
	if !ok {
		panic("no form " + form)
	}
	g := &flowMaker{Rand: rand.New(rand.NewPCG(seed, 36))}
	style := kind.style
	style.seed, style.unit = seed, []string{"  ", "    ", "\t"}[g.IntN(3)]
	if form != "json" {
		style.commas = g.IntN(2) == 0
	}
	if kind.field != "" {
		style.unit = "  "
	}
	var v [3]flowObject
	v[three.Original] = flowObject{}
	for range 1 + g.IntN(6) {
		g.add(v[three.Original], 2)
	}
	f := &Flow{Path: kind.file, read: kind.read}
	for s := range v {
		if s > 0 {
			v[s] = cloneFlow(v[three.Original]).(flowObject)
			for range 1 + g.IntN(4) {
				g.change(v[s], 2)
			}
		}
		style := style
		if s == int(three.Updated) && g.IntN(12) == 0 && form == "json" {
			style.unit = "   " // theirs also changes the indentation
		}
		f.Raw[s] = []byte(kind.field + style.write(v[s], "", "") + "\n")
	}
	f.want, f.Mergeable = mergeFlow(v[0], v[1], v[2])
	return f
}

// Wrong returns a description of what is wrong with a result, or "" if it is right. With either side taken at all
// conflicts, the result must be valid in its form. Without conflicts, it must have the data of the right merge.
func (f *Flow) Wrong(result []byte) string {
	for _, s := range three.Sides {
		got, err := f.read(TakeSide(result, s))
		switch {
		case err != nil:
			return fmt.Sprintf("with %s: %v", three.Names[s], err)
		case hasConflicts(result):
		case !f.Mergeable:
			return "clean, although the edits cannot be merged"
		case !reflect.DeepEqual(asData(got), asData(f.want)):
			return fmt.Sprintf("clean, want %v", asData(f.want))
		}
	}
	return ""
}

// Values of flow collections: objects, lists of names, and words (strings). mergeFlow merges such values without
// knowing how they are written, so its results can be compared with those of Merge.
type (
	flowObject map[string]any // the map key "" has the order of the keys
	flowNames  []string
)

// keys returns the keys of o in order.
func (o flowObject) keys() []string { k, _ := o[""].([]string); return k }

// put inserts a field before the key with index at.
func (o flowObject) put(at int, key string, v any) {
	o[""] = slices.Insert(slices.Clone(o.keys()), at, key)
	o[key] = v
}

// drop deletes a field.
func (o flowObject) drop(key string) {
	o[""] = slices.DeleteFunc(slices.Clone(o.keys()), func(k string) bool { return k == key })
	delete(o, key)
}

// cloneFlow returns a deep copy of v.
func cloneFlow(v any) any {
	switch v := v.(type) {
	case flowObject:
		c := flowObject{"": slices.Clone(v.keys())}
		for _, k := range v.keys() {
			c[k] = cloneFlow(v[k])
		}
		return c
	case flowNames:
		return slices.Clone(v)
	}
	return v
}

// A flowMaker generates values and random changes of them.
type flowMaker struct {
	*rand.Rand
	words int
}

// word returns a new word of four letters.
func (g *flowMaker) word() string {
	g.words++
	b := []byte("....")
	for i, n := 0, g.words*77377%456976; i < len(b); i, n = i+1, n/26 {
		b[i] = byte('a' + n%26)
	}
	return string(b)
}

// value returns a random value. It has objects within objects up to depth levels.
func (g *flowMaker) value(depth int) any {
	switch n := g.IntN(10); {
	case n < 3 && depth > 0:
		o := flowObject{}
		for range g.IntN(5) {
			g.add(o, depth-1)
		}
		return o
	case n < 5:
		var l flowNames
		for range g.IntN(4) {
			l = append(l, g.word())
		}
		return l
	}
	return g.word()
}

// add adds a field with a random key to o. It does nothing if o has that key.
func (g *flowMaker) add(o flowObject, depth int) {
	key := fmt.Sprintf("k%d", g.IntN(12))
	if _, has := o[key]; !has {
		o.put(g.IntN(len(o.keys())+1), key, g.value(depth))
	}
}

// change makes a random edit of o: it adds, deletes or replaces a field, adds or deletes a name in a list, or edits an
// object up to depth levels below.
func (g *flowMaker) change(o flowObject, depth int) {
	if len(o.keys()) == 0 || g.IntN(4) == 0 {
		g.add(o, 1)
		return
	}
	key := o.keys()[g.IntN(len(o.keys()))]
	switch v := o[key].(type) {
	case flowObject:
		if depth > 0 && g.IntN(5) > 0 {
			g.change(v, depth-1)
			return
		}
	case flowNames:
		if i := g.IntN(len(v) + 1); g.IntN(3) > 0 || i == len(v) {
			o[key] = slices.Insert(slices.Clone(v), i, g.word())
		} else {
			o[key] = slices.Delete(slices.Clone(v), i, i+1)
		}
		return
	}
	if g.IntN(3) == 0 {
		o.drop(key)
	} else {
		o[key] = g.word()
	}
}

// mergeFlow returns the merge of the original, dest and updated version of a value. A value that does not exist is nil,
// in the arguments and in the result. It reports false if the sides changed the value differently and it cannot be
// merged by field or by name.
func mergeFlow(o, d, u any) (any, bool) {
	switch {
	case reflect.DeepEqual(asData(o), asData(d)):
		return u, true
	case reflect.DeepEqual(asData(o), asData(u)), reflect.DeepEqual(asData(d), asData(u)):
		return d, true
	case d == nil || u == nil:
		return nil, false
	}
	switch d := d.(type) {
	case flowObject:
		base, _ := o.(flowObject)
		if u, ok := u.(flowObject); ok {
			return mergeObjects(base, d, u)
		}
	case flowNames:
		base, _ := o.(flowNames)
		if u, ok := u.(flowNames); ok {
			return mergeNames(base, d, u), true
		}
	}
	return nil, false
}

// mergeObjects merges three objects field by field. It reports false if a field cannot be merged.
func mergeObjects(o, d, u flowObject) (any, bool) {
	out := flowObject{}
	for _, k := range slices.Concat(d.keys(), u.keys()) {
		if _, done := out[k]; done {
			continue
		}
		v, ok := mergeFlow(o[k], d[k], u[k])
		if !ok {
			return nil, false
		}
		if v != nil {
			out.put(len(out.keys()), k, v)
		}
	}
	return out, true
}

// mergeNames returns the names that both sides kept and those that a side added, each once.
func mergeNames(o, d, u flowNames) (out flowNames) {
	for _, n := range slices.Concat(d, u) {
		if !slices.Contains(out, n) && (slices.Contains(d, n) && slices.Contains(u, n) || !slices.Contains(o, n)) {
			out = append(out, n)
		}
	}
	return out
}

// asData returns v in a form that reflect.DeepEqual can compare: without the order of fields, and with sorted lists. It
// accepts the values of the model and those of the JSON and YAML decoders.
func asData(v any) any {
	switch v := v.(type) {
	case flowObject:
		m := map[string]any{}
		for _, k := range v.keys() {
			m[k] = asData(v[k])
		}
		return m
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			m[k] = asData(x)
		}
		return m
	case flowNames:
		return slices.Sorted(slices.Values(v))
	case []any:
		l := []string{}
		for _, x := range v {
			l = append(l, fmt.Sprint(x))
		}
		slices.Sort(l)
		if len(l) == 0 {
			return []string(nil)
		}
		return l
	}
	return v
}

// A flowStyle defines how values are written.
type flowStyle struct {
	unit, comment  string // the indentation of a level; what begins a comment
	quoted, commas bool   // words and keys have quotes; the last entry has a comma
	actions        bool   // some words are written as template actions
	seed           uint64
	noted          int // one in this many entries has a comment; 0 for no comments
}

// pick returns a number below n that depends only on the seed, the path, and the string what. So an entry is written in
// the same way in all versions.
func (w flowStyle) pick(path, what string, n int) int {
	h := fnv.New64a()
	fmt.Fprint(h, w.seed, path, what)
	return int(h.Sum64() % uint64(n))
}

// text returns how a word or key is written.
func (w flowStyle) text(s string) string {
	switch {
	case w.quoted:
		return `"` + s + `"`
	case w.actions && s[0] != 'k' && w.pick(s, "action", 3) == 0:
		return "{{ .Values." + s + " }}"
	}
	return s
}

// write returns the text of v, the value at path. It does not indent the first line; indent is the indentation of the
// line of the closing bracket.
func (w flowStyle) write(v any, path, indent string) string {
	var entries, names []string
	brackets := "[]"
	switch v := v.(type) {
	case string:
		return w.text(v)
	case flowNames:
		for _, n := range v {
			entries, names = append(entries, w.text(n)), append(names, n)
		}
	case flowObject:
		brackets = "{}"
		for _, k := range v.keys() {
			entries = append(entries, w.text(k)+": "+w.write(v[k], path+"."+k, indent+w.unit))
			names = append(names, k)
		}
	}
	if len(entries) == 0 {
		return brackets
	}
	all := strings.Join(entries, "")
	if !strings.Contains(all, "\n") && w.pick(path, "line", 3) == 0 {
		return brackets[:1] + strings.Join(entries, ", ") + brackets[1:]
	}
	var b strings.Builder
	b.WriteString(brackets[:1] + "\n")
	for i, e := range entries {
		at := path + "." + names[i]
		if w.noted > 0 && w.pick(at, "above", w.noted) == 0 {
			fmt.Fprintf(&b, "%s%s%s above %s\n", indent, w.unit, w.comment, at)
		}
		b.WriteString(indent + w.unit + e)
		if i+1 < len(entries) || w.commas {
			b.WriteByte(',')
		}
		if w.noted > 0 && w.pick(at, "behind", w.noted) == 0 {
			fmt.Fprintf(&b, " %s behind %s", w.comment, at)
		}
		b.WriteByte('\n')
	}
	return b.String() + indent + brackets[1:]
}

var (
	slashComment = regexp.MustCompile(`(?m)//.*$`)
	printed      = regexp.MustCompile(`{{ .Values.(\w+) }}`)
	commaAtEnd   = regexp.MustCompile(`,(\s*[]}])`)
)

// flowKinds are the forms of NewFlow, by name.
var flowKinds = map[string]struct {
	style flowStyle
	file  string
	field string // the field in block style that contains the value; "" for none
	read  func([]byte) (any, error)
}{
	"json": {style: flowStyle{quoted: true}, file: "a.json", read: func(b []byte) (v any, err error) { return v, json.Unmarshal(b, &v) }},
	"jsonc": {style: flowStyle{quoted: true, comment: "//", noted: 5}, file: "a.jsonc", read: func(b []byte) (v any, err error) {
		return v, json.Unmarshal(commaAtEnd.ReplaceAll(slashComment.ReplaceAll(b, nil), []byte("$1")), &v)
	}},
	"yaml": {style: flowStyle{comment: "#", noted: 5}, file: "a.yaml", field: "at: ", read: readFlowField},
	"template": {style: flowStyle{comment: "#", noted: 5, actions: true}, file: "a.yaml", field: "at: ", read: func(b []byte) (any, error) {
		return readFlowField(printed.ReplaceAll(b, []byte("$1")))
	}},
}

// readFlowField returns the value of the field at of a YAML file.
func readFlowField(b []byte) (any, error) {
	var v map[string]any
	err := yaml.Unmarshal(b, &v)
	return v["at"], err
}
