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

// Printable is a line that shows s and does nothing else: a path or a key in it must not break the line or command the
// terminal, so control characters and invalid bytes are escaped as \n, \x1b and the like. Nor may it command the log of a
// CI, which takes for commands `::add-mask::x` where a line begins, behind blanks too, and `##[error]x` and `##vso[x]`
// anywhere: these are \x3a:add-mask::x, \x23#[error]x and \x23#vso[x].
func Printable(s string) string {
	if rest := strings.TrimLeftFunc(s, unicode.IsSpace); strings.HasPrefix(rest, "::") {
		return printable(s[:len(s)-len(rest)]) + `\x3a` + printable(rest[1:])
	}
	return printable(s)
}

// Say writes a line that is safe to show.
func Say(w io.Writer, format string, args ...any) {
	fmt.Fprintln(w, Printable(fmt.Sprintf(format, args...)))
}

// printable is Printable for a piece of a line.
func printable(s string) string {
	s = strings.NewReplacer("##[", `\x23#[`, "##vso[", `\x23#vso[`).Replace(s)
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		shown := s[:size]
		if Unprintable(r) || !utf8.ValidString(shown) {
			shown = strings.Trim(strconv.Quote(shown), `"`)
		}
		b.WriteString(shown)
		s = s[size:]
	}
	return b.String()
}

// Unprintable reports whether r can do more to a terminal than show itself:
// controls, line separators, and the formatting characters that reverse text.
func Unprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Count says a number of things, as in 1 conflict and 2 conflicts.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// ShellWord is a name as a word of a command that people copy: quoted unless no shell could
// read more into it, also at the beginning of a word.
func ShellWord(name string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./@%+:,-"
	if name != "" && name[0] != '-' && strings.Trim(name, plain) == "" {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// JSON is a value on a line, in which characters that are not printable, and can only stand in strings,
// are \u escapes: encoding/json itself leaves out all but the controls of ASCII.
func JSON(value any) ([]byte, error) {
	var text strings.Builder
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	var b []byte
	for _, r := range text.String() {
		if r == '\n' || !Unprintable(r) {
			b = utf8.AppendRune(b, r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			b = fmt.Appendf(b, `\u%04x`, unit)
		}
	}
	return b, err
}
