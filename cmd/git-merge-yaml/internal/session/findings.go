package session

import (
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Findings are what merge.Check finds in a result of f, whoever made it. Of a file that a program
// makes, only that it can be read is told: its sources are merged, and it is what is made of them.
func (f File) Findings(result []byte) ([]merge.Finding, error) {
	if f.IsText() {
		return nil, nil
	}
	found, err := merge.Check(f.Base, f.Ours, f.Theirs, result, f.Merging())
	if _, generated := f.Rule(); generated || f.IsLock() {
		found = slices.DeleteFunc(found, func(x merge.Finding) bool { return x.Rule != "parses" && x.Rule != "markers" })
	}
	return found, err
}
