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

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// sessionOptions are what rulesFlag, configFlag and ownFlag say.
func sessionOptions(c *cli.Context) session.Options {
	return session.Options{Config: c.String("config"), RuleSet: c.String("rules"), Own: c.String("own")}
}

// newSession is the situation of a command in the current directory, with the options of
// its command line.
func (a *App) newSession(c *cli.Context) *session.Session {
	s := session.New(sessionOptions(c))
	s.Library = a.Merge
	return s
}

// session is newSession. The error is the first mistake in the team's rules.
func (a *App) session(c *cli.Context) (*session.Session, error) {
	s := a.newSession(c)
	return s, s.FirstMistake()
}

// parseMerge reads the options of a merge, of three files that are yet to be read.
func (a *App) parseMerge(c *cli.Context) (f session.File, o driver.Options, err error) {
	switch files := c.Args().Slice(); len(files) {
	case 3:
	case 0: // it fails all the same: git takes an end with 0 for a clean merge
		return f, o, cmp.Or(cli.ShowAppHelp(c), errors.New("want a command, or three files: BASE OURS THEIRS"))
	default:
		if _, err := os.Stat(files[0]); err != nil {
			return f, o, fmt.Errorf("%s is neither a command nor a file. %s (git-merge-yaml --help lists the commands)",
				files[0], cli.SuggestCommand(a.commands(), files[0]))
		}
		return f, o, fmt.Errorf("want three files, BASE OURS THEIRS, got %d: %s", len(files), strings.Join(files, " "))
	}
	o = driver.Options{Style: c.String("style"), Labels: [3]string{"ours", "base", "theirs"}, MarkerSize: merge.DefaultMarkerSize, CallerUnknown: true}
	of := sessionOptions(c)
	_, err = oneOption(c, "stdout", "output")
	resolve, err2 := oneOption(c, "ours", "theirs", "union")
	if err = cmp.Or(err, err2); err != nil {
		return f, o, err
	}
	if o.Resolve = resolve; of.RuleSet == "kustomize" && resolve != "" {
		return f, o, fmt.Errorf("--rules %s and --%s cannot be used together: by these rules nothing is in conflict", of.RuleSet, resolve)
	}
	if size := c.String("marker-size"); size != "" && size != "%L" {
		if o.MarkerSize, err = strconv.Atoi(size); err != nil || o.MarkerSize < 1 || o.MarkerSize > math.MaxInt32 {
			return f, o, fmt.Errorf("--marker-size %s: want a number from 1 to %d", size, math.MaxInt32)
		}
	}
	labels, into := c.StringSlice("L"), ""
	if len(labels) > len(o.Labels) {
		return f, o, fmt.Errorf("-L given %d times: want at most three labels, of ours, base and theirs", len(labels))
	}
	for i, l := range labels {
		// Git before 2.44 passes %X %S %Y as they are, and rerere gives empty labels: those stay unknown.
		if o.Labels[i] = l; l == "%X" || l == "%S" || l == "%Y" {
			o.Labels[i] = ""
		}
		into = o.Labels[0]
	}
	s := &session.Session{Options: of, Library: a.Merge, Into: into}
	return s.File(c.String("path"), nil, nil, nil), o, nil
}

// merge is the program without a command: the merge driver.
func (a *App) merge(c *cli.Context) error {
	versions, o, err := a.parseMerge(c)
	if err != nil {
		return err
	}
	base, ours, theirs, output := c.Args().Get(0), c.Args().Get(1), c.Args().Get(2), c.String("output")
	if info, err := os.Stat(ours); err == nil && !c.Bool("stdout") && output == "" && !info.Mode().IsRegular() && !info.IsDir() {
		return fmt.Errorf("cannot replace OURS: %s is not a regular file; --stdout prints the result instead", ours)
	}
	for _, f := range []struct {
		role, path string
		to         *[]byte
	}{{"OURS", ours, &versions.Ours}, {"BASE", base, &versions.Base}, {"THEIRS", theirs, &versions.Theirs}} {
		if *f.to, err = disk.Read(f.path); err != nil {
			return fmt.Errorf("cannot read %s: %w (want the three files BASE OURS THEIRS)", f.role, err)
		}
	}
	m := driver.New(versions, o)
	off := strings.EqualFold(os.Getenv("GIT_MERGE_YAML"), "off")
	res, err := m.Run(off)
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
			return fmt.Errorf("cannot replace OURS, which is left as it was: %w", err)
		}
	}
	if !off && !m.MergesAncestors() && !c.Bool("quiet") {
		for _, line := range m.Report(filepath.ToSlash(cmp.Or(m.Path, ours)), res) {
			terminal.PrintLine(a.Stderr, "%s", line)
		}
	}
	return outcome(res.Clean(), nil)
}

func (a *App) merge2(c *cli.Context) error {
	files, opts, err := a.twoFiles(c, "SRC DEST")
	if err != nil {
		return err
	}
	res, err := merge.Merge2(files[0], files[1], opts)
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

func (a *App) apply(c *cli.Context) error {
	files, opts, err := a.twoFiles(c, "CONFIG LIVE")
	if err != nil {
		return err
	}
	var last []byte
	if opts.Names[0] = c.String("last-applied"); opts.Names[0] != "" {
		if last, err = disk.Read(opts.Names[0]); err != nil {
			return err
		}
	}
	res, err := merge.ApplyAnnotated(last, files[0], files[1], opts)
	if err == nil {
		_, err = c.App.Writer.Write(res.Bytes)
	}
	return err
}

// twoFiles reads the two files that a command takes, and the team's rules for the second one.
func (a *App) twoFiles(c *cli.Context, names string) (files [][]byte, o merge.Options, err error) {
	if c.NArg() != 2 {
		return nil, o, fmt.Errorf("want two files, %s, got %d (%s)", names, c.NArg(), seeHelp(c))
	}
	if files, err = readFiles(c.Args().Slice()...); err != nil {
		return nil, o, err
	}
	s, err := a.session(c)
	if err != nil {
		return nil, o, err
	}
	o = s.File(s.PathOf(c.Args().Get(1)), nil, files[1], nil).Merging()
	o.Names = [3]string{"", c.Args().Get(1), c.Args().Get(0)}
	return files, o, nil
}

// readFiles reads files that stand on the command line.
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
