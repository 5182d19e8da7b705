package session

import (
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Findings are what merge.Check finds in a result of f, whoever made it; with taken,
// also what a side alone decided where both changed it, and what stands in the place of
// what the team's rules decide. Of a file that a program makes, only that it can be read is
// told: its sources are merged, and it is what is made of them.
func (f File) Findings(result []byte, taken bool) ([]merge.Finding, error) {
	if f.IsText() {
		return nil, nil
	}
	if found, ok := f.clearFindings(result); ok {
		return found, nil
	}
	o := f.Merging()
	found, err := merge.Check(f.Base, f.Ours, f.Theirs, result, o)
	if _, generated := f.Rule(); generated || f.IsLock() {
		found = slices.DeleteFunc(found, func(x merge.Finding) bool { return x.Rule != "parses" && x.Rule != "markers" })
		taken = false
	}
	if err != nil || !taken || f.RuleSet != "" {
		return found, err
	}
	merged, err := f.Merge(nil)
	if err != nil {
		return found, err
	}
	for _, side := range []struct {
		name, other string
		text        []byte
	}{{"ours", "theirs", f.Ours}, {"theirs", "ours", f.Theirs}} {
		changes, err := merge.Changes(side.text, result, o)
		if err != nil {
			return found, nil // that it is no YAML has been found
		}
		for _, c := range merged.Conflicts {
			if c.Kind != merge.ConflictComment && !changed(changes, c.Path) {
				detail := "both changed it, and " + side.name + " stands; the edit of " + side.other + " is lost"
				found = append(found, merge.Finding{Path: c.Path, Rule: "taken", Detail: detail})
			}
		}
	}
	changes, err := merge.Changes(merged.Bytes, result, o)
	for _, c := range merged.Resolved {
		if err == nil && merged.Clean() && strings.HasPrefix(c.By, "policy ") && changed(changes, c.Path) {
			found = append(found, merge.Finding{Path: c.Path, Rule: "policy", Detail: "another value than the team's rules give it (" + c.By + ")"})
		}
	}
	return found, nil
}

// changed reports whether a change stands at path, in it or around it.
func changed(changes []merge.Change, path string) bool {
	within := func(path, other string) bool {
		rest, ok := strings.CutPrefix(path, other)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
	}
	return slices.ContainsFunc(changes, func(c merge.Change) bool {
		return path == "" || within(c.Path, path) || within(path, c.Path)
	})
}

// WhyByLines words the reason for a merge by lines: of a version that cannot be
// read it says which one, and where. Every command has it so.
func WhyByLines(reason string) string {
	side, why, _ := strings.Cut(reason, ": ")
	if !slices.Contains([]string{"base", "ours", "theirs"}, side) || why == "" {
		return reason
	}
	at := ""
	if place, rest, ok := strings.Cut(why, ": "); ok && strings.HasPrefix(place, "line ") {
		at, why = ", at its "+place, rest
	}
	return side + " cannot be read as YAML" + at + ": " + why
}
