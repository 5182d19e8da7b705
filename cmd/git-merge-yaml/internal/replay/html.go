package replay

import (
	"bytes"
	"cmp"
	_ "embed"
	"html/template"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

//go:embed page.html
var pageText string

// An HTML writes one page with all cases, which needs no network.
type HTML struct {
	// Repository, Range and Date say what was replayed, and when.
	Repository, Range string
	Date              time.Time
	// Web is the address of the repository's pages, to which commits are linked;
	// "" for no links.
	Web string
	// Write is given the page, once it is whole.
	Write func(page []byte) error

	cases []htmlCase
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

// htmlCase is a case as the script of the page reads it.
type htmlCase struct {
	jsonCase
	Outcome string `json:"outcome"`
	// Settled says what would settle it: versions, a rule for charts, or generated, its
	// program; Right, that it would be as committed.
	Settled   string         `json:"settled,omitempty"`
	Right     bool           `json:"right,omitempty"`
	Decisions []htmlDecision `json:"decisions,omitempty"`
	Diffs     []htmlDiff     `json:"diffs,omitempty"`
}

// An htmlDiff is the hunks of a unified diff; "" of two versions that are alike.
type htmlDiff struct {
	From string `json:"from"`
	To   string `json:"to"`
	Text string `json:"text"`
	Cut  bool   `json:"cut,omitempty"`
}

// An htmlDecision is what the driver made of a field that a side changed.
type htmlDecision struct {
	Path string `json:"path"`
	What string `json:"what"`
}

// Case keeps c for the page.
func (h *HTML) Case(c *Case) error {
	j := htmlCase{jsonCase: c.json()}
	j.Outcome = outcomeOf(j.jsonCase)
	switch {
	case c.chart != nil && c.chart.clean:
		j.Settled, j.Right = "versions", c.chart.committed
	case c.Generated != "":
		j.Settled = "generated"
	}
	var diffs []htmlDiff
	for _, d := range c.diffs() {
		text, cut := firstLines(d.text)
		diffs = append(diffs, htmlDiff{d.from, d.to, strings.ToValidUTF8(text, "\uFFFD"), cut})
		h.size += len(text)
	}
	if h.size <= maxPage {
		j.Decisions, j.Diffs = h.decisions(c), diffs
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
		"Repository": h.Repository, "Range": h.Range, "Date": h.Date.Format(time.DateOnly), "Web": h.Web,
		"Summary": s, "LeftOut": s.LeftOut(), "Otherwise": s.Otherwise.words(), "Cases": h.cases,
		"Kinds": kindBars(h.cases), "Lines": lineBars(s),
	})
	if err != nil {
		return err
	}
	return h.Write(b.Bytes())
}

// decisions are the fields of c that a side changed, in the order of ours, then
// of theirs, by whom, and where both did, what the driver made of them. Of a file that it merged by
// lines there are none.
func (h *HTML) decisions(c *Case) (all []htmlDecision) {
	if c.Driver.Failed != "" || c.Driver.How == merge.Delegated {
		return nil
	}
	told := map[string]int{}
	tell := func(path, what string) {
		if at, ok := told[path]; ok {
			all[at].What = what
			return
		}
		told[path] = len(all)
		all = append(all, htmlDecision{path, what})
	}
	for _, v := range []version{{"ours", c.Content.Ours}, {"theirs", c.Content.Theirs}} {
		changes, err := c.File.Changes(v.data)
		if err != nil {
			return nil
		}
		before := maps.Clone(told)
		for _, ch := range changes {
			_, both := before[ch.Path]
			if _, again := told[ch.Path]; both {
				tell(ch.Path, "changed by both")
			} else if !again {
				tell(ch.Path, string(ch.Kind)+" by "+v.name)
			}
		}
	}
	for _, d := range c.Driver.Decided {
		tell(d.Path, "changed by both: "+cmp.Or(d.Took, "decided")+", by "+d.By)
	}
	for _, f := range c.Driver.Fields {
		tell(f.Path, "left in conflict: "+f.Why())
	}
	return all
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

// mostKinds is how many kinds people tell apart; what else there is goes by one name.
const (
	mostKinds  = 12
	otherKinds = "others"
)

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
	if len(names) > mostKinds { // the rest is one more
		rest := names[mostKinds:]
		names = append(names[:mostKinds:mostKinds], otherKinds)
		counts[otherKinds] = map[string]int{}
		for _, n := range rest {
			totals[otherKinds] += totals[n]
			for class, k := range counts[n] {
				counts[otherKinds][class] += k
			}
		}
	}
	most := 0
	for _, n := range names {
		most = max(most, totals[n])
	}
	var bars []bar
	for _, n := range names {
		b := bar{Name: n, Total: totals[n]}
		for _, o := range outcomes {
			if k := counts[n][o.class]; k > 0 {
				b.Parts = append(b.Parts, part{o.class, o.name, k, percent(k, most)})
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
