package terminal

import (
	"errors"
	"fmt"
	"io"
	"slices"
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
			a.Out.Println(Plain, fmt.Sprintf("no such answer: %q; choose one of these:", answer))
		case i == len(keys)-2:
			return "", ErrQuit
		case 0 <= i && i < len(keys)-2:
			return keys[i].Word, nil
		}
		for _, k := range keys { // lines after the first stand below its words
			help := ScreenSize(a.Out.W).Wrap(k.Key+" - "+k.Help+" ("+k.Word+")", len("k - "))
			for line := range strings.SplitSeq(help, "\n") {
				a.Out.Println(Plain, line)
			}
		}
	}
}

// Yes asks what is answered with yes or no. The error is ErrQuit where a person has enough.
func (a *Asker) Yes(question string) (bool, error) {
	word, err := a.Choose(question, []Key{{"y", "yes", "yes"}, {"n", "no", "no"}})
	return word == "yes", err
}
