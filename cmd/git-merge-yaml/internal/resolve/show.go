package resolve

import (
	"fmt"
	"slices"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// write shows the question on as many lines as a person sees at once.
func (v *view) write(p *terminal.Painter, screen terminal.Size) error {
	p.Line()
	p.Print(terminal.Bold, v.title())
	p.Line()
	used := 4 // with the blank line and the prompt
	for _, x := range [][2]string{
		{"", v.place()},
		{string(v.Kind) + ": ", v.Why()},
		{"rule: ", v.list},
		{"not verified: ", v.unverified},
		{"ours:   ", v.ours},
		{"theirs: ", v.theirs},
	} {
		if x[1] != "" {
			p.Print(terminal.Plain, screen.Cut("  "+x[0]+x[1]))
			p.Line()
			used++
		}
	}
	v.block(p, screen, screen.Lines-used)
	return p.Err
}

// title is `file:line: conflict 1 of 3`, with the file's number if there are
// several.
func (v *view) title() string {
	at := v.name
	if v.Line > 0 {
		at += fmt.Sprintf(":%d", v.Line)
	}
	at += fmt.Sprintf(": conflict %d of %d", v.number, v.of)
	if v.files > 1 {
		at += fmt.Sprintf(", file %d of %d", v.file, v.files)
	}
	return at
}

// place is the path of what is in conflict, "" where no field is known.
func (v *view) place() string {
	if v.Kind == merge.ConflictLine {
		return ""
	}
	return driver.PathOrDocument(v.Path)
}

// block shows the versions with the lines around them, in at most so many
// lines where that is possible. Lines of other open conflicts have their number.
func (v *view) block(p *terminal.Painter, screen terminal.Size, most int) {
	versions := []struct {
		name   string
		colour terminal.Colour
		lines  []string
	}{
		{"base", terminal.Faint, valueLines(v.Base)}, {"ours", terminal.Green, valueLines(v.Ours)},
		{"theirs", terminal.Yellow, valueLines(v.Theirs)},
	}
	v.shortened = v.question.file.opened != nil
	if v.question.reveals() {
		for _, x := range versions {
			for i, line := range x.lines {
				x.lines[i] = v.question.file.opened.Reveal(line)
			}
		}
	}
	room := most - len(v.Before) - len(v.After)
	total := 0
	for _, x := range versions {
		total += len(x.lines)
	}
	for i, line := range v.Before {
		v.writeGutter(p, screen, terminal.Plain, v.beside(v.openBefore, i), line)
	}
	if total > room && !v.whole {
		var texts [3][]string
		for i, x := range versions {
			texts[i] = x.lines
		}
		shown := elided(texts, max(room/3, 4))
		for i := range versions {
			v.shortened = v.shortened || len(shown[i]) < len(versions[i].lines)
			versions[i].lines = shown[i]
		}
	}
	for _, x := range versions {
		for _, line := range x.lines {
			v.writeGutter(p, screen, x.colour, x.name, line)
		}
	}
	for i, line := range v.After {
		v.writeGutter(p, screen, terminal.Plain, v.beside(v.openAfter, i), line)
	}
}

// elided are base, ours and theirs in at most so many lines each, of which the ones that
// differ are there: what all of them begin and end with is left out but for a line and, where
// ours and theirs go on alike, that of these two.
func elided(versions [3][]string, most int) (shown [3][]string) {
	there := slices.DeleteFunc(slices.Clone(versions[:]), func(x []string) bool { return slices.Equal(x, nothing) })
	head, _ := shared(there, 0)
	both := 0
	if len(there) == len(versions) || slices.Equal(versions[0], nothing) {
		both, _ = shared(versions[1:], 0)
	}
	_, tail := shared(there, head)
	for i, x := range versions {
		from, to := head, len(x)-tail
		if i > 0 && both-head >= most-2 {
			from = both
			_, rest := shared(versions[1:], from)
			to = max(from, len(x)-rest)
		}
		if slices.Equal(x, nothing) {
			from, to = 0, 1
		}
		from, to = max(from-1, 0), min(to+1, len(x))
		if from == 1 {
			from = 0
		}
		if from > 0 {
			shown[i] = append(shown[i], fmt.Sprintf("... %d lines before", from))
		}
		if room := most - 1 - len(shown[i]); to-from > room {
			to = from + max(room, 2)
		}
		if len(x)-to == 1 {
			to = len(x)
		}
		shown[i] = append(shown[i], x[from:to]...)
		if left := len(x) - to; left > 0 {
			shown[i] = append(shown[i], fmt.Sprintf("... and %d more lines, v shows all", left))
		}
	}
	return shown
}

// shared is how many lines all texts begin with, and end with behind the first from of them.
func shared(texts [][]string, from int) (head, tail int) {
	shortest := len(texts[0])
	for _, x := range texts {
		shortest = min(shortest, len(x))
	}
	alike := func(at func(x []string) string) bool {
		return !slices.ContainsFunc(texts[1:], func(x []string) bool { return at(x) != at(texts[0]) })
	}
	for head < shortest && alike(func(x []string) string { return x[head] }) {
		head++
	}
	for tail < shortest-from && alike(func(x []string) string { return x[len(x)-1-tail] }) {
		tail++
	}
	return head, tail
}

// writeGutter writes a line of the file, as much of it as fits unless all is
// asked for.
func (v *view) writeGutter(p *terminal.Painter, screen terminal.Size, c terminal.Colour, name, line string) {
	line = fmt.Sprintf("  %6s | %s", name, line)
	if cut := screen.Cut(line); !v.whole && cut != line {
		line, v.shortened = cut, true
	}
	p.Print(c, line)
	p.Line()
}

// viewWhole shows the question again, with all lines.
func (s *session) viewWhole(v *view) (bool, error) {
	v.whole = true
	v.question.shown = true
	return false, v.write(s.asker.Out, terminal.ScreenSize(s.Stdout))
}
