package show

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/history"
)

// TestMarkdownEscapesHostileText checks that neither paths nor values can end the code that contains them.
func TestMarkdownEscapesHostileText(t *testing.T) {
	hostile := "```\n@team <script>alert(1)</script> [a](http://x)\n````\n~~~\n`````yaml\n"
	block := func(first string) string {
		return "'k``y': |\n  " + strings.ReplaceAll(first+hostile, "\n", "\n  ") + "\n"
	}
	e := mergeFiles(t, block("a\n"), block("b\n"), block("c\n"))
	e.Path = "a`b.yaml\n# heading"
	var out bytes.Buffer
	if err := WriteMarkdown(&out, history.Explanation{Cases: []*history.Case{e}}); err != nil {
		t.Fatal(err)
	}
	fence, inside, values := "", false, 0
	for line := range strings.Lines(out.String()) {
		line = strings.TrimSuffix(line, "\n")
		switch run := strings.TrimLeft(line, "`"); {
		case !inside && strings.HasPrefix(line, "  ```"):
			fence, inside = strings.TrimSuffix(line, "yaml"), true
			values++
		case inside && line == fence:
			inside = false
		case inside && (!strings.HasPrefix(line, "  ") || strings.Contains(line, fence[2:])):
			t.Errorf("%q could end the fence %q", line, fence)
		case !inside && (strings.Contains(line, "<") || strings.Contains(line, "@") || run != line):
			t.Errorf("outside of code: %q", line)
		}
	}
	if values != 3 || inside {
		t.Errorf("%d values, still inside: %v", values, inside)
	}
	for _, want := range []string{"### ``a`b.yaml\\n# heading``: 1 conflict\n", "- ```k``y```: both modified the same lines of the text, line "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("want %q in\n%s", want, &out)
		}
	}
}

// TestInlineCode checks the number of backticks, the blanks after them, and the escapes.
func TestInlineCode(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a", "`a`"},
		{"", "`  `"},
		{"a`b", "``a`b``"},
		{"`", "`` ` ``"},
		{" a", "`  a `"},
		{"a\x1b\n", "`a\\x1b\\n`"},
		{strings.Repeat("ä", 200), "`" + strings.Repeat("ä", 150) + "…`"},
	} {
		if got := inlineCode(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// TestMarkdownSizeLimit checks that the text is short enough for a comment, and that its last line contains the number
// of omitted conflicts.
func TestMarkdownSizeLimit(t *testing.T) {
	sides := [3]strings.Builder{}
	for i := range 3 {
		for k := range 1000 {
			sides[i].WriteString(strings.Repeat("k", 50+k%7) + string(rune('a'+k%26)) + strings.Repeat("x", k/26) + ": " + string(rune('1'+i)) + "\n\nz" + strings.Repeat("z", k) + ": 1\n\n")
		}
	}
	e := mergeFiles(t, sides[0].String(), sides[1].String(), sides[2].String())
	var out bytes.Buffer
	if err := WriteMarkdown(&out, history.Explanation{Cases: []*history.Case{e}}); err != nil {
		t.Fatal(err)
	}
	bullets := strings.Count(out.String(), "\n- ")
	if out.Len() > 65_536 || bullets == 0 || !strings.Contains(out.String(), fmt.Sprintf("%d more conflicts left out,", len(e.Result.Conflicts)-bullets)) {
		t.Errorf("%d bytes, %d bullets of %d conflicts", out.Len(), bullets, len(e.Result.Conflicts))
	}
	if got := codeBlock("", strings.Repeat("a\n", 50)); !strings.HasSuffix(got, "\n```\n\n... 10 lines more\n") {
		t.Errorf("%q", got)
	}
}

// TestUnknownLine checks that a conflict without a line in the result, as in a generated file, is reported without one.
func TestUnknownLine(t *testing.T) {
	c := mergeFiles(t, "a: 1\n", "a: 2\n", "a: 3\n")
	c.Result.Conflicts[0].Line = 0
	for _, text := range []string{string(reportText(c, nil, nil)), conflictItem(c, c.Result.Conflicts[0])} {
		if !strings.Contains(text, "`a`") || strings.Contains(text, "of the result") {
			t.Errorf("%s", text)
		}
	}
}
