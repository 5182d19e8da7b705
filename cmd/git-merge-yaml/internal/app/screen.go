package app

import (
	"io"
	"os"

	"golang.org/x/term"
)

// A size is what a person sees at once.
type size struct {
	lines, columns int // no limit to the columns where it is 0
}

// screenSize is the size of the terminal that w is, or what is usual.
func screenSize(w io.Writer) size {
	if !isTerminal(w) {
		return size{lines: 24}
	}
	columns, lines, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil || columns < 40 || lines < 10 {
		return size{lines: 24, columns: 80}
	}
	return size{lines, columns}
}

// cut shortens a line that would break.
func (s size) cut(line string) string {
	if r := []rune(line); s.columns > 0 && len(r) > s.columns {
		return string(r[:s.columns-3]) + "..."
	}
	return line
}
