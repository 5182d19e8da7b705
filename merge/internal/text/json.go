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

// MaskJSON reports in ok whether b is a JSON object or array. Comments, trailing commas and a byte order mark at the
// start are allowed; dialect reports which of the first two b has. ok is false if b is empty or a scalar. If ok is
// false, the other results must not be used.
//
// masked is a text of the same length that a YAML parser can read. In it, the first character of each line of a comment
// is "#". The first two bytes of an escape from \ud800 to \udfff, which YAML does not have, become U+07FF. b is not
// changed: masked is b itself if b has no comments, no trailing commas and no escape \ud or \uD, and a copy otherwise.
//
//	// the name           #/ the name
//	{"name": "web"} // x  {"name": "web"} #/ x
//
// ok is also false for a comment that cannot become a YAML comment: one before something else on the same line, one
// directly after a word, or one with a lone CR or another character that only YAML treats as a line break.
func MaskJSON(b []byte) (masked []byte, dialect Dialect, ok bool) {
	first := bytes.TrimLeft(bytes.TrimPrefix(b, utf8BOM), " \t\r\n")
	if len(first) == 0 || bytes.IndexByte([]byte("{[/"), first[0]) < 0 || bytes.HasPrefix(first, []byte("{{")) {
		return nil, 0, false
	}
	if json.Valid(first) && !bytes.Contains(b, []byte(`\ud`)) && !bytes.Contains(b, []byte(`\uD`)) {
		return b, 0, true
	}
	scanner := jsonScanner{data: b, plain: bytes.Clone(b), masked: bytes.Clone(b), offset: len(b) - len(first), lastComma: -1, ok: true}
	copy(scanner.plain, bytes.Repeat([]byte(" "), scanner.offset))
	for scanner.offset < len(b) && scanner.ok {
		scanner.scanToken()
	}
	return scanner.masked, scanner.dialect, scanner.ok && json.Valid(scanner.plain)
}

// JSON reports in ok whether f is a JSON object or array. Comments, trailing commas and a byte order mark are allowed;
// dialect reports which of the first two f has. The first call computes the results; later calls return them again.
//
// ok is also false if f has a comment that cannot become a YAML comment, for example one before other text on its line.
// If ok is false, dialect has no meaning.
func (f *File) JSON() (dialect Dialect, ok bool) {
	result := f.jsonResult.Load()
	if result == nil {
		result = new(jsonResult)
		_, result.dialect, result.isJSON = MaskJSON(f.data)
		f.jsonResult.Store(result)
	}
	return result.dialect, result.isJSON
}

// A jsonResult holds the results of File.JSON after its first call.
type jsonResult struct {
	dialect Dialect
	isJSON  bool
}

var utf8BOM = []byte("\xef\xbb\xbf")

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

// scanToken moves offset after the next part of the file: a string, a comment, a white space character, or one
// character of anything else, such as a bracket or a number. A comma before a closing bracket is replaced by a space in
// plain, and recorded in dialect. If a comment cannot become a YAML comment, scanToken sets ok to false. It updates
// afterValue and lastComma. Errors in the JSON are not detected.
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
	default:
		if (c == '}' || c == ']') && s.lastComma >= 0 {
			s.plain[s.lastComma] = ' '
			s.dialect |= JSONTrailingCommas
		}
		if s.lastComma = -1; c == ',' && s.afterValue {
			s.lastComma = s.offset
		}
		s.afterValue = bytes.IndexByte([]byte("{[,:"), c) < 0
		s.offset++
	}
}

// maskString moves offset from the opening quote of a string to the byte after its closing quote. Escapes are skipped,
// so that \" does not end the string. In masked, it replaces the start of each escape of half of a surrogate pair
// (\ud800 to \udfff), which YAML does not have, by U+07FF. It sets afterValue, and lastComma to -1. If the closing quote
// is missing, offset is after the end of the file.
func (s *jsonScanner) maskString() {
	s.lastComma, s.afterValue = -1, true
	for s.offset++; s.offset < len(s.data) && s.data[s.offset] != '"'; s.offset++ {
		if s.data[s.offset] != '\\' {
			continue
		}
		if escape := s.data[s.offset+1:]; len(escape) > 2 && escape[0] == 'u' && (escape[1] == 'd' || escape[1] == 'D') && escape[2] >= '8' {
			copy(s.masked[s.offset:], "\u07ff")
		}
		s.offset++
	}
	s.offset++
}

// maskBlockComment makes YAML comments of a comment in /* and */ that starts at offset, and moves offset after it. In
// masked, the first character of each of its lines that is not white space becomes "#"; in plain, all of it becomes
// spaces. It sets ok to false if the comment has no end, if something follows it on the same line, or if it cannot
// become a YAML comment for another reason.
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

// maskComment makes YAML comments of the comment from offset to end, and moves offset to end. In masked, the first
// character of each of its lines that is not white space becomes "#" (`// a` becomes `#/ a`). In plain, all of it
// except line breaks LF becomes spaces. It records JSONComments in dialect. It sets ok to false if the comment directly
// follows a word, or contains a line break that is not LF or CR LF.
func (s *jsonScanner) maskComment(end int) {
	s.dialect |= JSONComments
	isSeparated := s.offset == 0 || bytes.IndexByte([]byte(" \t\n,{}[]:\"\xbf"), s.data[s.offset-1]) >= 0
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
