package show

import (
	"bytes"
	"slices"
)

// A span is lines of a file, from 1.
type span struct{ first, last int }

func (s span) holds(line int) bool { return s.first <= line && line <= s.last }

// place finds the parts of a side in its file, in order.
func place(file []byte, parts [][]byte) (at []span) {
	lines := slices.Collect(bytes.Lines(file))
	from := 0
	for _, p := range parts {
		part := slices.Collect(bytes.Lines(p))
		for i := from; i+len(part) <= len(lines) && len(part) > 0; i++ {
			if slices.EqualFunc(lines[i:i+len(part)], part, func(a, b []byte) bool {
				return bytes.Equal(bytes.TrimRight(a, "\r\n"), bytes.TrimRight(b, "\r\n"))
			}) {
				at, from = append(at, span{i + 1, i + len(part)}), i+len(part)
				break
			}
		}
	}
	return at
}
