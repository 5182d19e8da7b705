// Package driver merges three files as git asks a merge driver for it: by fields
// in the library or, where that is switched off, not possible or fails, by lines
// as git does. It reads the team's rules and git's settings for that, and writes
// nothing.
package driver

import (
	"fmt"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A Merger is one merge of three files.
type Merger struct {
	Options
	*session.Session
	In    Inputs
	Alone bool // whoever asks for the merge need not be git, nor after one of git's

	favoured bool // Resolve is what -X says in the operation that git is at
}

// Run returns what is to be written: the merge by fields or, where that is
// switched off or fails, or the team's rules cannot be read, git's merge by
// lines. Of a file that a program is to make again, it is ours where it does not merge clean,
// unless git merges ancestors, which nobody makes again.
func (m *Merger) Run(off bool) (merge.Result, error) {
	if m.Alone && m.Resolve == "" && m.RuleSet == "" && !m.mayBeAncestor() {
		m.Resolve = m.File().Favour(m.Labels)
		m.favoured = m.Resolve != ""
	}
	if off {
		return m.byLine("")
	}
	if m.MarkerSize > MaxMarkerSize {
		return m.byLine(fmt.Sprintf("its markers are of more than %d characters", MaxMarkerSize))
	}
	res, err := m.merge()
	if err != nil || m.Resolve != "" || m.OfAncestors() {
		return res, err
	}
	return m.File().Left(m.File().Sealed(res, func(f session.File) (merge.Result, error) {
		of := *m
		of.In = Inputs{f.Base, f.Ours, f.Theirs}
		return of.merge()
	})), nil
}

// OfAncestors reports whether git merges two common ancestors to have one: nobody will see
// that file, nor what is in conflict there.
func (m *Merger) OfAncestors() bool { return m.Labels[0] == "Temporary merge branch 1" }

func (m *Merger) merge() (merge.Result, error) {
	if _, err := m.Session.Rules(); err != nil {
		return m.byLine(team.Mistakes(err))
	}
	if m.File().IsText() {
		return m.byLine("")
	}
	res, err := m.ByField()
	if err != nil {
		return m.byLine(err.Error())
	}
	return res, nil
}

// ByField merges in the library. A panic there is an error here, since a
// program that dies leaves ours unmarked.
func (m *Merger) ByField() (res merge.Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Bug(r)
		}
	}()
	return m.Library(m.In.Base, m.In.Ours, m.In.Theirs, m.LibraryOptions())
}

// File is the merge by fields.
func (m *Merger) File() session.File {
	f := m.Session.File(m.Path, m.In.Base, m.In.Ours, m.In.Theirs, nil).Now(m.Labels, m.Alone)
	f.RuleSet = m.RuleSet
	return f
}

// Advice is a line about the conflicts of res that rules which nobody adopted would
// decide; "" if there are none, or the line was told in this merge before.
func (m *Merger) Advice(name string, res merge.Result) (line string) {
	if res.Clean() || session.IsLeft(res) || m.Resolve != "" || m.Path == "" || res.Method != merge.Structural || !m.Advises() {
		return ""
	}
	m.Once(m.Labels, "advice", func() bool {
		a, ok := m.File().Advice(res.Conflicts)
		if ok {
			line = AdviceMessage(name, a)
		}
		return ok
	})
	return line
}

// MistakeSaid reports whether res was merged by lines for a mistake in the team's rules that was said of
// another file of this merge. Where git locks nothing, one merge is not told from the next, and all say it.
func (m *Merger) MistakeSaid(res merge.Result) bool {
	_, err := m.Session.Rules()
	if err == nil || res.Reason != team.Mistakes(err) || m.Path == "" || !m.Situation(m.Labels).Locked() {
		return false
	}
	before := true
	m.Once(m.Labels, "mistake", func() bool {
		before = false
		return true
	})
	return before
}

// LibraryOptions are the options of the library.
func (m *Merger) LibraryOptions() merge.Options {
	opts := m.File().Merging()
	opts.Markers, opts.Resolve = m.Markers, resolves[m.Resolve]
	return opts
}
