package push

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// clones are a bare repository, and two clones of it that have a commit of their own each:
// the first is the current directory, the second has pushed.
func clones(t *testing.T, ours, theirs string) (origin, mine git.Git) {
	t.Helper()
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "a")
		t.Setenv("GIT_"+who+"_EMAIL", "a@example.com")
	}
	dir := t.TempDir()
	folder := func(name string) git.Git { return git.In(filepath.Join(dir, name)) }
	do(t, git.In(dir), "init", "-q", "--bare", "-b", "main", "origin")
	do(t, git.In(dir), "clone", "-q", "origin", "first")
	commit(t, folder("first"), "a: 1\nb: 1\nc: 1\n")
	do(t, folder("first"), "push", "-q", "origin", "HEAD:main")
	do(t, git.In(dir), "clone", "-q", "origin", "second")
	commit(t, folder("second"), theirs)
	do(t, folder("second"), "push", "-q", "origin", "HEAD:main")
	commit(t, folder("first"), ours)
	t.Chdir(folder("first").Dir)
	return folder("origin"), folder("first")
}

func do(t *testing.T, g git.Git, args ...string) string {
	t.Helper()
	line, err := g.Line(args...)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func commit(t *testing.T, g git.Git, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(g.Dir, "a.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	do(t, g, "add", ".")
	do(t, g, "commit", "-q", "-m", "a commit")
}

// without is a program that is not there: git leaves what it would merge in conflict.
const without = "/nowhere/git-merge-yaml"

func TestOnTopOfOthers(t *testing.T) {
	origin, mine := clones(t, "a: 2\nb: 1\nc: 1\n", "a: 1\nb: 1\nc: 1\n# theirs\n")
	// What both changed is merged by a driver: here one that unites the lines.
	do(t, mine, "config", "merge.yaml.driver", "git merge-file --union %A %O %B")
	head, tries, err := Run(t.Context(), Options{Remote: "origin", Branch: "main", Tries: 3, Program: without})
	if err != nil || tries != 2 {
		t.Fatalf("%d tries: %v", tries, err)
	}
	if got := do(t, origin, "rev-parse", "main"); got != head || do(t, mine, "rev-parse", "HEAD") != head {
		t.Errorf("the remote is at %s, want %s", got, head)
	}
	if got := do(t, origin, "show", "main:a.yaml"); got != "a: 2\nb: 1\nc: 1\n# theirs" {
		t.Errorf("what is pushed: %q", got)
	}
	if got := do(t, mine, "worktree", "list"); strings.Contains(got, "\n") {
		t.Errorf("work trees that are left: %s", got)
	}
}

func TestConflictLeavesAll(t *testing.T) {
	origin, mine := clones(t, "a: 2\nb: 1\nc: 1\n", "a: 3\nb: 1\nc: 1\n")
	theirs, ours := do(t, origin, "rev-parse", "main"), do(t, mine, "rev-parse", "HEAD")
	var report strings.Builder
	_, _, err := Run(t.Context(), Options{Remote: "origin", Branch: "main", Tries: 3, Program: without, Report: &report})
	if !errors.Is(err, ErrConflict) {
		t.Fatal(err)
	}
	if !strings.Contains(report.String(), "a.yaml") {
		t.Errorf("the report: %q", report.String())
	}
	if do(t, origin, "rev-parse", "main") != theirs || do(t, mine, "rev-parse", "HEAD") != ours {
		t.Error("a branch has moved")
	}
	if got := do(t, mine, "worktree", "list"); strings.Contains(got, "\n") {
		t.Errorf("work trees that are left: %s", got)
	}
}

func TestGivesUp(t *testing.T) {
	origin, mine := clones(t, "a: 2\nb: 1\nc: 1\n", "a: 1\nb: 1\nc: 2\n")
	theirs := do(t, origin, "rev-parse", "main")
	_, tries, err := Run(t.Context(), Options{Remote: "origin", Branch: "main", Tries: 1, Program: without})
	if err == nil || tries != 1 || !strings.Contains(err.Error(), "has moved before each of 1 push") {
		t.Errorf("%d tries: %v", tries, err)
	}
	if do(t, origin, "rev-parse", "main") != theirs || do(t, mine, "status", "--porcelain") != "" {
		t.Error("something has moved")
	}
	if _, _, err := Run(t.Context(), Options{Remote: "nowhere", Branch: "main", Tries: 3, Program: without}); err == nil || strings.Contains(err.Error(), "moved") {
		t.Errorf("a remote that is not there: %v", err)
	}
}
