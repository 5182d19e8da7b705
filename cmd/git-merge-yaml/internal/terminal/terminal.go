// Package terminal is what people see and type: text that is safe to show, in
// colours where a person reads it, and questions with their answers. It knows
// nothing of merges.
package terminal

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/diff"
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

// Print writes pieces of a line, each in the Colour that stands before it; what they say is made safe to show.
func (p *Painter) Print(pieces ...any) {
	colour := Plain
	for _, piece := range pieces {
		if c, ok := piece.(Colour); ok {
			colour = c
			continue
		}
		text := piece.(string)
		if p.begun {
			text = printable(text)
		} else {
			text = Printable(text)
		}
		p.begun = p.begun || strings.TrimSpace(text) != ""
		if p.Colours && colour != Plain {
			text = "\x1b[" + string(colour) + "m" + text + "\x1b[m"
		}
		p.write(text)
	}
}

// Println writes the last pieces of a line, and ends it.
func (p *Painter) Println(pieces ...any) {
	p.Print(pieces...)
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
		colour := map[byte]Colour{'+': Green, '-': Red, '@': Faint}[line[0]]
		p.Println(colour, strings.TrimRight(line, "\r\n"))
	}
}

// ErrInterrupted says that a person ended what was under way, as by Ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// ErrQuit says that a person has enough for now.
var ErrQuit = errors.New("quit")

// An Asker asks a person, who answers by lines.
type Asker struct {
	In  io.Reader
	Out *Painter
}

// Ask shows a prompt and returns the answer without blanks around it. The
// error is io.EOF where nobody answers any more.
//
// It takes from its input no byte more than the answer, since an editor may
// read on.
func (a *Asker) Ask(prompt string) (answer string, err error) {
	a.Out.Print(Bold, prompt)
	a.Out.write(" ")
	if a.Out.Err != nil {
		return "", a.Out.Err
	}
	answer, err = bufio.NewReader(byBytes{a.In}).ReadString('\n')
	if err == io.EOF && answer != "" {
		err = nil
	}
	answer = strings.TrimSuffix(answer, "\n")
	if err != nil || !Is(a.In) { // a terminal shows it by itself
		a.Out.Println(answer)
	}
	return strings.TrimSpace(answer), err
}

// byBytes gives one byte at a time.
type byBytes struct{ io.Reader }

func (r byBytes) Read(p []byte) (int, error) { return r.Reader.Read(p[:1]) }

// A Key is an answer that a question takes: a letter or a word.
type Key struct{ Key, Word, Help string }

// Choose asks until the answer is one of keys, and returns its word. Each question also takes q, whose error
// is ErrQuit, and ?, which explains them all, as what is none of them does.
func (a *Asker) Choose(question string, keys []Key) (word string, err error) {
	keys = append(slices.Clip(keys), Key{"q", "quit", "quit; what is answered stays"}, Key{"?", "help", "show this help"})
	letters := make([]string, len(keys))
	for i, k := range keys {
		letters[i] = k.Key
	}
	for {
		answer, err := a.Ask(question + " [" + strings.Join(letters, ",") + "]?")
		if err != nil {
			return "", err
		}
		answer = strings.ToLower(answer)
		i := slices.IndexFunc(keys, func(k Key) bool { return answer == k.Key || answer == k.Word })
		switch {
		case i < 0 && answer != "":
			a.Out.Println(fmt.Sprintf("no such answer: %q; choose one of these:", answer))
		case i == len(keys)-2:
			return "", ErrQuit
		case 0 <= i && i < len(keys)-2:
			return keys[i].Word, nil
		}
		for _, k := range keys {
			a.Out.Println(k.Key + " - " + k.Help + " (" + k.Word + ")")
		}
	}
}

// Yes asks what is answered with yes or no. The error is ErrQuit where a person has enough.
func (a *Asker) Yes(question string) (bool, error) {
	word, err := a.Choose(question, []Key{{"y", "yes", "yes"}, {"n", "no", "no"}})
	return word == "yes", err
}
