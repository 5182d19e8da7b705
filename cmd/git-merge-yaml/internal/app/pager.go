package app

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"os/exec"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// paged gives do a painter to stdout. Where that is a terminal, what was painted
// is shown at the end, by the pager that git would take.
func (a *App) paged(do func(*terminal.Painter) error) error {
	p := a.painter(a.Stdout)
	if !terminal.Is(a.Stdout) {
		return do(p)
	}
	var text bytes.Buffer
	p.W = &text
	err := do(p)
	if text.Len() == 0 {
		return err
	}
	rest := bytes.NewReader(text.Bytes())
	failed := git.Git{}.Page(rest, a.Stdout, a.Stderr)
	if _, ran := errors.AsType[*exec.ExitError](failed); failed != nil && !ran {
		_, failed = io.Copy(a.Stdout, rest) // there is no git, or no shell
		return cmp.Or(err, failed)
	}
	return err // a pager that is left early is no failure
}
