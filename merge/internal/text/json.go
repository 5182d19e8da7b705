package text

import (
	"bytes"
	"encoding/json"
)

// A Dialect is a set of the extensions to JSON that a file uses.
type Dialect uint8

// The extensions that JSON recognizes.
const (
	JSONComments Dialect = 1 << iota
	JSONTrailingCommas
)

// MaskJSON reports in ok whether b is a MaskJSON object or array. Comments and trailing commas are
// allowed; dialect tells which of them b uses. If ok is false, the other results are
// useless.
//
// masked is a text of the same length that a YAML parser can read. In it, comments are YAML
// comments: the first character of each of their lines is "#". The start of an escape of a
// surrogate half (\ud800 to \udfff), which YAML does not have, is replaced by U+07FF. If
// nothing has to be replaced, masked is b itself.
//
//	// the name           #/ the name
//	{"name": "web"} // x  {"name": "web"} #/ x
//
// It returns false for comments that cannot become YAML comments. These are comments
// before something else on the same line, comments directly after a word, and comments
// with a character that only YAML treats as a line break, or a lone CR.
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

// JSON returns the dialect and ok that the function JSON returns for the content of f. The
// first call computes them.
func (f *File) JSON() (dialect Dialect, ok bool) {
	result := f.jsonResult.Load()
	if result == nil {
		result = new(jsonResult)
		_, result.dialect, result.isJSON = MaskJSON(f.data)
		f.jsonResult.Store(result)
	}
	return result.dialect, result.isJSON
}

// A jsonResult is a stored result of File.JSON.
type jsonResult struct {
	dialect Dialect
	isJSON  bool
}

var utf8BOM = []byte("\xef\xbb\xbf")

// A jsonScanner masks the comments and escapes of a JSON file. In plain, comments and
// trailing commas are replaced by spaces, so that it is JSON without extensions.
type jsonScanner struct {
	data, plain, masked []byte
	offset              int
	afterValue          bool // the last token ends a value or a key
	lastComma           int  // the offset of the last token, if that is a comma after a value; -1 otherwise
	dialect             Dialect
	ok                  bool
}

// scanToken moves offset after the next token, comment or white space character.
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

// maskString moves offset after a string. It replaces the start of each escape of a
// surrogate half in masked by U+07FF. YAML has no such escapes.
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

// maskBlockComment masks a comment in /* and */. It sets ok to false if the comment has no end, or if
// something follows it on the same line.
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

// maskComment masks the lines of a comment up to end. It sets ok to false if the comment
// directly follows a word, or contains a line break that is not LF or CR LF.
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
