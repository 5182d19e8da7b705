package syntax

import (
	"cmp"
	"strconv"
)

// Summary returns the key of e, if it has one, and a summary of its value in one short line, for messages, such as
// labels: a mapping with 2 fields.
func (e *Entry) Summary() string {
	if e.Key == nil {
		return e.Value.Summary()
	}
	return e.KeyText() + ": " + e.Value.Summary()
}

// Summary returns n in one short line, for messages: "a mapping with 2 fields", "an empty list", "*name" for an alias,
// a string in quotes, and a short number, boolean, null or timestamp without. The tag precedes any other value: !t "x".
// A value of more than 60 bytes, with its quotes, is cut and ends with "...".
func (n *Node) Summary() string {
	const maxLen = 60
	switch n.Kind {
	case Mapping:
		return summarizeCollection("mapping", "field", len(n.Entries))
	case Sequence:
		return summarizeCollection("list", "item", len(n.Entries))
	case Alias:
		return "*" + n.Value
	}
	quoted := strconv.Quote(n.Value[:min(len(n.Value), 2*maxLen)])
	if len(quoted) > maxLen {
		quoted = quoted[:maxLen] + "..."
	}
	isWhole := quoted == `"`+n.Value+`"` // neither cut nor with escapes
	switch n.Tag {
	case "!!str":
		return quoted
	case "!!bool", "!!int", "!!float", "!!null", "!!timestamp":
		if isWhole {
			return cmp.Or(n.Value, "null")
		}
	}
	return n.Tag + " " + quoted
}

// summarizeCollection returns a description of a collection with n entries, such as "a mapping with 2 fields" or "an
// empty list". kind and entry are the words for the collection and for one entry.
func summarizeCollection(kind, entry string, n int) string {
	switch n {
	case 0:
		return "an empty " + kind
	case 1:
		return "a " + kind + " with 1 " + entry
	}
	return "a " + kind + " with " + strconv.Itoa(n) + " " + entry + "s"
}
