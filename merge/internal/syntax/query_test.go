package syntax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// mustParse returns the tree of in. It ends the test if Parse fails.
func mustParse(t *testing.T, in string) *Stream {
	t.Helper()
	s, err := Parse(text.New([]byte(in)))
	if err != nil {
		t.Fatalf("Parse(%q): %v", in, err)
	}
	return s
}

func TestComments(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"a: b#c\n", ""},
		{"# a\n", "0# a"},
		{"# a\r\nb: 1 # c\r\n  # d", "0# a 0# c 0# d"},
		{"%YAML 1.2 # a\n--- # b\n&x # c\nd: 1\n... # e\n# f\n---\n# g\n", "0# a 0# b 0# c 0# e 0# f 1# g"},
		{"a: | # b\n  # c\n # d\n", "0# b 0# d"},
		{"a: >+ # b\n\n\n# c\n", "0# b 0# c"},
		{"a: '#' # b\nc: \"\\\"#\"# d\n", "0# b 0# d"},
		{"a: [#b\n'x',# c\ny #d\n,z]# e\n", "0#b 0# c 0#d 0# e"},
		{"? a # b\n# c\n: d # e\n", "0# b 0# c 0# e"},
		{"a: &b # c\n  !!str # d\n  e\n", "0# c 0# d"},
		{"a: x\u0085# b\u2028c: d\n", "0# b"},
	} {
		s := mustParse(t, c.in)
		var got []string
		for _, k := range s.Comments() {
			got = append(got, fmt.Sprint(k.Doc)+string(s.File.Slice(k.Span)))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q: comments %q, want %q", c.in, got, c.want)
		}
	}
}

func TestField(t *testing.T) {
	d := mustParse(t, "x: &x 1\n\"a\": 2\na: 3\n*x : 4\nb:\n- c\n").Docs[0]
	if e := d.Field("a"); e == nil || e.Value.Value != "2" {
		t.Errorf("a is not the first field with that key: %v", e)
	}
	if d.Field("x").Value.Value != "1" || d.Root.Entries[3].KeyText() != "*x" {
		t.Errorf("an alias and a key are confused")
	}
	if d.Field("c") != nil || d.Field("b").Value.Field("c") != nil || (*Node)(nil).Field("c") != nil {
		t.Errorf("a field was found that does not exist")
	}
	if e := d.Field("b").Value.Entries[0]; e.KeyText() != "" {
		t.Errorf("an item has the key %q", e.KeyText())
	}
}

func TestNode(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a: &x !!str v", `Scalar Plain !!str "v" &x !!str "&x !!str v"`},
		{"a: 'it''s'", `Scalar SingleQuoted !!str "it's" & "'it''s'"`},
		{"a: \"\\n\"", `Scalar DoubleQuoted !!str "\n" & "\"\\n\""`},
		{"a: >-\n  x\n  y\n", `Scalar Folded !!str "x y" & ">-\n  x\n  y\n"`},
		{"a: |\n  x\n", `Scalar Literal !!str "x\n" & "|\n  x\n"`},
		{"a: 0x1F", `Scalar Plain !!int "0x1F" & "0x1F"`},
		{"a: ~", `Scalar Plain !!null "~" & "~"`},
		{"a:", `Scalar Plain !!null "" & ""`},
		{"a: !\n", `Scalar Plain !!null "" & ! "!"`},
		{"a: ! 1", `Scalar Plain !!int "1" & ! "! 1"`},
		{"a: &x !t []", `Sequence Flow !t "" &x !t "&x !t []"`},
		{"a: &x {{ b }}\n", `Scalar Sealed !!map "{{ b }}" &x "&x {{ b }}"`},
		{"a: &x\n  b: 1\n", `Mapping Block !!map "" &x "&x\n  b: 1\n"`},
		{"a: !<tag:yaml.org,2002:int> 1", `Scalar Plain !!int "1" & !<tag:yaml.org,2002:int> "!<tag:yaml.org,2002:int> 1"`},
		{"x: &x\na: *x", `Alias Plain  "x" & "*x"`},
		{"%TAG !e! tag:e.org,2000:\n---\na: !e!t 1", `Scalar Plain tag:e.org,2000:t "1" & !e!t "!e!t 1"`},
	} {
		s := mustParse(t, c.in)
		n := s.Docs[0].Field("a").Value
		kind := []string{"", "Scalar", "Mapping", "Sequence", "Alias"}[n.Kind]
		style := []string{"", "Plain", "SingleQuoted", "DoubleQuoted", "Sealed", "Literal", "Folded", "Block", "Flow"}[n.Style]
		got := fmt.Sprintf("%s %s %s %q &%s %s", kind, style, n.Tag, n.Value, n.Anchor, n.TagText)
		got = strings.TrimSuffix(got, " ") + fmt.Sprintf(" %q", s.File.Slice(n.Span))
		if got != c.want {
			t.Errorf("%q:\ngot  %s\nwant %s", c.in, got, c.want)
		}
	}
}

func TestBlockScalarSpans(t *testing.T) {
	for _, c := range []struct {
		in, lines string
		indent    int
	}{
		{"a: |\n  x\n\n   y\n\n\nb: 1\n", "  x\n\n   y\n", 2},
		{"a: |+\n  x\n\n \nb: 1\n", "  x\n\n \n", 2},
		{"a: |1-\n  x\n", "  x\n", 1},
		{"a: |\nb: 1\n", "", 1},
		{"a: |+\n\n\nb: 1\n", "\n\n", 1},
		{"a:\n- |2\n    x\n- y\n", "    x\n", 2},
		{"a:\n  - b: >2\n        x\n", "        x\n", 6},
		{"- - |\n\n   x\n", "\n   x\n", 3},
	} {
		s := mustParse(t, c.in)
		n := firstBlockScalar(s.Docs[0].Root)
		if n == nil || string(s.File.Slice(n.Lines)) != c.lines || n.Indent != c.indent {
			t.Errorf("%q: lines %q, indent %d", c.in, s.File.Slice(n.Lines), n.Indent)
		}
	}
}

func firstBlockScalar(n *Node) *Node {
	for n.Kind != Scalar {
		n = n.Entries[0].Value
	}
	return n
}
