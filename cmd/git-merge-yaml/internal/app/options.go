package app

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
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
		&cli.StringFlag{Name: "max-size", Usage: "leave files above `SIZE` (bytes, or with k, m or g) to git's merge by lines", DefaultText: "64m"},
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
	switch s {
	case "", "ours", "theirs":
		return s, nil
	}
	return "", fmt.Errorf("--own %s: want ours or theirs", s)
}

// ownHere is parseOwn for a merge that is done here and now, of which the environment
// may say it.
func ownHere(s string) (string, error) {
	env := os.Getenv(situation.OwnVariable)
	if s != "" || env == "" {
		return parseOwn(s)
	}
	if _, err := parseOwn(env); err != nil {
		return "", fmt.Errorf("%s=%s: want ours or theirs", situation.OwnVariable, env)
	}
	return env, nil
}

// givenTo is what the library of the command line has read.
func givenTo(c *cli.Context) given {
	return given{
		path: c.String("path"), style: c.String("style"), config: c.String("config"), output: c.String("output"),
		markerSize: c.String("marker-size"), maxSize: c.String("max-size"), rules: c.String("rules"), own: c.String("own"),
		labels: c.StringSlice("L"),
		stdout: c.Bool("stdout"), quiet: c.Bool("quiet"),
		ours: c.Bool("ours"), theirs: c.Bool("theirs"), union: c.Bool("union"),
		base: c.Args().Get(0), oursFile: c.Args().Get(1), theirsFile: c.Args().Get(2),
	}
}

// parse reads the options of a merge; the files are checked to be three.
func (g given) parse() (mergeOptions, error) {
	o := mergeOptions{
		Options: driver.Options{Path: g.path, Style: g.style},
		session: session.Options{Config: g.config},
		base:    g.base, ours: g.oursFile, theirs: g.theirsFile,
		stdout: g.stdout,
		output: g.output,
		quiet:  g.quiet,
	}
	if o.Path == "%P" { // git before 2.5
		o.Path = ""
	}
	if o.stdout && o.output != "" {
		return o, errors.New("--stdout and --output cannot be used together")
	}
	switch o.Style {
	case "", "merge", "diff3", "zdiff3":
	default:
		return o, fmt.Errorf("--style %s: want merge, diff3 or zdiff3", o.Style)
	}
	var err [6]error
	o.Labels, err[0] = parseLabels(g.labels)
	o.MarkerSize, err[1] = parseMarkerSize(g.markerSize)
	o.Resolve, err[2] = parseResolve(g.ours, g.theirs, g.union)
	o.MaxSize, err[3] = parseSize(g.maxSize)
	o.RuleSet, err[4] = parseRuleSet(g.rules)
	o.session.Own, err[5] = ownHere(g.own)
	if o.RuleSet != "" && o.Resolve != "" {
		return o, fmt.Errorf("--rules %s and --%s cannot be used together: by these rules nothing is in conflict", o.RuleSet, o.Resolve)
	}
	return o, cmp.Or(err[:]...)
}

func parseRuleSet(s string) (string, error) {
	switch s {
	case "", "default":
		return "", nil
	case "kustomize":
		return s, nil
	}
	return "", fmt.Errorf("--rules %s: want default or kustomize", s)
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

// into is what git calls the commit that is merged into, "" if it does not say so.
func (g given) into() string {
	if len(g.labels) == 0 || g.labels[0] == "%X" {
		return ""
	}
	return g.labels[0]
}

func parseMarkerSize(s string) (int, error) {
	if s == "" || s == "%L" {
		return merge.DefaultMarkerSize, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > driver.MaxMarkerSize {
		return 0, fmt.Errorf("--marker-size %s: want a number from 1 to %d", s, driver.MaxMarkerSize)
	}
	return n, nil
}

func parseResolve(ours, theirs, union bool) (string, error) {
	side := ""
	given := [...]bool{ours, theirs, union}
	for i, s := range [...]string{"ours", "theirs", "union"} {
		if !given[i] {
			continue
		}
		if side != "" {
			return "", fmt.Errorf("--%s and --%s cannot be used together", side, s)
		}
		side = s
	}
	return side, nil
}

// parseSize reads a number of bytes as git's configuration has it: 1024, 64m.
func parseSize(s string) (int, error) {
	if s == "" {
		return 0, nil
	}
	digits, unit := s, 1
	if i := strings.IndexByte("kmg", s[len(s)-1]|0x20); i >= 0 {
		digits, unit = s[:len(s)-1], 1<<(10*(i+1))
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > math.MaxInt/unit {
		return 0, fmt.Errorf("--max-size %s: want a number of bytes above 0, such as 500k or 64m", s)
	}
	return n * unit, nil
}
