package show

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// An Overview tells the files of one merge in a few lines each: how git merges one, how the
// driver does, and the difference.
type Overview struct {
	*terminal.Painter
	// All tells also the files in which the driver makes no difference.
	All bool

	told, alike int
}

// Case tells one file.
func (w *Overview) Case(c *history.Case) error {
	same := bytes.Equal(c.Content.Git, c.Content.Driver) && c.Review.Verdict != history.Twice
	if !w.All && c.Driver.Clean() && same && (c.Open || c.Review.Verdict == "") {
		w.alike++
		return w.Err
	}
	w.told++
	w.Print(terminal.Bold, c.Path)
	w.Print(terminal.Plain, ": git: "+left(c.Git)+"; "+how(c))
	if c.Generated != "" {
		w.Print(terminal.Plain, "; "+c.Generated)
	}
	w.Line()
	twice(w.Painter, c, "  ")
	for _, d := range c.Result.Resolved {
		w.Print(terminal.Yellow, "  "+driver.PathOrDocument(d.Path)+": "+decision(d))
		w.Line()
	}
	for _, f := range c.Result.Conflicts {
		w.Print(terminal.Red, "  "+driver.PathOrDocument(f.Path)+": left in conflict ("+f.Why()+")")
		w.Line()
	}
	w.Diff(firstHunks(terminal.Hunks(c.Content.Git, c.Content.Driver)))
	w.Line()
	return w.Err
}

// how says how the driver merges a file, and how that compares with what was committed.
func how(c *history.Case) string {
	o := c.Driver
	s := "merged by field"
	switch {
	case o.Failed != "":
		return o.Failed
	case c.Result.Method == merge.Delegated:
		s = "merged by lines: " + session.WhyByLines(c.Result.Reason)
	case c.Result.Method == merge.Trivial:
		s = "both sides made it alike"
	case c.Result.Method == merge.ByLine:
		s = "taken as git merges it"
	}
	if !o.Clean() {
		return s + ", " + left(o)
	}
	if !c.Open {
		s += ", " + committed[o.Committed]
	}
	return s
}

// mostHunks is how many lines of a diff an overview has.
const mostHunks = 40

func firstHunks(hunks string) string {
	lines := strings.SplitAfter(hunks, "\n")
	if len(lines) <= mostHunks+1 {
		return hunks
	}
	return strings.Join(lines[:mostHunks], "") + fmt.Sprintf(" ... %s more\n", terminal.Count(len(lines)-1-mostHunks, "line"))
}

// Summary says how many files there were. Name is the merge.
func (w *Overview) Summary(name string, s history.Summary) error {
	line := name + ": "
	switch {
	case s.Files == 0 && w.told > 0:
		line += terminal.Count(w.told, "file") + " that both sides made alike"
	case s.Files == 0:
		line += "no YAML file that both sides changed"
	case w.told == 0:
		line += terminal.Count(s.Files, "file") + " that both sides changed, each as git merges it"
	case w.alike > 0:
		line += fmt.Sprintf("%s that both sides changed, %d of them as git merges them", terminal.Count(s.Files, "file"), w.alike)
	default:
		line += terminal.Count(s.Files, "file") + " that both sides changed"
	}
	lines := []string{line}
	if made := generated(s); made != "" {
		lines = append(lines, made)
	}
	for _, n := range s.Lost {
		lines = append(lines, n.Path+": "+nameConflict(n))
	}
	for _, l := range leftOut(s) {
		lines = append(lines, "left out: "+l)
	}
	for _, l := range lines {
		w.Print(terminal.Plain, l)
		w.Line()
	}
	return w.Err
}

