package app

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/cli"
)

// usageError adds to what is wrong with an option of c where the options are
// listed, and which one was meant; of other errors nothing.
func usageError(c *cli.Command, err error) error {
	usage, ok := errors.AsType[*cli.UsageError](err)
	if !ok {
		return err
	}
	hint := ""
	if usage.Problem == cli.Unknown {
		hint = suggestOption(c.Flags, strings.TrimLeft(usage.Option, "-"))
	}
	return fmt.Errorf("%w%s (%s)", err, hint, seeHelp(c))
}

func seeHelp(c *cli.Command) string { return c.HelpName + " --help lists the options" }

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
