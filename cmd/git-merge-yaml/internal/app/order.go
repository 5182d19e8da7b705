package app

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// A commandLine is the words behind the name of a command, told apart.
type commandLine struct {
	options []string // with their values
	// arguments are those before --, and behind those behind it, which is
	// nil without a --.
	arguments, behind []string
	// closed reports whether the options say all there is to run: they ask for
	// help, or the last one has no value.
	closed bool
}

// readLine tells options from arguments, which may stand in any order before
// a --. The library takes all that stands behind the first argument for
// arguments. A word that looks like an option and is none of flags counts as
// one, so that the library says what is wrong with it.
func readLine(flags []cli.Flag, words []string) (l commandLine) {
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case word == "--":
			l.behind = append([]string{}, words[i+1:]...)
			return l
		case len(word) < 2 || word[0] != '-':
			l.arguments = append(l.arguments, word)
			continue
		}
		l.options = append(l.options, word)
		l.closed = asksHelp(word)
		if takesValue(flags, word) {
			i++
			if l.closed = i == len(words); !l.closed {
				l.options = append(l.options, words[i])
			}
		}
		if l.closed {
			return l
		}
	}
	return l
}

// asksHelp reports whether a word is the option --help.
func asksHelp(word string) bool {
	return flagOf([]cli.Flag{cli.HelpFlag}, word) != nil
}

// ordered returns the words as the library reads them, the options first. A
// second -- stands where the first one was, if dashes are to be kept.
func (l commandLine) ordered(keepDashes bool) []string {
	if l.closed {
		return l.options
	}
	words := slices.Concat(l.options, []string{"--"}, l.arguments)
	if keepDashes && l.behind != nil {
		words = append(words, "--")
	}
	return append(words, l.behind...)
}

// splitAtDashes returns the arguments before a -- and those behind it; without
// one all are before it. No argument is -- but that one, since ordered keeps
// the first and what follows is behind it.
func splitAtDashes(words []string) (before, behind []string) {
	if i := slices.Index(words, "--"); i >= 0 {
		return words[:i:i], words[i+1:]
	}
	return words, nil
}

// asksVersion reports whether a word is the option --version.
func asksVersion(word string) bool {
	return strings.HasPrefix(word, "-") && flagOf([]cli.Flag{cli.VersionFlag}, word) != nil
}
