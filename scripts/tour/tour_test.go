package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var gitVersion = regexp.MustCompile(`git (?:version )?(\d+\.\d+)`)

// TestStoriesAreTrue tells every story anew: the documents are what happens.
func TestStoriesAreTrue(t *testing.T) {
	top := filepath.Join("..", "..")
	wrote, here := version(t, top)
	if wrote != here {
		t.Skipf("git %s wrote the documents, and says some things in other words than git %s", wrote, here)
	}
	for _, story := range stories {
		want, err := os.ReadFile(filepath.Join(top, story.file))
		if err != nil {
			t.Fatal(err)
		}
		got, err := told(top, story.tell)
		if err != nil {
			t.Error(err)
		} else if got != string(want) {
			t.Errorf("%s is not what happens; write it anew: go run ./scripts/tour\n%s", story.file, difference(got, string(want)))
		}
	}
}

// version returns which git wrote the documents, and which is here.
func version(t *testing.T, top string) (wrote, here string) {
	page, err := os.ReadFile(filepath.Join(top, "docs", "tour.md"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "version").Output()
	if err != nil {
		t.Fatal(err)
	}
	return gitVersion.FindStringSubmatch(string(page))[1], gitVersion.FindStringSubmatch(string(out))[1]
}

// difference is the first line in which two texts differ.
func difference(got, want string) string {
	w := strings.Split(want, "\n")
	for i, l := range strings.Split(got, "\n") {
		if i >= len(w) || l != w[i] {
			return "got:  " + l + "\nwant: " + strings.Join(w[min(i, len(w)):min(i+1, len(w))], "")
		}
	}
	return "the end is missing"
}
