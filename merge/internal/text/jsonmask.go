package text

import (
	"bytes"
	"encoding/json"
)

// A Dialect is a set of the extensions to JSON that a file uses.
type Dialect uint8

// The extensions that MaskJSON and File.JSON recognize.
const (
	JSONComments Dialect = 1 << iota
	JSONTrailingCommas
)

// MaskJSON returns b, a JSON file that may have comments and trailing commas, as a text of the same length that a YAML
// parser can read. dialect reports which of both b has. If ok is false, the file cannot be masked, and the other
// results have no meaning.
//
//	// the name           #/ the name
//	{"name": "web"} // x  {"name": "web"} #/ x
func MaskJSON(b []byte) (masked []byte, dialect Dialect, ok bool) {
	first := bytes.TrimLeft(bytes.TrimPrefix(b, BOM), " \t\r\n")
	if len(first) == 0 || bytes.IndexByte([]byte("{[/"), first[0]) < 0 || bytes.HasPrefix(first, []byte("{{")) {
		return nil, 0, false
	}
	scanner := jsonScanner{data: b, plain: bytes.Clone(b), masked: bytes.Clone(b), offset: len(b) - len(first), lastComma: -1, ok: true}
	copy(scanner.plain, bytes.Repeat([]byte(" "), scanner.offset))
	for scanner.offset < len(b) && scanner.ok {
		scanner.scanToken()
	}
	return scanner.masked, scanner.dialect, scanner.ok && json.Valid(scanner.plain)
}

// JSON reports whether f is a JSON file that a merge can read, with or without comments and trailing commas (ok; see
// MaskJSON). dialect reports which of the two f has, and has no meaning if ok is false. Only the first call reads the
// file.
func (f *File) JSON() (dialect Dialect, ok bool) { return f.json() }

// A jsonScanner reads a JSON file with comments and trailing commas, and makes two texts of the same length: plain,
// which is JSON without these extensions (they are replaced by spaces), and masked, which YAML parsers can read (see
// MaskJSON).
type jsonScanner struct {
	data, plain, masked []byte
	offset              int
	afterValue          bool // the last token ends a value or a key
	lastComma           int  // the offset of the last token, if that is a comma after a value; -1 otherwise
	dialect             Dialect
	ok                  bool
}

// scanToken moves s.offset after the next comment, string or other character of the file, and masks it. A comment
// becomes spaces in s.plain and a YAML comment in s.masked. A trailing comma becomes a space, in s.plain only. s.ok
// becomes false if YAML would not read a masked comment as one.
func (s *jsonScanner) scanToken() {
	switch c := s.data[s.offset]; {
	case c == ' ', c == '\t', c == '\r', c == '\n':
		s.offset++
	case bytes.HasPrefix(s.data[s.offset:], []byte("//")):
		s.maskComment(lineEnd(s.data, s.offset))
	case bytes.HasPrefix(s.data[s.offset:], []byte("/*")):
		s.maskBlockComment()
	case c == '"':
		s.maskString()
	default: // punctuation, or a character of a number, true, false or null
		if (c == '}' || c == ']') && s.lastComma >= 0 { // a trailing comma
			s.plain[s.lastComma] = ' '
			s.dialect |= JSONTrailingCommas
		}
		s.lastComma = -1
		if c == ',' && s.afterValue {
			s.lastComma = s.offset
		}
		s.afterValue = bytes.IndexByte([]byte("{[,:"), c) < 0
		s.offset++
	}
}

// maskString moves s.offset from the opening quote of a string to the byte after its closing quote, or past the end of
// the file if there is none. YAML does not have escapes of half of a surrogate pair, such as \ud83d. Each of them is
// replaced in s.masked by other characters of the same length.
func (s *jsonScanner) maskString() {
	s.lastComma, s.afterValue = -1, true
	for s.offset++; s.offset < len(s.data) && s.data[s.offset] != '"'; s.offset++ {
		if s.data[s.offset] != '\\' {
			continue
		}
		escape := bytes.ToLower(s.data[s.offset+1 : min(s.offset+4, len(s.data))])
		if bytes.HasPrefix(escape, []byte("ud")) && len(escape) > 2 && escape[2] >= '8' {
			// "\u07ff" has two bytes, as many as the backslash and the u that it replaces; the four digits remain
			copy(s.masked[s.offset:], "\u07ff")
		}
		s.offset++
	}
	s.offset++
}

// maskBlockComment masks the comment between /* and */ at s.offset, and moves s.offset after it. Each line of it
// becomes a YAML comment in s.masked. s.ok becomes false if the comment has no end, if other text follows it on its
// last line, or if YAML would not read the result as comments (maskComment).
//
//	/* a        #* a
//	   b */        # */
func (s *jsonScanner) maskBlockComment() {
	length := bytes.Index(s.data[s.offset+2:], []byte("*/"))
	if length < 0 {
		s.ok = false
		return
	}
	end := s.offset + length + len("/**/")
	s.ok = len(bytes.TrimSpace(s.data[end:lineEnd(s.data, end)])) == 0
	s.maskComment(end)
}

// maskComment masks the comment from s.offset to end, and moves s.offset to end. In s.masked, the text for a YAML
// parser, each line of it becomes a YAML comment. In s.plain, the JSON without comments, it becomes spaces.
//
//	data      masked
//	// a      #/ a
//	/* b      #* b
//	   c */      # */
//
// s.ok becomes false if YAML would not read the result as comments: if nothing separates it from the text before, as in
// 1// a, or if it contains a line break that only YAML knows, such as NEL.
func (s *jsonScanner) maskComment(end int) {
	s.dialect |= JSONComments
	isSeparated := s.offset == 0 || bytes.IndexByte([]byte(" \t\n,{}[]:\"\xbf"), s.data[s.offset-1]) >= 0
	// YAML has more line breaks than JSON, and needs a separator before a comment
	content := bytes.ReplaceAll(bytes.TrimSuffix(s.data[s.offset:end], []byte("\r")), []byte("\r\n"), nil)
	s.ok = s.ok && isSeparated && !bytes.ContainsAny(content, "\r\u0085\u2028\u2029")
	for atLineStart := true; s.offset < end; s.offset++ {
		switch c := s.data[s.offset]; {
		case c == '\n':
			atLineStart = true
			continue
		case c == ' ', c == '\t', c == '\r':
		case atLineStart:
			s.masked[s.offset], atLineStart = '#', false
		}
		s.plain[s.offset] = ' '
	}
}

// lineEnd returns the offset of the LF that ends the line of off, or the length of b.
func lineEnd(b []byte, off int) int {
	if i := bytes.IndexByte(b[off:], '\n'); i >= 0 {
		return off + i
	}
	return len(b)
}
