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
	// Line and Column start at 1; a column counts characters.
	Line, Column int
	// Problem is what is wrong.
	Problem string
	// Rules is what asks for it.
	Rules string
}

func (e *RuleError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s (%s)", e.File, e.Line, e.Column, e.Problem, e.Rules)
}

// errorAt is an error about what stands at an offset of a file.
func errorAt(name string, f *text.File, off int, rules, problem string) error {
	at := f.Position(off)
	return &RuleError{File: name, Line: at.Line, Column: at.Column, Problem: problem, Rules: rules}
}

// ruleError is an error about what stands at an offset of a version.
func (w *walker) ruleError(s side, off int, problem string) error {
	return errorAt(w.names[s], w.files[s], off, w.set.name, problem)
}

// checkResources refuses streams of several documents that are not resources,
// or not told apart by what they are.
func (w *walker) checkResources() error {
	var roots [3][]*syntax.Node
	for s, st := range w.streams {
		for _, d := range st.Docs {
			roots[s] = append(roots[s], d.Root)
		}
	}
	id := w.identities(roots)
	for s := range roots {
		if err := w.checkStream(side(s), roots[s], id); err != nil {
			return err
		}
	}
	if w.set.strategic && !w.set.byPlace {
		return w.checkLive(roots)
	}
	return nil
}

// checkStream refuses resources of a stream that have no identity, or one that
// another has.
func (w *walker) checkStream(s side, roots []*syntax.Node, id func(*syntax.Node) string) error {
	seen := map[string]int{}
	for _, n := range roots {
		at := resourceStart(n)
		switch key := id(n); {
		case len(roots) == 1 || n.Content.Empty():
		case key == "":
			return w.ruleError(s, at, "a resource without "+missing(n)+", in a file with several: these are known by kind, namespace and name")
		case seen[key] > 0:
			return w.ruleError(s, at, fmt.Sprintf("%s is in this file twice, first at line %d", resourceName(n), seen[key]))
		default:
			seen[key] = w.files[s].Line(at)
		}
	}
	return nil
}

// resourceStart is where the first field of a resource stands, below its
// comments.
func resourceStart(n *syntax.Node) int {
	if len(n.Entries) > 0 {
		return n.Entries[0].Start
	}
	return n.Content.Start
}

// missing is what n lacks to be a resource.
func missing(n *syntax.Node) string {
	if scalarAt(n, "kind") == "" {
		return "kind"
	}
	return "metadata.name"
}

// resourceName names a resource for people; empty if it has neither kind nor name.
func resourceName(n *syntax.Node) string {
	if missing(n) == "kind" && scalarAt(n, "metadata", "name") == "" {
		return ""
	}
	return scalarAt(n, "kind") + "/" + scalarAt(n, "metadata", "name")
}
