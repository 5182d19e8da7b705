package main

import (
	"os"
	"regexp"
	"slices"
	"testing"
)

// TestGlossary checks that docs/glossary.md and the package comment of merge/internal define the same words.
func TestGlossary(t *testing.T) {
	read := func(file, row string) (words []string) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(row).FindAllStringSubmatch(string(data), -1) {
			if m[1] != "word" {
				words = append(words, m[1])
			}
		}
		return words
	}
	page := read("../../docs/glossary.md", `(?m)^\| (\w.*?) \|`)
	code := read("../../merge/internal/doc.go", `(?m)^//\t(\w.*?)  `)
	if !slices.Equal(page, code) || len(page) == 0 || len(page) > 60 {
		t.Errorf("%d words on the page, %d in the code:\n%q\n%q", len(page), len(code), page, code)
	}
}
