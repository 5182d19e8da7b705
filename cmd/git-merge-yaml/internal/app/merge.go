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
	if err := a.checkFiles(c); err != nil {
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
	off := strings.EqualFold(os.Getenv("GIT_MERGE_YAML"), "off")
	s := &session.Session{Options: o.session, Library: a.Merge, Into: o.into}
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
func (a *App) writeMerged(o mergeOptions, ours, result []byte) error {
	if o.stdout {
		return a.print(result)
	}
	if o.output != "" {
		if err := disk.ReplaceOrMake(o.output, result); err != nil {
			return fmt.Errorf("cannot write %s: %w", o.output, err)
		}
		return nil
	}
	if bytes.Equal(result, ours) {
		return nil
	}
	if err := disk.Replace(o.ours, result); err != nil {
		return fmt.Errorf("cannot replace OURS, which is left as it was: %w", err)
	}
	return nil
}

// report says on stderr what is left to do, what git would not have done,
// and why YAML was not merged as YAML; of any other merge nothing.
func (a *App) report(o mergeOptions, m *driver.Merger, res merge.Result) {
	name := filepath.ToSlash(cmp.Or(o.Path, o.ours))
	if o.quiet {
		return
	}
	lines := m.Generated(name, res)
	if m.MistakeSaid(res) {
		res.Reason = ""
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

// checkFiles says what is wrong with the arguments of a merge. Without any it shows the
// commands, and fails all the same: git takes an end with 0 for a clean merge.
func (a *App) checkFiles(c *cli.Context) error {
	switch files := c.Args().Slice(); len(files) {
	case 3:
		return nil
	case 0:
		if err := cli.ShowAppHelp(c); err != nil {
			return err
		}
		return errors.New("want a command, or three files: BASE OURS THEIRS")
	default:
		if _, err := os.Stat(files[0]); err != nil {
			return fmt.Errorf("%s is neither a command nor a file. %s (git-merge-yaml --help lists the commands)",
				files[0], cli.SuggestCommand(a.commands(), files[0]))
		}
		return fmt.Errorf("want three files, BASE OURS THEIRS, got %d: %s", len(files), strings.Join(files, " "))
	}
}

// readInputs reads the files of a merge.
func readInputs(o mergeOptions) (in driver.Inputs, err error) {
	if info, err := os.Stat(o.ours); err == nil && !o.stdout && o.output == "" && !info.Mode().IsRegular() && !info.IsDir() {
		return in, fmt.Errorf("cannot replace OURS: %s is not a regular file; --stdout prints the result instead", o.ours)
	}
	for _, f := range []struct {
		role, path string
		to         *[]byte
	}{{"OURS", o.ours, &in.Ours}, {"BASE", o.base, &in.Base}, {"THEIRS", o.theirs, &in.Theirs}} {
		if *f.to, err = disk.Read(f.path); err != nil {
			return in, fmt.Errorf("cannot read %s: %w (want the three files BASE OURS THEIRS)", f.role, err)
		}
	}
	return in, nil
}

func (a *App) print(b []byte) error {
	if _, err := a.Stdout.Write(b); err != nil {
		return fmt.Errorf("cannot print the result: %w", err)
	}
	return nil
}
