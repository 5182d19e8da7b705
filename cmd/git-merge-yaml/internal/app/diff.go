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

const diffDescription = `Says field by field what NEW changed, in the words of explain. What is not data
(comments, quotes, the order of keys), and files that are not YAML, it shows by
lines.

With seven arguments, or nine for a rename, it is what git calls as an external
diff: git config diff.yaml.command 'git-merge-yaml diff --' has git diff show so the
files with the attribute diff=yaml.

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
			a.colourFlag(),
		},
		Action: a.diff,
	}
}

func (a *App) diff(c *cli.Context) error {
	if _, byGit := os.LookupEnv("GIT_DIFF_PATH_COUNTER"); byGit && c.NArg() == 1 { // an unmerged file
		return a.print([]byte(c.Args().First() + ": unmerged; git merge-yaml explain says what is in conflict\n"))
	}
	d, err := parseDiff(c.Args().Slice(), c.String("path"))
	if err != nil {
		return err
	}
	s, err := a.session(c)
	if err != nil {
		return err
	}
	var versions [2][]byte
	for i, file := range []string{d.before, d.after} {
		if file == os.DevNull || file == "/dev/null" {
			continue
		}
		if versions[i], err = disk.Read(file); err != nil {
			return err
		}
	}
	path := cmp.Or(d.path, s.PathOf(d.after))
	f := s.File(path, versions[0], nil, versions[1], nil)
	if c.Bool("json") {
		return show.DifferenceJSON(a.Stdout, d.name, f)
	}
	shown := terminal.Is(a.Stdout) || os.Getenv("GIT_PAGER_IN_USE") != "" // git diff's own
	return show.Difference(a.painterFor(a.Stdout, shown), d.name, f)
}

// A fileDiff is two files to compare.
type fileDiff struct {
	before, after string
	path, name    string // in the repository, and for people
}

// parseDiff reads the arguments of diff: two files, or what git gives an
// external diff: path, old file, its hash and mode, the same of the new one,
// and for a rename its new path and what happened.
func parseDiff(args []string, path string) (fileDiff, error) {
	switch len(args) {
	case 2:
		return fileDiff{args[0], args[1], path, args[1]}, nil
	case 7:
		return fileDiff{args[1], args[4], args[0], args[0]}, nil
	case 9:
		return fileDiff{args[1], args[4], args[7], args[0] + " -> " + args[7]}, nil
	}
	return fileDiff{}, fmt.Errorf("want two files, OLD NEW, got %d (git-merge-yaml diff --help lists the options)", len(args))
}
