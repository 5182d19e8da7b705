package explain

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/session"
	"github.com/git-merge-yaml/git-merge-yaml/cmd/git-merge-yaml/internal/terminal"
	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

func explained(t *testing.T, base, ours, theirs string) *Explanation {
	t.Helper()
	s := &session.Session{Library: merge.Merge}
	e, err := Of(s.File("web.yaml", []byte(base), []byte(ours), []byte(theirs), nil))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestExplainJSON(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "..", "..", "..", "docs", "explain.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ base, ours, theirs, want string }{
		{"a: 1\n", "a: 2\n", "a: 3\n", `"kind":"value","line":1`},
		{"a: 1\n", "a: 1\n", "a: 3\n", `"how":"trivial"`},
		{"a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 1\nb: 2\n", `"how":"field"`},
		{"a: 1\nb: {{ x\n", "a: 2\nb: {{ x\n", "a: 3\nb: {{ x\n", `"how":"delegated"`},
		{"l: [a]\n", "l: [a, b]\n", "l: []\n", `"list":"items in order`},
		{"", "a: 1\n", "b: 1\n", `"kind":"added"`},
	} {
		var out bytes.Buffer
		if err := explained(t, c.base, c.ours, c.theirs).WriteJSON(&out); err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(out.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: want %s; %v", out.String(), c.want, err)
		}
	}
}

// TestExplainPrintable holds what is shown of hostile values.
func TestExplainPrintable(t *testing.T) {
	e := explained(t, "a: 1\n", "a: \"x\u202ey\"\n", "a: 3\n")
	for _, colours := range []bool{false, true} {
		var out bytes.Buffer
		p := &terminal.Painter{W: &out, Colours: colours}
		e.sides[0].write(p, e.contested)
		e.writeConflicts(p)
		if got := out.String(); strings.Contains(got, "\u202e") || !strings.Contains(got, `\u202e`) || strings.Contains(got, "\x1b") != colours {
			t.Errorf("colours %v: %q", colours, got)
		}
	}
}
