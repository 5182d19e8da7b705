package terminal

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
)

// NewEncoder returns an encoder to w that escapes what could command a
// terminal: encoding/json itself leaves out all but the controls of ASCII.
func NewEncoder(w io.Writer) *json.Encoder {
	e := json.NewEncoder(JSONWriter(w))
	e.SetEscapeHTML(false)
	return e
}

// JSONWriter returns a writer to w of JSON, whole values at a time, that turns
// characters that are not printable into \u escapes. They can only stand in
// strings.
func JSONWriter(w io.Writer) io.Writer { return jsonWriter{w} }

type jsonWriter struct{ io.Writer }

func (w jsonWriter) Write(p []byte) (int, error) {
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

func escaped(r rune) bool { return r != '\n' && Unprintable(r) }
