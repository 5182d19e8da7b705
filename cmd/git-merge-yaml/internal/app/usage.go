package app

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/urfave/cli/v2"
)

// usageError words what is wrong with an option; the library would print the
// whole help to stdout, which git shows as a merge's output.
func usageError(c *cli.Context, err error, _ bool) error {
	if name, ok := strings.CutPrefix(err.Error(), "flag needs an argument: "); ok {
		return fmt.Errorf("option %s needs a value (%s)", dashed(name), seeHelp(c))
	}
	if m := regexp.MustCompile(badValue).FindStringSubmatch(err.Error()); m != nil {
		want := "a number"
		if m[1] != "" {
			want = "true or false"
		}
		return fmt.Errorf("%s %s: want %s (%s)", dashed(m[3]), m[2], want, seeHelp(c))
	}
	name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: ")
	if !ok {
		return fmt.Errorf("%w (%s)", err, seeHelp(c))
	}
	hint := suggestOption(flagsOf(c), strings.TrimLeft(name, "-"))
	return fmt.Errorf("unknown option %s%s (%s)", dashed(name), hint, seeHelp(c))
}

// badValue is what package flag says of a value that is no number or bool.
const badValue = `^invalid (boolean )?value ("(?:[^"\\]|\\.)*") for (?:flag )?(-[^:]*): parse error$`

func seeHelp(c *cli.Context) string {
	return c.Command.HelpName + " --help lists the options"
}

// dashed returns the option that package flag calls -name as people write it.
func dashed(name string) string {
	if len(name) > 2 {
		return "-" + name
	}
	return name
}

func flagsOf(c *cli.Context) []cli.Flag {
	if c.Command != nil && len(c.Command.Flags) > 0 {
		return c.Command.Flags
	}
	return c.App.Flags
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
