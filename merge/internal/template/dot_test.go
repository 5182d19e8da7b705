package template

import (
	"slices"
	"strings"
	"testing"
)

// TestDotUses checks which actions of a template read the dot, and which blocks set it for them.
func TestDotUses(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"a: {{ .x }}\n", ".x in"},
		{"a: {{ $.x }} {{ $y := 1 }} {{ include \"b\" $ }}\n", ""},
		{"a: {{ toYaml . | nindent 2 }} {{ (index .x 0).y }}\n", "(index .x 0).y in; toYaml . | nindent 2 in"},
		{"{{ with .x }}\na: {{ .y }}\n{{ else }}\na: {{ .z }}\n{{ end }}\n", ".x in; .y in with .x; .z in"},
		{"{{ range $k, $v := .x }}\n{{ if .y }}\na: {{ $v }}\n{{ end }}\n{{ end }}\n", "$k, $v := .x in; .y in range .x"},
		{"{{ range .x }}{{ with .y }}{{ template \"t\" . }}{{ end }}{{ end }}\n", ". in range .x/with .y; .x in; .y in range .x"},
		{"{{ with $ }}\na: {{ .x }}\n{{ end }}\n", ".x in"},
		{"{{ range .x }}{{ with $ }}{{ .y }}{{ end }}{{ end }}\n", ".x in; .y in"},
		{"{{ $r := . }}{{ range .x }}{{ with $r }}{{ .y }}{{ end }}{{ end }}\n", "$r := . in; .x in; .y in"},
		{"{{ $r := .x }}{{ with $r }}{{ .y }}{{ end }}\n", "$r := .x in; .y in with .x"},
		{"{{ $r := . }}{{ $r = .x }}{{ with $r }}{{ .y }}{{ end }}\n", "$r := . in; $r = .x in; .y in with .x"},
		{"{{ range $r := . }}{{ with $r }}{{ .y }}{{ end }}{{ end }}\n", "$r := . in; .y in range ."},
		{"{{ with merge . $ }}\na: {{ .x }}\n{{ end }}\n", ".x in; merge . $ in"},
		{"{{ with toYaml . | fromYaml }}\na: {{ .x }}\n{{ end }}\n", ".x in; toYaml . | fromYaml in"},
		{"{{ with tpl (toYaml .) $ | fromYaml }}\na: {{ .x }}\n{{ end }}\n", ".x in; tpl (toYaml .) $ | fromYaml in"},
		{"{{ with tpl $t . | fromYaml }}\na: {{ .x }}\n{{ end }}\n", ".x in with tpl $t . | fromYaml; tpl $t . | fromYaml in"},
		{"{{ with include \"t\" . }}\na: {{ .x }}\n{{ end }}\n", ".x in with include \"t\" .; include \"t\" . in"},
		{"{{ range (tuple . (merge (dict \"a\" 1) .)) }}\na: {{ .x }}\n{{ end }}\n", "(tuple . (merge (dict \"a\" 1) .)) in; .x in"},
		{"{{ range list $ (merge (dict \"a\" 1) $) }}\na: {{ .x }}\n{{ end }}\n", ".x in"},
		{"{{ range .x }}{{ with merge $ .z }}{{ .y }}{{ end }}{{ end }}\n", ".x in; .y in range .x/with merge $ .z; merge $ .z in range .x"},
		{"{{ range tuple . .x }}\na: {{ .y }}\n{{ end }}\n", ".y in range tuple . .x; tuple . .x in"},
		{"{{ define \"t\" }}{{ $r := index . 1 }}{{ $s := .x }}{{ with $r }}{{ .y }}{{ end }}{{ with $s }}{{ .y }}{{ end }}{{ end }}\n", "$r := index . 1 in; $s := .x in; .y in with .x; .y in with index . 1"},
		{"{{ define \"file\" }}{{ .x }}{{ end }}a: {{ .y }}\n", ".x in; .y in"},
		{"{{ $r := include \"t\" . }}{{ with $r }}{{ .y }}{{ end }}{{ with $s }}{{ .y }}{{ end }}", "$r := include \"t\" . in; .y in with 0; .y in with include \"t\" ."},
		{"{{ range $ }}\na: {{ .x }}\n{{ end }}\n", ".x in range $"},
		{"{{ define \"t\" }}\na: {{ .x }}\n{{ end }}\n", ".x in"},
		{"{{ with .x }}\na: 1\n", ""},
		{"{{ with .x }}\na: {{ .y }} {{ $labels.z }}\n{{ end }}\n", ".x in; .y in with .x"},
		{"a: $1 $ä_2 {{ $1 }}\nb: {{ .y }}\n", ".y in"},
		{"a: $HOME {{ $ }}\nb: {{ .y }}\n", ".y in"},
		{"{% if x %}\na: {{ x }}\n{% endif %}\n", ""},
	} {
		var got []string
		for _, u := range DotUses([]byte(c.in)) {
			got = append(got, strings.TrimSpace(u.Pipeline+" in "+strings.ReplaceAll(u.dot, "\n", "/")))
		}
		slices.Sort(got)
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
}

// TestHasSameDot checks which blocks count as setting the same dot.
func TestHasSameDot(t *testing.T) {
	for _, c := range []struct {
		u, v string
		want bool
	}{
		{"", "", true}, {"with .a", "with .a", true}, {"with .a", "with .b", true}, {"with .a", "range .a", false}, {"with .a", "", false},
		{"range .x\nwith .a", "with .a", true}, {"range .x\nwith .a", "with .b", false}, {"range .x\nwith .a", "range .y\nwith .b", true},
	} {
		if got := (DotUse{dot: c.u}).HasSameDot(DotUse{dot: c.v}); got != c.want {
			t.Errorf("%q and %q: %v", c.u, c.v, got)
		}
	}
	for dot, want := range map[string]bool{"with index . 1": true, "with .root": true, "with .Values.a": false, "range index . 1": false} {
		if got := (DotUse{dot: dot, inDefinition: true}).HasSameDot(DotUse{}); got != want {
			t.Errorf("%q in a definition and the dot of the file: %v", dot, got)
		}
	}
}

// TestDotUsesOfDeepTemplates checks that a template whose blocks nest too deep for the parser of text/template, which
// recurses without a limit, has no uses.
func TestDotUsesOfDeepTemplates(t *testing.T) {
	const n = 600_000
	for name, in := range map[string]string{
		"nested blocks": "{{with .a}}" + strings.Repeat("{{if .}}", n) + strings.Repeat("{{end}}", n) + "{{end}}",
		"branches":      "{{with .a}}{{if .}}" + strings.Repeat("{{else if .}}", n) + "{{end}}{{end}}",
	} {
		if all := DotUses([]byte(in)); all != nil {
			t.Errorf("%s: %d uses", name, len(all))
		}
	}
}
