package syntax

import (
	"bytes"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Copy returns a copy of the tree, with documents, nodes and entries of its own that can be modified. It shares File,
// Masked, the comments, and the Extra of a scalar without anchor, tag and lines with s; they must not be modified.
func (s *Stream) Copy() *Stream {
	c := *s
	c.Docs = slices.Clone(s.Docs)
	for i, d := range s.Docs {
		doc := *d
		doc.Root = d.Root.deepCopy()
		c.Docs[i] = &doc
	}
	return &c
}

// deepCopy returns a copy of n and of all nodes and entries below it, which can be modified without changing n. Scalars
// without anchor, tag and lines still have the same sharedExtra as their Extra, which must not be modified.
func (n *Node) deepCopy() *Node {
	out := *n
	if n.Extra == sharedExtra {
		return &out
	}
	extra := *n.Extra
	extra.Entries = slices.Clone(n.Entries)
	for i, e := range n.Entries {
		entry := *e
		if entry.Value = e.Value.deepCopy(); e.Key != nil {
			entry.Key = e.Key.deepCopy()
		}
		extra.Entries[i] = &entry
	}
	out.Extra = &extra
	return &out
}

// FieldKey returns a string that identifies the field within its mapping: it is the same for two fields exactly if
// their keys are equal. Quotes and tags of a key do not matter, except that null differs from all strings. The entry
// must have a key.
//
//	a: 1      "=a"
//	"a": 1    "=a"
//	*a : 1    "*a"
//	~: 1      "null"
func (e *Entry) FieldKey() string {
	switch {
	case e.Key.Kind == Alias:
		return "*" + e.Key.Value
	case e.Key.Tag == "!!null":
		return "null"
	}
	return "=" + e.Key.Value
}

// IsMergeKey reports whether e is a field with the merge key <<. A mapping may have several of them. The entry must
// have a key.
func (e *Entry) IsMergeKey() bool { return e.Key.Tag == "!!merge" }

// KeySpan returns the span of the part that introduces the value: the key with its colon, or the dash of an item. It
// is empty for an item of a flow sequence.
func (e *Entry) KeySpan() text.Span { return text.Span{Start: e.Start, End: e.Colon} }

// IsNull reports whether n is null, in any notation: ~, null or an empty value.
func (n *Node) IsNull() bool { return n.Kind == Scalar && n.Tag == "!!null" }

// ScalarAt returns the value of the scalar that is reached from n by the given fields, one below the other: "web" for
// ScalarAt("metadata", "name") in {metadata: {name: web}}. It returns "" if a field is missing or the value is not a
// scalar. Aliases are not followed, and a null has its text, such as "~". n may be nil.
func (n *Node) ScalarAt(fields ...string) string {
	for _, f := range fields {
		e := n.Field(f)
		if e == nil {
			return ""
		}
		n = e.Value
	}
	if n.Kind != Scalar {
		return ""
	}
	return n.Value
}

// ScalarData returns the tag and the value by which two scalars are compared: they are equal if both results are. A
// plain scalar that YAML 1.1 and 1.2 read differently, such as yes, gets the tag !!plain, so that it does not equal the
// same text in quotes. 1 and 0x1 differ.
//
//	a, "a", 'a'    !!str, "a"
//	1              !!int, "1"
//	yes            !!plain, "yes"
//	~, null        !!null, ""
func (n *Node) ScalarData() (tag, value string) {
	if n.Style == Plain && IsAmbiguous(n.Value) {
		return "!!plain", n.Value
	}
	if n.Tag == "!!null" {
		return n.Tag, "" // all notations of null are equal
	}
	return n.Tag, n.Value
}

// IsAmbiguous reports whether YAML 1.1 and 1.2 read the plain scalar s differently. These are ambiguous; numbers may
// have a sign, and true and false are not ambiguous:
//
//   - the words yes, no, on, off, y and n in any case
//   - a 0 with digits after it (010), which YAML 1.1 reads as octal; 08 counts, too
//   - digits with a colon (1:30) or an underscore (1_000), which are strings in YAML 1.2
func IsAmbiguous(s string) bool {
	if len(s) <= len("yes") {
		switch strings.ToLower(s) {
		case "yes", "no", "on", "off", "y", "n":
			return true
		}
	}
	return isYAML11Number(s)
}

// isYAML11Number reports whether YAML 1.1 reads s as a number that is another number or a string in YAML 1.2: octal
// (010), sexagesimal (1:30) or with underscores (1_000). The check is rough: 08 and 1:99 count, too. It reports false
// for other numbers, such as 0, 10, 0.5 and 0x1f.
func isYAML11Number(s string) bool {
	digits := strings.TrimLeft(s, "+-")
	if digits == "" || digits[0] < '0' || digits[0] > '9' {
		return false
	}
	if strings.Trim(digits, "0123456789_:.") != "" {
		return false
	}
	octal := len(digits) > 1 && digits[0] == '0' && !strings.Contains(digits, ".")
	return octal || strings.ContainsAny(digits, "_:")
}

// TextLines returns the lines of the value of a scalar, without blank lines and without the blanks around each. It
// returns nil if n is not a scalar, if its value has no line break (after unescaping and folding), or if the value has
// no line with text.
func (n *Node) TextLines() (lines []string) {
	if n.Kind != Scalar || !strings.Contains(n.Value, "\n") {
		return nil
	}
	for line := range strings.Lines(n.Value) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// IsBlockScalar reports whether n is a literal or folded scalar. It reports false if n is nil.
func (n *Node) IsBlockScalar() bool {
	return n != nil && (n.Style == Literal || n.Style == Folded)
}

// TextSpan returns the span of a scalar that can be merged line by line. For a block scalar, these are the content
// lines without the header. For any other node, it is the whole Content.
func (n *Node) TextSpan() text.Span {
	if n.IsBlockScalar() {
		return n.Lines
	}
	return n.Content
}

// BlockHeader returns the span of the | or > of the block scalar n and the indicators directly after it, such as "|2-",
// without an anchor, a tag or a comment. For other nodes, the result has no meaning.
func (n *Node) BlockHeader(f *text.File) text.Span {
	end := n.Content.Start + 1
	for b := f.Bytes(); end < n.Content.End && bytes.IndexByte([]byte("+-0123456789"), b[end]) >= 0; {
		end++
	}
	return text.Span{Start: n.Content.Start, End: end}
}

// IsCompact reports whether n is a block collection that starts on the line of the entry that contains n:
//
//	items:
//	- a: 1    # the mapping is compact
//	  b: 2
//	-
//	  c: 3    # this mapping is not
func (n *Node) IsCompact() bool {
	return n.Style == Block && len(n.Entries) > 0 && n.Entries[0].Inline
}

// SameStyleAndIndent reports whether n and other have the same Style and the same Indent.
func (n *Node) SameStyleAndIndent(other *Node) bool {
	return n.Style == other.Style && n.Indent == other.Indent
}

// HasProperties reports whether n has an anchor or a tag in the file, such as &x or !!str.
func (n *Node) HasProperties() bool { return n.Anchor != "" || n.TagText != "" }

// SameProperties reports whether n and other have the same anchor and the same tag in the file. The resolved tag, which
// a node has even if none is written, is not compared.
func (n *Node) SameProperties(other *Node) bool {
	return n.Anchor == other.Anchor && n.TagText == other.TagText
}

// PropsText returns the anchor and the tag of n, in this order, separated by a space: "&x !t". The tag is the text in
// the file, not the tag that the parser resolves for every node. It returns "" if the file has neither for n.
func (n *Node) PropsText() string {
	switch {
	case n.Anchor == "":
		return n.TagText
	case n.TagText == "":
		return "&" + n.Anchor
	}
	return "&" + n.Anchor + " " + n.TagText
}

// PropsEnd returns the offset after the anchor and tag of the block collection n. If they are on two lines, it returns
// the offset after the first one. Blanks and a comment after them are not included.
func (n *Node) PropsEnd(f *text.File) int {
	line := f.Slice(text.Span{Start: n.Span.Start, End: min(f.LineEnd(n.Span.Start), n.Content.Start)})
	line, _, _ = bytes.Cut(line, []byte(" #"))
	return n.Span.Start + len(bytes.TrimRight(line, " \t\r\n"))
}

// NameFields are the fields that usually hold the name of a list item. They are used for items that have no
// associative key. NameOf uses the first one that the item has:
//
//	items:
//	- name: web     # name=web
//	- id: 7         # id=7
var NameFields = [...]string{"name", "id", "path", "key", "host", "url", "title", "href", "slug"}

// NameOf returns the name of the mapping n in the form "field=value", such as "name=web", from the first of NameFields
// that n has with a scalar that is not empty. It returns "" if n has none of them, or is nil or not a mapping.
func NameOf(n *Node) string {
	for _, field := range NameFields {
		if x := n.ScalarAt(field); x != "" {
			return field + "=" + x
		}
	}
	return ""
}

// ActionField is the field of a step in a workflow that names the action to run, with its version.
const ActionField = "uses"

// Action returns the action of n, a step of a workflow, without the version: "actions/checkout" for {uses:
// actions/checkout@v4}. It returns "" if n has no action, or is nil or not a mapping.
func (n *Node) Action() string {
	action, _, _ := strings.Cut(n.ScalarAt(ActionField), "@")
	return action
}

// StableNameOf returns a name of n, an item of a list, that probably remains if a side changes the item: that of
// NameOf, or the action of a step in a GitHub workflow, as in "uses=actions/checkout". It returns "" if there is none.
func StableNameOf(n *Node) string {
	if name := NameOf(n); name != "" {
		return name
	}
	if action := n.Action(); action != "" {
		return ActionField + "=" + action
	}
	return ""
}

// A Label is a field of a list item with its value, such as "name=web", or the mapping key of its only field. It may
// identify the item in its list: if no other item has the same label.
type Label struct {
	Text string
	// IsGuess means that it is not known that the field of the label identifies items.
	IsGuess bool
}

// Labels returns texts that may distinguish the mapping n from other items of a list: one for each of NameFields that n
// has with a scalar that is not empty. If n has none, it guesses from its first field, because authors usually put
// first what identifies an item: the field's path down to a scalar and, for an only field, its key. It returns nil if n
// is nil or not a mapping.
//
//	{host: a.example, path: /}        "path=/", "host=a.example"
//	{from: 10.0.0.0/8, port: 1}       "from=10.0.0.0/8" (a guess)
//	{secret: {secretName: a}, b: 1}   "secret.secretName=a" (a guess)
//	{deploy: {env: prod}}             "deploy", "deploy.env=prod" (guesses)
func (n *Node) Labels() (all []Label) {
	if n == nil || n.Kind != Mapping {
		return nil
	}
	for _, field := range NameFields {
		if x := n.ScalarAt(field); x != "" {
			all = append(all, Label{Text: field + "=" + x})
		}
	}
	if len(all) > 0 {
		return all
	}
	if len(n.Entries) == 1 && n.Entries[0].Value.Kind != Scalar {
		all = append(all, Label{n.Entries[0].KeyText(), true})
	}
	path, value := "", n // becomes the path through the first field of each mapping, and the value at its end
	for value.Kind == Mapping && len(value.Entries) > 0 {
		first := value.Entries[0]
		path, value = path+"."+first.KeyText(), first.Value
	}
	if value.Kind == Scalar && value.Value != "" {
		all = append(all, Label{path[len("."):] + "=" + value.Value, true})
	}
	return all
}

// CombineHashes returns a hash that combines the hashes a and b. The result depends on their order.
func CombineHashes(a, b uint64) uint64 {
	h := a*0x9E3779B97F4A7C15 ^ (b + 0x7F4A7C159E3779B9 + a<<6 + a>>2)
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	h ^= h >> 29
	return h
}

// CountCommon returns how many elements two sorted slices have in common. An element counts as often as it occurs in
// both: [1 1 2] and [1 1 1] have two in common.
func CountCommon(a, b []uint64) int {
	if len(a) > len(b) {
		a, b = b, a
	}
	n := 0
	if len(a) < len(b)/16 { // as for each item of a list with the whole list: look up, do not walk through b
		for _, x := range a {
			i, found := slices.BinarySearch(b, x)
			if b = b[i:]; found {
				n++
				b = b[1:]
			}
		}
		return n
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			n++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return n
}

// EqualData reports whether a and b have equal values at any depth, in whatever style and order of fields. Explicit
// tags count, so a and !!str a differ. A nil node equals only nil. The result is not reliable if a mapping repeats a
// key.
func EqualData(a, b *Node) bool {
	switch {
	case a == nil || b == nil:
		return a == b
	case a.Kind != b.Kind || a.TagText != b.TagText || len(a.Entries) != len(b.Entries):
		return false
	case a.Kind == Scalar:
		tag, text := a.ScalarData()
		tagB, textB := b.ScalarData()
		return tag == tagB && text == textB
	case a.Kind == Alias:
		return a.Value == b.Value
	}
	for i, e := range a.Entries {
		inB := b.Entries[i]
		if e.Key != nil && (inB.Key == nil || inB.KeyText() != e.KeyText()) { // otherwise, the order is the same
			inB = b.Field(e.KeyText())
		}
		if inB == nil || !EqualData(e.Value, inB.Value) {
			return false
		}
	}
	return true
}
