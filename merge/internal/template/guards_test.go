package template

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

// parseTemplate parses a template that is valid.
func parseTemplate(t *testing.T, in string) *Template {
	t.Helper()
	r, err := Parse(text.New([]byte(in)))
	if err != nil {
		t.Fatalf("%q: %v", in, err)
	}
	return r
}

// TestOwnGuard checks the guard of each field of a template, as far as it is not that of the mapping around it.
func TestOwnGuard(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a: {{ .x }}\n", "a "},
		{"{{ if .x }}\na: 1\n{{ end }}\nb: {{ .y }}\n", "a {{ if .x }}; b "},
		{"{{ if .x }}\na: 1\n{{ else }}\na: 2\n{{ end }}\n", "a {{ if .x }}; a {{ if .x }} {{ else }}"},
		{"{{ if .x }}\na: 1\n{{ else if .y }}\nb: 2\n{{ end }}\n", "a {{ if .x }}; b {{ if .x }} {{ else if .y }}"},
		{"{{ if .x }}\n{{ if .y }}\na: 1\n{{ end }}\n{{ end }}\n", "a {{ if .x }} {{ if .y }}"},
		{"{{ if .x }}\na:\n  b: 1\n{{ end }}\n", "a {{ if .x }}"},
		{"{{ with .x }}\na: 1\n{{ end }}\n{{ range .y }}\nb: 1\n{{ end }}\n", "a {{ with .x }}; b {{ range .y }}"},
		{"{{- if .x -}}\na: 1\n{{- end -}}\n", "a {{ if .x }}"},
		{"{% if x %}\na: 1\n{% elif y %}\nb: 1\n{% endif %}\n", "a {{ if x }}; b {{ if x }} {{ elif y }}"},
		{"{{/* if .x */}}\na: 1\n", "a "},
	} {
		r := parseTemplate(t, c.in)
		var all []string
		for _, e := range r.Stream.Docs[0].Root.Entries {
			all = append(all, string(r.Stream.File.Slice(e.Key.Content))+" "+OwnGuard(e))
		}
		if got := strings.Join(all, "; "); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

// TestDirectiveLines checks which lines have nothing but actions, and the entry above each.
func TestDirectiveLines(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a: {{ .x }}\n", ""},
		{"a: 1\n{{ .x }}\nb: 1\n", "a: {{ .x }}"},
		{"{{ include \"x\" . }}\na: {{ .y }}\n", "top: {{ include \"x\" . }}"},
		{"a:\n  {{- toYaml .x | nindent 2 }}\nb: 1\n", "a: {{- toYaml .x | nindent 2 }}"},
		{"{{ if .x }}\na: 1\n{{ end }}\n", "top: {{ if .x }}; a: {{ end }}"},
	} {
		r := parseTemplate(t, c.in)
		var all []string
		for _, l := range r.Facts().Lines {
			above := "top"
			if l.Above != nil {
				above = string(r.Stream.File.Slice(l.Above.Key.Content))
			}
			all = append(all, above+": "+l.Text)
		}
		if got := strings.Join(all, "; "); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

// TestAreExclusive checks the guards of two fields, which are the first and the last of a template.
func TestAreExclusive(t *testing.T) {
	for _, c := range []struct {
		in   string
		want bool
	}{
		{"{{ if .x }}\na: 1\n{{ else }}\nb: 1\n{{ end }}\n", true},
		{"{{ if .x }}\na: 1\n{{ end }}\n{{ if not .x }}\nb: 1\n{{ end }}\n", true},
		{"{{ if .x }}\na: 1\n{{ end }}\n{{ range .x }}\n{{ else }}\nb: 1\n{{ end }}\n", true},
		{"{{ if .x }}\na: 1\n{{ end }}\n{{ if .x }}\nb: 1\n{{ end }}\n", false},
		{"{{ if .x }}\n{{ else if .y }}\na: 1\n{{ else }}\nb: 1\n{{ end }}\n", true},
		{"{{ if .x }}\n{{ else if .y }}\na: 1\n{{ end }}\n{{ if .x }}\n{{ else }}\nb: 1\n{{ end }}\n", false},
		{"{{ if .x }}\na: 1\n{{ end }}\n{{ if .y }}\nb: 1\n{{ end }}\n", false},
		{"{{ if .x }}\na: 1\n{{ end }}\nb: 1\n", false},
		{"{{ define \"x\" }}\na: 1\n{{ end }}\nb: {{ .z }}\n", true},
		{"{{ define \"x\" }}\na: 1\n{{ end }}\n{{ define \"y\" }}\nb: 1\n{{ end }}\n", true},
	} {
		all := parseTemplate(t, c.in).Stream.Docs[0].Root.Entries
		if got := AreExclusive(all[0].OwnLevels(), all[len(all)-1].OwnLevels()); got != c.want {
			t.Errorf("%q: %v", c.in, got)
		}
	}
}

// TestLineActions checks what is known of the actions of a single line.
func TestLineActions(t *testing.T) {
	for _, c := range []struct {
		line               string
		block, onlyClosing bool
	}{
		{"a: {{ .x }}", false, false}, {"{{ if .x }}", true, false}, {"{{ else }}", true, false}, {"{{ end }}", true, true},
		{"{{ end }}{{ end }}", true, true}, {"{{ end }}{{ .x }}", true, false}, {"{{ if .x }}a{{ end }}", true, false}, {"{{ if .x", false, false},
		{"{% endif %}", true, true}, {"a: 1", false, false},
	} {
		if got := HasBlockActions([]byte(c.line)); got != c.block {
			t.Errorf("%q: a block: %v", c.line, got)
		}
		if got := OnlyClosesBlocks([]byte(c.line)); got != c.onlyClosing {
			t.Errorf("%q: only closes blocks: %v", c.line, got)
		}
	}
}

// TestUnpairedActions checks the actions without a counterpart in the part of a file between two bars.
func TestUnpairedActions(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"|a: {{ .x }}\n|", ""},
		{"{{ if .x }}\n|a: 1\n|{{ end }}\n", ""},
		{"|{{ if .x }}\na: 1\n|{{ end }}\n", "if .x"},
		{"{{ if .x }}\n|a: 1\n{{ end }}\n|", "end"},
		{"{{ if .x }}\n|a: 1\n{{ else }}\nb: 1\n|{{ end }}\n", "else"},
		{"|{{ if .x }}\na: 1\n{{ end }}\n|", ""},
		{"|a: {{ .x|}}\n", "..."},
	} {
		parts := strings.SplitN(c.in, "|", 3)
		span := text.Span{Start: len(parts[0]), End: len(parts[0]) + len(parts[1])}
		if got := UnpairedActions([]byte(strings.Join(parts, "")), []text.Span{span}); got[0] != c.want {
			t.Errorf("%q: %q, want %q", c.in, got[0], c.want)
		}
	}
}

// TestCheckSyntax checks that a result has to be a valid template if all versions are.
func TestCheckSyntax(t *testing.T) {
	const valid, open, unknown = "{{ if .x }}\na: 1\n{{ end }}\n", "{{ if .x }}\na: 1\n", "a: {{ if }}\n{{ end }}\n"
	for _, c := range []struct {
		version, result string
		want            bool // whether there is an error
	}{
		{valid, valid, false}, {valid, open, true}, {open, open, false}, {valid, "a: 1\n", false}, {valid, unknown, true}, {valid, "a: {{ .x\n", true},
	} {
		v := []byte(c.version)
		if err := CheckSyntax([3][]byte{v, v, v}, []byte(c.result)); (err != nil) != c.want {
			t.Errorf("%q: %v", c.result, err)
		}
	}
}
