package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// again is the file, in the program's own folder in that of the work tree, with what a merge
// left to be made again. Its first line tells the merge: HEAD, and what doing says of it.
const again = "regenerate"

// Again is what the merge that is open here left to be made again.
type Again struct {
	Left  []string // ours stands, unmerged
	Clean []string // merged clean, though by no program that makes them
}

// The words for both, in the file.
const (
	leftWord  = "left"
	cleanWord = "clean"
)

// NoteGenerated writes down that the file at path, which rule says is generated, is to be
// made again, and reports whether it is the first that this merge leaves to that rule. Where
// git only looks what a merge would be (merge-tree), nothing is written.
func (s *Session) NoteGenerated(path, rule string, left bool) (first bool, err error) {
	here := s.Situation([3]string{})
	if !here.Locked() {
		return left, nil
	}
	file, doing := here.Note(again), here.Mark()
	old, _ := os.ReadFile(file)
	head, rest, _ := strings.Cut(string(old), "\n")
	if _, was, _ := strings.Cut(head, " "); was != strings.TrimSpace(doing) {
		id, _ := s.Git.Line("rev-parse", "-q", "--verify", "HEAD")
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return left, err
		}
		if err := os.WriteFile(file, []byte(id+" "+doing), 0o666); err != nil {
			return left, err
		}
		rest = ""
	}
	word := cleanWord
	if left {
		word = leftWord
	}
	by := word + " " + strconv.Quote(rule) + " "
	return left && !strings.Contains("\n"+rest, "\n"+by), appendTo(file, by+strconv.Quote(path)+"\n")
}

func appendTo(file, line string) error {
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}

// Again is what is written down, if that merge is still open; if it is over, the note is
// removed.
func (s *Session) Again() (a Again, err error) {
	here := s.Situation([3]string{})
	data, err := os.ReadFile(here.Note(again))
	if errors.Is(err, os.ErrNotExist) {
		return a, nil
	} else if err != nil {
		return a, err
	}
	a.read(data)
	head, _ := s.Git.Line("rev-parse", "-q", "--verify", "HEAD")
	if was, _, _ := bytes.Cut(data, []byte(" ")); string(was) != head || !here.IsStopped() && !s.anyUnmerged(a.Left) {
		return Again{}, s.ForgetAgain()
	}
	return a, nil
}

// read reads what is noted. A line that a killed program left half is none.
func (a *Again) read(data []byte) {
	for line := range strings.Lines(string(data)) {
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		rule, err := strconv.QuotedPrefix(rest)
		if err != nil || word != leftWord && word != cleanWord {
			continue
		}
		path, err := strconv.Unquote(strings.TrimPrefix(rest[len(rule):], " "))
		switch {
		case err != nil:
		case word == leftWord:
			a.Left = append(a.Left, path)
		default:
			a.Clean = append(a.Clean, path)
		}
	}
}

// anyUnmerged reports whether one of the files is in conflict: a stash that stopped leaves
// nothing else.
func (s *Session) anyUnmerged(left []string) bool {
	if s.tree == nil || len(left) == 0 {
		return false
	}
	unmerged, err := s.tree.Unmerged(nil)
	return err == nil && slices.ContainsFunc(unmerged, func(u git.Unmerged) bool { return slices.Contains(left, u.Path) })
}

// ForgetAgain removes the note.
func (s *Session) ForgetAgain() error {
	if err := os.Remove(s.Situation([3]string{}).Note(again)); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
