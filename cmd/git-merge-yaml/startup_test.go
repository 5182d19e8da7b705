package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// maxPackages is how many packages the program may consist of, the standard
// library's included. Each is initialized before a merge begins, and a merge
// of 2 KB takes less time than that. The rooms of merge are cheap ones: they have next
// to nothing to initialize.
const maxPackages = 192

// heavy are packages that cost more at start-up than they would be worth.
var heavy = []string{
	"github.com/go-git/go-git/v5",
	"github.com/go-git/go-git/v5/plumbing/object",
	"github.com/go-git/go-git/v5/plumbing/transport",
	"github.com/go-git/go-git/v5/storage/filesystem",
	"crypto/tls",
	"net",
	"net/http",
	"github.com/cpuguy83/go-md2man/v2/md2man",
	"github.com/russross/blackfriday/v2",
}

// startUpTag leaves out a renderer of manual pages, which the library of the
// command line links otherwise (docs/dependencies.md).
const startUpTag = "urfave_cli_no_docs"

// TestStartUp holds the program to what it needs, built as releases are.
func TestStartUp(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-tags", startUpTag, ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	if len(packages) > maxPackages {
		t.Errorf("%d packages, at most %d are meant to be there", len(packages), maxPackages)
	}
	for _, p := range heavy {
		if slices.Contains(packages, p) {
			t.Errorf("%s is linked", p)
		}
	}
	if !slices.Contains(packages, "gopkg.in/yaml.v3") {
		t.Errorf("not the packages of the program: %q", packages)
	}
}
