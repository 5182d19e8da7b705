package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	codeBlock   = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
	headingLine = regexp.MustCompile(`(?m)^#{1,6} +(.*)$`)
	notInAnchor = regexp.MustCompile(`[^\pL\pN_ -]`)
	linkTarget  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	externLink  = regexp.MustCompile(`^[a-z]+:`)
)

// TestDocsLinks checks that each link between documents leads to a file, and its anchor to a heading of that file.
func TestDocsLinks(t *testing.T) {
	anchors := map[string]map[string]bool{}
	text := map[string]string{}
	for _, file := range documentPaths(t) {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text[file] = codeBlock.ReplaceAllString(string(data), "")
		anchors[file] = map[string]bool{"": true}
		for _, m := range headingLine.FindAllStringSubmatch(text[file], -1) {
			anchors[file][anchorOf(m[1])] = true
		}
	}
	links := 0
	for file, data := range text {
		for _, m := range linkTarget.FindAllStringSubmatch(data, -1) {
			if externLink.MatchString(m[1]) {
				continue
			}
			links++
			path, anchor, _ := strings.Cut(m[1], "#")
			target := file
			if path != "" {
				target = filepath.Join(filepath.Dir(file), filepath.FromSlash(path))
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link %s leads to no file", file, m[1])
			} else if known := anchors[target]; known != nil && !known[anchor] {
				t.Errorf("%s: %s has no heading for the link %s", file, target, m[1])
			}
		}
	}
	if links < 50 {
		t.Errorf("%d links between documents, want more", links)
	}
}

// anchorOf returns the anchor that GitHub gives a heading.
func anchorOf(heading string) string {
	heading = notInAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
	return strings.ReplaceAll(heading, " ", "-")
}
