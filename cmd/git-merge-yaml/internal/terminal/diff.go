package terminal

import (
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// Hunks returns the hunks of the unified diff of two texts, "" of equal ones.
func Hunks(before, after []byte) string {
	text := string(diff.Diff("before", before, "after", after))
	if _, hunks, ok := strings.Cut(text, "\n@@ "); ok {
		return "@@ " + hunks
	}
	return text
}

// Diff writes the hunks of a unified diff, in colours.
func (p *Painter) Diff(hunks string) {
	for line := range strings.Lines(hunks) {
		p.Print(colourOf(line), strings.TrimRight(line, "\r\n"))
		p.Line()
	}
}

func colourOf(line string) Colour {
	switch line[0] {
	case '+':
		return Green
	case '-':
		return Red
	case '@':
		return Faint
	}
	return Plain
}
