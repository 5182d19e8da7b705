// Package tree tells what one tree says of itself: which key is doubled, what
// a scalar means, which properties a node has, how a block is written, what it
// is to JSON.
//
// It takes nodes of one version and gives answers; it knows of no other
// version. Merger and verifier understand these things alike.
package tree

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// FieldKey is the identity of a field: its key by value, so that z and "z"
// are one.
func FieldKey(e *syntax.Entry) string {
	switch {
	case e.Key.Kind == syntax.Alias:
		return "*" + e.Key.Value
	case e.Key.Tag == "!!null":
		return "null"
	}
	return "=" + e.Key.Value
}

// IsNull reports whether n is null, in whichever way.
func IsNull(n *syntax.Node) bool { return n.Kind == syntax.Scalar && n.Tag == "!!null" }

// ScalarAt is the scalar at a path of fields, "" if there is none.
func ScalarAt(n *syntax.Node, fields ...string) string {
	for _, f := range fields {
		if n == nil || n.Kind != syntax.Mapping {
			return ""
		}
		e := n.Field(f)
		if e == nil {
			return ""
		}
		n = e.Value
	}
	if n.Kind != syntax.Scalar {
		return ""
	}
	return n.Value
}

// Compact reports whether n is a block collection that starts on the line of
// the entry that holds it.
func Compact(n *syntax.Node) bool {
	return n.Style == syntax.Block && len(n.Entries) > 0 && n.Entries[0].Inline
}

// TextSpan is what merges by lines: a block scalar's lines, or the whole
// content of another scalar.
func TextSpan(n *syntax.Node) text.Span {
	if IsBlockScalar(n) {
		return n.Lines
	}
	return n.Content
}

// IsBlockScalar reports whether n is a literal or folded text.
func IsBlockScalar(n *syntax.Node) bool {
	return n != nil && (n.Style == syntax.Literal || n.Style == syntax.Folded)
}

// BlockHeader is the | or > of a block scalar with its indicators.
func BlockHeader(f *text.File, n *syntax.Node) text.Span {
	end := n.Content.Start + 1
	for b := f.Bytes(); end < n.Content.End && bytes.IndexByte([]byte("+-0123456789"), b[end]) >= 0; {
		end++
	}
	return text.Span{Start: n.Content.Start, End: end}
}

// SameProps reports whether two nodes have the same anchor and written tag.
func SameProps(a, b *syntax.Node) bool { return a.Anchor == b.Anchor && a.TagText == b.TagText }

// KeySpan is where what introduces the value of e stands: its key and colon, or
// its dash.
func KeySpan(e *syntax.Entry) text.Span { return text.Span{Start: e.Start, End: e.Colon} }

// Propped reports whether n has an anchor or a written tag.
func Propped(n *syntax.Node) bool { return n.Anchor != "" || n.TagText != "" }

// PropsText spells anchor and tag.
func PropsText(n *syntax.Node) string {
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
func PropsEnd(f *text.File, n *syntax.Node) int {
	line := f.Slice(text.Span{Start: n.Span.Start, End: min(f.LineEnd(n.Span.Start), n.Content.Start)})
	line, _, _ = bytes.Cut(line, []byte(" #"))
	return n.Span.Start + len(bytes.TrimRight(line, " \t\r\n"))
}

// Mix joins two sums into one; the order counts.
func Mix(a, b uint64) uint64 {
	h := a*0x9E3779B97F4A7C15 ^ (b + 0x7F4A7C159E3779B9 + a<<6 + a>>2)
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	h ^= h >> 29
	return h
}

// NotPlain is an error about what stands at Off, which JSON cannot say.
type NotPlain struct {
	Off int
	Msg string
}

func (e *NotPlain) Error() string { return e.Msg }

// JSON is n as package json reads it, with integers as they are; the error is a
// *NotPlain.
func JSON(n *syntax.Node) (any, error) {
	switch n.Kind {
	case syntax.Mapping:
		m := make(map[string]any, len(n.Entries))
		for _, e := range n.Entries {
			if e.Key.Kind != syntax.Scalar || MergeKey(e) {
				return nil, &NotPlain{e.Start, "JSON has no such key"}
			}
			v, err := JSON(e.Value)
			if err != nil {
				return nil, err
			}
			m[e.Key.Value] = v
		}
		return m, nil
	case syntax.Sequence:
		l := make([]any, len(n.Entries))
		for i, e := range n.Entries {
			v, err := JSON(e.Value)
			if err != nil {
				return nil, err
			}
			l[i] = v
		}
		return l, nil
	case syntax.Alias:
		return nil, &NotPlain{n.Content.Start, "JSON has no aliases"}
	}
	return JSONScalar(n), nil
}

// JSONScalar is a scalar by its tag; what is no number to Go is a string.
func JSONScalar(n *syntax.Node) any {
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		if b, err := strconv.ParseBool(n.Value); err == nil {
			return b
		}
	case "!!int":
		if i, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return i
		}
		if i, err := strconv.ParseUint(n.Value, 0, 64); err == nil {
			return i
		}
	case "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil && f-f == 0 {
			return f
		}
	}
	return n.Value
}

