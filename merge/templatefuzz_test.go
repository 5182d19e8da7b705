package merge

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"text/template/parse"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// actions are lines that an edit of a template puts in.
var actions = []string{
	"{{- if .a }}", "{{- end }}", "{{- else }}", "{{- with .b }}", "  {{- range .c }}", "  {{- end }}", "{{ include \"d\" . | indent 2 }}",
	"  {{- toYaml .e | nindent 4 }}", "{{/* f */}}", "x: {{ .g }}", "  y: \"{{ .h }}\"", "t: |", "{{ tpl .i . | indent 4 }}", "{{- end }}{{ if .j }}", "k:",
	"  - {{ .l }}", "{% if m %}", "{% endif %}", "{# n #}", "{{", "}}", "  z: {}",
}

// templated is b after a script of line edits: three bytes are an operation, the line
// where it happens, and which action it puts in.
func templated(b, script []byte) []byte {
	ls := slices.Collect(bytes.Lines(b))
	for ; len(script) >= 3 && len(ls) > 0 && len(ls) < 200; script = script[3:] {
		at := int(script[1]) % len(ls)
		action := []byte(actions[int(script[2])%len(actions)] + "\n")
		switch script[0] % 4 {
		case 0:
			ls = slices.Delete(ls, at, at+1)
		case 1:
			ls = slices.Insert(ls, at, action)
		case 2:
			ls[at] = action
		case 3:
			to := min(len(ls), at+1+int(script[2])%5)
			ls = slices.Insert(slices.Insert(ls, to, []byte("{{- end }}\n")), at, []byte("{{- if .p }}\n"))
		}
	}
	return slices.Concat(ls...)
}

// FuzzTemplates holds what every merge of templates promises, for two edits of one.
func FuzzTemplates(f *testing.F) {
	for i, v := range seeds(f) {
		if template.MayHaveActions(v[three.Original]) {
			f.Add(v[three.Original], scripts[i%len(scripts)], scripts[(i+1)%len(scripts)])
			f.Add(v[three.Dest], scripts[(i+4)%len(scripts)], []byte{3, byte(i), 2})
		}
	}
	f.Fuzz(func(t *testing.T, o, ours, theirs []byte) {
		if small(o) {
			checkTemplates(t, [3][]byte{o, templated(o, ours), templated(o, theirs)})
		}
	})
}

// checkTemplates holds that what is merged of templates that parse does, with either
// side at its conflicts; that its lines of actions are those of the versions; and that
// the merge of one change is that change.
func checkTemplates(t *testing.T, raw [3][]byte) {
	t.Helper()
	sound := !slices.ContainsFunc(raw[:], func(b []byte) bool { return !goTemplate(b) || !isTemplate(b) })
	for _, by := range []order{asMerge, fieldsOnly} {
		res, err := mergeBy(by, raw, Options{})
		if err != nil || strings.Contains(res.Reason, "internal error") {
			t.Fatalf("%v %s\n%q", err, res.Reason, raw)
		}
		if res.Method != Structural || !sound {
			continue
		}
		for _, s := range three.Sides {
			b := chosen(res.Bytes, s)
			if !goTemplate(b) || !isTemplate(b) {
				t.Errorf("with %s this is no template:\n%s\nof\n%s\nfor %q", three.Names[s], b, res.Bytes, raw)
			}
			if line := strange(b, raw); line != "" {
				t.Errorf("%q stands in no version:\n%s\nfor %q", line, b, raw)
			}
		}
	}
	if sound {
		checkIdentity(t, raw[three.Original], raw[three.Dest], Options{})
	}
}

func goTemplate(b []byte) bool {
	p := parse.New("file")
	p.Mode = parse.SkipFuncCheck
	_, err := p.Parse(string(b), "", "", map[string]*parse.Tree{})
	return err == nil
}

func isTemplate(b []byte) bool {
	_, err := template.Parse(text.New(b))
	return err == nil
}

// strange is a line of b that starts with an action and that no version has, "" if
// there is none; re-indented ones aside.
func strange(b []byte, raw [3][]byte) string {
	known := map[string]bool{}
	for _, v := range raw {
		for l := range bytes.Lines(v) {
			known[string(bytes.TrimSpace(l))] = true
		}
	}
	for l := range bytes.Lines(b) {
		if s := string(bytes.TrimSpace(l)); strings.HasPrefix(s, "{{") && strings.HasSuffix(s, "}}") && !known[s] {
			return s
		}
	}
	return ""
}

// TestTemplateEdits runs FuzzTemplates on a thousand edits of its seeds.
func TestTemplateEdits(t *testing.T) {
	files := templateCases(t)
	for i := range 1000 {
		o := files[i%len(files)]
		script := func(n int) (s []byte) {
			for k := range 3 * (1 + n%3) {
				s = append(s, byte(n*31+k*17+n*k))
			}
			return s
		}
		checkTemplates(t, [3][]byte{o, templated(o, script(i)), templated(o, script(i+7))})
	}
}

func templateCases(t *testing.T) (all [][]byte) {
	t.Helper()
	for _, name := range []string{"guard-and-edit", "if-else", "neighbours", "text", "service", "wrapped", "block-no-yaml", "indent-moved"} {
		all = append(all, readCase(t, "../testdata/merge/template-"+name+".txtar").raw[three.Original])
	}
	return all
}
