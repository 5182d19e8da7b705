package app

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// progress is a bar on a terminal that says how far a walk over merges is; nothing
// where stderr is no terminal.
type progress struct {
	w     io.Writer // nil for nothing
	start time.Time
	last  time.Time
	shown bool
}

func newProgress(stderr io.Writer) *progress {
	p := &progress{start: time.Now()}
	if terminal.Is(stderr) {
		p.w = stderr
	}
	return p
}

// barWidth is the number of characters of the bar; the whole line fits into 80.
const barWidth = 16

// atFirst is how long a walk may take without a bar: one that is gone at once tells nobody
// anything.
const atFirst = 700 * time.Millisecond

// update redraws the line, a few times a second; files below 0 are not told.
func (p *progress) update(seen, merges, files int) {
	now := time.Now()
	if p.w == nil || now.Sub(p.start) < atFirst || now.Sub(p.last) < 100*time.Millisecond {
		return
	}
	p.last, p.shown = now, true
	full := barWidth * seen / max(merges, 1)
	of := ""
	if files >= 0 {
		of = ", " + terminal.Count(files, "file")
	}
	fmt.Fprintf(p.w, "\r[%s%s] %d of %d merges%s%s\x1b[K", strings.Repeat("#", full), strings.Repeat(".", barWidth-full),
		seen, merges, of, timeLeft(now.Sub(p.start), seen, merges))
}

// timeLeft is how long what is left will take, as far as that can be told: the first
// merges, before which everything is read, say nothing of hundreds.
func timeLeft(gone time.Duration, seen, merges int) string {
	left := gone / time.Duration(max(seen, 1)) * time.Duration(merges-seen)
	if gone < 3*time.Second && left > time.Minute {
		return ""
	}
	return ", " + left.Round(time.Second).String() + " left"
}

// clear removes the line at the end of the walk. Until then nothing else is printed on a
// terminal: see paged.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
