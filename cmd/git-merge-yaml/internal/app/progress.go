package app

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// progress is one line on a terminal that says how far a replay is; nothing
// where stderr is no terminal.
type progress struct {
	w     io.Writer // nil for nothing
	start time.Time
	last  time.Time
	shown bool
}

func newProgress(stderr io.Writer) *progress {
	p := &progress{start: time.Now()}
	if isTerminal(stderr) {
		p.w = stderr
	}
	return p
}

// isTerminal reports whether a person sees what is written to w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// update redraws the line, a few times a second.
func (p *progress) update(done, all, files int) {
	now := time.Now()
	if p.w == nil || now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.shown = now, true
	left := now.Sub(p.start) / time.Duration(max(done, 1)) * time.Duration(all-done)
	fmt.Fprintf(p.w, "\r%d of %d merges, %d files, %s left\x1b[K", done, all, files, left.Round(time.Second))
}

// clear removes the line, before something else is printed.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
