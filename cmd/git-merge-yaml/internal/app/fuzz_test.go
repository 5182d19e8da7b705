package app

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/urfave/cli/v2"
)

// FuzzArguments parses command lines, one argument a line, without running a command. It checks the exit code, and that
// an error is one line without control characters.
func FuzzArguments(f *testing.F) {
	for _, args := range []string{
		"", "a\nb\nc", "--marker-size=7\n--path=a b\n-L\nx\n-L\ny\n-L\n--\n--\na\n--\nc", "-q\n-p\n--rules\nkustomize\n--\na\nb\nc", "--path\n%P\n-L\nx\n--\n-a\nb\nc", "-p\n--style\nzdiff3\na\nb\nc", "--marker-size=99999999\na\nb\nc", "--ours\n--theirs\na\nb\nc",
		"check\n--merge\nHEAD", "check\na\nb\nc\nd", "replay\n--json\n-n\n3", "install\n--global\n--pattern\n\x1b[31m", "rules\ncheck", "explain\na\nb\nc",
		"merge2\na\nb", "apply\na\nb\nc", "resolve\n--ours", "help\nreplay", "-h", "--nope\x1b]0;x\x07", "--style\n\u202e1k\na\nb\nc", "-L\n\n-L\n\n-L\n\n-L", "--config=\xff\na\nb\nc",
	} {
		f.Add(args)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		args := strings.Split(lines, "\n")
		var out, errs bytes.Buffer
		a := &App{Stdout: &out, Stderr: &errs}
		c, words := a.buildCLI(args)
		c.Writer = &out
		c.Action = func(c *cli.Context) error {
			_, _, err := a.parseMerge(c)
			return err
		}
		for _, sub := range c.Commands {
			sub.Action = func(*cli.Context) error { return nil }
		}
		switch code := a.reportError(c.Run(words)); {
		case code == exitClean && errs.Len() > 0, code == exitFailed && errs.Len() == 0, code != exitClean && code != exitFailed:
			t.Errorf("%q: exit code %d, %q", args, code, &errs)
		}
		if message := strings.TrimSuffix(errs.String(), "\n"); strings.ContainsFunc(message, unicode.IsControl) {
			t.Errorf("%q: says %q", args, message)
		}
	})
}

// FuzzFileNames checks that each argument after -- is a file, also if it looks like an option or a command.
func FuzzFileNames(f *testing.F) {
	f.Add("a", "b", "c")
	f.Add("install", "--help", "-p")
	f.Add("--", "-", "check")
	f.Fuzz(func(t *testing.T, base, ours, theirs string) {
		if base == "" || ours == "" || theirs == "" {
			t.Skip()
		}
		if _, _, got := parseArgs(t, "-q", "--", base, ours, theirs); !slices.Equal(got, []string{base, ours, theirs}) {
			t.Errorf("%q, %q, %q are read as %q", base, ours, theirs, got)
		}
	})
}
