package situation

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// A Side is one of the two that are merged.
type Side struct {
	// Name is what git and people call it, as in `HEAD, branch main`; "" is not known.
	Name string
	rev  string // "" if it is no commit
	only bool   // the side is this commit alone, not its history
}

// Sides are those of what stopped. What is not known of theirs has no name: a stash, or a
// merge that left no trace.
func (s *Situation) Sides() (ours, theirs Side) {
	ours = Side{Name: "HEAD", rev: "HEAD"}
	if name := s.repo.Head(); name != "" {
		ours.Name += ", branch " + name
	}
	o, _ := s.stopped()
	switch o.operation {
	case Am:
		theirs.Name = "the patch that git am applies"
	case Rebase:
		of := "a detached HEAD"
		name := strings.TrimSpace(s.read("rebase-merge/head-name") + s.read("rebase-apply/head-name"))
		if branch, ok := strings.CutPrefix(name, "refs/heads/"); ok {
			of = "branch " + branch
		}
		ours.Name = "HEAD, on which " + of + " is rebased"
		theirs = Side{Name: "REBASE_HEAD, a commit of " + of, rev: "REBASE_HEAD", only: true}
	case CherryPick:
		theirs = Side{Name: "CHERRY_PICK_HEAD", rev: "CHERRY_PICK_HEAD", only: true}
	case Revert:
		theirs = Side{Name: "without REVERT_HEAD", rev: "REVERT_HEAD", only: true}
	case Merge:
		theirs = Side{Name: "MERGE_HEAD", rev: "MERGE_HEAD"}
		refs := []string{"for-each-ref", "--points-at", "MERGE_HEAD", "--format=%(refname:short)", "refs/heads", "refs/remotes", "refs/tags"}
		if out, err := s.git.Line(refs...); err == nil && out != "" {
			name, _, _ := strings.Cut(out, "\n")
			theirs.Name += ", " + name
		}
	}
	return ours, theirs
}

// Last describes the last commit of a side that changed the file at path, or the only
// commit of the side: `8ca51e7 Ann, 2026-01-31, subject`.
func (s *Situation) Last(of Side, path string) (line string, ok bool) {
	if of.rev == "" {
		return "", false
	}
	args := []string{"log", "-1", "--no-show-signature", "--no-color", "--date=short", "--format=%h %an, %ad, %s", of.rev}
	if !of.only {
		args = append(args, "--", ":(top,literal)"+path)
	}
	line, err := s.git.Line(args...)
	return line, err == nil && line != ""
}

// maxStashes bounds the stashes that are looked at.
const maxStashes = 20

// StashOf returns the stash in which the file at path has the content.
func StashOf(g git.Git, path string, content []byte) (Side, bool) {
	out, _ := g.Run("rev-list", "--walk-reflogs", "--max-count="+strconv.Itoa(maxStashes), "refs/stash", "--")
	files := strings.Fields(string(out))
	for i := range files {
		files[i] += ":" + path
	}
	objects := g.Objects()
	defer objects.Close()
	all, _ := objects.Named(files...)
	i := slices.IndexFunc(all, func(data []byte) bool { return data != nil && bytes.Equal(data, content) })
	if i < 0 {
		return Side{}, false
	}
	name := "stash@{" + strconv.Itoa(i) + "}"
	return Side{Name: name, rev: name, only: true}, true
}

// Stopped returns the merge or the pick that stopped, whose Commit is "", and false where
// there is none. Of a revert, the parent is put on HEAD.
func (s *Situation) Stopped() (m git.Merge, ok bool) {
	o, known := s.stopped()
	if !known {
		return m, false
	}
	m, err := s.git.MergeOf("HEAD", o.theirs, o.base)
	return m, err == nil // a rebase may stop where nothing is merged
}
