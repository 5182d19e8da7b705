package cli

import (
	"slices"
	"strconv"
)

// A Flag is an option of a command. All have a name, other names, and a usage
// in which the name of the value stands in backquotes.
type Flag interface {
	Names() []string // the name first
	TakesValue() bool
	IsVisible() bool // in the help
	GetUsage() string
	GetDefaultText() string // what holds where it is not given, for people
}

// The kinds of options. Those with a Name of one letter are written with one
// dash.
type (
	// A BoolFlag takes no value, but =false.
	BoolFlag struct {
		Name    string
		Aliases []string
		Usage   string
		Hidden  bool
	}
	// A StringFlag takes any value; the last one counts.
	StringFlag struct {
		Name        string
		Aliases     []string
		Usage       string
		DefaultText string
	}
	// A StringSliceFlag takes any value, and may be repeated.
	StringSliceFlag StringFlag
	// An IntFlag takes a number.
	IntFlag StringFlag
)

func (f *BoolFlag) Names() []string        { return names(f.Name, f.Aliases) }
func (f *StringFlag) Names() []string      { return names(f.Name, f.Aliases) }
func (f *StringSliceFlag) Names() []string { return names(f.Name, f.Aliases) }
func (f *IntFlag) Names() []string         { return names(f.Name, f.Aliases) }

func (f *BoolFlag) TakesValue() bool        { return false }
func (f *StringFlag) TakesValue() bool      { return true }
func (f *StringSliceFlag) TakesValue() bool { return true }
func (f *IntFlag) TakesValue() bool         { return true }

func (f *BoolFlag) IsVisible() bool        { return !f.Hidden }
func (f *StringFlag) IsVisible() bool      { return true }
func (f *StringSliceFlag) IsVisible() bool { return true }
func (f *IntFlag) IsVisible() bool         { return true }

func (f *BoolFlag) GetUsage() string        { return f.Usage }
func (f *StringFlag) GetUsage() string      { return f.Usage }
func (f *StringSliceFlag) GetUsage() string { return f.Usage }
func (f *IntFlag) GetUsage() string         { return f.Usage }

func (f *BoolFlag) GetDefaultText() string        { return "" }
func (f *StringFlag) GetDefaultText() string      { return f.DefaultText }
func (f *StringSliceFlag) GetDefaultText() string { return f.DefaultText }
func (f *IntFlag) GetDefaultText() string         { return f.DefaultText }

func names(name string, aliases []string) []string {
	return append([]string{name}, aliases...)
}

// Find returns the option of that name, nil if there is none.
func Find(flags []Flag, name string) Flag {
	for _, f := range flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

// isTrue reads a value that parse found to be a bool, or none.
func isTrue(value string) bool {
	b, _ := strconv.ParseBool(value)
	return b
}

// number reads a value that parse found to be a number, or none.
func number(value string) int {
	n, _ := strconv.Atoi(value)
	return n
}
