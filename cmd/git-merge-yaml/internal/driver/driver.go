// Package driver merges three files as git asks a merge driver for it: by fields
// in the library or, where that is switched off, not possible or fails, by lines
// as git does. It reads the team's rules and git's settings for that, and writes
// nothing.
package driver

import (
	"fmt"
	"path/filepath"
	"sync"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/own"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Merger is one merge of three files.
type Merger struct {
	Options
	In       Inputs
	Git      git.Git // in the repository that the files are of
	Library  Library
	Alone    bool         // whoever asks for the merge need not be git, nor after one of git's
	Team     *merge.Rules // once Run has read them; those that stand here it takes
	settings *git.LazySettings
}

// A Library is merge.Merge; tests put in one that fails.
type Library = func(original, dest, updated []byte, opts merge.Options) (merge.Result, error)

// Run returns what is to be written: the merge by fields or, where that is
// switched off or fails, or the team's rules cannot be read, git's merge by
// lines.
func (m *Merger) Run(off bool) (merge.Result, error) {
	if off {
		return m.byLine("")
	}
	if m.Team == nil {
		var err error
		if m.Team, _, err = team.ForMerge(m.Git, m.Config, m.gitSettings()); err != nil {
			return m.byLine(team.Mistakes(err))
		}
	}
	res, err := m.ByField()
	if err != nil {
		return m.byLine(err.Error())
	}
	return res, nil
}

// ByField merges in the library. A panic there is an error here, since a
// program that dies leaves ours unmarked.
//
// The library's own line merge is that of git merge, in this process: to run
// git would take most of the time of a merge. Only where conflicts are to be
// decided is it git's.
func (m *Merger) ByField() (res merge.Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Bug(r)
		}
	}()
	return m.Library(m.In.Base.Bytes, m.In.Ours.Bytes, m.In.Theirs.Bytes, m.LibraryOptions())
}

// LibraryOptions are the options of the library.
func (m *Merger) LibraryOptions() merge.Options {
	opts := merge.Options{
		Path:    filepath.ToSlash(m.Path),
		Rules:   m.Team,
		RuleSet: RuleSets[m.Rules],
		Markers: m.Markers,
		Resolve: resolves[m.Resolve],
		Own:     sync.OnceValue(m.own),
		MaxSize: m.MaxSize,
	}
	if m.Resolve != "" {
		opts.LineMerge = m.lines().merge
	}
	return opts
}

// own is the side that is one's own.
func (m *Merger) own() merge.Own {
	if m.Options.Own != "" {
		return owns[m.Options.Own]
	}
	return own.Side(m.Git, m.Labels, m.Alone)
}

// styleKey is how git is configured to write conflicts.
const styleKey = "merge.conflictStyle"

// Markers is how conflicts are written; it asks git for their style, unless
// an option says it.
func (m *Merger) Markers() merge.Markers {
	style := m.Style
	if style == "" {
		style = m.gitSettings().Value(styleKey)
	}
	return merge.Markers{
		Style: styles[style], // merge, where it is not set
		Size:  m.MarkerSize,
		Ours:  m.Labels[0], Base: m.Labels[1], Theirs: m.Labels[2],
	}
}

// gitSettings are the settings of git that a merge reads.
func (m *Merger) gitSettings() *git.LazySettings {
	if m.settings == nil {
		m.settings = m.Git.LazySettings(team.Key, styleKey)
	}
	return m.settings
}

// Bug is the error for a panic.
func Bug(panicked any) error {
	return fmt.Errorf("a bug in git-merge-yaml, please report it: %v", panicked)
}
