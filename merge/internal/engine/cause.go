package engine

import (
	"errors"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/read"
)

// A Cause is why git's merge by lines was used instead of a merge by field (Result.Method is Delegated).
type Cause string

// The causes.
const (
	CauseSize       Cause = "size"       // a version is too large, or the merge would need too much memory
	CauseMarkers    Cause = "markers"    // a version has conflict markers
	CauseSyntax     Cause = "syntax"     // a version cannot be read as YAML, JSON or a template
	CauseKeys       Cause = "keys"       // a side repeats a key of a mapping
	CauseDefinition Cause = "definition" // a custom resource definition that the merge needs is invalid
	CauseRequired   Cause = "required"   // the versions do not meet the requirements of a rule set
	CauseUnverified Cause = "unverified" // no merge by field passed verification
	CauseFewerLines Cause = "lines"      // git's merge by lines leaves fewer lines in conflict
	CauseInternal   Cause = "internal"   // an error of this program
)

// A causedError is an error with the Cause for which git's merge by lines is used.
type causedError struct {
	cause Cause
	error
}

// withCause returns err with the cause for which git's merge by lines will be used. causeOf returns this cause again.
// The message does not change, and errors.Is and errors.As still find err. If err is nil, the result is nil.
func withCause(cause Cause, err error) error {
	if err == nil {
		return nil
	}
	return causedError{cause, err}
}

// Unwrap returns the error without the cause.
func (e causedError) Unwrap() error { return e.error }

// causeOf returns the cause that withCause added to err. For other errors it returns:
//
//	a read.SizeError                           CauseSize
//	a read.MarkerError                         CauseMarkers
//	a *RuleError                               CauseRequired
//	any other error: it is one of the parser   CauseSyntax
//
// err must not be nil.
func causeOf(err error) Cause {
	if c, ok := errors.AsType[causedError](err); ok {
		return c.cause
	}
	if _, ok := errors.AsType[read.SizeError](err); ok {
		return CauseSize
	}
	if _, ok := errors.AsType[read.MarkerError](err); ok {
		return CauseMarkers
	}
	if _, ok := errors.AsType[*RuleError](err); ok {
		return CauseRequired
	}
	return CauseSyntax
}
