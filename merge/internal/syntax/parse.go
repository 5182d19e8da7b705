package syntax

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// An Error describes why a file has no lossless tree, and where.
type Error struct {
	// Line and Column count from 1, columns in runes. They are 0 if unknown.
	Line, Column int
	Msg          string
	// PositionsUncertain is set if the YAML parser accepts the file, but the positions of its nodes are not certain.
	// It is also set for internal errors.
	PositionsUncertain bool
	// Anchor is the name in an alias for which there is no anchor above it. It is empty for other errors.
	Anchor string
}

// Error returns the message, after the position as far as it is known:
//
//	line 3, column 5: NUL byte
//	line 3: did not find expected key
//	larger than 2 GiB
func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return e.Msg
	case e.Column == 0:
		return fmt.Sprintf("line %d: %s", e.Line, e.Msg)
	}
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Msg)
}

// errorAt returns an Error with the line and column of off and with the given message.
func errorAt(f *text.File, off int, msg string) *Error {
	pos := f.Position(off)
	return &Error{Line: pos.Line, Column: pos.Column, Msg: msg}
}

// Parse returns the lossless tree of f. It accepts duplicate keys. The error is always an *Error; the tree is then nil.
func Parse(f *text.File) (*Stream, error) { return parse(f, nil) }

// parse returns the lossless tree of f. The error is always an *Error; the tree is then nil. places decides for some
// comments which entry they belong to, by the offset of their line (see CommentPlace); it may be nil.
func parse(f *text.File, places map[int]CommentPlace) (s *Stream, err error) {
	if e := checkEncoding(f); e != nil {
		return nil, e
	}
	parserInput := makeAcceptable(f.Bytes())
	p := &locator{
		cursor: newCursor(f.Bytes()), file: f, gap: gap{token: -1}, commentPlaces: places,
		parserInput: parserInput, decoder: yaml.NewDecoder(bytes.NewReader(parserInput)),
	}
	p.finder = offsetFinder{cursor: p.cursor, line: 1, column: 1}
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, p.errorFrom(r)
		}
	}()
	return p.locateStream(), nil
}

// errorFrom returns the *Error that Parse returns for recovered, the value of a panic. That is recovered itself if it
// is an *Error, and otherwise an internal error. If positions were uncertain and the YAML parser rejects a later
// document of the file, the parser's error is returned instead, because it is more useful.
func (p *locator) errorFrom(recovered any) (e *Error) {
	e, ok := recovered.(*Error)
	if !ok {
		return &Error{PositionsUncertain: true, Msg: fmt.Sprintf("internal error: %v", recovered)}
	}
	// read the rest of the file for an error of the YAML parser
	for e.PositionsUncertain {
		if err := p.decoder.Decode(new(yaml.Node)); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return parserError(err, p.parserInput)
		}
	}
	return e
}

// nextDocument returns the YAML parser's node of the next document in the file, or nil after the last one. It advances
// only the parser, not the cursor. It panics with an *Error if the parser rejects the document.
func (p *locator) nextDocument() *yaml.Node {
	// one document at a time, because the parser's nodes take thirty times as much memory as their text
	n := new(yaml.Node)
	switch err := p.decoder.Decode(n); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		panic(parserError(err, p.parserInput))
	}
	return n
}

// A CommentPlace decides which entry a comment line belongs to, in place of the text of the line.
type CommentPlace struct {
	Column int // the column that counts as the start of the comment
	// IsLead prevents that a block of comments with the line becomes a part of the entry above it because a blank line
	// follows the block.
	IsLead bool
}

// ParseAs returns the tree of a file that is not YAML, such as a template. The YAML parser reads masked, a text of the
// same length; tags and values come from it, but spans refer to f. places decides, by offsets of lines, which entries
// comments belong to. The error is an *Error.
//
//	# f            # masked
//	{{ if .x }}    ###########
//	a: {{ .a }}    a: ________
func ParseAs(f *text.File, masked []byte, places map[int]CommentPlace) (*Stream, error) {
	if len(masked) != len(f.Bytes()) {
		return nil, &Error{PositionsUncertain: true, Msg: "internal error: the mask has a different length"}
	}
	if e := checkEncoding(f); e != nil {
		return nil, e
	}
	s, err := parse(text.New(masked), places)
	if err != nil {
		return nil, err
	}
	s.File, s.Masked = f, masked
	for i := range s.comments {
		s.comments[i].Span.Start = s.unmaskedStart(s.comments[i].Span.Start)
	}
	return s, nil
}

