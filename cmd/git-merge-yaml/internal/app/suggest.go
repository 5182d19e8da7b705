package app

import (
	"maps"
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

// suggestOption is a hint at the option that word, without its dashes, was
// meant to be, else "".
func suggestOption(flags []cli.Flag, word string) string {
	names := slices.Clone(cli.HelpFlag.Names())
	for _, f := range flags {
		names = append(names, f.Names()...)
	}
	meant := nearest(word, names)
	if also := synonyms[nearest(word, slices.Collect(maps.Keys(synonyms)))]; meant == "" && slices.Contains(names, also) {
		meant = also
	}
	return didYouMean("--", meant)
}

// synonyms are what options are called elsewhere.
var synonyms = map[string]string{
	"limit": "max", "max-count": "max", "number": "max", "after": "since", "colour": "color", "out": "output", "file": "output",
}

func didYouMean(dashes, name string) string {
	if name == "" {
		return ""
	}
	return "; did you mean " + dashes + name + "?"
}
