package app

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/build"
)

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

// describe is a text, each paragraph in one line for the library to break, with examples
// behind it: what each does, and its line. testdata/script/examples.txtar runs them.
func describe(text string, examples ...string) string {
	var all []string
	for part := range strings.SplitSeq(text, "\n\n") {
		all = append(all, strings.Join(strings.Fields(part), " "))
	}
	for i := 0; i < len(examples); i += 2 {
		all = append(all, examples[i]+":\n  $ "+examples[i+1])
	}
	return strings.Join(all, "\n\n")
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
