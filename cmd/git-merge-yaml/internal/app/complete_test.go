package app

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// completed returns the first words of what reply prints, in one line.
func completed(t *testing.T, line string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := &App{Stdout: &stdout, Stderr: &stderr, Merge: merge.Merge}
	args := append([]string{"completion", "--reply", "--"}, strings.Split(line, " ")...)
	if code := a.Run(args); code != exitClean || stderr.Len() > 0 {
		t.Errorf("%q: exit code %d, %s", line, code, &stderr)
	}
	var words []string
	for l := range strings.Lines(stdout.String()) {
		word, _, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func TestComplete(t *testing.T) {
	t.Chdir(t.TempDir()) // no repository
	for line, want := range map[string]string{
		"inst":                       "install",
		"un":                         "uninstall",
		"base.ya":                    ":any", // no command begins so
		"help in":                    "install",
		"help explain ":              "install uninstall doctor resolve regenerate review explain diff check lists rules replay preview report completion merge2 apply help",
		"completion ":                "bash zsh fish",
		"--st":                       "--stdout --style",
		"--style ":                   "merge diff3 zdiff3",
		"--style d":                  "diff3",
		"--style=zd":                 "--style=zdiff3",
		"--config=":                  ":yaml",
		"--path ":                    ":yaml",
		"-o ":                        ":yaml",
		"--max-size ":                "",
		"-p ":                        ":any",
		"-p base.yaml ":              ":any",
		"-- ins":                     ":any",
		"install --l":                "--local",
		"install --attributes":       "--attributes",
		"install ":                   "",
		"doctor -":                   "--json -h --help",
		"uninstall -n --attributes ": "tracked info global none",
		"lists ":                     ":yaml",
		"rules ":                     "add",
		"rules add h":                "helm",
		"lists -- --":                ":yaml",
		"lists --path=a --js":        "--json",
		"explain ":                   ":yaml",
		"replay --only ":             "conflicts different",
		"replay -- ":                 ":yaml",
		"replay --save ":             ":dirs",
		"replay --html ":             ":any",
		"merge2 a.yaml ":             ":yaml",
		"completion --re":            "", // is for the shells alone
	} {
		if got := completed(t, line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// TestCompletedValues checks that what options are completed to is what they
// say that they want.
func TestCompletedValues(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, command := range []string{"--style", "--rules", "install --attributes", "install --rules", "replay --only"} {
		var stderr bytes.Buffer
		a := &App{Stdout: &stderr, Stderr: &stderr, Merge: merge.Merge}
		args := append(strings.Fields(command), "no such value")
		if !strings.Contains(command, " ") {
			args = append(args, "base", "ours", "theirs")
		}
		a.Run(args)
		_, want, _ := strings.Cut(strings.TrimSpace(stderr.String()), ": want ")
		want = strings.NewReplacer(",", "", " or ", " ").Replace(want)
		if got := completed(t, command+" "); got != want || want == "" {
			t.Errorf("%s: %q, but %s", command, got, &stderr)
		}
	}
}

// TestValuesAreCompleted checks that every option with a value is completed, but
// for those that take what nobody can guess.
func TestValuesAreCompleted(t *testing.T) {
	free := []string{"marker-size", "L", "max-size", "pattern", "since", "max", "jobs", "show", "rule", "push", "tries"}
	a := New()
	flags := mergeFlags()
	for _, c := range a.commands() {
		flags = append(flags, c.Flags...)
	}
	t.Chdir(t.TempDir())
	if out, err := exec.Command("git", "init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, f := range flags {
		name := f.Names()[0]
		if !takesValue(flags, "--"+name) || slices.Contains(free, name) {
			continue
		}
		if c := valuesOf(flags, "--"+name); len(c.words) == 0 && c.files == "" {
			t.Errorf("--%s is not completed", name)
		}
	}
}
