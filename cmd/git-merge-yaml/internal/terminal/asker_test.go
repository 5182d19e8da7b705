package terminal

import (
	"io"
	"strings"
	"testing"
)

// TestAsk checks the answers, what is written, and that no byte beyond the line of the answer is read.
func TestAsk(t *testing.T) {
	in, out := strings.NewReader(" ours \r\nq"), new(strings.Builder)
	a := &Asker{In: in, Out: &Painter{W: out}}
	for _, want := range []struct {
		answer string
		rest   int
		err    error
	}{{"ours", 1, nil}, {"q", 0, nil}, {"", 0, io.EOF}} {
		got, err := a.ask("Take?")
		if got != want.answer || err != want.err || in.Len() != want.rest {
			t.Errorf("%q %v, %d left, want %v", got, err, in.Len(), want)
		}
	}
	if got := out.String(); got != "Take?  ours \\r\nTake? q\nTake? \n" {
		t.Errorf("shown %q", got)
	}
}
