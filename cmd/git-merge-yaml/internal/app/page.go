package app

import (
	"flag"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// A page is what is to be said of a command; the program itself is the first.
// The help and the manual are written from it.
type page struct {
	name        string // as it is called: git-merge-yaml install
	usage       string // in one line
	synopsis    []string
	description []string // paragraphs, the last of which has the exit codes
	options     []option
	examples    []example
	groups      []commandGroup // of commands; of the program alone
}

// A commandGroup is commands that stand together in the help.
type commandGroup struct {
	title    string
	commands []*cli.Command
}

// An option is an option as people write it.
type option struct {
	names string // -o, --output
	value string // FILE, or "" if it takes none
	usage string
}

func commandPage(program string, c *cli.Command) page {
	return page{
		name:        program + " " + c.Name,
		usage:       c.Usage,
		synopsis:    strings.Split(c.UsageText, "\n"),
		description: paragraphs(c.Description),
		options:     options(append(slices.Clone(c.Flags), cli.HelpFlag)),
		examples:    examples(c.Name),
	}
}

// paragraphs are the parts of a text between blank lines, each on one line.
func paragraphs(text string) []string {
	var all []string
	for part := range strings.SplitSeq(text, "\n\n") {
		all = append(all, strings.Join(strings.Fields(part), " "))
	}
	return all
}

func options(flags []cli.Flag) []option {
	var all []option
	for _, f := range flags {
		if v, ok := f.(cli.VisibleFlag); ok && !v.IsVisible() {
			continue
		}
		if d, ok := f.(cli.DocGenerationFlag); ok {
			all = append(all, optionOf(d))
		}
	}
	return all
}

// optionOf words a flag. Its usage has the name of its value in backquotes.
func optionOf(f cli.DocGenerationFlag) option {
	value, usage := flag.UnquoteUsage(&flag.Flag{Usage: f.GetUsage()})
	names := dashes(f.Names())
	if !f.TakesValue() {
		return option{names, "", usage}
	}
	// An int without a value of its own is 0 for the library.
	if d := f.GetDefaultText(); d != "" && d != "0" {
		usage += " (default: " + d + ")"
	}
	return option{names, value, usage}
}

// dashes spells the names of an option, short ones first.
func dashes(names []string) string {
	var all []string
	for _, n := range names {
		if len(n) == 1 {
			all = slices.Insert(all, 0, "-"+n)
		} else {
			all = append(all, "--"+n)
		}
	}
	return strings.Join(all, ", ")
}
