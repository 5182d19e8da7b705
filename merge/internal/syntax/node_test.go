package syntax

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// parseRoot returns the root of the first document of in.
func parseRoot(t *testing.T, in string) *Node {
	t.Helper()
	return mustParse(t, in).Docs[0].Root
}

func TestDoubledKey(t *testing.T) {
	const many = "b: 1\nc: 1\nd: 1\ne: 1\nf: 1\ng: 1\nh: 1\ni: 1\n"
	for _, c := range []struct {
		in   string
		want int // the offset of the duplicate field, -1 if there is none
	}{
		{"a: 1\nb: 1\n", -1},
		{"a: 1\na: 2\n", 5},
		{"a: 1\n\"a\": 2\n", 5},
		{"- x: {a: 1, b: 2, a: 3}\n", 18},
		{"a: 1\n---\nb: 1\nb: 1\n", 14},
		{"a: &x {}\nb: &y {}\nc:\n  <<: *x\n  <<: *y\n", -1},
		{"1: 1\n\"1\": 2\n", 5},
		{"~: 1\nnull: 2\n", 5},
		{"a: 1\n" + many + "a: 2\n", 5 + len(many)},
		{"a: 1\n" + many, -1},
	} {
		got := -1
		if e := mustParse(t, c.in).DuplicateKey(); e != nil {
			got = e.Start
		}
		if got != c.want {
			t.Errorf("%q: %d, want %d", c.in, got, c.want)
		}
	}
}

func TestLabels(t *testing.T) {
	for in, want := range map[string]string{
		"{host: a.example, path: /}":      "path=/ host=a.example",
		"{from: 10.0.0.0/8, port: 1}":     "from=10.0.0.0/8?",
		"{port: 1, name: web}":            "name=web",
		"{secret: {secretName: a}, b: 1}": "secret.secretName=a?",
		"{deploy: {env: prod}}":           "deploy? deploy.env=prod?",
		"{run: make}":                     "run=make?",
		"{list: [1], b: 2}":               "",
		"{name: ''}":                      "",
		"{}":                              "",
		"[a]":                             "",
		"a":                               "",
	} {
		var got []string
		for _, l := range parseRoot(t, in).Labels() {
			got = append(got, l.Text+map[bool]string{true: "?"}[l.IsGuess])
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %q, want %q", in, s, want)
		}
	}
	if l := (*Node)(nil).Labels(); l != nil {
		t.Errorf("labels of nil: %v", l)
	}
}

