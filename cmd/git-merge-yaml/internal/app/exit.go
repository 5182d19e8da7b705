package app

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// The exit codes, as git reads them from a merge driver. Git 2.42 and later
// give up the whole merge on a code above 128, older ones leave the file
// unmerged; the driver line of install runs git's line merge instead.
const (
	exitClean     = 0   // done; a merge without conflicts
	exitConflicts = 1   // a merge whose result has conflicts; a check that found something
	exitFailed    = 129 // nothing done: wrong usage, unreadable input, failed output
	// exitInterrupted is what shells call an end by Ctrl-C. No merge ends with it.
	exitInterrupted = 130
)

// errConflicts is the outcome of a merge that left conflicts; they have been
// reported by then.
var errConflicts = errors.New("conflicts")

// errFound is the outcome of a check that found something; it has been
// reported by then.
var errFound = errors.New("found something")

// exit says err to the user and returns the code for it.
func (a *App) exit(err error) int {
	switch {
	case err == nil:
		return exitClean
	case errors.Is(err, errConflicts), errors.Is(err, errFound):
		return exitConflicts
	}
	fmt.Fprintf(a.Stderr, "git-merge-yaml: %s\n", terminal.Printable(withNextStep(err)))
	if errors.Is(err, terminal.ErrInterrupted) {
		return exitInterrupted
	}
	return exitFailed
}

// withNextStep is the message of err, and what to do where git does not say
// it, or says it of its own commands.
func withNextStep(err error) string {
	err = git.Explain(err)
	message, next := err.Error(), ""
	failed, _ := errors.AsType[*git.Error](err)
	_, unknown := errors.AsType[*git.UnknownPathError](err)
	switch {
	case unknown:
		next = "git status lists the files that are unmerged"
	case errors.Is(err, git.ErrNoRepository):
		next = "run it inside of a repository, or as git -C FOLDER merge-yaml"
	case errors.Is(err, git.ErrNoWorkTree):
		next = "run it where the files of the repository are"
	case errors.Is(err, exec.ErrNotFound):
		next = "install git: https://git-scm.com/downloads"
	case failed == nil:
		return message
	case strings.Contains(failed.Stderr, "bad revision"):
		next = "git log lists the commits that there are"
	default:
		return message
	}
	first, _, _ := strings.Cut(message, "\n")
	return first + " (" + next + ")"
}
