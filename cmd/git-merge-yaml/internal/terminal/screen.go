package terminal

import (
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
)

// Is reports whether a person sees what is written to stream, or types
// what is read from it.
func Is(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// A Size is what a person sees at once.
type Size struct {
	Lines, columns int // no limit to the columns where it is 0
}

// ScreenSize is the size of the terminal that w is, or what is usual.
func ScreenSize(w io.Writer) Size {
	if !Is(w) {
		return Size{Lines: 24}
	}
	columns, lines, err := term.GetSize(int(w.(*os.File).Fd()))
	if err != nil || columns < 40 || lines < 10 {
		return Size{Lines: 24, columns: 80}
	}
	return Size{lines, columns}
}

// Cut shortens a line that would break.
func (s Size) Cut(line string) string {
	if r := []rune(line); s.columns > 0 && len(r) > s.columns {
		return string(r[:s.columns-3]) + "..."
	}
	return line
}

// Wrap breaks a line between words where it would not fit; what follows is
// indented by indent blanks.
func (s Size) Wrap(line string, indent int) string {
	if s.columns == 0 {
		return line
	}
	var out strings.Builder
	column := 0
	for i, word := range strings.Fields(line) {
		switch n := utf8.RuneCountInString(word); {
		case i == 0:
			column = n
		case column+1+n > s.columns:
			out.WriteString("\n" + strings.Repeat(" ", indent))
			column = indent + n
		default:
			out.WriteByte(' ')
			column += 1 + n
		}
		out.WriteString(word)
	}
	return out.String()
}
