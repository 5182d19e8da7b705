package show

import (
	"bytes"
	_ "embed"
	"html/template"
	"maps"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/driver"
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
	// Write is given the page, once it is whole; without it, there is none.
	Write func(page []byte) error

	cases []pageCase
	size  int // of the texts of the cases
}

// A page holds so much text at most, and a diff in it; cases beyond that are
// only listed.
const maxPage, maxDiff = 48 << 20, 64 << 10

// pageCase is a case as the script of the page reads it.
type pageCase struct {
	file
	Branch  string     `json:"branch,omitempty"`
	Outcome string     `json:"outcome"`
	Said    [2]string  `json:"said"` // what git and the driver leave
	Diffs   []pageDiff `json:"diffs,omitempty"`
}

// A pageDiff is how one version of a case became another one: the hunks of a unified diff.
type pageDiff struct {
	From string `json:"from"`
	To   string `json:"to"`
	Text string `json:"text"`
	Cut  bool   `json:"cut,omitempty"`
}

// Case keeps c for the page, of a branch unless that is "".
func (h *Page) Case(c *history.Case, branch string) {
	if h.Write == nil {
		return
	}
	_, byGit := left(c.Git)
	_, byDriver := left(c.Driver)
	j := pageCase{file: fileOf(c), Branch: branch, Said: [2]string{byGit, byDriver + verdict(c.Review)}, Outcome: "same"}
	for i, x := range c.Result.Resolved {
		j.Decided[i].Why = driver.DecisionMessage(x)
	}
	switch git, driver := c.Git.Clean(), c.Driver.Clean(); {
	case c.Git.Defect != "":
		j.Outcome = "mended"
	case !git && driver:
		j.Outcome = "resolved"
	case !git:
		j.Outcome = "left"
	case !driver:
		j.Outcome = "worse"
	}
	diff := func(from, to string, was, is []byte) {
		text := terminal.DiffHunks(was, is)
		cut := len(text) > maxDiff
		if cut {
			text = text[:strings.LastIndexByte(text[:maxDiff], '\n')+1]
		}
		j.Diffs = append(j.Diffs, pageDiff{from, to, strings.ToValidUTF8(text, "\uFFFD"), cut})
		h.size += len(text)
	}
	v := &c.Content
	diff("base", "ours", c.File.Base, c.File.Ours)
	diff("base", "theirs", c.File.Base, c.File.Theirs)
	diff("git", "driver", v.Git, v.Driver)
	if !c.Uncommitted {
		diff("driver", "committed", v.Driver, v.Committed)
	}
	if h.size > maxPage {
		j.Diffs = nil
	}
	h.cases = append(h.cases, j)
}

// Summary writes the page of a replay.
func (h *Page) Summary(s history.Summary) error {
	return h.write("replay", map[string]any{"Summary": s, "LeftOut": leftOut(s), "Otherwise": verdicts(s.Verdicts), "Generated": generated(s)})
}

// Preview writes the page of a preview: a table of all branches, and their files.
func (h *Page) Preview(branches []*history.Branch) error {
	type row struct {
		Name, Class, State string
		Conflicts          []branchConflict
	}
	var rows []row
	for _, b := range branches {
		state := states[b.State].words
		if b.Why != "" {
			state += ": " + b.Why
		}
		rows = append(rows, row{b.Name, states[b.State].class, state, branchConflicts(b)})
		for _, c := range b.Cases {
			h.Case(c, b.Name)
		}
	}
	return h.write("preview", map[string]any{"Branches": rows})
}

func (h *Page) write(what string, data map[string]any) error {
	if h.Write == nil {
		return nil
	}
	page, err := template.New("page").Funcs(template.FuncMap{"plural": terminal.CountNoun, "printable": terminal.EscapeLine}).Parse(pageText)
	if err != nil {
		return err
	}
	maps.Copy(data, map[string]any{
		"What": what, "Repository": h.Repository, "Range": h.Range, "Date": h.Date.Format(time.DateOnly), "Web": h.Web,
		"Cases": append([]pageCase{}, h.cases...), "Listed": len(h.cases) > 0,
	})
	var b bytes.Buffer
	if err := page.Execute(&b, data); err != nil {
		return err
	}
	return h.Write(b.Bytes())
}
