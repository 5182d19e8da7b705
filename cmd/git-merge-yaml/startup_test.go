package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// maxForeign is how many packages of others the program may link, the standard
// library's included. Each is initialized before a merge begins, and a merge
// of 2 KB takes less time than that. What the module's own packages may make when they are
// initialized, TestInit holds.
const maxForeign = 174

// heavy are packages that cost more at start-up than they would be worth.
var heavy = []string{
	"github.com/go-git/go-git/v5",
	"github.com/go-git/go-git/v5/plumbing/object",
	"github.com/go-git/go-git/v5/plumbing/transport",
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
	foreign := slices.DeleteFunc(slices.Clone(packages), func(p string) bool {
		return strings.HasPrefix(p, "github.com/git-merge-yaml/")
	})
	if len(foreign) > maxForeign {
		t.Errorf("%d packages of others, at most %d are meant to be there", len(foreign), maxForeign)
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

// mostAllocated is how many allocations the packages that need some may make when they
// are initialized, as `GODEBUG=inittrace=1` tells it: those of the libraries are what they
// are, and no other takes more than mostOther, nor all of them more than mostAll.
var mostAllocated = map[string]int{
	"gopkg.in/yaml%2ev3": 320, "html/template": 110, "github.com/urfave/cli/v2": 60,
	// What go-git reads git's configuration and references with (internal/repo).
	// encoding/gob's differs from run to run: 350 to 365 in 300 of them.
	"encoding/gob": 400, "github.com/go-git/go-git/v5/internal/url": 110, "github.com/go-git/go-git/v5/config": 36,
}

const mostOther, mostAll = 24, 1200

// TestInit holds what is made before a merge begins, whether or not it needs it.
func TestInit(t *testing.T) {
	program := filepath.Join(t.TempDir(), "git-merge-yaml")
	if out, err := exec.Command("go", "build", "-tags", startUpTag, "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := exec.Command(program, "--version")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	all := 0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		if len(words) != 11 || words[0] != "init" || words[10] != "allocs" {
			continue
		}
		n, err := strconv.Atoi(words[9])
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if all += n; n > max(mostOther, mostAllocated[words[1]]) {
			t.Errorf("%s makes %d allocations when it is initialized", words[1], n)
		}
	}
	if all == 0 || all > mostAll {
		t.Errorf("%d allocations before a merge begins, at most %d are meant to be there", all, mostAll)
	}
}
