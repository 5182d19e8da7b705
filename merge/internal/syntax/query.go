package syntax

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"

// Field returns the field of the root mapping with the given key, nil if
// there is none.
func (d *Document) Field(name string) *Entry { return d.Root.Field(name) }

// Field returns the first field of the mapping n whose key is a scalar with
// the given value; nil if there is none or n is no mapping.
func (n *Node) Field(name string) *Entry {
	if n == nil || n.Kind != Mapping {
		return nil
	}
	for _, e := range n.Entries {
		if e.Key.Kind == Scalar && e.Key.Value == name {
			return e
		}
	}
	return nil
}

// KeyText returns the key's value, "*name" for an alias, and "" for items.
func (e *Entry) KeyText() string {
	switch {
	case e.Key == nil:
		return ""
	case e.Key.Kind == Alias:
		return "*" + e.Key.Value
	}
	return e.Key.Value
}

// end ends e at end, with a Foot from start on.
func (e *Entry) end(start, end int) { e.Span.End, e.Foot = end, text.Span{Start: start, End: end} }

// note makes s the comment of e if it is the first.
func (e *Entry) note(s text.Span) {
	if e.Comment.Empty() {
		e.Comment = s
	}
}

// NewNode is a node of that kind and style without anything in it.
func NewNode(kind Kind, style Style) *Node { return &Node{Kind: kind, Style: style, Indent: -1} }

// With is n with other entries.
func (n *Node) With(entries []*Entry) *Node {
	out := *n
	out.Entries = entries
	return &out
}
