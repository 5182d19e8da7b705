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

// A Flow is a merge of a collection in flow style (in braces or brackets). It consists of objects, lists of names, and
// words. Each side adds, deletes and replaces fields, and adds and deletes names. The right merge is known as data, and
// Want is nil. For example, in the form "json":
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
// which template actions replace some of the words. The same value in each of them:
//
//	json       {"k1": "baaa"}
//	jsonc      {"k1": "baaa",} // or with a comment above or after a field
//	template   at: {k1: {{ .Values.baaa }}}
//	yaml       at: {k1: baaa}
var FlowForms = []string{"json", "jsonc", "template", "yaml"}

// NewFlow generates the three versions in a form, one of FlowForms. The same form and seed always give the same
// versions. It panics if there is no such form.
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
		g.addRandomField(v[three.Original], 2)
	}
	f := &Flow{Path: kind.file, read: kind.read}
	for s := range v {
		if s > 0 {
			v[s] = cloneFlow(v[three.Original]).(flowObject)
			for range 1 + g.IntN(4) {
				g.editRandomly(v[s], 2)
			}
		}
		style := style
		if s == int(three.Updated) && g.IntN(12) == 0 && form == "json" {
			style.unit = "   " // theirs also changes the indentation
		}
		f.Raw[s] = []byte(kind.field + style.writeValue(v[s], "", "") + "\n")
	}
	f.want, f.Mergeable = mergeFlow(v[0], v[1], v[2])
	return f
}

