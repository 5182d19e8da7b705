package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// A view is a question as a person sees it.
type view struct {
	merge.Question
	question     *question
	name         string // of the file
	number, of   int    // of the question in its file
	file, files  int    // number of the file, of the session's
	list         string // how the list around it pairs
	ours, theirs string // who they are
	offers       []merge.Take
	alike        int // other open conflicts of its kind
	whole        bool
	shortened    bool
}

// view gathers what there is to know of a question.
func (s *session) view(q *question) *view {
	f := q.file
	v := &view{
		Question: q.known(), question: q,
		name: s.tree.Rel(f.Path), number: 1 + q.index, of: len(f.questions()),
		file: 1 + slices.Index(s.files, f), files: len(s.files),
		list:   f.listAround(q.known().Path),
		offers: f.asked.Offers(q.index),
	}
	v.ours, v.theirs = s.sides(f)
	v.alike = len(s.alike(v))
	return v
}

// sides names both sides of a merge and their last commits to the file.
func (s *session) sides(f *unmergedFile) (ours, theirs string) {
	if f.sides == [2]string{} {
		f.sides = [2]string{
			s.side(f, s.operation.Ours, 0),
			s.side(f, s.theirs(f), 2),
		}
	}
	return f.sides[0], f.sides[1]
}

// theirs is the other side of the merge of f: where no operation says it,
// perhaps a stash.
func (s *session) theirs(f *unmergedFile) git.Tip {
	if s.operation.Theirs.Name != "" {
		return s.operation.Theirs
	}
	tip, _ := s.tree.Stash(f.Path, f.Theirs.ID)
	return tip
}

// side describes a side; what git does not tell has the label of the markers.
func (s *session) side(f *unmergedFile, tip git.Tip, label int) string {
	name := tip.Name
	if name == "" {
		name = f.merger("").labels[label]
	}
	c, ok := s.tree.Last(tip, f.Path)
	if !ok {
		return name
	}
	return fmt.Sprintf("%s: %s %s, %s, %s", name, c.ID, c.Author, c.Date, c.Subject)
}

// listAround says how the items of the list around a conflict were paired.
func (f *unmergedFile) listAround(path string) string {
	if f.changes == nil {
		opts := f.merger("").options()
		opts.Rules = f.team
		for _, side := range [][]byte{f.in.ours.Bytes, f.in.theirs.Bytes} {
			changes, _ := merge.Changes(f.in.base.Bytes, side, opts)
			f.changes = append(f.changes, changes...)
		}
	}
	for _, c := range f.changes {
		if c.Path == path || strings.HasPrefix(c.Path, path) && path != "" && strings.ContainsAny(c.Path[len(path):len(path)+1], ".[") {
			return c.List
		}
	}
	return ""
}

// kindText says what is in conflict, for people.
var kindText = map[merge.ConflictKind]string{
	merge.ConflictValue:        "both changed it, each to something else",
	merge.ConflictDeleteModify: "one deleted it, the other changed it",
	merge.ConflictAddAdd:       "both added something else at one place",
	merge.ConflictReplace:      "both replaced the same by something else",
	merge.ConflictList:         "both changed the same items of a list",
	merge.ConflictComment:      "both changed one comment",
	merge.ConflictText:         "both changed the same lines of a text",
	merge.ConflictRefused:      "what the sides changed cannot be told apart safely",
	merge.ConflictEncrypted:    "SOPS encrypted it, and only SOPS can write it",
}

