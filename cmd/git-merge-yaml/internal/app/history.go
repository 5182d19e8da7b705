package app

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
)

// historyFlags say which merges of a history are walked over.
func historyFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "all", Usage: "the history of all branches and tags"},
		&cli.StringFlag{Name: "since", Usage: "only merges since `DATE`, as for git log"},
		&cli.IntFlag{Name: "max", Usage: "only the newest `N` merges"},
	}
}

// parseHistory reads them, the revisions, and the pathspecs behind a --.
func parseHistory(c *cli.Context) (o history.Options, err error) {
	revisions, paths := splitAtDashes(c.Args().Slice())
	if c.Bool("all") {
		revisions = append(revisions, "--all")
	}
	o = history.Options{Revisions: revisions, Since: c.String("since"), Max: c.Int("max")}
	if err = wantPositive(c, "max"); err == nil && len(paths) > 0 {
		o.Want, err = wantPaths(paths)
	}
	return o, err
}

// wantPositive checks options that are numbers.
func wantPositive(c *cli.Context, names ...string) error {
	for _, name := range names {
		if c.IsSet(name) && c.Int(name) < 1 {
			return fmt.Errorf("--%s %d: want a number above 0", name, c.Int(name))
		}
	}
	return nil
}

// wantPaths makes pathspecs a choice among the files that are merged as YAML, as seen from here.
func wantPaths(paths []string) (func(string) bool, error) {
	prefix, err := git.Git{}.Line("rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	spec, err := history.ParsePathspec(prefix, paths...)
	if err != nil {
		return nil, err
	}
	return spec.Selects, nil
}

// walksHistory reports whether a command takes revisions, and pathspecs behind a --.
func walksHistory(command string) bool {
	return command == "replay" || command == "explain"
}
