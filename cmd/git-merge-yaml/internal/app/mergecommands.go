package app

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/kube"
	"github.com/git-merge-yaml/git-merge-yaml/merge/linemerge"
)

// sessionOptions returns the values of the options --config, --rules and --own.
func sessionOptions(c *cli.Context) session.Options {
	return session.Options{Config: c.String("config"), RuleSet: c.String("rules"), Own: c.String("own")}
}

// newSession returns a session (the team's rules and the settings for merges) in the current directory, with the
// options --config, --rules and --own.
func (a *App) newSession(c *cli.Context) *session.Session {
	s := session.New(sessionOptions(c))
	s.Library = a.Merge
	return s
}

// newCheckedSession returns the session of newSession, and prints the first mistake in the team's rules to a.Stderr;
// only the rules with mistakes are ignored. The error is not nil if no rules can be used at all. The session can be
// used even with an error; it then has no rules.
func (a *App) newCheckedSession(c *cli.Context) (*session.Session, error) {
	s := a.newSession(c)
	a.printRulesNotice(s)
	return s, s.FirstRulesError()
}

// printRulesNotice prints a line to a.Stderr if the team's rules do not apply as they are written: the first mistake in
// them and the number of the others, or the name of a file that is not read because its name is not exactly
// .git-merge-yaml.yaml.
func (a *App) printRulesNotice(s *session.Session) {
	if notice := s.RulesNotice(); notice != "" {
		terminal.PrintLine(a.Stderr, "%s", notice)
	}
}

// parseMerge parses the arguments of the merge driver, [options] BASE OURS THEIRS. It returns the options of the
// driver, and the file to merge without its contents, which the caller reads from the three files. It fails if there
// are not three files, or if an option is invalid or contradicts another one. Without any files, it also prints the
// help.
func (a *App) parseMerge(c *cli.Context) (f session.File, o driver.Options, err error) {
	switch files := c.Args().Slice(); len(files) {
	case 3:
	case 0: // an error in any case: exit code 0 would be a clean merge for git
		return f, o, cmp.Or(cli.ShowAppHelp(c), errors.New("expected a command, or three files (BASE OURS THEIRS)"))
	default:
		if _, err := os.Stat(files[0]); err != nil {
			return f, o, unknownCommandError(files[0], a.commands())
		}
		return f, o, fmt.Errorf("expected three files (BASE OURS THEIRS), got %d: %s", len(files), strings.Join(files, " "))
	}
	o = driver.Options{Style: c.String("style"), Labels: [3]string{"ours", "base", "theirs"}, MarkerSize: linemerge.DefaultMarkerSize, CallerUnknown: true}
	sessionOpts := sessionOptions(c)
	_, err = exclusiveOption(c, "stdout", "output")
	resolve, err2 := exclusiveOption(c, "ours", "theirs", "union")
	if err = cmp.Or(err, err2); err != nil {
		return f, o, err
	}
	if o.Resolve = resolve; sessionOpts.RuleSet == "kustomize" && resolve != "" {
		return f, o, fmt.Errorf("--rules %s and --%s cannot be used together: these rules leave no conflicts", sessionOpts.RuleSet, resolve)
	}
	if size := c.String("marker-size"); size != "" && size != "%L" {
		if o.MarkerSize, err = strconv.Atoi(size); err != nil || o.MarkerSize < 1 || o.MarkerSize > math.MaxInt32 {
			return f, o, fmt.Errorf("invalid value %q for --marker-size; use a number from 1 to %d", size, math.MaxInt32)
		}
	}
	labels, into := c.StringSlice("L"), ""
	if len(labels) > len(o.Labels) {
		return f, o, fmt.Errorf("too many labels (%d); use -L at most three times, for ours, base and theirs", len(labels))
	}
	for i, l := range labels {
		// Git before 2.44 passes %X, %S and %Y unchanged, and git rerere passes empty labels: these labels are unknown.
		if o.Labels[i] = l; l == "%X" || l == "%S" || l == "%Y" {
			o.Labels[i] = ""
		}
		into = o.Labels[0]
	}
	// it has no work tree: git starts the driver at the top of the work tree
	s := &session.Session{Options: sessionOpts, Library: a.Merge, Into: into}
	return s.NewFile(c.String("path"), nil, nil, nil), o, nil
}

