package resolve

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

// A deletion is a file that one side deleted and the other side changed; git status reports it as "deleted by us" or
// "deleted by them". Git runs no merge driver for it. The user, a program or a rule of the team answers whether it is
// kept. The keeping side is the side that still has the file. The answers are:
//
//	answer             if ours deleted the file     if theirs deleted the file
//	merge.TakeOurs     deleted                      kept, as in ours
//	merge.TakeTheirs   kept, as in theirs           deleted
//	merge.TakeBoth     deleted; the changes are merged into the files to which the content was moved
type deletion struct {
	*unmergedFile
	versions                  session.File // the versions; the one of the deleting side is nil
	deletingSide, keepingSide merge.Take   // TakeOurs or TakeTheirs; answers that delete or keep the file
	keptContent               []byte       // the version of the keeping side
	moveTargets               []moveTarget // the files to which its content was moved
	unmergeableReason         string       // why the changes cannot be merged into them, or ""
	choice                    merge.Take   // the answer that save carries out
	written                   bool         // apply has written or removed the file, and staged it unless Options.Stage is not set
	outcome                   string       // after apply: "kept", "deleted", or "merged into ..., deleted"
}

// readDeletion returns f, a file that one side deleted and the other side changed, as a deletion. If the content was
// moved to other files, it also merges the changes into these, in memory (d.moveTargets). The work tree is not written.
// It returns an error if git fails or cannot read a version.
func (f *unmergedFile) readDeletion() (*deletion, error) {
	if err := f.readStages(); err != nil {
		return nil, err
	}
	d := &deletion{unmergedFile: f, versions: f.newMerger("").File, deletingSide: merge.TakeTheirs, keepingSide: merge.TakeOurs, keptContent: f.stages.Ours}
	if f.Ours.ID == "" {
		d.deletingSide, d.keepingSide, d.keptContent, d.versions.Ours = merge.TakeOurs, merge.TakeTheirs, f.stages.Theirs, nil
	} else {
		d.versions.Theirs = nil
	}
	return d, d.mergeMovedDocuments()
}

// extractDeletions moves the files that one side deleted and the other side changed from r.files to r.deletions, about
// which the user is asked. If a rule of the team decides a file, it is kept or deleted at once, and printed. If git or
// the rule fails, the file stays in r.files with a skipReason. A file in git LFS stays there, too.
func (r *resolver) extractDeletions() {
	outcomes, sources := []string{}, []string{}
	r.files = slices.DeleteFunc(r.files, func(f *unmergedFile) bool {
		if !history.IsModifyDelete(f.Unmerged) || f.attributes["filter"] == "lfs" {
			return false
		}
		d, err := f.readDeletion()
		source := ""
		if err == nil {
			source, err = d.applyRule()
		}
		switch {
		case err != nil:
			f.skipReason = err.Error()
			return false
		case source == "": // no rule answers
			r.deletions = append(r.deletions, d)
			return true
		}
		text := f.relPath() + " " + d.outcome
		if d.outcome == "deleted" {
			text += ", " + show.DescribeLostChanges(d.versions)
		}
		outcomes = append(outcomes, text)
		if !slices.Contains(sources, source) {
			sources = append(sources, source)
		}
		return true
	})
	if len(outcomes) > 0 {
		r.printLine("%s deleted on one side, resolved by the rule %s: %s", terminal.CountNoun(len(outcomes), "file"), strings.Join(sources, ", "), strings.Join(outcomes, "; "))
	}
}

// applyRule keeps or deletes the file as a rule of the team says, and stages that. source is the place of the rule,
// such as ".git-merge-yaml.yaml:7", even with an error. An error leaves all files unchanged. source is "", and nothing
// is done, if the user has to be asked:
//
//   - no rule is for the file, or it leaves the file to the user
//   - the rules cannot be used
//   - it is not known which side is the user's own
//   - Options.Stage is not set
func (d *deletion) applyRule() (source string, err error) {
	rules, err := d.resolver.session.Rules()
	if err != nil || !d.Stage {
		return "", nil // rules with a mistake are ignored, as in a merge
	}
	rule, ok := program.DeletedRule(rules, d.Path)
	own := d.versions.OwnSide()
	// a rule names the user's own side or the other one, so both must be known
	if !ok || rule.Take == program.TakeNone || own == merge.SideUnknown {
		return "", nil
	}
	side := merge.TakeTheirs
	if (own == merge.SideOurs) == (rule.Take == program.TakeOwn) {
		side = merge.TakeOurs
	}
	return rule.Source, d.apply(side)
}

