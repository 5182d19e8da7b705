// Package cli reads command lines: options, with or without a value, and
// arguments, in any order; behind -- all are arguments. It prints nothing and
// runs nothing but the action of a command.
//
// It has the words of github.com/urfave/cli/v2, as far as this program uses
// them. That library links a renderer of manual pages unless a build tag leaves
// it out, and git starts the program once for every file that it merges.
package cli

import "errors"

// A Command is what is called by a name, or the program itself.
type Command struct {
	Name        string
	HelpName    string // with the name of the program; of the program, its name
	Usage       string // what it does, in one line
	UsageText   string // how it is called, a line for each way
	Description string // paragraphs between blank lines
	Flags       []Flag
	Action      func(*Context) error
}

// ErrHelp is the outcome of a command line that asks for help.
var ErrHelp = errors.New("help is asked for")

// HelpFlag is an option of every command. VersionFlag is one of the program
// only; who uses this package looks for it.
var (
	HelpFlag    Flag = &BoolFlag{Name: "help", Aliases: []string{"h"}, Usage: "show help"}
	VersionFlag Flag = &BoolFlag{Name: "version", Aliases: []string{"v"}, Usage: "print the version"}
)

// Run parses args, which begin behind the name of the command, and runs its
// action. It returns ErrHelp or a *UsageError where it does not run it.
func (c *Command) Run(args []string) error {
	ctx, err := c.Parse(args)
	if err != nil {
		return err
	}
	return c.Action(ctx)
}

// A Context is a parsed command line.
type Context struct {
	Command *Command
	values  map[Flag]string
	lists   map[Flag][]string
	args    Args
	dashes  int // how many arguments stand before --, -1 without one
}

// String returns the value of an option, "" where it is not given.
func (c *Context) String(name string) string { return c.values[c.flag(name)] }

// Bool reports whether an option is given and not false.
func (c *Context) Bool(name string) bool { return isTrue(c.values[c.flag(name)]) }

// Int returns the number that an option has, 0 where it is not given.
func (c *Context) Int(name string) int { return number(c.values[c.flag(name)]) }

// StringSlice returns the values of an option that may be repeated.
func (c *Context) StringSlice(name string) []string { return c.lists[c.flag(name)] }

// IsSet reports whether an option is given.
func (c *Context) IsSet(name string) bool {
	_, ok := c.values[c.flag(name)]
	return ok
}

// flag returns the option of that name. To ask for one that the command does
// not have is a mistake in the program.
func (c *Context) flag(name string) Flag {
	f := Find(c.Command.Flags, name)
	if f == nil {
		panic("no option " + name)
	}
	return f
}

// Args returns all arguments, without a -- among them.
func (c *Context) Args() Args { return c.args }

// NArg returns the number of arguments.
func (c *Context) NArg() int { return len(c.args) }

// AtDashes returns the arguments before -- and those behind it; without one
// all are before it.
func (c *Context) AtDashes() (before, behind []string) {
	if c.dashes < 0 {
		return c.args, nil
	}
	return c.args[:c.dashes], c.args[c.dashes:]
}

// Args are the arguments of a command line.
type Args []string

// Get returns the argument number n, from 0, or "".
func (a Args) Get(n int) string {
	if n >= len(a) {
		return ""
	}
	return a[n]
}

// First returns the first argument, or "".
func (a Args) First() string { return a.Get(0) }

// Slice returns all arguments.
func (a Args) Slice() []string { return a }
