// Package resolve implements the command git merge-yaml resolve. After a merge, rebase, cherry-pick, revert, git am or
// git stash pop has stopped with conflicts, Run merges the unmerged YAML files again, by field, from the versions in
// git's index. It writes the results to the work tree and stages the files that have no conflicts left. The conflicts
// that remain are left between markers, are answered by the user at the terminal, or are answered by a program.
//
// For example, git stops at these two lines, because the sides changed adjacent lines:
//
//	base             ours             theirs
//	image: web:1     image: web:2     image: web:1
//	replicas: 1      replicas: 1      replicas: 3
//
// Run merges the two fields separately. It writes the result, stages the file, and prints "web.yaml: resolved":
//
//	image: web:2
//	replicas: 3
//
// The main types are unmergedFile, which is merged, written and staged; conflict, which is a conflict in such a file;
// and deletion, which is a file that one side deleted and the other side changed. Conflicts and deletions are
// decisions: each can be answered.
//
// The package does not run as git's merge driver (see package driver), does not commit, and does not continue the
// stopped operation. It keeps no state of its own between runs: the index lists the unmerged files, and the files
// themselves contain the answers given so far.
//
// Terms:
//
//	open             a decision without an answer
//	stages           the versions of an unmerged file in git's index: base, ours and theirs
//	resolution       the merge of a file in which conflicts can be answered; nil if none can be
//	edited           the user has changed the file since git stopped
//	prepared         the content of a file to be written, and its entry for the index, are known
//	skipped          the file is left unchanged for a reason (skipReason), which is printed
//	generated        a rule of the team says that a program writes the file, so that its conflicts are not asked about
//	save             write the file with the answers given so far, and stage it if nothing is left to decide
//	deleting side    the side that deleted the file of a deletion; the keeping side changed it
//	target           a file to which the deleting side moved documents of the deleted file
package resolve

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/disk"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/show"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Options are the streams, the input and the choices of the user for Run.
type Options struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Colours        bool // use colours on Stdout
	AcceptAnswers  bool // let the conflicts that remain be answered; required for JSON and Answers
	Force          bool // merge files again that were edited or deleted after git stopped, and discard the edits
	Stage          bool // stage the files that have no conflicts left
	// If JSON or Answers is set, the user is not prompted at the terminal. Answers are applied first, by the ids of the decisions (see
	// ReadAnswers). If one is refused, none is saved unless Partial is set. JSON then receives the decisions that are
	// still open, and the refused answers.
	JSON    *show.JSON
	Answers map[string]merge.Answer
	Partial bool
	// Resolve is "ours" or "theirs" to decide all conflicts that remain for that side, or "" to leave them.
	Resolve string
	Markers bool // take the versions from the conflict markers in the files, not from the index
	// LineMerge writes git's own line merge of the files that are named. It requires Stage, and ignores the other options
	// but Force.
	LineMerge bool
}

// A resolver is the state of one call of Run.
type resolver struct {
	Options
	session     *session.Session
	headSession *session.Session // like session, with the rules of HEAD, which git used when it ran the driver
	tree        *git.WorkTree
	root        *os.Root // the top of the work tree; files are only read and written beneath it
	objects     *git.Objects
	files       []*unmergedFile
	deletions   []*deletion
	unresolved  bool // a file, a deletion or an answer is not resolved
	adviceShown bool // a preset that the team has not adopted was suggested

	rulesErrorShown bool // the reason that the team's rules cannot be used was printed

	asker     *terminal.Asker
	conflicts []*conflict // of all files, answered ones too
	current   int         // index in conflicts of the next conflict to prompt for
	undoSteps []undoStep  // the actions of the user that undo can revert, the oldest first
	situation *situation.Situation
}

// printLine prints a line to r.Stdout.
func (r *resolver) printLine(format string, args ...any) {
	terminal.PrintLine(r.Stdout, format, args...)
}

