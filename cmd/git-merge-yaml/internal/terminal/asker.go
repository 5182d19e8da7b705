package terminal

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"golang.org/x/term"
)

// ErrInterrupted says that a person ended what was under way, as by Ctrl-C.
var ErrInterrupted = errors.New("interrupted")

// ErrQuit says that a person has enough for now.
var ErrQuit = errors.New("quit")

// An Asker asks a person: line by line, or key by key on a terminal.
type Asker struct {
	In   io.Reader
	Out  *Painter
	Keys bool // answers are keys without Enter; In has to be a terminal then
}

// Ask shows a prompt and returns the answer without blanks around it. The
// error is io.EOF where nobody answers any more, errInterrupted after Ctrl-C.
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
	if a.Keys {
		answer, err = a.key()
		a.Out.Print(Plain, answer)
		a.Out.Line()
		return answer, err
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

// key reads one key. The terminal gives lines again when it returns.
func (a *Asker) key() (string, error) {
	fd := int(a.In.(*os.File).Fd())
	state, err := term.MakeRaw(fd)
	if err != nil {
		return "", err
	}
	defer term.Restore(fd, state)
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(ended)
	type press struct {
		key string
		err error
	}
	pressed := make(chan press, 1)
	go func() {
		key, err := a.readKey()
		pressed <- press{key, err}
	}()
	select {
	case p := <-pressed:
		return p.key, p.err
	case <-ended:
		return "", ErrInterrupted
	}
}

// The bytes that keys send to a program that reads them raw.
const (
	keyInterrupt = 3 // Ctrl-C
	keyEnd       = 4 // Ctrl-D
	keyEscape    = 27
)

// readKey reads the first key that is a character. Arrows and the like send a
// sequence, which counts for nothing.
func (a *Asker) readKey() (string, error) {
	var b [1]byte
	for sequence := byte(0); ; {
		if _, err := a.In.Read(b[:]); err != nil {
			return "", err
		}
		switch c := b[0]; {
		case sequence == keyEscape && (c == '[' || c == 'O'):
			sequence = c
		case sequence == '[' || sequence == 'O':
			if c >= '@' && c <= '~' {
				sequence = 0
			}
		case c == keyEscape:
			sequence = c
		case c == keyInterrupt:
			return "", ErrInterrupted
		case c == keyEnd:
			return "", io.EOF
		case c > ' ' && c < 0x7f:
			return string(rune(c)), nil
		default:
			sequence = 0
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
