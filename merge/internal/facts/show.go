package facts

import (
	"cmp"
	"strconv"

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
		return "a mapping of " + strconv.Itoa(len(n.Entries))
	case syntax.Sequence:
		return "a list of " + strconv.Itoa(len(n.Entries))
	case syntax.Alias:
		return "*" + n.Value
	}
	s := strconv.Quote(n.Value[:min(len(n.Value), 2*most)])
	if len(s) > most {
		s = s[:most] + "..."
	}
	switch n.Tag() {
	case "!!str":
		return s
	case "!!bool", "!!int", "!!float", "!!null", "!!timestamp":
		if s == `"`+n.Value+`"` { // as a file has it: true, for !!bool "true"
			return cmp.Or(n.Value, "null")
		}
	}
	return n.Tag() + " " + s
}

func (n *Node) IsNull() bool { return n.Kind == syntax.Scalar && n.Tag() == "!!null" }

// Syntax is the node of n; nil if there is none.
func (n *Node) Syntax() *syntax.Node {
	if n == nil {
		return nil
	}
	return n.Node
}
