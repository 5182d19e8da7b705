package app

import (
	"errors"
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/setup"
)

const installDescription = `Sets merge.yaml.driver in git's configuration to a line that runs this program,
or git's own merge if that fails. Names the YAML files in an attributes file.
Run again, it updates what it wrote. It changes nothing else, and says what it
changes.

Exits with 0 if that is done, and with 129 on any failure.`

func (a *App) installCommand() *cli.Command {
	return &cli.Command{
		Name:      "install",
		Usage:     "make git merge YAML files with this program",
		UsageText: "git-merge-yaml install [options]",
		Description: describe(installDescription,
			"For all repositories of this user", "git merge-yaml install",
			"For this repository, and files of other names", "git merge-yaml install --local --pattern '*.yaml' --pattern '*.kubeconfig'"),
		Flags: append(setupFlags(),
			&cli.StringSliceFlag{Name: "pattern", KeepSpace: true,
				Usage: "give git the files of `PATTERN`, as in .gitattributes; repeatable", DefaultText: "*.yaml and *.yml"},
			&cli.StringFlag{Name: "rules", Usage: "with `RULES` kustomize: set up the driver " + driver.KustomizeName +
				", for the files of --pattern or of attributes of yours", DefaultText: "default"},
			&cli.BoolFlag{Name: "force", Usage: "replace another program's merge driver of that name"},
		),
		Action: func(c *cli.Context) error {
			o, err := parseSetup(c)
			if err != nil {
				return err
			}
			rules, err := parseRuleSet(c.String("rules"))
			if err != nil {
				return err
			}
			return a.reporting(func(out io.Writer) error {
				return setup.Install(out, o, rules, c.StringSlice("pattern"), c.Bool("force"))
			})
		},
	}
}

func setupFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "global", Usage: "for all repositories of this user (the default)"},
		&cli.BoolFlag{Name: "local", Usage: "for this repository"},
		&cli.StringFlag{Name: "attributes",
			Usage:       "the `FILE` for the patterns: tracked (.gitattributes), info (.git/info/attributes), global or none",
			DefaultText: "global, with --local tracked"},
		&cli.BoolFlag{Name: "dry-run", Aliases: []string{"n"}, Usage: "only say what would change"},
	}
}

// parseSetup reads what install and uninstall have in common.
func parseSetup(c *cli.Context) (o setup.Options, err error) {
	o = setup.Options{Scope: git.Global, Attributes: c.String("attributes"), DryRun: c.Bool("dry-run")}
	switch {
	case c.NArg() > 0:
		return o, fmt.Errorf("%s takes options only, got %s (%s)", c.Command.Name, c.Args().First(), seeHelp(c))
	case c.Bool("global") && c.Bool("local"):
		return o, errors.New("--global and --local cannot be used together")
	case c.Bool("local"):
		o.Scope = git.Local
	}
	switch o.Attributes {
	case "", "tracked", "info", "global", "none":
		return o, nil
	}
	return o, fmt.Errorf("--attributes %s: want tracked, info, global or none", o.Attributes)
}
