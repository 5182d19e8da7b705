package cli

import (
	"fmt"
	"strconv"
	"strings"
)

// A UsageError says what is wrong with an option of a command line.
type UsageError struct {
	Problem Problem
	Option  string // with its dashes, as people write it
	Value   string
}

// A Problem is what can be wrong with an option.
type Problem uint8

// The problems.
const (
	Unknown    Problem = iota + 1 // the command has no such option
	NeedsValue                    // it stands at the end, without its value
	NotBool                       // its value is not true or false
	NotNumber                     // its value is not a number
)

func (e *UsageError) Error() string {
	switch e.Problem {
	case NeedsValue:
		return fmt.Sprintf("option %s needs a value", e.Option)
	case NotBool:
		return fmt.Sprintf("%s %q: want true or false", e.Option, e.Value)
	case NotNumber:
		return fmt.Sprintf("%s %q: want a number", e.Option, e.Value)
	}
	return "unknown option " + e.Option
}

// Parse reads args, which begin behind the name of the command. The error is
// ErrHelp or a *UsageError.
func (c *Command) Parse(args []string) (*Context, error) {
	ctx := &Context{Command: c, values: map[Flag]string{}, lists: map[Flag][]string{}, dashes: -1}
	for i := 0; i < len(args); i++ {
		word := args[i]
		switch {
		case word == "--":
			ctx.dashes = len(ctx.args)
			ctx.args = append(ctx.args, args[i+1:]...)
			return ctx, nil
		case len(word) < 2 || word[0] != '-':
			ctx.args = append(ctx.args, word)
			continue
		}
		used, err := ctx.option(word, args[i+1:])
		if err != nil {
			return nil, err
		}
		i += used
	}
	return ctx, nil
}

// option takes in an option, with one dash or two, and returns how many of the
// words behind it are its value.
func (c *Context) option(word string, rest []string) (used int, err error) {
	name, value, assigned := strings.Cut(strings.TrimPrefix(word[1:], "-"), "=")
	f := Find(c.Command.Flags, name)
	if f == nil && Find([]Flag{HelpFlag}, name) != nil {
		return 0, ErrHelp
	}
	e := &UsageError{Option: Dashed(name)}
	switch {
	case f == nil:
		e.Problem = Unknown
		return 0, e
	case assigned:
	case !f.TakesValue():
		value = "true"
	case len(rest) == 0:
		e.Problem = NeedsValue
		return 0, e
	default:
		value, used = rest[0], 1
	}
	if e.Problem = c.set(f, value); e.Problem != 0 {
		e.Value = value
		return 0, e
	}
	return used, nil
}

// set gives an option its value, unless that makes no sense.
func (c *Context) set(f Flag, value string) Problem {
	switch f.(type) {
	case *BoolFlag:
		if _, err := strconv.ParseBool(value); err != nil {
			return NotBool
		}
	case *IntFlag:
		if _, err := strconv.Atoi(value); err != nil {
			return NotNumber
		}
	case *StringSliceFlag:
		c.lists[f] = append(c.lists[f], value)
	}
	c.values[f] = value
	return 0
}

// Dashed writes the name of an option as people do: -p, --path.
func Dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}
