package app

import (
	"slices"
	"strings"
)

// given is what a merge was given, as it was written.
type given struct {
	path, style, config, output, markerSize, maxSize, rules, own string

	labels                             []string
	stdout, quiet, ours, theirs, union bool
	base, oursFile, theirsFile         string
}

// driverLine reads words as a driver line has them: options, "--" or not, and three files. It
// reports false for any others, which the library of the command line reads: to make that
// takes a fifth of what a small merge does.
func (a *App) driverLine(words []string) (g given, ok bool) {
	for i := 0; i < len(words); i++ {
		switch name, value, has := strings.Cut(words[i], "="); {
		case words[i] == "--" && len(words) == i+4:
			g.base, g.oursFile, g.theirsFile = words[i+1], words[i+2], words[i+3]
			return g, true
		case len(words) == i+3 && areFiles(words[i:]) && !a.isCommand(words):
			g.base, g.oursFile, g.theirsFile = words[i], words[i+1], words[i+2]
			return g, true
		case words[i] == "-L" && i+1 < len(words):
			i++
			g.labels = append(g.labels, words[i])
		case words[i] == "--rules" && i+1 < len(words):
			i++
			g.rules = words[i]
		case words[i] == "-q":
			g.quiet = true
		case words[i] == "-p":
			g.stdout = true
		case has && name == "--marker-size":
			g.markerSize = value
		case has && name == "--path":
			g.path = value
		default:
			return g, false
		}
	}
	return g, false
}

// areFiles reports whether no word looks like an option.
func areFiles(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "-") })
}
