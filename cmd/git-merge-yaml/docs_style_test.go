package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// terms are words that docs and help do not use, and those of the glossary
// (docs/settings.md) or of plain English that stand for them.
var terms = []struct{ not, but string }{
	{`arrays?`, "list"},
	{`(sequence|list) elements?`, "item"},
	{`dictionar(y|ies)`, "mapping"},
	{`three-way diff`, "merge"},
	{`textual merge|text merge`, "line merge"},
	{`semantic merge|structural merge`, "merge by field"},
	{`conflict hunks?`, "conflict"},
	{`verifier`, "check"},
	{`ruleset file|rules file`, "team's file"},
	{`left side|right side|local side|remote side`, "ours or theirs"},
	{`whitespaces?`, "blanks"},
	{`what there is|nobody adopted|that is over`, "a noun"},
	{`utili[sz]e[sd]?|leverag(e|es|ed|ing)`, "use"},
	{`in order to`, "to"},
	{`simply|easily|obviously|of course|basically|please`, "nothing"},
	{`e\.g\.|i\.e\.|etc\.|via`, "English"},
	{`behaviour|colour|honour(s|ed)?`, "American spelling"},
}

// TestDocsStyle reads the docs and the help of each command. It fails for words that
// the glossary has others for, and for sentences that are too long.
func TestDocsStyle(t *testing.T) {
	const sentenceWords = 45
	for _, file := range documents(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		if m := regexp.MustCompile(`(?m)^\n    \S.*`).FindString(fences.ReplaceAllString(string(data), "")); m != "" && name != "README.md" {
			t.Errorf("%s: code without a fence is wider than a phone: %.60q", name, m)
		}
		checkStyle(t, name, prose(string(data)), sentenceWords)
	}
	for _, command := range commandNames(t) {
		about, _, _ := strings.Cut(help(t, command), "\nOPTIONS:")
		checkStyle(t, "help of "+command, prose(about), sentenceWords)
	}
}

func checkStyle(t *testing.T, where string, paragraphs []string, sentenceWords int) {
	t.Helper()
	for _, p := range paragraphs {
		for _, term := range terms {
			if m := regexp.MustCompile(`(?i)(^|\W)(` + term.not + `)(\W|$)`).FindStringSubmatch(p); m != nil {
				t.Errorf("%s: %q: say %s: %.80s", where, m[2], term.but, p)
			}
		}
		for _, s := range regexp.MustCompile(`[.:;?!]( |$)`).Split(p, -1) {
			if n := len(strings.Fields(s)); n > sentenceWords {
				t.Errorf("%s: a sentence of %d words: %.80s", where, n, s)
			}
		}
	}
}

var (
	fences = regexp.MustCompile("(?s)\n```.*?\n```|<!--.*?-->|<table>.*?</table>")
	codes  = regexp.MustCompile("`[^`]*`")
)

// prose returns the paragraphs, list items and cells of a text without its code.
func prose(text string) (all []string) {
	text = codes.ReplaceAllString(fences.ReplaceAllString("\n"+text, ""), "code")
	text = regexp.MustCompile(`\n(\n|[-*] |\d+\. |#+ )|\|`).ReplaceAllString(text, "\n\n")
	for _, p := range strings.Split(text, "\n\n") {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			all = append(all, p)
		}
	}
	return all
}
