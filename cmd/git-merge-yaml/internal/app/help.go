package app

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// helpWidth is the number of columns that a help fills at most.
const helpWidth = 80

// withHelp gives the command line the commands, and the helps of the program and
// of these.
// The library takes a text for a template; none of them has {{ in it.
func (a *App) withHelp(c *cli.App) {
	c.Commands = a.commands()
	c.CustomAppHelpTemplate = helpText(a.programPage(c))
	for _, command := range c.Commands {
		command.CustomHelpTemplate = helpText(commandPage(c.HelpName, command))
	}
	c.Before = func(ctx *cli.Context) error {
		if name := ctx.Args().Get(1); ctx.Args().First() == "help" && name != "" {
			return a.checkTopic(name)
		}
		return nil
	}
}

// programPage is the page of the program itself.
func (a *App) programPage(c *cli.App) page {
	return page{
		name:        c.Name,
		usage:       c.Usage,
		synopsis:    strings.Split(c.UsageText, "\n"),
		description: paragraphs(c.Description),
		options:     options(append(slices.Clone(c.Flags), cli.HelpFlag, cli.VersionFlag)),
		examples:    examples(""),
		groups:      a.groups(),
	}
}

// checkTopic says what is wrong with the name of a command.
func (a *App) checkTopic(name string) error {
	if a.command([]string{name}) != nil {
		return nil
	}
	return fmt.Errorf("there is no command %s%s (git-merge-yaml --help lists the commands)", name, a.suggestCommand(name))
}

// helpMore is said at the end of the help of the program.
const helpMore = "git-merge-yaml COMMAND --help says more of a command, and git help merge-yaml is the manual."

// helpText is what --help prints of a command.
func helpText(p page) string {
	var b strings.Builder
	b.WriteString(wrap(p.name+" - "+p.usage, 0))
	b.WriteString("\nUsage:\n")
	for _, line := range p.synopsis {
		fmt.Fprintf(&b, "  %s\n", line)
	}
	for _, g := range p.groups {
		fmt.Fprintf(&b, "\n%s:\n", g.title)
		for _, c := range g.commands {
			writeEntry(&b, c.Name, c.Usage, 14)
		}
	}
	for _, text := range p.description {
		b.WriteString("\n" + wrap(text, 0))
	}
	b.WriteString("\nOptions:\n")
	for _, o := range p.options {
		writeEntry(&b, strings.TrimSpace(o.names+" "+o.value), o.usage, 24)
	}
	b.WriteString("\nExamples:\n")
	for _, e := range p.examples {
		fmt.Fprintf(&b, "%s    $ %s\n", wrap(e.does+":", 2), e.line)
	}
	if len(p.groups) > 0 {
		b.WriteString("\n" + wrap(helpMore, 0))
	}
	return b.String()
}

// writeEntry writes a name, and what it means in the column given.
func writeEntry(b *strings.Builder, name, text string, column int) {
	text = strings.TrimLeft(wrap(text, column), " ")
	if 2+len(name)+2 > column {
		fmt.Fprintf(b, "  %s\n%*s%s", name, column, "", text)
		return
	}
	fmt.Fprintf(b, "  %-*s%s", column-2, name, text)
}

// wrap breaks a paragraph into lines that fit, each indented.
func wrap(text string, indent int) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case column == 0:
			fmt.Fprintf(&b, "%*s", indent, "")
			column = indent
		case column+1+n > helpWidth:
			fmt.Fprintf(&b, "\n%*s", indent, "")
			column = indent
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += n
	}
	return b.String() + "\n"
}
