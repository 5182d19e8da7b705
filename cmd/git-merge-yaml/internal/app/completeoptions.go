package app

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// optionChoices are the options that flags have.
func optionChoices(flags []cli.Flag) []choice {
	var all []choice
	for _, o := range options(flags) {
		for name := range strings.SplitSeq(o.names, ", ") {
			all = append(all, choice{name, o.usage})
		}
	}
	return all
}

// takesValue reports whether word is an option whose value is the next word.
func takesValue(flags []cli.Flag, word string) bool {
	f, ok := flagOf(flags, word).(cli.DocGenerationFlag)
	return ok && f.TakesValue()
}

// flagOf returns the flag that a word of a command line spells, nil if none.
func flagOf(flags []cli.Flag, word string) cli.Flag {
	for _, f := range flags {
		for _, name := range f.Names() {
			if word == "--"+name || word == "-"+name {
				return f
			}
		}
	}
	return nil
}

// argumentsOf returns the words that are no options and no values of options.
func argumentsOf(flags []cli.Flag, words []string) []string {
	var all []string
	for i, w := range words {
		if !strings.HasPrefix(w, "-") && (i == 0 || !takesValue(flags, words[i-1])) {
			all = append(all, w)
		}
	}
	return all
}
