package replay

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"maps"
	"slices"
	"strings"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

//go:embed page.html
var pageText string

// An HTML writes one page with all cases, which needs no network.
type HTML struct {
	Title string
	// Rules are the team's rules, by which changed fields are told; nil for none.
	Rules *merge.Rules
	// Write is given the page, once it is whole.
	Write func(page []byte) error

	cases []htmlCase
	size  int // of the texts of the cases
}

// A page holds so much text at most; cases beyond that are only listed.
const maxPage = 48 << 20

// htmlCase is a case as the script of the page reads it.
type htmlCase struct {
	jsonCase
	Outcome string     `json:"outcome"`
	Files   []htmlFile `json:"files,omitempty"`
}

type htmlFile struct {
	Name string `json:"name"`
	Text string `json:"text"`
	None bool   `json:"none,omitempty"`
	// Marks are the lines, from 1, of fields that differ from the base, or in
	// the base those that a side changed.
	Marks []int `json:"marks,omitempty"`
}

// Case keeps c for the page.
func (h *HTML) Case(c *Case) error {
	j := htmlCase{jsonCase: c.json()}
	j.Outcome = outcomeOf(j.jsonCase)
	size := 0
	for _, f := range c.Content.files() {
		size += len(f.data)
	}
	if h.size += size; h.size <= maxPage {
		j.Files = h.files(c)
	}
	h.cases = append(h.cases, j)
	return nil
}

// Summary writes the page.
func (h *HTML) Summary(s Summary) error {
	page, err := template.New("page").Funcs(template.FuncMap{"plural": terminal.Count}).Parse(pageText)
	if err != nil {
		return err
	}
	if h.cases == nil {
		h.cases = []htmlCase{}
	}
	var b bytes.Buffer
	err = page.Execute(&b, map[string]any{
		"Title": h.Title, "Summary": s, "LeftOut": s.leftOut(), "Cases": h.cases,
		"Kinds": kindBars(h.cases), "Lines": lineBars(s),
	})
	if err != nil {
		return err
	}
	return h.Write(b.Bytes())
}

// files are the versions of c with their marks.
func (h *HTML) files(c *Case) []htmlFile {
	marks := map[string][]int{}
	var base []int
	for _, v := range []version{{"ours", c.Content.Ours}, {"theirs", c.Content.Theirs}, {"committed", c.Content.Committed}} {
		from, to := h.changedLines(c, v.data)
		marks[v.name] = to
		if v.name != "committed" {
			base = append(base, from...)
		}
	}
	slices.Sort(base)
	marks["base"] = slices.Compact(base)
	marks["git"], marks["driver"] = h.outcomeMarks(c, c.Git, c.Content.Git), h.outcomeMarks(c, c.Driver, c.Content.Driver)
	var files []htmlFile
	for _, f := range c.Content.files() {
		files = append(files, htmlFile{Name: f.name, Text: strings.ToValidUTF8(string(f.data), "\uFFFD"), None: f.data == nil, Marks: marks[f.name]})
	}
	return files
}

// outcomeMarks are the lines inside conflicts or, of a clean result, those
// that differ from the base.
func (h *HTML) outcomeMarks(c *Case, o Outcome, text []byte) (marks []int) {
	if o.Clean() {
		_, marks = h.changedLines(c, text)
		return marks
	}
	line, inside := 0, false
	for l := range bytes.Lines(text) {
		line++
		inside = inside || bytes.HasPrefix(l, []byte("<<<<<<< "))
		if inside {
			marks = append(marks, line)
		}
		inside = inside && !bytes.HasPrefix(l, []byte(">>>>>>> "))
	}
	return marks
}

// changedLines returns the lines of the fields that differ between the base
// and a version of it, in both.
func (h *HTML) changedLines(c *Case, version []byte) (from, to []int) {
	changes, err := merge.Changes(c.Content.Base, version, merge.Options{Path: c.Path, Rules: h.Rules})
	if err != nil {
		return nil, nil
	}
	for _, ch := range changes {
		from, to = appendLines(from, ch.From), appendLines(to, ch.To)
	}
	return from, to
}

func appendLines(lines []int, v merge.Version) []int {
	if v.Line == 0 {
		return lines
	}
	for i := range strings.Count(strings.TrimSuffix(v.Text, "\n"), "\n") + 1 {
		lines = append(lines, v.Line+i)
	}
	return lines
}

// A bar is a row of a chart: parts of a whole, in percent of the longest.
type bar struct {
	Name  string
	Total int
	Parts []part
}

// A part is a piece of a bar; Class says how it looks.
type part struct {
	Class, Name string
	Count       int
	Percent     float64
}

// outcomes are what became of a file, as the first chart and the filter of the
// page know them.
var outcomes = []struct{ class, name string }{
	{"same", "clean with both"},
	{"mended", "git clean but wrong"},
	{"resolved", "resolved by git-merge-yaml"},
	{"left", "in conflict with both"},
	{"worse", "in conflict with git-merge-yaml only"},
}

// outcomeOf classifies a file.
func outcomeOf(c jsonCase) string {
	switch {
	case c.Git.Defect != "":
		return "mended"
	case !c.Git.Clean && c.Driver.Clean:
		return "resolved"
	case !c.Git.Clean:
		return "left"
	case !c.Driver.Clean:
		return "worse"
	}
	return "same"
}

// kindBars are the outcomes by kind of file, the most frequent kind first.
func kindBars(cases []htmlCase) []bar {
	counts := map[string]map[string]int{}
	totals := map[string]int{}
	for _, c := range cases {
		if counts[c.Kind] == nil {
			counts[c.Kind] = map[string]int{}
		}
		counts[c.Kind][outcomeOf(c.jsonCase)]++
		totals[c.Kind]++
	}
	names := slices.SortedFunc(maps.Keys(totals), func(a, b string) int {
		return cmp.Or(totals[b]-totals[a], strings.Compare(a, b))
	})
	var bars []bar
	for _, n := range names {
		b := bar{Name: n, Total: totals[n]}
		for _, o := range outcomes {
			if k := counts[n][o.class]; k > 0 {
				b.Parts = append(b.Parts, part{o.class, o.name, k, percent(k, totals[names[0]])})
			}
		}
		bars = append(bars, b)
	}
	return bars
}

// lineBars are the lines in conflict of both engines.
func lineBars(s Summary) []bar {
	most := max(s.Git.Lines, s.Driver.Lines, 1)
	var bars []bar
	for _, e := range []struct {
		name, class string
		t           Total
	}{{"git", "left", s.Git}, {"git-merge-yaml", "resolved", s.Driver}} {
		b := bar{Name: e.name, Total: e.t.Lines}
		if b.Total > 0 {
			b.Parts = []part{{e.class, "lines in conflict", b.Total, percent(b.Total, most)}}
		}
		bars = append(bars, b)
	}
	return bars
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }
