package syntax

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// What is masked is read as a tree, with the comments that the file has.
func FuzzJSON(f *testing.F) {
	f.Add("{\n  // x\n  \"a\": [1, 2,], // y\n  \"b\": {\"\\ud83d\\ude00\": null} /* z\n */\n}\n")
	f.Add("[\"a\", {\"a\": 1}]// x")
	f.Fuzz(func(t *testing.T, src string) {
		masked, has, ok := text.JSON([]byte(src))
		if !ok {
			return
		}
		st, err := ParseAs(text.New([]byte(src)), masked, nil)
		if err != nil {
			return // YAML has bounds of its own
		}
		all := 0
		for _, c := range st.Comments() {
			all++
			if strings.Contains(string(st.File.Slice(c.Span)), "\n") {
				t.Errorf("a comment of several lines: %q", st.File.Slice(c.Span))
			}
		}
		if (all > 0) != (has&text.JSONComments != 0) {
			t.Errorf("%d comments in %q", all, src)
		}
	})
}
