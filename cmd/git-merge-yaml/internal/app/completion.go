package app

import (
	"embed"
	"errors"

	"github.com/urfave/cli/v2"
)

//go:embed completion
var scripts embed.FS

// completing is what the scripts put behind the words of a command line, for what can follow.
const completing = "--generate-bash-completion"

const completionDescription = `Prints what the shell needs to complete commands and options, behind git merge-yaml as well
as behind git-merge-yaml. Files are the shell's own. scripts/install.sh puts it where bash (with
bash-completion) and fish find it by themselves; for zsh its folder ~/.local/share/zsh/site-functions
has to be in fpath before compinit.

Exits with 0, and with 129 on any failure.`

func (a *App) completionCommand() *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print the completion of a shell",
		UsageText: "git-merge-yaml completion bash|zsh|fish",
		Description: describe(completionDescription,
			"For bash, where bash-completion reads it", "git merge-yaml completion bash >>~/.bash_completion",
			"For zsh, in a folder that is in fpath", "git merge-yaml completion zsh >~/.zsh/_git-merge-yaml"),
		Action: func(c *cli.Context) error {
			script, err := scripts.ReadFile("completion/" + c.Args().First())
			if err != nil || c.NArg() != 1 {
				return errors.New("want one shell: git-merge-yaml completion bash, zsh or fish")
			}
			_, err = c.App.Writer.Write(script)
			return err
		},
	}
}
