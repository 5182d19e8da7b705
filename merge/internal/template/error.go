package template

import (
	"bytes"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// fail is an error at off of data.
func fail(data []byte, off int, msg string) *syntax.Error {
	at := text.New(data).Position(off)
	return &syntax.Error{Line: at.Line, Column: at.Column, Reason: syntax.Unplaced, Msg: msg}
}

// lineOf returns the line of off, with its break.
func lineOf(data []byte, off int) text.Span {
	start := bytes.LastIndexByte(data[:off], '\n') + 1
	end := len(data)
	if i := bytes.IndexByte(data[off:], '\n'); i >= 0 {
		end = off + i + 1
	}
	return text.Span{Start: start, End: end}
}