// Run resolves unmerged YAML files after git has stopped with conflicts. It merges the files that match pathspecs, or
// all without pathspecs, by field from the versions in the index, writes them, and stages those without conflicts.
// allResolved is false if something is left: a conflict, a refused answer, a skipped file, or one that was not staged
// as o.Stage demands. err is a failure of the whole run; quitting is none.
func Run(s *session.Session, pathspecs []string, o Options) (allResolved bool, err error) {
	tree, err := s.WorkTree()
	var marked []string
	if !o.LineMerge {
		// files with conflict markers that are not unmerged in the index are merged by their markers
		marked, pathspecs = markedFiles(tree, pathspecs)
	}
	r := &resolver{Options: o, session: s}
	for _, name := range marked {
		r.resolveMarkedFile(name)
	}
	if len(marked) > 0 && len(pathspecs) == 0 {
		return !r.unresolved, nil
	}
	if err != nil {
		return false, err
	}
	r = &resolver{unresolved: r.unresolved, Options: o, session: s, headSession: s.WithRulesOf("HEAD"), tree: tree, objects: tree.Objects()}
	defer r.objects.Close()
	if r.root, err = os.OpenRoot(tree.Top); err != nil {
		return false, err
	}
	defer r.root.Close()
	disk.RemoveStaleTemps(tree.DiskPath(".git"))
	if err := r.findUnmerged(pathspecs); err != nil {
		return false, err
	}
	for _, f := range r.files { // without a folder .git, as in a linked work tree, the temporary files are beside the file
		disk.RemoveStaleTemps(filepath.Dir(tree.DiskPath(f.Path)))
	}
	if r.LineMerge {
		err := r.runLineMerge(pathspecs)
		return !r.unresolved, err
	}
	if len(r.files) == 0 && len(r.Answers) == 0 {
		if !r.unresolved {
			r.printLine("nothing to resolve: no unmerged YAML files")
		}
		return !r.unresolved, nil
	}
	r.extractDeletions()
	if err := r.mergeFiles(); err != nil {
		return false, err
	}
	if notice := s.UncommittedRulesNotice(); notice != "" {
		terminal.PrintLine(r.Stderr, "%s", notice)
	}
	switch {
	case r.JSON != nil || r.Answers != nil:
		err = r.runBatch()
	case r.AcceptAnswers:
		err = r.runInteractive()
	}
	for _, d := range r.deletions {
		if !d.written {
			r.unresolved = true
			d.printStatus(d.String() + `; run "git merge-yaml resolve -i"`)
		}
	}
	for _, f := range r.files {
		if !f.staged {
			f.reportOutcome()
		}
	}
	if r.asker != nil && !r.unresolved && err == nil {
		err = r.printNextCommand()
	}
	return !r.unresolved, err
}

// mergeFiles merges r.files, and writes and stages them. It reports those that are complete, skipped or left to the
// program that generates them, and removes them from r.files, so that only files with conflicts to answer are left. The
// error is that of writeAndStage.
func (r *resolver) mergeFiles() error {
	for _, f := range r.files {
		if f.skipReason == "" {
			if err := f.merge(); err != nil {
				f.skipReason = err.Error() // the other files are still merged
			}
		}
	}
	if err := r.writeAndStage(r.files...); err != nil {
		return err
	}
	reportedRules := map[string]bool{} // by Generated.Source
	r.files = slices.DeleteFunc(r.files, func(f *unmergedFile) bool {
		switch leftToGenerator := f.skipReason == "" && session.NeedsRegeneration(f.result); {
		case leftToGenerator && reportedRules[f.generatedRule.Source]:
		case leftToGenerator:
			r.unresolved, reportedRules[f.generatedRule.Source] = true, true
			r.printLine("%s", driver.GeneratedMessage(f.relPath(), f.generatedRule))
		case f.resolution != nil && f.skipReason == "":
			return false
		default:
			f.reportOutcome()
		}
		return true
	})
	return nil
}

