package app

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"
)

// The addresses in help texts and in the manual page.
const (
	docsURL   = "https://github.com/git-merge-yaml/git-merge-yaml/tree/main/docs"
	issuesURL = "https://github.com/git-merge-yaml/git-merge-yaml/issues"
)

// usageTemplate is the template of a help text by which cli.HelpPrinter recognizes -h. It is not executed.
const usageTemplate = "usage"

// setUsageTemplate makes the program and all of its commands print a usage of one screen in place of the help. It is
// called for -h; --help prints the complete help.
func setUsageTemplate(program *cli.App) {
	program.CustomAppHelpTemplate = usageTemplate
	for _, c := range program.Commands {
		c.CustomHelpTemplate = usageTemplate
		for _, sub := range c.Subcommands {
			sub.CustomHelpTemplate = usageTemplate
		}
	}
}

// printUsage prints what -h prints, on one screen: the usage, and the commands of the program or the options of a
// command, each on one line if it fits. data is a *cli.App or a *cli.Command.
func printUsage(w io.Writer, data any) {
	var usage, name string
	var rows [][2]string
	switch c := data.(type) {
	case *cli.App:
		usage, name = c.UsageText, c.HelpName
		for _, x := range c.VisibleCommands() {
			if x.Name == "help" { // the command of the library
				x.Usage = "show the help of a command"
			}
			rows = append(rows, [2]string{x.Name, x.Usage})
		}
	case *cli.Command:
		usage, name = c.UsageText, c.HelpName
		if usage == "" { // a subcommand
			usage = strings.Join(strings.Fields(c.HelpName+" [options] "+c.ArgsUsage), " ")
		}
		for _, x := range c.Subcommands {
			rows = append(rows, [2]string{x.Name, x.Usage})
		}
		for _, f := range c.VisibleFlags() {
			names, text, _ := strings.Cut(f.String(), "\n")
			rows = append(rows, [2]string{names, text})
		}
	}
	for i, line := range strings.Split(usage, "\n") {
		fmt.Fprintf(w, "%s %s\n", [2]string{"usage:", "   or:"}[min(i, 1)], strings.Replace(line, "git-merge-yaml", "git merge-yaml", 1))
	}
	fmt.Fprintln(w)
	const column = 26
	for _, row := range rows {
		line := fmt.Sprintf("    %-*s", column-4, row[0])
		if len(line) > column {
			line += "\n" + strings.Repeat(" ", column)
		}
		width := column
		for word := range strings.FieldsSeq(row[1]) {
			if width+1+len(word) > helpWidth {
				line, width = line+"\n"+strings.Repeat(" ", column), column
			}
			line, width = line+" "+word, width+1+len(word)
		}
		fmt.Fprintln(w, line)
	}
	command := name // "git merge-yaml --help" would open the manual, which is not always installed
	if _, ok := data.(*cli.Command); ok {
		command = strings.TrimSpace(strings.Replace(name, "git-merge-yaml", "git merge-yaml", 1))
	}
	if len(rows) > 0 {
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s --help explains more, with examples\n%s\n", command, docsURL)
}
