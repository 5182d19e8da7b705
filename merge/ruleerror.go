package merge

import (
	"errors"
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
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

// ruleError is err, of the files of in, for people.
func ruleError(err error, in *read.Inputs, rules string) error {
	if p, ok := errors.AsType[*three.Problem](err); ok {
		return errorAt(in.Names[p.Side], in.Streams[p.Side].File, p.Off, rules, p.Text)
	}
	return err
}
