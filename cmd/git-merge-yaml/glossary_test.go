package main

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// TestGlossary checks that the package comment of merge/internal also defines each word of docs/glossary.md, so that the
// code and the documentation use one word for one thing, and that no word is defined twice.
func TestGlossary(t *testing.T) {
	read := func(file, row string) (words []string) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(row).FindAllStringSubmatch(string(data), -1) {
			if m[1] == "word" {
				continue
			}
			if slices.Contains(words, m[1]) {
				t.Errorf("%s defines %q twice", file, m[1])
			}
			words = append(words, m[1])
		}
		return words
	}
	page := read("../../docs/glossary.md", `(?m)^\| (\w.*?) \|`)
	code := read("../../merge/internal/doc.go", `(?m)^//\t(\w.*?)  `)
	if len(page) == 0 || len(code) == 0 {
		t.Fatalf("%d words on the page, %d in the code", len(page), len(code))
	}
	for _, w := range page {
		if !slices.Contains(code, w) {
			t.Errorf("merge/internal/doc.go does not define %q", w)
		}
	}
}
