package syntax

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

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

// A narrowed span has offsets of 32 bits.
type narrowed struct{ start, end int32 }

func narrow(s text.Span) narrowed { return narrowed{int32(s.Start), int32(s.End)} }

// Lead is the trivia above an entry that belongs to it.
func (e *Entry) Lead() text.Span {
	return text.Span{Start: int(e.lead.start), End: int(e.lead.end)}
}

// SetLead makes s the Lead of e.
func (e *Entry) SetLead(s text.Span) { e.lead = narrow(s) }

// Colon is the end of what introduces the value.
func (e *Entry) Colon() int { return int(e.colon) }

// HeadEnd is the end of the head: see Entry.
func (e *Entry) HeadEnd() int { return int(e.headEnd) }

// Foot is the trivia below an entry that belongs to it.
func (e *Entry) Foot() text.Span {
	return text.Span{Start: e.Span.End - int(e.foot), End: e.Span.End}
}

// end ends e at end, with a Foot from start on.
func (e *Entry) end(start, end int) { e.Span.End, e.foot = end, int32(end-start) }

// Comment is the first comment behind Colon in the head (of a flow entry: in the head
// or Foot): from # to before the line break. For a block scalar it is the one on the
// line of its header. Empty if there is none.
func (e *Entry) Comment() text.Span {
	return text.Span{Start: int(e.comment.start), End: int(e.comment.end)}
}

// note makes s the comment of e if it is the first.
func (e *Entry) note(s text.Span) {
	if e.comment.end <= e.comment.start {
		e.comment = narrow(s)
	}
}

// KeySpan is where the key of a field stands.
func (e *Entry) KeySpan() text.Span {
	if e.Key.shared {
		return text.Span{Start: e.Start, End: e.Start + len(e.Key.Value)}
	}
	return e.Key.Span
}

// A tag is the index of one that YAML knows, or custom.
type tag uint8

// known are the tags that YAML knows, and that of an alias.
var known = [...]string{"", "!!null", "!!bool", "!!str", "!!int", "!!float", "!!timestamp", "!!seq", "!!map", "!!binary", "!!merge"}

const custom = tag(len(known))

// Tag is the resolved tag in short form (!!str, !!int, !custom), as the
// YAML parser resolves it: "! 1" is an !!int to it. Empty for an alias.
func (n *Node) Tag() string {
	if n.tag == custom {
		return n.custom
	}
	return known[n.tag]
}

// SetTag makes name the tag of n.
func (n *Node) SetTag(name string) {
	if i := slices.Index(known[:], name); i >= 0 {
		n.tag = tag(i)
		return
	}
	n.tag, n.ownProperties().custom = custom, name
}
