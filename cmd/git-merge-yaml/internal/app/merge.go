package app

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A merger is one merge of three files.
type merger struct {
	mergeOptions
	app      *App
	in       inputs
	lines    lineMerger
	team     *merge.Rules // once they are read
	settings *git.LazySettings
}

// mergeCommand is the program without a command: the merge driver.
func (a *App) mergeCommand(c *cli.Context, args []string) error {
	if err := a.checkFiles(c.Args().Slice(), args); err != nil {
		return err
	}
	o, err := parseMerge(c)
	if err != nil {
		return err
	}
	in, err := readInputs(o)
	if err != nil {
		return err
	}
	m := &merger{mergeOptions: o, app: a, in: in, lines: lineMerger{in: in, resolve: o.resolve}}
	return m.run()
}

// run merges, then writes, then reports; a result is never written in part.
func (m *merger) run() error {
	off := strings.EqualFold(os.Getenv("GIT_MERGE_YAML"), "off")
	res, err := m.merge(off)
	if err != nil {
		return err
	}
	if err := m.write(res.Bytes); err != nil {
		return err
	}
	if !m.quiet && !off && !m.ofAncestors() {
		m.report(res)
	}
	if !res.Clean() {
		return errConflicts
	}
	return nil
}

// ofAncestors reports whether git merges two common ancestors to have one:
// nobody will see that file, nor what is in conflict there.
func (m *merger) ofAncestors() bool { return m.labels[0] == "Temporary merge branch 1" }

// merge returns what is to be written: the merge by fields or, where that is
// switched off or fails, or the team's rules cannot be read, git's merge by
// lines.
func (m *merger) merge(off bool) (merge.Result, error) {
	if off {
		return m.byLine("")
	}
	if err := m.readRules(); err != nil {
		return m.byLine(mistakes(err))
	}
	res, err := m.byField()
	if err != nil {
		return m.byLine(err.Error())
	}
	return res, nil
}

// byField merges in the library. A panic there is an error here, since a
// program that dies leaves ours unmarked.
//
// The library's own line merge is that of git merge, in this process: to run
// git would take most of the time of a merge. Only where conflicts are to be
// decided is it git's.
func (m *merger) byField() (res merge.Result, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = bug(r)
		}
	}()
	return m.app.Merge(m.in.base.Bytes, m.in.ours.Bytes, m.in.theirs.Bytes, m.options())
}

// options are the options of the library.
func (m *merger) options() merge.Options {
	opts := merge.Options{
		Path:    filepath.ToSlash(m.path),
		Rules:   m.team,
		RuleSet: ruleSets[m.rules],
		Markers: m.markers,
		Resolve: resolves[m.resolve],
		MaxSize: m.maxSize,
	}
	if m.resolve != "" {
		opts.LineMerge = m.lines.merge
	}
	return opts
}

// styleKey is how git is configured to write conflicts.
const styleKey = "merge.conflictStyle"

// markers is how conflicts are written; it asks git for their style, unless
// an option says it.
func (m *merger) markers() merge.Markers {
	style := m.style
	if style == "" {
		style = m.setting(styleKey)
	}
	return merge.Markers{
		Style: styles[style], // merge, where it is not set
		Size:  m.markerSize,
		Ours:  m.labels[0], Base: m.labels[1], Theirs: m.labels[2],
	}
}

// write puts the result where it belongs.
func (m *merger) write(result []byte) error {
	if m.stdout {
		if _, err := m.app.Stdout.Write(result); err != nil {
			return fmt.Errorf("cannot print the result: %w", err)
		}
		return nil
	}
	if m.output != "" {
		if err := disk.ReplaceOrMake(m.output, result); err != nil {
			return fmt.Errorf("cannot write %s: %w", m.output, err)
		}
		return nil
	}
	if bytes.Equal(result, m.in.ours.Bytes) {
		return nil
	}
	if err := disk.Replace(m.ours, result); err != nil {
		return fmt.Errorf("cannot replace OURS, which is left as it was: %w", err)
	}
	return nil
}
