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
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// ReadAnswers reads a JSON object of answers by the ids of questions, each a word or a text:
// {"4c1fa2d90b7e": "ours", "90b7e4c1fa2d": {"text": "  replicas: 5\n"}}.
func ReadAnswers(r io.Reader) (map[string]merge.Answer, error) {
	d, read := json.NewDecoder(r), map[string]answer{}
	err := d.Decode(&read)
	if err == nil && d.More() {
		err = errors.New("more than one value")
	}
	if err != nil {
		return nil, fmt.Errorf("the answers are not JSON as expected: %w", err)
	}
	all := map[string]merge.Answer{}
	for id, a := range read {
		all[id] = merge.Answer(a)
	}
	return all, nil
}

// An answer is one that is read from JSON.
type answer merge.Answer

// UnmarshalJSON reads a word or a text.
func (a *answer) UnmarshalJSON(data []byte) error {
	text := struct{ Text *string }{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	switch {
	case json.Unmarshal(data, &a.Take) == nil && a.Take != merge.Undecided && a.Take != merge.TakeText:
	case d.Decode(&text) == nil && text.Text != nil:
		*a = answer{Take: merge.TakeText, Text: *text.Text}
	default:
		return fmt.Errorf(`%s is neither a word as "ours" nor {"text": "..."}`, data)
	}
	return nil
}

// A question is what is decided from outside: a conflict, or a file that one side deleted.
type question interface {
	of() *unmergedFile
	isOpen() bool
	what() merge.Conflict
	offers() []merge.Take
	told() show.Question      // without its ID, and the sides
	try(a merge.Answer) error // takes an answer that is offered in memory, if it holds
	settle()                  // writes what was taken, and says how that went
}

// An asked is a question that is open.
type asked struct {
	question
	id string
}

// outside decides by answers from outside what they are for, and prints what is open then.
func (r *resolver) outside() error {
	r.gather()
	if r.Answers != nil {
		if err := r.takeAnswers(r.open()); err != nil {
			return err
		}
	}
	if r.JSON != nil {
		for _, q := range r.open() {
			told := q.told()
			told.ID = q.id
			told.Sides.Ours, told.Sides.Theirs = q.of().whose()
			_ = r.JSON.Question(told)
		}
		return r.JSON.Err
	}
	return nil
}

// gather has what is left in the files for conflicts that are asked about.
func (r *resolver) gather() {
	r.situation = situation.Read(r.tree.Git, [3]string{})
	for _, f := range r.files {
		for i := range f.questions() {
			r.conflicts = append(r.conflicts, &conflict{unmergedFile: f, index: i})
		}
	}
}

// open is all that is open, each with an ID that it has in each run.
func (r *resolver) open() (all []asked) {
	seen := map[string]int{}
	add := func(q question) {
		c := q.what()
		key := fmt.Sprintf("%q", []string{q.of().Path, string(c.Kind), c.Path, c.Base.Text, c.Ours.Text, c.Theirs.Text})
		seen[key]++
		if q.isOpen() {
			all = append(all, asked{q, fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, key, seen[key])))[:12]})
		}
	}
	for _, c := range r.conflicts {
		if c.skip == "" {
			add(c)
		}
	}
	for _, d := range r.deleted {
		add(d)
	}
	return all
}

// takeAnswers writes what holds of the answers, or nothing if one is refused and they count
// together. One may hold only with another, or behind it, as an alias with its anchor.
func (r *resolver) takeAnswers(all []asked) error {
	given, why := maps.Clone(r.Answers), map[string]error{}
	var taken []asked
	take := func(q asked) {
		delete(given, q.id)
		taken = append(taken, q)
	}
	for _, f := range r.files { // those of a file together, where all of them hold at once
		answers, of := map[int]merge.Answer{}, []asked{}
		for _, q := range all {
			a, ok := given[q.id]
			if c, is := q.question.(*conflict); ok && is && c.unmergedFile == f && slices.Contains(q.offers(), a.Take) {
				answers[c.index] = a
				of = append(of, q)
			}
		}
		if len(of) > 0 && f.decide(answers) == nil {
			for _, q := range of {
				take(q)
			}
		}
	}
	for more := true; more; {
		more = false
		for _, q := range all {
			a, ok := given[q.id]
			if !ok {
				continue
			}
			if words := q.offers(); slices.Contains(words, a.Take) {
				why[q.id] = q.try(a)
			} else {
				why[q.id] = errors.New("it can be answered by " + strings.Trim(strings.ReplaceAll(fmt.Sprint(words), " ", ", "), "[]"))
			}
			if why[q.id] == nil {
				take(q)
				more = true
			}
		}
	}
	for _, q := range all {
		if _, ok := given[q.id]; ok {
			delete(given, q.id)
			r.refuse(q.id, q.of().name(), q.what().Path, why[q.id])
		}
	}
	for _, id := range slices.Sorted(maps.Keys(given)) {
		r.refuse(id, "", "", errors.New("no open question has this id"))
	}
	if len(taken) < len(r.Answers) && !r.Partial {
		r.say("no answer is written (--partial writes those that hold)")
		for _, q := range taken {
			if c, is := q.question.(*conflict); is {
				if err := c.answer(merge.Answer{Unproven: true}); err != nil {
					return err
				}
			}
		}
		return nil
	}
	saved := map[*unmergedFile]bool{}
	for _, q := range taken {
		if !saved[q.of()] {
			q.settle()
		}
		saved[q.of()] = true
	}
	return nil
}

// refuse says why an answer is not taken.
func (r *resolver) refuse(id, file, path string, why error) {
	r.left = true
	if r.JSON != nil {
		_ = r.JSON.Refused(id, file, path, why.Error())
		return
	}
	said := slices.DeleteFunc([]string{id, file, path}, func(x string) bool { return x == "" })
	r.say(strings.Join(said, ": ") + ": refused: " + why.Error())
}

func (c *conflict) of() *unmergedFile        { return c.unmergedFile }
func (c *conflict) what() merge.Conflict     { return c.question().Conflict }
func (c *conflict) try(a merge.Answer) error { return c.answer(a) }

func (c *conflict) offers() []merge.Take {
	all := c.asked.Offers(c.index)
	if c.opened == nil { // nobody writes ciphertext
		all = append(all, merge.TakeText)
	}
	return all
}

func (c *conflict) told() show.Question {
	q := c.question()
	return show.Question{
		File: c.name(), Conflict: show.Conflict{Conflict: q.Conflict, Why: q.Why()}, Before: q.Before, After: q.After,
		Answers: c.offers(), Unverified: c.unverified(),
	}
}
