package merge

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"

// CheckOptions are the options of Check. The zero value has no path and no rules, and does not know the user's own
// side.
type CheckOptions struct {
	// Path is the path of the file in its repository, separated by slashes. It selects rules for well-known files, and
	// entries of the team's rules. The file is not opened. If it is empty, only rules for all files apply.
	Path string
	// Rules are the team's rules. If their policies decide a conflict, any decision in its place is accepted. nil
	// means none.
	Rules *Rules
	// Own is the side that is the user's own work, for the policies own, upstream and next of the team's rules. The
	// zero value is SideUnknown.
	Own Side
}

// A Finding is an error in the result of a merge: something is missing, or was added although neither side added it.
type Finding struct {
	// Path names the entry, as in spec.template.spec.containers[name=web].image. It is empty if the finding is about
	// the whole file.
	Path string `json:"path"`
	// Line is the line of a conflict marker in the result, from 1. It is 0 for other findings.
	Line int `json:"line,omitempty"`
	// Rule is the name of the violated rule: lost, undone, wrong value, duplicate, unexpected, deleted and modified,
	// wrong comment, conflict markers, and so on.
	Rule string `json:"rule"`
	// Detail describes what was expected. It calls the versions base, ours and theirs.
	Detail string `json:"detail"`
}

// String returns f as one line: path: rule: detail. Without a path, the line begins with the rule, as in
// "conflict markers: unresolved conflict at line 12".
func (f Finding) String() string {
	s := f.Rule + ": " + f.Detail
	if f.Path != "" {
		s = f.Path + ": " + s
	}
	return s
}

// Check returns the errors in result, the file that git or the user made of a merge: edits that are lost, and edits
// that no side made. Indentation, quotes and order may differ. It fails, perhaps with incomplete findings, if the
// versions cannot be merged as YAML, or if Own or a custom resource definition is invalid.
func Check(base, ours, theirs, result []byte, opts CheckOptions) ([]Finding, error) {
	own, err := opts.Own.toEngine()
	if err != nil {
		return nil, err
	}
	found, err := engine.Check(base, ours, theirs, result, engine.Options{Path: opts.Path, Rules: opts.Rules.teamOrEmpty(), Own: own})
	return findingsFrom(found), err
}

// findingsFrom converts findings of package engine, in their order. It returns nil if there are none.
func findingsFrom(found []engine.Finding) []Finding {
	return mapEach(found, func(f engine.Finding) Finding { return Finding(f) })
}
