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

// ReadAnswers reads the answers to conflicts from a JSON object, by the ids that git merge-yaml resolve --json writes.
// An answer is a word, which is a merge.Take, or an object with the text to write. It fails if an id is repeated, or if
// data follows the object. Whether ids and words exist is not checked.
//
//	{
//	  "4c1fa2d90b7e4c1fa2d90b7e4c1fa2d9": "ours",
//	  "90b7e4c1fa2d90b7e4c1fa2d90b7e4c1": {"text": "  replicas: 5\n"}
//	}
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
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New(`the JSON object ends too early; expected {"ID": "ours", ...}`)
	case err == nil:
		return answers, nil
	}
	return nil, fmt.Errorf("invalid answers: %w", err)
}

// readAnswer parses one answer in JSON; anything but these two forms is an error that quotes raw. It does not check
// that the word is a known one. The text may be "".
//
//	"ours"             Take is this word, which must not be "" or "text"
//	{"text": "..."}    Take is merge.TakeText, and Text is the string
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

// readObject reads a JSON object from d, up to its closing brace. It calls readValue with each name, even with a
// repeated one; readValue must then read the value from d. It returns the first error of readValue or of d, also if d
// has no object.
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

// runBatch answers conflicts for a program instead of the user. It applies r.Answers and saves the files, and then
// writes each decision that is still open to r.JSON, one JSON object a line. Either may be nil. It sets r.conflicts,
// r.situation and, if an answer is refused, r.unresolved. The error is that of writing JSON, or that two decisions have
// the same id; no answer is applied then.
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

// collectConflicts appends the conflicts of r.files that the user can answer, open or answered, to r.conflicts.
// Skipped, encrypted and generated files have none. It must be called only once. It also sets r.situation to the
// operation, such as a rebase, in which git has stopped.
func (r *resolver) collectConflicts() {
	r.situation = r.session.Situation([3]string{})
	for _, f := range r.files {
		for i := range f.questions() {
			r.conflicts = append(r.conflicts, &conflict{unmergedFile: f, index: i})
		}
	}
}

// listDecisions returns the decisions of all files, open or answered, with the ids by which a program answers them:
// first the conflicts, without those of skipped files, then the deleted files. The ids are hashes of the path of the
// file and of the conflict, so that they are the same in each run. r.conflicts must be set. It is an error if two ids
// are the same.
func (r *resolver) listDecisions() (decisions []decisionWithID, err error) {
	count := map[string]int{}
	add := func(q decision) {
		c := q.mergeConflict()
		key := fmt.Sprintf("%q", []string{q.file().Path, string(c.Kind), c.Path, c.Base.Text, c.Ours.Text, c.Theirs.Text})
		// equal conflicts of a file get distinct ids by their order
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

// checkDistinctIDs returns an error that names the id if two decisions have the same id, and nil otherwise.
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

// applyAnswers gives the answers in r.Answers, by id, to decisions, and saves their files. decisions are all those of
// this run. A refused answer is printed, and sets r.unresolved; nothing is then saved unless r.Partial is set, and
// conflicts that were answered here are open again.
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
		// an earlier run may have been interrupted after it wrote the file
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

// reportRefusal reports an answer that was refused, as a JSON object to r.JSON or, if that is nil, in a line such as
// "web.yaml: spec.replicas: refused: REASON". It sets r.unresolved. id, file and path may be "", which leaves them out
// of the line.
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

// jsonQuestion returns c, open or answered, as it is written for --json. Paths are relative to the current directory.
// Unverified is "" or, for a file that was merged by lines, the reason why answers are not verified. The caller adds
// the id and the names of the sides.
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

// sideNames describes both sides to the user, with the last commit that changed f if it is known, as in "HEAD, branch
// main: 8ca51e7 Ann, 2026-01-31, subject". A side about which git has no record, or for which git fails, is described
// by its label in the conflict markers, such as "theirs". The result is cached, because git is run to find it.
func (f *unmergedFile) sideNames() (ours, theirs string) {
	if f.cachedSideNames == [2]string{} {
		ours, theirs := f.situation.NameSides()
		if theirs.Name == "" {
			// git has no record of theirs after git stash pop
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

// listRule returns how the items of a list are matched, and the source of that rule, as in "items by name (Kubernetes
// apps/v1 Deployment)". It takes the list around the first change of a side at or below path, such as
// spec.containers[name=web].image. It returns "" if no side changed data there, or if that change is in no list.
func (f *unmergedFile) listRule(path string) string {
	for _, c := range f.changes() {
		if !c.IsOfActions() && isAtOrBelow(c.Path, path) {
			return c.List
		}
	}
	return ""
}

// changes returns the changes of ours and then those of theirs. A side that cannot be parsed has none. The result is
// cached.
func (f *unmergedFile) changes() []merge.Change {
	if f.cachedChanges == nil {
		file := f.stages
		for _, side := range [][]byte{file.Ours, file.Theirs} {
			changes, _ := file.Changes(side)
			f.cachedChanges = append(f.cachedChanges, changes...)
		}
	}
	return f.cachedChanges
}

// isAtOrBelow reports whether path is that of the entry top or of an entry in it. If top is "", the path of the root,
// only the root itself counts.
func isAtOrBelow(path, top string) bool {
	rest, hasPrefix := strings.CutPrefix(path, top)
	return hasPrefix && (rest == "" || top != "" && strings.ContainsAny(rest[:1], ".["))
}

// showConflict prints c for the user who has to answer it: its place and reason, both sides, and the three versions
// with the lines around them. Unless complete is set, it leaves out what does not fit on the screen, or prints only the
// changes to a deleted entry (see hasFewChangesToDeleted); shortened is true then. The error is that of writing.
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

// hasFewChangesToDeleted reports whether one side deleted a large entry in which the other side changed little. The
// user is then shown only these changes, and can choose to make them elsewhere by hand. The entry must have at least 20
// lines in the base. There must be at least one change, and at most one for each 5 of these lines.
func (c *conflict) hasFewChangesToDeleted() bool {
	const minLines, linesPerChange = 20, 5
	q := c.question()
	_, changes := q.ChangesToDeleted()
	lines := strings.Count(q.Base.Text, "\n")
	return len(changes) > 0 && lines >= minLines && linesPerChange*len(changes) <= lines
}

// noText is the text that is shown for a version that does not have the entry in conflict.
var noText = []string{"(nothing)"}

// shortenVersions shortens base, ours and theirs to at most maxLines lines each, which must be at least 4, so that the
// first lines that differ are shown. A count replaces lines that are left out. A version without text (noText) is not
// compared.
//
//	base          ours          theirs        shown of theirs
//	x (9 times)   x (9 times)   x (9 times)   ... 8 more lines
//	              o             t             x
//	                                          t
func shortenVersions(versions [3][]string, maxLines int) (shown [3][]string) {
	present := slices.DeleteFunc(slices.Clone(versions[:]), func(x []string) bool { return slices.Equal(x, noText) })
	commonToAll, commonToSides := commonPrefixLen(present), 0
	if len(present) == len(versions) || slices.Equal(versions[0], noText) {
		commonToSides = commonPrefixLen(versions[1:])
	}
	for i, x := range versions {
		from := commonToAll
		// ours and theirs begin where these two differ, if that would not be shown otherwise
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
