package show

import (
	"bytes"
	_ "embed"
	"html/template"
	"maps"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

//go:embed page.html
var pageText string

// A Page is one page about merges, which needs no network.
type Page struct {
	// Repository, Range and Date say what was merged, and when.
	Repository, Range string
	Date              time.Time
	// Web is the address of the repository's pages, to which commits are linked;
	// "" for no links.
	Web string
	// Write is given the page, once it is whole.
	Write func(page []byte) error

	cases []pageCase
	size  int // of the texts of the cases
}

// A page holds so much text at most, and a diff in it; cases beyond that are
// only listed.
const maxPage, maxDiff = 48 << 20, 64 << 10

// firstLines cuts a diff that nobody reads to its end.
func firstLines(text string) (first string, cut bool) {
	if len(text) <= maxDiff {
		return text, false
	}
	return text[:strings.LastIndexByte(text[:maxDiff], '\n')+1], true
}

// pageCase is a case as the script of the page reads it.
type pageCase struct {
	jsonCase
	Branch  string     `json:"branch,omitempty"`
	Outcome string     `json:"outcome"`
	About   string     `json:"about,omitempty"` // what was committed
	Diffs   []fileDiff `json:"diffs,omitempty"`
}

// Case keeps c for the page.
func (h *Page) Case(c *history.Case) error {
	h.add(c, "")
	return nil
}

func (h *Page) add(c *history.Case, branch string) {
	j := pageCase{jsonCase: jsonOf(c), Branch: branch, Outcome: outcomeOf(c), About: verdict(c.Review)}
	if branch != "" {
		j.Merge, j.Time, j.Parents = "", nil, nil
	}
	var all []fileDiff
	for _, d := range diffs(c) {
		d.Text, d.Cut = firstLines(d.Text)
		d.Text = strings.ToValidUTF8(d.Text, "\uFFFD")
		all = append(all, d)
		h.size += len(d.Text)
	}
	if h.size <= maxPage {
		j.Diffs = all
	}
	h.cases = append(h.cases, j)
}

// Summary writes the page of a replay.
func (h *Page) Summary(s history.Summary) error {
	return h.write("replay", map[string]any{"Summary": s, "LeftOut": leftOut(s), "Otherwise": verdicts(s.Otherwise), "Generated": generated(s)})
}

// Preview writes the page of a preview: a table of all branches, and a matrix of those that
// are clean alone, if pairs were asked for.
func (h *Page) Preview(p *history.Preview, pairs bool) error {
	type branch struct {
		Name, Class, State string
		Conflicts          []branchConflict
	}
	classes := map[history.State]string{
		history.Merged: "same", history.Clean: "same", history.ByDriver: "resolved", history.Mended: "mended", history.Conflict: "left", history.Failed: "worse",
	}
	var branches []branch
	for _, b := range p.Branches {
		state := states[b.State]
		if b.Why != "" {
			state += ": " + b.Why
		}
		branches = append(branches, branch{b.Name, classes[b.State], state, branchConflicts(b)})
		for _, c := range b.Cases {
			h.add(c, b.Name)
		}
	}
	return h.write("preview", map[string]any{"Branches": branches, "Rows": rows(p), "Pairs": pairs, "Tried": p.Tried})
}

// A row is one of the matrix of pairs.
type row struct {
	Name  string
	Cells []cell
}

type cell struct{ Class, Title string }

// rows are the branches that are in a pair in conflict, each with each.
func rows(p *history.Preview) (rows []row) {
	bad, in := map[[2]string]*history.Branch{}, map[string]bool{}
	for _, b := range p.Pairs {
		bad[[2]string{b.Name, b.With}], bad[[2]string{b.With, b.Name}] = b, b
		in[b.Name], in[b.With] = true, true
	}
	with := func(b, c *history.Branch) string {
		return terminal.Printable(b.Name) + " with " + terminal.Printable(c.Name) + ": "
	}
	for _, b := range p.Branches {
		if !in[b.Name] {
			continue
		}
		r := row{Name: b.Name}
		for _, c := range p.Branches {
			pair := bad[[2]string{b.Name, c.Name}]
			switch {
			case !in[c.Name]:
			case b == c:
				r.Cells = append(r.Cells, cell{})
			case pair == nil:
				r.Cells = append(r.Cells, cell{"resolved", with(b, c) + "clean"})
			default:
				title := with(b, c) + states[pair.State]
				for _, x := range branchConflicts(pair) {
					title += "\n" + terminal.Printable(x.Path)
				}
				r.Cells = append(r.Cells, cell{"left", title})
			}
		}
		rows = append(rows, r)
	}
	return rows
}

func (h *Page) write(what string, data map[string]any) error {
	page, err := template.New("page").Funcs(template.FuncMap{"plural": terminal.Count, "printable": terminal.Printable}).Parse(pageText)
	if err != nil {
		return err
	}
	if h.cases == nil {
		h.cases = []pageCase{}
	}
	all := map[string]any{
		"Summary": nil, "Branches": nil, "Pairs": false,
		"What": what, "Repository": h.Repository, "Range": h.Range, "Date": h.Date.Format(time.DateOnly), "Web": h.Web,
		"Cases": h.cases, "Listed": len(h.cases) > 0, "Committed": committed,
	}
	maps.Copy(all, data)
	var b bytes.Buffer
	if err := page.Execute(&b, all); err != nil {
		return err
	}
	return h.Write(b.Bytes())
}

// outcomeOf classifies a file as the filter of the page knows it.
func outcomeOf(c *history.Case) string {
	switch {
	case c.Git.Defect != "":
		return "mended"
	case !c.Git.Clean() && c.Driver.Clean():
		return "resolved"
	case !c.Git.Clean():
		return "left"
	case !c.Driver.Clean():
		return "worse"
	}
	return "same"
}
