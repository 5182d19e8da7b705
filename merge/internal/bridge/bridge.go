// Package bridge lets the public packages beside merge use the rules that a *merge.Rules has, and return a merge.Result.
// Both have fields that are not exported, and package merge cannot import those packages. Its variables are set by
// package merge, which they all import.
//
//	rules := bridge.Schema(opts.Rules) // opts.Rules is a *merge.Rules
package bridge

import (
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

var (
	// Schema returns the rules in a *merge.Rules, never nil. It panics for a value of another type.
	Schema func(rules any) *schema.Rules
	// Result returns a merge.Result for a merge of the three versions.
	Result func(raw [3][]byte, res engine.Result) any
	// Findings returns a []merge.Finding.
	Findings func([]engine.Finding) any
)
