package verify

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
)

// checkTextBlocks returns a violation in the blocks of the result that are merged as text, because they contain only a
// part of an entry. Their lines are not in the syntax tree. For a line with a field, such as "b: 1", these are
// violations:
//
//   - No input has the line below the same entry.
//   - The base has it below this entry, but no input in the same branch, such as else.
//   - Only in the result, a mapping around the line also has a field with its key.
//
// The versions must be templates.
func (c *checker) checkTextBlocks() *Violation {
	isKnown, inBase, isRepeated := map[uint64]bool{}, map[uint64]bool{}, map[uint64]bool{} // found in the inputs
	var repeated *syntax.Entry
	for v, f := range c.facts {
		for _, l := range f.Lines {
			if l.Key == "" || l.Above == nil {
				continue
			}
			key := Hash("=" + l.Key)
			for n := range c.docs[v].NodesAt(l.Above.Start) {
				for i := range n.Children {
					switch at := syntax.CombineHashes(c.addressOf(n), key); {
					case n.Children[i].KeyHash != key:
					case version(v) != result:
						isRepeated[at] = true
					case !isRepeated[at] && (repeated == nil || n.Children[i].Entry.Start < repeated.Start):
						repeated = n.Children[i].Entry
					}
				}
			}
			here, branch := syntax.CombineHashes(c.addressOf(c.smallestAt(version(v), l.Above.Start)), Hash(l.Text)), ""
			if n := len(l.Guard); n > 0 {
				branch = strings.TrimPrefix(l.Guard[n-1].Said, l.Guard[n-1].Condition())
			}
			inBranch := syntax.CombineHashes(here, Hash(branch))
			switch {
			case version(v) == base:
				inBase[here] = true
			case version(v) == result && !isKnown[here]:
				return c.newViolationAt(ruleAction, l.Above, "", "%s is below a different entry than in base, ours and theirs", quoteLine(l.Text))
			case version(v) == result && inBase[here] && !isKnown[inBranch]:
				return c.newViolationAt(ruleAction, l.Above, "", "%s is in a different branch than in base, ours and theirs", quoteLine(l.Text))
			}
			isKnown[here], isKnown[inBranch] = true, true
		}
	}
	if repeated != nil {
		return c.newViolationAt(ruleAction, repeated, "", "the key also occurs in a template block that is merged as text")
	}
	return nil
}
