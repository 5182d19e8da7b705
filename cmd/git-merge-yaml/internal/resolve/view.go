package resolve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// unverified says why no answer about the file is proven, "" if each is.
func (f *unmergedFile) unverified() string {
	if !f.byLines() {
		return ""
	}
	return "merged by lines (" + session.WhyByLines(f.result.Reason) + ")"
}

// whose names both sides of a merge and their last commits to the file. Theirs is perhaps a
// stash, where nothing else says it; what git does not tell has the label of the markers.
func (f *unmergedFile) whose() (ours, theirs string) {
	if f.sides == [2]string{} {
		ours, theirs := f.situation.Sides()
		if theirs.Name == "" {
			theirs, _ = situation.StashOf(f.tree.Git, f.Path, f.in.Theirs)
		}
		labels := f.merger("").Labels
		for i, side := range []situation.Side{ours, theirs} {
			f.sides[i] = cmp.Or(side.Name, labels[2*i])
			if last, ok := f.situation.Last(side, f.Path); ok {
				f.sides[i] += ": " + last
			}
		}
	}
	return f.sides[0], f.sides[1]
}

// listAround says how the items of the list around a conflict were paired.
func (f *unmergedFile) listAround(path string) string {
	if f.changes == nil {
		file := f.merger("").File()
		for _, side := range [][]byte{file.Ours, file.Theirs} {
			changes, _ := file.Changes(side)
			f.changes = append(f.changes, changes...)
		}
	}
	for _, c := range f.changes {
		if c.OfActions() {
			continue // it is in no list
		}
		if c.Path == path || strings.HasPrefix(c.Path, path) && path != "" && strings.ContainsAny(c.Path[len(path):len(path)+1], ".[") {
			return c.List
		}
	}
	return ""
}

// show shows a conflict on as many lines as a person sees at once, or with whole on all that it
// has, and reports whether there is more to see.
func (r *resolver) show(c *conflict, whole bool) (shortened bool, err error) {
	p, screen, q := r.asker.Out, terminal.ScreenSize(r.Stdout), c.question()
	title := c.name()
	if q.Line > 0 {
		title += fmt.Sprintf(":%d", q.Line)
	}
	title += fmt.Sprintf(": conflict %d of %d", 1+c.index, len(c.questions()))
	files := slices.DeleteFunc(slices.Clone(r.files), func(f *unmergedFile) bool { return len(f.questions()) == 0 })
	if len(files) > 1 {
		title += fmt.Sprintf(", file %d of %d", 1+slices.Index(files, c.unmergedFile), len(files))
	}
	p.Println()
	p.Println(terminal.Bold, title)
	place, list := "", "" // where no field is known
	if q.Kind != merge.ConflictLine {
		place = driver.PathOrDocument(q.Path)
	}
	if !c.byLines() {
		list = c.listAround(q.Path)
	}
	ours, theirs := c.whose()
	used := 4 // with the blank line and the prompt
	for _, x := range [][2]string{
		{"", place}, {string(q.Kind) + ": ", q.Why()}, {"rule: ", list}, {"not verified: ", c.unverified()}, {"ours:   ", ours}, {"theirs: ", theirs},
	} {
		if x[1] != "" {
			p.Println(screen.Cut("  " + x[0] + x[1]))
			used++
		}
	}
	shortened = c.opened != nil
	var versions [3][]string
	total := 0
	for i, x := range []merge.Version{q.Base, q.Ours, q.Theirs} {
		versions[i] = nothing
		if x.Text != "" {
			versions[i] = strings.Split(strings.TrimSuffix(strings.ReplaceAll(x.Text, "\r\n", "\n"), "\n"), "\n")
		}
		for k, line := range versions[i] {
			if c.opened != nil && c.clear && x.Text != "" {
				versions[i][k] = c.opened.Reveal(line)
			}
		}
		total += len(versions[i])
	}
	if room := screen.Lines - used - len(q.Before) - len(q.After); total > room && !whole {
		all := versions
		versions = elided(all, max(room/3, 4))
		for i := range all {
			shortened = shortened || len(versions[i]) < len(all[i])
		}
	}
	for _, part := range []struct {
		name   string
		colour terminal.Colour
		lines  []string
	}{
		{"", terminal.Plain, q.Before},
		{"base", terminal.Faint, versions[0]}, {"ours", terminal.Green, versions[1]}, {"theirs", terminal.Yellow, versions[2]},
		{"", terminal.Plain, q.After},
	} {
		for _, line := range part.lines {
			line = fmt.Sprintf("  %6s | %s", part.name, line)
			if cut := screen.Cut(line); !whole && cut != line {
				line, shortened = cut, true
			}
			p.Println(part.colour, line)
		}
	}
	return shortened, p.Err
}

// nothing stands for a version that has no text.
var nothing = []string{"(nothing)"}

// elided are base, ours and theirs in at most so many lines each, from the line on before the first one that differs:
// of all of them or, where ours and theirs go on alike for longer than there is room, of these two.
func elided(versions [3][]string, most int) (shown [3][]string) {
	there := slices.DeleteFunc(slices.Clone(versions[:]), func(x []string) bool { return slices.Equal(x, nothing) })
	head, both := shared(there), 0
	if len(there) == len(versions) || slices.Equal(versions[0], nothing) {
		both = shared(versions[1:])
	}
	for i, x := range versions {
		from := head
		if i > 0 && both-head >= most-2 {
			from = both
		}
		if from--; from <= 1 || slices.Equal(x, nothing) {
			from = 0
		} else {
			shown[i] = append(shown[i], fmt.Sprintf("... %d lines before", from))
		}
		to := min(from+max(most-1-len(shown[i]), 2), len(x))
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

// shared is how many lines all texts begin with.
func shared(texts [][]string) (n int) {
	for {
		for _, x := range texts {
			if n == len(x) || x[n] != texts[0][n] {
				return n
			}
		}
		n++
	}
}
