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
// wants them, and a -- between them. The -- that was there stays as an argument, if it is to
// be kept: it tells revisions from paths.
func optionsFirst(flags []cli.Flag, words []string, keepDashes bool) []string {
	var options, arguments, behind []string
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "--":
			behind = words[i+1:]
			if keepDashes {
				behind = words[i:]
			}
			i = len(words)
		case word == "--help" || word == "-h":
			return []string{word} // an argument would be a topic of its
		case len(word) < 2 || word[0] != '-':
			arguments = append(arguments, word)
		case takesValue(flags, word) && i+1 < len(words):
			options = append(options, word, words[i+1])
			i++
		default:
			options = append(options, word)
			if takesValue(flags, word) {
				return options // for the library to say that its value is missing
			}
		}
	}
	words = append(append(options, "--"), arguments...)
	return append(words, behind...)
}

// takesValue reports whether word is an option whose value is the next word.
func takesValue(flags []cli.Flag, word string) bool {
	for _, f := range flags {
		for _, name := range f.Names() {
			if word == "--"+name || word == "-"+name {
				d, ok := f.(cli.DocGenerationFlag)
				return ok && d.TakesValue()
			}
		}
	}
	return false
}

// splitAtDashes returns the arguments before a -- and those behind it; without
// one all are before it.
func splitAtDashes(words []string) (before, behind []string) {
	for i, w := range words {
		if w == "--" {
			return words[:i:i], words[i+1:]
		}
	}
	return words, nil
}
