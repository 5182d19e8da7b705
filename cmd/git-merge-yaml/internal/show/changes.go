package show

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// Difference says field by field what theirs changed of the base. What is not data (comments,
// quotes, the order of keys) and what cannot be read as YAML it shows by lines, as it does a
// version that is nil: a file that was added or deleted.
func Difference(p *terminal.Painter, name string, f session.File) error {
	how, all := difference(f)
	p.Println(terminal.Bold, name, terminal.Plain, map[string]string{
		"equal": ": no difference", "added": ": added", "deleted": ": deleted",
		"lines": ": not YAML in both versions, so by lines", "form": ": only comments and form differ",
	}[how])
	if how != "fields" && how != "equal" {
		p.PrintHunks(terminal.DiffHunks(f.Base, f.Theirs))
	}
	changes(p, all, f.Base, f.Theirs, nil)
	return p.Err
}

// difference says in what way base and theirs differ: by fields, if they do.
func difference(f session.File) (how string, all []merge.Change) {
	all, err := f.Changes(f.Theirs)
	switch {
	case bytes.Equal(f.Base, f.Theirs) && (f.Base == nil) == (f.Theirs == nil):
		return "equal", nil
	case f.Base == nil:
		return "added", nil
	case f.Theirs == nil:
		return "deleted", nil
	case err != nil:
		return "lines", nil
	case len(all) == 0:
		return "form", nil
	}
	return "fields", all
}

// sideChanged tells what a side changed of a file, by lines where it is not known field by field.
func sideChanged(p *terminal.Painter, side string, f session.File, version []byte, contested func(path string) bool) {
	p.Println(terminal.Bold, side+" changed")
	all, err := f.Changes(version)
	switch {
	case err != nil:
		p.Println("  not known field by field: " + err.Error())
		p.PrintHunks(terminal.DiffHunks(f.Base, version))
	case len(all) == 0:
		p.Println("  nothing but form and comments")
	}
	changes(p, all, f.Base, version, contested)
}

// changes tells what changed from one file to another, resource by resource, and the rule of a
// list once. Contested, if it is not nil, reports whether a path is in conflict.
func changes(p *terminal.Painter, all []merge.Change, before, after []byte, contested func(path string) bool) {
	resource, list := "", ""
	for _, c := range all {
		of, path, ok := strings.Cut(c.Path, ": ")
		indent := "    "
		if !ok || !strings.Contains(of, "/") {
			of, path, indent = "", c.Path, "  "
		}
		if of != resource {
			resource, list = of, ""
			if of != "" {
				p.Println(terminal.Bold, "  "+of)
			}
		}
		sign, colour := signOf(c)
		p.Print(colour, indent+sign+" "+driver.PathOrDocument(path))
		if c.Kind == merge.ChangeRenamed || c.Kind == merge.ChangeReordered || c.OfActions() {
			p.Print(" " + string(c.Kind))
		}
		short := isSingle(c.From.Text) && isSingle(c.To.Text) && c.Kind != merge.ChangeReordered
		if short && !(c.OfActions() && c.From.Line+c.To.Line == 0) {
			p.Print(": " + values(c))
		}
		if contested != nil && contested(c.Path) {
			p.Print(terminal.Red, " (conflict)")
		}
		if c.List != "" && c.List != list {
			p.Print(terminal.Faint, "  ["+c.List+"]")
		}
		list = cmp.Or(c.List, list)
		p.Println()
		if !short {
			blocks(p, indent, aligned(c.From, before), aligned(c.To, after))
		}
	}
}

// signOf is how a change is shown: blocks and lines of actions are added, deleted or modified,
// too.
func signOf(c merge.Change) (string, terminal.Colour) {
	switch {
	case c.Kind == merge.ChangeAdded, c.OfActions() && c.From.Text == "" && c.To.Text != "":
		return "+", terminal.Green
	case c.Kind == merge.ChangeDeleted, c.OfActions() && c.To.Text == "" && c.From.Text != "":
		return "-", terminal.Red
	case c.Kind == merge.ChangeRenamed:
		return ">", terminal.Yellow
	case c.Kind == merge.ChangeReordered:
		return "%", terminal.Yellow
	}
	return "~", terminal.Yellow
}

// values are those of a change in one line.
func values(c merge.Change) string {
	from, to := cmp.Or(strings.TrimSpace(c.From.Text), "(empty)"), cmp.Or(strings.TrimSpace(c.To.Text), "(empty)")
	switch {
	case c.From.Line == 0:
		return to
	case c.To.Line == 0:
		return from
	}
	return from + " -> " + to
}

// blocks are the values of a change on lines of their own: of a text that was changed, those
// that differ; of one that was added or deleted, as many as people read.
func blocks(p *terminal.Painter, indent, from, to string) {
	const most = 12
	n := 0
	for line := range strings.Lines(terminal.DiffHunks([]byte(from), []byte(to))) {
		if line[0] != '-' && line[0] != '+' {
			continue
		}
		if n++; n <= most || from != "" && to != "" {
			colour := map[byte]terminal.Colour{'-': terminal.Red, '+': terminal.Green}[line[0]]
			p.Println(colour, indent+"    "+line[:1]+" "+strings.TrimRight(line[1:], "\r\n"))
		}
	}
	if n > most && (from == "" || to == "") {
		p.Println(terminal.Faint, fmt.Sprintf("%s    ... %s more", indent, terminal.CountNoun(n-most, "line")))
	}
}

func isSingle(text string) bool { return !strings.Contains(strings.TrimRight(text, "\r\n"), "\n") }

// aligned is a text of a file without the indent that all of its lines have. The first one
// may begin within its line.
func aligned(v merge.Version, file []byte) string {
	if isSingle(v.Text) || v.Line == 0 {
		return v.Text
	}
	all := strings.Split(v.Text, "\n")
	lines := bytes.SplitN(file, []byte("\n"), v.Line+1)
	if v.Line <= len(lines) {
		at := strings.Index(string(lines[v.Line-1]), all[0])
		all[0] = strings.Repeat(" ", max(at, 0)) + all[0]
	}
	indent := -1
	for _, l := range all {
		if n := len(l) - len(strings.TrimLeft(l, " ")); n < len(l) && (indent < 0 || n < indent) {
			indent = n
		}
	}
	for i, l := range all {
		all[i] = l[min(max(indent, 0), len(l)):]
	}
	return strings.Join(all, "\n")
}
