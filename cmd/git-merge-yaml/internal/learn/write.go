package learn

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// Choose returns the rules with the numbers given or, where there are none, those
// that a person wants, who is asked about one after the other.
func Choose(rules []*Rule, numbers []int, ask *terminal.Asker) (chosen []*Rule, err error) {
	for _, n := range numbers {
		if n < 1 || n > len(rules) {
			return nil, fmt.Errorf("--rule %d: there are %s", n, terminal.Count(len(rules), "rule"))
		}
	}
	for _, r := range rules {
		yes := slices.Contains(numbers, r.Number)
		if len(numbers) == 0 {
			if err := r.Write(ask.Out); err != nil {
				return nil, err
			}
			if yes, err = ask.Yes(fmt.Sprintf("From now on take %s there without a question", r.Take)); err != nil {
				return chosen, err
			}
		}
		if yes {
			chosen = append(chosen, r)
		}
	}
	return chosen, nil
}

// Save writes rules into the team's file of a work tree, with their evidence, and
// returns its name. The one that decides most is tried first.
func Save(tree *git.WorkTree, rules []*Rule) (name string, err error) {
	file, err := team.PolicyFile(tree)
	if err != nil {
		return "", err
	}
	for _, r := range slices.Backward(rules) {
		p := team.Policy{Take: r.Take, Field: r.Place.Field, Resource: r.Place.Kind, Pattern: r.Place.Files, Comment: r.Comment()}
		if err := team.AddPolicy(file, p); err != nil {
			return "", fmt.Errorf("%s: the rule is not written: %w", r.Place, err)
		}
	}
	return filepath.Base(file), nil
}
