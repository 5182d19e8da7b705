package facts

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// Named is n for people, with its key.
func (n *Node) Named() string {
	if n.Entry != nil && n.Entry.Key != nil {
		return n.Entry.KeyText() + ": " + n.Show()
	}
	return n.Show()
}

// Show is n for people, in one short line.
func (n *Node) Show() string {
	const most = 60
	switch n.Kind {
	case syntax.Mapping:
		return collection(len(n.Entries), "key mapping")
	case syntax.Sequence:
		return collection(len(n.Entries), "item list")
	case syntax.Alias:
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

func (n *Node) IsNull() bool { return n.Kind == syntax.Scalar && n.Tag == "!!null" }

// Syntax is the node of n; nil if there is none.
func (n *Node) Syntax() *syntax.Node {
	if n == nil {
		return nil
	}
	return n.Node
}
