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
// is YAML, or until the person gives up. An empty text is asked about.
func (s *session) edit(v *view) (done bool, err error) {
	name, err := s.editFile(v)
	if err != nil {
		return false, err
	}
	defer os.Remove(name)
	before, err := readEdited(name)
	if err != nil {
		return false, err
	}
	for {
		if err := s.tree.Edit(name, s.Stdin, s.Stdout, s.Stderr); err != nil {
			s.say(err.Error())
			return false, nil
		}
		text, err := readEdited(name)
		if err != nil {
			return false, err
		}
		if text == before {
			s.say("Nothing was changed, so it stays as it is.")
			return false, nil
		}
		problem := unacceptable(v, name, text)
		if problem == "" && text == "" {
			if yes, err := s.asker.Yes("Leave it out altogether"); err != nil || !yes {
				return false, err
			}
		}
		if problem == "" {
			return s.take(merge.Answer{Take: merge.TakeText, Text: text}, v.question)
		}
		s.say(problem)
		if again, err := s.asker.Yes("Edit it again (no drops the text)"); err != nil || !again {
			return false, err
		}
	}
}

// unacceptable says where a text is wrong, or nothing: what is only unproven
// is asked about when it is taken.
func unacceptable(v *view, name, text string) string {
	f, i := v.question.file, v.question.index
	before := v.question.known().Answer
	err := f.decide(i, merge.Answer{Take: merge.TakeText, Text: text})
	if err == nil {
		err = f.decide(i, before)
	}
	refusal, ok := errors.AsType[*merge.AnswerError](err)
	if err == nil || ok && refusal.Unproven {
		return ""
	}
	if !ok {
		return err.Error()
	}
	if dir, err := os.Getwd(); err == nil {
		if rel, err := filepath.Rel(dir, name); err == nil && len(rel) < len(name) {
			name = rel
		}
	}
	switch {
	case refusal.Line > 0:
		return fmt.Sprintf("%s:%d:%d: %s", name, refusal.Line, refusal.Column, refusal.Msg)
	case refusal.FileLine > 0:
		return fmt.Sprintf("%s: line %d of %s would be wrong then: %s", name, refusal.FileLine, v.name, refusal.Msg)
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

// readEdited reads what stands above the scissors, in whole lines.
func readEdited(name string) (string, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	text, _, cut := strings.Cut("\n"+string(b), "\n"+scissors)
	text = strings.TrimPrefix(text, "\n")
	if cut && text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text, nil
}
