package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
)

// A template has contents that its syntax tree does not have: blocks and lines of actions. A block is the part of the
// file from an action such as {{ if .a }} to its {{ end }}. {{ else }} divides it into branches. The guard of an entry
// is the list of the branches around the entry that are not around its parent, with the outermost first. A branch is
// written as the action that opens the block, with the action that starts the branch if it is not the first one:
//
//	{{ if .a }}
//	b: 1            # guard: if .a
//	{{ else }}
//	c:              # guard: if .a / else
//	  d: 1          # no guard: the block is around c, its parent
//	{{ end }}
//
// Guards are merged like the values of entries: a block that one side put around an entry is expected in the result.
// Lines that consist of actions are merged like comments. A block is identified by its opening action, which is called
// its condition, and not by its position. An output line is a line whose only action prints, as in {{ include "x" . }}.

// isTemplate reports whether the versions were read as templates (of Go or Jinja), and not as plain YAML.
func (c *checker) isTemplate() bool { return c.Facts[result] != nil }

// guardOf returns the template branches around n but not around its parent, the outermost first: "if .a" for a field
// between {{ if .a }} and {{ end }}. A document has those around all of its entries. The result must not be changed.
func (c *checker) guardOf(n *Node) []template.Level {
	switch {
	case n == nil || !c.isTemplate() && n.Entry != nil:
		return nil
	case n.Entry != nil:
		return n.Entry.OwnLevels()
	case n.reader != nil && c.isTemplate(): // a document
		return n.sharedLevels()
	}
	return c.nodeGuards[n.Node] // a line
}

// sharedLevels returns the branches (Level) of template blocks that are around all entries at the top of document n,
// with the outermost first. It is empty if there are none, or if n is empty or a scalar.
func (n *Node) sharedLevels() (all []template.Level) {
	for i := range n.Children {
		levels := n.Children[i].Entry.OwnLevels()
		if i == 0 {
			all = levels
		}
		same := 0
		for same < min(len(all), len(levels)) && all[same].Start == levels[same].Start {
			same++
		}
		all = all[:same]
	}
	return all
}

// withGuard returns a function that identifies the children of collection q by id and, if a version of a template
// repeats an id, by the template branches around them. A changed condition counts as the condition of the base. The id
// 0 remains 0.
//
//	{{ if .a }}
//	port: 80     # port, "if .a"
//	{{ else }}
//	port: 81     # port, "if .a / else"
//	{{ end }}
func (c *checker) withGuard(q nodeVersions, id func(*Node) uint64) func(*Node) uint64 {
	if !c.isTemplate() || len(q.repeatedIDs(id)) == 0 {
		return id
	}
	changed := c.changedBranches(q)
	textOf := func(guard []template.Level) string {
		guard = slices.Clone(guard)
		for i, l := range guard {
			guard[i].Said = cmp.Or(changed[l.Said], l.Said)
		}
		return guardText(guard)
	}
	// the innermost branch, if it suffices, and otherwise all branches within q
	byInnermost := q.disambiguate(id, func(n *Node) uint64 {
		g := c.guardOf(n)
		return Hash(textOf(g[max(0, len(g)-1):]))
	})
	return q.disambiguate(byInnermost, func(n *Node) uint64 { return Hash(textOf(c.guardOf(n))) })
}

// changedBranches returns the branches around children of q whose condition a side changed, so that the children can be
// matched by the old condition: the text of the branch in the base by its text in the side. The versions must have an
// equal child in the two branches. The new text must be nowhere in the base, and the old one nowhere in the side.
//
//	base           ours
//	{{ if .a }}    {{ if .b }}    {"if .b": "if .a"}
//	x: 1           x: 1
//	{{ end }}      {{ end }}
func (c *checker) changedBranches(q nodeVersions) map[string]string {
	contentOf := func(n *Node) uint64 { return syntax.CombineHashes(n.KeyHash, n.Data) }
	hasText := mapVersions(q, func(n *Node) map[string]bool {
		texts := map[string]bool{}
		for i := range n.Children {
			for _, l := range c.guardOf(&n.Children[i]) {
				texts[l.Said] = true
			}
		}
		return texts
	})
	changed := map[string]string{}
	for _, s := range sides {
		unmatched, isUsed := q[base].childrenBy(contentOf), map[string]bool{} // equal children match in order
		for i := range q[s].GetChildren() {
			k := &q[s].Children[i]
			equal := unmatched[contentOf(k)]
			if len(equal) == 0 {
				continue
			}
			unmatched[contentOf(k)] = equal[1:]
			before, now := c.guardOf(equal[0]), c.guardOf(k)
			for level := range min(len(before), len(now)) {
				oldText, newText := before[level].Said, now[level].Said
				if !hasText[base][newText] && !hasText[s][oldText] && !isUsed[oldText] && changed[newText] == "" {
					changed[newText], isUsed[oldText] = oldText, true
				}
			}
		}
	}
	return changed
}

// indexOfCondition returns the index of the first branch in guard of a block with the given opening action: 1 for "if
// .b" in the guard "if .a", "if .b / else". It returns -1 if there is none.
func indexOfCondition(guard []template.Level, condition string) int {
	return slices.IndexFunc(guard, func(l template.Level) bool { return l.Condition() == condition })
}

// elseOf returns what distinguishes branch l from the first branch of its block: " / else" for "if .a / else", or "" if
// it is the first branch.
func elseOf(l template.Level) string { return strings.TrimPrefix(l.Said, l.Condition()) }

// describeBlockCount returns a clause for a message about a node that is inside of n blocks with the given branch, such
// as "if .a", although expected is the right number:
//
//	n   expected   result
//	0   1          not inside "if .a"
//	1   0          inside "if .a"
//	1   2          inside "if .a" 1 times, expected 2
func describeBlockCount(branch string, n, expected int32) string {
	if n+expected == 1 {
		return describeNesting(branch, n)
	}
	return fmt.Sprintf("inside %s %d times, expected %d", quoteLine(branch), n, expected)
}

// describeNesting returns a clause for a message about a node that is inside of n blocks with the given branch:
//
//	n   branch   result
//	0   if .a    not inside "if .a"
//	1   if .a    inside "if .a"
//	2   if .a    inside "if .a" 2 times
func describeNesting(branch string, n int32) string {
	switch n {
	case 0:
		return fmt.Sprintf("not inside %s", quoteLine(branch))
	case 1:
		return fmt.Sprintf("inside %s", quoteLine(branch))
	}
	return fmt.Sprintf("inside %s %d times", quoteLine(branch), n)
}
