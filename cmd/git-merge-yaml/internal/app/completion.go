package app

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

const completionDescription = `Prints what the shell needs to complete commands, options and files, behind
git merge-yaml as well as behind git-merge-yaml. It runs nothing and asks for
nothing: files are the shell's own. scripts/install.sh puts it where bash (with
bash-completion) and fish find it by themselves; for zsh its folder
~/.local/share/zsh/site-functions has to be in fpath before compinit.

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
			script, ok := map[string]func(*cli.App) string{"bash": bashScript, "zsh": zshScript, "fish": fishScript}[c.Args().First()]
			if !ok || c.NArg() != 1 {
				return fmt.Errorf("want one shell: git-merge-yaml completion bash, zsh or fish")
			}
			return a.print([]byte(script(c.App)))
		},
	}
}

// completionWords are the commands, with what can follow each: subcommands, then options. What
// follows the program itself is at "".
func completionWords(app *cli.App) (commands []string, follow map[string]string) {
	options := func(flags []cli.Flag) string {
		words := "--help"
		for _, f := range flags {
			for _, n := range f.Names() {
				if n != "help" && n != "h" {
					words += " -" + strings.Repeat("-", min(len(n)-1, 1)) + n
				}
			}
		}
		return words
	}
	follow = map[string]string{"completion": "bash zsh fish "}
	for _, c := range app.Commands {
		if c.Name != "help" {
			commands = append(commands, c.Name)
			for _, s := range c.Subcommands {
				follow[c.Name] += s.Name + " "
				c.Flags = append(c.Flags, s.Flags...)
			}
			follow[c.Name] += options(c.Flags)
		}
	}
	follow[""] = strings.Join(commands, " ") + " " + options(app.Flags)
	return commands, follow
}

// cases are the lines of a case of sh that gives a variable the words behind a command.
func cases(app *cli.App, assign string) string {
	commands, follow := completionWords(app)
	lines := ""
	for _, c := range commands {
		lines += fmt.Sprintf("\t"+c+") "+assign+" ;;\n", follow[c])
	}
	return lines + fmt.Sprintf("\t*) "+assign+" ;;\n", follow[""])
}

// bashScript leaves files to readline, which quotes them.
func bashScript(app *cli.App) string {
	return `# Completion of git-merge-yaml in bash, and of git merge-yaml in git's own.
_git_merge_yaml_words() { # COMMAND WORD
	local words
	case $1 in
` + cases(app, "words='%s'") + `	esac
	[[ $2 == -* ]] || words=${words%%--help*}
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$2")
}
_git_merge_yaml() { # called by git's completion, whose words these are
	local first=$((${__git_cmd_idx:-1} + 1)) command=''
	# shellcheck disable=SC2154
	((cword == first)) || command=${words[first]}
	_git_merge_yaml_words "$command" "${words[cword]}"
}
_git_merge_yaml_program() {
	local command=''
	((COMP_CWORD == 1)) || command=${COMP_WORDS[1]}
	_git_merge_yaml_words "$command" "${COMP_WORDS[COMP_CWORD]}"
}
complete -o bashdefault -o default -F _git_merge_yaml_program git-merge-yaml
`
}

func zshScript(app *cli.App) string {
	return `#compdef git-merge-yaml
#description merge YAML manifests field by field
local -a known
local command=''
((CURRENT == 2)) || command=${words[2]}
case $command in
` + cases(app, "known=(%s)") + `esac
[[ $PREFIX == -* ]] || known=(${known:#-*})
compadd -- $known
_files
`
}

func fishScript(app *cli.App) string {
	commands, follow := completionWords(app)
	names := strings.Join(commands, " ")
	text := "# Completion of git-merge-yaml in fish, and of git merge-yaml in fish's own for git.\n"
	text += fmt.Sprintf("complete -c git-merge-yaml -n 'not __fish_seen_subcommand_from %s' -a '%s'\n", names, follow[""])
	for _, c := range commands {
		text += fmt.Sprintf("complete -c git-merge-yaml -n '__fish_seen_subcommand_from %s' -a '%s'\n", c, follow[c])
	}
	return text
}
