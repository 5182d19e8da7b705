package syntax

import (
	"cmp"
	"strconv"
	"strings"
)

// Summary returns the key of e and a summary of its value in one short line, for messages. For an item of a list, it is
// the summary of the value only. For example: name: "web", labels: a 2-key mapping.
func (e *Entry) Summary() string {
	if e.Key == nil {
		return e.Value.Summary()
	}
	return e.KeyText() + ": " + e.Value.Summary()
}

// Summary returns n in one short line, for messages: "a 2-key mapping", "an empty list", "*name" for an alias, a string
// in quotes, and a number, boolean, null or timestamp without. The tag precedes any other value: !t "x". Values of more
// than 60 bytes end with "...".
func (n *Node) Summary() string {
	const maxLen = 60
	switch n.Kind {
	case Mapping:
		return summarizeCollection(len(n.Entries), "key mapping")
	case Sequence:
		return summarizeCollection(len(n.Entries), "item list")
	case Alias:
		return "*" + n.Value
	}
	s := strconv.Quote(n.Value[:min(len(n.Value), 2*maxLen)])
	if len(s) > maxLen {
		s = s[:maxLen] + "..."
	}
	switch n.Tag {
	case "!!str":
		return s
	case "!!bool", "!!int", "!!float", "!!null", "!!timestamp":
		if s == `"`+n.Value+`"` { // without quotes, as in the file
			return cmp.Or(n.Value, "null")
		}
	}
	return n.Tag + " " + s
}

// summarizeCollection returns a description of a collection with n entries, such as "a 2-key mapping" or "an empty
// list". kind is "key mapping" or "item list". With 0 entries, it is always "an empty mapping" or "an empty list".
func summarizeCollection(n int, kind string) string {
	if _, name, _ := strings.Cut(kind, " "); n == 0 {
		return "an empty " + name
	}
	article := "a "
	if s := strconv.Itoa(n); s[0] == '8' || s == "11" || s == "18" {
		article = "an "
	}
	return article + strconv.Itoa(n) + "-" + kind
}
