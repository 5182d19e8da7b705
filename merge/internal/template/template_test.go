package template

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

func TestMayHaveActions(t *testing.T) {
	for in, want := range map[string]bool{
		"a: 1\n": false, "a: {{ .x }}\n": true, "{% if x %}\na: 1\n{% endif %}\n": true, "a: {b: {c: 1}}\n": false, "# {{ x }}\n": true,
	} {
		if got := MayHaveActions([]byte(in)); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
	for in, want := range map[string]bool{"  {{- if .x }}\n": true, "  {{ .x }}\n": false, "# if\n": false, "{{- end }}\n": true, "{% else %}\n": true} {
		if got := HasBlockActions([]byte(in)); got != want {
			t.Errorf("blocks in %q: %v", in, got)
		}
	}
}

// TestHasBlocksInComments checks which YAML files have blocks in comments, and whether these are guards of entries.
func TestHasBlocksInComments(t *testing.T) {
	for in, want := range map[string][2]bool{
		"# {{ if .x }}\na: 1\n# {{ end }}\n":           {true, true},
		"a:\n  # {% if x %}\n  - 1\n  # {% endif %}\n": {true, true},
		"a: 1\n# {{ if .x }}\n# b: 1\n# {{ end }}\n":   {true, false},
		"# {{ .x }}\na: 1\n":                           {false, false},
		"a: 1 # {{ if .x }}\nb: 1\n":                   {false, false},
	} {
		if got := HasBlocksInComments([]byte(in)); got != want[0] {
			t.Errorf("%q: blocks %v", in, got)
		}
		if r, err := Parse(text.New([]byte(in))); err == nil && r.HasGuards() != want[1] {
			t.Errorf("%q: guards %v", in, !want[1])
		}
	}
}

func TestSharedBlock(t *testing.T) {
	for _, c := range [][3]string{
		{"if .x / else\nif .y", "if .x", "if .x"},
		{"if .x\nif .y", "if .x\nif .z", "if .x"},
		{"if .x", "if .x", "if .x"},
		{"if a > b", "if a > c", ""},
		{"if .x", "", ""},
	} {
		for _, v := range [][2]string{{c[0], c[1]}, {c[1], c[0]}} {
			if got := SharedBlock(v[0], v[1]); got != c[2] {
				t.Errorf("%q: %q, not %q", v, got, c[2])
			}
		}
	}
}

// TestParse checks the entries of the tree of a template, and that their spans refer to the file.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		in   string
		want string // keys and values; "" for an error
	}{
		{"a: {{ .x }}\nb: 1\n", "a={{ .x }} b=1"},
		{"{{- if .x }}\na: 1\n{{- end }}\nb: \"{{ .y }}\"\n", `a=1 b="{{ .y }}"`},
		{"a: x-{{ .x }}-y # {{ why }}\n", "a=x-{{ .x }}-y"},
		{"{{ .k }}: 1\n", "{{ .k }}=1"},
		{"{% if x %}\na: 1\n{% else %}\na: 2\n{% endif %}\n", "a=1 a=2"},
		{"{{- if .x }}\na: 1\n", ""},
		{"{{- end }}\na: 1\n", ""},
		{"a: [{{ .x }}\n", ""},
		{"a: [\n{{ if .x }}\n1\n{{ end }}\n]\n", ""},
		{"{{/* it's one */}}\na: {{ .x }}\n", "a={{ .x }}"},
		{"{% if x %}\na: {{ endpoint }}\n{% endif %}\n", "a={{ endpoint }}"},
		{strings.Repeat("{{ if .x }}\n", maxDepth) + "a: 1\n" + strings.Repeat("{{ end }}\n", maxDepth), "a=1"},
		{strings.Repeat("{{ if .x }}\n", maxDepth+1) + "a: 1\n" + strings.Repeat("{{ end }}\n", maxDepth+1), ""},
	} {
		r, err := Parse(text.New([]byte(c.in)))
		if err == nil {
			err = r.NestingError()
		}
		if err != nil {
			if c.want != "" {
				t.Errorf("%q: %v", c.in, err)
			}
			continue
		}
		var words []string
		f := r.Stream.File
		for _, e := range r.Stream.Docs[0].Root.Entries {
			words = append(words, string(f.Slice(e.Key.Content))+"="+string(f.Slice(e.Value.Content)))
		}
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%q: %s, want %s", c.in, got, c.want)
		}
		if string(f.Bytes()) != c.in {
			t.Errorf("%q: the tree is of %q", c.in, f.Bytes())
		}
	}
}

