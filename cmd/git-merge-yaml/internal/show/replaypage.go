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

// pageTemplate is the HTML template of a page, with its styles and script.
//
//go:embed page.html
var pageTemplate string

// A Page is an HTML page about merged files. AddCase adds a file; WriteReplay or WritePreview writes the page, with all
// data in it, so that it needs no network.
type Page struct {
	// Repository, Range and Date are shown at the top of the page: the name of the repository, the range of revisions of
	// a replay ("" for the default) or the base branch of a preview, and the date of the page.
	Repository, Range string
	Date              time.Time
	// Web is the address of the repository on the web, for links to commits; "" for no links.
	Web string
	// Write is called once with the complete page. If it is nil, the methods of the Page do nothing.
	Write func(page []byte) error

	cases []pageCase
	size  int // the size of all diffs in bytes
}

// maxPageBytes limits the diffs on a page, maxDiffBytes each diff. Files beyond maxPageBytes are listed without diffs.
const maxPageBytes, maxDiffBytes = 48 << 20, 64 << 10

// A pageCase is a merged file for the script of the page.
type pageCase struct {
	caseObject
	Branch       string     `json:"branch,omitempty"`
	Outcome      string     `json:"outcome"`
	OutcomeTexts [2]string  `json:"said"` // of git and of the driver
	Diffs        []pageDiff `json:"diffs,omitempty"`
}

// A pageDiff contains the hunks of a unified diff from one version of a file to another.
type pageDiff struct {
	From string `json:"from"`
	To   string `json:"to"`
	Text string `json:"text"`
	Cut  bool   `json:"cut,omitempty"` // Text is incomplete
}

// AddCase adds a merged file to the page, with its results, its conflicts and diffs: from the base to each side, from
// git's result to the driver's, and from that to the committed file. branch is the branch of a preview, or "". Long
// diffs are cut, and after maxPageBytes of diffs, files are added without diffs. It does nothing if Page.Write is nil.
func (h *Page) AddCase(c *history.Case, branch string) {
	if h.Write == nil {
		return
	}
	_, byGit := describeOutcome(c.Git)
	_, byDriver := describeOutcome(c.Driver)
	j := pageCase{caseObject: newCaseObject(c), Branch: branch, OutcomeTexts: [2]string{byGit, byDriver + verdictPhrase(c.Review)}, Outcome: "same"}
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
	addDiff := func(from, to string, before, after []byte) {
		text := terminal.DiffHunks(before, after)
		cut := len(text) > maxDiffBytes
		if cut {
			text = text[:strings.LastIndexByte(text[:maxDiffBytes], '\n')+1]
		}
		j.Diffs = append(j.Diffs, pageDiff{from, to, strings.ToValidUTF8(text, "\uFFFD"), cut})
		h.size += len(text)
	}
	v := &c.Content
	addDiff("base", "ours", c.File.Base, c.File.Ours)
	addDiff("base", "theirs", c.File.Base, c.File.Theirs)
	addDiff("git", "driver", v.Git, v.Driver)
	if !c.Uncommitted {
		addDiff("driver", "committed", v.Driver, v.Committed)
	}
	if h.size > maxPageBytes {
		j.Diffs = nil
	}
	h.cases = append(h.cases, j)
}

// WriteReplay writes the page of a replay, in which past merges were repeated, as one HTML page with Page.Write: the
// totals s, and the files that AddCase has added. It does nothing if Page.Write is nil.
func (h *Page) WriteReplay(s history.Summary) error {
	return h.render(map[string]any{"Summary": s, "LeftOut": describeLeftOut(s), "Notes": describeTotals(s)})
}

// WritePreview writes the page of a preview with Page.Write: the numbers of branches, a table of the branches and their
// conflicts, and the merged files, which WritePreview adds to the page itself. It does nothing if Page.Write is nil.
// The error is that of Page.Write or of the template.
func (h *Page) WritePreview(branches []*history.Branch) error {
	type row struct {
		Name, Class, State string
		Conflicts          []branchConflict
		Fold               bool
	}
	const maxUnfolded = 5
	var rows []row
	for _, b := range branches {
		state := branchStates[b.State].text
		if b.Why != "" {
			state += ": " + b.Why
		}
		conflicts := listConflicts(b)
		rows = append(rows, row{b.Name, branchStates[b.State].class, state, conflicts, len(conflicts) > maxUnfolded})
		for _, c := range b.Cases {
			h.AddCase(c, b.Name)
		}
	}
	return h.render(map[string]any{"Branches": rows, "Totals": summarizeBranches(branches)})
}

// render fills the HTML template of the page and passes the result to Page.Write. It does nothing if Page.Write is nil.
// data has the values that only a replay or only a preview has, by their names in the template; it must not be nil,
// because render adds the others to it. The error is that of the template or of Page.Write.
func (h *Page) render(data map[string]any) error {
	if h.Write == nil {
		return nil
	}
	page, err := template.New("page").Funcs(template.FuncMap{"plural": terminal.CountNoun, "printable": terminal.EscapeLine}).Parse(pageTemplate)
	if err != nil {
		return err
	}
	maps.Copy(data, map[string]any{
		"Repository": h.Repository, "Range": h.Range, "Date": h.Date.Format(time.DateOnly), "Web": h.Web,
		"Cases": append([]pageCase{}, h.cases...), "Listed": len(h.cases) > 0,
	})
	var b bytes.Buffer
	if err := page.Execute(&b, data); err != nil {
		return err
	}
	return h.Write(b.Bytes())
}
