package resolve

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// ReadAnswers reads a JSON object of answers by the ids of questions, each a word or a text:
// {"4c1fa2d90b7e4c1fa2d90b7e4c1fa2d9": "ours", "90b7e4c1fa2d90b7e4c1fa2d90b7e4c1": {"text": "  replicas: 5\n"}}. A name that is
// in an object twice is an error.
func ReadAnswers(r io.Reader) (map[string]merge.Answer, error) {
	d := json.NewDecoder(r)
	all := map[string]merge.Answer{}
	err := readObject(d, func(id string) error {
		if _, again := all[id]; again {
			return fmt.Errorf("%q is answered twice", id)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		a, err := readAnswer(raw)
		all[id] = a
		return err
	})
	if err == nil && d.More() {
		err = errors.New("more than one value")
	}
	if err != nil {
		return nil, fmt.Errorf("the answers are not JSON as expected: %w", err)
	}
	return all, nil
}

// readAnswer reads a word or an object with a text.
func readAnswer(raw []byte) (a merge.Answer, err error) {
	var word string
	if json.Unmarshal(raw, &word) == nil && word != "" && word != string(merge.TakeText) {
		return merge.Answer{Take: merge.Take(word)}, nil
	}
	bad := fmt.Errorf(`%s is neither a word as "ours" nor {"text": "..."}`, raw)
	d := json.NewDecoder(bytes.NewReader(raw))
	err = readObject(d, func(name string) error {
		if name != "text" || a.Take != "" {
			return bad
		}
		a.Take = merge.TakeText
		var text *string
		if d.Decode(&text) != nil || text == nil {
			return bad
		}
		a.Text = *text
		return nil
	})
	if err != nil || a.Take == "" {
		return a, bad
	}
	return a, nil
}

// readObject reads a JSON object, of which value reads the value of each name.
func readObject(d *json.Decoder, value func(name string) error) error {
	start, err := d.Token()
	if err == nil && start != json.Delim('{') {
		err = errors.New("it is no object")
	}
	for err == nil && d.More() {
		var name json.Token
		if name, err = d.Token(); err == nil {
			err = value(name.(string)) // the decoder takes nothing else for a name
		}
	}
	if err == nil {
		_, err = d.Token()
	}
	return err
}

// A question is what is decided from outside: a conflict, or a file that one side deleted.
type question interface {
	of() *unmergedFile
	isOpen() bool
	what() merge.Conflict
	offers() []merge.Take
	has(a merge.Answer) bool // it was answered so
	told() show.Question     // without its ID, and the sides
	settle()                 // writes what was taken, and says how that went
}

// An asked is a question with its ID.
type asked struct {
	question
	id string
}

// outside decides by answers from outside what they are for, and prints what is open then.
func (r *resolver) outside() error {
	r.gather()
	all, err := r.identify()
	if err != nil {
		return err
	}
	if r.Answers != nil {
		r.takeAnswers(all)
	}
	if r.JSON != nil {
		for _, q := range all {
			if q.of().skip != "" || !q.isOpen() {
				continue
			}
			told := q.told()
			told.ID = q.id
			told.Sides.Ours, told.Sides.Theirs = q.of().whose()
			_ = r.JSON.WriteQuestion(told)
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

// identify returns the questions about all files, open or not, each with an ID that it has in each run. The error is that two have one.
func (r *resolver) identify() (all []asked, err error) {
	seen := map[string]int{}
	add := func(q question) {
		c := q.what()
		key := fmt.Sprintf("%q", []string{q.of().Path, string(c.Kind), c.Path, c.Base.Text, c.Ours.Text, c.Theirs.Text})
		seen[key]++
		all = append(all, asked{q, fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, key, seen[key])))[:idDigits]})
	}
	for _, c := range r.conflicts {
		if c.skip == "" {
			add(c)
		}
	}
	for _, d := range r.deleted {
		add(d)
	}
	return all, distinct(all)
}

// distinct returns an error if two questions have one ID.
func distinct(all []asked) error {
	known := map[string]bool{}
	for _, q := range all {
		if known[q.id] {
			return fmt.Errorf("two questions have the id %s; answer them with resolve -i", q.id)
		}
		known[q.id] = true
	}
	return nil
}

// idDigits is how many digits an ID has: of 128 bits, so that nobody can write two questions that have one.
const idDigits = 32

// takeAnswers writes what holds of the answers, or nothing if one is refused and they count together. Those about one file are
// decided together. An answer that is there already, as after a run that was interrupted, holds.
func (r *resolver) takeAnswers(all []asked) {
	of, why := map[string]asked{}, map[string]error{}
	byFile := map[*unmergedFile]map[int]merge.Answer{}
	var taken []asked
	for _, q := range all {
		a, ok := r.Answers[q.id]
		if !ok {
			continue
		}
		of[q.id] = q
		switch c, is := q.question.(*conflict); {
		case q.has(a):
		case !q.isOpen():
			why[q.id] = errors.New("this question is answered already, and otherwise")
		case is && byFile[c.unmergedFile] == nil:
			byFile[c.unmergedFile] = map[int]merge.Answer{c.index: a}
		case is:
			byFile[c.unmergedFile][c.index] = a
		default:
			why[q.id] = q.question.(*deletion).try(a)
		}
	}
	refused := map[*unmergedFile]map[int]error{}
	for f, answers := range byFile {
		refused[f] = f.asked.DecideSome(answers)
		f.known = nil
	}
	for _, q := range all {
		if of[q.id] != q {
			continue
		}
		if c, is := q.question.(*conflict); is && why[q.id] == nil {
			why[q.id] = refused[c.unmergedFile][c.index]
		}
		if why[q.id] == nil {
			taken = append(taken, q)
			continue
		}
		if words := q.offers(); !slices.Contains(words, r.Answers[q.id].Take) {
			why[q.id] = errors.New("it can be answered by " + strings.Trim(strings.ReplaceAll(fmt.Sprint(words), " ", ", "), "[]"))
		}
		r.refuse(q.id, q.of().name(), q.what().Path, why[q.id])
	}
	for _, id := range slices.Sorted(maps.Keys(r.Answers)) {
		if _, ok := of[id]; !ok {
			r.refuse(id, "", "", errors.New("no open question has this id"))
		}
	}
	if len(taken) == len(r.Answers) || r.Partial {
		settleFiles(taken)
		return
	}
	r.say("no answer is written (--partial writes those that hold)")
	for f, answers := range byFile {
		open := map[int]merge.Answer{}
		for i := range answers {
			if refused[f][i] == nil {
				open[i] = merge.Answer{Unproven: true}
			}
		}
		f.asked.DecideAll(open) // as it was
		f.known = nil
	}
}

// refuse says why an answer is not taken.
func (r *resolver) refuse(id, file, path string, why error) {
	r.left = true
	if r.JSON != nil {
		_ = r.JSON.WriteRefused(id, file, path, why.Error())
		return
	}
	said := slices.DeleteFunc([]string{id, file, path}, func(x string) bool { return x == "" })
	r.say("%s: refused: %v", strings.Join(said, ": "), why)
}

func (f *unmergedFile) of() *unmergedFile { return f }

func (c *conflict) what() merge.Conflict { return c.question().Conflict }

func (c *conflict) try(a merge.Answer) error {
	err := c.asked.Decide(c.index, a)
	c.known = nil
	return err
}

func (c *conflict) has(a merge.Answer) bool { return c.asked.Has(c.index, a) }

func (c *conflict) offers() []merge.Take {
	return append(c.asked.Offers(c.index), merge.TakeText)
}

func (c *conflict) told() show.Question {
	q := c.question()
	return show.Question{
		File: c.name(), Conflict: show.Conflict{Conflict: q.Conflict, Why: q.Why()}, Before: q.Before, After: q.After,
		Answers: c.offers(), Unverified: c.unverified(),
	}
}

// unverified says why no answer about the file is proven, "" if each is.
func (f *unmergedFile) unverified() string {
	if !f.byLines() {
		return ""
	}
	return "merged by lines (" + f.result.Reason + ")"
}

// whose names both sides of a merge and their last commits to the file. Theirs is perhaps a
// stash, where nothing else says it; what git does not tell has the label of the markers.
func (f *unmergedFile) whose() (ours, theirs string) {
	if f.sides == [2]string{} {
		ours, theirs := f.situation.Sides()
		if theirs.Name == "" {
			theirs, _ = situation.StashOf(f.tree.Git, f.Path, f.stages.Theirs)
		}
		labels := f.merger("").Labels
		for i, side := range []situation.Side{ours, theirs} {
			f.sides[i] = cmp.Or(side.Name, labels[2*i])
			if last, ok := f.situation.Last(side, f.Path); ok {
				f.sides[i] += ": " + last
			}
		}
	}
	return f.sides[0], f.sides[1]
}

// listAround says how the items of the list around a conflict were paired.
func (f *unmergedFile) listAround(path string) string {
	if f.changes == nil {
		file := f.stages
		for _, side := range [][]byte{file.Ours, file.Theirs} {
			changes, _ := file.Changes(side)
			f.changes = append(f.changes, changes...)
		}
	}
	for _, c := range f.changes {
		if c.OfActions() {
			continue // it is in no list
		}
		if c.Path == path || strings.HasPrefix(c.Path, path) && path != "" && strings.ContainsAny(c.Path[len(path):len(path)+1], ".[") {
			return c.List
		}
	}
	return ""
}

// show shows a conflict on as many lines as a person sees at once, or with whole on all that it
// has, and reports whether there is more to see.
func (r *resolver) show(c *conflict, whole bool) (shortened bool, err error) {
	p, screen, q := r.asker.Out, terminal.ScreenSize(r.Stdout), c.question()
	title := c.name()
	if q.Line > 0 {
		title += fmt.Sprintf(":%d", q.Line)
	}
	title += fmt.Sprintf(": conflict %d of %d", 1+c.index, len(c.questions()))
	files := slices.DeleteFunc(slices.Clone(r.files), func(f *unmergedFile) bool { return len(f.questions()) == 0 })
	if len(files) > 1 {
		title += fmt.Sprintf(", file %d of %d", 1+slices.Index(files, c.unmergedFile), len(files))
	}
	p.Println()
	p.Println(terminal.Bold, title)
	place, list := "", "" // where no field is known
	if q.Kind != merge.ConflictLine {
		place = driver.PathOrDocument(q.Path)
	}
	if !c.byLines() {
		list = c.listAround(q.Path)
	}
	ours, theirs := c.whose()
	used := 4 // with the blank line and the prompt
	for _, x := range [][2]string{
		{"", place}, {string(q.Kind) + ": ", q.Why()}, {"rule: ", list}, {"not verified: ", c.unverified()}, {"ours:   ", ours}, {"theirs: ", theirs},
	} {
		if x[1] != "" {
			p.Println(screen.Truncate("  " + x[0] + x[1]))
			used++
		}
	}
	var versions [3][]string
	total := 0
	for i, x := range []merge.Version{q.Base, q.Ours, q.Theirs} {
		versions[i] = nothing
		if x.Text != "" {
			versions[i] = strings.Split(strings.TrimSuffix(strings.ReplaceAll(x.Text, "\r\n", "\n"), "\n"), "\n")
		}
		total += len(versions[i])
	}
	if room := screen.Lines - used - len(q.Before) - len(q.After); total > room && !whole {
		all := versions
		versions = elided(all, max(room/3, 4))
		for i := range all {
			shortened = shortened || len(versions[i]) < len(all[i])
		}
	}
	for _, part := range []struct {
		name   string
		colour terminal.Colour
		lines  []string
	}{
		{"", terminal.Plain, q.Before},
		{"base", terminal.Faint, versions[0]}, {"ours", terminal.Green, versions[1]}, {"theirs", terminal.Yellow, versions[2]},
		{"", terminal.Plain, q.After},
	} {
		for _, line := range part.lines {
			line = fmt.Sprintf("  %6s | %s", part.name, line)
			if cut := screen.Truncate(line); !whole && cut != line {
				line, shortened = cut, true
			}
			p.Println(part.colour, line)
		}
	}
	return shortened, p.Err
}

// nothing stands for a version that has no text.
var nothing = []string{"(nothing)"}

// elided are base, ours and theirs in at most so many lines each, from the line on before the first one that differs:
// of all of them or, where ours and theirs go on alike for longer than there is room, of these two.
func elided(versions [3][]string, most int) (shown [3][]string) {
	there := slices.DeleteFunc(slices.Clone(versions[:]), func(x []string) bool { return slices.Equal(x, nothing) })
	head, both := shared(there), 0
	if len(there) == len(versions) || slices.Equal(versions[0], nothing) {
		both = shared(versions[1:])
	}
	for i, x := range versions {
		from := head
		if i > 0 && both-head >= most-2 {
			from = both
		}
		if from--; from <= 1 || slices.Equal(x, nothing) {
			from = 0
		} else {
			shown[i] = append(shown[i], fmt.Sprintf("... %d lines before", from))
		}
		to := min(from+max(most-1-len(shown[i]), 2), len(x))
		if len(x)-to == 1 {
			to = len(x)
		}
		shown[i] = append(shown[i], x[from:to]...)
		if left := len(x) - to; left > 0 {
			shown[i] = append(shown[i], fmt.Sprintf("... and %d more lines, v shows all", left))
		}
	}
	return shown
}

// shared is how many lines all texts begin with.
func shared(texts [][]string) (n int) {
	for {
		for _, x := range texts {
			if n == len(x) || x[n] != texts[0][n] {
				return n
			}
		}
		n++
	}
}