// write shows the question on as many lines as a person sees at once.
func (v *view) write(p *terminal.Painter, screen terminal.Size) error {
	p.Line()
	p.Print(terminal.Bold, v.title())
	p.Line()
	used := 4 // with the blank line and the prompt
	for _, x := range [][2]string{
		{"", pathOrFile(v.Path)},
		{string(v.Kind) + ": ", kindText[v.Kind]},
		{"rule: ", v.list},
		{"ours:   ", v.ours},
		{"theirs: ", v.theirs},
	} {
		if x[1] != "" {
			p.Print(terminal.Plain, screen.Cut("  "+x[0]+x[1]))
			p.Line()
			used++
		}
	}
	v.block(p, screen.Lines-used)
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

// block shows the versions with the lines around them, in at most so many
// lines where that is possible.
func (v *view) block(p *terminal.Painter, most int) {
	versions := []struct {
		name   string
		colour terminal.Colour
		lines  []string
	}{
		{"base", terminal.Faint, valueLines(v.Base)}, {"ours", terminal.Green, valueLines(v.Ours)}, {"theirs", terminal.Yellow, valueLines(v.Theirs)},
	}
	room := most - len(v.Before) - len(v.After)
	total := 0
	for _, x := range versions {
		total += len(x.lines)
	}
	writeGutter(p, terminal.Plain, "", v.Before)
	for _, x := range versions {
		shown := x.lines
		if n := 2 + max(room-6, 0)/3; total > room && len(shown) > n+1 && !v.whole {
			shown = append(slices.Clone(shown[:n]), fmt.Sprintf("... and %d more lines, v shows all", len(shown)-n))
			v.shortened = true
		}
		writeGutter(p, x.colour, x.name, shown)
	}
	writeGutter(p, terminal.Plain, "", v.After)
}

func writeGutter(p *terminal.Painter, c terminal.Colour, name string, lines []string) {
	for _, line := range lines {
		p.Print(c, fmt.Sprintf("  %6s | %s", name, line))
		p.Line()
	}
}

// valueLines are the lines of a version, or what there is instead.
func valueLines(x merge.Version) []string {
	if x.Text == "" {
		return []string{"(nothing)"}
	}
	return strings.Split(strings.TrimSuffix(strings.ReplaceAll(x.Text, "\r\n", "\n"), "\n"), "\n")
}

// A reply is a key that a question offers.
type reply struct {
	key  string
	word string // another way to say it
	help string
	take merge.Take // what it takes, if it takes a side
	do   func(*session, *view) (done bool, err error)
}

// takes are the keys of what can be taken.
var takes = []reply{
	{"o", "ours", "take ours", merge.TakeOurs, nil},
	{"t", "theirs", "take theirs", merge.TakeTheirs, nil},
	{"b", "base", "take what base has", merge.TakeBase, nil},
	{"k", "both", "keep both, ours first", merge.TakeBoth, nil},
	{"h", "highest", "take the higher one of ours and theirs", merge.TakeHighest, nil},
	{"l", "lowest", "take the lower one of ours and theirs", merge.TakeLowest, nil},
}

// replies are the keys that the question offers.
func (v *view) replies() []reply {
	var all []reply
	for _, c := range takes {
		if slices.Contains(v.offers, c.take) {
			c.do = func(s *session, v *view) (bool, error) { return s.take(v, merge.Answer{Take: c.take}) }
			all = append(all, c)
		}
	}
	all = append(all, reply{"e", "edit", "edit it", "", (*session).edit})
	if v.Field != "" {
		all = append(all, reply{"a", "all", v.allHelp(), "", (*session).all})
	}
	if v.shortened {
		all = append(all, reply{"v", "view", "view all of its lines", "", (*session).viewWhole})
	}
	return append(all,
		reply{"s", "skip", "skip it, for a later run", "", (*session).skip},
		reply{"u", "undo", "undo the last answer", "", func(s *session, _ *view) (bool, error) { return s.undo() }},
		reply{"q", "quit", "quit; what is answered stays", "", func(*session, *view) (bool, error) { return true, errQuit }},
		reply{"?", "help", "show this help", "", func(s *session, v *view) (bool, error) { v.help(s.ask.Out); return false, nil }},
	)
}

// allHelp says what is decided together.
func (v *view) allHelp() string {
	if v.alike == 0 {
		return "decide it, and perhaps for good: at the end, it can become a policy"
	}
	return fmt.Sprintf("decide it and %d more at %s", v.alike, v.fieldText())
}

// fieldText names the field that conflicts have in common.
func (v *view) fieldText() string {
	if v.Resource == "" {
		return v.Field + " of this file"
	}
	return v.Field + " of " + v.Resource
}

// keys are the keys for the prompt, as in [o,t,?].
func (v *view) keys() string {
	var keys []string
	for _, c := range v.replies() {
		keys = append(keys, c.key)
	}
	return "[" + strings.Join(keys, ",") + "]"
}

// key returns the reply that an answer means, a key or its word.
func (v *view) key(answer string) (reply, bool) {
	answer = strings.ToLower(answer)
	for _, c := range v.replies() {
		if answer == c.key || answer == c.word {
			return c, true
		}
	}
	return reply{}, false
}

// text is a reply in the help.
func (k reply) text() string { return fmt.Sprintf("%s - %s (%s)", k.key, k.help, k.word) }

// help says what the keys do.
func (v *view) help(p *terminal.Painter) {
	for _, c := range v.replies() {
		p.Print(terminal.Plain, c.text())
		p.Line()
	}
}

// viewWhole shows the question again, with all lines.
func (s *session) viewWhole(v *view) (bool, error) {
	v.whole = true
	return false, v.write(s.ask.Out, terminal.ScreenSize(s.app.Stdout))
}

// skip leaves the question for later.
func (s *session) skip(*view) (bool, error) {
	s.steps = append(s.steps, step{at: s.at, policies: s.policies})
	s.at++
	return true, nil
}
