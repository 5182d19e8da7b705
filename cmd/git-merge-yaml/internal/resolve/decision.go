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

// ReadAnswers reads a JSON object that maps ids of decisions to answers. An answer is a word, which is a merge.Take, or
// an object with a text:
//
//	{
//	  "4c1fa2d90b7e4c1fa2d90b7e4c1fa2d9": "ours",
//	  "90b7e4c1fa2d90b7e4c1fa2d90b7e4c1": {"text": "  replicas: 5\n"}
//	}
//
// It returns an error if r contains anything else, more than one value, or an object with a repeated name. It does not
// check whether ids and words exist.
func ReadAnswers(r io.Reader) (map[string]merge.Answer, error) {
	d := json.NewDecoder(r)
	answers := map[string]merge.Answer{}
	err := readObject(d, func(id string) error {
		if _, isDuplicate := answers[id]; isDuplicate {
			return fmt.Errorf("%q is answered twice", id)
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		a, err := readAnswer(raw)
		answers[id] = a
		return err
	})
	if err == nil && d.More() {
		err = errors.New("more than one value")
	}
	if err != nil {
		return nil, fmt.Errorf("the answers are not JSON as expected: %w", err)
	}
	return answers, nil
}

// readAnswer parses one answer: a string, but not "" or "text", or an object with a string as its only field "text".
func readAnswer(raw []byte) (a merge.Answer, err error) {
	var word string
	if json.Unmarshal(raw, &word) == nil && word != "" && word != string(merge.TakeText) {
		return merge.Answer{Take: merge.Take(word)}, nil
	}
	errForm := fmt.Errorf(`%s is neither a word as "ours" nor {"text": "..."}`, raw)
	d := json.NewDecoder(bytes.NewReader(raw))
	err = readObject(d, func(name string) error {
		if name != "text" || a.Take != "" {
			return errForm
		}
		a.Take = merge.TakeText
		var text *string
		if d.Decode(&text) != nil || text == nil {
			return errForm
		}
		a.Text = *text
		return nil
	})
	if err != nil || a.Take == "" {
		return a, errForm
	}
	return a, nil
}

// readObject reads a JSON object from d. For each name it calls readValue, which must read the value from d. It returns
// the first error.
func readObject(d *json.Decoder, readValue func(name string) error) error {
	start, err := d.Token()
	if err == nil && start != json.Delim('{') {
		err = errors.New("it is not an object")
	}
	for err == nil && d.More() {
		var name json.Token
		if name, err = d.Token(); err == nil {
			err = readValue(name.(string)) // the decoder accepts only strings here
		}
	}
	if err == nil {
		_, err = d.Token()
	}
	return err
}

// A decision is something that can be answered by the user, a program or a rule: a conflict in a file, or a file that
// one side deleted.
type decision interface {
	file() *unmergedFile
	isOpen() bool
	mergeConflict() merge.Conflict
	possibleAnswers() []merge.Take
	isAnsweredWith(a merge.Answer) bool // the file already contains this answer
	jsonQuestion() show.Question        // as an object for --json, without ID and Sides
	save()                              // writes the file with the answers given so far, and prints the outcome
}

// A decisionWithID is a decision with its id in JSON.
type decisionWithID struct {
	decision
	id string
}

// runBatch applies r.Answers, if set, and then writes the decisions that are still open to r.JSON, if set. It returns
// an error if ids are not unique or r.JSON cannot be written.
func (r *resolver) runBatch() error {
	r.collectConflicts()
	decisions, err := r.listDecisions()
	if err != nil {
		return err
	}
	if r.Answers != nil {
		r.applyAnswers(decisions)
	}
	if r.JSON != nil {
		for _, q := range decisions {
			if q.file().skipReason != "" || !q.isOpen() {
				continue
			}
			question := q.jsonQuestion()
			question.ID = q.id
			question.Sides.Ours, question.Sides.Theirs = q.file().sideNames()
			_ = r.JSON.WriteQuestion(question)
		}
		return r.JSON.Err
	}
	return nil
}

// collectConflicts sets r.situation, and r.conflicts to the conflicts of all files, open or answered.
func (r *resolver) collectConflicts() {
	r.situation = situation.Read(r.tree.Git, [3]string{})
	for _, f := range r.files {
		for i := range f.questions() {
			r.conflicts = append(r.conflicts, &conflict{unmergedFile: f, index: i})
		}
	}
}

// listDecisions returns all conflicts and deletions, open or answered, except in skipped files. An id is a hash of the
// path of the file, the kind and path of the conflict, and its versions, so it is the same in each run. Decisions that
// are equal in all of these are numbered. An error is returned if two ids are equal.
func (r *resolver) listDecisions() (decisions []decisionWithID, err error) {
	count := map[string]int{}
	add := func(q decision) {
		c := q.mergeConflict()
		key := fmt.Sprintf("%q", []string{q.file().Path, string(c.Kind), c.Path, c.Base.Text, c.Ours.Text, c.Theirs.Text})
		count[key]++
		decisions = append(decisions, decisionWithID{q, fmt.Sprintf("%x", sha256.Sum256(fmt.Append(nil, key, count[key])))[:idDigits]})
	}
	for _, c := range r.conflicts {
		if c.skipReason == "" {
			add(c)
		}
	}
	for _, d := range r.deletions {
		add(d)
	}
	return decisions, checkDistinctIDs(decisions)
}

// checkDistinctIDs returns an error if two decisions have the same id.
func checkDistinctIDs(decisions []decisionWithID) error {
	seen := map[string]bool{}
	for _, q := range decisions {
		if seen[q.id] {
			return fmt.Errorf("two questions have the id %s; answer them with resolve -i", q.id)
		}
		seen[q.id] = true
	}
	return nil
}

// idDigits is the number of hexadecimal digits of an id. With 128 bits, it is not feasible to write a branch in which
// two decisions have the same id; with 48 bits, it took half a minute.
const idDigits = 32

// applyAnswers applies r.Answers to the decisions in all and saves the files. The answers to one file are tried
// together (see merge.Resolution.DecideSome). An answer that the file contains already, because an earlier run was
// interrupted, is accepted. Refused answers are reported (see reportRefusal). If any is refused and r.Partial is not
// set, nothing is saved, and the conflicts are open again.
func (r *resolver) applyAnswers(decisions []decisionWithID) {
	decisionsByID, refusals := map[string]decisionWithID{}, map[string]error{}
	answersByFile := map[*unmergedFile]map[int]merge.Answer{}
	var accepted []decisionWithID
	for _, q := range decisions {
		a, ok := r.Answers[q.id]
		if !ok {
			continue
		}
		decisionsByID[q.id] = q
		switch c, isConflict := q.decision.(*conflict); {
		case q.isAnsweredWith(a):
		case !q.isOpen():
			refusals[q.id] = errors.New("this question is answered already, and otherwise")
		case isConflict && answersByFile[c.unmergedFile] == nil:
			answersByFile[c.unmergedFile] = map[int]merge.Answer{c.index: a}
		case isConflict:
			answersByFile[c.unmergedFile][c.index] = a
		default:
			refusals[q.id] = q.decision.(*deletion).tryAnswer(a)
		}
	}
	refusalsByFile := map[*unmergedFile]map[int]error{}
	for f, answers := range answersByFile {
		refusalsByFile[f] = f.resolution.DecideSome(answers)
		f.cachedQuestions = nil
	}
	for _, q := range decisions {
		if decisionsByID[q.id] != q {
			continue
		}
		if c, isConflict := q.decision.(*conflict); isConflict && refusals[q.id] == nil {
			refusals[q.id] = refusalsByFile[c.unmergedFile][c.index]
		}
		if refusals[q.id] == nil {
			accepted = append(accepted, q)
			continue
		}
		if words := q.possibleAnswers(); !slices.Contains(words, r.Answers[q.id].Take) {
			refusals[q.id] = errors.New("it can be answered by " + strings.Trim(strings.ReplaceAll(fmt.Sprint(words), " ", ", "), "[]"))
		}
		r.reportRefusal(q.id, q.file().relPath(), q.mergeConflict().Path, refusals[q.id])
	}
	for _, id := range slices.Sorted(maps.Keys(r.Answers)) {
		if _, ok := decisionsByID[id]; !ok {
			r.reportRefusal(id, "", "", errors.New("no open question has this id"))
		}
	}
	if len(accepted) == len(r.Answers) || r.Partial {
		saveFiles(accepted)
		return
	}
	r.printLine("no answer is written (--partial writes those that hold)")
	for f, answers := range answersByFile {
		restored := map[int]merge.Answer{}
		for i := range answers {
			if refusalsByFile[f][i] == nil {
				restored[i] = merge.Answer{Unproven: true}
			}
		}
		f.resolution.DecideAll(restored) // open them again
		f.cachedQuestions = nil
	}
}

// reportRefusal writes a refused answer and the reason to r.JSON, or prints them if r.JSON is nil, and sets
// r.unresolved. file and path are "" if no open decision has this id.
func (r *resolver) reportRefusal(id, file, path string, reason error) {
	r.unresolved = true
	if r.JSON != nil {
		_ = r.JSON.WriteRefused(id, file, path, reason.Error())
		return
	}
	parts := slices.DeleteFunc([]string{id, file, path}, func(x string) bool { return x == "" })
	r.printLine("%s: refused: %v", strings.Join(parts, ": "), reason)
}

// file implements decision for conflict and deletion, which embed f.
func (f *unmergedFile) file() *unmergedFile { return f }

// mergeConflict implements decision.
func (c *conflict) mergeConflict() merge.Conflict { return c.question().Conflict }

// tryAnswer answers c with a, in memory. If a is refused, c is unchanged and the error is a *merge.AnswerError.
func (c *conflict) tryAnswer(a merge.Answer) error {
	err := c.resolution.Decide(c.index, a)
	c.cachedQuestions = nil
	return err
}

// isAnsweredWith reports whether the file already contains the text that answer a gives.
func (c *conflict) isAnsweredWith(a merge.Answer) bool { return c.resolution.HasAnswer(c.index, a) }

// possibleAnswers implements decision.
func (c *conflict) possibleAnswers() []merge.Take {
	return append(c.resolution.Offers(c.index), merge.TakeText)
}

// jsonQuestion implements decision.
func (c *conflict) jsonQuestion() show.Question {
	q := c.question()
	return show.Question{
		File: c.relPath(), Conflict: show.Conflict{Conflict: q.Conflict, Why: q.Why()}, Before: q.Before, After: q.After,
		Answers: c.possibleAnswers(), Unverified: c.unverifiedReason(),
	}
}

// unverifiedReason returns why no answer to a conflict of f is verified: "merged by lines (...)". It returns "" if
// answers are verified.
func (f *unmergedFile) unverifiedReason() string {
	if !f.isLineMerge() {
		return ""
	}
	return "merged by lines (" + f.result.Reason + ")"
}

// sideNames describes both sides to the user, with their last commits to f: "HEAD, branch main: 8ca51e7 Ann,
// 2026-01-31, subject". If git does not know theirs, it may be a stash. A side that remains unknown is described by its
// label in the markers. The result is computed once.
func (f *unmergedFile) sideNames() (ours, theirs string) {
	if f.cachedSideNames == [2]string{} {
		ours, theirs := f.situation.NameSides()
		if theirs.Name == "" {
			theirs, _ = situation.FindStash(f.tree.Git, f.Path, f.stages.Theirs)
		}
		labels := f.newMerger("").Labels
		for i, side := range []situation.Side{ours, theirs} {
			f.cachedSideNames[i] = cmp.Or(side.Name, labels[2*i])
			if last, ok := f.situation.LastCommit(side, f.Path); ok {
				f.cachedSideNames[i] += ": " + last
			}
		}
	}
	return f.cachedSideNames[0], f.cachedSideNames[1]
}

// listRule describes how items were matched in the list around path, and which rule decided that (see
// merge.Change.List). It uses the first change at or below path, and returns "" if there is none or it is not in a
// list. It computes f.cachedChanges once.
func (f *unmergedFile) listRule(path string) string {
	if f.cachedChanges == nil {
		file := f.stages
		for _, side := range [][]byte{file.Ours, file.Theirs} {
			changes, _ := file.Changes(side)
			f.cachedChanges = append(f.cachedChanges, changes...)
		}
	}
	for _, c := range f.cachedChanges {
		if c.IsOfActions() {
			continue // it is about template actions, which are not in lists
		}
		if c.Path == path || strings.HasPrefix(c.Path, path) && path != "" && strings.ContainsAny(c.Path[len(path):len(path)+1], ".[") {
			return c.List
		}
	}
	return ""
}

// showConflict prints c with its position, its reason, both sides, and its versions with the lines around them. Unless
// complete is set, it fits them into the screen, and of a large deleted entry it prints only the changes of the other side. It
// reports whether something was left out.
func (r *resolver) showConflict(c *conflict, complete bool) (shortened bool, err error) {
	p, screen, q := r.asker.Out, terminal.ScreenSize(r.Stdout), c.question()
	title := c.relPath()
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
	place, list := "", "" // "" if unknown
	if q.Kind != merge.ConflictLine {
		place = driver.PathOrDocument(q.Path)
	}
	if !c.isLineMerge() {
		list = c.listRule(q.Path)
	}
	ours, theirs := c.sideNames()
	usedLines := 4 // the blank line, the title, and room for the prompt
	for _, x := range [][2]string{
		{"", place}, {string(q.Kind) + ": ", q.Why()}, {"rule: ", list}, {"not verified: ", c.unverifiedReason()}, {"ours:   ", ours}, {"theirs: ", theirs},
	} {
		if x[1] != "" {
			p.Println(screen.Truncate("  " + x[0] + x[1]))
			usedLines++
		}
	}
	var versions [3][]string
	total := 0
	for i, x := range []merge.Version{q.Base, q.Ours, q.Theirs} {
		versions[i] = noText
		if x.Text != "" {
			versions[i] = strings.Split(strings.TrimSuffix(strings.ReplaceAll(x.Text, "\r\n", "\n"), "\n"), "\n")
		}
		total += len(versions[i])
	}
	if c.hasFewChangesToDeleted() && !complete {
		show.PrintChangesToDeleted(p, q.Conflict)
		return true, p.Err
	}
	if room := screen.Lines - usedLines - len(q.Before) - len(q.After); total > room && !complete {
		all := versions
		versions = shortenVersions(all, max(room/3, 4))
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
			if cut := screen.Truncate(line); !complete && cut != line {
				line, shortened = cut, true
			}
			p.Println(part.colour, line)
		}
	}
	return shortened, p.Err
}

