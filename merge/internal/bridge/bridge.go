// Package bridge gives the public packages next to merge, such as merge/kube, access to what is unexported in package
// merge: the rules in a *merge.Rules, and the conversions of options, results and findings. Package merge sets the variables of
// bridge when it is initialized; the other packages import merge. bridge itself cannot import merge, so that the types
// are any.
//
//	rules := bridge.Team(opts.Rules) // opts.Rules is a *merge.Rules
package bridge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
)

var (
	// Team returns the rules in a *merge.Rules, which may be nil. The result is never nil. It panics for a value of
	// another type.
	Team func(rules any) *team.Rules
	// Unmatched returns the parts of rules, a *merge.Rules, that match nothing in the files; see package program.
	Unmatched func(rules any, files []string, read func(path string) ([]byte, error)) (all, partial []string)
	// Options returns opts, a merge.Options, as options of package engine, whose rules are not nil. It returns an error if
	// a value is not one of the constants of its type.
	Options func(opts any) (engine.Options, error)
	// Result returns res, a merge of raw (base, ours and theirs), as a merge.Result.
	Result func(raw [3][]byte, res engine.Result) any
	// Findings returns the errors in a result that engine.Check found as a []merge.Finding.
	Findings func([]engine.Finding) any
)
