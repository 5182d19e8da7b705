package git

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A LogEntry is what people know a commit by. The zero value is none.
type LogEntry struct {
	ID      string // short
	Author  string
	Date    string // 2026-01-31
	Subject string
}

// A Tip is one side of a merge that stopped.
type Tip struct {
	// Name is what git and people call it, as in `HEAD, branch main`.
	Name string
	rev  string // "" if it is no commit
	// only says that the side is this commit alone, not its history.
	only bool
}

// An Operation is a merge, rebase or the like that stopped.
type Operation struct{ Ours, Theirs Tip }

// Operation returns what stopped in the work tree. What is not known of theirs
// has no name: a stash, or a merge that left no trace.
func (t *WorkTree) Operation() (op Operation, err error) {
	dir, err := t.Line("rev-parse", "--absolute-git-dir")
	if err != nil {
		return op, err
	}
	has := func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	}
	op.Ours = Tip{Name: "HEAD" + t.branch(), rev: "HEAD"}
	switch {
	case has("rebase-apply/applying"):
		op.Theirs.Name = "the patch that git am applies"
	case has("rebase-merge") || has("rebase-apply"):
		of := rebased(dir)
		op.Ours.Name = "HEAD, on which" + of + " is rebased"
		op.Theirs = Tip{Name: "REBASE_HEAD, a commit of" + of, rev: "REBASE_HEAD", only: true}
	case has("CHERRY_PICK_HEAD"):
		op.Theirs = Tip{Name: "CHERRY_PICK_HEAD", rev: "CHERRY_PICK_HEAD", only: true}
	case has("REVERT_HEAD"):
		op.Theirs = Tip{Name: "without REVERT_HEAD", rev: "REVERT_HEAD", only: true}
	case has("MERGE_HEAD"):
		op.Theirs = Tip{Name: "MERGE_HEAD" + t.named("MERGE_HEAD"), rev: "MERGE_HEAD"}
	}
	return op, nil
}

// branch names the branch that is checked out.
func (t *WorkTree) branch() string {
	name, err := t.Line("symbolic-ref", "-q", "--short", "HEAD")
	if err != nil || name == "" {
		return ""
	}
	return ", branch " + name
}

// named names a branch or tag at rev.
func (t *WorkTree) named(rev string) string {
	out, err := t.Run("for-each-ref", "--points-at", rev, "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags")
	name, _, _ := strings.Cut(string(out), "\n")
	if err != nil || name == "" {
		return ""
	}
	return ", " + name
}

// rebased names what a rebase is rebasing.
func rebased(dir string) string {
	for _, state := range []string{"rebase-merge", "rebase-apply"} {
		name, err := os.ReadFile(filepath.Join(dir, state, "head-name"))
		if branch, ok := strings.CutPrefix(strings.TrimSpace(string(name)), "refs/heads/"); err == nil && ok {
			return " branch " + branch
		}
	}
	return " a detached HEAD"
}

// Last returns the last commit of a tip that changed the file at path, or
// the only commit of the tip.
func (t *WorkTree) Last(tip Tip, path string) (c LogEntry, ok bool) {
	if tip.rev == "" {
		return c, false
	}
	args := []string{"log", "-1", "--no-show-signature", "--no-color", "--date=short", "--format=%h%x00%an%x00%ad%x00%s", tip.rev}
	if !tip.only {
		args = append(args, "--", ":(top,literal)"+path)
	}
	line, err := t.Line(args...)
	f := strings.Split(line, "\x00")
	if err != nil || len(f) != 4 {
		return c, false
	}
	return LogEntry{ID: f[0], Author: f[1], Date: f[2], Subject: f[3]}, true
}

// maxStashes bounds the stashes that are looked at.
const maxStashes = 20

// Stash returns the stash in which the file at path has the content.
func (g Git) Stash(path string, content []byte) (Tip, bool) {
	for i := range maxStashes {
		name := "stash@{" + strconv.Itoa(i) + "}"
		if _, err := g.Line("rev-parse", "--verify", "-q", name); err != nil {
			break
		}
		blob, err := g.Line("rev-parse", "--verify", "-q", name+":"+path)
		if id, bad := ParseID(blob); err == nil && bad == nil && BlobID(content, id) == id {
			return Tip{Name: name, rev: name, only: true}, true
		}
	}
	return Tip{}, false
}
