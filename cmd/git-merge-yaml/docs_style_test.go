package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// terms are words that documents and help texts must not use, with the words to use instead.
var terms = []struct{ pattern, replacement string }{
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

// TestDocsStyle checks the documents and the help of each command. It fails for words in terms, for sentences that
// are too long, and for indented code.
func TestDocsStyle(t *testing.T) {
	const sentenceWords = 45
	for _, file := range documentPaths(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		if m := regexp.MustCompile(`(?m)^\n    \S.*`).FindString(fencedPattern.ReplaceAllString(string(data), "")); m != "" && name != "README.md" {
			t.Errorf("%s: code without a fence is wider than a phone: %.60q", name, m)
		}
		checkProse(t, name, prose(string(data)), sentenceWords)
	}
	for _, command := range commandNames(t) {
		about, _, _ := strings.Cut(helpText(t, command), "\nOPTIONS:")
		checkProse(t, "help of "+command, prose(about), sentenceWords)
	}
}

// checkProse fails for words in terms, and for sentences with more than sentenceWords words. where names the source.
func checkProse(t *testing.T, where string, paragraphs []string, sentenceWords int) {
	t.Helper()
	for _, p := range paragraphs {
		for _, term := range terms {
			if m := regexp.MustCompile(`(?i)(^|\W)(` + term.pattern + `)(\W|$)`).FindStringSubmatch(p); m != nil {
				t.Errorf("%s: %q: say %s: %.80s", where, m[2], term.replacement, p)
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
	fencedPattern   = regexp.MustCompile("(?s)\n```.*?\n```|<!--.*?-->|<table>.*?</table>")
	codeSpanPattern = regexp.MustCompile("`[^`]*`")
)

// prose returns the paragraphs, list items and table cells of a Markdown text. Code blocks, comments and HTML tables
// are left out, and inline code is replaced by the word "code".
func prose(text string) (all []string) {
	text = codeSpanPattern.ReplaceAllString(fencedPattern.ReplaceAllString("\n"+text, ""), "code")
	text = regexp.MustCompile(`\n(\n|[-*] |\d+\. |#+ )|\|`).ReplaceAllString(text, "\n\n")
	for _, p := range strings.Split(text, "\n\n") {
		if p = strings.Join(strings.Fields(p), " "); p != "" {
			all = append(all, p)
		}
	}
	return all
}
