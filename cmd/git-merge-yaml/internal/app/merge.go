package app

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// mergeCommand is the program without a command: the merge driver.
func (a *App) mergeCommand(c *cli.Context) error {
	if err := a.checkFiles(c.Args().Slice()); err != nil {
		return err
	}
	return a.merge(givenTo(c))
}

// merge merges three files. It writes once it has merged, then reports; a result is never
// written in part.
func (a *App) merge(g given) error {
	o, err := g.parse()
	if err != nil {
		return err
	}
	in, err := readInputs(o)
	if err != nil {
		return err
	}
	off := strings.EqualFold(os.Getenv("GIT_MERGE_YAML"), "off")
	s := &session.Session{Options: o.session, Library: a.Merge, Into: g.into()}
	m := &driver.Merger{Options: o.Options, Session: s, In: in, Alone: true}
	res, err := m.Run(off)
	if err != nil {
		return err
	}
	if err := a.writeMerged(o, in.Ours, res.Bytes); err != nil {
		return err
	}
	if !off && !m.OfAncestors() {
		a.report(o, m, res)
	}
	if !res.Clean() {
		return errConflicts
	}
	return nil
}

// writeMerged puts the result where it belongs, which is in the place of ours
// unless an option says otherwise.
func (a *App) writeMerged(o mergeOptions, ours disk.File, result []byte) error {
	if o.stdout {
		return a.print(result)
	}
	if o.output != "" {
		if err := disk.ReplaceOrMake(o.output, result); err != nil {
			return fmt.Errorf("cannot write %s: %w", o.output, err)
		}
		return nil
	}
	if bytes.Equal(result, ours.Bytes) {
		return nil
	}
	if err := disk.Replace(o.ours, result); err != nil {
		return fmt.Errorf("cannot replace OURS, which is left as it was: %w", err)
	}
	return nil
}

// report says on stderr what is left to do, what git would not have done,
// and why YAML was not merged as YAML; of any other merge nothing. What is to be made again is
// written down.
func (a *App) report(o mergeOptions, m *driver.Merger, res merge.Result) {
	name := filepath.ToSlash(cmp.Or(o.Path, o.ours))
	lines := m.NoteGenerated(name, res)
	if o.quiet {
		return
	}
	if _, generated := m.File().Rule(); !generated || m.Resolve != "" { // how that merged, nobody will see
		lines = append(lines, m.Messages(name, res)...)
	}
	if rules, err := m.Session.Rules(); err == nil && o.Path == "" && rules.NamesFiles() {
		lines = append(lines, fmt.Sprintf("%s: without --path it is none of the files that entries of %s are for", name, m.Session.RulesFile()))
	}
	if advice := m.Advice(name, res); advice != "" {
		lines = append(lines, advice)
	}
	for _, line := range lines {
		fmt.Fprintln(a.Stderr, terminal.Printable(line))
	}
}

// checkFiles says what is wrong with the arguments of a merge.
func (a *App) checkFiles(files []string) error {
	if len(files) == 3 {
		return nil
	}
	if len(files) == 0 {
		return errors.New("want three files: git-merge-yaml [options] [--] BASE OURS THEIRS, in git's order %O %A %B (--help says more)")
	}
	if _, err := os.Stat(files[0]); err != nil {
		return fmt.Errorf("%s is neither a command nor a file%s (git-merge-yaml --help lists the commands)", files[0], a.suggestCommand(files[0]))
	}
	return fmt.Errorf("want three files, BASE OURS THEIRS, got %d: %s", len(files), strings.Join(files, " "))
}
