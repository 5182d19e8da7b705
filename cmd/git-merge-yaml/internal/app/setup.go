package app

import (
	"cmp"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/setup"
)

const installDescription = `Sets merge.yaml.driver in git's configuration to a line that runs this program, or git's own
merge if that fails, and names the YAML files in an attributes file. It says what it changes.
Run again, it updates what it wrote.

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
			rules, err2 := sessionOptions(c)
			if err := cmp.Or(err, err2); err != nil {
				return err
			}
			if rules.RuleSet == "default" {
				rules.RuleSet = ""
			}
			return setup.Install(c.App.Writer, o, rules.RuleSet, c.StringSlice("pattern"), c.Bool("force"))
		},
	}
}

const uninstallDescription = `Removes the settings and the patterns that install wrote, and nothing else. Git itself may leave
an empty section, or an empty file. The program stays; scripts/install.sh --uninstall removes it.

Exits with 0 if that is done, and with 129 on any failure.`

func (a *App) uninstallCommand() *cli.Command {
	return &cli.Command{
		Name:      "uninstall",
		Usage:     "undo install",
		UsageText: "git-merge-yaml uninstall [options]",
		Description: describe(uninstallDescription,
			"Undo install", "git merge-yaml uninstall",
			"Say what undoing install --local would change", "git merge-yaml uninstall --local --dry-run"),
		Flags: setupFlags(),
		Action: func(c *cli.Context) error {
			o, err := parseSetup(c)
			if err != nil {
				return err
			}
			return setup.Uninstall(c.App.Writer, o)
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
func parseSetup(c *cli.Context) (setup.Options, error) {
	o := setup.Options{Scope: git.Global, Attributes: c.String("attributes"), DryRun: c.Bool("dry-run")}
	scope, err := oneOption(c, "global", "local")
	if scope == "local" {
		o.Scope = git.Local
	}
	return o, cmp.Or(noArguments(c), err, oneOf("attributes", o.Attributes, "tracked", "info", "global", "none"))
}

const doctorDescription = `Looks at git, its configuration, the attributes of the YAML files of this repository and the
program itself, and makes a merge with them in a scratch repository. Each problem comes with the
command that fixes it. It changes nothing, but with --fix, which runs install again for a driver
that is not as install writes it.

--branches also names the branches that are older than the line in .gitattributes: git takes the
attributes of the branch that is merged into.

Exits with 0 if no check is an error, with 1 if one is, and with 129 on wrong usage.`

func (a *App) doctorCommand() *cli.Command {
	return &cli.Command{
		Name:      "doctor",
		Usage:     "check that git will merge YAML files with this program",
		UsageText: "git-merge-yaml doctor [options]",
		Description: describe(doctorDescription,
			"Check this repository, and what git knows of the program", "git merge-yaml doctor",
			"Check another repository", "git -C ../shop merge-yaml doctor"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "fix", Usage: "install again what is not as install writes it"},
			&cli.BoolFlag{Name: "branches", Usage: "also name the branches that do not give YAML files to the driver"},
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			ok, err := setup.Doctor(c.App.Writer, setup.Checks{Fix: c.Bool("fix"), Branches: c.Bool("branches")})
			if err == nil && !ok {
				err = errLeft
			}
			return err
		},
	}
}
