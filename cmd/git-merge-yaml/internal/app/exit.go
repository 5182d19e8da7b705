package app

import (
	"errors"
	"fmt"
)

// The exit codes, as git reads them from a merge driver. Git 2.42 and later
// give up the whole merge on a code above 128, older ones leave the file
// unmerged; the driver line of install runs git's line merge instead.
const (
	exitClean     = 0   // done; a merge without conflicts
	exitConflicts = 1   // a merge whose result has conflicts; a check that found something
	exitFailed    = 129 // nothing done: wrong usage, unreadable input, failed output
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
	fmt.Fprintf(a.Stderr, "git-merge-yaml: %s\n", printable(err.Error()))
	return exitFailed
}

// bug is the error for a panic.
func bug(panicked any) error {
	return fmt.Errorf("a bug in git-merge-yaml, please report it: %v", panicked)
}
