package merge

import (
	"bytes"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A filledFile is a file in which each conflict of a merge is filled with a text, such as the lines of a version or
// lines that a user wrote. The spans of these texts are the places of the conflicts. Two filled files for the same
// conflicts have the same bytes outside of their places.
type filledFile struct {
	Stream *syntax.Stream
	Places []text.Span // of the conflicts, in the order of the file
}

// An outsideChange is the reason why a text is not a valid answer to its conflict: it changes something outside of the
// place of the conflict. Place is the index of the place in filledFile.Places.
type outsideChange struct {
	Place  int
	Detail string
	Offset int // byte offset in the file, or -1 if it is not known
}

// compareOutside returns an outsideChange, at most one, for each text of filled that changes more than the entries of
// its conflict. versions, at least one, are the same file with the lines of ours, theirs or base in all places. If the
// only place is the line "replicas: 2" below "image: web:2":
//
//	replicas: 9     nil: it decides about replicas
//	  -rc1          a change: it continues the value of image
//	debug: true     a change: no version has this field in this place
func compareOutside(filled filledFile, versions []filledFile) []outsideChange {
	filledOutline := newOutline(filled)
	var versionOutlines []outline // without versions that have another number of entries outside than the first
	for i, v := range versions {
		if o := newOutline(v); i == 0 || len(o.elements) == len(versionOutlines[0].elements) {
			versionOutlines = append(versionOutlines, o)
		}
	}
	var unpairedActions [][]string
	for _, f := range slices.Concat([]filledFile{filled}, versions) {
		unpairedActions = append(unpairedActions, template.UnpairedActions(f.Stream.File.Bytes(), f.Places))
	}
	change, changed := filledOutline.findChange(versionOutlines) // the first change outside of the texts; later ones may follow from it
	var all []outsideChange
	for i := range filled.Places {
		found := filledOutline.checkPlace(i, versionOutlines)
		switch {
		case found.Detail != "":
		case !slices.ContainsFunc(unpairedActions[1:], func(v []string) bool { return v[i] == unpairedActions[0][i] }):
			found = outsideChange{Detail: "the answer changes the template conditions of other entries", Offset: -1}
		case changed && change.Place == i:
			found = change
		default:
			continue
		}
		found.Place = i
		all = append(all, found)
	}
	return all
}

// An outline is a file, filled with texts in place of its conflicts, in a form that can be compared. elements are the
// documents and entries that are outside of the places of the conflicts, in the order of the file. contents has the
// entries and anchors in each place.
type outline struct {
	places       []text.Span
	lengthBefore []int // the total length of the places before each place; the last item is that of all
	elements     []element
	contents     []placeContent
	aliases      map[string]bool // the names of the anchors to which an alias outside of the places refers
}

// A placeContent is the part of the parsed file that is in the place of one conflict.
type placeContent struct {
	documents int
	entries   []*syntax.Entry
	parents   []int // for each entry, the index of the element that it is in
	anchors   map[string]bool
}

// An element is a document, or an entry with its value, that is outside of the places of the conflicts, or only partly
// in one.
type element struct {
	signature
	offset    int // in the file
	textPlace int // the place that has lines of its block scalar, or -1
}

// A signature has the properties of an element that may not change.
type signature struct {
	// parent is the index of the element that it is in, or -1. start is the offset of an entry, minus the lengths of the
	// places before it, or -1 if it starts in a place. The start of a document is its index.
	parent, start                                int
	kind                                         syntax.Kind
	style                                        syntax.Style
	key, keyAnchor, keyTag, anchor, tag, tagText string
	value, guard                                 string
	indent                                       int // only of a block scalar that is partly in a place
}

// newOutline returns the outline of file, by which it can be compared with the same file with other texts in its
// conflicts. elements are the documents and entries outside of the texts; their starts do not depend on the lengths of
// the texts. contents is what each text contains.
func newOutline(file filledFile) outline {
	o := outline{places: file.Places, contents: make([]placeContent, len(file.Places)), aliases: map[string]bool{}}
	o.lengthBefore = make([]int, 1+len(file.Places))
	for i, p := range file.Places {
		o.contents[i].anchors = map[string]bool{}
		o.lengthBefore[i+1] = o.lengthBefore[i] + p.Len()
	}
	for n, d := range file.Stream.Docs {
		if i, isInside := o.findPlace(d.Span); isInside {
			o.contents[i].documents++
			o.recordAnchors(i, d.Root)
			continue
		}
		document := element{signature: signature{parent: -1, start: n}, offset: d.Span.Start}
		if d.Explicit {
			document.key = "---"
		}
		for line := range bytes.Lines(file.Stream.File.Slice(d.Head)) {
			if bytes.HasPrefix(line, []byte("%")) {
				document.keyTag += string(line)
			}
		}
		o.addElement(document, d.Root)
	}
	return o
}

// findPlace returns the index in o.places of the place that contains all of span, and true. If there is none, or if
// span is empty, it returns false, and the index of the first place that ends after the start of span, or
// len(o.places).
func (o *outline) findPlace(span text.Span) (int, bool) {
	i, _ := slices.BinarySearchFunc(o.places, span.Start, func(p text.Span, start int) int {
		if p.End <= start {
			return -1
		}
		return 1
	})
	return i, i < len(o.places) && o.places[i].Contains(span) && !span.Empty()
}

// firstOverlap returns the index in o.places of the first place that overlaps span, or -1 if there is none or span is
// empty.
func (o *outline) firstOverlap(span text.Span) int {
	i, _ := o.findPlace(span)
	if i < len(o.places) && o.places[i].Overlaps(span) {
		return i
	}
	return -1
}

// lastPlaceBefore returns the index in o.places of the last place that starts at the offset off or before it, or -1 if
// there is none.
func (o *outline) lastPlaceBefore(off int) int {
	i, _ := slices.BinarySearchFunc(o.places, off, func(p text.Span, off int) int {
		if p.Start <= off {
			return -1
		}
		return 1
	})
	return i - 1
}

// addElement appends element with the value n to o.elements, and then an element for each entry below n. The caller has
// set the properties of the document or entry; addElement adds the ones of the value. An entry that is completely
// within the text of a conflict is added to o.contents instead. Aliases outside of the texts are added to o.aliases.
func (o *outline) addElement(element element, n *syntax.Node) {
	self := len(o.elements)
	element.kind, element.style, element.anchor, element.tag, element.tagText, element.value, element.textPlace = n.Kind, n.Style, n.Anchor, n.Tag, n.TagText, n.Value, -1
	if n.Kind == syntax.Alias {
		o.aliases[n.Value] = true
	}
	if i := o.firstOverlap(n.Content); i >= 0 && n.IsBlockScalar() { // a part of its value is in the place
		element.textPlace, element.value, element.tag = i, "", ""
		if _, isWhole := o.findPlace(n.Lines); !isWhole {
			element.indent = n.Indent
		}
	}
	o.elements = append(o.elements, element)
	hasOutside := false
	for _, e := range n.Entries {
		if i, isInside := o.findPlace(text.Span{Start: e.Start, End: max(e.Colon, e.Value.Span.End)}); isInside {
			content := &o.contents[i]
			content.entries, content.parents = append(content.entries, e), append(content.parents, self)
			o.recordAnchors(i, e.Key)
			o.recordAnchors(i, e.Value)
			continue
		}
		hasOutside = true
		o.addElement(o.newEntryElement(e, self), e.Value)
	}
	if !hasOutside && (n.IsNull() || len(n.Entries) > 0) && !n.HasProperties() { // another text can change the kind
		t := &o.elements[self]
		t.kind, t.style, t.tag, t.value = 0, 0, "", ""
	}
}

// newEntryElement returns the element for entry e, which is not completely within the text of a conflict. The
// properties of its value are not set. parent is the index in o.elements of the document or entry that contains e. If
// the key is an alias, its name is added to o.aliases.
func (o *outline) newEntryElement(e *syntax.Entry, parent int) element {
	element := element{signature: signature{parent: parent, start: e.Start - o.lengthBefore[1+o.lastPlaceBefore(e.Start)], guard: e.Guard.String()}, offset: e.Start}
	if o.firstOverlap(text.Span{Start: e.Start, End: e.Start + 1}) >= 0 {
		element.start = -1 // it starts in a place and ends after it
	}
	if e.Key != nil {
		element.key, element.keyAnchor, element.keyTag = e.FieldKey(), e.Key.Anchor, e.Key.TagText
		if e.Key.Kind == syntax.Alias {
			o.aliases[e.Key.Value] = true
		}
	}
	return element
}

// recordAnchors adds the names of all anchors in n, its keys and its descendants to o.contents[i].anchors. n is a node
// within the text of conflict i. If n is nil, nothing is added.
func (o *outline) recordAnchors(i int, n *syntax.Node) {
	if n == nil {
		return
	}
	if n.Anchor != "" {
		o.contents[i].anchors[n.Anchor] = true
	}
	for _, e := range n.Entries {
		o.recordAnchors(i, e.Key)
		o.recordAnchors(i, e.Value)
	}
}

// checkPlace returns the first reason why the text in place of conflict i does more than decide about the entries of
// the conflict: it has something that no version has in this place, or it changes the value of an alias outside. If
// there is no reason, Detail is "". Offset is that of the entry, or -1 if the reason is about no entry. Place is not
// set.
func (o *outline) checkPlace(i int, versionOutlines []outline) outsideChange {
	content := o.contents[i]
	documents, parents, keys := 0, map[int]bool{}, map[string]bool{}
	for _, k := range versionOutlines {
		documents = max(documents, k.contents[i].documents)
		for n, e := range k.contents[i].entries {
			parents[k.contents[i].parents[n]] = true
			keys[fieldKeyOf(e)] = true
		}
	}
	if content.documents > documents {
		return outsideChange{Detail: "the answer adds a document", Offset: -1}
	}
	for n, e := range content.entries {
		switch key := fieldKeyOf(e); {
		case !parents[content.parents[n]]:
			return outsideChange{Detail: "the answer adds an entry to a collection that is not in conflict", Offset: e.Start}
		case !keys[key]:
			return outsideChange{Detail: "the answer adds the field " + e.KeyText() + ", which no version has in this conflict", Offset: e.Start}
		}
	}
	for name := range o.aliases {
		if !slices.ContainsFunc(versionOutlines, func(k outline) bool { return k.contents[i].anchors[name] == content.anchors[name] }) {
			return outsideChange{Detail: "the answer changes the value of *" + name + " outside of the conflict", Offset: -1}
		}
	}
	return outsideChange{}
}

// fieldKeyOf returns the FieldKey of a field, which is unique in its mapping, or "" for an item.
func fieldKeyOf(e *syntax.Entry) string {
	if e.Key == nil {
		return ""
	}
	return e.FieldKey()
}

// matches reports whether e, an element of the file with answers, is the same as want, the element at its index in the
// file with a version. Their signatures must be equal, and if a conflict has lines of a block scalar, it must be the
// same conflict. If only want has such lines, value, tag and indentation are not compared.
func (e element) matches(want element) bool {
	if e.textPlace < 0 && want.textPlace >= 0 {
		e.textPlace, e.value, e.tag, e.indent = want.textPlace, "", "", want.indent
	}
	return e.textPlace == want.textPlace && e.signature == want.signature
}

// findChange returns the first change outside of the conflicts, and true, or false if there is none. Each element of o
// (see outline) must match the element at the same index of at least one version. All versions must have the same
// number of elements. Place is the index of the last conflict before the change, or 0 if it is before all.
func (o *outline) findChange(versionOutlines []outline) (outsideChange, bool) {
	for n := range max(len(o.elements), len(versionOutlines[0].elements)) {
		if n == len(o.elements) { // the offset of an element missing at the end is not known
			return outsideChange{Place: max(0, len(o.places)-1), Detail: "an entry outside of the conflict is missing", Offset: -1}, true
		}
		element := o.elements[n]
		if n == len(versionOutlines[0].elements) || !slices.ContainsFunc(versionOutlines, func(k outline) bool { return element.matches(k.elements[n]) }) {
			return outsideChange{Place: max(0, o.lastPlaceBefore(element.offset)), Detail: "the answer changes lines outside of the conflict", Offset: element.offset}, true
		}
	}
	return outsideChange{}, false
}
