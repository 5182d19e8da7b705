package merge

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A RuleError says where an input is not what a rule set needs.
type RuleError struct {
	// File is base, ours or theirs, or as the caller named the file.
	File string
	// Line and Column start at 1; a column counts bytes.
	Line, Column int
	// Problem is what is wrong.
	Problem string
	// Rules is what asks for it.
	Rules string
}

func (e *RuleError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s (%s)", e.File, e.Line, e.Column, e.Problem, e.Rules)
}

// ruleError is an error about what stands at an offset of a file.
func ruleError(name string, f *text.File, off int, rules, problem string) error {
	return &RuleError{File: name, Line: f.Line(off), Column: off - f.LineStart(off) + 1, Problem: problem, Rules: rules}
}

// checkResources refuses streams of several documents that are not resources,
// or not told apart by what they are.
func (w *walker) checkResources() error {
	for s, st := range w.streams {
		var roots []*syntax.Node
		for _, d := range st.Docs {
			roots = append(roots, d.Root)
		}
		id := identities([3][]*syntax.Node{roots})
		seen := map[string]bool{}
		for _, n := range roots {
			off := n.Content.Start
			if len(n.Entries) > 0 {
				off = n.Entries[0].Start // below its comments
			}
			switch key := id(n); {
			case len(roots) == 1 || n.Content.Empty():
			case key == "":
				return ruleError(w.names[s], st.File, off, w.set.name, "a resource of a file with several has no kind or no metadata.name")
			case seen[key]:
				return ruleError(w.names[s], st.File, off, w.set.name, resourceName(n)+" is in this file twice")
			default:
				seen[key] = true
			}
		}
	}
	return nil
}

func resourceName(n *syntax.Node) string {
	return scalarAt(n, "kind") + "/" + scalarAt(n, "metadata", "name")
}
