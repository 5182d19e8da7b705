package resolve

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// scissors is the line in an edited file below which nothing counts, as in
// git's own.
const scissors = "# ------------------------ >8 ------------------------"

const editHelp = `
# Write above this line what is to stand in the place of the conflict, without
# the markers, and indented as it is. To leave the thing out, remove all lines;
# to leave the conflict as it was, change nothing.
`

// edit lets a person write what stands in the place of a conflict, until that
// is YAML, or until the person gives up.
func (s *session) edit(v *view) (done bool, err error) {
	name, err := s.editFile(v)
	if err != nil {
		return false, err
	}
	defer os.Remove(name)
	before, err := readEdited(name)
	for err == nil {
		if err := s.tree.Edit(name, s.Stdin, s.Stdout, s.Stderr); err != nil {
			s.say(err.Error())
			return false, nil
		}
		var text string
		if text, err = readEdited(name); err != nil {
			break
		}
		if text == before {
			s.say("Nothing was changed, so it stays as it is.")
			return false, nil
		}
		problem := s.unacceptable(v, s.shown(name), text)
		if problem == "" {
			return s.takeText(v, text)
		}
		s.say(problem)
		again, err := s.asker.Yes("Edit it again (no drops the text)")
		if err != nil || !again {
			return false, err
		}
	}
	return false, err
}

// takeText takes an edited text; an empty one is asked about.
func (s *session) takeText(v *view, text string) (bool, error) {
	if text == "" {
		yes, err := s.asker.Yes("Leave it out altogether")
		if err != nil || !yes {
			return false, err
		}
	}
	return s.take(v, merge.Answer{Take: merge.TakeText, Text: text})
}

// shown is the path of a file as seen from the current directory.
func (s *session) shown(file string) string {
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, file); err == nil && len(rel) < len(file) {
			return rel
		}
	}
	return file
}

// unacceptable says where a text is wrong, or nothing: what is only unproven
// is asked about when it is taken.
func (s *session) unacceptable(v *view, file, text string) string {
	f, i := v.question.file, v.question.index
	before := v.question.known().Answer
	err := f.decide(i, merge.Answer{Take: merge.TakeText, Text: text})
	if err == nil {
		err = f.decide(i, before)
	}
	refusal, ok := errors.AsType[*merge.AnswerError](err)
	switch {
	case err == nil || ok && refusal.Unproven:
		return ""
	case !ok:
		return err.Error()
	case refusal.Line > 0:
		return fmt.Sprintf("%s:%d:%d: %s", file, refusal.Line, refusal.Column, refusal.Msg)
	case refusal.FileLine > 0:
		return fmt.Sprintf("%s: line %d of %s would be wrong then: %s", file, refusal.FileLine, v.name, refusal.Msg)
	}
	return refusal.Error()
}

// editFile writes the conflict into a file of its own, within .git.
func (s *session) editFile(v *view) (name string, err error) {
	dir, err := s.tree.Line("rev-parse", "--absolute-git-dir")
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "conflict-*.yaml")
	if err != nil {
		return "", err
	}
	size := v.question.file.merger("").MarkerSize
	marked := merge.MarkedConflict{
		Markers: merge.Markers{Style: merge.StyleDiff3, Size: size, Base: "base", Ours: "ours", Theirs: "theirs"},
		Base:    []byte(v.Base.Text), Ours: []byte(v.Ours.Text), Theirs: []byte(v.Theirs.Text),
	}
	_, err = f.Write(append(marked.Append(nil), scissors+editHelp...))
	return f.Name(), errors.Join(err, f.Close())
}

// whole is a text of whole lines.
func whole(text string) string {
	if text == "" || strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// readEdited reads what stands above the scissors.
func readEdited(name string) (string, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	text, _, cut := strings.Cut("\n"+string(b), "\n"+scissors)
	if text = strings.TrimPrefix(text, "\n"); cut {
		text = whole(text)
	}
	return text, nil
}
