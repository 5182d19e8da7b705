package session

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A File is the merge of one file, as the driver does it in a session.
type File struct {
	*Session
	Path               string // in the repository, "" if nobody knows
	Base, Ours, Theirs []byte
	// RuleSet is kustomize, or "" for the default rules.
	RuleSet string
	// Own is which side is one's own where no option says it; nil is that nobody
	// knows.
	Own func() merge.Own
}

// File is a merge in s by the rule set that its options say, in which nobody knows an own side.
func (s *Session) File(path string, base, ours, theirs []byte) File {
	f := File{Session: s, Path: path, Base: base, Ours: ours, Theirs: theirs}
	if s.RuleSet != "default" {
		f.RuleSet = s.RuleSet
	}
	return f
}

// Merging are the options of the library for f, without how conflicts are written.
// Rules with mistakes are none; whoever merges for good asks for these first.
func (f File) Merging() merge.Options {
	rules, _ := f.Rules()
	set := merge.DefaultRules
	if f.RuleSet == "kustomize" {
		set = merge.KustomizeRules
	}
	return merge.Options{Path: filepath.ToSlash(f.Path), Rules: rules, RuleSet: set, Own: sync.OnceValue(f.OwnSide)}
}

// Changes are what a side, or any other version, changed of the base.
func (f File) Changes(version []byte) ([]merge.Change, error) {
	return merge.Changes(f.Base, version, f.Merging())
}

// OwnSide is the side that is one's own.
func (f File) OwnSide() merge.Own {
	own, said := situation.OwnByName[f.Options.Own]
	switch {
	case said:
		return own
	case f.Own == nil:
		return merge.OwnUnknown
	}
	return cmp.Or(f.Own(), situation.OwnByName[f.Repo().ConfigValue(OwnKey)])
}

// Now makes the own side of f the one in what git is doing. Alone says that the caller is
// nobody that is known to have a merge under way.
func (f File) Now(labels [3]string, alone bool) File {
	f.Own = func() merge.Own {
		return f.Situation(labels).OwnSide(f.Here(), situation.OwnByName[f.Repo().ConfigValue(OwnKey)], alone)
	}
	return f
}

// Past makes the own side of f that of a finished merge, by the subject of its message
// and its first parent.
func (f File) Past(subject string, ours git.ID) File {
	f.Own = func() merge.Own {
		f.pastOnce.Do(func() { f.past = situation.NewFinishedMerges(f.Git) })
		return f.past.OwnSide(subject, ours, f.Now([3]string{}, false).Own)
	}
	return f
}

// Here is what f tells of what git is doing.
func (f File) Here() situation.File {
	return situation.File{Path: f.Path, Ours: f.Ours, Theirs: f.Theirs}
}

// Advice is a preset that nobody adopted, and what it would decide of a merge.
type Advice struct {
	merge.Conflict     // the first that it decides, as it would be then
	More           int // that presets decide beside it
}

// Advice tells what presets that nobody adopted would decide of the conflicts that are left
// of f, unless that is switched off. Large files are not merged again for it.
func (f File) Advice(left []merge.Conflict) (a Advice, ok bool) {
	off := slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(f.Repo().ConfigValue("merge.yaml.advice")))
	if off || f.Path == "" || f.RuleSet != "" || len(left) == 0 || len(f.Ours) > 1<<20 {
		return a, false
	}
	const proposal = "proposed" // what decisions say that they are from
	opts := f.Merging()
	var proposed *merge.Rules
	for _, p := range merge.Presets() {
		if len(p.Files) > 0 && !slices.Contains(opts.Rules.Extended(), p.Name) {
			preset, _ := merge.ExtendRules(proposal, p.Name)
			proposed = proposed.Then(preset)
		}
	}
	if proposed == nil {
		return a, false
	}
	opts.Rules = opts.Rules.Then(proposed)
	res, err := f.Library(f.Base, f.Ours, f.Theirs, opts)
	if err != nil {
		return a, false
	}
	for _, c := range res.Resolved {
		isLeft := slices.ContainsFunc(left, func(l merge.Conflict) bool { return l.Path == c.Path })
		switch {
		case c.By.Source != proposal || !isLeft:
		case ok:
			a.More++
		default:
			a, ok = Advice{Conflict: c}, true
		}
	}
	return a, ok
}
