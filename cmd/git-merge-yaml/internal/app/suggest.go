package app

import (
	"slices"

	"github.com/urfave/cli/v2"
	"github.com/xrash/smetrics"
)

// nearest returns the name that word was meant to be, "" if it is like none.
func nearest(word string, names []string) string {
	best, found := 0.8, ""
	for _, name := range names {
		// The weights are those of the library of the command line.
		if like := smetrics.JaroWinkler(word, name, 0.7, 4); like > best {
			best, found = like, name
		}
	}
	return found
}

// suggestCommand is a hint at the command that word was meant to be, else "".
func (a *App) suggestCommand(word string) string {
	names := []string{"help"}
	for _, c := range a.commands() {
		names = append(names, c.Name)
	}
	return didYouMean("", nearest(word, names))
}

// suggestOption is a hint at the option that word, without its dashes, was
// meant to be, else "".
func suggestOption(flags []cli.Flag, word string) string {
	names := slices.Clone(cli.HelpFlag.Names())
	for _, f := range flags {
		names = append(names, f.Names()...)
	}
	return didYouMean("--", nearest(word, names))
}

func didYouMean(dashes, name string) string {
	if name == "" {
		return ""
	}
	return "; did you mean " + dashes + name + "?"
}
