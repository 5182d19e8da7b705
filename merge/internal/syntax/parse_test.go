package syntax

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// placed are files that have a tree.
var placed = []string{
	"",
	"\n",
	"# c\n",
	"a: 1\n",
	"a: 1",
	"\ufeffa: 1\n",
	"a: 1\r\nb:\r\n- x\r\n",
	"a: 1\rb: 2\r",
	"---\na: 1\n...\n# c\n---\nb: 2\n",
	"%YAML 1.2\n---\na: 1\n",
	"- a: 1\n  b: 2\n- - x\n  - y\n",
	"a: |\n  x\n\n  y\n\n\nb: >-\n  z\n",
}

func TestParse(t *testing.T) {
	for _, in := range placed {
		if _, err := Parse(text.New([]byte(in))); err != nil {
			t.Errorf("Parse(%q): %v", in, err)
		}
	}
}
