package engine

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/diff3"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/elide"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/pair"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// A sample generates files of many similar blocks. block returns block number i; ours and theirs say which sides
// changed that block.
type sample struct {
	name  string
	head  string
	block func(i int, ours, theirs bool) string
}

// or returns yes if b is true, and no otherwise.
func or(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

// samples are typical files. In the stream of resources both sides add items to the same list, so that the line merge
// has conflicts. In the Helm values and in the lock file the sides change different lines.
var samples = []sample{
	{"stream", "", func(i int, ours, theirs bool) string {
		return fmt.Sprintf("---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: app-%d\n  labels:\n    app: app-%d\nspec:\n  replicas: %s\n"+
			"  template:\n    spec:\n      # order matters\n      containers:\n      - name: web\n        image: registry.example.com/app-%d:%s\n"+
			"        env:\n        - name: LOG\n          value: \"info\"\n%s%s        resources:\n          limits:\n            memory: 256Mi\n",
			i, i, or(ours, "5", "2"), i, or(theirs, "3.2", "3.1"),
			or(ours, "        - name: OURS\n          value: \"1\"\n", ""), or(theirs, "        - name: THEIRS\n          value: \"1\"\n", ""))
	}},
	{"values", "# values\n", func(i int, ours, theirs bool) string {
		return fmt.Sprintf("\n# -- service %d\nservice%d:\n  image:\n    repository: registry.example.com/service-%d   # mirrored\n    tag: \"%s\"\n"+
			"  replicas: %s\n  resources: {cpu: 50m, memory: 64Mi}\n  hosts:\n    - service-%d.example.com\n  config: |\n    level = \"info\"\n",
			i, i, i, or(theirs, "1.9", "1.8"), or(ours, "4", "1"), i)
	}},
	{"lock", "packages:\n", func(i int, ours, theirs bool) string {
		return fmt.Sprintf("\n  package-%d@1.0.0:\n    resolution: {integrity: sha512-%064d}\n    engines: {node: '>=%s'}\n%s",
			i, i, or(theirs, "20", "18"), or(ours, "    deprecated: use another\n", ""))
	}},
}

// versions returns the original, dest and updated version of a file of about size bytes. Each side edits the same
// blocks, about as many as edits says.
func (s sample) versions(size, edits int) [3][]byte {
	n := max(1, size/len(s.block(1000, false, false)))
	every := max(1, n/edits)
	var b [3]strings.Builder
	for v := range b {
		b[v].WriteString(s.head)
		for i := range n {
			edited := i%every == every/2
			b[v].WriteString(s.block(i, edited && v == int(three.Dest), edited && v == int(three.Updated)))
		}
	}
	return [3][]byte{[]byte(b[0].String()), []byte(b[1].String()), []byte(b[2].String())}
}

var sizes = []struct {
	name  string
	bytes int
}{{"2KB", 2 << 10}, {"100KB", 100 << 10}, {"1MB", 1 << 20}, {"5MB", 5 << 20}}

// BenchmarkMerge measures complete merges of all samples in all sizes: as Merge runs them ("short"), and with nothing
// elided ("whole").
func BenchmarkMerge(b *testing.B) {
	eachSample(b, func(b *testing.B, raw [3][]byte) {
		for name, by := range map[string]order{"short": asMerge, "whole": unelided} {
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(len(raw[0])))
				b.ReportAllocs()
				for b.Loop() {
					if res, err := mergeBy(by, raw, Options{}); err != nil || !res.Clean() {
						b.Fatal("the merge is not clean")
					}
				}
			})
		}
	})
}

// BenchmarkCases measures the merges of all cases in testdata/merge, one after the other.
func BenchmarkCases(b *testing.B) {
	files, err := filepath.Glob("../../../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		b.Fatal("no cases: ", err)
	}
	cases := make([]*mergeCase, len(files))
	for i, file := range files {
		cases[i] = readCase(b, file)
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, c := range cases {
			if _, err := Merge(c.Raw[three.Original], c.Raw[three.Dest], c.Raw[three.Updated], c.opts); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// eachSample runs f as a sub-benchmark for every sample in every size.
func eachSample(b *testing.B, f func(*testing.B, [3][]byte)) {
	for _, s := range samples {
		for _, size := range sizes {
			b.Run(s.name+"/"+size.name, func(b *testing.B) { f(b, s.versions(size.bytes, 10)) })
		}
	}
}

// BenchmarkStages measures the steps of a merge one by one. The steps after "lines" and "shorten" get the complete
// versions. In a real merge they get the elided versions.
func BenchmarkStages(b *testing.B) {
	eachSample(b, func(b *testing.B, raw [3][]byte) {
		m := newMerger(raw, Options{})
		m.in.UnifyFormat(false)
		lines, err := diff3.NewVersions(raw[0], raw[1], raw[2]).Summarize(diff3.Merge)
		if err != nil {
			b.Fatal(err)
		}
		if err := m.in.Parse(); err != nil {
			b.Fatal(err)
		}
		w := m.newWalker()
		docs := w.Merge(nil).Documents
		p := m.newRenderer().Page(docs)
		stage := func(name string, f func()) {
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					f()
				}
			})
		}
		stage("lines", func() { diff3.NewVersions(raw[0], raw[1], raw[2]).Summarize(diff3.Merge) })
		stage("shorten", func() { elide.Shorten(raw, lines, false) })
		stage("read", func() { newMerger(raw, Options{}).in.UnifyFormat(false) })
		stage("parse", func() {
			in := newMerger(raw, Options{}).in
			in.UnifyFormat(false)
			in.Parse()
		})
		stage("pair", func() { pairMost(m.newWalker()) })
		stage("walk", func() { m.newWalker().Merge(nil) })
		stage("render", func() { m.newRenderer().Page(docs) })
		stage("verify", func() { m.proof.Verify(p.Resolve(three.Dest)) })
	})
}

