package app

import (
	"bytes"
	"strings"
	"testing"
)

// helpText returns the help of the program or, if words are given, of a command.
func helpText(t *testing.T, words ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := (&App{Stdout: &out, Stderr: &errs}).Run(append([]string{"help"}, words...)); code != exitClean {
		t.Fatalf("help %q: %s", words, &errs)
	}
	return strings.ReplaceAll(out.String(), "\nVERSION:\n   (devel)\n", "")
}

// TestHelp checks that the help of each command fits into helpWidth, and that it contains the exit codes and an
// example.
func TestHelp(t *testing.T) {
	for _, c := range New().commands() {
		text := helpText(t, c.Name)
		for line := range strings.Lines(text) {
			if len(line) > helpWidth+1 || strings.ContainsAny(line, "\t`") {
				t.Errorf("%s: %q", c.Name, line)
			}
		}
		if !strings.Contains(text, "Exits with 0") || !strings.Contains(text, "$ git merge-yaml "+c.Name) {
			t.Errorf("%s: no exit codes, or no examples", c.Name)
		}
	}
}
