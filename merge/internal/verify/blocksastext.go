package verify

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
)

// A template block that contains only a part of an entry is merged as text: its lines are not in the syntax tree. The
// checks in this file are about lines with a field in such blocks, such as "b: 1". A merge of lines can put such a field
// below another entry, or in another branch, and it does not see that the mapping already has the field.

// checkTextFieldPlaces returns a violation if a line with a field, in a block that is merged as text, is below another
// entry in the result than in every input. If the base has it below the same entry, it must also be in a branch, such as
// else, in which an input has it. The versions must be templates.
func (c *checker) checkTextFieldPlaces() *Violation {
	placeIn, fieldIn := map[textFieldPlace]presence{}, map[textField]presence{}
	for v := range result {
		for _, l := range c.textFieldLines(v) {
			f := c.textFieldAt(v, l)
			placeIn[f.textFieldPlace] |= 1 << v
			fieldIn[f] |= 1 << v
		}
	}
	for _, l := range c.textFieldLines(result) {
		f := c.textFieldAt(result, l)
		switch in := placeIn[f.textFieldPlace]; {
		case in == 0:
			return c.newViolationAt(ruleAction, l.Above, "", "%s is below a different entry than in base, ours and theirs", quoteLine(l.Text))
		case in&inBase != 0 && fieldIn[f] == 0:
			return c.newViolationAt(ruleAction, l.Above, "", "%s is in a different branch than in base, ours and theirs", quoteLine(l.Text))
		}
	}
	return nil
}

// A textFieldPlace is a line with a field in a block that is merged as text, and the address of the entry above it.
type textFieldPlace struct {
	addr uint64
	line string
}

// A textField is a textFieldPlace with the branch of the innermost block around the line: "" for the first branch,
// otherwise as in " / else".
type textField struct {
	textFieldPlace
	branch string
}

// textFieldAt returns l, a line of v with a field, with the entry and the branch that it is in.
func (c *checker) textFieldAt(v version, l template.Line) textField {
	f := textField{textFieldPlace: textFieldPlace{line: l.Text}}
	f.addr = c.addressOf(c.smallestAt(v, l.Above.Start))
	if n := len(l.Guard); n > 0 {
		f.branch = elseOf(l.Guard[n-1])
	}
	return f
}

// textFieldLines returns the lines of v with a field in a block that is merged as text, apart from those above the first
// entry of a document.
func (c *checker) textFieldLines(v version) (lines []template.Line) {
	for _, l := range c.facts[v].Lines {
		if l.Key != "" && l.Above != nil {
			lines = append(lines, l)
		}
	}
	return lines
}

// checkTextFieldKeys returns a violation if a mapping of the result has a field with the key of a line below it, in a
// block that is merged as text, and this is so in no input. The versions must be templates.
func (c *checker) checkTextFieldKeys() *Violation {
	inInputs := map[uint64]bool{} // by the address of the field
	for v := range versions {
		for _, l := range c.textFieldLines(v) {
			key := Hash("=" + l.Key)
			for n := range c.docs[v].NodesAt(l.Above.Start) {
				field := n.childWithKey(key)
				at := syntax.CombineHashes(c.addressOf(n), key)
				switch {
				case field == nil:
				case v != result:
					inInputs[at] = true
				case !inInputs[at]:
					return c.newViolationAt(ruleAction, field.Entry, "", "the key also occurs in a template block that is merged as text")
				}
			}
		}
	}
	return nil
}

// childWithKey returns the first field of n whose mapping key has the given hash, or nil if there is none.
func (n *Node) childWithKey(hash uint64) *Node {
	for i := range n.Children {
		if n.Children[i].KeyHash == hash {
			return &n.Children[i]
		}
	}
	return nil
}