// unmaskedStart returns where the comment at offset off in s.Masked starts in s.File. It may start earlier there if it
// masks the action of a template, because the mask can have blanks in place of the first bytes. The result is at most
// off.
//
//	File      {{ end }}
//	Masked     # end }}
func (s *Stream) unmaskedStart(off int) int {
	lineStart := off
	for lineStart > 0 && isBlank(s.Masked[lineStart-1]) {
		lineStart--
	}
	return min(off, skipBlanksFrom(s.File.Bytes(), lineStart))
}

// checkEncoding returns an Error if f is UTF-16 or otherwise not UTF-8, contains a NUL byte or is larger than 2 GiB,
// otherwise nil. The YAML parser also accepts UTF-16, but its positions would then be wrong.
func checkEncoding(f *text.File) *Error {
	data := f.Bytes()
	if len(data) > math.MaxInt32 {
		return &Error{Msg: "larger than 2 GiB"}
	}
	if bytes.HasPrefix(data, []byte{0xfe, 0xff}) || bytes.HasPrefix(data, []byte{0xff, 0xfe}) {
		return &Error{Line: 1, Column: 1, Msg: "UTF-16 is not supported; convert the file to UTF-8"}
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return errorAt(f, i, "NUL byte")
	}
	if utf8.Valid(data) {
		return nil
	}
	i := 0
	for r, n := utf8.DecodeRune(data); r != utf8.RuneError || n > 1; r, n = utf8.DecodeRune(data[i:]) {
		i += n
	}
	return errorAt(f, i, "not UTF-8")
}

// parserError converts err, an error of the YAML parser, to an Error. It takes the line, the message and the unknown
// anchor from the text of err, because the parser provides nothing else. If the text has no line, Line is 0. Column is
// always 0. data is the input of the parser, with which some lines and messages are corrected.
func parserError(err error, data []byte) *Error {
	e := &Error{}
	e.Line, e.Msg = text.ParseYAMLError(err, data)
	if _, rest, ok := strings.Cut(e.Msg, "unknown anchor '"); ok {
		e.Anchor, _, _ = strings.Cut(rest, "'")
	}
	return e
}

// makeAcceptable returns data with changes that make the YAML parser accept it: %YAML 1.1 in place of %YAML 1.2 and, in
// a file of Unity, which has a %TAG directive, "_" in place of two characters that only Unity accepts. The length
// remains the same. data is not modified.
//
//	--- !u!114 &102 stripped
//	--- !u_114 &102_stripped
func makeAcceptable(data []byte) []byte {
	changes := map[int]byte{}
	if bytes.Contains(data, []byte("%YAML")) {
		for _, off := range version12Offsets(data) {
			changes[off] = '1'
		}
	}
	if bytes.Contains(data, []byte("\n%TAG")) || bytes.HasPrefix(data, []byte("%TAG")) {
		for _, m := range unityDocumentLine().FindAllSubmatchIndex(data, -1) {
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

// unityDocumentLine matches the line above a document in a file of Unity. Unity defines the tag handle for the first
// document only, and writes the word "stripped" after some anchors. Neither is valid YAML:
//
//	%TAG !u! tag:unity3d.com,2011:
//	--- !u!1 &100
//	a: 1
//	--- !u!114 &102 stripped
//	b: 1
//
// The submatches are the second "!" of the tag and the space before the word. makeAcceptable replaces both by "_".
var unityDocumentLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^--- ![a-z]+(!)[0-9]+ &-?[0-9]+(?:( )stripped)?\r?$`)
})

// strippedWord is the word after an anchor of Unity. strippedSuffix is its form after makeAcceptable, in which the
// YAML parser reads it as a part of the anchor.
const strippedWord, strippedSuffix = " stripped", "_stripped"

// version12Directive matches a directive %YAML 1.2 up to the end of its version.
var version12Directive = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^%YAML[ \t]+1\.2`) })

// version12Offsets returns the offset of the 2 in each %YAML 1.2 directive of data, so that it can be replaced by a 1,
// because the parser rejects version 1.2. Only lines before the content of a document can be directives: at the start
// of the file, or after a "..." line. It returns nil if there are none.
func version12Offsets(data []byte) []int {
	var offsets []int
	c := newCursor(data)
	for prologue := true; c.pos < len(data); c.skipLine() {
		switch {
		case c.atMarker("..."):
			prologue = true
		case prologue && c.nextIs('%'):
			if m := version12Directive().Find(data[c.pos:]); m != nil && isBlankOrEnd(data, c.pos+len(m)) {
				offsets = append(offsets, c.pos+len(m)-1)
			}
		case prologue && !c.isRestBlank() && !c.nextIs('#'):
			prologue = false
		}
	}
	return offsets
}
