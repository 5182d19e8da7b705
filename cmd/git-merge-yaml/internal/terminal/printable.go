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

// Printable returns s with control characters and invalid bytes escaped as
// \n, \x1b and the like: a path or a key in a message must not break its line
// or command the terminal.
func Printable(s string) string {
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
