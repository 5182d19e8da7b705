package syntax

import (
	"cmp"
	"strconv"
	"strings"
)

// Show is e for people: its key, if it has one, and its value, in one short line.
func (e *Entry) Show() string {
	if e.Key == nil {
		return e.Value.Show()
	}
	return e.KeyText() + ": " + e.Value.Show()
}

// Show is n for people, in one short line.
func (n *Node) Show() string {
	const most = 60
	switch n.Kind {
	case Mapping:
		return collection(len(n.Entries), "key mapping")
	case Sequence:
		return collection(len(n.Entries), "item list")
	case Alias:
		return "*" + n.Value
	}
	s := strconv.Quote(n.Value[:min(len(n.Value), 2*most)])
	if len(s) > most {
		s = s[:most] + "..."
	}
	switch n.Tag {
	case "!!str":
		return s
	case "!!bool", "!!int", "!!float", "!!null", "!!timestamp":
		if s == `"`+n.Value+`"` { // as a file has it: true, for !!bool "true"
			return cmp.Or(n.Value, "null")
		}
	}
	return n.Tag + " " + s
}

// collection is a collection of n entries for people: a 2-key mapping, an empty list.
func collection(n int, what string) string {
	if _, name, _ := strings.Cut(what, " "); n == 0 {
		return "an empty " + name
	}
	article := "a "
	if s := strconv.Itoa(n); s[0] == '8' || s == "11" || s == "18" {
		article = "an "
	}
	return article + strconv.Itoa(n) + "-" + what
}
