package app

import (
	"io"
	"os"
)

// A colour is how a terminal is told to write; "" is as it writes anyway.
type colour string

const (
	plain  colour = ""
	bold   colour = "1"
	faint  colour = "2"
	red    colour = "31"
	green  colour = "32"
	yellow colour = "33"
)

// A painter writes text, in colours where a person reads it on a terminal.
type painter struct {
	w       io.Writer
	colours bool
	err     error // the first one
}

func newPainter(w io.Writer) *painter {
	return &painter{w: w, colours: isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}

// print writes one piece of a line; what it says is made safe to show.
func (p *painter) print(c colour, text string) {
	text = printable(text)
	if p.colours && c != plain {
		text = "\x1b[" + string(c) + "m" + text + "\x1b[m"
	}
	p.write(text)
}

func (p *painter) line() { p.write("\n") }

func (p *painter) write(s string) {
	if p.err == nil {
		_, p.err = io.WriteString(p.w, s)
	}
}
