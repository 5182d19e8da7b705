package merge

import "github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"

// CheckOptions are the options of Check.
type CheckOptions struct {
	// Path is the path of the file in its repository, separated by slashes. It selects rules for well-known files.
	Path string
	// Rules are the team's rules. Where their policies decide a conflict, any decision is accepted. nil means none.
	Rules *Rules
	// Own is the side that is the user's own work, for the policies own, upstream and next.
	Own Own
}

// A Finding is an error in the result of a merge: something is missing, or was added although neither side added it.
type Finding struct {
	// Path names the entry, as in spec.template.spec.containers[name=web].image. It is empty if the finding is about
	// the whole file.
	Path string `json:"path"`
	// Line is the line of a conflict marker in the result, from 1. It is 0 for other findings.
	Line int `json:"line,omitempty"`
	// Rule is the name of the violated rule: lost, undone, wrong value, duplicate, unexpected, deleted and modified, wrong
	// comment, conflict markers, and so on.
	Rule string `json:"rule"`
	// Detail describes what was expected. It calls the versions base, ours and theirs.
	Detail string `json:"detail"`
}

// String returns f as one line: path: rule: detail. Without a path, the line begins with the rule.
func (f Finding) String() string {
	s := f.Rule + ": " + f.Detail
	if f.Path != "" {
		s = f.Path + ": " + s
	}
	return s
}

// Check returns the errors in the result of a three-way merge that git, the user or another program made. Every edit
// of each side must be in the result, and nothing else. Indentation, quotes and order are not checked.
//
// Some errors are not reported:
//
//   - Where Merge has a conflict, the user may have written anything except the value of base. Where the team's
//     policies decide a conflict, the user may have decided differently. The same holds for a counter that restarts
//     with a version by the team's rules.
//   - If result is git's clean line merge, only what Merge regards as a defect is reported.
//
// Two errors are reported in addition:
//
//   - rule next: a version has one value for two releases although the team's rules have the policy next for it.
//   - Multiplied fields grant what neither side grants, and Merge has a conflict about them but git has none. It
//     cannot be known then that the user decided it.
//
// Check stops after about 100 findings, and has at most one for each list without associative keys. It returns an error
// if the versions cannot be merged as YAML, or if Own is not one of the constants of its type.
func Check(base, ours, theirs, result []byte, opts CheckOptions) ([]Finding, error) {
	own, err := opts.Own.toEngine()
	if err != nil {
		return nil, err
	}
	found, err := engine.Check(base, ours, theirs, result, engine.Options{Path: opts.Path, Rules: opts.Rules.schemaOrEmpty(), Own: own})
	return findingsFrom(found), err
}

// findingsFrom converts findings.
func findingsFrom(found []engine.Finding) (all []Finding) {
	for _, f := range found {
		all = append(all, Finding{f.Path, f.Line, f.Rule, f.Detail})
	}
	return all
}
