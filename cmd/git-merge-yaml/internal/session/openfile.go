package session

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/kube"
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// A File is one file in three versions, with the session (the team's rules and the settings) that it is merged with.
type File struct {
	*Session
	Path               string // from the top of the repository; "" if unknown
	Base, Ours, Theirs []byte
	// RuleSet is "kustomize", or "" for the default rules. It hides the RuleSet of the session's options.
	RuleSet string
	// FindOwn returns the side that is the user's own work. OwnSide calls it if the command line does not name the
	// side. If it is nil, the side is unknown.
	FindOwn func() merge.Side
}

// NewFile returns a file with its three versions, which is merged with the team's rules and the options of s, among
// them the rule set. path is from the top of the repository, or "" if it is unknown. A version is nil if it does not
// exist. The user's own side is unknown, unless the option --own names it; see InCurrentOperation and InFinishedMerge.
func (s *Session) NewFile(path string, base, ours, theirs []byte) File {
	f := File{Session: s, Path: path, Base: base, Ours: ours, Theirs: theirs}
	if s.RuleSet != "default" {
		f.RuleSet = s.RuleSet
	}
	return f
}

// MergeOptions returns the options for merging f with package merge: its path and the team's rules. The caller adds how
// conflicts are marked or decided. If the team's rules cannot be used, the merge ignores them, so a caller that writes
// the result must call FirstRulesError first.
func (f File) MergeOptions() merge.Options {
	rules, _ := f.Rules()
	return merge.Options{Path: filepath.ToSlash(f.Path), Rules: rules}
}

// Merge merges f with opts, by the rules of f.RuleSet: those of kustomize, or the default rules if it is not
// "kustomize". If a policy depends on the user's own side, it determines that side from git and merges again. The rules
// of kustomize ignore opts.Resolve, except for a file that SOPS encrypted. The error is that of the merge.
func (f File) Merge(opts merge.Options) (merge.Result, error) {
	res, err := f.mergeByRuleSet(opts)
	if err != nil || !res.NeedsOwn {
		return res, err
	}
	if opts.Own = f.OwnSide(); opts.Own == merge.SideUnknown {
		return res, nil
	}
	return f.mergeByRuleSet(opts)
}

// mergeByRuleSet merges f with opts by the rules of kustomize if f.RuleSet is "kustomize", and otherwise by the default
// rules.
func (f File) mergeByRuleSet(opts merge.Options) (merge.Result, error) {
	if f.RuleSet != "kustomize" {
		return f.Library(f.Base, f.Ours, f.Theirs, opts)
	}
	res, err := kube.Merge3(f.Base, f.Ours, f.Theirs, kube.Merge3Options{
		Path: opts.Path, Rules: opts.Rules, Names: opts.Names, Markers: opts.Markers, Own: opts.Own,
	})
	hasConflicts := err == nil && !res.Clean() && res.Method != merge.MethodDelegated
	if hasConflicts && opts.Resolve != merge.TakeNone {
		// SOPS encrypted it, so that the default rules applied, which Resolve is for
		return f.Library(f.Base, f.Ours, f.Theirs, opts)
	}
	return res, err
}

// Resolution returns the merge of f with opts, in which the conflicts can be answered one by one. It always merges by
// the default rules, even if f.RuleSet is "kustomize". The side that is the user's own work is determined first, and
// replaces opts.Own. The error is that of the merge.
func (f File) Resolution(opts merge.Options) (*merge.Resolution, error) {
	opts.Own = f.OwnSide()
	return merge.NewResolution(f.Base, f.Ours, f.Theirs, opts)
}

// Changes returns the changes from the base of f to version, which is usually ours or theirs, field by field. It
// returns an error if the two cannot be compared as YAML.
func (f File) Changes(version []byte) ([]merge.Change, error) {
	return f.ChangesBetween(f.Base, version)
}

// ChangesBetween returns the changes from one version of f to another, field by field. The result is empty if only
// comments and the like differ. It returns an error if the two cannot be compared as YAML.
func (f File) ChangesBetween(from, to []byte) ([]merge.Change, error) {
	opts := f.MergeOptions()
	return merge.Changes(from, to, merge.FileOptions{Path: opts.Path, Rules: opts.Rules})
}