func TestStableNameOf(t *testing.T) {
	for in, want := range map[string]string{
		"{name: web, uses: a/b@v1}": "name=web",
		"{uses: a/b@v1}":            "uses=a/b",
		"{uses: ./local}":           "uses=./local",
		"{run: make}":               "",
		"[a]":                       "",
	} {
		if got := StableNameOf(parseRoot(t, in)); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestScalarAt(t *testing.T) {
	n := parseRoot(t, "kind: Pod\nmetadata:\n  name: web\nlist: [1]\n")
	for _, c := range []struct {
		path []string
		want string
	}{
		{[]string{"kind"}, "Pod"},
		{[]string{"metadata", "name"}, "web"},
		{[]string{"metadata"}, ""},
		{[]string{"kind", "name"}, ""},
		{[]string{"list", "0"}, ""},
		{[]string{"none"}, ""},
	} {
		if got := n.ScalarAt(c.path...); got != c.want {
			t.Errorf("%q: %q", c.path, got)
		}
	}
}

func TestEncrypted(t *testing.T) {
	for in, want := range map[string]bool{
		"a: 1\nsops:\n  mac: ENC[x]\n":       true,
		"a: 1\n---\nsops: {mac: x}\n":        true,
		"a: 1\nsops:\n  lastmodified: now\n": false,
		"a:\n  sops:\n    mac: x\n":          false,
	} {
		if got := mustParse(t, in).IsEncrypted(); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
}

func TestImage(t *testing.T) {
	for _, c := range []struct {
		in            string
		name, version string
		ok            bool
	}{
		{"web", "web", "", true},
		{"web:1.0", "web", ":1.0", true},
		{`"quay.io/a/web:1.0"`, "quay.io/a/web", ":1.0", true},
		{"localhost:5000/web", "localhost:5000/web", "", true},
		{"localhost:5000/web:1@sha256:0af1", "localhost:5000/web", ":1@sha256:0af1", true},
		{"github.com/a/b//web?ref=v1.0", "github.com/a/b//web?ref=", "v1.0", true},
		{"'git::ssh://git@example.com/b.git?depth=1&ref=0af1'", "git::ssh://git@example.com/b.git?depth=1&ref=", "0af1", true},
		{"github.com/a/b?ref=${REF}", "", "", false},
		{"github.com/a/b?ref=v1&depth=1", "", "", false},
		{"web:${TAG}", "", "", false},
		{"'{{ .Values.image }}'", "", "", false},
		{"a b", "", "", false},
		{"8080", "", "", false},
		{"&x web:1", "", "", false},
		{"[web]", "", "", false},
	} {
		st := mustParse(t, c.in+"\n")
		i, ok := st.Docs[0].Root.Image(st.File)
		if ok != c.ok || string(st.File.Slice(i.Name)) != c.name || string(st.File.Slice(i.Version)) != c.version {
			t.Errorf("%s: %q, %q, %v", c.in, st.File.Slice(i.Name), st.File.Slice(i.Version), ok)
		}
	}
}

func TestJSON(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a: 1\nb: [x, ~, true, 1.5, \"1\", 0x10]\n", `{"a":1,"b":["x",null,true,1.5,"1",16]}`},
		{"18446744073709551615\n", "18446744073709551615"},
		{".inf\n", `".inf"`},
		{"2024-01-01\n", `"2024-01-01"`},
	} {
		v, err := parseRoot(t, c.in).JSON()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(v); err != nil || string(got) != c.want {
			t.Errorf("%q: %s, %v", c.in, got, err)
		}
	}
	for in, off := range map[string]int{"a: &x 1\nb: *x\n": 11, "a: &x {}\nb:\n  <<: *x\n": 14} {
		_, err := parseRoot(t, in).JSON()
		if bad, ok := errors.AsType[*JSONError](err); !ok || bad.Off != off {
			t.Errorf("%q: %+v", in, err)
		}
	}
}

func TestLayout(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Layout
	}{
		{"a: 1\n", Layout{UnknownIndent, UnknownIndent, UnknownIndent}},
		{"a:\n  b:\n    c: 1\n", Layout{2, UnknownIndent, UnknownIndent}},
		{"a:\n  b:\n      c: 1\n", Layout{MixedIndent, UnknownIndent, UnknownIndent}},
		{"a:\n- 1\nb:\n- 2\n", Layout{UnknownIndent, 0, UnknownIndent}},
		{"a:\n  - 1\nb: |\n    x\n", Layout{UnknownIndent, 2, 4}},
		{"a: {b: {c: 1}}\n", Layout{UnknownIndent, UnknownIndent, UnknownIndent}},
	} {
		if got := mustParse(t, c.in).Layout(); got != c.want {
			t.Errorf("%q: %+v", c.in, got)
		}
	}
}

func TestFormat(t *testing.T) {
	st := mustParse(t, "a: |2-\n    x\nb: &c !t  # why\n  d: 1\n- e\n"[:36])
	f, block, propped := st.File, st.Docs[0].Root.Entries[0].Value, st.Docs[0].Root.Entries[1].Value
	if got := string(f.Slice(block.BlockHeader(f))); got != "|2-" || !block.IsBlockScalar() || propped.IsBlockScalar() {
		t.Errorf("header %q", got)
	}
	if got := string(f.Slice(block.TextSpan())); got != "    x\n" {
		t.Errorf("text %q", got)
	}
	if got := propped.PropsText(); got != "&c !t" || !propped.HasProperties() || block.HasProperties() || block.SameProperties(propped) {
		t.Errorf("properties %q", got)
	}
	if got := string(f.Slice(text.Span{Start: propped.Span.Start, End: propped.PropsEnd(f)})); got != "&c !t" {
		t.Errorf("properties in the file %q", got)
	}
	list := parseRoot(t, "- a: 1\n  b: 2\n-\n  c: 3\n")
	if !list.Entries[0].Value.IsCompact() || list.Entries[1].Value.IsCompact() || list.IsCompact() {
		t.Error("only a collection that starts on the line of its dash is compact")
	}
}

func TestFieldKey(t *testing.T) {
	n := parseRoot(t, "a: &x b\n\"c\": 1\n~: 2\n*x : 3\n")
	want := []string{"=a", "=c", "null", "*x"}
	for i, e := range n.Entries {
		if got := e.FieldKey(); got != want[i] {
			t.Errorf("%d: %s, want %s", i, got, want[i])
		}
	}
}

func TestScalarData(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"1", `"1"`, false},
		{"a", `"a"`, true},
		{"a", "'a'", true},
		{"yes", `"yes"`, false},
		{"No", "'No'", false},
		{"010", `"010"`, false},
		{"1:30", `"1:30"`, false},
		{"1_000", `"1_000"`, false},
		{"~", "null", true},
		{"~", "", true},
		{"~", `""`, false},
		{"0.10", `"0.10"`, false},
		{"1.2.3", `"1.2.3"`, true},
		{"yesterday", `"yesterday"`, true},
	} {
		at, av := parseRoot(t, c.a+"\n").ScalarData()
		bt, bv := parseRoot(t, c.b+"\n").ScalarData()
		if (at == bt && av == bv) != c.same {
			t.Errorf("%s and %s: %s %q, %s %q", c.a, c.b, at, av, bt, bv)
		}
	}
}
