// Package text holds source bytes: positions, line ends and spans.
//
// It knows lines and offsets, nothing of YAML. All offsets are bytes from the
// start of the file; all spans are half open. A line ends with LF, CRLF or a
// lone CR, as in an editor; the other characters that YAML counts as breaks
// (NEL, LS, PS) are ordinary here.
package text

// A Span is the half-open byte range [Start, End) of a file.
type Span struct{ Start, End int }

// Len returns the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// Empty reports whether s holds no byte.
func (s Span) Empty() bool { return s.End <= s.Start }

// Contains reports whether t lies inside s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }
