package verify

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"

// A template block that contains only a part of an entry is merged as text: its lines are not in the syntax tree. Lines
// with a field in such blocks, such as "b: 1", are verified like comments (see listRemarks), and their keys here: a
// merge of lines does not see that the mapping already has the field.

// checkTextFieldKeys returns a violation if a mapping of the result may be rendered with a mapping key twice: in a
// field, and in a template block that is merged as text. Keys that an input repeats like this are accepted. The
// versions must be templates.
//
//	m:
//	  b: 2         # violation
//	{{ if .x }}
//	  b: 1         # in a block that is text, because it ends inside of n
//	n:
//	{{ end }}
//	  c: 1
func (c *checker) checkTextFieldKeys() *Violation {
	inInputs := map[uint64]bool{} // by the address of the field
	for v := range versions {
		for _, l := range c.facts[v].Lines {
			if l.Key == "" || l.Above == nil { // it has no field, or is above the first entry of a document
				continue
			}
			key := Hash("=" + l.Key)
			for n := range c.docs[v].NodesAt(l.Above.Start) {
				field := n.childWithKey(key)
				at := syntax.CombineHashes(c.addressOf(n), key)
				switch {
				case field == nil:
				case v != result:
					inInputs[at] = true
				case !inInputs[at]:
					return c.newViolationAt(RuleAction, field.Entry, "", "the key also occurs in a template block that is merged as text")
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
