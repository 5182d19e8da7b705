// Package report takes one merge of a file, and gives a folder for an issue: the
// three versions, what the program and git make of them, and by which settings.
//
// Where the files are not for everybody, it replaces their words by others of the
// same shape, and checks that the merge comes out the same way.
package report

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Report is one merge of a file.
type Report struct {
	Path               string
	Base, Ours, Theirs []byte
	Committed          []byte // nil if there is none
	// Rules is the team's file, nil if there is none.
	Rules []byte
	Own   merge.Own
	// RuleSet is kustomize, or "" for the default rules.
	RuleSet string
	// Settings are lines about the program and its surroundings.
	Settings []string
	// Replaced says which words were replaced; nil is none.
	Replaced *Replaced
}

// Replaced says how a report was made anonymous.
type Replaced struct {
	Words int      // that were replaced
	Kept  []string // on which the merge depends
}

// merge merges what r has.
func (r *Report) merge() (merge.Result, error) {
	opts := merge.Options{Path: r.Path, RuleSet: session.RuleSets[r.RuleSet], Own: func() merge.Own { return r.Own }, Markers: markers}
	if r.Rules != nil {
		rules, err := merge.ParseRules(rulesName, r.Rules, "")
		if err != nil {
			return merge.Result{}, err
		}
		opts.Rules = rules
	}
	return merge.Merge(r.Base, r.Ours, r.Theirs, opts)
}

const rulesName = ".git-merge-yaml.yaml"

func markers() merge.Markers {
	return merge.Markers{Base: "base", Ours: "ours", Theirs: "theirs"}
}

// Write writes the folder, which must not exist.
func (r *Report) Write(dir string) error {
	res, err := r.merge()
	if err != nil {
		return err
	}
	byLine, _, err := merge.MergeLines(r.Base, r.Ours, r.Theirs, markers())
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	about := r.about(res)
	for _, f := range []struct {
		name string
		data []byte
	}{
		{"base.yaml", r.Base}, {"ours.yaml", r.Ours}, {"theirs.yaml", r.Theirs}, {"result.yaml", res.Bytes},
		{"git.yaml", byLine}, {"committed.yaml", r.Committed}, {rulesName, r.Rules}, {"about.md", []byte(about)},
	} {
		if f.data != nil {
			err = errors.Join(err, os.WriteFile(filepath.Join(dir, f.name), f.data, 0o666))
		}
	}
	return err
}

// about is the text beside the files.
func (r *Report) about(res merge.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# A merge of %s\n\n", r.Path)
	fmt.Fprintf(&b, "- method: %s", res.Method)
	if res.Reason != "" {
		fmt.Fprintf(&b, " (%s)", res.Reason)
	}
	if res.Refused != "" {
		b.WriteString("; " + res.Refused)
	}
	fmt.Fprintf(&b, "\n- conflicts: %d, git's line merge: %d\n", len(res.Conflicts), res.LineConflicts)
	for _, c := range res.Conflicts {
		fmt.Fprintf(&b, "- conflict: %s (%s), line %d of the result\n", c.Path, c.Kind, c.Line)
	}
	for _, c := range res.Resolved {
		fmt.Fprintf(&b, "- decided: %s by %s\n", c.Path, c.By)
	}
	for _, s := range r.Settings {
		fmt.Fprintf(&b, "- %s\n", s)
	}
	if a := r.Replaced; a != nil {
		fmt.Fprintf(&b, "- anonymous: %s replaced; the merge comes out as that of the original\n", terminal.Count(a.Words, "word"))
		if len(a.Kept) > 0 {
			fmt.Fprintf(&b, "- kept, since the merge depends on them: %s\n", strings.Join(a.Kept, ", "))
		}
	}
	config := ""
	if r.RuleSet != "" {
		config = " --rules " + r.RuleSet
	}
	if r.Rules != nil {
		config += " --config " + rulesName
		for side, own := range session.Sides {
			if own == r.Own {
				config += " --own " + side
			}
		}
	}
	fmt.Fprintf(&b, "\nresult.yaml is what this prints, here:\n\n    git merge-yaml -p --path '%s'%s base.yaml ours.yaml theirs.yaml\n\n", strings.ReplaceAll(r.Path, "'", `'\''`), config)
	b.WriteString("git.yaml is git's line merge")
	if r.Committed != nil {
		b.WriteString(", committed.yaml what was committed")
	}
	b.WriteString(".\n\nWhat was expected instead:\n")
	return b.String()
}

// same reports whether a merge came out as another one did, whose words were
// replaced by those of a.
func same(a *anonymizer, was, now merge.Result) bool {
	if was.Method != now.Method || was.LineConflicts != now.LineConflicts || len(was.Resolved) != len(now.Resolved) {
		return false
	}
	if !slices.EqualFunc(was.Conflicts, now.Conflicts, func(x, y merge.Conflict) bool { return x.Kind == y.Kind && x.Line == y.Line }) {
		return false
	}
	return bytes.Equal(a.marked(was.Bytes), now.Bytes)
}

// Said is what is to be said of a folder that was written.
func (r *Report) Said(dir string) []string {
	lines := []string{dir + ": written; " + filepath.Join(dir, "about.md") + " is the text for the issue"}
	switch {
	case r.Replaced == nil:
		lines = append(lines, "the files are as they are in the repository (--anonymous replaces their words)")
	case len(r.Replaced.Kept) == 0:
		lines = append(lines, terminal.Count(r.Replaced.Words, "word")+" replaced, all but those of YAML itself")
	default:
		lines = append(lines, terminal.Count(r.Replaced.Words, "word")+" replaced; kept, since the merge depends on them: "+strings.Join(r.Replaced.Kept, ", "))
	}
	return lines
}
