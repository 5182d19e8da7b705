package syntax

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// failureCases are files for which Parse returns an error.
var failureCases = []struct {
	in   string
	want string // the text of the error, or its beginning
}{
	{"a: b: c\n", "mapping values are not allowed"},
	{"a: 1\nb: [\n", "line 2: did not find expected node content"},
	{"a: 1\nb: [2\n", "line 2: did not find expected ',' or ']'"},
	{"a:\n\tb: 1\n", "line 2: a tab cannot be used for indentation"},
	{"a:\n  - \tb: 1\n", "line 2: a tab cannot be used for indentation"},
	{"a: 1\nb: @\tx\n", "line 2: found character that cannot start any token"},
	{"a: *x\n", "unknown anchor 'x' referenced"},
	{"a: 1\n---\nb: ]\n", "line 3: did not find"},
	{"%YAML 1.3\n---\na\n", "found incompatible YAML document"},
	{"\xff\xfea\x00", "line 1, column 1: UTF-16"},
	{"a: 1\nb: \xe9\n", "line 2, column 4: not UTF-8"},
	{"a: 1\nb: é\x00\n", "line 2, column 5: NUL byte"},
	{"a: \x01\n", "control characters are not allowed"},
	{"image: {{ .Values.image,\n  b }}\n", "line 1, column 9: "},
	{"a: {{ &x b }}\n", "line 1, column 5: "},
	{"a: &x b\nc: {{ *x }}\n", "line 2, column 5: "},
	{"? a: 1\n: 1\n", "line 1, column 3: "},
	{"a: &x {}\n*x : 1\n", "line 2, column 1: "},
	{"[? {a: [\nb]} : c]\n", "line 1, column 4: "},
	{strings.Repeat("[", 10001), "exceeded max depth"},
	{"[?]]\n", "line 1, column "},
}

func TestFailures(t *testing.T) {
	for _, c := range failureCases {
		_, err := Parse(text.New([]byte(c.in)))
		var e *Error
		if !errors.As(err, &e) || e.PositionsUncertain != (c.in == "[?]]\n") || !strings.HasPrefix(e.Error(), c.want) {
			t.Errorf("Parse(%.60q) = %v, want %s", c.in, err, c.want)
		} else if unknown := strings.Contains(c.want, "anchor"); unknown != (e.Anchor == "x") || !unknown && e.Anchor != "" {
			t.Errorf("Parse(%.60q) misses the anchor %q", c.in, e.Anchor)
		}
	}
}
