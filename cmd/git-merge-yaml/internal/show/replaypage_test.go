package show

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
)

// TestPageEscapesHostileText checks that hostile values cannot end their script element, and that the data on the page
// can be decoded.
func TestPageEscapesHostileText(t *testing.T) {
	hostile := `</script><script>alert(1)</script><!-- {{.}} ${x}` + "\u2028\x1b[31m"
	id := git.ID(make([]byte, 20))
	c := &history.Case{
		Number: 1, Merge: id, Parents: [2]git.ID{id, id}, Path: hostile + ".yaml",
		Git:     history.Outcome{Conflicts: 1, Lines: 2},
		Driver:  history.Outcome{Committed: history.EqualBytes},
		Content: history.Content{Driver: []byte("a: 2\nb: 3\n"), Git: []byte("<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\nz\n")},
	}
	c.File = (&session.Session{}).NewFile(c.Path, []byte("a: 1\nb: 1\n"), []byte("a: 2\nb: 1\n"), []byte("a: 1\nb: "+`"</script>"`+"\n"))
	var page string
	h := &Page{Repository: hostile, Range: hostile, Web: "https://example.com/" + url.PathEscape(hostile), Write: func(p []byte) error { page = string(p); return nil }}
	h.AddCase(c, "")
	s := history.Summary{Files: 1}
	if err := h.WriteReplay(s); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(page, "<script"); n != 3 || strings.Contains(page, "alert(1)</script>") || strings.Contains(page, "http://") || strings.Count(page, "https://") != 1 {
		t.Errorf("%d scripts, or hostile text, or a link", n)
	}
	_, data, _ := strings.Cut(page, `id="cases">`)
	data, _, _ = strings.Cut(data, "</script>")
	var got []struct {
		Path, Outcome string
		Diffs         []pageDiff
	}
	if err := json.Unmarshal([]byte(data), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Path != c.Path || got[0].Outcome != "resolved" {
		t.Fatalf("%+v", got)
	}
	var diffs []string
	for _, d := range got[0].Diffs {
		diffs = append(diffs, d.From+" "+d.To+" "+d.Text)
	}
	want := []string{
		"base ours @@ -1,2 +1,2 @@\n-a: 1\n+a: 2\n b: 1\n",
		"base theirs @@ -1,2 +1,2 @@\n a: 1\n-b: 1\n+b: \"</script>\"\n",
		"git driver @@ -1,6 +1,2 @@\n-<<<<<<< ours\n-x\n-=======\n-y\n->>>>>>> theirs\n-z\n+a: 2\n+b: 3\n",
		"driver committed @@ -1,2 +0,0 @@\n-a: 2\n-b: 3\n",
	}
	if !slices.Equal(diffs, want) {
		t.Errorf("diffs %q, want %q", diffs, want)
	}
}

// TestPageEscapesFormatCharacters checks that characters that change the direction of text are escaped in the parts of
// the page that the script does not build.
func TestPageEscapesFormatCharacters(t *testing.T) {
	const turned = "a\u202eb\u061cc\u2066"
	var page string
	h := &Page{Repository: turned, Range: turned, Write: func(p []byte) error { page = string(p); return nil }}
	one := &history.Branch{Name: turned, State: history.StateFailed, Why: turned}
	two := &history.Branch{Name: turned + "2", State: history.StateConflict, PathConflicts: []history.PathConflict{{Path: turned, Kind: turned}}}
	if err := h.WritePreview([]*history.Branch{one, two}); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexFunc(page, func(r rune) bool { return r != '\n' && terminal.IsUnprintable(r) }); i >= 0 {
		t.Errorf("%q", page[max(0, i-100):i+20])
	}
	if n := strings.Count(page, `a\u202eb\u061cc\u2066`); n < 6 {
		t.Errorf("%d names are shown", n)
	}
}

// TestPageCutsLongDiffs checks that a long diff is cut at the end of a line and marked as incomplete.
func TestPageCutsLongDiffs(t *testing.T) {
	line := strings.Repeat("é", 500) + "\n"
	long := []byte(strings.Repeat(line, 1+maxDiffBytes/len(line)))
	h := &Page{Write: func([]byte) error { return nil }}
	h.AddCase(&history.Case{Uncommitted: true, File: (&session.Session{}).NewFile("", nil, long, []byte(line))}, "")
	for i, cut := range []bool{true, false} {
		if d := h.cases[0].Diffs[i]; d.Cut != cut || len(d.Text) > maxDiffBytes || !strings.HasSuffix(d.Text, "é\n") {
			t.Errorf("%d bytes, cut %v", len(d.Text), d.Cut)
		}
	}
}

// TestDescribeTotals checks the sentences about the numbers of a replay, and that there are none about 0 files.
func TestDescribeTotals(t *testing.T) {
	if got := describeTotals(history.Summary{Files: 1}); got != nil {
		t.Errorf("%q", got)
	}
	s := history.Summary{
		Defects: 3, Mended: 2, Worse: 1, Changed: 4, Resolved: history.EqualityCounts{Bytes: 1, Data: 2, Different: 3},
		Verdicts: history.VerdictCounts{history.VerdictMissing: 3, history.VerdictBroken: 1, history.VerdictSharedVersion: 2},
	}
	s.Git.Conflicts, s.Git.Generated.Files = 7, 2
	s.Driver.Clean = history.EqualityCounts{Bytes: 10, Data: 2, Different: 4}
	want := []string{
		"7 files in conflict with git: git-merge-yaml merges 6 without a conflict (1 as committed, 2 with the same data as committed, 3 with different data)",
		"16 files without a conflict with git-merge-yaml: 4 not as committed; of the committed files: 3 without a change of one side, 1 not valid YAML",
		"3 files merged clean but wrong by git, for example with a duplicate key or without an item: git-merge-yaml merges 2 of these without a conflict",
		"1 file in conflict with git-merge-yaml, but not with git",
		"4 files clean with both, with different results",
		"2 files with one version for two releases, against the policy next",
		"2 generated among the 7 files in conflict with git: run the generator again instead of merging",
	}
	if got := describeTotals(s); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPreviewPage checks the title and the numbers of a preview, and that only a long list of conflicts is folded.
func TestPreviewPage(t *testing.T) {
	var page string
	h := &Page{Repository: "shop", Range: "main", Write: func(p []byte) error { page = string(p); return nil }}
	branch := func(name string, conflicts int) *history.Branch {
		return &history.Branch{Name: name, State: history.StateConflict, PathConflicts: make([]history.PathConflict, conflicts)}
	}
	if err := h.WritePreview([]*history.Branch{branch("few", 5), branch("many", 6), {Name: "merged", State: history.StateMerged}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<h1>shop: preview of merges into main</h1>", "Branches: 0 clean, 0 clean only with the driver, 2 in conflict, 1 already merged.", "<summary>6 conflicts</summary>",
	} {
		if strings.Count(page, want) != 1 {
			t.Errorf("%q is not on the page once", want)
		}
	}
	if n := strings.Count(page, "<details>"); n != 1 {
		t.Errorf("%d lists are folded", n)
	}
}
