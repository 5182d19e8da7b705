package app

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// printable returns s with control characters and invalid bytes escaped as
// \n, \x1b and the like: a path or a key in a message must not break its line
// or command the terminal.
func printable(s string) string {
	if strings.IndexFunc(s, unprintable) < 0 && utf8.ValidString(s) {
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
		case r == utf8.RuneError && size == 1, r < 0x80 && unprintable(r):
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case unprintable(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}

// unprintable reports whether r can do more to a terminal than show itself:
// controls, line separators, and the formatting characters that reverse text.
func unprintable(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}
