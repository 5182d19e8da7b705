package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	inlineCode  = regexp.MustCompile("`(git[ -]merge-yaml [^`]*)`")
	longFlag    = regexp.MustCompile(`--[a-z][a-z-]*`)
	commandWord = regexp.MustCompile(`^[a-z0-9]+$`)
)

// TestDocsMentionExistingCommands checks that all commands and flags in the documents exist.
func TestDocsMentionExistingCommands(t *testing.T) {
	names := commandNames(t)
	for _, file := range documentPaths(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range inlineCode.FindAllStringSubmatch(strings.ReplaceAll(string(data), "\n", " "), -1) {
			words := strings.Fields(strings.TrimPrefix(strings.Replace(m[1], "git-", "git ", 1), "git merge-yaml"))
			var command []string
			switch {
			case slices.Contains(names, words[0]):
				command = words[:1]
			case commandWord.MatchString(words[0]):
				t.Errorf("%s: `%s`: there is no command %s", file, m[1], words[0])
				continue
			}
			known := longFlag.FindAllString(helpText(t, command...), -1)
			for _, f := range longFlag.FindAllString(m[1], -1) {
				if !slices.Contains(known, f) {
					t.Errorf("%s: `%s`: there is no %s", file, m[1], f)
				}
			}
		}
	}
}

// commandNames returns the commands that the help lists.
func commandNames(t *testing.T) (names []string) {
	for _, m := range regexp.MustCompile(`(?m)^ +([a-z0-9]+)  +`).FindAllStringSubmatch(helpText(t), -1) {
		names = append(names, m[1])
	}
	if len(names) < 10 {
		t.Fatalf("commands: %q", names)
	}
	return names
}
