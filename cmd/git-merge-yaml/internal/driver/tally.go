package driver

import (
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A tally counts the files that git has merged with the driver so far in its current operation. It is kept in a note in
// git's directory between the processes of the files.
type tally struct {
	Files     int // that the driver merged, also those that git merges clean
	Merged    int // without conflicts, of those that are in conflict or wrong with git
	Conflicts int // left in conflict, of those about which resolve -i asks questions
	Expected  int // all files that git will merge with the driver, -1 if that is not known
	first     string
}

// maxExpected is the largest number of files for which their last one is recognized. It takes time to read their paths.
const maxExpected = 5000

// summarize replaces a message for each merged file by one message for all files of git's operation. It counts the file
// with the result res in the tally, and returns the lines to print now. line is the message that this file was merged
// by field, or "".
//
//	git has not locked the index         line; nothing is counted
//	the number of files is not known     line of the first merged file, and a hint at the first conflict
//	this is the last file                the message about all files, or the line or hint of the only one to report
//	any other file                       nothing
func (m *Merger) summarize(res merge.Result, line string) (lines []string) {
	current := m.situation()
	if m.Path == "" || !current.IsIndexLocked() {
		return slices.DeleteFunc([]string{line}, func(s string) bool { return s == "" })
	}
	var t tally
	merged := res.ImprovesLineMerge()
	isLeft := !res.Clean() && m.asksQuestions(res)
	session.UpdateNote(current, "tally", func(text string) string {
		var quoted string
		if n, _ := fmt.Sscanf(text, "%d %d %d %d %q", &t.Files, &t.Merged, &t.Conflicts, &t.Expected, &quoted); n < 5 {
			t = tally{Expected: m.countExpected(current)}
		}
		t.first = quoted
		t.Files++
		if merged {
			t.Merged++
		}
		if isLeft {
			t.Conflicts++
		}
		if t.first == "" {
			t.first = line
		}
		return fmt.Sprintf("%d %d %d %d %q", t.Files, t.Merged, t.Conflicts, t.Expected, t.first)
	})
	hint := `hint: run "git merge-yaml resolve -i" to resolve the conflicts one by one`
	switch {
	// the last file cannot be recognized: the first file and the first conflict are reported
	case t.Expected < 0 && line != "" && t.Merged == 1:
		return []string{line}
	case t.Expected < 0 && isLeft && t.Conflicts == 1:
		return []string{hint}
	case t.Expected < 0 || t.Files != max(t.Expected, 1):
		return nil
	// this is the last file; if only one is to be reported, its own line or hint is more precise
	case t.Merged+t.Conflicts > 1:
		return []string{t.String()}
	case t.Conflicts == 1:
		return []string{hint}
	case t.first != "":
		return []string{t.first}
	}
	return nil
}

// asksQuestions reports whether "resolve -i" has questions about the conflicts of res, the result of m. It has none about
// a file that a program generates, that SOPS encrypted, or that git does not merge by lines, such as a binary file: the
// messages about these files say what to do instead.
func (m *Merger) asksQuestions(res merge.Result) bool {
	isEncrypted := func(c merge.Conflict) bool { return c.Kind == merge.ConflictEncrypted }
	return !session.NeedsRegeneration(res) && !slices.ContainsFunc(res.Conflicts, isEncrypted) && !IsBinaryOrTooLarge(m.Base, m.Ours, m.Theirs)
}

// String returns the summary of an operation, with the command that lists the files or resolves the conflicts:
//
//	21 files merged by field (git merge-yaml explain)
//	21 files merged by field, 2 left in conflict: git merge-yaml resolve -i
//	2 files left in conflict: git merge-yaml resolve -i
func (t tally) String() string {
	files := terminal.CountNoun(t.Merged, "file") + " merged by field"
	switch {
	case t.Conflicts == 0:
		return files + " (git merge-yaml explain)"
	case t.Merged == 0:
		return terminal.CountNoun(t.Conflicts, "file") + " left in conflict: git merge-yaml resolve -i"
	}
	return fmt.Sprintf("%s, %d left in conflict: git merge-yaml resolve -i", files, t.Conflicts)
}

// countExpected returns how many files git merges with a driver of this program in its current operation: those that
// both sides changed differently, and whose attribute merge names such a driver. It returns -1 if that is not known:
//
//   - the commits are not known, or git fails
//   - both sides changed more than maxExpected files
//   - the file of m is not among them, as after a rename
func (m *Merger) countExpected(current *situation.Situation) int {
	running, ok := current.RunningMerge(m.SituationFile())
	if !ok {
		return -1
	}
	paths, err := m.Git.ChangedByBoth(running)
	if err != nil {
		return -1
	}
	switch {
	case len(paths) > maxExpected || !slices.Contains(paths, m.Path):
		return -1
	case len(paths) == 1: // this file, for which git runs this program
		return 1
	}
	attributes, err := m.Git.Attributes(paths, "merge")
	if err != nil {
		return -1
	}
	n := 0
	for _, a := range attributes {
		if _, isOurDriver := RuleSetForAttribute(a["merge"]); isOurDriver {
			n++
		}
	}
	return n
}
