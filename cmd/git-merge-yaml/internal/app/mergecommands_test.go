package app

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
)

// TestParseMerge checks the options of the merge driver, and the labels for each way to pass them.
func TestParseMerge(t *testing.T) {
	f, o, files := parseArgs(t, "--marker-size=%L", "-L", "a,b", "-q", "--theirs", "--", "-base", "ours", "theirs")
	want := driver.Options{Labels: [3]string{"a,b", "base", "theirs"}, MarkerSize: 7, Resolve: "theirs", CallerUnknown: true}
	if o != want || f.Into != "a,b" || !slices.Equal(files, []string{"-base", "ours", "theirs"}) {
		t.Errorf("got  %+v, into %s, of %q\nwant %+v", o, f.Into, files, want)
	}
	for _, c := range []struct {
		given []string
		want  [3]string
	}{
		{nil, [3]string{"ours", "base", "theirs"}},
		{[]string{"-L", "HEAD"}, [3]string{"HEAD", "base", "theirs"}},
		{[]string{"-L", "a", "-L", "b", "-L", "c"}, [3]string{"a", "b", "c"}},
		{[]string{"-L", "a,b", "-L", "", "-L", " c "}, [3]string{"a,b", "", " c "}},
		{[]string{"-L", "%X", "-L", "%S", "-L", "%Y"}, [3]string{}},
	} {
		if _, m, _ := parseArgs(t, append(c.given, "--", "base", "ours", "theirs")...); m.Labels != c.want {
			t.Errorf("%q: labels %q; want %q", c.given, m.Labels, c.want)
		}
	}
}

// parseArgs parses a command line as App.Run does, and runs nothing.
func parseArgs(t *testing.T, args ...string) (f session.File, o driver.Options, files []string) {
	t.Helper()
	a := &App{Stdout: io.Discard, Stderr: io.Discard}
	c, words := a.buildCLI(args)
	c.Action = func(c *cli.Context) (err error) {
		f, o, err = a.parseMerge(c)
		files = c.Args().Slice()
		return err
	}
	if err := c.Run(words); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return f, o, files
}

// TestMoveOptionsFirst checks the order of options and arguments, which flags are given, and the number of arguments
// after a "--".
func TestMoveOptionsFirst(t *testing.T) {
	flags := []cli.Flag{
		&cli.BoolFlag{Name: "stdout", Aliases: []string{"p"}}, &cli.StringFlag{Name: "path"}, &cli.StringSliceFlag{Name: "L"},
	}
	const all = "stdout path L" // the names of flags
	for _, c := range []struct{ line, want, given string }{
		{"", "--", ""},
		{"a b", "-- a b", ""},
		{"-p a --path x b", "-p --path x -- a b", "stdout path"},
		{"a b --path=x -p", "--path=x -p -- a b", "path stdout"},
		{"--path -- a", "--path -- -- a", "path"},
		{"-L x a -L y", "-L x -L y -- a", "L"},
		{"a -p -- b -- -p", "-p -- a b -- -p", "stdout"},
		{"a - b", "-- a - b", ""},
		{"a --nope -p b", "--nope -p -- a b", all},
		{"a --path", "--path", all},
		{"a -p --help", "--help", all},
	} {
		moved, flagsGiven := new(App).moveOptionsFirst(flags, strings.Fields(c.line))
		var names []string
		for _, f := range flagsGiven {
			names = append(names, f.Names()[0])
		}
		if got, given := strings.Join(moved, " "), strings.Join(names, " "); got != c.want || given != c.given {
			t.Errorf("%q: %s, want %s; given %s, want %s", c.line, got, c.want, given, c.given)
		}
	}
	a := new(App)
	if a.moveOptionsFirst(flags, []string{"a", "--", "b", "--"}); a.argsAfterDashes != 2 {
		t.Errorf("%d after the --", a.argsAfterDashes)
	}
}
