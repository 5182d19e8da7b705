package app

import (
	"cmp"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

const diffDescription = `Says field by field what NEW changed, in the words of explain. What is not data (comments, quotes, the order of
keys), and files that are not YAML, it shows by lines. git config diff.yaml.command 'git-merge-yaml diff --' has
git diff show so the files with the attribute diff=yaml.

Exits with 0, whether or not there are differences, and with 129 on any failure.`

func (a *App) diffCommand() *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "say field by field how two files differ",
		UsageText: "git-merge-yaml diff [options] [--] OLD NEW",
		Description: describe(diffDescription,
			"What differs between two files", "git merge-yaml diff base.yaml ours.yaml",
			"Between two environments, by the rules for one of them", "git merge-yaml diff --path k8s/web.yaml base.yaml theirs.yaml"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "path", Usage: "take the files for the file at `PATH` of the repository", DefaultText: "where NEW is"},
			configFlag(),
			&cli.BoolFlag{Name: "json", Usage: "print an object"},
		},
		Action: a.diff,
	}
}

// diff compares two files, or what git gives an external diff: path, old file, its hash and mode,
// the same of the new one, and for a rename its new path and what happened.
func (a *App) diff(c *cli.Context) error {
	args := c.Args().Slice()
	path := c.String("path") // in the repository
	var before, after, name string
	switch _, byGit := os.LookupEnv("GIT_DIFF_PATH_COUNTER"); {
	case byGit && len(args) == 1:
		_, err := fmt.Fprintln(c.App.Writer, args[0]+": unmerged; git merge-yaml explain says what is in conflict")
		return err
	case len(args) == 2:
		before, after, name = args[0], args[1], args[1]
	case len(args) == 7:
		before, after, name, path = args[1], args[4], args[0], args[0]
	case len(args) == 9:
		before, after, name, path = args[1], args[4], args[0]+" -> "+args[7], args[7]
	default:
		return fmt.Errorf("want two files, OLD NEW, got %d (%s)", len(args), seeHelp(c))
	}
	s, err := a.session(c)
	if err != nil {
		return err
	}
	var versions [2][]byte
	for i, file := range []string{before, after} {
		if file == os.DevNull || file == "/dev/null" {
			continue
		}
		if versions[i], err = disk.Read(file); err != nil {
			return err
		}
	}
	f := s.File(cmp.Or(path, s.PathOf(after)), versions[0], nil, versions[1], nil)
	if c.Bool("json") {
		return show.JSON{W: c.App.Writer}.Difference(name, f)
	}
	return show.Difference(a.painter(terminal.Is(a.Stdout) || os.Getenv("GIT_PAGER_IN_USE") != ""), name, f) // git diff's own pager
}
