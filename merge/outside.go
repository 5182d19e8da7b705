package merge

import (
	"bytes"
	"slices"
	"sort"

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

// compareOutside returns a change for each text of filled that changes something outside of its conflict, in the order
// of the file. versions, at least one, are the same file with the lines of ours, theirs or base in all places. If the
// only place is the line "replicas: 2" below "image: web:2":
//
//	replicas: 9     no change outside: it decides about replicas
//	  -rc1          a change: it continues the value of image
//	debug: true     a change: no version has this field in this place
func compareOutside(filled filledFile, versions []filledFile) (all []outsideChange) {
	got := newOutline(filled)
	var outlines []outline // of versions with equally many elements, which are compared by their index
	for _, v := range versions {
		if o := newOutline(v); len(outlines) == 0 || len(o.elements) == len(outlines[0].elements) {
			outlines = append(outlines, o)
		}
	}
	first := got.findChange(outlines) // later changes may follow from it
	for i := range filled.Places {
		switch change := got.checkPlace(i, outlines); {
		case change != nil:
			change.Place = i
			all = append(all, *change)
		case first != nil && first.Place == i:
			all = append(all, *first)
		}
	}
	return all
}

// An outline is a file, filled with texts in place of its conflicts, in a form that can be compared with the same file
// with other texts. elements are the documents and entries that are outside of the texts, in the order of the file;
// contents has what is in each text. If "b: 2" is the text in a conflict, the elements are the document, a and c:
//
//	a: 1     starts at 0
//	b: 2
//	c: 3     starts at 5, as if the text of the conflict were empty
type outline struct {
	places          []text.Span
	lengthBefore    []int // the total length of the places before each place; the last item is that of all
	elements        []element
	contents        []placeContent
	unpairedActions []string        // of each place: the template actions that open or close a block outside of it
	aliases         map[string]bool // the names of the anchors to which an alias outside of the places refers
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
	// parent is the index of the element that it is in, or -1. start is the offset of an entry, minus the lengths of
	// the places before it, or -1 if it starts in a place. The start of a document is its index.
	parent, start                                int
	kind                                         syntax.Kind
	style                                        syntax.Style
	key, keyAnchor, keyTag, anchor, tag, tagText string
	value, guard                                 string
	indent                                       int // only of a block scalar that is partly in a place
}

// newOutline returns the outline of file, with which compareOutside finds what a text in a conflict changes elsewhere.
func newOutline(file filledFile) outline {
	o := outline{places: file.Places, contents: make([]placeContent, len(file.Places)), aliases: map[string]bool{}}
	o.unpairedActions = template.UnpairedActions(file.Stream.File.Bytes(), file.Places)
	o.lengthBefore = make([]int, 1+len(file.Places))
	for i, p := range file.Places {
		o.contents[i].anchors = map[string]bool{}
		o.lengthBefore[i+1] = o.lengthBefore[i] + p.Len()
	}
	for n, d := range file.Stream.Docs {
		if i, isInside := o.findPlace(d.Span); isInside {
			o.contents[i].documents++
			o.recordAnchors(i, d.Root)
		} else {
			o.addElement(newDocumentElement(file.Stream.File, d, n), d.Root)
		}
	}
	return o
}

// newDocumentElement returns the element for d, the document of f with this index, without the properties of its root,
// which setValue adds. It contains the start of the document (---) and its directives, so that a change of these is
// found.
func newDocumentElement(f *text.File, d *syntax.Document, index int) element {
	document := element{signature: signature{parent: -1, start: index}, offset: d.Span.Start}
	if d.Explicit {
		document.key = "---"
	}
	for line := range bytes.Lines(f.Slice(d.Head)) {
		if bytes.HasPrefix(line, []byte("%")) { // a directive, such as %YAML 1.2
			document.keyTag += string(line)
		}
	}
	return document
}

// findPlace looks for the place of a conflict that contains all of span. It returns the index of the place in o.places,
// and true. If there is none, or if span is empty, it returns false, with the index of the first place that ends after
// the start of span, or len(o.places).
func (o *outline) findPlace(span text.Span) (int, bool) {
	i := sort.Search(len(o.places), func(i int) bool { return o.places[i].End > span.Start })
	return i, i < len(o.places) && o.places[i].Contains(span) && !span.Empty()
}

// firstOverlap returns the index of the first of o.places (the texts in conflicts, in file order) that overlaps span.
// It returns -1 if there is none or span is empty.
func (o *outline) firstOverlap(span text.Span) int {
	i, _ := o.findPlace(span)
	if i < len(o.places) && o.places[i].Overlaps(span) {
		return i
	}
	return -1
}

// lastPlaceBefore returns the index in o.places, the places of the texts of the conflicts, of the last place that
// starts at the offset off or before it, or -1 if there is none.
func (o *outline) lastPlaceBefore(off int) int {
	return sort.Search(len(o.places), func(i int) bool { return o.places[i].Start > off }) - 1
}

// addElement appends the element e to o.elements, and then an element for each entry of its value n, at any depth. An
// entry completely within a conflict is recorded in o.contents instead, with its anchors. The caller has set all
// properties of e except for those of the value.
func (o *outline) addElement(e element, n *syntax.Node) {
	index := len(o.elements)
	o.elements = append(o.elements, e)
	hasOutside := false
	for _, entry := range n.Entries {
		if i, isInside := o.findPlace(text.Span{Start: entry.Start, End: max(entry.Colon, entry.Value.Span.End)}); isInside {
			content := &o.contents[i]
			content.entries, content.parents = append(content.entries, entry), append(content.parents, index)
			o.recordAnchors(i, entry.Key)
			o.recordAnchors(i, entry.Value)
			continue
		}
		hasOutside = true
		o.addElement(o.newEntryElement(entry, index), entry.Value)
	}
	o.setValue(&o.elements[index], n, hasOutside) // only now, because appending to o.elements may move them
}

// setValue copies the properties of n, the value of e, to e, such as kind and tag. It leaves out what another answer to
// a conflict may change: lines of a block scalar, and the kind of a null, or of a mapping or list whose entries are all
// in conflicts. hasOutside means that an entry of n is not completely within a conflict. It adds an alias to o.aliases.
func (o *outline) setValue(e *element, n *syntax.Node, hasOutside bool) {
	e.kind, e.style, e.value = n.Kind, n.Style, n.Value
	e.anchor, e.tag, e.tagText, e.textPlace = n.Anchor, n.Tag, n.TagText, -1
	if n.Kind == syntax.Alias {
		o.aliases[n.Value] = true
	}
	if i := o.firstOverlap(n.Content); i >= 0 && n.IsBlockScalar() { // a text has lines of it
		e.textPlace, e.value, e.tag = i, "", ""
		if _, isWhole := o.findPlace(n.Lines); !isWhole {
			e.indent = n.Indent
		}
	}
	// All entries are in texts, if there are any: another text can delete them, or make a list of a mapping.
	if isReplaceable := !hasOutside && (n.IsNull() || len(n.Entries) > 0); isReplaceable && !n.HasProperties() {
		e.kind, e.style, e.tag, e.value = 0, 0, "", ""
	}
}

// newEntryElement returns the element for e, an entry that is not completely within a conflict: its key, guard and
// place, but not the properties of its value, which setValue adds. parent is the index in o.elements of the element
// that contains e. The start of the element is the offset of e as if all texts in conflicts before it were empty, so
// that it is the same for every answer. It is -1 if e begins in a conflict. It adds a key that is an alias to
// o.aliases.
func (o *outline) newEntryElement(e *syntax.Entry, parent int) element {
	start := e.Start - o.lengthBefore[1+o.lastPlaceBefore(e.Start)] // as if all texts before it were empty
	if o.firstOverlap(text.Span{Start: e.Start, End: e.Start + 1}) >= 0 {
		start = -1 // it starts in a place and ends after it
	}
	element := element{signature: signature{parent: parent, start: start, guard: e.Guard.String()}, offset: e.Start}
	if e.Key != nil {
		element.key, element.keyAnchor, element.keyTag = e.FieldKey(), e.Key.Anchor, e.Key.TagText
		if e.Key.Kind == syntax.Alias {
			o.aliases[e.Key.Value] = true
		}
	}
	return element
}

// recordAnchors adds the names of all anchors in n, a node within the text of conflict i, to o.contents[i].anchors:
// those of n itself, its keys and its descendants. It does nothing if n is nil.
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

// checkPlace checks the text in place of conflict i, which may decide only about the entries of this conflict. versions
// are the same file with the text of a version in each conflict. It returns the first of these rules that the text
// breaks, as a change, or nil:
//
//   - It has no more documents than the version with the most.
//   - Each entry is in a mapping or list in which a version has an entry at this place, and each field has a key that a
//     version has at this place.
//   - It has or lacks each anchor to which an alias outside refers, as at least one version does.
//   - It opens and closes template blocks whose other end, such as {{ end }}, is outside, as at least one version does.
//
// Offset is that of the entry, or -1 for the other rules. Place is not set.
func (o *outline) checkPlace(i int, versions []outline) *outsideChange {
	content := o.contents[i]
	// what the versions have in this place
	documents, parents, keys := 0, map[int]bool{}, map[string]bool{} // parents: the collections with an entry here
	for _, v := range versions {
		inVersion := v.contents[i]
		documents = max(documents, inVersion.documents)
		for n, e := range inVersion.entries {
			parents[inVersion.parents[n]] = true
			keys[fieldKeyOf(e)] = true
		}
	}
	if content.documents > documents {
		return &outsideChange{Detail: "the answer adds a document", Offset: -1}
	}
	for n, e := range content.entries {
		switch {
		case !parents[content.parents[n]]:
			return &outsideChange{Detail: "the answer adds an entry to a collection that is not in conflict", Offset: e.Start}
		case !keys[fieldKeyOf(e)]:
			return &outsideChange{Detail: "the answer adds the field " + e.KeyText() + ", which no version has in this conflict", Offset: e.Start}
		}
	}
	for name := range o.aliases {
		if !slices.ContainsFunc(versions, func(v outline) bool { return v.contents[i].anchors[name] == content.anchors[name] }) {
			return &outsideChange{Detail: "the answer changes the value of *" + name + " outside of the conflict", Offset: -1}
		}
	}
	if !slices.ContainsFunc(versions, func(v outline) bool { return v.unpairedActions[i] == o.unpairedActions[i] }) {
		return &outsideChange{Detail: "the answer changes the template conditions of other entries", Offset: -1}
	}
	return nil
}

// fieldKeyOf returns the FieldKey of a field, which is unique in its mapping, or "" for an item.
func fieldKeyOf(e *syntax.Entry) string {
	if e.Key == nil {
		return ""
	}
	return e.FieldKey()
}

// matches reports whether e, a document or entry outside of the answers, is the same as want, the one at its index in a
// version of the file. If an answer removed its lines of a block scalar, the value, tag and indentation may differ.
func (e element) matches(want element) bool {
	if e.textPlace < 0 && want.textPlace >= 0 { // the answer left no line of the block scalar
		e.textPlace, e.value, e.tag, e.indent = want.textPlace, "", "", want.indent
	}
	return e.textPlace == want.textPlace && e.signature == want.signature
}

// findChange returns the first document or entry outside of the conflicts that an answer changed: it differs from the
// one at its index in all versions, or has none there. versions are the same file with the text of a version in each
// conflict; they must have equally many elements. Place is the last conflict before the change, which probably caused
// it, or 0. Offset is -1 if an element is missing at the end. It returns nil if there is no change.
func (o *outline) findChange(versions []outline) *outsideChange {
	count := len(versions[0].elements)
	for n, e := range o.elements {
		if n == count || !slices.ContainsFunc(versions, func(v outline) bool { return e.matches(v.elements[n]) }) {
			return &outsideChange{Place: max(0, o.lastPlaceBefore(e.offset)), Detail: "the answer changes lines outside of the conflict", Offset: e.offset}
		}
	}
	if len(o.elements) < count { // the offset of an element missing at the end is not known
		return &outsideChange{Place: max(0, len(o.places)-1), Detail: "an entry outside of the conflict is missing", Offset: -1}
	}
	return nil
}
