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

// A JSON writes one object per line, as docs/merges.schema.json says. After an error it writes no more,
// and every method returns it.
type JSON struct {
	W   io.Writer
	Err error // the first one
}

// write writes an object, with its type first.
func (j *JSON) write(kind string, object any) error {
	text, err := terminal.EncodeJSON(object)
	if j.Err = cmp.Or(j.Err, err); j.Err == nil {
		_, j.Err = fmt.Fprintf(j.W, `{"type":%q,%s`, kind, text[1:])
	}
	return j.Err
}

// A Conflict is one with why it stands.
type Conflict struct {
	merge.Conflict
	Why string `json:"why,omitempty"`
}

// outcome is what one engine leaves.
type outcome struct {
	Clean bool `json:"clean"`
	history.Outcome
}

// sides are what each of them changed.
type sides struct {
	Ours   []merge.Change `json:"ours"`
	Theirs []merge.Change `json:"theirs"`
}

// file is a case as programs read it.
type file struct {
	Type      string              `json:"type"`
	Number    int                 `json:"number,omitempty"`
	Merge     git.ID              `json:"merge,omitempty"`
	Time      time.Time           `json:"time,omitzero"`
	Parents   []git.ID            `json:"parents,omitempty"`
	Bases     []git.ID            `json:"bases,omitempty"`
	Path      string              `json:"path"`
	How       string              `json:"how,omitempty"`
	Rules     string              `json:"rules,omitempty"`
	Reason    string              `json:"reason,omitempty"`
	Git       outcome             `json:"git"`
	Driver    outcome             `json:"driver"`
	Decided   []Conflict          `json:"decided"`
	Combined  []merge.Combination `json:"combined,omitempty"`
	Conflicts []Conflict          `json:"conflicts"`
	Review    history.Review      `json:"review,omitzero"`
	Generated string              `json:"generated,omitempty"`
	Changes   *sides              `json:"changes,omitempty"`
}

// methods are the names of merge.Method.
var methods = [...]string{merge.Trivial: "trivial", merge.ByLine: "line", merge.Structural: "field", merge.Delegated: "delegated"}

func fileOf(c *history.Case) file {
	f := file{
		Type: "file", Number: c.Number, Path: c.Path, Rules: c.File.RuleSet, Reason: c.Result.Reason,
		Git: outcome{c.Git.Clean(), c.Git}, Driver: outcome{c.Driver.Clean(), c.Driver},
		Decided: []Conflict{}, Combined: c.Result.Combined, Conflicts: []Conflict{}, Review: c.Review, Generated: c.Generated,
	}
	for _, x := range c.Result.Resolved {
		f.Decided = append(f.Decided, Conflict{Conflict: x})
	}
	for _, x := range conflicts(c) {
		f.Conflicts = append(f.Conflicts, Conflict{x, why(c, x)})
	}
	if c.Driver.Failed == "" {
		f.How = methods[c.Result.Method]
	}
	if c.Merge != "" {
		f.Merge, f.Time, f.Parents, f.Bases = c.Merge, c.Time.UTC(), c.Parents[:], c.Bases
	}
	return f
}

// Case writes the object of c.
func (j *JSON) Case(c *history.Case) error { return j.file(fileOf(c)) }

func (j *JSON) file(f file) error {
	text, err := terminal.EncodeJSON(f)
	if j.Err = cmp.Or(j.Err, err); j.Err == nil {
		_, j.Err = j.W.Write(text)
	}
	return j.Err
}

// changesOf are what a version of f changed, none also where that is not known.
func changesOf(f session.File, version []byte) []merge.Change {
	all, _ := f.Changes(version)
	return append([]merge.Change{}, all...)
}

// Explained writes the files of a merge with what each side changed, first those that one side deleted.
func (j *JSON) Explained(e history.Explanation) error {
	for _, n := range e.PathConflicts {
		if n.File != nil {
			_ = j.Deleted("", n)
		}
	}
	for _, c := range e.Cases {
		f := fileOf(c)
		f.Changes = &sides{changesOf(c.File, c.File.Ours), changesOf(c.File, c.File.Theirs)}
		_ = j.file(f)
	}
	return j.Err
}

// Summary writes the last object.
func (j *JSON) Summary(s history.Summary) error {
	return j.write("summary", struct {
		Seconds float64 `json:"seconds"`
		history.Summary
	}{s.Time.Round(time.Microsecond).Seconds(), s})
}

// Checked writes what a check found in a file, an object for each.
func (j *JSON) Checked(c history.CheckResult) error {
	if c.Deletion != nil {
		return j.Deleted(c.Merge, *c.Deletion)
	}
	if c.WithoutDriver {
		_ = j.write("without", struct {
			Commit git.ID `json:"commit"`
			Path   string `json:"path"`
		}{c.Merge, c.Path})
	}
	for _, f := range c.Findings {
		_ = j.write("finding", struct {
			Commit git.ID `json:"commit,omitempty"`
			File   string `json:"file"`
			merge.Finding
		}{c.Merge, c.Path, f})
	}
	return j.Err
}

// Deleted writes a file that one side deleted and the other one changed; commit is "" of what is
// no commit yet, and of one that is, stood says what people did.
func (j *JSON) Deleted(commit git.ID, n history.PathConflict) error {
	by, _, kept := deletion(*n.File)
	stood := ""
	if commit != "" {
		stood = stands(n)
	}
	return j.write("deleted", struct {
		Commit  git.ID         `json:"commit,omitempty"`
		Path    string         `json:"path"`
		By      string         `json:"by"`
		Stood   string         `json:"stood,omitempty"`
		Changes []merge.Change `json:"changes"`
	}{commit, n.Path, by, stood, changesOf(*n.File, kept)})
}

// Difference writes how base and theirs of f differ by fields; what differs by lines is not told.
func (j *JSON) Difference(name string, f session.File) error {
	how, all := difference(f)
	return j.write("diff", struct {
		File    string         `json:"file"`
		How     string         `json:"how"`
		Changes []merge.Change `json:"changes"`
	}{name, how, append([]merge.Change{}, all...)})
}

// Preview writes an object per branch.
func (j *JSON) Preview(branches []*history.Branch) error {
	for _, b := range branches {
		var files []file
		for _, c := range b.Cases {
			if b.State == history.StateConflict && !c.Driver.Clean() {
				files = append(files, fileOf(c))
			}
		}
		_ = j.write("branch", struct {
			history.Branch
			Names []branchConflict `json:"names,omitempty"`
			Files []file           `json:"files,omitempty"`
		}{*b, namesOf(b), files})
	}
	return j.Err
}

// A Question is what resolve asks of somebody who is no person at a terminal.
type Question struct {
	ID   string `json:"id"`
	File string `json:"file"`
	Conflict
	Before     []string     `json:"before,omitempty"` // the lines around it
	After      []string     `json:"after,omitempty"`
	Answers    []merge.Take `json:"answers"`
	Sides      Sides        `json:"sides"`
	Unverified string       `json:"unverified,omitempty"` // why no answer is verified, "" if each is
}

// Sides say who ours and theirs are.
type Sides struct {
	Ours   string `json:"ours"`
	Theirs string `json:"theirs"`
}

// Question writes q.
func (j *JSON) Question(q Question) error { return j.write("question", q) }

// Refused writes an answer that was not taken; of one to no question that is open, file and
// path are "".
func (j *JSON) Refused(id, file, path, why string) error {
	return j.write("refused", struct {
		ID   string `json:"id"`
		File string `json:"file,omitempty"`
		Path string `json:"path,omitempty"`
		Why  string `json:"why"`
	}{id, file, path, why})
}