// CheckResult returns a description of what is wrong with the result of a merge, or "" if it is right. With either side
// taken at all conflicts, the result must be valid in its form, such as JSON. Without conflicts, it must have the data
// of the right merge in any order, and Mergeable must be true.
func (f *Flow) CheckResult(result []byte) string {
	for _, s := range three.Sides {
		got, err := f.read(TakeSide(result, s))
		switch {
		case err != nil:
			return fmt.Sprintf("with %s: %v", three.Names[s], err)
		case hasConflicts(result):
		case !f.Mergeable:
			return "clean, although the edits cannot be merged"
		case !reflect.DeepEqual(normalizeData(got), normalizeData(f.want)):
			return fmt.Sprintf("clean, want %v", normalizeData(f.want))
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

// insertField adds a field to o. It puts it before the field that now has the index at, or at the end if at is the
// number of fields.
func (o flowObject) insertField(at int, key string, v any) {
	o[""] = slices.Insert(slices.Clone(o.keys()), at, key)
	o[key] = v
}

// deleteField deletes a field.
func (o flowObject) deleteField(key string) {
	o[""] = slices.DeleteFunc(slices.Clone(o.keys()), func(k string) bool { return k == key })
	delete(o, key)
}

// cloneFlow returns a deep copy of v, which is a flowObject, a flowNames or a string.
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

// A flowMaker generates random values and random changes of them. words counts the words that it generated.
type flowMaker struct {
	*rand.Rand
	words int
}

// newWord returns a word of four lower-case letters, such as "bmke". It differs from all words that it returned before.
func (g *flowMaker) newWord() string {
	g.words++
	b := []byte("....")
	for i, n := 0, g.words*77377%456976; i < len(b); i, n = i+1, n/26 {
		b[i] = byte('a' + n%26)
	}
	return string(b)
}

// randomValue returns a random value: a word (a string), up to three words in a flowNames, or a flowObject with up to
// four fields. It has at most depth levels of objects. For depth 0, it returns no object.
func (g *flowMaker) randomValue(depth int) any {
	switch n := g.IntN(10); {
	case n < 3 && depth > 0:
		o := flowObject{}
		for range g.IntN(5) {
			g.addRandomField(o, depth-1)
		}
		return o
	case n < 5:
		var l flowNames
		for range g.IntN(4) {
			l = append(l, g.newWord())
		}
		return l
	}
	return g.newWord()
}

// addRandomField adds a field to o, with a key from k0 to k11 and a random value with at most depth levels of objects.
// It does nothing if o already has the key that it chose.
func (g *flowMaker) addRandomField(o flowObject, depth int) {
	key := fmt.Sprintf("k%d", g.IntN(12))
	if _, has := o[key]; !has {
		o.insertField(g.IntN(len(o.keys())+1), key, g.randomValue(depth))
	}
}

// editRandomly makes one random edit in o or in an object up to depth levels below: it adds, deletes or replaces a
// field, or adds or deletes a name in a list. It may change nothing, if the key that it wants to add exists.
func (g *flowMaker) editRandomly(o flowObject, depth int) {
	if len(o.keys()) == 0 || g.IntN(4) == 0 {
		g.addRandomField(o, 1)
		return
	}
	key := o.keys()[g.IntN(len(o.keys()))]
	switch v := o[key].(type) {
	case flowObject:
		if depth > 0 && g.IntN(5) > 0 {
			g.editRandomly(v, depth-1)
			return
		}
	case flowNames:
		if i := g.IntN(len(v) + 1); g.IntN(3) > 0 || i == len(v) {
			o[key] = slices.Insert(slices.Clone(v), i, g.newWord())
		} else {
			o[key] = slices.Delete(slices.Clone(v), i, i+1)
		}
		return
	}
	if g.IntN(3) == 0 {
		o.deleteField(key)
	} else {
		o[key] = g.newWord()
	}
}

// mergeFlow returns the right merge of three versions of a value. Objects are merged field by field, and lists as sets
// of names. A value that does not exist is nil. ok is false if the edits of the sides cannot be merged in this way:
//
//	o         d         u         merged    ok
//	"a"       "b"       "a"       "b"       true
//	"a"       "b"       "c"       nil       false
//	{k: "a"}  nil       {k: "b"}  nil       false
//	[a]       [a, b]    []        [b]       true
func mergeFlow(o, d, u any) (merged any, ok bool) {
	switch {
	case reflect.DeepEqual(normalizeData(o), normalizeData(d)):
		return u, true
	case reflect.DeepEqual(normalizeData(o), normalizeData(u)), reflect.DeepEqual(normalizeData(d), normalizeData(u)):
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

// mergeObjects returns the merge of three versions of an object, made field by field. The fields that d has are first,
// followed by those that only u has. ok is false, and merged nil, if both sides changed a field in ways that mergeFlow
// cannot merge. o may be nil.
func mergeObjects(o, d, u flowObject) (merged any, ok bool) {
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
			out.insertField(len(out.keys()), k, v)
		}
	}
	return out, true
}

// mergeNames returns the names that both sides kept and those that one or both sides added, each of them once. The
// names in d are first. For example, o = [a, b], d = [a, b, c] and u = [a, x] give [a, c, x].
func mergeNames(o, d, u flowNames) (out flowNames) {
	for _, n := range slices.Concat(d, u) {
		if !slices.Contains(out, n) && (slices.Contains(d, n) && slices.Contains(u, n) || !slices.Contains(o, n)) {
			out = append(out, n)
		}
	}
	return out
}

// normalizeData returns v in a form that reflect.DeepEqual can compare: objects are map[string]any without the order of
// their fields, and lists are sorted []string. It accepts values of this package (flowObject, flowNames, string) and
// values that encoding/json and gopkg.in/yaml.v3 return. Anything else is returned unchanged.
func normalizeData(v any) any {
	switch v := v.(type) {
	case flowObject:
		m := map[string]any{}
		for _, k := range v.keys() {
			m[k] = normalizeData(v[k])
		}
		return m
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			m[k] = normalizeData(x)
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

// pickNumber returns a number from 0 to n-1. It depends only on w.seed, the path of a value and the purpose of the
// number, such as "line" for whether a collection is on one line. A value is so written in the same way in all
// versions.
func (w flowStyle) pickNumber(path, purpose string, n int) int {
	h := fnv.New64a()
	fmt.Fprint(h, w.seed, path, purpose)
	return int(h.Sum64() % uint64(n))
}

// writeWord returns the text of a word or key s: "abcd" in quotes if w.quoted is true, {{ .Values.abcd }} for about a
// third of the words if w.actions is true, and otherwise s. Keys and other words that begin with k are never written as
// an action.
func (w flowStyle) writeWord(s string) string {
	switch {
	case w.quoted:
		return `"` + s + `"`
	case w.actions && s[0] != 'k' && w.pickNumber(s, "action", 3) == 0:
		return "{{ .Values." + s + " }}"
	}
	return s
}

// writeValue returns the text of v, a flowObject, a flowNames or a string, with the entries on one line or on a line
// each. path is the path of v, as in ".k1.k2"; the layout depends on it. indent is the indentation of the closing
// bracket.
//
//	{k1: abcd}         {
//	                     k1: abcd
//	                   }
func (w flowStyle) writeValue(v any, path, indent string) string {
	var entries, names []string
	brackets := "[]"
	switch v := v.(type) {
	case string:
		return w.writeWord(v)
	case flowNames:
		for _, n := range v {
			entries, names = append(entries, w.writeWord(n)), append(names, n)
		}
	case flowObject:
		brackets = "{}"
		for _, k := range v.keys() {
			entries = append(entries, w.writeWord(k)+": "+w.writeValue(v[k], path+"."+k, indent+w.unit))
			names = append(names, k)
		}
	}
	if len(entries) == 0 {
		return brackets
	}
	all := strings.Join(entries, "")
	if !strings.Contains(all, "\n") && w.pickNumber(path, "line", 3) == 0 {
		return brackets[:1] + strings.Join(entries, ", ") + brackets[1:]
	}
	var b strings.Builder
	b.WriteString(brackets[:1] + "\n")
	for i, e := range entries {
		at := path + "." + names[i]
		if w.noted > 0 && w.pickNumber(at, "above", w.noted) == 0 {
			fmt.Fprintf(&b, "%s%s%s above %s\n", indent, w.unit, w.comment, at)
		}
		b.WriteString(indent + w.unit + e)
		if i+1 < len(entries) || w.commas {
			b.WriteByte(',')
		}
		if w.noted > 0 && w.pickNumber(at, "behind", w.noted) == 0 {
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

// flowKinds has the forms of NewFlow, by name. read returns the data of a file in this form, as the decoder of JSON or
// YAML returns them. It returns an error if the file is not valid. Comments are removed, and {{ .Values.abcd }} is read
// as abcd.
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

// readFlowField returns the value of the field at of a YAML file: for "at: [a, b]", a []any with a and b. It returns
// nil if there is no such field, and an error if the file is not a YAML mapping.
func readFlowField(b []byte) (any, error) {
	var v map[string]any
	err := yaml.Unmarshal(b, &v)
	return v["at"], err
}