// String describes the deletion and, if the content was moved, the files that contain it now:
//
//	deleted by us, modified by them (spec.replicas)
//	deleted by us, modified by them (Deployment/web: spec.replicas), content moved to deploy.yaml, svc.yaml
func (d *deletion) String() string {
	s := show.DescribeDeletion(d.versions)
	if len(d.moveTargets) > 0 {
		s += ", content moved to " + d.targetPaths()
	}
	return s
}

// promptDeletion asks the user about d, after it has shown the changes to the deleted file, and carries out the answer:
// keep the file, delete it or, if its content was moved, merge the changes there. If that fails, it prints why and does
// not ask again. It returns terminal.ErrQuit if the user quits, io.EOF if the input ends, and errors of writing the
// changes.
func (r *resolver) promptDeletion(d *deletion) error {
	ours, theirs := d.sideNames()
	p := r.asker.Out
	p.Println()
	p.Println(terminal.Bold, d.relPath()+": conflict 1 of 1"+r.filePosition(d.unmergedFile))
	for _, x := range []string{show.DescribeDeletion(d.versions), "ours:   " + ours, "theirs: " + theirs} {
		for _, line := range terminal.ScreenSize(r.Stdout).Wrap("  ", x) {
			p.Println(line)
		}
	}
	if err := show.PrintChangesOfKept(p, d.versions); err != nil {
		return err
	}
	help := map[merge.Take]string{d.deletingSide: "delete the file", d.keepingSide: "keep the file"}
	choices := []terminal.Choice{
		{Letter: "o", Word: "ours", Help: "take ours: " + help[merge.TakeOurs]}, {Letter: "t", Word: "theirs", Help: "take theirs: " + help[merge.TakeTheirs]},
		{Letter: "d", Word: "delete", Help: help[d.deletingSide]}, {Letter: "k", Word: "keep", Help: help[d.keepingSide]},
	}
	if len(d.moveTargets) > 0 {
		r.printLine("  content moved to %s", d.targetPaths())
		if d.unmergeableReason != "" {
			r.printLine("  the changes cannot be merged into these files: %s", d.unmergeableReason)
		} else {
			choices = append(choices, terminal.Choice{Letter: "m", Word: "merge", Help: "merge the changes into these files, and delete the file"})
		}
	}
	word, err := r.asker.Choose("Take", append(choices, skipChoice))
	if err != nil || word == skipChoice.Word {
		return err
	}
	d.choice = map[string]merge.Take{"ours": merge.TakeOurs, "theirs": merge.TakeTheirs, "delete": d.deletingSide, "keep": d.keepingSide, "merge": merge.TakeBoth}[word]
	d.save()
	return nil
}

// isOpen reports whether the file was neither kept nor deleted yet.
func (d *deletion) isOpen() bool { return !d.written }

// mergeConflict returns d as a conflict of the kind "deleted" without a path. Its versions are the whole files, from
// line 1 on; the version of the side that deleted the file is the zero Version. All other fields are zero, too.
func (d *deletion) mergeConflict() merge.Conflict {
	version := func(text []byte) merge.Version {
		if text == nil {
			return merge.Version{}
		}
		return merge.Version{Text: string(text), Line: 1}
	}
	return merge.Conflict{Kind: "deleted", Base: version(d.versions.Base), Ours: version(d.versions.Ours), Theirs: version(d.versions.Theirs)}
}

// possibleAnswers returns the answers that can be given to d: ours and theirs, of which one keeps the file and the
// other deletes it. They are preceded by both if the content was moved to other files and the changes can be merged
// into these.
func (d *deletion) possibleAnswers() []merge.Take {
	if len(d.moveTargets) > 0 && d.unmergeableReason == "" {
		return []merge.Take{merge.TakeBoth, merge.TakeOurs, merge.TakeTheirs}
	}
	return []merge.Take{merge.TakeOurs, merge.TakeTheirs}
}