// TestCheckNewTextBlocks checks that the error names a block that contains a part of an entry in the result only.
func TestCheckNewTextBlocks(t *testing.T) {
	read := func(in string) *Template {
		r, err := Parse(text.New([]byte(in)))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	whole := read("a:\n  b: 1\n  c: 1\n  d: 1\n  e: 1\n{{ if .x }}\nf: 1\n{{ end }}\n")
	cut := read("  b: 1\n  c: 1\n  d: 1\n  e: 1\n{{ if .x }}\nf: 1\n{{ end }}\n")
	if err := CheckNewTextBlocks([3]*Template{whole, whole, whole}, cut); err == nil || !strings.Contains(err.Error(), "if .x") {
		t.Errorf("%v, want an error about if .x", err)
	}
	if err := CheckNewTextBlocks([3]*Template{whole, cut, whole}, cut); err != nil {
		t.Errorf("a version has it too: %v", err)
	}
	if err := CheckNewTextBlocks([3]*Template{whole, whole, whole}, whole); err != nil {
		t.Error(err)
	}
}

// TestBlankLineBelow checks that an opening action belongs to the entry below it, even if a blank line follows.
func TestBlankLineBelow(t *testing.T) {
	const in = "a: 1\n{{ if .x }}\n\nb: 1\n{{ end }}\n"
	r, err := Parse(text.New([]byte(in)))
	if err != nil {
		t.Fatal(err)
	}
	entries := r.Stream.Docs[0].Root.Entries
	if foot, lead := entries[0].Foot, entries[1].Lead; !foot.Empty() || in[lead.Start:lead.End] != "{{ if .x }}\n\n" {
		t.Errorf("below a: %q, above b: %q", in[foot.Start:foot.End], in[lead.Start:lead.End])
	}
}

// TestLevelsOfLinesDepth checks that the blocks around the lines of a text are not listed if they nest too deep. Their
// number would be the square of the depth.
func TestLevelsOfLinesDepth(t *testing.T) {
	for _, c := range []struct {
		depth int
		want  int // the number of blocks around the line in the middle
	}{{maxDepth, maxDepth}, {maxDepth + 1, 0}} {
		before := strings.Repeat("{{ with .a }}\n", c.depth)
		data := []byte(before + "b\n" + strings.Repeat("{{ end }}\n", c.depth))
		line := text.Span{Start: len(before), End: len(before) + 2}
		got := 0
		for _, levels := range LevelsOfLines(data, text.Span{End: len(data)}, []text.Span{line}) {
			got += len(levels)
		}
		if got != c.want {
			t.Errorf("depth %d: %d blocks, want %d", c.depth, got, c.want)
		}
	}
}

// TestDistinguishKeys checks that fields with one key in one branch of a block have the same key in the tree, and others
// have not.
func TestDistinguishKeys(t *testing.T) {
	for in, want := range map[string]string{
		"{{ if .x }}\na: 1\n{{ else }}\na: 2\na: 3\n{{ end }}\n":                                     "a|a {{ else }}|a {{ else }}",
		"{{ if .x }}\na: 1\n{{ else }}\na: 2\n{{ end }}\n{{ if .y }}\na: 3\n{{ end }}\n":             "a|a {{ else }}|a {{ if .y }}",
		"{{ if .x }}\na: 1\n{{ end }}\na: 2\n{{ if .x }}\n{{ if .y }}\na: 3\n{{ end }}\n{{ end }}\n": "a|a {{  }}|a {{ if .x > if .y }}",
	} {
		var keys []string
		for _, e := range parseTemplate(t, in).Stream.Docs[0].Root.Entries {
			keys = append(keys, e.Key.Value)
		}
		if got := strings.Join(keys, "|"); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