// hasFewChangesToDeleted reports whether one side deleted a large entry, and the other side changed few fields in it. These
// changes are shown instead of the entry, and the user may apply them elsewhere by hand.
func (c *conflict) hasFewChangesToDeleted() bool {
	const minLines, linesPerChange = 20, 5
	q := c.question()
	_, changes := q.ChangesToDeleted()
	lines := strings.Count(q.Base.Text, "\n")
	return len(changes) > 0 && lines >= minLines && linesPerChange*len(changes) <= lines
}

// noText is shown for a version that has no text.
var noText = []string{"(nothing)"}

// shortenVersions shortens base, ours and theirs to at most maxLines lines each; maxLines must be at least 4. Each
// starts one line before the first line in which the versions differ, noText aside. A line with a count replaces the
// lines left out at the start, and another one those at the end:
//
//	base        ours        theirs      shown of theirs, if maxLines is 5
//	x (9 times) x (9 times) x (9 times) ... 8 lines before
//	            o           t           x
//	                                    t
//
// If ours and theirs continue with so many equal lines that the first difference between these two would not be shown,
// they start one line before that difference.
func shortenVersions(versions [3][]string, maxLines int) (shown [3][]string) {
	present := slices.DeleteFunc(slices.Clone(versions[:]), func(x []string) bool { return slices.Equal(x, noText) })
	commonToAll, commonToSides := commonPrefixLen(present), 0
	if len(present) == len(versions) || slices.Equal(versions[0], noText) {
		commonToSides = commonPrefixLen(versions[1:])
	}
	for i, x := range versions {
		from := commonToAll
		if i > 0 && commonToSides-commonToAll >= maxLines-2 {
			from = commonToSides
		}
		if from--; from <= 1 || slices.Equal(x, noText) {
			from = 0
		} else {
			shown[i] = append(shown[i], fmt.Sprintf("... %d lines before", from))
		}
		to := min(from+max(maxLines-1-len(shown[i]), 2), len(x))
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

// commonPrefixLen returns the number of lines with which all texts begin, 0 if there are no texts.
func commonPrefixLen(texts [][]string) (n int) {
	for len(texts) > 0 {
		for _, x := range texts {
			if n == len(x) || x[n] != texts[0][n] {
				return n
			}
		}
		n++
	}
	return 0
}
