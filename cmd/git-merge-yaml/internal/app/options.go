package app

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

const mergeDescription = `Merges the changes from BASE to OURS and from BASE to THEIRS, and replaces OURS
by the result. BASE OURS THEIRS is the order of %O %A %B, in which git calls a
merge driver; git merge-file has OURS first.

GIT_MERGE_YAML=off in the environment turns it into git's own merge by lines.

Exits with 0 if the result is clean, with 1 if it has conflicts (marked in the
file, listed on stderr), and with 129, OURS untouched, on any failure.`

// mergeOptions are the parsed options and arguments of a merge.
type mergeOptions struct {
	driver.Options
	session            session.Options
	base, ours, theirs string // the files
	stdout             bool
	output             string // the file to write instead of ours, "" for ours
	quiet              bool
	into               string // what git calls the commit that is merged into, "" if it does not say so
}

func mergeFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "stdout", Aliases: []string{"p"}, Usage: "print the result instead of replacing OURS"},
		&cli.StringFlag{Name: "output", Aliases: []string{"o"}, Usage: "write the result to `FILE` instead of replacing OURS"},
		&cli.StringFlag{Name: "path", Usage: "the `PATH` of the file in its repository (%P)"},
		&cli.StringFlag{Name: "marker-size", Usage: "write markers of `N` characters (%L)", DefaultText: "7"},
		&cli.StringSliceFlag{Name: "L", KeepSpace: true, Usage: "`LABEL` of ours, then of base, then of theirs (%X, %S, %Y)"},
		&cli.StringFlag{Name: "style", Usage: "write conflicts in `STYLE`: merge, diff3 or zdiff3", DefaultText: "merge.conflictStyle"},
		&cli.BoolFlag{Name: "ours", Usage: "decide conflicts for ours"},
		&cli.BoolFlag{Name: "theirs", Usage: "decide conflicts for theirs"},
		&cli.BoolFlag{Name: "union", Usage: "keep both sides of a conflict"},
		rulesFlag(),
		configFlag(),
		ownFlag(),
		&cli.BoolFlag{Name: "quiet", Aliases: []string{"q"}, Usage: "say nothing on stderr but errors"},
	}
}

func rulesFlag() cli.Flag {
	return &cli.StringFlag{Name: "rules", Usage: "merge by `RULES`: default, or kustomize (theirs wins, no conflicts, null clears)", DefaultText: "default"}
}

func configFlag() cli.Flag {
	return &cli.StringFlag{Name: "config", Usage: "read the rules of lists and fields from `FILE`", DefaultText: team.File + " or " + team.Key}
}

func ownFlag() cli.Flag {
	return &cli.StringFlag{Name: "own", Usage: "take `SIDE`, ours or theirs, for one's own where the policies own, upstream and next decide", DefaultText: "what git is doing, or did, says it"}
}

// session is the situation of a command in the current directory, with the options of
// its command line. The error is the first mistake in the team's rules.
func (a *App) session(c *cli.Context) (*session.Session, error) {
	s, err := a.newSession(c)
	if err == nil {
		err = s.FirstMistake()
	}
	return s, err
}

// newSession is session for what merges by lines where the rules have mistakes.
func (a *App) newSession(c *cli.Context) (s *session.Session, err error) {
	o := session.Options{Config: c.String("config"), RuleSet: c.String("rules")}
	if _, err = parseRuleSet(o.RuleSet); err != nil {
		return nil, err
	}
	if o.Own, err = parseOwn(c.String("own")); err != nil {
		return nil, err
	}
	s = session.New(o)
	s.Library = a.Merge
	return s, nil
}

func parseOwn(s string) (string, error) {
	return s, oneOf("own", s, "", "ours", "theirs")
}

// parseMerge reads the options of a merge; the files are checked to be three.
func parseMerge(c *cli.Context) (o mergeOptions, err error) {
	o = mergeOptions{
		Options: driver.Options{Path: c.String("path"), Style: c.String("style")},
		session: session.Options{Config: c.String("config")},
		base:    c.Args().Get(0), ours: c.Args().Get(1), theirs: c.Args().Get(2),
		stdout: c.Bool("stdout"), output: c.String("output"), quiet: c.Bool("quiet"),
	}
	if labels := c.StringSlice("L"); len(labels) > 0 && labels[0] != "%X" {
		o.into = labels[0]
	}
	if o.stdout && o.output != "" {
		return o, errors.New("--stdout and --output cannot be used together")
	}
	if err := oneOf("style", o.Style, "", "merge", "diff3", "zdiff3"); err != nil {
		return o, err
	}
	if o.Labels, err = parseLabels(c.StringSlice("L")); err != nil {
		return o, err
	}
	if o.MarkerSize, err = parseMarkerSize(c.String("marker-size")); err != nil {
		return o, err
	}
	for _, s := range []string{"ours", "theirs", "union"} {
		switch {
		case !c.Bool(s):
		case o.Resolve != "":
			return o, fmt.Errorf("--%s and --%s cannot be used together", o.Resolve, s)
		default:
			o.Resolve = s
		}
	}
	if o.RuleSet, err = parseRuleSet(c.String("rules")); err != nil {
		return o, err
	}
	if o.session.Own, err = parseOwn(c.String("own")); err != nil {
		return o, err
	}
	if o.RuleSet != "" && o.Resolve != "" {
		return o, fmt.Errorf("--rules %s and --%s cannot be used together: by these rules nothing is in conflict", o.RuleSet, o.Resolve)
	}
	return o, nil
}

// oneOf checks a value of an option that is one of a few words.
func oneOf(option, value string, words ...string) error {
	if slices.Contains(words, value) {
		return nil
	}
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	last := len(words) - 1
	return fmt.Errorf("--%s %s: want %s or %s", option, value, strings.Join(words[:last], ", "), words[last])
}

func parseRuleSet(s string) (string, error) {
	if s == "default" {
		s = ""
	}
	return s, oneOf("rules", s, "", "default", "kustomize")
}

// parseLabels names those that are not given. Git before 2.44 passes %X %S %Y as they are,
// and rerere gives empty labels: those stay unknown.
func parseLabels(given []string) ([3]string, error) {
	labels := [3]string{"ours", "base", "theirs"}
	if len(given) > len(labels) {
		return labels, fmt.Errorf("-L given %d times: want at most three labels, of ours, base and theirs", len(given))
	}
	for i, l := range given {
		if labels[i] = l; l == "%X" || l == "%S" || l == "%Y" {
			labels[i] = ""
		}
	}
	return labels, nil
}

func parseMarkerSize(s string) (int, error) {
	if s == "" || s == "%L" {
		return merge.DefaultMarkerSize, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > math.MaxInt32 {
		return 0, fmt.Errorf("--marker-size %s: want a number from 1 to %d", s, math.MaxInt32)
	}
	return n, nil
}
