package engine

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"text/template/parse"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestGeneratedTemplates checks the merges of 200 templates of mergetest.TemplateFields, or of 1,000 with -long. Each
// field is changed by at most one side.
func TestGeneratedTemplates(t *testing.T) {
	checkManyTemplates(t, 200, leastClean{398, 1998}, mergetest.TemplateFields)
}

// TestMadeTemplates checks the merges of 200 templates of mergetest.TemplateParts, or of 1,000 with -long. They have
// nested blocks, else branches, texts and lists, and changes next to each other.
func TestMadeTemplates(t *testing.T) {
	checkManyTemplates(t, 200, leastClean{334, 1584}, mergetest.TemplateParts)
}

// TestMadeJinja checks the merges of 60 such templates, or of 300 with -long, that are converted to Jinja.
func TestMadeJinja(t *testing.T) {
	checkManyTemplates(t, 60, leastClean{110, 562}, func(seed uint64) mergetest.Triple { return mergetest.TemplateParts(seed).AsJinja() })
}

// FuzzMadeTemplates makes the checks of TestMadeTemplates with any seed.
func FuzzMadeTemplates(f *testing.F) {
	f.Fuzz(func(t *testing.T, seed uint64) { checkTemplate(t, seed, mergetest.TemplateParts(seed)) })
}

// leastClean is how many results, two for each merge, have to be clean: every day, and with -long. Some conflicts are real:
// for example, the sides put the last two entries of a mapping under conditions, so that it could be empty.
type leastClean struct{ daily, long int }

// checkManyTemplates calls checkTemplate with as many generated templates as merges says, or five times as many with
// -long. It fails the test if fewer than least of the results are clean.
func checkManyTemplates(t *testing.T, merges int, least leastClean, generate func(seed uint64) mergetest.Triple) {
	t.Helper()
	minimum := least.daily
	if *long {
		merges, minimum = merges*5, least.long
	}
	clean := 0
	for seed := range uint64(merges) {
		clean += checkTemplate(t, seed, generate(seed))
	}
	if clean < minimum {
		t.Errorf("%d of %d are clean, expected %d", clean, 2*merges, minimum)
	}
}

// checkTemplate merges a generated template as Merge does and by field alone. A clean result has to be the right merge,
// byte for byte. checkTemplate returns how many of the two results are clean.
func checkTemplate(t *testing.T, seed uint64, g mergetest.Triple) (clean int) {
	t.Helper()
	for _, by := range []order{asMerge, fieldsOnly} {
		res, err := mergeBy(by, g.Raw, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !res.Clean() {
			continue
		}
		if clean++; !bytes.Equal(res.Bytes, g.Want[three.Dest]) {
			t.Errorf("%d (%v):\n%sgot\n%s\nwant\n%s", seed, res.Method, g, res.Bytes, g.Want[three.Dest])
		}
	}
	return clean
}

// actions are the lines that applyTemplateScript inserts.
var actions = []string{
	"{{- if .a }}", "{{- end }}", "{{- else }}", "{{- with .b }}", "  {{- range .c }}", "  {{- end }}", "{{ include \"d\" . | indent 2 }}",
	"  {{- toYaml .e | nindent 4 }}", "{{/* f */}}", "x: {{ .g }}", "  y: \"{{ .h }}\"", "t: |", "{{ tpl .i . | indent 4 }}", "{{- end }}{{ if .j }}", "k:",
	"  - {{ .l }}", "{% if m %}", "{% endif %}", "{# n #}", "{{", "}}", "  z: {}",
}

// applyTemplateScript returns b after a script of line edits. An edit is three bytes of the script: the operation, the line, and
// the index of the line in actions that is inserted. One operation puts an if block around up to five lines.
func applyTemplateScript(b, script []byte) []byte {
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

// FuzzTemplates makes the checks of checkTemplates for merges of two edits of a template.
func FuzzTemplates(f *testing.F) {
	for i, v := range mergetest.FuzzVersions(f) {
		if template.MayHaveActions(v[three.Original]) {
			f.Add(v[three.Original], scripts[i%len(scripts)], scripts[(i+1)%len(scripts)])
			f.Add(v[three.Dest], scripts[(i+4)%len(scripts)], []byte{3, byte(i), 2})
		}
	}
	f.Fuzz(func(t *testing.T, o, ours, theirs []byte) {
		if mergetest.AreSmall(o) {
			checkTemplates(t, [3][]byte{o, applyTemplateScript(o, ours), applyTemplateScript(o, theirs)})
		}
	})
}

// checkTemplates checks the merge of three versions of a template. The merge must not fail or panic. If all versions
// can be parsed as templates, it also checks that:
//   - a merge by field, with either side taken at all conflicts, can be parsed as a template
//   - it has no line with an action that no version has
//   - if only one side changed the template, the merge is identical to that side
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
			b := mergetest.TakeSide(res.Bytes, s)
			if !goTemplate(b) || !isTemplate(b) {
				t.Errorf("with %s this is no template:\n%s\nof\n%s\nfor %q", three.Names[s], b, res.Bytes, raw)
			}
			if line := unknownAction(b, raw); line != "" {
				t.Errorf("%q stands in no version:\n%s\nfor %q", line, b, raw)
			}
		}
	}
	if sound {
		checkIdentity(t, raw[three.Original], raw[three.Dest], Options{})
	}
}

// goTemplate reports whether text/template can parse b.
func goTemplate(b []byte) bool {
	p := parse.New("file")
	p.Mode = parse.SkipFuncCheck
	_, err := p.Parse(string(b), "", "", map[string]*parse.Tree{})
	return err == nil
}

// isTemplate reports whether our template package can parse b.
func isTemplate(b []byte) bool {
	_, err := template.Parse(text.New(b))
	return err == nil
}

// unknownAction returns the first line of b that starts and ends with an action and that no version has, ignoring
// indentation. It returns "" if there is none.
func unknownAction(b []byte, raw [3][]byte) string {
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

// TestTemplateEdits makes the checks of checkTemplates for a thousand pairs of edits of the templates in templateCases.
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
		checkTemplates(t, [3][]byte{o, applyTemplateScript(o, script(i)), applyTemplateScript(o, script(i+7))})
	}
}

// templateCases returns the base of some cases of testdata/merge whose versions are templates.
func templateCases(t *testing.T) (all [][]byte) {
	t.Helper()
	for _, name := range []string{"guard-and-edit", "if-else", "neighbours", "text", "service", "wrapped", "block-no-yaml", "indent-moved"} {
		all = append(all, readCase(t, "../../../testdata/merge/template-"+name+".txtar").Raw[three.Original])
	}
	return all
}

// TestLargeTemplate checks that git's clean merge of a large template is the result. For large files, the line merge
// runs in parallel with the parsing of the versions, before it is known that they are templates.
func TestLargeTemplate(t *testing.T) {
	var b strings.Builder
	b.WriteString("{{- if .Values.enabled }}\nspec:\n")
	for i := range 20000 {
		fmt.Fprintf(&b, "  field%d: {{ .Values.field%d }}\n", i, i)
	}
	b.WriteString("{{- end }}\n")
	base := b.String()
	ours := strings.Replace(base, "field1:", "field1x:", 1)
	theirs := strings.Replace(base, "field19999:", "field19999x:", 1)
	res, err := Merge([]byte(base), []byte(ours), []byte(theirs), Options{Path: "templates/x.yaml"})
	if err != nil {
		t.Fatal(err)
	}
	if res.Method != ByLine || res.Reason != "" {
		t.Errorf("method %v, reason %q", res.Method, res.Reason)
	}
}
