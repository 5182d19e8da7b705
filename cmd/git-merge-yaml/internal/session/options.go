package session

import (
	"path/filepath"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// RuleSets are the names of --rules in the library.
var RuleSets = map[string]merge.RuleSet{
	"":          merge.DefaultRules,
	"kustomize": merge.KustomizeRules,
}

// Merging are the options of the library for f, without how conflicts are written.
// Rules with mistakes are none; whoever merges for good asks for these first.
func (f File) Merging() merge.Options {
	rules, _ := f.Session.Rules()
	return merge.Options{
		Path: filepath.ToSlash(f.Path), Rules: rules, RuleSet: RuleSets[f.RuleSet], Own: sync.OnceValue(f.OwnSide),
	}
}

// OwnSide is the side that is one's own.
func (f File) OwnSide() merge.Own {
	switch own, said := situation.Sides[f.Options.Own]; {
	case said:
		return own
	case f.Own == nil:
		return merge.OwnUnknown
	}
	if own := f.Own(); own != merge.OwnUnknown {
		return own
	}
	return situation.Sides[f.OwnSetting()]
}
