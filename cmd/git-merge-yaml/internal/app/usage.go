package app

import (
	"fmt"
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
