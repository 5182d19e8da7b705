package explain

import (
	"bytes"
	"io"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// WriteDifference says field by field what theirs changed of the base. What is not data (comments, quotes, the order of keys) and what
// cannot be read as YAML it shows by lines, as it does a version that is nil: a
// file that was added or deleted.
func WriteDifference(p *terminal.Painter, name string, f session.File) error {
	before, after := f.Base, f.Theirs
	p.Print(terminal.Bold, name)
	changes, err := f.Changes(after)
	switch {
	case bytes.Equal(before, after) && (before == nil) == (after == nil):
		p.Print(terminal.Plain, ": no difference")
		p.Line()
		return p.Err
	case before == nil:
		p.Print(terminal.Plain, ": added")
	case after == nil:
		p.Print(terminal.Plain, ": deleted")
	case err != nil:
		p.Print(terminal.Plain, ": not YAML in both versions, so by lines")
	case len(changes) == 0:
		p.Print(terminal.Plain, ": only comments and form differ")
	default:
		p.Line()
		for _, c := range changes {
			writeChange(p, c, false)
		}
		return p.Err
	}
	p.Line()
	p.Diff(terminal.Hunks(before, after))
	return p.Err
}

// jsonDifference is what docs/diff.schema.json says.
type jsonDifference struct {
	File    string       `json:"file"`
	How     string       `json:"how"`
	Changes []jsonChange `json:"changes"`
}

// WriteDifferenceJSON is WriteDifference for programs: what differs by lines is not told.
func WriteDifferenceJSON(w io.Writer, name string, f session.File) error {
	changes, err := f.Changes(f.Theirs)
	d := jsonDifference{File: name, How: "fields", Changes: jsonChanges(changes)}
	switch {
	case bytes.Equal(f.Base, f.Theirs) && (f.Base == nil) == (f.Theirs == nil):
		d.How = "equal"
	case f.Base == nil:
		d.How = "added"
	case f.Theirs == nil:
		d.How = "deleted"
	case err != nil:
		d.How = "lines"
	case len(changes) == 0:
		d.How = "form"
	}
	if d.How == "added" || d.How == "deleted" {
		d.Changes = jsonChanges(nil)
	}
	return terminal.NewEncoder(w).Encode(d)
}
