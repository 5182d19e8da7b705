package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func TestReadLine(t *testing.T) {
	flags := []cli.Flag{
		&cli.BoolFlag{Name: "stdout", Aliases: []string{"p"}},
		&cli.StringFlag{Name: "path"},
		&cli.StringSliceFlag{Name: "L"},
		&cli.IntFlag{Name: "max", Aliases: []string{"n"}},
	}
	for _, c := range []struct{ line, want string }{
		{"", "--"},
		{"a b", "-- a b"},
		{"-p a --path x b", "-p --path x -- a b"},
		{"a b --path=x -p", "--path=x -p -- a b"},
		{"a -path x", "-path x -- a"},
		{"--path -p a", "--path -p -- a"},
		{"--path -- a", "--path -- -- a"},
		{"--path --help a", "--path --help -- a"},
		{"-L x a -L y", "-L x -L y -- a"},
		{"a -n 3 b", "-n 3 -- a b"},
		{"-- -p", "-- -- -p"},
		{"a -p -- b -- -p", "-p -- a -- b -- -p"},
		{"a --", "-- a --"},
		{"a - b", "-- a - b"},
		{"a --nope b", "--nope -- a b"},
		{"a --path", "--path"},
		{"-p a --help --nope", "-p --help"},
		{"a -h", "-h"},
	} {
		words := readLine(flags, strings.Fields(c.line)).ordered(true)
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%q: %s, want %s", c.line, got, c.want)
		}
	}
	if got := readLine(flags, []string{"a", "--", "b", "--"}).ordered(false); !slices.Equal(got, []string{"--", "a", "b", "--"}) {
		t.Errorf("without the -- between them: %q", got)
	}
}

func TestSplitAtDashes(t *testing.T) {
	for line, want := range map[string]string{
		"":            "[] []",
		"a b":         "[a b] []",
		"a -- b -- c": "[a] [b -- c]",
		"-- b":        "[] [b]",
		"a --":        "[a] []",
	} {
		before, behind := splitAtDashes(strings.Fields(line))
		if got := fmt.Sprint(before, behind); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
		if before = append(before, "x", "y"); fmt.Sprint(before[:len(before)-2], behind) != want {
			t.Errorf("%q: what is added to the former overwrites the latter: %q", line, behind)
		}
	}
}
