package explain

import (
	"bytes"
	"io"
	"os"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// WriteDifference says field by field what theirs changed of the base. What is not data (comments, quotes, the order of keys) and what
// cannot be read as YAML it shows by lines, as it does a version that is nil: a
// file that was added or deleted.
func WriteDifference(w io.Writer, name string, f session.File) error {
	before, after := f.Base, f.Theirs
	p := terminal.NewPainter(w)
	if os.Getenv("GIT_PAGER_IN_USE") != "" { // git diff's own, which shows colours
		p.Colours = terminal.Coloured()
	}
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
