package terminal

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// TestReadKey: arrows and the like are no keys.
func TestReadKey(t *testing.T) {
	for _, c := range []struct {
		in, want string
		err      error
	}{
		{"o", "o", nil},
		{"\r\n o", "o", nil},
		{"\x1b[Ao", "o", nil},
		{"\x1b[1;5Do", "o", nil},
		{"\x1bOPo", "o", nil},
		{"\x1b[3~\x1b[15~?", "?", nil},
		{"\x1bo", "o", nil},
		{"\x1b\x1b[Bo", "o", nil},
		{"ü\x7fo", "o", nil},
		{"\x03o", "", ErrInterrupted},
		{"\x04o", "", io.EOF},
		{"", "", io.EOF},
		{"\x1b[", "", io.EOF},
	} {
		got, err := (&Asker{In: strings.NewReader(c.in)}).readKey()
		if got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%q: %q %v, want %q %v", c.in, got, err, c.want, c.err)
		}
	}
}

// TestAsk: an answer takes no byte more than its line, which an editor may read.
func TestAsk(t *testing.T) {
	in, out := strings.NewReader(" ours \r\nq"), new(strings.Builder)
	a := &Asker{In: in, Out: &Painter{W: out}}
	for _, want := range []struct {
		answer string
		rest   int
		err    error
	}{{"ours", 1, nil}, {"q", 0, nil}, {"", 0, io.EOF}} {
		got, err := a.Ask("Take?")
		if got != want.answer || err != want.err || in.Len() != want.rest {
			t.Errorf("%q %v, %d left, want %v", got, err, in.Len(), want)
		}
	}
	if got := out.String(); got != "Take?  ours \\x0d\nTake? q\nTake? \n" {
		t.Errorf("shown %q", got)
	}
}