// File tells a file field by field: what each side changed, what was decided, and what is
// in conflict.
func File(p *terminal.Painter, c *history.Case) error {
	p.Print(terminal.Bold, c.Path)
	p.Print(terminal.Plain, ": "+outcome(c))
	p.Line()
	for _, side := range []struct {
		name string
		text []byte
	}{{"ours", c.File.Ours}, {"theirs", c.File.Theirs}} {
		p.Line()
		p.Print(terminal.Bold, side.name+" changed")
		p.Line()
		all, err := c.File.Changes(side.text)
		switch {
		case err != nil:
			p.Print(terminal.Plain, "  not known field by field: "+err.Error())
			p.Line()
		case len(all) == 0:
			p.Print(terminal.Plain, "  nothing but form and comments")
			p.Line()
		}
		changes(p, all, c.File.Base, side.text, func(path string) bool { return isContested(c, path) })
	}
	if len(c.Result.Resolved) > 0 {
		p.Line()
		p.Print(terminal.Bold, "decided")
		p.Line()
	}
	for _, x := range c.Result.Resolved {
		p.Print(terminal.Plain, "  "+driver.PathOrDocument(x.Path)+": "+decision(x))
		p.Line()
	}
	if c.Review.Verdict == history.Twice {
		p.Line()
	}
	twice(p, c, "")
	if session.IsLeft(c.Result) {
		return p.Err
	}
	for i, x := range conflicts(c) {
		if i == 0 {
			p.Line()
			p.Print(terminal.Bold, "conflicts")
			p.Line()
		}
		conflict(p, c, x)
	}
	return p.Err
}

// twice tells versions that stand for two releases.
func twice(p *terminal.Painter, c *history.Case, indent string) {
	for _, x := range c.Review.Findings {
		if c.Review.Verdict == history.Twice {
			p.Print(terminal.Red, indent+x.String())
			p.Line()
		}
	}
}

// outcome says in one sentence how a file merged.
func outcome(c *history.Case) string {
	r := c.Result
	by, made := c.File.Maker()
	if session.IsLeft(r) {
		return by.String() + ": both sides changed it; ours stands, unmerged, until git merge-yaml regenerate makes it again"
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
		case c.File.RuleSet != "":
			s += ", by the rules of " + c.File.RuleSet
		case r.LineConflicts > 0:
			s += ", git's line merge has " + terminal.Count(r.LineConflicts, "conflict")
		case r.LineConflicts == 0:
			s += ", git's line merge is clean but wrong (" + r.Reason + ")"
		}
	}
	if !r.Clean() {
		s += "; " + terminal.Count(len(r.Conflicts), "conflict")
		if made {
			s += "; " + driver.MakerMessage(by)
		}
	} else if !c.Open && c.Merge != "" {
		s += "; " + committed[c.Driver.Committed]
	}
	return s
}

// isContested reports whether path is in conflict, or inside of what is.
func isContested(c *history.Case, path string) bool {
	for _, x := range c.Result.Conflicts {
		rest, ok := strings.CutPrefix(path, x.Path)
		if ok && x.Path != "" && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return true
		}
	}
	return false
}

