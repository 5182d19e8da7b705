package resolve

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// ReadAnswers reads a JSON object of answers by the ids of questions, each a word or a text:
// {"4c1fa2d90b7e": "ours", "90b7e4c1fa2d": {"text": "  replicas: 5\n"}}.
func ReadAnswers(r io.Reader) (map[string]merge.Answer, error) {
	d := json.NewDecoder(r)
	read := map[string]json.RawMessage{}
	err := d.Decode(&read)
	if err == nil && d.More() {
		err = errors.New("more than one value")
	}
	all := map[string]merge.Answer{}
	for _, id := range slices.Sorted(maps.Keys(read)) {
		var take merge.Take
		text := struct{ Text *string }{}
		d := json.NewDecoder(bytes.NewReader(read[id]))
		d.DisallowUnknownFields()
		switch {
		case err != nil:
		case json.Unmarshal(read[id], &take) == nil && take != merge.Undecided && take != merge.TakeText:
			all[id] = merge.Answer{Take: take}
		case d.Decode(&text) == nil && text.Text != nil:
			all[id] = merge.Answer{Take: merge.TakeText, Text: *text.Text}
		default:
			err = fmt.Errorf(`%s is neither a word as "ours" nor {"text": "..."}`, read[id])
		}
	}
	if err != nil {
		return nil, fmt.Errorf("the answers are not JSON as expected: %w", err)
	}
	return all, nil
}

// An asked is what can be decided from outside: a conflict, or a file that one side deleted.
type asked struct {
	id, file, path string
	question       *question // nil for a file that one side deleted
	show           func() show.Question
	try            func(merge.Answer) error // takes an answer in memory, if it holds
	save           func()
}

// outside decides by answers from outside what they are for, and prints what is open then.
func (r *resolver) outside(files []*unmergedFile, deleted []*deletion) error {
	s := r.session(files)
	if r.Answers != nil {
		if err := s.takeAnswers(s.asked(deleted)); err != nil {
			return err
		}
	}
	if r.JSON != nil {
		for _, q := range s.asked(deleted) {
			if err := (show.JSON{W: r.JSON}).Question(q.show()); err != nil {
				return err
			}
		}
	}
	s.tellLeft(files, deleted)
	return nil
}

// takeAnswers writes what holds of the answers, or nothing if one is refused and they count
// together. One may hold only with another, or behind it, as an alias with its anchor.
func (s *session) takeAnswers(all []asked) error {
	given, why := maps.Clone(s.Answers), map[string]error{}
	taken := s.takeTogether(all, given)
	for more := true; more; {
		more = false
		for _, q := range all {
			a, ok := given[q.id]
			if !ok {
				continue
			}
			if why[q.id] = q.try(a); why[q.id] == nil {
				delete(given, q.id)
				taken = append(taken, q)
				more = true
			}
		}
	}
	for _, q := range all {
		if _, ok := given[q.id]; ok {
			delete(given, q.id)
			s.refuse(q, why[q.id])
		}
	}
	for _, id := range slices.Sorted(maps.Keys(given)) {
		s.refuse(asked{id: id}, errors.New("no open question has this id"))
	}
	if len(taken) < len(s.Answers) && !s.Partial {
		s.say("no answer is written (--partial writes those that hold)")
		for _, f := range s.files {
			opened := map[int]merge.Answer{}
			for _, q := range taken {
				if q.question != nil && q.question.file == f {
					opened[q.question.index] = merge.Answer{Unproven: true}
				}
			}
			if err := f.decideAll(opened); err != nil {
				return err
			}
		}
		return nil
	}
	saved := map[string]bool{}
	for _, q := range taken {
		if !saved[q.file] {
			q.save()
		}
		saved[q.file] = true
	}
	return nil
}

// takeTogether takes the answers that are given to a file, where all of them hold at once.
func (s *session) takeTogether(all []asked, given map[string]merge.Answer) (taken []asked) {
	for _, f := range s.files {
		answers, of := map[int]merge.Answer{}, []asked{}
		for _, q := range all {
			a, ok := given[q.id]
			if ok && q.question != nil && q.question.file == f && slices.Contains(q.question.answers(), a.Take) {
				answers[q.question.index] = a
				of = append(of, q)
			}
		}
		if len(of) == 0 || f.decideAll(answers) != nil {
			continue
		}
		for _, q := range of {
			delete(given, q.id)
		}
		taken = append(taken, of...)
	}
	return taken
}

