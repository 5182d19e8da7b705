package session

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/maker"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Rule is what the team's rules say of the program that makes f, if they do. The first
// entry that names it counts.
func (f File) Rule() (g merge.Generated, ok bool) {
	rules, err := f.Rules()
	if err != nil || f.Path == "" {
		return g, false
	}
	for _, g := range rules.Generated() {
		if g.Makes(f.Path) {
			return g, true
		}
	}
	return g, false
}

// Maker is what made f: by the team's rules, or by the marks in it.
func (f File) Maker() (m maker.Maker, ok bool) {
	if g, ok := f.Rule(); ok {
		return maker.Maker{Program: cmp.Or(g.By, "a program"), Mark: g.Source, Command: "git merge-yaml regenerate"}, true
	}
	if m, ok = maker.Of(f.Path, f.Ours); !ok {
		m, ok = maker.Of(f.Path, f.Theirs)
	}
	return m, ok
}

// IsText reports whether f is neither YAML nor JSON, but something else that the team's
// rules name, and so is merged by lines.
func (f File) IsText() bool {
	if _, ok := f.Rule(); !ok {
		return false
	}
	switch strings.ToLower(path.Ext(f.Path)) {
	case ".yaml", ".yml", ".json":
		return false
	}
	return !maker.IsLock(f.Path)
}

// IsLock reports whether f is a lock file that the team's rules have put together until it is
// made again.
func (f File) IsLock() bool {
	rules, err := f.Rules()
	return err == nil && maker.IsLock(f.Path) && slices.Contains(rules.Extended(), "locks")
}

// Left is what stands in the place of res in the work tree: of a file that is to be made
// again, ours without markers.
func (f File) Left(res merge.Result) merge.Result {
	if _, ok := f.Rule(); res.Clean() || !ok {
		return res
	}
	return merge.Result{
		Bytes: f.Ours, Method: res.Method, LineConflicts: res.LineConflicts,
		Conflicts: []merge.Conflict{{Kind: merge.ConflictGenerated}},
	}
}

// IsLeft reports whether res is that of a file that is to be made again.
func IsLeft(res merge.Result) bool {
	return len(res.Conflicts) == 1 && res.Conflicts[0].Kind == merge.ConflictGenerated
}

// again is the file, in the program's own folder in that of the work tree, with what a merge
// left to be made again. Its first line tells the merge: HEAD, and what doing says of it. Each
// other one is a file: how it stands, its rule and its path.
//
//	left ".git-merge-yaml.yaml:2" "out/all.yaml"
const again = "regenerate"

// How a file stands that is to be made again.
const (
	left  = "left"  // ours, unmerged
	clean = "clean" // merged, though by no program that makes it
)

// NoteGenerated writes down that f, which rule says is generated, is to be made again, and
// reports whether it is the first that this merge leaves to that rule. Where git only looks
// what a merge would be (merge-tree), nothing is written.
func (f File) NoteGenerated(rule merge.Generated, isLeft bool) (first bool, err error) {
	here := f.Situation([3]string{})
	if !here.Locked() {
		return isLeft, nil
	}
	file, doing := here.Note(again), here.Mark()
	noted, _ := os.ReadFile(file)
	head, _, _ := bytes.Cut(noted, []byte("\n"))
	if _, was, _ := strings.Cut(string(head), " "); was != strings.TrimSpace(doing) {
		id, _ := f.Git.Line("rev-parse", "-q", "--verify", "HEAD")
		noted = []byte(id + " " + doing)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return isLeft, err
		}
		if err := os.WriteFile(file, noted, 0o666); err != nil {
			return isLeft, err
		}
	}
	by := fmt.Sprintf("%s %q ", clean, rule.Source)
	if isLeft {
		by = fmt.Sprintf("%s %q ", left, rule.Source)
	}
	first = isLeft && !bytes.Contains(noted, []byte("\n"+by))
	out, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return first, err
	}
	_, err = fmt.Fprintf(out, "%s%q\n", by, f.Path)
	return first, errors.Join(err, out.Close())
}

// Again are the files that the merge which is open here left to be made again: those of which
// ours stands unmerged, and those that merged clean. If it is over, the note is removed.
func (s *Session) Again() (unmerged, merged []string, err error) {
	here := s.Situation([3]string{})
	data, err := os.ReadFile(here.Note(again))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil, nil
	} else if err != nil {
		return nil, nil, err
	}
	for line := range strings.Lines(string(data)) {
		var word, rule, path string
		if n, _ := fmt.Sscanf(line, "%s %q %q\n", &word, &rule, &path); n < 3 {
			continue // the first, or one that a killed program left half
		}
		if word == left {
			unmerged = append(unmerged, path)
		} else {
			merged = append(merged, path)
		}
	}
	head, _ := s.Git.Line("rev-parse", "-q", "--verify", "HEAD")
	isOpen := here.IsStopped()
	if !isOpen && s.tree != nil { // a stash that stopped leaves nothing but conflicts
		all, err := s.tree.Unmerged(nil)
		isOpen = err == nil && slices.ContainsFunc(all, func(u git.Unmerged) bool { return slices.Contains(unmerged, u.Path) })
	}
	if was, _, _ := strings.Cut(string(data), " "); was != head || !isOpen {
		return nil, nil, s.ForgetAgain()
	}
	return unmerged, merged, nil
}

// ForgetAgain removes the note.
func (s *Session) ForgetAgain() error {
	if err := os.Remove(s.Situation([3]string{}).Note(again)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
