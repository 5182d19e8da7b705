package explain

import (
	"fmt"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// enoughLines is how many lines of a value people read in a list of changes;
// conflicts are shown whole.
const enoughLines = 12

// WriteText writes the account for people.
func (e *Explanation) WriteText(p *terminal.Painter) error {
	p.Print(terminal.Bold, e.Path)
	p.Print(terminal.Plain, ": "+e.outcome())
	p.Line()
	for _, s := range e.sides {
		s.write(p, e.contested)
	}
	e.writeDecided(p)
	for _, x := range e.twice {
		p.Line()
		p.Print(terminal.Red, x.String())
		p.Line()
	}
	e.writeConflicts(p)
	return p.Err
}

// why says why there is a conflict.
func (e *Explanation) why(c merge.Conflict) string {
	if c.Kind == merge.ConflictRefused && e.result.Refused != "" {
		return e.result.Refused
	}
	return c.Why()
}

// outcome says in one sentence how the file merged.
func (e *Explanation) outcome() string {
	r := e.result
	if session.IsLeft(r) {
		return e.generated()
	}
	var s string
	switch r.Method {
	case merge.Trivial:
		s = "nothing to merge, two of the versions are equal"
	case merge.ByLine:
		s = "merged by lines, as git does, and checked field by field"
	case merge.Delegated:
		s = "merged by lines: " + session.WhyByLines(r.Reason)
	default:
		s = "merged by field"
		switch {
		case e.RuleSet != "":
			s += ", by the rules of " + e.RuleSet
		case r.LineConflicts > 0:
			s += ", git's line merge has " + terminal.Count(r.LineConflicts, "conflict")
		case r.LineConflicts == 0:
			s += ", git's line merge is clean but wrong (" + r.Reason + ")"
		}
	}
	if !r.Clean() {
		s += "; " + terminal.Count(len(r.Conflicts), "conflict") + e.maker()
	}
	return s
}

// generated says what becomes of a file that a program is to make again.
func (e *Explanation) generated() string {
	by, _ := e.Maker()
	return by.String() + ": both sides changed it; ours stands, unmerged, until git merge-yaml regenerate makes it again"
}

// maker says what made a file that is in conflict, if that is known.
func (e *Explanation) maker() string {
	if by, ok := e.Maker(); ok {
		return "; " + driver.MakerMessage(by)
	}
	return ""
}

func (s sideChanges) write(p *terminal.Painter, contested func(path string) bool) {
	p.Line()
	p.Print(terminal.Bold, s.name+" changed")
	p.Line()
	switch {
	case s.err != nil:
		p.Print(terminal.Plain, "  not known field by field: "+s.err.Error())
		p.Line()
	case len(s.changes) == 0:
		p.Print(terminal.Plain, "  nothing but form and comments")
		p.Line()
	}
	for _, c := range s.changes {
		writeChange(p, c, contested(c.Path))
	}
}

// contested reports whether path is in conflict, or inside of what is.
func (e *Explanation) contested(path string) bool {
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
	colour terminal.Colour
}{
	merge.ChangeAdded: {"+", terminal.Green}, merge.ChangeDeleted: {"-", terminal.Red}, merge.ChangeModified: {"~", terminal.Yellow},
	merge.ChangeRenamed: {">", terminal.Yellow}, merge.ChangeReordered: {"%", terminal.Yellow},
}

// kindShown is the kind whose sign c has: blocks and lines of actions are added, deleted
// or modified too.
func kindShown(c merge.Change) merge.ChangeKind {
	switch {
	case !c.OfActions():
		return c.Kind
	case c.From.Text == "" && c.To.Text != "":
		return merge.ChangeAdded
	case c.To.Text == "" && c.From.Text != "":
		return merge.ChangeDeleted
	}
	return merge.ChangeModified
}

func writeChange(p *terminal.Painter, c merge.Change, contested bool) {
	s := signs[kindShown(c)]
	p.Print(s.colour, "  "+s.sign+" "+driver.PathOrDocument(c.Path))
	if c.Kind == merge.ChangeRenamed || c.Kind == merge.ChangeReordered || c.OfActions() {
		p.Print(terminal.Plain, " "+string(c.Kind))
	}
	short := single(c.From.Text) && single(c.To.Text) && c.Kind != merge.ChangeReordered
	switch {
	case !short, c.OfActions() && c.From.Line+c.To.Line == 0:
	case c.From.Line == 0:
		p.Print(terminal.Plain, ": "+value(c.To))
	case c.To.Line == 0:
		p.Print(terminal.Plain, ": "+value(c.From))
	default:
		p.Print(terminal.Plain, ": "+value(c.From)+" -> "+value(c.To))
	}
	if contested {
		p.Print(terminal.Red, " (conflict)")
	}
	if c.List != "" {
		p.Print(terminal.Faint, "  ["+c.List+"]")
	}
	p.Line()
	if !short {
		writeLines(p, terminal.Red, "      - ", c.From.Text, enoughLines)
		writeLines(p, terminal.Green, "      + ", c.To.Text, enoughLines)
	}
}

func single(text string) bool { return !strings.Contains(strings.TrimRight(text, "\r\n"), "\n") }

func value(v merge.Version) string {
	if text := strings.TrimSpace(v.Text); text != "" {
		return text
	}
	return "(empty)"
}

// writeLines writes a text line by line, without the indent that all lines have.
func writeLines(p *terminal.Painter, c terminal.Colour, prefix, text string, limit int) {
	if text == "" {
		return
	}
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	for i, l := range lines {
		if i == limit {
			p.Print(terminal.Faint, fmt.Sprintf("%s... %s more", prefix, terminal.Count(len(lines)-limit, "line")))
			p.Line()
			return
		}
		p.Print(c, prefix+strings.TrimSuffix(l, "\r"))
		p.Line()
	}
}

// writeDecided tells what the rules decided.
func (e *Explanation) writeDecided(p *terminal.Painter) {
	if len(e.result.Resolved) == 0 {
		return
	}
	p.Line()
	p.Print(terminal.Bold, "decided")
	p.Line()
	for _, c := range e.result.Resolved {
		p.Print(terminal.Plain, "  "+driver.PathOrDocument(c.Path)+": "+decision(c))
		p.Line()
	}
}

// decision says what decided, and for which side where it is a rule set.
func decision(c merge.Conflict) string {
	if c.Wrote != "" {
		return "wrote " + c.Wrote + " (" + c.By + ")"
	}
	if !strings.HasPrefix(c.By, "rules ") {
		return c.By
	}
	return "took " + c.Took + " (" + c.By + ")"
}

func (e *Explanation) writeConflicts(p *terminal.Painter) {
	if session.IsLeft(e.result) {
		return
	}
	for i, c := range e.result.Conflicts {
		if i == 0 {
			p.Line()
			p.Print(terminal.Bold, "conflicts")
			p.Line()
		}
		if c.Kind == merge.ConflictLine && c.Path == "" {
			p.Print(terminal.Red, "  (of the line merge)")
		} else {
			p.Print(terminal.Red, "  "+driver.PathOrDocument(c.Path))
		}
		p.Print(terminal.Plain, " ("+e.why(c)+"), line "+fmt.Sprint(c.Line)+" of the result")
		p.Line()
		for _, v := range []struct {
			name string
			merge.Version
		}{{"base", c.Base}, {"ours", c.Ours}, {"theirs", c.Theirs}} {
			prefix := fmt.Sprintf("    %-7s", v.name)
			if v.Text == "" {
				p.Print(terminal.Faint, prefix+"(none)")
				p.Line()
				continue
			}
			writeLines(p, terminal.Plain, prefix, v.Text, len(v.Text))
		}
	}
}