// jsonQuestion returns d as it is written for --json: the file, a conflict of the kind "deleted" with the whole files
// as its versions, a phrase such as "deleted by us, modified by them (spec.replicas)", and the possible answers. The
// caller adds the id and the names of the sides.
func (d *deletion) jsonQuestion() show.Question {
	return show.Question{File: d.relPath(), Conflict: show.Conflict{Conflict: d.mergeConflict(), Why: d.String()}, Answers: d.possibleAnswers()}
}

// isAnsweredWith reports false: after an answer the file is no longer unmerged, so that another run does not find it.
func (d *deletion) isAnsweredWith(merge.Answer) bool { return false }

// tryAnswer checks whether a can be carried out, and stores it in d.choice for save; nothing is written yet. It returns
// an error if a is not possible, or if the user edited a file that would be written or deleted. The caller must not
// call save then.
func (d *deletion) tryAnswer(a merge.Answer) error {
	if !slices.Contains(d.possibleAnswers(), a.Take) {
		return errors.New("invalid answer")
	}
	d.choice = a.Take
	return d.checkUnedited(a.Take)
}

// save carries out d.choice, which must be set, stages the result if Options.Stage is set, and prints the outcome, as
// in "web.yaml: kept and staged". If the user edited a file, or it cannot be written, save prints the error instead;
// all files are then as before, and d is still open (d.written is false).
func (d *deletion) save() {
	if err := d.apply(d.choice); err != nil {
		d.printStatus(err.Error())
	} else if d.staged {
		d.printStatus(d.outcome + " and staged")
	} else {
		d.printStatus(d.outcome + ", not staged")
	}
}

// checkUnedited returns an error if answer must not be carried out, because the user edited the file since git stopped.
// It reads the file again; a missing file is not edited. For merge.TakeBoth, it first checks the files to which the
// content was moved, and prepares them for writing.
func (d *deletion) checkUnedited(answer merge.Take) error {
	if answer == merge.TakeBoth {
		for i := range d.moveTargets {
			if err := d.moveTargets[i].readAndPrepare(); err != nil {
				return err
			}
		}
	}
	err := d.readWorkFile()
	if d.workInfo == nil && (err == nil || errors.Is(err, errDeleted)) {
		return nil // missing; err is nil with Options.Force
	}
	if err != nil {
		return err
	}
	blob, err := d.tree.Clean(d.Path, d.workContent)
	if err != nil {
		return err
	}
	// the kept version may have the line ends of the work tree (d.cleaned), or those that git stores now (blob)
	if !bytes.Equal(d.cleaned, d.keptContent) && !bytes.Equal(blob, d.keptContent) {
		name := terminal.QuoteForShell(d.relPath())
		return fmt.Errorf(`edited after git stopped; run "git add %s" or "git rm %s"`, name, name)
	}
	return nil
}

