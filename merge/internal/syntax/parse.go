package syntax

import (
	"bytes"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// Parse returns the lossless tree of f. Its error is always an *Error.
//
// Duplicate keys are accepted, aliases are not followed, and << is a key like
// any other.
func Parse(f *text.File) (s *Stream, err error) {
	defer func() {
		if r := recover(); r != nil {
			s, err = nil, &Error{Reason: Unplaced, Msg: fmt.Sprintf("internal error: %v", r)}
		}
	}()
	if e := checkEncoding(f); e != nil {
		return nil, e
	}
	if s, e := place(f); e == nil {
		return s, nil
	} else {
		return nil, e
	}
}

// ParseAs returns the tree of f as that of masked, which has equally many bytes
// and the same line ends: what is no YAML in f stands there as comments and
// plain text. Spans are those of f; the values are those of masked.
func ParseAs(f *text.File, masked []byte) (*Stream, error) {
	if len(masked) != len(f.Bytes()) {
		return nil, &Error{Reason: Unplaced, Msg: "internal error: a mask of another length"}
	}
	if e := checkEncoding(f); e != nil {
		return nil, e
	}
	s, err := Parse(text.New(masked))
	if err != nil {
		return nil, err
	}
	s.File, s.Masked = f, masked
	return s, nil
}

// checkEncoding returns why f cannot be YAML in UTF-8, of which a tree can be made. The YAML parser itself
// would accept UTF-16, in which no offset would be right.
func checkEncoding(f *text.File) *Error {
	data := f.Bytes()
	if len(data) > math.MaxInt32 {
		return &Error{Reason: Unplaced, Msg: "larger than 2 GiB"}
	}
	if bytes.HasPrefix(data, []byte{0xfe, 0xff}) || bytes.HasPrefix(data, []byte{0xff, 0xfe}) {
		return &Error{Line: 1, Column: 1, Reason: Encoding, Msg: "UTF-16 is not supported"}
	}
	if i := bytes.IndexByte(data, 0); i >= 0 {
		return errorAt(f, i, Encoding, "NUL byte")
	}
	if !utf8.Valid(data) {
		return errorAt(f, validPrefix(data), Encoding, "not UTF-8")
	}
	return nil
}

func validPrefix(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return len(data)
}