// pairMost aligns the documents of the three versions. If the original has only one document, it aligns the fields of
// the outermost mapping that has several.
func pairMost(w *plan.Walker) []pair.Step {
	var docs [3][]*syntax.Document
	var root three.Nodes
	for s, st := range w.Streams {
		docs[s], root[s] = st.Docs, st.Docs[0].Root
		for len(root[s].Entries) == 1 {
			root[s] = root[s].Entries[0].Value
		}
	}
	if len(docs[three.Original]) > 1 {
		return w.Pair(w.DocumentElems(docs))
	}
	return w.Pair(w.KeyedElems(root, (*syntax.Entry).FieldKey))
}

// chart is a typical template of a chart. It has a list of containers, with blocks around entries and with actions that
// print several lines. If both sides edit the same container, the line merge has a conflict.
var chart = sample{"chart", "{{- if .Values.enabled }}\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ include \"web.fullname\" . }}\n" +

	"  labels:\n    {{- include \"web.labels\" . | nindent 4 }}\nspec:\n  containers:\n", func(i int, ours, theirs bool) string {
	return fmt.Sprintf("  - name: web-%d\n    image: \"{{ .Values.web%d.image }}:{{ .Values.web%d.%s }}\"\n    env:\n    - name: LOG\n      value: {{ .Values.log | quote }}\n%s%s"+
		"    {{- if .Values.web%d.port }}\n    ports:\n    - containerPort: {{ .Values.web%d.port }}\n    {{- end }}\n    args:\n    - --verbose\n"+
		"    resources:\n      {{- toYaml .Values.web%d.resources | nindent 6 }}\n",
		i, i, i, or(theirs, "version", "tag"),
		or(ours, "    {{- if .Values.ours }}\n    - name: OURS\n      value: \"1\"\n    {{- end }}\n", ""),
		or(theirs, "    {{- if .Values.theirs }}\n    - name: THEIRS\n      value: \"1\"\n    {{- end }}\n", ""), i, i, i)
}}

// chartVersions returns three versions of a template in which the sides edit containers, and YAML of the same size in
// which placeholders replace the actions. If meet is true, both sides edit the same containers.
func chartVersions(t testing.TB, size, edits int, meet bool) (template3, yaml [3][]byte) {
	template3 = chart.versions(size, edits)
	if !meet {
		apart := sample{chart.name, chart.head, func(i int, ours, theirs bool) string {
			return chart.block(i, ours && i%3 == 0, theirs && i%3 != 0)
		}}
		template3 = apart.versions(size, edits)
	}
	for v := range template3 {
		template3[v] = append(template3[v], "{{- end }}\n"...)
		st, err := template.Parse(text.New(template3[v]))
		if err != nil {
			t.Fatal(err)
		}
		yaml[v] = st.Stream.Masked
	}
	return template3, yaml
}

// BenchmarkTemplate measures merges of templates and merges of YAML of the same size, without leaving out common parts.
func BenchmarkTemplate(b *testing.B) {
	for _, size := range sizes[:3] {
		for _, meet := range []bool{false, true} {
			tmpl, yaml := chartVersions(b, size.bytes, 10, meet)
			for i, raw := range [][3][]byte{yaml, tmpl} {
				b.Run(fmt.Sprintf("%s/%s/%s", or(meet, "field", "line"), size.name, or(i == 1, "template", "yaml")), func(b *testing.B) {
					b.SetBytes(int64(len(raw[0])))
					b.ReportAllocs()
					for b.Loop() {
						if res, err := mergeBy(unelided, raw, Options{}); err != nil || !res.Clean() || (res.Method == Structural) != meet {
							b.Fatalf("%v %v %s", err, res.Method, res.Reason)
						}
					}
				})
			}
		}
	}
}