// findUnmerged appends the unmerged files that match pathspecs, or all if there are none, to r.files, in the order of
// the index. It leaves out files that are not YAML, unless their attribute merge names a driver of this program or a
// pathspec is their exact path. It returns an error if a pathspec matches nothing in the index.
func (r *resolver) findUnmerged(pathspecs []string) error {
	unmerged, err := r.tree.Unmerged(pathspecs)
	if err != nil || len(unmerged) == 0 {
		return err
	}
	paths := make([]string, len(unmerged))
	for i, u := range unmerged {
		paths[i] = u.Path
	}
	attributes, err := r.session.Attributes(paths, "merge", "conflict-marker-size")
	conversions, err2 := r.tree.Attributes(paths, "filter", "working-tree-encoding") // git applied them when it wrote the files
	if err := cmp.Or(err, err2); err != nil {
		return err
	}
	for i, u := range unmerged {
		maps.Copy(attributes[i], conversions[i])
		named := slices.ContainsFunc(pathspecs, func(spec string) bool {
			if filepath.IsAbs(spec) {
				return filepath.Clean(spec) == r.tree.DiskPath(u.Path)
			}
			return path.Join(r.tree.Prefix, filepath.ToSlash(spec)) == u.Path
		})
		if _, isOurDriver := driver.RuleSetForAttribute(attributes[i]["merge"]); isOurDriver || named || driver.IsYAMLPath(u.Path) {
			r.files = append(r.files, &unmergedFile{Unmerged: u, resolver: r, attributes: attributes[i], namedByUser: named})
		}
	}
	return nil
}

// relPath returns the path of f relative to the current directory, as git status prints it.
func (f *unmergedFile) relPath() string { return f.tree.Rel(f.Path) }

// printStatus prints a line that consists of the path of f and text.
func (f *unmergedFile) printStatus(text string) { f.resolver.printLine("%s: %s", f.relPath(), text) }

// reportOutcome prints to r.Stdout how f ended, and the messages about its merge to r.Stderr. It sets r.unresolved if f
// is skipped, has conflicts left, or is not staged although r.Stage is set. Once per run, it suggests a preset that
// would decide a conflict.
//
//	web.yaml: skipped: not valid YAML
//	web.yaml: resolved, not staged
//	web.yaml: 2 conflicts left
func (f *unmergedFile) reportOutcome() {
	r := f.resolver
	switch {
	case f.skipReason != "":
		r.unresolved = true
		reason := f.skipReason
		if strings.Contains(strings.ToLower(reason), "no space left on device") { // in an error of git or of the system
			reason += fmt.Sprintf("; the file is unchanged; free disk space, then run %q", "git merge-yaml resolve "+terminal.QuoteForShell(f.relPath()))
		}
		f.printStatus("skipped: " + reason)
		return
	case f.staged:
		f.printStatus("resolved")
	case f.isClean() && f.editedByUser && r.Stage:
		r.unresolved = true
		f.printStatus(fmt.Sprintf(`resolved, not staged; run "git add %s"`, terminal.QuoteForShell(f.relPath())))
	case f.isClean():
		r.unresolved = r.unresolved || r.Stage
		f.printStatus("resolved, not staged")
	default:
		r.unresolved = true
		f.printStatus(terminal.CountNoun(len(f.result.Conflicts), "conflict") + " left")
	}
	reported := f.result
	reported.LineConflicts = 0 // stdout already contains the number of conflicts
	if f.resolution != nil {
		reported.Conflicts = nil // already shown to the user or written as JSON
	}
	if err := r.session.FirstRulesError(); err != nil && reported.Reason == err.Error() { // the same for all files
		if r.rulesErrorShown {
			reported.Reason = ""
		}
		r.rulesErrorShown = true
	}
	lines := f.newMerger("").Messages(f.relPath(), reported)
	if !r.adviceShown {
		if a, ok := f.newMerger("").Advice(reported.Conflicts); ok {
			r.adviceShown = true
			lines = append(lines, driver.AdviceMessage(f.relPath(), a))
		}
	}
	for _, line := range lines {
		terminal.PrintLine(r.Stderr, "%s", line)
	}
}