// apply carries out answer in the work tree and, if Options.Stage is set, stages it. Then it sets d.written, d.staged
// and d.outcome. After an error, such as that the user edited a file, all files are as before.
//
//	answer             the deleted file    files to which its content was moved
//	d.keepingSide      written             unchanged
//	d.deletingSide     removed             unchanged
//	merge.TakeBoth     removed             written, with the changes
func (d *deletion) apply(answer merge.Take) error {
	err := d.checkUnedited(answer)
	files := []*unmergedFile{d.unmergedFile}
	if answer != d.keepingSide {
		files = nil
	} else if err == nil {
		d.result = merge.Result{Bytes: d.keptContent}
		err = d.prepareWrite()
	}
	if answer == merge.TakeBoth {
		for _, x := range d.moveTargets {
			files = append(files, x.unmergedFile)
		}
	}
	if err != nil {
		return err
	}
	writeAll := func(lock *git.IndexLock) (undo []func(), err error) {
		if lock != nil && !lock.HasUnmerged(d.Unmerged) {
			return nil, errStagesChanged
		}
		for _, f := range files {
			undoFile, err := f.writePrepared()
			if undoFile != nil {
				undo = append(undo, undoFile)
			}
			if err != nil {
				return undo, err
			}
			if lock != nil {
				lock.Stage(f.Unmerged, f.stageAs)
			}
		}
		if answer != d.keepingSide {
			if lock != nil {
				lock.Stage(d.Unmerged, git.Stage{})
			}
			if d.workInfo != nil {
				undo = append(undo, func() { disk.WriteInRoot(d.root, d.Path, d.workContent, d.workInfo.Mode().Perm()) })
				return undo, d.removeFile(d.Path)
			}
		}
		return undo, nil
	}
	if d.Stage {
		err = d.withIndexLock(writeAll)
	} else {
		var undo []func()
		if undo, err = writeAll(nil); err != nil {
			for _, undoOne := range slices.Backward(undo) {
				undoOne()
			}
		}
	}
	if err != nil {
		return err
	}
	d.written, d.staged, d.outcome = true, d.Stage, "deleted"
	switch answer {
	case d.keepingSide:
		d.outcome = "kept"
	case merge.TakeBoth:
		d.outcome = "merged into " + d.targetPaths() + ", deleted"
	}
	return nil
}

// A moveTarget is a file that only the deleting side has, and to which documents of the deleted file were moved. The
// deleted file was split, or renamed and changed so much that git does not detect the rename. The field result is the
// content of the file with the changes that the other side made to the moved documents.
type moveTarget struct {
	*unmergedFile
	stagedContent      []byte // the content in the index
	baseDocs, keptDocs []byte // the moved documents, in the base and as the keeping side has them
}

// readAndPrepare reads the file in the work tree again, and prepares x.result for writing. It returns an error with the
// path if the file is missing or has unstaged changes. A file that has the content x.result already, which a run that
// was killed may have written, is no error.
func (x *moveTarget) readAndPrepare() error {
	if err := x.unmergedFile.readWorkFile(); err != nil {
		return fmt.Errorf("%s: %w", x.relPath(), err)
	}
	blob, err := x.tree.Clean(x.Path, x.workContent)
	if err != nil {
		return err
	}
	if !bytes.Equal(blob, x.stagedContent) && !bytes.Equal(blob, x.result.Bytes) { // x.result: of a run that was killed
		return fmt.Errorf(`%s has unstaged changes; run "git add %s" first`, x.relPath(), terminal.QuoteForShell(x.relPath()))
	}
	return x.prepareWrite()
}

// findAddedFiles returns the YAML files that the deleting side has and the keeping side lacks. Documents of the deleted
// file may have been moved to them; which ones is not known yet. It returns none if git does not record the commits of
// both sides, or if there are more than 500. The error is that of git.
func (d *deletion) findAddedFiles() (targets []moveTarget, err error) {
	const maxAddedFiles = 500 // comparing each document with each of the files takes time
	// after git stash pop and in git am, git does not record the commits of both sides
	stopped, ok := d.resolver.session.Situation([3]string{}).StoppedMerge()
	if !ok {
		return nil, nil
	}
	keepingCommit, deletingCommit := stopped.Ours, stopped.Theirs
	if d.versions.Ours == nil {
		keepingCommit, deletingCommit = deletingCommit, keepingCommit
	}
	paths, err := d.tree.Paths("diff-tree", "-r", "-z", "--name-only", "--no-renames", "--diff-filter=A", keepingCommit.String(), deletingCommit.String())
	if err != nil {
		return nil, err
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return !driver.IsYAMLPath(path) })
	if len(paths) == 0 || len(paths) > maxAddedFiles {
		return nil, nil
	}
	staged, err := d.tree.StagedEntries(paths)
	if err != nil {
		return nil, err
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return !staged[path].Mode.IsFile() })
	ids := make([]git.ID, len(paths))
	for i, path := range paths {
		ids[i] = staged[path].ID
	}
	contents, err := d.objects.Blobs(ids...)
	if err != nil {
		return nil, err
	}
	attributes, err := d.tree.Attributes(paths, "filter", "working-tree-encoding")
	if err != nil {
		return nil, err
	}
	for i, path := range paths {
		unmerged := git.Unmerged{Path: path, Ours: staged[path], Theirs: staged[path]}
		f := &unmergedFile{resolver: d.resolver, attributes: attributes[i], Unmerged: unmerged}
		targets = append(targets, moveTarget{unmergedFile: f, stagedContent: contents[i]})
	}
	return targets, nil
}

