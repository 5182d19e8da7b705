package proof

import (
	"bytes"
	"maps"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Filled is a file with something in the place of each of some conflicts: texts that a person wrote, or what one version has
// there. Two of them for the same conflicts have the same bytes outside of these places.
type Filled struct {
	Tree   *syntax.Stream
	Places []text.Span // in the order of the file
}

// A Stray is why a text is no answer to the question whose place it is in.
type Stray struct {
	Place  int
	Detail string
	Off    int // where in the file, -1 if that is not known
}

// Strays returns the places of got whose text is more than a decision about the entries of that place in versions, of which
// the first counts for everything outside of the places. Outside, each document, entry, value, anchor, guard and alias has to
// be what it is there. Inside, an entry has to be in a collection, and under a key, in which one of the versions has an entry of
// the place; and the text opens, divides and closes no block of a template, unless that of a version does so alike.
//
//	image: web:2
//	replicas: 2     the place
//
//	replicas: 9     decides about replicas
//	  -rc1          strays: it continues the value of image
//	debug: true     strays: no version has this field in this place
//
// A change outside of the places is reported for the last place before it, and only the first such change is reported.
func Strays(got Filled, versions []Filled) []Stray {
	out := outlineOf(got)
	var known []outline
	for i, v := range versions {
		if o := outlineOf(v); i == 0 || len(o.things) == len(known[0].things) {
			known = append(known, o)
		}
	}
	var blocks [][]string
	for _, f := range slices.Concat([]Filled{got}, versions) {
		blocks = append(blocks, template.Unpaired(f.Tree.File.Bytes(), f.Places))
	}
	strays := map[int]Stray{}
	for i := range got.Places {
		if s := out.strays(i, known); s.Detail != "" {
			strays[i] = s
		} else if !slices.ContainsFunc(blocks[1:], func(v []string) bool { return v[i] == blocks[0][i] }) {
			strays[i] = Stray{Detail: "it changes under which condition of the template other entries are", Off: -1}
		}
	}
	if s, changed := out.change(known); changed {
		if _, ok := strays[s.Place]; !ok {
			strays[s.Place] = s
		}
	}
	var all []Stray
	for _, i := range slices.Sorted(maps.Keys(strays)) {
		s := strays[i]
		s.Place = i
		all = append(all, s)
	}
	return all
}

// An outline is what a file has outside of its places, in order, and the entries in each place.
type outline struct {
	places  []text.Span
	lengths []int // of the places before each, and of all
	things  []thing
	inside  []inside
	aliases map[string]bool // to which there is an alias outside of the places
}

// An inside is what the tree of a file has in one place.
type inside struct {
	documents int
	entries   []*syntax.Entry
	parents   []int // of the entries: the number of the thing that they are in
	anchors   map[string]bool
}

// A thing is a document, or an entry with its value, outside of the places.
type thing struct {
	said
	off  int // in the file
	text int // the place that lines of its block scalar are in, -1 if none
}

// said is what has to be the same of two things.
type said struct {
	parent, start                                int // start without the lengths of the places before it
	kind                                         syntax.Kind
	style                                        syntax.Style
	key, keyAnchor, keyTag, anchor, tag, tagText string
	value, guard                                 string
	indent                                       int // of a block scalar that is in part in a place
}

func outlineOf(f Filled) outline {
	o := outline{places: f.Places, inside: make([]inside, len(f.Places)), aliases: map[string]bool{}}
	o.lengths = make([]int, 1+len(f.Places))
	for i, p := range f.Places {
		o.inside[i].anchors = map[string]bool{}
		o.lengths[i+1] = o.lengths[i] + p.Len()
	}
	for n, d := range f.Tree.Docs {
		if i, in := o.place(d.Span); in {
			o.inside[i].documents++
			o.anchors(i, d.Root)
			continue
		}
		t := thing{said: said{parent: -1, start: n}, off: d.Span.Start}
		if d.Explicit {
			t.key = "---"
		}
		for line := range bytes.Lines(f.Tree.File.Slice(d.Head)) {
			if bytes.HasPrefix(line, []byte("%")) {
				t.keyTag += string(line)
			}
		}
		o.add(t, d.Root)
	}
	return o
}

// place returns the place that s is in, whole.
func (o *outline) place(s text.Span) (int, bool) {
	i, _ := slices.BinarySearchFunc(o.places, s.Start, func(p text.Span, start int) int {
		if p.End <= start {
			return -1
		}
		return 1
	})
	return i, i < len(o.places) && !s.Empty() && o.places[i].Start <= s.Start && s.End <= o.places[i].End
}

// overlaps returns the first place that has a byte of s, -1 if none has.
func (o *outline) overlaps(s text.Span) int {
	i, _ := o.place(s)
	if i < len(o.places) && o.places[i].Overlaps(s) {
		return i
	}
	return -1
}

// before returns the last place that starts at off or before it, -1 if none does.
func (o *outline) before(off int) int {
	i, _ := slices.BinarySearchFunc(o.places, off, func(p text.Span, off int) int {
		if p.Start <= off {
			return -1
		}
		return 1
	})
	return i - 1
}

// add adds a thing whose value is n, and what is in n.
func (o *outline) add(t thing, n *syntax.Node) {
	self := len(o.things)
	t.kind, t.style, t.anchor, t.tag, t.tagText, t.value, t.text = n.Kind, n.Style, n.Anchor, n.Tag, n.TagText, n.Value, -1
	if n.Kind == syntax.Alias {
		o.aliases[n.Value] = true
	}
	if i := o.overlaps(n.Content); i >= 0 && n.IsBlockScalar() {
		t.text, t.value, t.tag = i, "", ""
		if _, all := o.place(n.Lines); !all {
			t.indent = n.Indent
		}
	}
	o.things = append(o.things, t)
	outside := false
	for _, e := range n.Entries {
		if i, in := o.place(text.Span{Start: e.Start, End: max(e.Colon, e.Value.Span.End)}); in {
			at := &o.inside[i]
			at.entries, at.parents = append(at.entries, e), append(at.parents, self)
			o.anchors(i, e.Key)
			o.anchors(i, e.Value)
			continue
		}
		outside = true
		o.add(o.entry(e, self), e.Value)
	}
	if !outside && (n.IsNull() || len(n.Entries) > 0) && !n.HasProperties() { // the place may have all of it, or nothing
		t := &o.things[self]
		t.kind, t.style, t.tag, t.value = 0, 0, "", ""
	}
}

// entry returns e, which is in the thing numbered parent, without its value.
func (o *outline) entry(e *syntax.Entry, parent int) thing {
	t := thing{said: said{parent: parent, start: e.Start - o.lengths[1+o.before(e.Start)], guard: e.Guard.String()}, off: e.Start}
	if o.overlaps(text.Span{Start: e.Start, End: e.Start + 1}) >= 0 {
		t.start = -1 // it starts in a place, and ends behind it
	}
	if e.Key != nil {
		t.key, t.keyAnchor, t.keyTag = e.FieldKey(), e.Key.Anchor, e.Key.TagText
		if e.Key.Kind == syntax.Alias {
			o.aliases[e.Key.Value] = true
		}
	}
	return t
}

// anchors notes the anchors in n, which is in place i.
func (o *outline) anchors(i int, n *syntax.Node) {
	if n == nil {
		return
	}
	if n.Anchor != "" {
		o.inside[i].anchors[n.Anchor] = true
	}
	for _, e := range n.Entries {
		o.anchors(i, e.Key)
		o.anchors(i, e.Value)
	}
}

// strays returns why the text in place i is more than a decision about what known has there; no detail if it is not.
func (o *outline) strays(i int, known []outline) Stray {
	at := o.inside[i]
	documents, parents, keys := 0, map[int]bool{}, map[string]bool{}
	for _, k := range known {
		documents = max(documents, k.inside[i].documents)
		for n, e := range k.inside[i].entries {
			parents[k.inside[i].parents[n]] = true
			keys[keyOf(e)] = true
		}
	}
	if at.documents > documents {
		return Stray{Detail: "it adds a document", Off: -1}
	}
	for n, e := range at.entries {
		switch key := keyOf(e); {
		case !parents[at.parents[n]]:
			return Stray{Detail: "it adds an entry where no version has one in conflict", Off: e.Start}
		case !keys[key]:
			return Stray{Detail: "it adds the field " + e.KeyText() + ", which no version has in this conflict", Off: e.Start}
		}
	}
	for name := range o.aliases {
		if !slices.ContainsFunc(known, func(k outline) bool { return k.inside[i].anchors[name] == at.anchors[name] }) {
			return Stray{Detail: "it changes what *" + name + " is elsewhere", Off: -1}
		}
	}
	return Stray{}
}

// keyOf returns what tells a field from others of its mapping, "" for an item.
func keyOf(e *syntax.Entry) string {
	if e.Key == nil {
		return ""
	}
	return e.FieldKey()
}

// isAs reports whether t is what want is. All lines that a text has in a place may be left out.
func (t thing) isAs(want thing) bool {
	if t.text < 0 && want.text >= 0 {
		t.text, t.value, t.tag, t.indent = want.text, "", "", want.indent
	}
	return t.text == want.text && t.said == want.said
}

// change returns the first thing that is not what it is in known.
func (o *outline) change(known []outline) (Stray, bool) {
	for n := range max(len(o.things), len(known[0].things)) {
		if n == len(o.things) {
			return Stray{Place: max(0, len(o.places)-1), Detail: "an entry outside of the conflict is gone", Off: -1}, true
		}
		t := o.things[n]
		if n == len(known[0].things) || !slices.ContainsFunc(known, func(k outline) bool { return t.isAs(k.things[n]) }) {
			return Stray{Place: max(0, o.before(t.off)), Detail: "it changes what is outside of the conflict", Off: t.off}, true
		}
	}
	return Stray{}, false
}
