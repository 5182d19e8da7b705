// Package terminal is what people see and type: text that is safe to show, in
// colours where a person reads it, and questions with their answers. It knows
// nothing of merges.
package terminal

import (
	"fmt"
	"strings"
	"unicode"
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

// printable is Printable for a piece of a line.
func printable(s string) string {
	if strings.Contains(s, "##") {
		s = strings.NewReplacer("##[", `\x23#[`, "##vso[", `\x23#vso[`).Replace(s)
	}
	if strings.IndexFunc(s, Unprintable) < 0 && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == utf8.RuneError && size == 1, r < 0x80 && Unprintable(r):
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case Unprintable(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// Unprintable reports whether r can do more to a terminal than show itself:
// controls, line separators, and the formatting characters that reverse text.
func Unprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}
