package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// command has an option of every kind.
func command() *Command {
	return &Command{Name: "c", Flags: []Flag{
		&BoolFlag{Name: "stdout", Aliases: []string{"p"}},
		&StringFlag{Name: "path"},
		&StringSliceFlag{Name: "L"},
		&IntFlag{Name: "max", Aliases: []string{"n"}},
	}}
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"", "[] [] [] false"},
		{"a b", "[a b] [] [] false"},
		{"-p a --path x b", "[a b] [] [] true x"},
		{"a b --path=x -p", "[a b] [] [] true x"},
		{"-path x", "[] [] [] false x"},
		{"--path= a", "[a] [] [] false"},
		{"--path -p", "[] [] [] false -p"},
		{"-L a,b a -L c", "[a] [] [a,b c] false"},
		{"--max 3", "[] [] [] false 3"},
		{"-n=3 --max=4", "[] [] [] false 4"},
		{"--stdout=false", "[] [] [] false"},
		{"-- -p", "[] [-p] [] false"},
		{"a -p -- b -- -p", "[a] [b -- -p] [] true"},
		{"a - b", "[a - b] [] [] false"},
		{"-p --help", "help"},
		{"a -h", "help"},
		{"--pth", "unknown option --pth"},
		{"a -x", "unknown option -x"},
		{"--", "[] [] [] false"},
		{"---path", "unknown option ---path"},
		{"--=x", "unknown option --"},
		{"a --path", "option --path needs a value"},
		{"--max all", `--max "all": want a number`},
		{"--stdout=perhaps", `--stdout "perhaps": want true or false`},
	} {
		if got := parsed(c.line); got != c.want {
			t.Errorf("%q: %s, want %s", c.line, got, c.want)
		}
	}
}

// parsed says what a command line is parsed to.
func parsed(line string) string {
	c, err := command().Parse(strings.Fields(line))
	if errors.Is(err, ErrHelp) {
		return "help"
	}
	if err != nil {
		return err.Error()
	}
	before, behind := c.AtDashes()
	got := fmt.Sprint(before, behind, c.StringSlice("L"), c.Bool("p"))
	if c.IsSet("path") && c.String("path") != "" {
		got += " " + c.String("path")
	}
	if c.IsSet("max") {
		got += fmt.Sprint(" ", c.Int("n"))
	}
	return got
}

func TestArgs(t *testing.T) {
	c, err := command().Parse([]string{"a", "-p", "--", "b"})
	if err != nil {
		t.Fatal(err)
	}
	if c.NArg() != 2 || c.Args().First() != "a" || c.Args().Get(1) != "b" || c.Args().Get(2) != "" || !slices.Equal(c.Args().Slice(), []string{"a", "b"}) {
		t.Errorf("arguments %q", c.Args())
	}
}

func TestRun(t *testing.T) {
	c := command()
	ran := ""
	c.Action = func(c *Context) error {
		ran = c.Args().First()
		return nil
	}
	if err := c.Run([]string{"a"}); err != nil || ran != "a" {
		t.Errorf("ran with %q, %v", ran, err)
	}
	var usage *UsageError
	if err := c.Run([]string{"b", "-x"}); !errors.As(err, &usage) || ran != "a" {
		t.Errorf("ran with %q, %v", ran, err)
	}
}