// mergeMovedDocuments finds the files to which the deleting side moved documents of the file, and merges the changes of
// the keeping side into them, in memory. A document counts as moved to the file that has the most of its lines, at
// least 67 percent. It appends the files to d.moveTargets, and sets d.unmergeableReason if a change cannot be merged.
// The error is that of git.
func (d *deletion) mergeMovedDocuments() error {
	const minContained = 67 // percent of a document's lines, rounded down, that a file must contain
	targets, err := d.findAddedFiles()
	if err != nil || len(targets) == 0 {
		return err
	}
	baseDocs, keptDocs := splitDocuments(d.versions.Base), splitDocuments(d.keptContent)
	if len(baseDocs) != len(keptDocs) { // the documents cannot be paired
		d.unmergeableReason = "the number of documents changed"
		keptDocs = baseDocs
	}
	for i, doc := range baseDocs {
		bestPercent, bestTarget := minContained-1, -1
		// a document was moved to the file that contains the most of its lines
		for j, target := range targets {
			if n := containedPercent(doc, target.stagedContent); n > bestPercent {
				bestPercent, bestTarget = n, j
			}
		}
		switch {
		case bestTarget >= 0:
			targets[bestTarget].baseDocs, targets[bestTarget].keptDocs = append(targets[bestTarget].baseDocs, doc...), append(targets[bestTarget].keptDocs, keptDocs[i]...)
		case !bytes.Equal(doc, keptDocs[i]):
			d.unmergeableReason = "a changed document was not moved"
		}
	}
	for _, target := range targets {
		if target.baseDocs == nil {
			continue
		}
		f := d.resolver.session.NewFile(target.Path, target.baseDocs, target.stagedContent, target.keptDocs)
		if d.versions.Theirs == nil {
			f.Ours, f.Theirs = target.keptDocs, target.stagedContent
		}
		target.result, err = driver.New(f, driver.Options{}).Run(false)
		switch {
		case err != nil: // the driver cannot merge the documents
			d.unmergeableReason = err.Error()
		case !target.result.Clean() && d.unmergeableReason == "":
			d.unmergeableReason = "conflict in " + target.relPath()
		}
		d.moveTargets = append(d.moveTargets, target)
	}
	return nil
}

// targetPaths returns the paths of d.moveTargets, relative to the current directory and separated by commas, as in
// "deploy.yaml, svc.yaml". It returns "" if there are none.
func (d *deletion) targetPaths() string {
	var names []string
	for _, x := range d.moveTargets {
		names = append(names, x.relPath())
	}
	return strings.Join(names, ", ")
}

// splitDocuments splits text before each line that starts with "---", except the first line. Joined, the parts are text
// again. The parts are not copied. The result is nil for an empty text.
func splitDocuments(text []byte) (documents [][]byte) {
	for len(text) > 0 {
		end := bytes.Index(text, []byte("\n---")) + 1
		if end == 0 {
			end = len(text)
		}
		documents, text = append(documents, text[:end]), text[end:]
	}
	return documents
}

// containedPercent returns the percentage of a document's lines that file contains, from 0 to 100, rounded down.
// Indentation, the order of lines, blank lines and "---" are ignored. A line that occurs several times must occur in
// file as often to count each time. A document without other lines has 0.
func containedPercent(document, file []byte) int {
	fileLines := map[string]int{}
	for line := range strings.Lines(string(file)) {
		fileLines[strings.TrimSpace(line)]++
	}
	total, contained := 0, 0
	for line := range strings.Lines(string(document)) {
		if line = strings.TrimSpace(line); line == "" || line == "---" {
			continue
		}
		if total++; fileLines[line] > 0 {
			fileLines[line]--
			contained++
		}
	}
	return 100 * contained / max(total, 1)
}
