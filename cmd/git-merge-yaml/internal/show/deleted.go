package show

import (
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// Lost says what one side changed of a file that the other one deleted: `theirs changed
// spec.replicas, spec.paused and 3 more`. The other version of f is nil.
func Lost(f session.File) string {
	side, kept := keptOf(f)
	all, err := f.Changes(kept)
	switch {
	case err != nil:
		return side + " changed it"
	case len(all) == 0:
		return side + " changed its form alone"
	}
	var paths []string
	for i, c := range all {
		if i == mostLost && len(all) > mostLost+1 {
			return fmt.Sprintf("%s changed %s and %d more", side, strings.Join(paths, ", "), len(all)-i)
		}
		paths = append(paths, driver.PathOrDocument(c.Path))
	}
	return side + " changed " + strings.Join(paths, ", ")
}

// mostLost is how many fields Lost names.
const mostLost = 3

// Deleted tells a file that one side deleted, field by field.
func Deleted(p *terminal.Painter, n history.Name) error {
	p.Print(terminal.Bold, n.Path)
	p.Print(terminal.Plain, ": "+DeletedBy(*n.File)+" deleted the file")
	p.Line()
	return LostFields(p, *n.File)
}

// Deleted writes an object of the same; commit is "" of what is no commit yet, and of one
// that is, gone says what people did.
func (j JSON) Deleted(commit git.ID, n history.Name) error {
	_, kept := keptOf(*n.File)
	all, _ := n.File.Changes(kept)
	stood := ""
	if commit != "" {
		stood = map[bool]string{true: "deleted", false: "kept"}[n.Gone]
	}
	return terminal.NewEncoder(j.W).Encode(struct {
		Type    string       `json:"type"`
		Commit  string       `json:"commit,omitempty"`
		Path    string       `json:"path"`
		By      string       `json:"by"`
		Stood   string       `json:"stood,omitempty"`
		Changes []jsonChange `json:"changes"`
	}{"deleted", commit.String(), n.Path, DeletedBy(*n.File), stood, jsonChanges(all)})
}

// WhatStood says of a merge that is over what people did with a file that one side deleted.
func WhatStood(n history.Name) string {
	return nameConflict(n) + map[bool]string{true: "; deleted in the merge", false: "; kept in the merge"}[n.Gone]
}

// LostFields says field by field what one side changed of a file that the other one deleted.
func LostFields(p *terminal.Painter, f session.File) error {
	side, kept := keptOf(f)
	p.Print(terminal.Bold, "  "+side+" changed")
	p.Line()
	all, err := f.Changes(kept)
	if err != nil {
		p.Diff(terminal.Hunks(f.Base, kept))
		return p.Err
	}
	if len(all) == 0 {
		p.Print(terminal.Plain, "  nothing but form and comments")
		p.Line()
	}
	changes(p, all, f.Base, kept, func(string) bool { return false })
	return p.Err
}

// keptOf is the side that has the file.
func keptOf(f session.File) (side string, kept []byte) {
	if f.Ours == nil {
		return "theirs", f.Theirs
	}
	return "ours", f.Ours
}

// DeletedBy names the side that deleted the file.
func DeletedBy(f session.File) string {
	if f.Ours == nil {
		return "ours"
	}
	return "theirs"
}

// OneDeleted says which side deleted a file, and what the other one changed of it.
func OneDeleted(f session.File) string { return DeletedBy(f) + " deleted it, " + Lost(f) }
