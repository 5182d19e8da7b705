package engine

import (
	"fmt"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/template"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
)

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
