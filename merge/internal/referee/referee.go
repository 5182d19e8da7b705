// Package referee verifies merge results. It shares no code with the walk,
// the renderer or diff3, and judges by data, not by how a result was made.
package referee

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// A Claim is that Result is the three-way merge of the other three.
type Claim struct {
	Original, Dest, Updated, Result *syntax.Stream
	// File is the path of the file, for the rules of its lists.
	File  string
	Rules *schema.Rules
	// Open are the parts of the inputs that stand in conflict. Result is
	// then the file with one side taken at every conflict: with Side Dest
	// all of dest's edits must stand, and updated's except those inside the
	// open parts; with Side Updated the other way round.
	Open []Open
	Side Side
}

// An Open is one conflict: its ranges in the inputs (whole entries with their
// trivia, or single comments; an empty range where an input has nothing).
type Open struct{ Original, Dest, Updated text.Span }

// Side is the side that was taken at every conflict.
type Side uint8

// The sides.
const (
	Neither Side = iota // no conflicts: a clean result
	Dest
	Updated
)

// A Refusal says what a result lacks.
type Refusal struct {
	Rule   string // the rule that is broken, short
	Path   string // where, as in spec.containers[name=web].image
	Detail string // what was expected
}

func (r *Refusal) Error() string { return r.Path + ": " + r.Rule + ": " + r.Detail }

// Check returns why c does not hold, or nil if it holds.
func Check(c Claim) *Refusal {
	return nil
}
