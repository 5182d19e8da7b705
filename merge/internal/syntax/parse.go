package syntax

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// An Error says why and where a file has no lossless tree.
type Error struct {
	// Line and Column are from 1; 0 where unknown. The column counts runes.
	Line, Column int
	Msg          string
	// Unplaced says that the file is YAML, but where its nodes stand is not certain.
	Unplaced bool
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
func errorAt(f *text.File, off int, msg string) *Error {
	pos := f.Position(off)
	return &Error{Line: pos.Line, Column: pos.Column, Msg: msg}
}

// Parse returns the lossless tree of f. Its error is always an *Error.
//
// Duplicate keys are accepted, aliases are not followed, and << is a key like
// any other.
func Parse(f *text.File) (*Stream, error) { return parse(f, nil) }

// parse is Parse. The comments of the lines that start at an offset in leads belong to the entry below them.
func parse(f *text.File, leads map[int]bool) (s *Stream, err error) {
	if e := checkEncoding(f); e != nil {
		return nil, e
	}
	src := f.Bytes()
	p := &placer{cursor: newCursor(src), file: f, where: newPositions(src), gap: gap{token: -1}, leads: leads}
	p.data = acceptable(src)
	p.yaml = yaml.NewDecoder(bytes.NewReader(p.data))
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, p.failed(r)
		}
	}()
	return p.stream(), nil
}

// failed is the error of a failure: what is no YAML says more than what could not be placed.
func (p *placer) failed(r any) (e *Error) {
	e, ok := r.(*Error)
	if !ok {
		return &Error{Unplaced: true, Msg: fmt.Sprintf("internal error: %v", r)}
	}
	for e.Unplaced {
		if err := p.yaml.Decode(new(yaml.Node)); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return parserError(err, p.data)
		}
	}
	return e
}

// next returns the next document, nil behind the last one. Each is read when it is asked for: the
// parser's nodes take thirty times as much memory as their text.
func (p *placer) next() *yaml.Node {
	n := new(yaml.Node)
	switch err := p.yaml.Decode(n); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		panic(parserError(err, p.data))
	}
	return n
}

// ParseAs returns the tree of f as that of masked, which has equally many bytes
// and the same line ends: what is no YAML in f stands there as comments and
// plain text. Spans are those of f; the values are those of masked. Of the comments, those of the lines that start at an
// offset in leads belong to the entry below them, also above a blank line.
func ParseAs(f *text.File, masked []byte, leads map[int]bool) (*Stream, error) {
	if len(masked) != len(f.Bytes()) {
		return nil, &Error{Unplaced: true, Msg: "internal error: a mask of another length"}
	}
	if e := checkEncoding(f); e != nil {
		return nil, e
	}
	s, err := parse(text.New(masked), leads)
	if err != nil {
		return nil, err
	}
	s.File, s.Masked = f, masked
	for i := range s.comments {
		s.comments[i].Span.Start = s.unmasked(s.comments[i].Span.Start)
	}
	return s, nil
}

// unmasked is where what is masked as a comment that starts at off starts in the
// file: blanks may stand for what is before off on its line.
func (s *Stream) unmasked(off int) int {
	start := off
	for start > 0 && isBlank(s.Masked[start-1]) {
		start--
	}
	if start > 0 && s.Masked[start-1] != '\n' {
		return off // behind something
	}
	return min(off, skipBlanks(s.File.Bytes(), start))
}

// checkEncoding returns why f cannot be YAML in UTF-8, of which a tree can be made. The YAML parser itself
// would accept UTF-16, in which no offset would be right.
func checkEncoding(f *text.File) *Error {
	data := f.Bytes()
	if len(data) > math.MaxInt32 {
		return &Error{Msg: "larger than 2 GiB"}
	}
	if bytes.HasPrefix(data, []byte{0xfe, 0xff}) || bytes.HasPrefix(data, []byte{0xff, 0xfe}) {
		return &Error{Line: 1, Column: 1, Msg: "UTF-16 is not supported"}
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return errorAt(f, i, "NUL byte")
	}
	if utf8.Valid(data) {
		return nil
	}
	for i, r := range string(data) {
		if r == utf8.RuneError && !bytes.HasPrefix(data[i:], []byte("\ufffd")) {
			return errorAt(f, i, "not UTF-8")
		}
	}
	return nil
}

// parserError returns the error that the YAML parser's err about data stands for: its text is
// all that the parser tells, and is read here alone.
func parserError(err error, data []byte) *Error {
	e := &Error{Msg: strings.TrimPrefix(err.Error(), "yaml: ")}
	if rest, ok := strings.CutPrefix(e.Msg, "line "); ok {
		if number, msg, ok := strings.Cut(rest, ": "); ok {
			if line, err := strconv.Atoi(number); err == nil {
				e.Line, e.Msg = line, msg
			}
		}
	}
	e.Msg = text.ExplainTabError(data, e.Line, e.Msg)
	if _, rest, ok := strings.Cut(e.Msg, "unknown anchor '"); ok {
		e.Anchor, _, _ = strings.Cut(rest, "'")
	}
	return e
}

// acceptable returns data as the YAML parser accepts it: with every directive
// %YAML 1.2, which it refuses, as %YAML 1.1, and with the lines of Unity as they are meant.
// All offsets stay. It copies only if there is something to change.
func acceptable(data []byte) []byte {
	changes := map[int]byte{}
	if bytes.Contains(data, []byte("%YAML")) {
		for _, off := range versions(data) {
			changes[off] = '1'
		}
	}
	if bytes.Contains(data, []byte("\n%TAG")) || bytes.HasPrefix(data, []byte("%TAG")) {
		for _, m := range unity().FindAllSubmatchIndex(data, -1) {
			changes[m[2]] = '_'
			if m[4] >= 0 {
				changes[m[4]] = '_'
			}
		}
	}
	if len(changes) == 0 {
		return data
	}
	out := bytes.Clone(data)
	for off, b := range changes {
		out[off] = b
	}
	return out
}

// unity is the line above a document of Unity's. It defines the handle for the first document
// alone, and writes a word of its own behind the anchor:
//
//	%TAG !u! tag:unity3d.com,2011:
//	--- !u!1 &100
//	a: 1
//	--- !u!114 &102 stripped
//	b: 1
var unity = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^--- ![a-z]+(!)[0-9]+ &-?[0-9]+(?:( )stripped)?\r?$`)
})

// stripped is that word, and as what the parser reads it: a part of the anchor.
const stripped, strippedAs = " stripped", "_stripped"

// version12 is a directive up to the 2 of its version.
var version12 = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^%YAML[ \t]+1\.2`) })

// versions returns the offsets of the 2 in the %YAML 1.2 directives of data.
// A directive stands before any content: at the start, or behind a "..." line.
func versions(data []byte) []int {
	var offs []int
	c := newCursor(data)
	for prologue := true; c.pos < len(data); c.nextLine() {
		switch {
		case c.marker("..."):
			prologue = true
		case prologue && c.at('%'):
			if m := version12().Find(data[c.pos:]); m != nil && isBlankz(data, c.pos+len(m)) {
				offs = append(offs, c.pos+len(m)-1)
			}
		case prologue && !c.blankLine() && !c.at('#'):
			prologue = false
		}
	}
	return offs
}
