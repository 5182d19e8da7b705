package terminal

import (
	"errors"
	"io"
	"strings"
)

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
	for i, line := range strings.Split(ScreenSize(a.Out.W).Wrap(prompt, 0), "\n") {
		if i > 0 {
			a.Out.Line()
		}
		a.Out.Print(Bold, line)
	}
	a.Out.write(" ")
	if a.Out.Err != nil {
		return "", a.Out.Err
	}
	answer, err = a.readLine()
	if err != nil || !Is(a.In) { // a terminal shows it by itself
		a.Out.Print(Plain, answer)
		a.Out.Line()
	}
	return strings.TrimSpace(answer), err
}

// readLine reads up to a line break.
func (a *Asker) readLine() (string, error) {
	var line []byte
	var b [1]byte
	for {
		n, err := a.In.Read(b[:])
		switch {
		case n > 0 && b[0] == '\n':
			return string(line), nil
		case n > 0:
			line = append(line, b[0])
		case err == io.EOF && len(line) > 0:
			return string(line), nil
		case err != nil:
			return "", err
		}
	}
}

// Yes asks what is answered with yes or no. The error is ErrQuit where a person has enough.
func (a *Asker) Yes(question string) (bool, error) {
	for {
		answer, err := a.Ask(question + " [y,n,q,?]?")
		if err != nil {
			return false, err
		}
		switch strings.ToLower(answer) {
		case "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		case "q", "quit":
			return false, ErrQuit
		}
		a.Out.Print(Plain, "y - yes, n - no, q - quit, ? - show this help")
		a.Out.Line()
	}
}