// DoubledKey returns the first of DoubledKeys; nil if there is none.
func DoubledKey(st *syntax.Stream) *syntax.Entry {
	if all := DoubledKeys(st); len(all) > 0 {
		return all[0]
	}
	return nil
}

// fewFields is how many fields are compared with each other one by one.
const fewFields = 8

// DoubledKeys are the fields whose mapping has another one of the same key before them. A file with one is no YAML
// to most readers, whatever the parser says.
func DoubledKeys(st *syntax.Stream) (all []*syntax.Entry) {
	var in func(n *syntax.Node)
	in = func(n *syntax.Node) {
		fields, mapping := n.Entries, n.Kind == syntax.Mapping
		seen := func(i int) bool {
			return slices.ContainsFunc(fields[:i], func(f *syntax.Entry) bool {
				return fields[i].Key.Value == f.Key.Value && FieldKey(fields[i]) == FieldKey(f)
			})
		}
		if mapping && len(fields) > fewFields {
			known := make(map[string]bool, len(fields))
			seen = func(i int) bool {
				k := FieldKey(fields[i])
				before := known[k]
				known[k] = true
				return before
			}
		}
		for i, e := range fields {
			if mapping && seen(i) && !MergeKey(e) {
				all = append(all, e)
			}
		}
		for _, e := range fields {
			in(e.Value)
		}
	}
	for _, d := range st.Docs {
		in(d.Root)
	}
	return all
}

// MergeKey reports whether e is a << field, which may stand several times.
func MergeKey(e *syntax.Entry) bool { return e.Key.Tag == "!!merge" }

// Encrypted reports whether SOPS encrypted one of the documents: a sops
// mapping with a mac at the top.
func Encrypted(st *syntax.Stream) bool {
	for _, d := range st.Docs {
		if ScalarAt(d.Root, "sops", "mac") != "" {
			return true
		}
	}
	return false
}

// Layout is how a file indents the blocks that are values of fields: by how
// many columns, or Unsettled where it has none or several ways.
type Layout struct{ Mapping, List, Text int }

// Unsettled is no way to indent, or several; Unseen, that there was nothing to see it by.
const (
	Unsettled = -1
	Unseen    = -2
)

// LayoutOf reads the layout of a file off its tree.
func LayoutOf(st *syntax.Stream) Layout {
	l := Layout{Unseen, Unseen, Unseen}
	for _, d := range st.Docs {
		l.read(d.Root)
	}
	return l
}

func (l *Layout) read(n *syntax.Node) {
	for _, e := range n.Entries {
		by := e.Value.Indent - n.Indent
		switch to := l.Of(n, e.Value); {
		case to == nil || *to == by:
		case *to == Unseen:
			*to = by
		default:
			*to = Unsettled
		}
		l.read(e.Value)
	}
}

// Of is what l says of the value n of a field of in, nil if nothing.
func (l *Layout) Of(in, n *syntax.Node) *int {
	switch {
	case in.Kind != syntax.Mapping || in.Style != syntax.Block:
		return nil
	case n.Style == syntax.Block && n.Kind == syntax.Mapping:
		return &l.Mapping
	case n.Style == syntax.Block:
		return &l.List
	case IsBlockScalar(n) && !n.Lines.Empty():
		return &l.Text
	}
	return nil
}

// Names are the fields by which people know an item of a list, though they are not its identity;
// the first that it has names it.
//
//   - name: web     # name=web
//   - id: 7         # id=7
var Names = [...]string{"name", "id", "path", "key", "host"}

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

// ScalarData spells what a scalar means: resolved tag and value. Words that
// YAML 1.1 and 1.2 read differently keep their form apart from the quoted one.
func ScalarData(n *syntax.Node) (tag, value string) {
	if n.Style == syntax.Plain && Ambiguous(n.Value) {
		return "!!plain", n.Value
	}
	if n.Tag == "!!null" {
		return n.Tag, "" // ~, null and nothing are one
	}
	return n.Tag, n.Value
}
