package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// packageOrder are the internal packages of the command. Each may import only packages before it.
var packageOrder = []string{
	"build", "disk", "terminal", "git", "repo", "situation", "session", "driver", "history", "show",
	"resolve", "regenerate", "setup", "app",
}

// TestImportOrder checks that packages import each other only in packageOrder, and that only app imports the library
// for the command line.
func TestImportOrder(t *testing.T) {
	const internal = "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/"
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./internal/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name := strings.TrimPrefix(words[0], internal)
		at := slices.Index(packageOrder, name)
		if at < 0 {
			t.Errorf("%s is not in packageOrder", name)
			continue
		}
		for _, p := range words[1:] {
			if below, own := strings.CutPrefix(p, internal); own && !slices.Contains(packageOrder[:at], below) {
				t.Errorf("%s imports %s, which is not before it in packageOrder", name, below)
			}
			if strings.Contains(p, "/urfave/cli") && name != "app" {
				t.Errorf("%s imports %s", name, p)
			}
		}
	}
}

// TestNoNetwork checks that the program does not import a package for network access.
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
