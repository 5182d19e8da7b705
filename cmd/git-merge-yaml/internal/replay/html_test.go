package replay

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/git"
)

// TestHTML reads the data back out of a page that holds hostile values.
func TestHTML(t *testing.T) {
	hostile := `</script><script>alert(1)</script><!-- {{.}} ${x}` + "\u2028\x1b[31m"
	id := git.BlobID(nil, git.ID(make([]byte, 20)))
	c := &Case{
		Number: 1, Merge: id, Parents: [2]git.ID{id, id}, Path: hostile + ".yaml", Kind: hostile,
		Git:     Outcome{Conflicts: 1, Lines: 2},
		Driver:  Outcome{Committed: EqualBytes},
		Content: Content{Base: []byte("a: 1\nb: 1\n"), Ours: []byte("a: 2\nb: 1\n"), Theirs: []byte("a: 1\nb: " + `"</script>"` + "\n"), Driver: []byte("a: 2\nb: 3\n"), Git: []byte("<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\nz\n")},
	}
	var page string
	h := &HTML{Title: hostile, Write: func(p []byte) error { page = string(p); return nil }}
	if err := h.Case(c); err != nil {
		t.Fatal(err)
	}
	var s Summary
	s.add(c)
	if err := h.Summary(s); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(page, "<script"); n != 2 || strings.Contains(page, "alert(1)</script>") || strings.Contains(page, "http://") || strings.Contains(page, "https://") {
		t.Errorf("%d scripts, or hostile text, or a link", n)
	}
	_, data, _ := strings.Cut(page, `id="cases">`)
	data, _, _ = strings.Cut(data, "</script>")
	var got []htmlCase
	if err := json.Unmarshal([]byte(data), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Path != c.Path || got[0].Outcome != "resolved" {
		t.Fatalf("%+v", got)
	}
	want := map[string][]int{"base": {1, 2}, "ours": {1}, "theirs": {2}, "committed": nil, "git": {1, 2, 3, 4, 5}, "driver": {1, 2}}
	for _, f := range got[0].Files {
		if len(f.Marks) != len(want[f.Name]) || f.None != (f.Name == "committed") {
			t.Errorf("%s: %v, none %v", f.Name, f.Marks, f.None)
		}
	}
}
