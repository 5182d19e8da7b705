package session

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// AdviceKey switches advice off in git's configuration.
const AdviceKey = "merge.yaml.advice"

// said is the note that names the merge in which something was said once.
const said = "said"

// largestAdvised is the size of files that are not merged again for advice.
const largestAdvised = 1 << 20

// Advice is a preset that nobody adopted, and what it would decide of a merge.
type Advice struct {
	merge.Conflict        // the first that it decides, as it would be then
	More           int    // that presets decide beside it
	Policy         string // the one of that conflict
	Preset         string
}

// Advises reports whether advice is not switched off.
func (s *Session) Advises() bool {
	return !slices.Contains([]string{"false", "no", "off", "0"}, strings.ToLower(s.repo().Value(AdviceKey)))
}

// Advice tells what presets that nobody adopted would decide of the conflicts that are left
// of f.
func (f File) Advice(left []merge.Conflict) (a Advice, ok bool) {
	if f.Path == "" || f.RuleSet != "" || len(left) == 0 || len(f.Ours) > largestAdvised {
		return a, false
	}
	opts := f.Merging()
	rules := proposed(opts.Rules)
	if rules == nil {
		return a, false
	}
	opts.Rules = opts.Rules.Then(rules)
	res, err := f.Library(f.Base, f.Ours, f.Theirs, opts)
	if err != nil {
		return a, false
	}
	for _, c := range res.Resolved {
		policy, from, decided := strings.Cut(strings.TrimPrefix(c.By, "policy "), " ("+proposal)
		isLeft := slices.ContainsFunc(left, func(l merge.Conflict) bool { return l.Path == c.Path })
		switch {
		case !decided || !isLeft:
		case ok:
			a.More++
		default:
			_, preset, _ := strings.Cut(strings.TrimSuffix(from, ")"), ", extends ")
			a, ok = Advice{Conflict: c, Policy: policy, Preset: preset}, true
		}
	}
	return a, ok
}

// proposal is what decisions of proposed rules say that they are from.
const proposal = "proposed"

// proposed are the presets for every branch that nobody adopted, nil if there are none.
func proposed(have *merge.Rules) (rules *merge.Rules) {
	for _, p := range merge.Presets() {
		if len(p.Files) > 0 && !slices.Contains(have.Extended(), p.Name) {
			preset, _ := merge.ExtendRules(proposal, p.Name)
			rules = rules.Then(preset)
		}
	}
	return rules
}

// SharedFolder is the program's folder in git's, which all work trees share. It need not
// be there.
func (s *Session) SharedFolder() (string, error) {
	_, common, err := s.Git.Folders()
	return filepath.Join(common, situation.Folder), err
}

// Once calls say unless it has said something in what git does now, be it in another
// process: the lock of the index, which git makes anew for each merge, tells one from
// the next; where git takes none, HEAD and the labels of the sides do.
func (s *Session) Once(labels [3]string, say func() bool) {
	here := s.Situation(labels)
	mark, now := here.Note(said), here.Mark()
	if before, err := os.ReadFile(mark); err == nil && string(before) == now || !say() {
		return
	}
	if os.MkdirAll(filepath.Dir(mark), 0o777) == nil {
		_ = os.WriteFile(mark, []byte(now), 0o666) // else it is said twice
	}
}
