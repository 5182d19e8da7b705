package text

import (
	"bytes"
	"encoding/json"
)

// A Dialect is what a file of JSON has that JSON itself has not.
type Dialect uint8

// The parts of dialects.
const (
	JSONComments Dialect = 1 << iota
	JSONTrailingCommas
)

// JSON reads b as JSON, with comments and trailing commas perhaps. What YAML cannot read of it is masked,
// as ParseAs takes it: comments as YAML's, halves of characters. It reports false where b is none, and
// where a comment stands before something on its line, or right behind a word, or has line ends of YAML's own.
func JSON(b []byte) (masked []byte, has Dialect, ok bool) {
	first := bytes.TrimLeft(bytes.TrimPrefix(b, byteOrderMark), " \t\r\n")
	if len(first) == 0 || bytes.IndexByte([]byte("{[/"), first[0]) < 0 || bytes.HasPrefix(first, []byte("{{")) {
		return nil, 0, false
	}
	if json.Valid(first) && !bytes.Contains(b, []byte(`\ud`)) && !bytes.Contains(b, []byte(`\uD`)) {
		return b, 0, true
	}
	s := jsonScanner{data: b, plain: bytes.Clone(b), masked: bytes.Clone(b), at: len(b) - len(first), comma: -1, ok: true}
	copy(s.plain, bytes.Repeat([]byte(" "), s.at))
	for s.at < len(b) && s.ok {
		s.next()
	}
	return s.masked, s.has, s.ok && json.Valid(s.plain)
}

// JSON says of f what the function JSON says.
func (f *File) JSON() (has Dialect, ok bool) {
	known := f.json.Load()
	if known == nil {
		known = new(isJSON)
		_, known.has, known.ok = JSON(f.data)
		f.json.Store(known)
	}
	return known.has, known.ok
}

type isJSON struct {
	has Dialect
	ok  bool
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// A jsonScanner masks a file of JSON. In plain, nothing stands that JSON has not.
type jsonScanner struct {
	data, plain, masked []byte
	at                  int
	value               bool // a value, or a key, was the last that stood
	comma               int  // behind a value, and nothing stands behind it yet; -1 if there is none
	has                 Dialect
	ok                  bool
}

func (s *jsonScanner) next() {
	switch c := s.data[s.at]; {
	case c == ' ', c == '\t', c == '\r', c == '\n':
		s.at++
	case bytes.HasPrefix(s.data[s.at:], []byte("//")):
		s.comment(lineBreakAt(s.data, s.at))
	case bytes.HasPrefix(s.data[s.at:], []byte("/*")):
		s.block()
	case c == '"':
		s.text()
	default:
		if (c == '}' || c == ']') && s.comma >= 0 {
			s.plain[s.comma] = ' '
			s.has |= JSONTrailingCommas
		}
		if s.comma = -1; c == ',' && s.value {
			s.comma = s.at
		}
		s.value = bytes.IndexByte([]byte("{[,:"), c) < 0
		s.at++
	}
}

// text passes a string. YAML has no escapes for the halves of a character beyond 16 bits: a character
// that stands nowhere else is in the place of what starts them.
func (s *jsonScanner) text() {
	s.comma, s.value = -1, true
	for s.at++; s.at < len(s.data) && s.data[s.at] != '"'; s.at++ {
		if s.data[s.at] != '\\' {
			continue
		}
		if x := s.data[s.at+1:]; len(x) > 2 && x[0] == 'u' && (x[1] == 'd' || x[1] == 'D') && x[2] >= '8' {
			copy(s.masked[s.at:], "\u07ff")
		}
		s.at++
	}
	s.at++
}

// block passes a comment that ends with a line.
func (s *jsonScanner) block() {
	n := bytes.Index(s.data[s.at+2:], []byte("*/"))
	if n < 0 {
		s.ok = false
		return
	}
	end := s.at + n + len("/**/")
	s.ok = len(bytes.TrimSpace(s.data[end:lineBreakAt(s.data, end)])) == 0
	s.comment(end)
}

// comment masks the lines of a comment up to end.
func (s *jsonScanner) comment(end int) {
	s.has |= JSONComments
	after := s.at == 0 || bytes.IndexByte([]byte(" \t\n,{}[]:\"\xbf"), s.data[s.at-1]) >= 0
	said := bytes.ReplaceAll(bytes.TrimSuffix(s.data[s.at:end], []byte("\r")), []byte("\r\n"), nil)
	s.ok = s.ok && after && !bytes.ContainsAny(said, "\r\u0085\u2028\u2029")
	for starts := true; s.at < end; s.at++ {
		switch c := s.data[s.at]; {
		case c == '\n':
			starts = true
			continue
		case c == ' ', c == '\t', c == '\r':
		case starts:
			s.masked[s.at], starts = '#', false
		}
		s.plain[s.at] = ' '
	}
}

// lineBreakAt is where the line that holds off ends, before its break.
func lineBreakAt(b []byte, off int) int {
	if i := bytes.IndexByte(b[off:], '\n'); i >= 0 {
		return off + i
	}
	return len(b)
}