// merge runs the program as the merge driver: it merges three files and writes the result to the second one, ours, or
// to the output of --stdout or --output. It prints messages to a.Stderr. Environment variables can turn the merge by
// field off and log the merge. The error is errUnresolved if there are conflicts. After any other error, ours is
// unchanged.
func (a *App) merge(c *cli.Context) error {
	start := time.Now()
	versions, o, err := a.parseMerge(c)
	if err != nil {
		return err
	}
	base, ours, theirs, output := c.Args().Get(0), c.Args().Get(1), c.Args().Get(2), c.String("output")
	if info, err := os.Stat(ours); err == nil && !c.Bool("stdout") && output == "" && !info.Mode().IsRegular() && !info.IsDir() {
		return fmt.Errorf("cannot replace OURS: %s is not a regular file; use --stdout to print the result", ours)
	}
	for _, f := range []struct {
		role, path string
		to         *[]byte
	}{{"OURS", ours, &versions.Ours}, {"BASE", base, &versions.Base}, {"THEIRS", theirs, &versions.Theirs}} {
		if *f.to, err = disk.Read(f.path); err != nil {
			return fmt.Errorf("cannot read %s: %w", f.role, err)
		}
	}
	m := driver.New(versions, o)
	// then the files are merged by lines, without messages
	off := session.IsOff(os.Getenv("GIT_MERGE_YAML"))
	res, err := m.Run(off)
	if trace := os.Getenv(driver.TraceKey); trace != "" {
		now := time.Now()
		line := m.TraceLine
		if strings.HasSuffix(trace, ".jsonl") {
			line = m.TraceJSON
		}
		a.writeTrace(trace, line(filepath.ToSlash(cmp.Or(m.Path, ours)), res, err, off, now, now.Sub(start)))
	}
	if err != nil {
		return err
	}
	switch {
	case c.Bool("stdout"):
		if _, err := c.App.Writer.Write(res.Bytes); err != nil {
			return err
		}
	case output != "":
		if err := disk.ReplaceOrCreate(output, res.Bytes); err != nil {
			return fmt.Errorf("cannot write %s: %w", output, err)
		}
	case !bytes.Equal(res.Bytes, m.Ours):
		if err := disk.Replace(ours, res.Bytes); err != nil {
			return fmt.Errorf("cannot replace OURS, which is unchanged: %w", err)
		}
	}
	if !off && !m.MergesAncestors() && !c.Bool("quiet") {
		lines := m.Report(filepath.ToSlash(cmp.Or(m.Path, ours)), res)
		if len(lines) > 0 && git.IsTrue(m.Repo().ConfigValue(quietKey)) { // it is read only if it has an effect
			lines = nil
		}
		for _, line := range lines {
			terminal.PrintLine(a.Stderr, "%s", line)
		}
	}
	return errorUnlessDone(res.Clean(), nil)
}

// quietKey is the key in git's configuration that has the effect of --quiet if it is true.
const quietKey = "merge.yaml.quiet"

// writeTrace writes line, with a line break, to the log of merges that trace selects, the value of the environment
// variable driver.TraceKey. For another value, or if the file cannot be written, it prints that to a.Stderr.
//
//	1, true             the line is printed to a.Stderr
//	0, false            nothing is logged
//	an absolute path    the line is appended to that file
func (a *App) writeTrace(trace, line string) {
	switch strings.ToLower(trace) {
	case "0", "false":
		return
	case "1", "true":
		fmt.Fprintln(a.Stderr, line)
		return
	}
	err := errors.New("use 1, or the absolute path of a file")
	if filepath.IsAbs(trace) {
		var f *os.File
		if f, err = os.OpenFile(trace, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666); err == nil {
			_, err = f.WriteString(line + "\n") // in one step, since other merges append too
			err = cmp.Or(err, f.Close())
		}
	}
	if err != nil {
		terminal.PrintLine(a.Stderr, "git-merge-yaml: %s=%s: %v", driver.TraceKey, trace, err)
	}
}

// merge2 runs the command merge2 SRC DEST, which writes the fields of one YAML file into another, as kustomize does:
// values of SRC replace those of DEST, null removes a field, and fields that only DEST has remain. It replaces DEST or,
// with --stdout, prints the result. After an error, DEST is unchanged.
func (a *App) merge2(c *cli.Context) error {
	files, opts, err := a.readTwoFiles(c, "SRC DEST")
	if err != nil {
		return err
	}
	res, err := kube.Merge2(files[0], files[1], opts)
	switch {
	case err != nil:
		return err
	case c.Bool("stdout"):
		_, err = c.App.Writer.Write(res.Bytes)
		return err
	case bytes.Equal(res.Bytes, files[1]):
		return nil
	}
	return disk.Replace(c.Args().Get(1), res.Bytes)
}

// apply runs the command apply CONFIG LIVE, which prints what `kubectl apply` would make of LIVE, a resource as the
// cluster has it, with the configuration CONFIG. Fields that were applied last and are not in CONFIG are removed. What
// was applied last is the file of --last-applied or an annotation of LIVE. No file is changed.
func (a *App) apply(c *cli.Context) error {
	files, opts, err := a.readTwoFiles(c, "CONFIG LIVE")
	if err != nil {
		return err
	}
	var last []byte
	if opts.Names.Base = c.String("last-applied"); opts.Names.Base != "" {
		if last, err = disk.Read(opts.Names.Base); err != nil {
			return err
		}
	}
	res, err := kube.ApplyAnnotated(last, files[0], files[1], opts)
	if err == nil {
		_, err = c.App.Writer.Write(res.Bytes)
	}
	return err
}

// readTwoFiles returns the contents of the two files that are the arguments of merge2 and apply, in their order, and
// the options for merging them, with the team's rules for the second file. names are the names of the arguments for
// messages, such as "SRC DEST". A mistake in some of the rules is no error: it is printed to a.Stderr.
func (a *App) readTwoFiles(c *cli.Context, names string) (files [][]byte, o kube.Options, err error) {
	if c.NArg() != 2 {
		return nil, o, fmt.Errorf("expected two files (%s), got %d; %s", names, c.NArg(), helpHint(c))
	}
	if files, err = readFiles(c.Args().Slice()...); err != nil {
		return nil, o, err
	}
	s, err := a.newCheckedSession(c)
	if err != nil {
		return nil, o, err
	}
	opts := s.NewFile(s.RepoPath(c.Args().Get(1)), nil, files[1], nil).MergeOptions()
	return files, kube.Options{Path: opts.Path, Rules: opts.Rules, Names: merge.Names{Ours: c.Args().Get(1), Theirs: c.Args().Get(0)}}, nil
}

// readFiles returns the contents of the files with these names, in order. The error is about the first file that cannot
// be read; the result is then nil. Without names, the result is empty.
func readFiles(names ...string) ([][]byte, error) {
	files := make([][]byte, len(names))
	for i, name := range names {
		var err error
		if files[i], err = disk.Read(name); err != nil {
			return nil, err
		}
	}
	return files, nil
}
