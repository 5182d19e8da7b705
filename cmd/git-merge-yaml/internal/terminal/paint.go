package terminal

import (
	"io"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
)

// A Colour is how a terminal is told to write; "" is as it writes anyway.
type Colour string

// The colours, and what is as good as one.
const (
	Plain  Colour = ""
	Bold   Colour = "1"
	Faint  Colour = "2"
	Red    Colour = "31"
	Green  Colour = "32"
	Yellow Colour = "33"
)

// A Painter writes text piece by piece, in colours if they are asked for.
type Painter struct {
	W       io.Writer
	Colours bool
	Err     error // the first one; nothing is written after it

	begun bool // something stands in the line
}

// Coloured reports whether the environment has nothing against colours.
func Coloured() bool { return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" }

// Print writes one piece of a line; what it says is made safe to show.
func (p *Painter) Print(c Colour, text string) {
	if p.begun {
		text = printable(text)
	} else {
		text = Printable(text)
	}
	p.begun = p.begun || strings.TrimSpace(text) != ""
	if p.Colours && c != Plain {
		text = "\x1b[" + string(c) + "m" + text + "\x1b[m"
	}
	p.write(text)
}

// Println writes the last piece of a line, and ends it.
func (p *Painter) Println(c Colour, text string) {
	p.Print(c, text)
	p.Line()
}

// Line ends a line.
func (p *Painter) Line() {
	p.begun = false
	p.write("\n")
}

func (p *Painter) write(s string) {
	if p.Err == nil {
		_, p.Err = io.WriteString(p.W, s)
	}
}

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
