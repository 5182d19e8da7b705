package review

import (
	"bytes"
	"slices"
)

// A hunk is a conflict of git's merge: the lines of ours and of theirs.
type hunk [2][][]byte

// hunksOf reads the conflicts of a file in git's merge style.
func hunksOf(marked []byte) (all []hunk) {
	side := -1
	for line := range bytes.Lines(marked) {
		switch {
		case bytes.HasPrefix(line, []byte("<<<<<<< ")):
			all, side = append(all, hunk{}), 0
		case side == 0 && bytes.Equal(bytes.TrimRight(line, "\r\n"), []byte("=======")):
			side = 1
		case side == 1 && bytes.HasPrefix(line, []byte(">>>>>>> ")):
			side = -1
		case side >= 0:
			h := &all[len(all)-1]
			h[side] = append(h[side], line)
		}
	}
	return all
}

// A span is lines of a file, from 1.
type span struct{ first, last int }

func (s span) holds(line int) bool { return s.first <= line && line <= s.last }

// place finds the lines of a side's part of hunks in its file, in order.
func place(file []byte, hunks []hunk, side int) (at []span) {
	lines := slices.Collect(bytes.Lines(file))
	from := 0
	for _, h := range hunks {
		part := h[side]
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
