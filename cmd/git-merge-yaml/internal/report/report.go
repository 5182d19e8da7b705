// Package report takes one merge of a file, and gives a folder for an issue: the
// three versions, what the program and git make of them, and by which settings.
package report

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
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
	// Generated says what makes the file, "" if nothing is known to.
	Generated string
	// Settings are lines about the program and its surroundings.
	Settings []string
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
	res, err := merge.Merge(r.Base, r.Ours, r.Theirs, opts)
	return session.LeftBy(opts.Rules, r.Path, r.Ours, res), err
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
	if r.Generated != "" {
		fmt.Fprintf(&b, "- %s\n", r.Generated)
	}
	for _, c := range res.Conflicts {
		fmt.Fprintf(&b, "- conflict: %s (%s), line %d of the result\n", c.Path, c.Kind, c.Line)
	}
	for _, c := range res.Resolved {
		fmt.Fprintf(&b, "- decided: %s by %s\n", c.Path, c.By)
	}
	for _, s := range r.Settings {
		fmt.Fprintf(&b, "- %s\n", s)
	}
	config := ""
	if r.RuleSet != "" {
		config = " --rules " + r.RuleSet
	}
	if r.Rules != nil {
		config += " --config " + rulesName
		for side, own := range situation.Sides {
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

// Said is what is to be said of a folder that was written.
func Said(dir string) string {
	return dir + ": written; " + filepath.Join(dir, "about.md") + " is the text for the issue, the files are as in the repository"
}