// conflict tells a conflict with its three versions.
func conflict(p *terminal.Painter, c *history.Case, x merge.Conflict) {
	if x.Kind == merge.ConflictLine && x.Path == "" {
		p.Print(terminal.Red, "  (of the line merge)")
	} else {
		p.Print(terminal.Red, "  "+driver.PathOrDocument(x.Path))
	}
	p.Print(terminal.Plain, " ("+why(c, x)+"), line "+fmt.Sprint(x.Line)+" of the result")
	p.Line()
	for _, v := range []struct {
		name string
		file []byte
		merge.Version
	}{{"base", c.File.Base, x.Base}, {"ours", c.File.Ours, x.Ours}, {"theirs", c.File.Theirs, x.Theirs}} {
		prefix := fmt.Sprintf("    %-7s", v.name)
		if v.Text == "" {
			p.Print(terminal.Faint, prefix+"(none)")
			p.Line()
			continue
		}
		block(p, terminal.Plain, prefix, aligned(v.Version, v.file), len(v.Text))
	}
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

// changes tells what changed from one file to another, resource by resource, and the rule of a list once.
func changes(p *terminal.Painter, all []merge.Change, before, after []byte, contested func(path string) bool) {
	resource, list := "", ""
	for _, c := range all {
		of, path, ok := strings.Cut(c.Path, ": ")
		indent := "    "
		if !ok || !strings.Contains(of, "/") {
			of, path, indent = "", c.Path, "  "
		}
		if of != resource && of != "" {
			p.Print(terminal.Bold, "  "+of)
			p.Line()
		}
		if of != resource {
			list = ""
		}
		resource = of
		change(p, indent, path, c, before, after, contested(c.Path), c.List != list)
		list = cmp.Or(c.List, list)
	}
}

func change(p *terminal.Painter, indent, path string, c merge.Change, before, after []byte, contested, rule bool) {
	s := signs[kindShown(c)]
	p.Print(s.colour, indent+s.sign+" "+driver.PathOrDocument(path))
	if c.Kind == merge.ChangeRenamed || c.Kind == merge.ChangeReordered || c.OfActions() {
		p.Print(terminal.Plain, " "+string(c.Kind))
	}
	short := isSingle(c.From.Text) && isSingle(c.To.Text) && c.Kind != merge.ChangeReordered
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
	if c.List != "" && rule {
		p.Print(terminal.Faint, "  ["+c.List+"]")
	}
	p.Line()
	if short {
		return
	}
	from, to := aligned(c.From, before), aligned(c.To, after)
	if from == "" || to == "" {
		block(p, terminal.Red, indent+"    - ", from, mostLines)
		block(p, terminal.Green, indent+"    + ", to, mostLines)
		return
	}
	for line := range strings.Lines(terminal.Hunks([]byte(from), []byte(to))) { // those that differ
		switch line[0] {
		case '-':
			block(p, terminal.Red, indent+"    - ", line[1:], 1)
		case '+':
			block(p, terminal.Green, indent+"    + ", line[1:], 1)
		}
	}
}

func isSingle(text string) bool { return !strings.Contains(strings.TrimRight(text, "\r\n"), "\n") }

func value(v merge.Version) string {
	if text := strings.TrimSpace(v.Text); text != "" {
		return text
	}
	return "(empty)"
}

// aligned is a text of a file without the indent that all of its lines have. The first one
// may begin within its line.
func aligned(v merge.Version, file []byte) string {
	if isSingle(v.Text) || v.Line == 0 {
		return v.Text
	}
	first, rest, _ := strings.Cut(v.Text, "\n")
	lines := bytes.SplitN(file, []byte("\n"), v.Line+1)
	if v.Line <= len(lines) {
		if at := strings.Index(string(lines[v.Line-1]), first); at > 0 {
			first = strings.Repeat(" ", at) + first
		}
	}
	all := strings.Split(first+"\n"+rest, "\n")
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

// mostLines is how many lines of a value people read in a list of changes;
// conflicts are shown whole.
const mostLines = 12

// block writes a text line by line behind a prefix, as many as the limit.
func block(p *terminal.Painter, c terminal.Colour, prefix, text string, limit int) {
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

// Difference says field by field what theirs changed of the base. What is not data (comments, quotes, the order of keys) and what
// cannot be read as YAML it shows by lines, as it does a version that is nil: a
// file that was added or deleted.
func Difference(p *terminal.Painter, name string, f session.File) error {
	p.Print(terminal.Bold, name)
	how, all := difference(f)
	said, known := map[string]string{
		"equal": ": no difference", "added": ": added", "deleted": ": deleted",
		"lines": ": not YAML in both versions, so by lines", "form": ": only comments and form differ",
	}[how]
	p.Print(terminal.Plain, said)
	p.Line()
	if !known {
		changes(p, all, f.Base, f.Theirs, func(string) bool { return false })
	} else if how != "equal" {
		p.Diff(terminal.Hunks(f.Base, f.Theirs))
	}
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

// DifferenceJSON is Difference for programs: what differs by lines is not told.
func DifferenceJSON(w io.Writer, name string, f session.File) error {
	how, all := difference(f)
	return terminal.NewEncoder(w).Encode(struct {
		Type    string       `json:"type"`
		File    string       `json:"file"`
		How     string       `json:"how"`
		Changes []jsonChange `json:"changes"`
	}{"diff", name, how, jsonChanges(all)})
}
