package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/app"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/scripttest"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// TestHelpExamplesAreTested checks that examples.txtar runs each example of each help text.
func TestHelpExamplesAreTested(t *testing.T) {
	script, err := os.ReadFile(filepath.Join("..", "..", "testdata", "script", "examples.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile(`(?m)^ +([a-z0-9]+)  +`).FindAllStringSubmatch(helpText(t), -1)
	for _, c := range append(commands, []string{"", ""}) {
		text, name := helpText(t), "-"
		if c[1] != "" {
			text, name = helpText(t, c[1]), c[1]
		}
		for i := range scripttest.ExamplePattern.FindAllString(text, -1) {
			if run := fmt.Sprintf("\nexample %s %d ", name, i+1); !strings.Contains(string(script), run) {
				t.Errorf("examples.txtar lacks:%s", run)
			}
		}
	}
}

// helpText returns the help of a command, or of the program without arguments.
func helpText(t *testing.T, command ...string) string {
	var stdout, stderr bytes.Buffer
	a := &app.App{Stdout: &stdout, Stderr: &stderr, Merge: merge.Merge}
	if code := a.Run(append([]string{"help"}, command...)); code != 0 {
		t.Fatalf("help %s: %d, %s", command, code, &stderr)
	}
	return stdout.String()
}
