package syntax

import (
	"bytes"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Copy returns an equal tree of the same file, with documents, nodes and entries of its own.
func (s *Stream) Copy() *Stream {
	c := *s
	c.Docs = slices.Clone(s.Docs)
	for i, d := range s.Docs {
		doc := *d
		doc.Root = d.Root.copied()
		c.Docs[i] = &doc
	}
	return &c
}

func (n *Node) copied() *Node {
	c := *n
	if n.More == nothingMore {
		return &c
	}
	more := *n.More
	more.Entries = slices.Clone(n.Entries)
	for i, e := range n.Entries {
		entry := *e
		if entry.Value = e.Value.copied(); e.Key != nil {
			entry.Key = e.Key.copied()
		}
		more.Entries[i] = &entry
	}
	c.More = &more
	return &c
}

// FieldKey is the identity of a field: its key by value, so that z and "z"
// are one.
func (e *Entry) FieldKey() string {
	switch {
	case e.Key.Kind == Alias:
		return "*" + e.Key.Value
	case e.Key.Tag == "!!null":
		return "null"
	}
	return "=" + e.Key.Value
}

// MergeKey reports whether e is a << field, which may stand several times.
func (e *Entry) MergeKey() bool { return e.Key.Tag == "!!merge" }

// KeySpan is where what introduces the value of e stands: its key and colon, or
// its dash.
func (e *Entry) KeySpan() text.Span { return text.Span{Start: e.Start, End: e.Colon} }

// IsNull reports whether n is null, in whichever way.
func (n *Node) IsNull() bool { return n.Kind == Scalar && n.Tag == "!!null" }

// ScalarAt is the scalar at a path of fields, "" if there is none.
func (n *Node) ScalarAt(fields ...string) string {
	for _, f := range fields {
		if n == nil || n.Kind != Mapping {
			return ""
		}
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

// ScalarData spells what a scalar means: resolved tag and value. Words that
// YAML 1.1 and 1.2 read differently keep their form apart from the quoted one.
func (n *Node) ScalarData() (tag, value string) {
	if n.Style == Plain && Ambiguous(n.Value) {
		return "!!plain", n.Value
	}
	if n.Tag == "!!null" {
		return n.Tag, "" // ~, null and nothing are one
	}
	return n.Tag, n.Value
}

// Ambiguous reports whether YAML 1.1 and 1.2 read the plain scalar s
// differently: such a word never equals its quoted form.
func Ambiguous(s string) bool {
	if len(s) <= len("yes") {
		switch strings.ToLower(s) {
		case "yes", "no", "on", "off", "y", "n":
			return true
		}
	}
	return oldNumber(s)
}

// oldNumber reports whether s is a number to YAML 1.1 alone: octal 010,
// sexagesimal 1:30, grouped 1_000.
func oldNumber(s string) bool {
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

// IsString reports whether the plain scalar s is a text to every version of YAML: no
// number, and no word like true.
func IsString(s string) bool {
	var n yaml.Node
	return yaml.Unmarshal([]byte(s), &n) == nil && len(n.Content) == 1 && n.Content[0].Tag == "!!str" &&
		n.Content[0].Value == s && !Ambiguous(s)
}

// IsBlockScalar reports whether n is a literal or folded text.
func (n *Node) IsBlockScalar() bool {
	return n != nil && (n.Style == Literal || n.Style == Folded)
}

// TextSpan is what merges by lines: a block scalar's lines, or the whole
// content of another scalar.
func (n *Node) TextSpan() text.Span {
	if n.IsBlockScalar() {
		return n.Lines
	}
	return n.Content
}

// BlockHeader is the | or > of a block scalar with its indicators.
func (n *Node) BlockHeader(f *text.File) text.Span {
	end := n.Content.Start + 1
	for b := f.Bytes(); end < n.Content.End && bytes.IndexByte([]byte("+-0123456789"), b[end]) >= 0; {
		end++
	}
	return text.Span{Start: n.Content.Start, End: end}
}

// Compact reports whether n is a block collection that starts on the line of
// the entry that holds it.
func (n *Node) Compact() bool {
	return n.Style == Block && len(n.Entries) > 0 && n.Entries[0].Inline
}

// SameForm reports whether n and other have one style, and their entries one column.
func (n *Node) SameForm(other *Node) bool { return n.Style == other.Style && n.Indent == other.Indent }

// Propped reports whether n has an anchor or a written tag.
func (n *Node) Propped() bool { return n.Anchor != "" || n.TagText != "" }

// SameProps reports whether n and other have the same anchor and written tag.
func (n *Node) SameProps(other *Node) bool {
	return n.Anchor == other.Anchor && n.TagText == other.TagText
}

// PropsText spells anchor and tag.
func (n *Node) PropsText() string {
	switch {
	case n.Anchor == "":
		return n.TagText
	case n.TagText == "":
		return "&" + n.Anchor
	}
	return "&" + n.Anchor + " " + n.TagText
}

// PropsEnd is the end of the properties of a block collection on the line
// where they start.
func (n *Node) PropsEnd(f *text.File) int {
	line := f.Slice(text.Span{Start: n.Span.Start, End: min(f.LineEnd(n.Span.Start), n.Content.Start)})
	line, _, _ = bytes.Cut(line, []byte(" #"))
	return n.Span.Start + len(bytes.TrimRight(line, " \t\r\n"))
}

// NameFields are the fields by which people know an item of a list, though they are not its identity;
// the first that it has names it.
//
//   - name: web     # name=web
//   - id: 7         # id=7
var NameFields = [...]string{"name", "id", "path", "key", "host", "url", "title", "href", "slug"}

// NameOf is the first of the names that n has, with the field; "" if it has none.
func NameOf(n *Node) string {
	for _, field := range NameFields {
		if x := n.ScalarAt(field); x != "" {
			return field + "=" + x
		}
	}
	return ""
}

// Mix joins two sums into one; the order counts.
func Mix(a, b uint64) uint64 {
	h := a*0x9E3779B97F4A7C15 ^ (b + 0x7F4A7C159E3779B9 + a<<6 + a>>2)
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	h ^= h >> 29
	return h
}
