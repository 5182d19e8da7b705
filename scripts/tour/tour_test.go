package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStoriesAreTrue tells every story anew: the pictures show what happens.
func TestStoriesAreTrue(t *testing.T) {
	top := filepath.Join("..", "..")
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
