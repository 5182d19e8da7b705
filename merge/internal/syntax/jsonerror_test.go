package syntax

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// FuzzJSON tests that the masked form of a JSON file has a tree with all comments of the file.
func FuzzJSON(f *testing.F) {
	f.Add("{\n  // x\n  \"a\": [1, 2,], // y\n  \"b\": {\"\\ud83d\\ude00\": null} /* z\n */\n}\n")
	f.Add("[\"a\", {\"a\": 1}]// x")
	f.Fuzz(func(t *testing.T, src string) {
		masked, found, ok := text.MaskJSON([]byte(src))
		if !ok {
			return
		}
		st, err := ParseAs(text.New([]byte(src)), masked, nil)
		if err != nil {
			return // YAML has limits that JSON does not have
		}
		comments := 0
		for _, c := range st.Comments() {
			comments++
			if strings.Contains(string(st.File.Slice(c.Span)), "\n") {
				t.Errorf("a comment of several lines: %q", st.File.Slice(c.Span))
			}
		}
		if (comments > 0) != (found&text.JSONComments != 0) {
			t.Errorf("%d comments in %q", comments, src)
		}
	})
}
