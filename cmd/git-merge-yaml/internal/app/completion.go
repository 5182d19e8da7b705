package app

import (
	_ "embed"
	"fmt"

	"github.com/urfave/cli/v2"
)

// The completions ask the program itself what can stand at the cursor.
var (
	//go:embed completion/git-merge-yaml.bash
	bashCompletion string
	//go:embed completion/_git-merge-yaml
	zshCompletion string
	//go:embed completion/git-merge-yaml.fish
	fishCompletion string
)

const completionDescription = `Prints what the shell needs to complete commands, options, their values and
files, behind git merge-yaml as well as behind git-merge-yaml. scripts/install.sh
puts it where bash (with bash-completion) and fish find it by themselves; for zsh
its folder ~/.local/share/zsh/site-functions has to be in fpath before compinit.

Exits with 0, and with 129 on any failure.`

func (a *App) completionCommand() *cli.Command {
	return &cli.Command{
		Name:        "completion",
		Usage:       "print the completion of a shell",
		UsageText:   "git-merge-yaml completion bash|zsh|fish",
		Description: completionDescription,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "reply", Hidden: true, Usage: "print what can stand for the last of the words behind --"},
		},
		OnUsageError: usageError,
		Action: func(c *cli.Context) error {
			if c.Bool("reply") {
				return a.reply(c.App.Commands, c.Args().Slice())
			}
			text := map[string]string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[c.Args().First()]
			if text == "" || c.NArg() != 1 {
				return fmt.Errorf("want one shell: git-merge-yaml completion bash, zsh or fish")
			}
			return a.print([]byte(text))
		},
	}
}
