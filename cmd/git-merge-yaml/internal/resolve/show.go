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
	for _, x := range versions {
		shown := x.lines
		if n := 2 + max(room-6, 0)/3; total > room && len(shown) > n+1 && !v.whole {
			shown = append(slices.Clone(shown[:n]), fmt.Sprintf("... and %d more lines, v shows all", len(shown)-n))
			v.shortened = true
		}
		for _, line := range shown {
			v.writeGutter(p, screen, x.colour, x.name, line)
		}
	}
	for i, line := range v.After {
		v.writeGutter(p, screen, terminal.Plain, v.beside(v.openAfter, i), line)
	}
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
