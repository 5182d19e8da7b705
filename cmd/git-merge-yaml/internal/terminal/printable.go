package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// EscapeLine returns s as one line that shows its text and has no other effect on a terminal or in the log of a CI job.
// Unprintable characters, such as line feeds, are escaped as in Go strings, and so are commands in logs of GitHub and
// Azure Pipelines. Backslashes are not escaped, so the result can be ambiguous.
//
//	ESC[31m               \x1b[31m
//	::add-mask::a.yaml    \x3a:add-mask::a.yaml
func EscapeLine(s string) string {
	if rest := strings.TrimLeftFunc(s, unicode.IsSpace); strings.HasPrefix(rest, "::") {
		return escapeText(s[:len(s)-len(rest)]) + `\x3a` + escapeText(rest[1:])
	}
	return escapeText(s)
}

// PrintLine formats like fmt.Sprintf and writes the result as one line to w. Unprintable characters, such as control
// characters and line feeds, are escaped as in Go strings, and so are the commands that CI systems read from logs.
// Errors of w are ignored.
func PrintLine(w io.Writer, format string, args ...any) {
	fmt.Fprintln(w, EscapeLine(fmt.Sprintf(format, args...)))
}

// escapeText returns s, a piece of a line, with unprintable characters escaped as in Go strings (\x1b), and with
// commands of Azure Pipelines escaped as by EscapeLine. It leaves "::" at the beginning as it is, because that is a
// command of GitHub only at the beginning of the line.
func escapeText(s string) string {
	s = strings.NewReplacer("##[", `\x23#[`, "##vso[", `\x23#vso[`).Replace(s)
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		shown := s[:size]
		if IsUnprintable(r) || !utf8.ValidString(shown) {
			shown = strings.Trim(strconv.Quote(shown), `"`)
		}
		b.WriteString(shown)
		s = s[size:]
	}
	return b.String()
}

// IsUnprintable reports whether r can have another effect on a terminal than to show a character. These are control
// characters, line feeds and tabs among them, line and paragraph separators, and format characters such as those that
// reverse the direction of text.
func IsUnprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// CountNoun returns a number with a noun in the singular or plural: "1 conflict", "2 conflicts". The plural is formed with s.
func CountNoun(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// QuoteForShell returns s as one word of a shell command that the user can copy. It adds single quotes if s is empty,
// begins with "-", or contains a character that a shell may treat specially.
//
//	a/b-c.yaml    a/b-c.yaml
//	a b           'a b'
//	it's          'it'\''s'
//	-f            '-f'
func QuoteForShell(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./@%+:,-"
	if s != "" && s[0] != '-' && strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// EncodeJSON returns value as one line of JSON that ends with a line feed. Unlike encoding/json, it writes all
// characters that IsUnprintable reports as \u escapes, and does not escape <, > and &. The error is that of
// encoding/json.
func EncodeJSON(value any) ([]byte, error) {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	var b []byte
	for _, r := range text.String() {
		if r == '\n' || !IsUnprintable(r) {
			b = utf8.AppendRune(b, r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			b = fmt.Appendf(b, `\u%04x`, unit)
		}
	}
	return b, err
}
