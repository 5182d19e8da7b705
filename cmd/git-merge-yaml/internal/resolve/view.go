package resolve

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	here "github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/situation"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A view is a question as a person sees it.
type view struct {
	merge.Question
	question     *question
	name         string // of the file
	title        string // `file:line: conflict 1 of 3`, with the file's number if there are several
	list         string // how the list around it pairs
	unverified   string // why no answer is, "" if each is
	ours, theirs string // who they are
	whole        bool   // all lines are asked for
	shortened    bool   // there is more to see
}

// view gathers what there is to know of a question.
func (s *session) view(q *question) *view {
	f := q.file
	v := &view{Question: q.known(), question: q, name: s.tree.Rel(f.Path)}
	v.title = v.name
	if v.Line > 0 {
		v.title += fmt.Sprintf(":%d", v.Line)
	}
	v.title += fmt.Sprintf(": conflict %d of %d", 1+q.index, len(f.questions()))
	if len(s.files) > 1 {
		v.title += fmt.Sprintf(", file %d of %d", 1+slices.Index(s.files, f), len(s.files))
	}
	if f.byLines() {
		v.unverified = "merged by lines (" + here.WhyByLines(f.result.Reason) + ")"
	} else {
		v.list = f.listAround(v.Path)
	}
	v.ours, v.theirs = s.sides(f)
	return v
}

// sides names both sides of a merge and their last commits to the file. Theirs is perhaps a
// stash, where nothing else says it; what git does not tell has the label of the markers.
func (s *session) sides(f *unmergedFile) (ours, theirs string) {
	if f.sides == [2]string{} {
		theirs := s.theirs
		if theirs.Name == "" {
			theirs, _ = situation.StashOf(s.tree.Git, f.Path, f.in.Theirs)
		}
		labels := f.merger("").Labels
		for i, side := range []situation.Side{s.ours, theirs} {
			f.sides[i] = cmp.Or(side.Name, labels[2*i])
			if last, ok := s.situation.Last(side, f.Path); ok {
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

// write shows the question on as many lines as a person sees at once.
func (v *view) write(p *terminal.Painter, screen terminal.Size) error {
	p.Line()
	p.Println(terminal.Bold, v.title)
	place := "" // where no field is known
	if v.Kind != merge.ConflictLine {
		place = driver.PathOrDocument(v.Path)
	}
	used := 4 // with the blank line and the prompt
	for _, x := range [][2]string{
		{"", place},
		{string(v.Kind) + ": ", v.Why()},
		{"rule: ", v.list},
		{"not verified: ", v.unverified},
		{"ours:   ", v.ours},
		{"theirs: ", v.theirs},
	} {
		if x[1] != "" {
			p.Println(terminal.Plain, screen.Cut("  "+x[0]+x[1]))
			used++
		}
	}
	v.block(p, screen, screen.Lines-used)
	return p.Err
}

// block shows the versions with the lines around them, in at most so many lines where that is
// possible; each is cut to what fits, unless all is asked for.
func (v *view) block(p *terminal.Painter, screen terminal.Size, most int) {
	opened := v.question.file.opened
	v.shortened = opened != nil
	var versions [3][]string
	room := most - len(v.Before) - len(v.After)
	total := 0
	for i, x := range []merge.Version{v.Base, v.Ours, v.Theirs} {
		versions[i] = nothing
		if x.Text != "" {
			versions[i] = strings.Split(strings.TrimSuffix(strings.ReplaceAll(x.Text, "\r\n", "\n"), "\n"), "\n")
		}
		for k, line := range versions[i] {
			if opened != nil && v.question.shown && x.Text != "" {
				versions[i][k] = opened.Reveal(line)
			}
		}
		total += len(versions[i])
	}
	if total > room && !v.whole {
		shown := elided(versions, max(room/3, 4))
		for i := range versions {
			v.shortened = v.shortened || len(shown[i]) < len(versions[i])
		}
		versions = shown
	}
	for _, part := range []struct {
		name   string
		colour terminal.Colour
		lines  []string
	}{
		{"", terminal.Plain, v.Before},
		{"base", terminal.Faint, versions[0]}, {"ours", terminal.Green, versions[1]}, {"theirs", terminal.Yellow, versions[2]},
		{"", terminal.Plain, v.After},
	} {
		for _, line := range part.lines {
			line = fmt.Sprintf("  %6s | %s", part.name, line)
			if cut := screen.Cut(line); !v.whole && cut != line {
				line, v.shortened = cut, true
			}
			p.Println(part.colour, line)
		}
	}
}

// nothing stands for a version that has no text.
var nothing = []string{"(nothing)"}

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
