package app

import (
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
)

func TestParseSize(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int // 0 is an error
	}{
		{"1", 1}, {"1024", 1024}, {"2k", 2 << 10}, {"64m", 64 << 20}, {"64M", 64 << 20}, {"1g", 1 << 30},
		{"0", 0}, {"-1", 0}, {"k", 0}, {"1t", 0}, {"1.5m", 0}, {"9999999999g", 0}, {" 1", 0},
	} {
		got, err := parseSize(c.in)
		if got != c.want || (err != nil) != (c.want == 0) {
			t.Errorf("parseSize(%q) = %d, %v; want %d", c.in, got, err, c.want)
		}
	}
	if got, err := parseSize(""); got != 0 || err != nil {
		t.Errorf("no size: %d, %v", got, err)
	}
}

func TestParseLabels(t *testing.T) {
	for _, c := range []struct {
		given []string
		want  [3]string
	}{
		{nil, [3]string{"ours", "base", "theirs"}},
		{[]string{"HEAD"}, [3]string{"HEAD", "base", "theirs"}},
		{[]string{"a", "b", "c"}, [3]string{"a", "b", "c"}},
		{[]string{"a,b", "", " c "}, [3]string{"a,b", "base", " c "}},
		{[]string{"%X", "%S", "%Y"}, [3]string{"ours", "base", "theirs"}},
		{[]string{"a\r\nb"}, [3]string{"a  b", "base", "theirs"}},
	} {
		if got, err := parseLabels(c.given); got != c.want || err != nil {
			t.Errorf("parseLabels(%q) = %q, %v; want %q", c.given, got, err, c.want)
		}
	}
}

func TestParseMerge(t *testing.T) {
	o := parsed(t, "--path=%P", "--marker-size=%L", "-L", "a,b", "-q", "--theirs", "--", "-base", "ours", "theirs")
	want := mergeOptions{
		base: "-base", ours: "ours", theirs: "theirs",
		Options: driver.Options{Labels: [3]string{"a,b", "base", "theirs"}, MarkerSize: 7, Resolve: "theirs"},
		quiet:   true,
	}
	if o != want {
		t.Errorf("got  %+v\nwant %+v", o, want)
	}
}

// parsed parses a command line as Run does, without running it.
func parsed(t *testing.T, args ...string) (o mergeOptions) {
	t.Helper()
	a := &App{Stdout: io.Discard, Stderr: io.Discard}
	c, words := a.cli(args)
	c.Action = func(c *cli.Context) (err error) {
		o, err = givenTo(c).parse()
		return err
	}
	if err := c.Run(words); err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return o
}

// TestDriverLine holds that a driver line is read without the library of the command
// line as it reads it, and that it reads the others.
func TestDriverLine(t *testing.T) {
	for _, c := range []struct {
		words string
		own   bool
	}{
		{"--marker-size=7 --path=a.yaml -L HEAD -L b -L c -- o a b", true},
		{"--rules kustomize --marker-size=12 --path= -L  -L %S -L %Y -- -o --a b", true},
		{"-q -p -- a b c", true},
		{"-- a b c", true},
		{"--marker-size=7 --marker-size=8 -- a b c", true},
		{"a b c", true},
		{"-q a b c", true},
		{"-q check b c", true},
		{"-p -L x a b c", true},
		{"--path=p a b c", true},
		{"a b c -q", false},
		{"a -q b c", false},
		{"a b -", false},
		{"a -- b c", false},
		{"-q -L b c", false},
		{"check b c", false},
		{"help b c", false},
		{"a b", false},
		{"a b c d", false},
		{"-- a b", false},
		{"-- a b c d", false},
		{"-L", false},
		{"-q", false},
		{"--theirs -- a b c", false},
		{"--path", false},
		{"-h -- a b c", false},
		{"check -- a b c", false},
	} {
		words := strings.Split(c.words, " ")
		if own := driverLineAgrees(t, words); own != c.own {
			t.Errorf("%q: read without the library: %v", words, own)
		}
	}
}

// driverLineAgrees fails t unless the library of the command line reads words as
// driverLine does, if that reads them. It reports whether it does.
func driverLineAgrees(t *testing.T, words []string) bool {
	t.Helper()
	a := &App{Stdout: io.Discard, Stderr: io.Discard}
	got, ok := a.driverLine(words)
	if !ok {
		return false
	}
	c, ordered := a.cli(words)
	var want given
	c.Action = func(c *cli.Context) error {
		want = givenTo(c)
		return a.checkFiles(c.Args().Slice())
	}
	if err := c.Run(ordered); err != nil {
		t.Errorf("%q: %v", words, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q: read as %+v\nwant %+v", words, got, want)
	}
	return true
}
