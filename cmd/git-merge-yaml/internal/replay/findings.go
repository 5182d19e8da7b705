package replay

import (
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Findings are those of merge.Check; with taken, also what a side alone decided where
// both changed it.
func Findings(base, ours, theirs, result []byte, o merge.Options, taken bool) ([]merge.Finding, error) {
	found, err := merge.Check(base, ours, theirs, result, o)
	if err != nil || !taken {
		return found, err
	}
	merged, err := merge.Merge(base, ours, theirs, o)
	if err != nil {
		return found, err
	}
	for _, side := range []struct {
		name, other string
		text        []byte
	}{{"ours", "theirs", ours}, {"theirs", "ours", theirs}} {
		changes, err := merge.Changes(side.text, result, o)
		if err != nil {
			return found, nil // that it is no YAML has been found
		}
		for _, c := range merged.Conflicts {
			if c.Kind != merge.ConflictComment && !changed(changes, c.Path) {
				found = append(found, merge.Finding{Path: c.Path, Rule: "taken", Detail: "both changed it, and " + side.name + " stands; the edit of " + side.other + " is lost"})
			}
		}
	}
	return found, nil
}

// changed reports whether a change stands at path, in it or around it.
func changed(changes []merge.Change, path string) bool {
	for _, c := range changes {
		if path == "" || within(c.Path, path) || within(path, c.Path) {
			return true
		}
	}
	return false
}

// within reports whether a path is another one or in it.
func within(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}
