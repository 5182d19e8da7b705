package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// packages are those of the command in the order of the house: each imports only those above it.
var packages = []string{
	"build", "disk", "terminal", "git", "repo", "situation", "session", "driver", "history", "show",
	"resolve", "regenerate", "setup", "app",
}

// TestImports holds that imports within the command run downwards, and that one package alone
// knows the library of the command line.
func TestImports(t *testing.T) {
	const internal = "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/"
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./internal/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name := strings.TrimPrefix(words[0], internal)
		at := slices.Index(packages, name)
		if at < 0 {
			t.Errorf("%s is not among the packages of the house", name)
			continue
		}
		for _, p := range words[1:] {
			if below, own := strings.CutPrefix(p, internal); own && !slices.Contains(packages[:at], below) {
				t.Errorf("%s imports %s, which is not below it", name, below)
			}
			if strings.Contains(p, "/urfave/cli") && name != "app" {
				t.Errorf("%s imports %s", name, p)
			}
		}
	}
}

// TestNoNetwork holds that nothing that reaches a network is in the program.
func TestNoNetwork(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(string(out)) {
		if name == "net" || strings.HasPrefix(name, "net/") && name != "net/url" && name != "net/netip" {
			t.Errorf("it needs %s", name)
		}
	}
}
