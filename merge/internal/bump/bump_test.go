package bump

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/page"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestNext decides a conflict over the first field of three files.
func TestNext(t *testing.T) {
	for _, c := range []struct {
		name               string
		base, ours, theirs string
		own                three.Side
		want, took, wrote  string
		ok                 bool
	}{
		{"bumped", "v: 1.0.0\n", "v: 1.0.1\n", "v: 1.1.0\n", three.Dest, "v: 1.1.1\n", "", "1.1.1", true},
		{"own is theirs", "v: 1.0.0\n", "v: 1.1.0\n", "v: 1.0.1\n", three.Updated, "v: 1.1.1\n", "", "1.1.1", true},
		{"own is above", "v: 1.0.0\n", "v: 2.0.0\n", "v: 1.1.0\n", three.Dest, "v: 2.0.0\n", "ours", "", true},
		{"upstream's form stays", "v: 1.0.0\n", "v: 1.0.1\n", "v:  \"1.1.0\" # new\n", three.Dest, "v:  \"1.1.1\" # new\n", "", "1.1.1", true},
		{"no version", "v: a\n", "v: b\n", "v: c\n", three.Dest, "", "", "", false},
		{"an anchor", "v: 1.0.0\n", "v: &x 1.0.1\n", "v: 1.1.0\n", three.Dest, "", "", "", false},
		{"a mapping", "v: 1.0.0\n", "v: {a: 1}\n", "v: 1.1.0\n", three.Dest, "", "", "", false},
	} {
		var sts [3]*syntax.Stream
		x := &page.Conflict{Kind: plan.ConflictValue, Child: &plan.Child{}}
		for s, in := range []string{c.base, c.ours, c.theirs} {
			sts[s] = parse(t, in)
			x.Alt[s], x.Child.At[s] = []byte(in), sts[s].Docs[0].Root.Entries[0]
		}
		by := schema.Decision{Policy: schema.Next}
		v, ok := Next(x, c.own, sts, by)
		if ok != c.ok || ok && (string(v.Text) != c.want || v.Took != c.took || v.Wrote != c.wrote || v.By != by) {
			t.Errorf("%s: %q, %+v, %v", c.name, v.Text, v, ok)
		}
	}
}

func parse(t *testing.T, in string) *syntax.Stream {
	t.Helper()
	st, err := syntax.Parse(text.New([]byte(in)))
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// TestTwice holds what both sides bumped alike.
func TestTwice(t *testing.T) {
	rules, err := schema.Parse("rules", []byte("rules:\n- fields: {version: next, chart.version: next}\n"), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name               string
		base, ours, theirs string
		want               string // both sides then; "" where they stay
		told               string
	}{
		{"alike", "version: 1.0.0\n", "version: 1.0.1\n", "version: 1.0.1\n", "version: 1.0.2\n", "version"},
		{"nested, the form stays", "chart:\n  version: 'v1.0.0'\n", "chart:\n  version: 'v1.1.0'\n", "chart:\n  version: 'v1.1.0'\n",
			"chart:\n  version: 'v1.2.0'\n", "chart.version"},
		{"on a line of its own", "version:\n  # next\n\n  1.0.0\n", "version:\n  # next\n\n  1.0.1\n", "version:\n  # next\n\n  1.0.1\n",
			"version:\n  # next\n\n  1.0.2\n", "version"},
		{"differently", "version: 1.0.0\n", "version: 1.0.1\n", "version: 1.1.0\n", "", ""},
		{"one side", "version: 1.0.0\n", "version: 1.0.1\n", "version: 1.0.0\n", "", ""},
		{"another field", "a: 1.0.0\n", "a: 1.0.1\n", "a: 1.0.1\n", "", ""},
		{"no YAML", "version: 1.0.0\n", "version: [\n", "version: 1.0.1\n", "", ""},
		{"another number of documents", "version: 1.0.0\n", "version: 1.0.1\n", "version: 1.0.1\n---\na: 1\n", "", ""},
		{"the second document", "a: 1\n---\nversion: 1.0.0\n", "a: 1\n---\nversion: 1.0.1\n", "a: 1\n---\nversion: 1.0.1\n", "a: 1\n---\nversion: 1.0.2\n", "version"},
	} {
		raw := [3][]byte{[]byte(c.base), []byte(c.ours), []byte(c.theirs)}
		found := Twice(raw, "file.yaml", rules)
		got := Rewrite(raw, found)
		want := [3]string{c.base, c.ours, c.theirs}
		told := ""
		if c.want != "" {
			want[three.Dest], want[three.Updated] = c.want, c.want
		}
		for _, v := range found {
			told += v.Path.String()
		}
		for s := range got {
			if string(got[s]) != want[s] {
				t.Errorf("%s: %s is %q", c.name, three.Names[s], got[s])
			}
		}
		if told != c.told {
			t.Errorf("%s: told %q", c.name, told)
		}
	}
}
