package app

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
)

// newEncoder returns an encoder to w that escapes what could command a
// terminal: encoding/json itself leaves out all but the controls of ASCII.
func newEncoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(shownJSON{w})
	e.SetEscapeHTML(false)
	return e
}

// shownJSON writes JSON, whole values at a time, with characters that are not
// printable as \u escapes. They can only stand in strings.
type shownJSON struct{ io.Writer }

func (w shownJSON) Write(p []byte) (int, error) {
	if strings.IndexFunc(string(p), escaped) < 0 {
		return w.Writer.Write(p)
	}
	var b strings.Builder
	for _, r := range string(p) {
		if !escaped(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	if _, err := io.WriteString(w.Writer, b.String()); err != nil {
		return 0, err
	}
	return len(p), nil
}

func escaped(r rune) bool { return r != '\n' && unprintable(r) }
