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

// ReadAnswers reads the answers to conflicts from a JSON object. Its names are the ids of the conflicts, as written by
// git merge-yaml resolve --json. An answer is a word, such as "ours", "theirs" or "both" (the values of merge.Take
// except "text"), or an object with the text to write:
//
//	{
//	  "4c1fa2d90b7e4c1fa2d90b7e4c1fa2d9": "ours",
//	  "90b7e4c1fa2d90b7e4c1fa2d90b7e4c1": {"text": "  replicas: 5\n"}
//	}
//
// The map is empty, and not nil, for the object {}. ReadAnswers returns nil and an error if r is empty or contains
// anything else, more than one value, or an object with a repeated name. It does not check whether ids and words exist.
func ReadAnswers(r io.Reader) (map[string]merge.Answer, error) {
	d := json.NewDecoder(r)
	answers := map[string]merge.Answer{}
	err := readObject(d, func(id string) error {
		if _, isDuplicate := answers[id]; isDuplicate {
			return fmt.Errorf("%q has two answers", id)
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
		err = errors.New("data after the object")
	}
	if err != nil {
		return nil, fmt.Errorf("invalid answers: %w", err)
	}
	return answers, nil
}

// readAnswer parses one answer. Two forms are accepted:
//
//	"ours"             any string except "" and "text": the result has this word in Take
//	{"text": "..."}    an object with this string as its only field: merge.TakeText, with the string in Text
//
// Everything else is an error that quotes raw; the answer is then not valid. It does not check that the word is a known
// one. The text may be "".
func readAnswer(raw []byte) (a merge.Answer, err error) {
	var word string
	if json.Unmarshal(raw, &word) == nil && word != "" && word != string(merge.TakeText) {
		return merge.Answer{Take: merge.Take(word)}, nil
	}
	errForm := fmt.Errorf(`%s is not an answer; expected a word such as "ours", or {"text": "..."}`, raw)
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

// readObject reads a JSON object from d, up to its closing brace. For each name, in order and also if it is repeated,
// it calls readValue, which must read the value from d. It returns the first error: that of readValue, or of d if there
// is no object.
func readObject(d *json.Decoder, readValue func(name string) error) error {
	start, err := d.Token()
	if err == nil && start != json.Delim('{') {
		err = errors.New("expected a JSON object")
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

// A decision is a conflict that can be answered by the user, a program or a rule of the team. There are two kinds: a
// conflict in the content of a file (type conflict), and a file that one side deleted and the other side changed (type
// deletion).
type decision interface {
	file() *unmergedFile
	isOpen() bool
	mergeConflict() merge.Conflict
	possibleAnswers() []merge.Take
	isAnsweredWith(a merge.Answer) bool // the file already contains this answer
	jsonQuestion() show.Question        // as an object for --json, without ID and Sides
	save()                              // writes the file with the answers given so far, and prints the outcome
}

// A decisionWithID is a decision (a conflict in a file, or a deleted file) with the id by which a program answers it in
// JSON.
type decisionWithID struct {
	decision
	id string
}

// runBatch answers conflicts without prompting the user. First it applies r.Answers, a map from the ids of conflicts to
// answers, unless it is nil, and saves the files. Then it writes each conflict that is still open to r.JSON, unless
// that is nil: one JSON object a line, with its id, its file, its versions and the possible answers. Conflicts include
// files that one side deleted. Skipped files are left out.
//
// It sets r.conflicts and r.situation (the operation that git stopped in), and r.unresolved if an answer is refused. It
// returns an error, before it answers anything, if two conflicts have the same id. It also returns one if r.JSON cannot
// be written.
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

// collectConflicts appends the conflicts in the content of all files, open or answered, to r.conflicts, in the order of
// the files. It is called once, so that r.conflicts is empty before. It also sets r.situation to the operation, such as
// a rebase, that git has stopped in. Files that one side deleted are not included.
func (r *resolver) collectConflicts() {
	r.situation = r.session.Situation([3]string{})
	for _, f := range r.files {
		for i := range f.questions() {
			r.conflicts = append(r.conflicts, &conflict{unmergedFile: f, index: i})
		}
	}
}

// listDecisions returns the conflicts in all files, and then the files that one side deleted, open or answered, each
// with its id. Skipped files are left out. The result is nil if there are none. r.conflicts must be set
// (collectConflicts).
//
// The id is a text of 32 hexadecimal digits, as in 4c1fa2d90b7e4c1fa2d90b7e4c1fa2d9. It is a hash of the path of the
// file, the kind of the conflict (such as "value" or "deleted"), the path of the field, and its three versions. It is
// thus the same in each run. Conflicts that are equal in all of these get different ids, by their order. The error is
// that of two ids that are equal nevertheless.
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

// checkDistinctIDs returns an error that names the id if two decisions (conflicts or deleted files) have the same id.
// It returns nil otherwise, also for an empty list.
func checkDistinctIDs(decisions []decisionWithID) error {
	seen := map[string]bool{}
	for _, q := range decisions {
		if seen[q.id] {
			return fmt.Errorf(`two questions have the id %s; run "git merge-yaml resolve -i" instead`, q.id)
		}
		seen[q.id] = true
	}
	return nil
}

// idDigits is the number of hexadecimal digits of an id. With 128 bits, it is not feasible to write a branch in which
// two decisions have the same id; with 48 bits, it took half a minute.
const idDigits = 32

// applyAnswers answers the given decisions with r.Answers, a map from their ids to answers, and saves the files.
// decisions are all conflicts and deleted files of this run; those without an answer are left as they are.
//
// An answer is accepted if the file contains it already, because an earlier run may have been interrupted after it
// wrote the file. An answer is refused in these cases:
//
//   - no decision has its id
//   - the decision is answered already, with another answer
//   - it is not possible for this conflict or deleted file
//   - the file with all its new answers would not be valid YAML, or cannot be verified
//   - the user edited the deleted file after git stopped
//
// Refused answers are printed or, with r.JSON, written as JSON, and r.unresolved is set. If any is refused and
// r.Partial is false, nothing is saved, and all the conflicts are open again. With r.Partial, the accepted answers are
// saved.
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
			refusals[q.id] = errors.New("the question already has another answer")
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
			refusals[q.id] = errors.New("invalid answer; choose one of " + strings.Trim(strings.ReplaceAll(fmt.Sprint(words), " ", ", "), "[]"))
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
	r.printLine("no answer was written; use --partial to write the accepted answers")
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

// reportRefusal reports an answer that was refused, with the id in the answer, the file and the path of the conflict,
// and the reason. It writes a JSON object to r.JSON, or prints a line if r.JSON is nil. It sets r.unresolved, so that
// Run returns false. file and path are "" if no open conflict has this id; parts that are "" are left out of the line,
// as in "web.yaml: spec.replicas: refused: REASON".
func (r *resolver) reportRefusal(id, file, path string, reason error) {
	r.unresolved = true
	if r.JSON != nil {
		_ = r.JSON.WriteRefused(id, file, path, reason.Error())
		return
	}
	parts := slices.DeleteFunc([]string{id, file, path}, func(x string) bool { return x == "" })
	r.printLine("%s: refused: %v", strings.Join(parts, ": "), reason)
}

// file returns f. It is a method of the types conflict and deletion, which embed *unmergedFile, for the interface
// decision.
func (f *unmergedFile) file() *unmergedFile { return f }

// mergeConflict returns the conflict with its kind, its path and its three versions, as package merge reports it.
func (c *conflict) mergeConflict() merge.Conflict { return c.question().Conflict }

// tryAnswer answers c with a. The file is not written yet. The zero Answer opens c again. If the result would not be
// valid YAML, or cannot be verified, the answer is refused: c is unchanged, and the error is a *merge.AnswerError. An
// answer with Unproven set is accepted even if the result cannot be verified.
func (c *conflict) tryAnswer(a merge.Answer) error {
	err := c.resolution.Decide(c.index, a)
	c.cachedQuestions = nil
	return err
}

// isAnsweredWith reports whether the file already contains the text that answer a gives.
func (c *conflict) isAnsweredWith(a merge.Answer) bool { return c.resolution.HasAnswer(c.index, a) }

// possibleAnswers returns the answers that can be given to c, such as ours, theirs and both. The last one is always
// text: any text in place of the conflict.
func (c *conflict) possibleAnswers() []merge.Take {
	return append(c.resolution.Offers(c.index), merge.TakeText)
}

// jsonQuestion returns c as it is written for --json: the file (its path relative to the current directory), the kind
// and path of the conflict with its versions and the reason, the lines around it, and the possible answers. Unverified
// is the reason why answers are not verified, "" if they are. The caller adds the id and the names of the sides.
func (c *conflict) jsonQuestion() show.Question {
	q := c.question()
	return show.Question{
		File: c.relPath(), Conflict: show.Conflict{Conflict: q.Conflict, Why: c.why(q)}, Before: q.Before, After: q.After,
		Answers: c.possibleAnswers(), Unverified: c.unverifiedReason(),
	}
}

// unverifiedReason returns why no answer to a conflict of f is verified, as in "merged by lines (a version is not
// YAML)". It returns "" if answers are verified.
func (f *unmergedFile) unverifiedReason() string {
	if !f.isLineMerge() {
		return ""
	}
	return "merged by lines (" + f.result.Reason + ")"
}

// sideNames describes both sides to the user, each with its last commit that changed f: "HEAD, branch main: 8ca51e7
// Ann, 2026-01-31, subject". If that commit is not known, the part after the colon is missing. If git has no record of
// theirs, sideNames looks for a stash that contains this version of the file. A side that remains unknown is described
// by its label in the conflict markers of the file, such as "theirs". Neither result is "". Git is run only at the
// first call; the result is kept in f.cachedSideNames.
func (f *unmergedFile) sideNames() (ours, theirs string) {
	if f.cachedSideNames == [2]string{} {
		ours, theirs := f.situation.NameSides()
		if theirs.Name == "" {
			theirs, _ = situation.FindStash(f.tree.Git, f.Path, f.stages.Theirs)
		}
		markers := f.newMerger("").Markers()
		for i, side := range []situation.Side{ours, theirs} {
			f.cachedSideNames[i] = cmp.Or(side.Name, []string{markers.Ours, markers.Theirs}[i])
			if last, ok := f.situation.LastCommit(side, f.Path); ok {
				f.cachedSideNames[i] += ": " + last
			}
		}
	}
	return f.cachedSideNames[0], f.cachedSideNames[1]
}

// listRule describes how the items of a list are matched, and which rule decided that, as in "items by name (Kubernetes
// apps/v1 Deployment)". path is the path of the list's item, or of a field in it, such as
// spec.containers[name=web].image. listRule looks for it in the changes of both sides, first in those of ours: it uses
// the first change that is at path or below it. It returns "" if there is none, if that is not in a list, or if the
// versions cannot be compared as YAML. For the path "", only a change of the whole document counts. The changes are
// computed at the first call and kept in f.cachedChanges.
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

// showConflict prints c to r.asker.Out: the file and line, the number of the conflict, the path and reason, a
// description of both sides, and the three versions with the lines before and after them. A version without the entry
// is shown as "(nothing)". Unless complete is set, the output is shortened to fit on the screen, in two ways:
//
//   - lines of the file are truncated at the width of the screen, and lines of long versions are left out
//   - if one side deleted a large entry and the other side changed little in it, only these changes are printed
//
// shortened reports whether something was left out. Headings are wrapped instead. The error is that of writing to the terminal.
func (r *resolver) showConflict(c *conflict, complete bool) (shortened bool, err error) {
	p, screen, q := r.asker.Out, terminal.ScreenSize(r.Stdout), c.question()
	title := c.relPath()
	if q.Line > 0 {
		title += fmt.Sprintf(":%d", q.Line)
	}
	title += fmt.Sprintf(": conflict %d of %d", 1+c.index, len(c.questions())) + r.filePosition(c.unmergedFile)
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
		{"", place}, {string(q.Kind) + ": ", c.why(q)}, {"rule: ", list}, {"not verified: ", c.unverifiedReason()}, {"ours:   ", ours}, {"theirs: ", theirs},
	} {
		if x[1] != "" {
			for _, line := range screen.Wrap("  ", x[0]+x[1]) {
				p.Println(line)
				usedLines++
			}
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

// filePosition returns ", file 2 of 3" if the user is asked about several files, and f is the second of them. Files that
// one side deleted are the last. It returns "" if f is the only file.
func (r *resolver) filePosition(f *unmergedFile) string {
	files := slices.DeleteFunc(slices.Clone(r.files), func(f *unmergedFile) bool { return len(f.questions()) == 0 })
	for _, d := range r.deletions {
		files = append(files, d.unmergedFile)
	}
	if len(files) < 2 {
		return ""
	}
	return fmt.Sprintf(", file %d of %d", 1+slices.Index(files, f), len(files))
}

// why returns the reason of the conflict q of f, as in "both modified". If no result passed verification, it is what
// the verification refused.
func (f *unmergedFile) why(q merge.Question) string {
	if refused := f.result.Refused; q.Kind == merge.ConflictRefused && refused != "" {
		return refused
	}
	return q.Why()
}

// hasFewChangesToDeleted reports whether one side deleted an entry (a field or an item of a list) of at least 20 lines,
// and the other side changed few fields in it: at least one, and at most one for each 5 lines. These changes are then
// shown instead of the entry, and the user can choose to delete the entry and to make the changes elsewhere by hand. It
// reports false if neither side deleted the entry.
func (c *conflict) hasFewChangesToDeleted() bool {
	const minLines, linesPerChange = 20, 5
	q := c.question()
	_, changes := q.ChangesToDeleted()
	lines := strings.Count(q.Base.Text, "\n")
	return len(changes) > 0 && lines >= minLines && linesPerChange*len(changes) <= lines
}

// noText is the text that is shown for a version that does not have the entry in conflict.
var noText = []string{"(nothing)"}

// shortenVersions shortens the lines of base, ours and theirs, in this order, to at most maxLines lines each, so that
// the lines that differ are shown. maxLines must be at least 4. Each version begins one line before the first line in
// which the versions differ. A line with a count replaces the lines left out at the start, and another one those at the
// end:
//
//	base        ours        theirs      shown of theirs, if maxLines is 5
//	x (9 times) x (9 times) x (9 times) ... 8 more lines
//	            o           t           x
//	                                    t
//
// If ours and theirs have so many more equal lines that the first difference between these two would not be shown,
// these two begin one line before that difference. A version that is equal to noText, the text for a missing entry, is
// not compared.
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
			shown[i] = append(shown[i], fmt.Sprintf("... %d more lines", from))
		}
		to := min(from+max(maxLines-1-len(shown[i]), 2), len(x))
		if len(x)-to == 1 {
			to = len(x)
		}
		shown[i] = append(shown[i], x[from:to]...)
		if left := len(x) - to; left > 0 {
			shown[i] = append(shown[i], fmt.Sprintf("... %d more lines (v shows all)", left))
		}
	}
	return shown
}

// commonPrefixLen returns the number of lines with which all texts begin: 0 if there are no texts or if one is empty,
// and the number of all lines for a single text.
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
