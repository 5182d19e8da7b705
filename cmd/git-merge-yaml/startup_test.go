package main

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/scripttest"
)

// maxForeignPackages is the maximum number of packages that the program may link from other modules and the standard
// library. All are initialized before a merge starts, which takes longer than a merge of 2 KB. TestInitAllocations
// limits the initialization of the module's own packages.
const maxForeignPackages = 142

// unwantedPackages are packages that the program must not link, because their initialization is too slow.
var unwantedPackages = []string{
	"github.com/go-git/go-git/v5",
	"github.com/go-git/go-git/v5/storage/filesystem",
	"github.com/go-git/go-git/v5/plumbing/object",
	"crypto/tls",
	"net",
	"net/http",
	"github.com/cpuguy83/go-md2man/v2/md2man",
	"github.com/russross/blackfriday/v2",
}

// TestLinkedPackages checks which packages the program links, built like a release: none of unwantedPackages, and at
// most maxForeignPackages of others.
func TestLinkedPackages(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-tags", scripttest.BuildTag, ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	packages := strings.Fields(string(out))
	foreign := slices.DeleteFunc(slices.Clone(packages), func(p string) bool {
		return strings.HasPrefix(p, "github.com/git-merge-yaml/")
	})
	if len(foreign) > maxForeignPackages {
		t.Errorf("%d packages of others, at most %d are meant to be there", len(foreign), maxForeignPackages)
	}
	for _, p := range unwantedPackages {
		if slices.Contains(packages, p) {
			t.Errorf("%s is linked", p)
		}
	}
	if !slices.Contains(packages, "gopkg.in/yaml.v3") {
		t.Errorf("not the packages of the program: %q", packages)
	}
}

// maxAllocations is the maximum number of allocations in the initialization of some packages, as reported by
// GODEBUG=inittrace=1. The limit for each other package is maxOtherAllocations, and for all packages together
// maxTotalAllocations.
var maxAllocations = map[string]int{
	"gopkg.in/yaml%2ev3": 320, "html/template": 110, "github.com/urfave/cli/v2": 60,
	// The parser of go-git for git's configuration links encoding/gob. The number varies between runs: 350 to 365 in 300 runs.
	"encoding/gob": 400,
}

// The number of all packages was 1,026 to 1,032 in some runs; most of the difference is that of encoding/gob.
const maxOtherAllocations, maxTotalAllocations = 24, 1060

// TestInitAllocations limits the allocations at the start of the program, which slow down each merge.
func TestInitAllocations(t *testing.T) {
	program, err := scripttest.BuildProgram()
	if err != nil {
		t.Fatal(err)
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
		if all += n; n > max(maxOtherAllocations, maxAllocations[words[1]]) {
			t.Errorf("%s makes %d allocations when it is initialized", words[1], n)
		}
	}
	if all == 0 || all > maxTotalAllocations {
		t.Errorf("%d allocations before a merge begins, at most %d are meant to be there", all, maxTotalAllocations)
	}
}
