package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPicturesAreCurrent draws every picture and compares it with the file in docs.
func TestPicturesAreCurrent(t *testing.T) {
	top := filepath.Join("..", "..")
	for _, p := range pictures {
		want, err := os.ReadFile(filepath.Join(top, p.file))
		if err != nil {
			t.Fatal(err)
		}
		got, err := drawPicture(top, p.draw)
		if strings.Contains(got, "var(") {
			t.Errorf("%s uses var(), which programs other than browsers draw black", p.file)
		}
		if err != nil {
			t.Error(err)
		} else if got != string(want) {
			t.Errorf("%s is not current; run: go run ./scripts/tour\n%s", p.file, firstDifference(got, string(want)))
		}
	}
}

// firstDifference returns the first line in which two texts differ, of both texts.
func firstDifference(got, want string) string {
	w := strings.Split(want, "\n")
	for i, l := range strings.Split(got, "\n") {
		if i >= len(w) || l != w[i] {
			return "got:  " + l + "\nwant: " + strings.Join(w[min(i, len(w)):min(i+1, len(w))], "")
		}
	}
	return "the end is missing"
}
