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

// writeObject writes one line of JSON: the fields of object, with a field "type" before them that has the value kind.
// object must be a struct with at least one field in its JSON. It returns the first error of j, which it sets, and
// writes nothing after it.
//
//	writeObject("question", struct{ A int }{1})    {"type":"question","A":1}
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

// An outcomeObject is the result of git's line merge, or of the merge driver, for one file: whether it is clean, and
// the numbers of conflicts and lines.
type outcomeObject struct {
	Clean bool `json:"clean"`
	history.Outcome
}

// sideChanges are the changes of each side from the base.
type sideChanges struct {
	Ours   []merge.Change `json:"ours"`
	Theirs []merge.Change `json:"theirs"`
}

// changedComments are the lines with comments that only one of two versions has.
type changedComments struct {
	Removed []merge.Version `json:"removed,omitempty"`
	Added   []merge.Version `json:"added,omitempty"`
}

// sideComments are the changed comments of each side; nil if a side changed none.
type sideComments struct {
	Ours   *changedComments `json:"ours,omitempty"`
	Theirs *changedComments `json:"theirs,omitempty"`
}

// A caseObject is a merged file in JSON: an object of the type "file". docs/merges.schema.json describes its fields.
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
	Comments  sideComments         `json:"comments,omitzero"`
}

// newCaseObject returns the JSON object of the type "file" for c, a file that was merged. The field Changes is left
// nil. Fields about the merge commit are empty if c does not belong to a commit.
func newCaseObject(c *history.Case) caseObject {
	f := caseObject{
		Type: "file", Number: c.Number, Path: c.Path, Rules: c.File.RuleSet, Reason: c.Result.Reason,
		Git: outcomeObject{c.Git.Clean(), c.Git}, Driver: outcomeObject{c.Driver.Clean(), c.Driver},
		// the lists are empty and not nil, for [] in JSON
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

// WriteCase writes a merged file as a line of JSON, an object of the type "file": its path, the results of git's line
// merge and of the merge driver, and the conflicts. The changes of the sides are not included. It returns the first
// error of j.
func (j *JSON) WriteCase(c *history.Case) error { return j.writeCaseObject(newCaseObject(c)) }

// writeCaseObject writes f, which has a field for its type "file" already, as a line of JSON. It returns the first
// error of j, which it sets, and writes nothing after it.
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

// commentsOrNil returns the comments that differ between before and version. It returns nil if there are none, or if
// they are unknown because a version is missing or not YAML.
func commentsOrNil(before, version []byte) *changedComments {
	removed, added, err := merge.ChangedComments(before, version)
	if before == nil || version == nil || err != nil || len(removed)+len(added) == 0 {
		return nil
	}
	return &changedComments{removed, added}
}

// WriteExplained writes the files of one merge, a line of JSON each. First are the files that one side deleted, of the
// type "deleted"; other path conflicts are not written. Then come the merged files, of the type "file", with the
// changes of each side, or none if the versions are not YAML. It returns the first error of j.
func (j *JSON) WriteExplained(e history.Explanation) error {
	for _, n := range e.PathConflicts {
		if n.File != nil {
			_ = j.writeDeletion("", n)
		}
	}
	for _, c := range e.Cases {
		f := newCaseObject(c)
		f.Changes = &sideChanges{changesOrEmpty(c.File, c.File.Ours), changesOrEmpty(c.File, c.File.Theirs)}
		f.Comments = sideComments{commentsOrNil(c.File.Base, c.File.Ours), commentsOrNil(c.File.Base, c.File.Theirs)}
		_ = j.writeCaseObject(f)
	}
	return j.Err
}

// WriteSummary writes the totals of a replay as a line of JSON of the type "summary": the seconds that it took, as in
// 0.25, and the counts of s that have a JSON name. The caller writes it as the last line. It returns the first error of
// j.
func (j *JSON) WriteSummary(s history.Summary) error {
	return j.writeObject("summary", struct {
		Seconds float64 `json:"seconds"`
		history.Summary
	}{s.Time.Round(time.Microsecond).Seconds(), s})
}

// WriteChecked writes the result of a check, of one file or of an unused commit trailer, as lines of JSON. Each finding
// is a line of the type "finding"; other types are for what is not a finding, such as a modify/delete conflict. A
// result with nothing to report, and a file that was not checked, give no line. It returns the first error of j.
func (j *JSON) WriteChecked(c history.CheckResult) error {
	if c.Deletion != nil {
		return j.writeDeletion(c.Merge, *c.Deletion)
	}
	if c.Unused != nil {
		return j.writeObject("trailer", struct {
			Commit  git.ID `json:"commit"`
			Text    string `json:"text"`
			Problem string `json:"problem"`
		}{c.Merge, c.Unused.Text, c.Unused.Problem})
	}
	// the findings follow this line
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
			Accepted string `json:"accepted,omitempty"`
		}{c.Merge, c.Path, f, c.Accepted})
	}
	return j.Err
}

// writeDeletion writes a line of JSON of the type "deleted" about n, a file that one side deleted and the other side
// changed, with the changes. If commit is not "", it is the merge commit, and the line says whether it has the file.
// n.File must not be nil. It returns the first error of j.
func (j *JSON) writeDeletion(commit git.ID, n history.PathConflict) error {
	by, _, kept := deletionSides(*n.File)
	result := ""
	if commit != "" {
		result = deletionResult(n)
	}
	return j.writeObject("deleted", struct {
		Commit   git.ID           `json:"commit,omitempty"`
		Path     string           `json:"path"`
		By       string           `json:"by"`
		Outcome  string           `json:"stood,omitempty"`
		Changes  []merge.Change   `json:"changes"`
		Comments *changedComments `json:"comments,omitempty"`
	}{commit, n.Path, by, result, changesOrEmpty(*n.File, kept), commentsOrNil(n.File.Base, kept)})
}

// WriteDifference writes a line of JSON of the type "diff" about f.Base and f.Theirs, the old and the new version of a
// file. name is the name of the file in it. The field "how" is the result of classifyDifference; the field "changes" is
// an empty list unless it is "fields". It returns the first error of j.
func (j *JSON) WriteDifference(name string, f session.File) error {
	how, all := classifyDifference(f)
	return j.writeObject("diff", struct {
		File     string           `json:"file"`
		How      string           `json:"how"`
		Changes  []merge.Change   `json:"changes"`
		Comments *changedComments `json:"comments,omitempty"`
	}{name, how, append([]merge.Change{}, all...), commentsOrNil(f.Base, f.Theirs)})
}

// WritePreview writes a line of JSON of the type "branch" for each branch of a preview. It has the state of the merge,
// the conflicts about names in "names" and, if the branch is in conflict, the files in "files". It returns the first
// error of j.
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

// A Question is a conflict that the command resolve leaves to a program to decide. The program answers with one of
// Answers, by the ID.
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

// WriteQuestion writes a conflict that a program is to decide as a line of JSON of the type "question". It returns the
// first error of j.
func (j *JSON) WriteQuestion(q Question) error { return j.writeObject("question", q) }

// WriteRefused writes a line of JSON of the type "refused" about an answer that cannot be used. id is the one in the
// answer, and why is the reason. file and path are where the conflict is, or "" if no open conflict has this id. It
// returns the first error of j.
func (j *JSON) WriteRefused(id, file, path, why string) error {
	return j.writeObject("refused", struct {
		ID   string `json:"id"`
		File string `json:"file,omitempty"`
		Path string `json:"path,omitempty"`
		Why  string `json:"why"`
	}{id, file, path, why})
}
