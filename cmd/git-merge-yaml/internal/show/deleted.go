package show

import (
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// deletion names the sides of a file that one deleted and the other one changed, and has what the
// other one made of it.
func deletion(f session.File) (by, other string, kept []byte) {
	if f.Ours == nil {
		return "ours", "theirs", f.Theirs
	}
	return "theirs", "ours", f.Ours
}

// mostLost is how many fields Lost names.
const mostLost = 3

// Lost says what one side changed of a file that the other one deleted: `theirs changed
// spec.replicas, spec.paused and 3 more`.
func Lost(f session.File) string {
	_, side, kept := deletion(f)
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

// OneDeleted says which side deleted a file, and what the other one changed of it.
func OneDeleted(f session.File) string {
	by, _, _ := deletion(f)
	return by + " deleted it, " + Lost(f)
}

// WhatStood says of a merge that is over what people did with a file that one side deleted.
func WhatStood(n history.Name) string { return nameConflict(n) + "; " + stands(n) + " in the merge" }

// stands is what people did with such a file.
func stands(n history.Name) string {
	if n.Gone {
		return "deleted"
	}
	return "kept"
}

// Deleted tells a file that one side deleted and the other one changed, field by field.
func Deleted(p *terminal.Painter, n history.Name) error {
	by, side, kept := deletion(*n.File)
	p.Print(terminal.Bold, n.Path)
	p.Println(terminal.Plain, ": "+by+" deleted the file")
	sideChanged(p, side, *n.File, kept, nil)
	return p.Err
}