// refuse says why an answer is not taken.
func (s *session) refuse(q asked, why error) {
	s.left = true
	if s.JSON != nil {
		_ = show.JSON{W: s.JSON}.Refused(q.id, q.file, q.path, why.Error()) // the next object fails, too
		return
	}
	said := slices.DeleteFunc([]string{q.id, q.file, q.path}, func(x string) bool { return x == "" })
	s.say(strings.Join(said, ": ") + ": refused: " + why.Error())
}

// asked is all that is open.
func (s *session) asked(deleted []*deletion) (all []asked) {
	seen := map[string]int{}
	id := func(file string, kind merge.ConflictKind, path, base, ours, theirs string) string {
		key := fmt.Sprintf("%q", []string{file, string(kind), path, base, ours, theirs})
		seen[key]++
		return fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, key, seen[key])))[:12]
	}
	for _, q := range s.questions {
		if q.file.skip != "" {
			continue
		}
		c := q.known()
		f, x := q.file, asked{
			id: id(q.file.Path, c.Kind, c.Path, c.Base.Text, c.Ours.Text, c.Theirs.Text), file: s.tree.Rel(q.file.Path), path: c.Path,
			question: q,
		}
		x.try = func(a merge.Answer) error { // takes what is proven
			if words := q.answers(); !slices.Contains(words, a.Take) {
				return notOffered(words)
			}
			return f.decide(q.index, a)
		}
		x.save = func() { s.saveFile(f) }
		x.show = func() show.Question {
			v := s.view(q)
			return show.Question{
				ID: x.id, File: v.name, Conflict: show.Conflict{Conflict: v.Conflict, Why: v.Why()}, Before: v.Before, After: v.After,
				Answers: q.answers(), Sides: show.Sides{Ours: v.ours, Theirs: v.theirs}, Unverified: v.unverified,
			}
		}
		if q.open() {
			all = append(all, x)
		}
	}
	for _, d := range deleted {
		if !d.file.staged {
			all = append(all, s.askedDeletion(d, id(d.file.Path, "deleted", "", string(d.here.Base), string(d.here.Ours), string(d.here.Theirs))))
		}
	}
	return all
}

// askedDeletion asks whose deed stands; both is a merge of the change into the files where the
// content is now.
func (s *session) askedDeletion(d *deletion, id string) asked {
	answers := map[merge.Take]func() error{merge.TakeOurs: d.keep, merge.TakeTheirs: d.delete}
	if d.here.Ours == nil {
		answers = map[merge.Take]func() error{merge.TakeOurs: d.delete, merge.TakeTheirs: d.keep}
	}
	if len(d.moved) > 0 && d.unplaceable() == "" {
		answers[merge.TakeBoth] = d.merge
	}
	words := slices.Sorted(maps.Keys(answers))
	var do func() error
	x := asked{id: id, file: s.tree.Rel(d.file.Path)}
	x.try = func(a merge.Answer) error {
		if do = answers[a.Take]; do == nil {
			return notOffered(words)
		}
		if a.Take == merge.TakeBoth {
			return d.allUnedited()
		}
		return d.unedited()
	}
	x.save = func() { s.settleDeletion(d, do) }
	x.show = func() show.Question {
		c := merge.Conflict{Kind: "deleted", Base: version(d.here.Base), Ours: version(d.here.Ours), Theirs: version(d.here.Theirs)}
		ours, theirs := s.sides(d.file)
		return show.Question{
			ID: id, File: x.file, Conflict: show.Conflict{Conflict: c, Why: d.String()}, Answers: words, Sides: show.Sides{Ours: ours, Theirs: theirs},
		}
	}
	return x
}

func version(text []byte) merge.Version {
	if text == nil {
		return merge.Version{}
	}
	return merge.Version{Text: string(text), Line: 1}
}

func notOffered(takes []merge.Take) error {
	var words []string
	for _, t := range takes {
		words = append(words, string(t))
	}
	return errors.New("it can be answered by " + strings.Join(words, ", "))
}
