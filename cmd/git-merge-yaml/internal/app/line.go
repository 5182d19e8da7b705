package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
)

// completing is what the scripts put behind the words of a command line, for what can follow.
const completing = "--generate-bash-completion"

func completion(c *cli.Context) error {
	script, err := texts.ReadFile("completion/" + c.Args().First())
	if err != nil || c.NArg() != 1 {
		return errors.New("want one shell: git-merge-yaml completion bash, zsh or fish")
	}
	_, err = c.App.Writer.Write(script)
	return err
}

// width is the number of columns that a help fills at most.
const width = 80

func init() {
	cli.HelpPrinter = func(w io.Writer, template string, data any) {
		cli.HelpPrinterCustom(w, template, data, map[string]any{"wrapAt": func() int { return width }})
	}
	cli.VersionPrinter = func(c *cli.Context) { fmt.Fprintln(c.App.Writer, "git-merge-yaml version", build.Description()) }
	library, brief := cli.FlagStringer, strings.NewReplacer("\t", "\n", " (default: false)", "", " (default: 0)", "")
	cli.FlagStringer = func(f cli.Flag) string { return brief.Replace(library(f)) }
}

// commandLine returns the program for args, and these as the library reads them. It has
// commands only where args begin with one, or ask for help: any other word is a file.
func (a *App) commandLine(args []string) (*cli.App, []string) {
	c, words := a.program(), []string{"git-merge-yaml"}
	asks := len(args) == 0 || slices.Contains([]string{"help", "--help", "-h", "--version", "-v"}, args[0])
	completes := !asks && args[len(args)-1] == completing
	if asks || completes || !strings.HasPrefix(args[0], "-") {
		c.Commands = a.commands()
	}
	switch {
	case asks:
		c.HideHelpCommand = false
		c.Version = build.Version()
		return c, append(words, args...)
	case completes:
		c.EnableBashCompletion = true
		if end := slices.Index(args, "--"); end >= 0 { // else urfave runs the command
			args = append(args[:end:end], "-", completing)
		}
		return c, append(words, args...)
	}
	flags, commands := c.Flags, c.Commands
	for len(args) > 0 {
		at := slices.IndexFunc(commands, func(c *cli.Command) bool { return c.HasName(args[0]) })
		if at < 0 {
			break
		}
		words, args = append(words, args[0]), args[1:]
		flags, commands = commands[at].Flags, commands[at].Subcommands
	}
	return c, append(words, a.optionsFirst(flags, args)...)
}

// usageError words what is wrong with an option; the library would print the
// whole help to stdout, which git shows as a merge's output.
func usageError(c *cli.Context, err error, _ bool) error {
	hint := ""
	if name, ok := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); ok {
		hint = "; did you mean " + cli.SuggestFlag(c.Command.Flags, name, false) + "?"
	}
	return fmt.Errorf("%w%s (%s)", err, hint, seeHelp(c))
}

func seeHelp(c *cli.Context) string { return c.Command.HelpName + " --help lists the options" }

// noArguments is the error of a command that takes options only, where there are arguments.
func noArguments(c *cli.Context) error {
	if c.NArg() == 0 {
		return nil
	}
	return fmt.Errorf("%s takes options only, got %s (%s)", c.Command.Name, c.Args().First(), seeHelp(c))
}

// oneOption is the one of some options that is given, "" if none is: they cannot be used together.
func oneOption(c *cli.Context, names ...string) (given string, err error) {
	for _, name := range names {
		switch {
		case !c.IsSet(name):
		case given != "":
			return "", fmt.Errorf("--%s and --%s cannot be used together", given, name)
		default:
			given = name
		}
	}
	return given, nil
}

// oneOf is the action of an option whose value is one of a few words, or "" as if it were not given.
func oneOf(option string, words ...string) func(*cli.Context, string) error {
	return func(_ *cli.Context, value string) error {
		if value == "" || slices.Contains(words, value) {
			return nil
		}
		last := len(words) - 1
		return fmt.Errorf("--%s %s: want %s or %s", option, value, strings.Join(words[:last], ", "), words[last])
	}
}

// configExists returns an error if file, the value of --config, does not exist or is a directory. It is the action of that
// option, so a command that takes the option stops before it does anything. An empty value is no error: it counts as if the
// option were not given.
func configExists(_ *cli.Context, file string) error {
	if file == "" {
		return nil
	}
	problem := ""
	switch info, err := os.Stat(file); {
	case errors.Is(err, fs.ErrNotExist):
		problem = "no such file"
	case err != nil:
		return err
	case info.IsDir():
		problem = "is a directory"
	default:
		return nil
	}
	return fmt.Errorf("%s: %s (--config names the file with the rules)", file, problem)
}

// optionsFirst brings the options of a command line before its arguments, where the library
// wants them, and a -- between them. It notes how many of these stand behind a -- of the user,
// which tells revisions from paths.
func (a *App) optionsFirst(flags []cli.Flag, words []string) []string {
	takesValue := map[string]bool{}
	for _, f := range flags {
		for _, name := range f.Names() {
			d, ok := f.(cli.DocGenerationFlag)
			takesValue["-"+name] = ok && d.TakesValue()
			takesValue["--"+name] = takesValue["-"+name]
		}
	}
	var options, arguments []string
	for len(words) > 0 {
		word, rest := words[0], words[1:]
		switch {
		case word == "--":
			a.behind = len(rest)
			arguments, rest = append(arguments, rest...), nil
		case word == "--help" || word == "-h":
			return []string{word} // an argument would be a topic of its
		case len(word) < 2 || word[0] != '-':
			arguments = append(arguments, word)
		case takesValue[word] && len(rest) == 0:
			return append(options, word) // for the library to say that its value is missing
		case takesValue[word]:
			options, rest = append(options, word, rest[0]), rest[1:]
		default:
			options = append(options, word)
		}
		words = rest
	}
	return append(append(options, "--"), arguments...)
}

// splitAtDashes returns the arguments before a -- and those behind it; without
// one all are before it.
func (a *App) splitAtDashes(c *cli.Context) (before, behind []string) {
	words := c.Args().Slice()
	at := len(words) - a.behind
	return words[:at:at], words[at:]
}
