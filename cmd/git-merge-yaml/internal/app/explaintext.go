package app

import (
	"fmt"
	"io"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// enoughLines is how many lines of a value people read in a list of changes;
// conflicts are shown whole.
const enoughLines = 12

func (e *explanation) writeText(w io.Writer) error {
	p := newPainter(w)
	p.print(bold, e.path)
	p.print(plain, ": "+e.outcome())
	p.line()
	for _, s := range e.sides {
		s.write(p, e.contested)
	}
	e.writeDecided(p)
	e.writeConflicts(p)
	return p.err
}

// outcome says in one sentence how the file merged.
func (e *explanation) outcome() string {
	r := e.result
	var s string
	switch r.Method {
	case merge.Trivial:
		s = "nothing to merge, two of the versions are equal"
	case merge.ByLine:
		s = "merged by lines, as git does, and checked field by field"
	case merge.Delegated:
		s = "merged by lines: " + r.Reason
	default:
		s = "merged by field"
		switch {
		case e.ruleSet != "":
			s += ", by the rules of " + e.ruleSet
		case r.LineConflicts > 0:
			s += ", git's line merge has " + count(r.LineConflicts, "conflict")
		case r.LineConflicts == 0:
			s += ", git's line merge is clean but wrong (" + r.Reason + ")"
		}
	}
	if !r.Clean() {
		s += "; " + count(len(r.Conflicts), "conflict")
	}
	return s
}

func (s sideChanges) write(p *painter, contested func(path string) bool) {
	p.line()
	p.print(bold, s.name+" changed")
	p.line()
	switch {
	case s.err != nil:
		p.print(plain, "  not known field by field: "+s.err.Error())
		p.line()
	case len(s.changes) == 0:
		p.print(plain, "  nothing but form and comments")
		p.line()
	}
	for _, c := range s.changes {
		writeChange(p, c, contested(c.Path))
	}
}

// contested reports whether path is in conflict, or inside of what is.
func (e *explanation) contested(path string) bool {
	for _, c := range e.result.Conflicts {
		rest, ok := strings.CutPrefix(path, c.Path)
		if ok && c.Path != "" && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// signs are how the kinds of changes are shown.
var signs = map[merge.ChangeKind]struct {
	sign   string
	colour colour
}{
	merge.ChangeAdded: {"+", green}, merge.ChangeDeleted: {"-", red}, merge.ChangeModified: {"~", yellow},
	merge.ChangeRenamed: {">", yellow}, merge.ChangeReordered: {"%", yellow},
}

func writeChange(p *painter, c merge.Change, contested bool) {
	s := signs[c.Kind]
	p.print(s.colour, "  "+s.sign+" "+pathOrFile(c.Path))
	if c.Kind == merge.ChangeRenamed || c.Kind == merge.ChangeReordered {
		p.print(plain, " "+string(c.Kind))
	}
	short := single(c.From.Text) && single(c.To.Text) && c.Kind != merge.ChangeReordered
	switch {
	case !short:
	case c.From.Line == 0:
		p.print(plain, ": "+value(c.To))
	case c.To.Line == 0:
		p.print(plain, ": "+value(c.From))
	default:
		p.print(plain, ": "+value(c.From)+" -> "+value(c.To))
	}
	if contested {
		p.print(red, " (conflict)")
	}
	if c.List != "" {
		p.print(faint, "  ["+c.List+"]")
	}
	p.line()
	if !short {
		writeLines(p, red, "      - ", c.From.Text, enoughLines)
		writeLines(p, green, "      + ", c.To.Text, enoughLines)
	}
}

// pathOrFile names the whole document of a file that has one.
func pathOrFile(path string) string {
	if path == "" {
		return "(the whole document)"
	}
	return path
}

func single(text string) bool { return !strings.Contains(strings.TrimRight(text, "\r\n"), "\n") }

func value(v merge.Version) string {
	if text := strings.TrimSpace(v.Text); text != "" {
		return text
	}
	return "(empty)"
}

// writeLines writes a text line by line, without the indent that all lines have.
func writeLines(p *painter, c colour, prefix, text string, limit int) {
	if text == "" {
		return
	}
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	for i, l := range lines {
		if i == limit {
			p.print(faint, fmt.Sprintf("%s... %s more", prefix, count(len(lines)-limit, "line")))
			p.line()
			return
		}
		p.print(c, prefix+strings.TrimSuffix(l, "\r"))
		p.line()
	}
}

// writeDecided tells what the rules decided.
func (e *explanation) writeDecided(p *painter) {
	if len(e.result.Resolved) == 0 {
		return
	}
	p.line()
	p.print(bold, "decided")
	p.line()
	for _, c := range e.result.Resolved {
		p.print(plain, "  "+pathOrFile(c.Path)+": "+decision(c))
		p.line()
	}
}

// decision says what decided, and for which side where it is a rule set.
func decision(c merge.Conflict) string {
	if !strings.HasPrefix(c.By, "rules ") {
		return c.By
	}
	return "took " + c.Took + " (" + c.By + ")"
}

func (e *explanation) writeConflicts(p *painter) {
	for i, c := range e.result.Conflicts {
		if i == 0 {
			p.line()
			p.print(bold, "conflicts")
			p.line()
		}
		if c.Kind == merge.ConflictLine && c.Path == "" {
			p.print(red, "  (of the line merge)")
		} else {
			p.print(red, "  "+pathOrFile(c.Path))
		}
		p.print(plain, " ("+string(c.Kind)+"), line "+fmt.Sprint(c.Line)+" of the result")
		p.line()
		for _, v := range []struct {
			name string
			merge.Version
		}{{"base", c.Base}, {"ours", c.Ours}, {"theirs", c.Theirs}} {
			prefix := fmt.Sprintf("    %-7s", v.name)
			if v.Text == "" {
				p.print(faint, prefix+"(none)")
				p.line()
				continue
			}
			writeLines(p, plain, prefix, v.Text, len(v.Text))
		}
	}
}
