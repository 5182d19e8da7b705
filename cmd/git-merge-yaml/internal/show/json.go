package show

import (
	"cmp"
	"fmt"
	"io"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A JSON writes one object a line to W, as specified in docs/merges.schema.json. After an error it writes nothing more,
// and every method returns that error.
type JSON struct {
	W   io.Writer
	Err error // the first error
}

// writeObject writes an object with the field type first. kind is the value of type. object must have at least one
// field.
func (j *JSON) writeObject(kind string, object any) error {
	text, err := terminal.EncodeJSON(object)
	if j.Err = cmp.Or(j.Err, err); j.Err == nil {
		_, j.Err = fmt.Fprintf(j.W, `{"type":%q,%s`, kind, text[1:])
	}
	return j.Err
}

// A Conflict is a conflict with its reason.
type Conflict struct {
	merge.Conflict
	Why string `json:"why,omitempty"`
}

// An outcomeObject is the outcome of a merge by git or by the driver.
type outcomeObject struct {
	Clean bool `json:"clean"`
	history.Outcome
}

// sideChanges are the changes of each side from the base.
type sideChanges struct {
	Ours   []merge.Change `json:"ours"`
	Theirs []merge.Change `json:"theirs"`
}

// A caseObject is a merged file in JSON.
type caseObject struct {
	Type      string               `json:"type"`
	Number    int                  `json:"number,omitempty"`
	Merge     git.ID               `json:"merge,omitempty"`
	Time      time.Time            `json:"time,omitzero"`
	Parents   []git.ID             `json:"parents,omitempty"`
	Bases     []git.ID             `json:"bases,omitempty"`
	Path      string               `json:"path"`
	How       string               `json:"how,omitempty"`
	Rules     string               `json:"rules,omitempty"`
	Reason    string               `json:"reason,omitempty"`
	Git       outcomeObject        `json:"git"`
	Driver    outcomeObject        `json:"driver"`
	Decided   []Conflict           `json:"decided"`
	Combined  []merge.Combination  `json:"combined,omitempty"`
	Guessed   []merge.GuessedOrder `json:"guessed_orders,omitempty"`
	Conflicts []Conflict           `json:"conflicts"`
	Review    history.Review       `json:"review,omitzero"`
	Generated string               `json:"generated,omitempty"`
	Changes   *sideChanges         `json:"changes,omitempty"`
}

// newCaseObject returns the object for c, without Changes. The fields about a merge commit are empty if c does not
// belong to one.
func newCaseObject(c *history.Case) caseObject {
	f := caseObject{
		Type: "file", Number: c.Number, Path: c.Path, Rules: c.File.RuleSet, Reason: c.Result.Reason,
		Git: outcomeObject{c.Git.Clean(), c.Git}, Driver: outcomeObject{c.Driver.Clean(), c.Driver},
		Decided: []Conflict{}, Combined: c.Result.Combined, Guessed: c.Result.GuessedOrders, Conflicts: []Conflict{}, Review: c.Review, Generated: c.Generated,
	}
	for _, x := range c.Result.Resolved {
		f.Decided = append(f.Decided, Conflict{Conflict: x})
	}
	for _, x := range conflictsWithTexts(c) {
		f.Conflicts = append(f.Conflicts, Conflict{x, conflictReason(c, x)})
	}
	if c.Driver.Failed == "" {
		f.How = string(c.Result.Method)
	}
	if c.Merge != "" {
		f.Merge, f.Time, f.Parents, f.Bases = c.Merge, c.Time.UTC(), c.Parents[:], c.Bases
	}
	return f
}

// WriteCase writes an object for c, without the changes of the sides.
func (j *JSON) WriteCase(c *history.Case) error { return j.writeCaseObject(newCaseObject(c)) }

// writeCaseObject writes an object of the type "file".
func (j *JSON) writeCaseObject(f caseObject) error {
	text, err := terminal.EncodeJSON(f)
	if j.Err = cmp.Or(j.Err, err); j.Err == nil {
		_, j.Err = j.W.Write(text)
	}
	return j.Err
}

// changesOrEmpty returns the changes from the base of f to version. It returns an empty slice, and not nil, if there
// are none or if they are unknown because a version is not YAML.
func changesOrEmpty(f session.File, version []byte) []merge.Change {
	all, _ := f.Changes(version)
	return append([]merge.Change{}, all...)
}

// WriteExplained writes the files of a merge with the changes of each side. Files that one side deleted are written
// first.
func (j *JSON) WriteExplained(e history.Explanation) error {
	for _, n := range e.PathConflicts {
		if n.File != nil {
			_ = j.WriteDeletion("", n)
		}
	}
	for _, c := range e.Cases {
		f := newCaseObject(c)
		f.Changes = &sideChanges{changesOrEmpty(c.File, c.File.Ours), changesOrEmpty(c.File, c.File.Theirs)}
		_ = j.writeCaseObject(f)
	}
	return j.Err
}

// WriteSummary writes the totals of a replay, which are its last object.
func (j *JSON) WriteSummary(s history.Summary) error {
	return j.writeObject("summary", struct {
		Seconds float64 `json:"seconds"`
		history.Summary
	}{s.Time.Round(time.Microsecond).Seconds(), s})
}

// WriteChecked writes the results of a check in one file: an object for each finding, before them an object of the type
// "without" if the file was merged without the driver. If one side deleted the file, it writes only an object about the
// deletion.
func (j *JSON) WriteChecked(c history.CheckResult) error {
	if c.Deletion != nil {
		return j.WriteDeletion(c.Merge, *c.Deletion)
	}
	if c.WithoutDriver {
		_ = j.writeObject("without", struct {
			Commit git.ID `json:"commit"`
			Path   string `json:"path"`
		}{c.Merge, c.Path})
	}
	for _, f := range c.Findings {
		_ = j.writeObject("finding", struct {
			Commit git.ID `json:"commit,omitempty"`
			File   string `json:"file"`
			merge.Finding
		}{c.Merge, c.Path, f})
	}
	return j.Err
}

// WriteDeletion writes an object about a file that one side deleted and the other side changed. commit is the merge
// commit; if it is not "", the object contains whether the file is deleted or kept in that commit. n.File must not be
// nil.
func (j *JSON) WriteDeletion(commit git.ID, n history.PathConflict) error {
	by, _, kept := deletionSides(*n.File)
	result := ""
	if commit != "" {
		result = deletionResult(n)
	}
	return j.writeObject("deleted", struct {
		Commit  git.ID         `json:"commit,omitempty"`
		Path    string         `json:"path"`
		By      string         `json:"by"`
		Stood   string         `json:"stood,omitempty"`
		Changes []merge.Change `json:"changes"`
	}{commit, n.Path, by, result, changesOrEmpty(*n.File, kept)})
}

// WriteDifference writes an object with the difference between base and theirs of f, in the words of
// classifyDifference. It contains only changes of fields, and no line diffs.
func (j *JSON) WriteDifference(name string, f session.File) error {
	how, all := classifyDifference(f)
	return j.writeObject("diff", struct {
		File    string         `json:"file"`
		How     string         `json:"how"`
		Changes []merge.Change `json:"changes"`
	}{name, how, append([]merge.Change{}, all...)})
}

// WritePreview writes an object for each branch. Files are included only if the branch is in conflict, and only the
// files with conflicts.
func (j *JSON) WritePreview(branches []*history.Branch) error {
	for _, b := range branches {
		var files []caseObject
		for _, c := range b.Cases {
			if b.State == history.StateConflict && !c.Driver.Clean() {
				files = append(files, newCaseObject(c))
			}
		}
		_ = j.writeObject("branch", struct {
			history.Branch
			Names []branchConflict `json:"names,omitempty"`
			Files []caseObject     `json:"files,omitempty"`
		}{*b, listPathConflicts(b), files})
	}
	return j.Err
}

// A Question is a conflict that resolve asks a program to decide.
type Question struct {
	ID   string `json:"id"`
	File string `json:"file"`
	Conflict
	Before     []string     `json:"before,omitempty"` // the lines before and after the conflict
	After      []string     `json:"after,omitempty"`
	Answers    []merge.Take `json:"answers"`
	Sides      SideNames    `json:"sides"`
	Unverified string       `json:"unverified,omitempty"` // the reason why answers are not verified; "" if they are
}

// SideNames describe the commits of ours and theirs to the user.
type SideNames struct {
	Ours   string `json:"ours"`
	Theirs string `json:"theirs"`
}

// WriteQuestion writes an object of the type "question".
func (j *JSON) WriteQuestion(q Question) error { return j.writeObject("question", q) }

// WriteRefused writes an object about an answer that was refused. id is the question's id in the answer, why the
// reason. file and path are "" if there is no open question with this id.
func (j *JSON) WriteRefused(id, file, path, why string) error {
	return j.writeObject("refused", struct {
		ID   string `json:"id"`
		File string `json:"file,omitempty"`
		Path string `json:"path,omitempty"`
		Why  string `json:"why"`
	}{id, file, path, why})
}
