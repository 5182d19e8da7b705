package skim

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"testing"

	"gopkg.in/yaml.v3"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/features"
)

// differ says how two trees differ in what stands in the file, "" if they
// do not.
func differ(a, b *Node) string {
	if a == nil || b == nil {
		return "nil"
	}
	type seen struct {
		kind         yaml.Kind
		style        yaml.Style
		tag, value   string
		anchor       string
		line, column int
		children     int
	}
	of := func(n *Node) seen {
		s := seen{n.Kind, n.Style, "", n.Value, n.Anchor(), int(n.Line), int(n.Column), len(n.Content)}
		if n.Kind != yaml.DocumentNode {
			s.tag = n.ShortTag()
		}
		if empty(n) || n.Kind == yaml.DocumentNode {
			s.line, s.column = 0, 0
		}
		return s
	}
	if of(a) != of(b) {
		return fmt.Sprintf("%+v is not %+v", of(a), of(b))
	}
	for i := range a.Content {
		if d := differ(a.Content[i], b.Content[i]); d != "" {
			return d
		}
	}
	return ""
}

// empty reports whether nothing is written of n.
func empty(n *Node) bool {
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style == 0
}

// decode reads data by yaml.v3.
func decode(data []byte) (roots []*yaml.Node, err error) {
	for dec := yaml.NewDecoder(bytes.NewReader(data)); ; {
		n := new(yaml.Node)
		if err := dec.Decode(n); errors.Is(err, io.EOF) {
			return roots, nil
		} else if err != nil {
			return nil, err
		}
		roots = append(roots, n)
	}
}

// agree fails t unless yaml.v3 reads from src what was skimmed, if it read
// anything. It reports whether that did.
func agree(t *testing.T, src []byte) bool {
	t.Helper()
	read, err := decode(src)
	want := Of(read)
	return Read(src, func(got []*Node) {
		t.Helper()
		if err != nil {
			t.Errorf("yaml.v3 refuses %q: %v", src, err)
			return
		}
		if len(got) != len(want) {
			t.Errorf("%d documents, not %d, in %q", len(got), len(want), src)
			return
		}
		for i := range got {
			if d := differ(got[i], want[i]); d != "" {
				t.Errorf("%s in %q", d, src)
			}
		}
	})
}

// cases are files that are skimmed, and files that only look so.
var cases = []struct {
	src  string
	skim bool
}{
	{"", true},
	{"# a\n\n", true},
	{"a: 1\n", true},
	{"a: 1", true},
	{"a: |\n  b", false},
	{"a: # b\n- c\n", true},
	{"a:\n  b: c # d\n  e:\n", true},
	{"a:\n- b\n-\n- - c\n  - d\n- e: f\n  g: h\ni: j\n", true},
	{"  a: b\n  c: d\n", true},
	{"a: b\n c: d\n", false},
	{"a:\n    b: 1\n  c: 2\n", false},
	{"- a\nb: c\n", false},
	{"a: - b\n", false},
	{"a: b: c\n", false},
	{"a: b:\n", false},
	{"a:b\n", false},
	{"a: b\n\n  c\n  - d\ne: f\n", true},
	{"a: b\n# c\n  d\n", false},
	{"a: b # c\n  d\n", false},
	{"a:\n  b c\n   d\n", true},
	{"- b\n - c\n", true},
	{"---\na: 1\n---\n---\n# b\n", true},
	{"--- a\n", false},
	{"a: 1\n...\n", false},
	{"a: 1\n--- # b\n- c\n", true},
	{"%YAML 1.1\n---\na: 1\n", false},
	{"a: |\n\n  b\n   c\n\n  # d\nf: |-\n  g\n\n# h\ni: |+\n  j\n\n\n", true},
	{"a: |\n   \n  b\n", false},
	{"a: |\nb: c\n", false},
	{"a: |2\n  b\n", false},
	{"a: >\n  b\n  c\n\n  d\n   e\n   f\n  g\n\n\n   h\n  i\n", true},
	{"a: >-\n\n   b\n\nc: >+\n  d\n\n", true},
	{"a: |\n\tb\n", false},
	{"a: |\n  \tb\n", false},
	{"- |\n a\n- b\n", true},
	{"a:\n- |\n b\n", true},
	{"'a b': 'c''d'\n\"e\": \"f\\n\\\"g\"\n", true},
	{"a: \"\\x41\"\n", false},
	{"a: \"b\n  c\"\n", true},
	{"a: 'b \n\n  \n  c #d \n  e'  # f\ng: 'h\n  '\n", true},
	{"a: 'b\nc'\n", false},
	{"a: 'b\n  c''d'''\n", true},
	{"a: '\n  b'\n", true},
	{"a: \"b\n  c\\n\"\n", false},
	{"a: \"b\"c\n", false},
	{"a: \"b\" #c\n", true},
	{"a: \"b\"#c\n", false},
	{"a: [b, 1, {c: d, 'e': \"f\"}, []]\ng: {}\n", true},
	{"a: [b, ]\n", false},
	{"a: [b c, d*, e-f ]\n", true},
	{"a: [-b]\n", false},
	{"a: [b\n]\n", false},
	{"a: {b}\n", false},
	{"a: [b: c]\n", false},
	{"a: {b: c}: d\n", false},
	{"a: &b c\n", false},
	{"a: *b\n", false},
	{"a: !b c\n", false},
	{"<<: a\n", false},
	{"a: <<\n", false},
	{"? a\n", false},
	{"a:\tb\n", false},
	{"\ta: b\n", false},
	{"a: nul\nb: tRUE\nc: No\nd: o\ne: /\nf: _1\ng: $x\nh: (\ni: 0\nj: 00\nk: 12\nl: 999999999999999\nm: 9999999999999999999\nn: TRUE\no: Null\n", true},
	{"a: yes\nb: 010\nc: 1_0\nd: 0x1\ne: .5\nf: -1\ng: ~\nh: null\ni: 2001-01-01\nj: 1e3\nk: False\n", true},
	{"é: a\n", false},
	{"a: é\n\"é\": [é, b]\n", false},
	{"a: é # é\n\"é\": b\n", true},
	{"a: b\u0085c: d\n", false},
	{"a: b\u2028c: d\n", false},
	{"\ufeffa: b\n", false},
	{"a: b\r\n", false},
	{"a: \x01\n", false},
	{"a\n", false},
	{"a:b:c: d\nx.y/z-w: e\n$(f) g: h\n", true},
}

// TestRead holds that what is skimmed is what yaml.v3 reads.
func TestRead(t *testing.T) {
	for _, c := range cases {
		if agree(t, []byte(c.src)) != c.skim {
			t.Errorf("skimmed: %v, of %q", !c.skim, c.src)
		}
	}
}

// FuzzRead holds the same for any file.
func FuzzRead(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.src))
	}
	all, err := features.Read("../../../testdata/features")
	if err != nil {
		f.Fatal(err)
	}
	for _, feature := range all {
		f.Add(feature.Data)
	}
	f.Fuzz(func(t *testing.T, src []byte) { agree(t, src) })
}