// OwnSide returns the side that is the user's own work, which some policies of the team's rules prefer. The first of
// these that is known counts:
//
//   - the option --own
//   - the result of f.FindOwn
//   - the setting merge.yaml.own of git's configuration, but only if f.FindOwn is set
//
// Otherwise, it is merge.SideUnknown.
func (f File) OwnSide() merge.Side {
	own, isSet := situation.OwnByName[f.Options.Own]
	switch {
	case isSet:
		return own
	case f.FindOwn == nil:
		return merge.SideUnknown
	}
	return cmp.Or(f.FindOwn(), situation.OwnByName[f.Repo().ConfigValue(OwnKey)])
}

// InCurrentOperation returns a copy of f that determines the user's own side from the git operation that runs now or
// stopped: in a rebase, it is theirs. labels are those that git passed to the driver for conflict markers; they are
// empty in commands. If standalone is true, the own side is ours if there is no operation.
func (f File) InCurrentOperation(labels [3]string, standalone bool) File {
	f.FindOwn = func() merge.Side {
		return f.Situation(labels).OwnSide(f.SituationFile(), situation.OwnByName[f.Repo().ConfigValue(OwnKey)], standalone)
	}
	return f
}

// InFinishedMerge returns a copy of f that determines the user's own side from a merge commit. subject is the first
// line of its message, ours its first parent. If main is the default branch:
//
//	Merge branch 'main' into topic     ours: the user brought a branch up to date
//	Merge branch 'topic'               theirs: the work on a branch was complete
func (f File) InFinishedMerge(subject string, ours git.ID) File {
	f.FindOwn = func() merge.Side {
		f.pastOnce.Do(func() { f.past = situation.NewFinishedMerges(f.Git, f.Repo()) })
		return f.past.OwnSide(subject, ours, f.InCurrentOperation([3]string{}, false).FindOwn)
	}
	return f
}

// SituationFile returns the path and the two sides of f, for methods of situation.Situation, which find out from the
// content which commit git merges.
func (f File) SituationFile() situation.File {
	return situation.File{Path: f.Path, Ours: f.Ours, Theirs: f.Theirs}
}

// IsOff reports whether value is one of git's words for false: false, no, off or 0, in upper or lower case.
func IsOff(value string) bool {
	return slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(value))
}

// Advice is a suggestion to use a preset that the team's rules do not extend, because it would decide conflicts.
type Advice struct {
	merge.Conflict     // the first conflict that would be decided, with the decision
	More           int // the number of further conflicts that would be decided
}

// Advice looks for a preset (a set of rules of this program, such as helm) that would decide one of the conflicts in
// unresolved, which a merge of f left, and returns a suggestion for the user. It may merge f again for that. ok is
// false if there is nothing to suggest, if the setting merge.yaml.advice is off, or if f is large, has a rule set, or
// has no path.
func (f File) Advice(unresolved []merge.Conflict) (a Advice, ok bool) {
	// The second merge of a large file would take too long.
	if IsOff(f.Repo().ConfigValue("merge.yaml.advice")) || f.Path == "" || f.RuleSet != "" || len(unresolved) == 0 || len(f.Ours) > 1<<20 {
		return a, false
	}
	const proposal = "proposed" // the Source of decisions by the added presets
	opts := f.MergeOptions()
	var proposed *merge.Rules
	for _, p := range program.Presets() {
		if len(p.Files) > 0 && !slices.Contains(program.Extended(opts.Rules), p.Name) {
			preset, _ := merge.PresetRules(proposal, p.Name)
			proposed = proposed.WithFallback(preset)
		}
	}
	mayDecide := func(c merge.Conflict) bool { return program.MayDecide(proposed, f.Path, c) }
	// No rule of these presets is about a field in conflict: for nearly all files, no second merge is needed.
	if proposed == nil || !isLockFile(f.Path) && !slices.ContainsFunc(unresolved, mayDecide) {
		return a, false
	}
	opts.Rules = opts.Rules.WithFallback(proposed)
	res, err := f.Merge(opts)
	if err != nil {
		return a, false
	}
	for _, c := range res.Resolved {
		isUnresolved := slices.ContainsFunc(unresolved, func(l merge.Conflict) bool { return l.Path == c.Path })
		switch {
		case c.By.Source != proposal || !isUnresolved:
		case ok:
			a.More++
		default:
			a, ok = Advice{Conflict: c}, true
		}
	}
	return a, ok
}
