package app

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/repo"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/setup"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// painter writes to stdout, in colours as git's color.ui has it. Seen says that a person sees it.
func (a *App) painter(seen bool) *terminal.Painter {
	p := &terminal.Painter{W: a.Stdout, Colours: seen && terminal.Coloured()}
	switch repo.At(git.Git{}).Value("color.ui") {
	case "always":
		p.Colours = true
	case "never", "false", "no", "off", "0":
		p.Colours = false
	}
	return p
}

// paged gives do a painter to stdout. Where that is a terminal, what was painted
// is shown at the end, by the pager that git would take.
func (a *App) paged(do func(*terminal.Painter) error) error {
	p := a.painter(terminal.Is(a.Stdout))
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

// walk runs what merges many files in s, until it is done or Ctrl-C ends it. Where stderr is a
// terminal, it says there meanwhile how far it is, in a line that goes at the end; files below
// 0 are not told.
func (a *App) walk(s *session.Session, do func(ctx context.Context, o history.Options) error) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	next, shown := time.Now().Add(atFirst), false
	o := history.Options{Session: s, Program: setup.Program(git.Git{})}
	o.Progress = func(seen, merges, files int) {
		if now := time.Now(); terminal.Is(a.Stderr) && now.After(next) {
			next, shown = now.Add(100*time.Millisecond), true
			of := ""
			if files >= 0 {
				of = ", " + terminal.Count(files, "file")
			}
			fmt.Fprintf(a.Stderr, "\r%d of %d merges%s\x1b[K", seen, merges, of)
		}
	}
	err := do(ctx, o)
	if shown {
		fmt.Fprint(a.Stderr, "\r\x1b[K")
	}
	if ctx.Err() != nil {
		return terminal.ErrInterrupted
	}
	return err
}

// asHere has o merge files by the rule sets that their attributes say here and now, unless an
// option says them.
func asHere(o history.Options) history.Options {
	if s := o.Session; s.RuleSet == "" {
		o.Attributes = func(paths []string) ([]map[string]string, error) { return s.Git.Attributes(paths, "merge") }
	}
	return o
}

// atFirst is how long a walk may take without saying how far it is.
const atFirst = 700 * time.Millisecond
