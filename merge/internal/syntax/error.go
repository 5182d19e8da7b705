package syntax

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Reason is why a file has no lossless tree.
type Reason uint8

// The reasons.
const (
	NotYAML    Reason = iota + 1 // the YAML parser refuses it
	Encoding                     // not UTF-8, or characters that YAML forbids
	ComplexKey                   // a mapping or sequence is the key of a mapping
	TooDeep                      // nested deeper than the YAML parser allows
	Unplaced                     // it is YAML, but where its nodes stand is not certain
)

func (r Reason) String() string {
	return [...]string{"unknown", "not YAML", "encoding", "complex key", "too deep", "not placed"}[r]
}

// An Error says why and where a file has no lossless tree.
type Error struct {
	// Line and Column are from 1; 0 where unknown. The column counts runes.
	Line, Column int
	Reason       Reason
	Msg          string
	// Anchor is the one that an alias names, where none stands above it.
	Anchor string
}

func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return e.Msg
	case e.Column == 0:
		return fmt.Sprintf("line %d: %s", e.Line, e.Msg)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// errorAt returns the error at off.
func errorAt(f *text.File, off int, reason Reason, msg string) *Error {
	pos := f.Position(off)
	return &Error{Line: pos.Line, Column: pos.Column, Reason: reason, Msg: msg}
}

// parserError returns the error that the YAML parser's err about data stands for: its text is
// all that the parser tells, and is read here alone.
func parserError(err error, data []byte) *Error {
	e := &Error{Reason: NotYAML, Msg: strings.TrimPrefix(err.Error(), "yaml: ")}
	if rest, ok := strings.CutPrefix(e.Msg, "line "); ok {
		if number, msg, ok := strings.Cut(rest, ": "); ok {
			if line, err := strconv.Atoi(number); err == nil {
				e.Line, e.Msg = line, msg
			}
		}
	}
	e.Msg = text.NameTab(data, e.Line, e.Msg)
	if _, rest, ok := strings.Cut(e.Msg, "unknown anchor '"); ok {
		e.Anchor, _, _ = strings.Cut(rest, "'")
	}
	switch {
	case strings.Contains(e.Msg, "exceeded max depth"):
		e.Reason = TooDeep
	case strings.Contains(e.Msg, "control characters"):
		e.Reason = Encoding
	}
	return e
}
