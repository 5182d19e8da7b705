package verify

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/facts"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

var sides = facts.Sides

// A Violation says which fact of a result is wrong.
type Violation struct {
	Rule   string // the rule that is broken, in a word or two
	Detail string // what was expected
	// At is where the thing stands, in base, ours, theirs and the
	// result; empty where a version lacks it. Where it has no place in the
	// inputs, it is that of what should hold it.
	At [4]text.Span
	// Subject is the comment, or the alias as *name, that is wrong; else empty.
	Subject string
}

func (r *Violation) Error() string { return r.Rule + ": " + r.Detail }

// refuse says that the thing q is wrong.
func (q quad) violation(rule, format string, a ...any) *Violation {
	r := &Violation{Rule: rule, Detail: fmt.Sprintf(format, a...)}
	for v, n := range q {
		if n != nil && n.V == facts.Version(v) {
			r.At[v] = n.Whole()
		}
	}
	return r
}

// checker is the state of one check.
type checker struct {
	Merge
	streams [versions]*syntax.Stream
	files   [versions]*text.File
	masks   [versions][]facts.Mask
	docs    quad // lists of the documents' roots
	claims  *claims
	decided map[*syntax.Node]bool
	canon   map[*syntax.Node]uint64 // where things stand that a version calls otherwise
	facts   [versions]*template.Facts
	renamed [versions]map[int]string          // blocks that the base calls otherwise: as it does
	texts   map[*syntax.Node]*node            // the lines of scalars that were asked for
	guarded map[*syntax.Node][]template.Level // the blocks of a text around its lines
	stands  *Standing                         // what stands by a rule set; nil where that is not asked
	images  []text.Span                       // of the result: references put together of two versions
	found   []*Violation
	told    map[Violation]bool // what is in found, but for its subject
	all     bool               // all violations are found; else the first one ends the check
	person  bool               // it is the result of a person
	byLine  bool               // it is a line merge, of which only defects count
}

// judge reports a violation, which ends a check; where all are listed, it is noted
// and the check goes on. Form is a person's own.
func (c *checker) judge(r *Violation) *Violation {
	if r == nil || !c.all {
		return r
	}
	told := Violation{Rule: r.Rule, Detail: r.Detail, At: r.At}
	if !c.told[told] && (!c.person || r.Rule != "form" && r.Rule != "order") {
		c.found = append(c.found, r)
		c.told[told] = true
	}
	return nil
}

// broken reports whether the result's is another one than that of the merge, where
// at most one side changed it, or both alike.
func broken[T comparable](p [versions]T) bool {
	want, ok := facts.Choose(p)
	return ok && want != p[result]
}
