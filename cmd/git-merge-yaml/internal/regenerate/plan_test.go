package regenerate

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

func TestPlan(t *testing.T) {
	files := strings.Fields("chart/values.yaml schema/a.json out/all.yaml README.md docs/list.md")
	for name, c := range map[string]struct{ rules, want string }{
		"what is made from what": {`
- {files: [README.md], from: [out/**], by: readme}
- {files: [out/**], from: [chart/**], by: render}
- {files: [chart/values.yaml], from: [schema/**], by: values}
`, "values render readme"},
		"as they are given": {`
- {files: [README.md], from: [chart/**], by: readme}
- {files: [out/**], from: [chart/**], by: render}
`, "readme render"},
		"a command once": {`
- {files: [README.md], from: [docs/**], by: make}
- {files: [docs/**], from: [chart/**], by: docs}
- {files: [out/**], from: [chart/**], by: make}
`, "docs make"},
		"files that are not there yet": {`
- {files: [README.md], from: [new/**], by: readme}
- {files: [new/**], from: [chart/**], by: new}
`, "new readme"},
		"no order without from": {`
- {files: [README.md], by: readme}
- {files: [out/**], by: render}
`, "readme render"},
		"a circle": {`
- {files: [README.md], from: [out/**], by: readme}
- {files: [out/**], from: [README.md], by: render}
`, "these rules make their files from each other's, so that none can be first: r:2 (`readme`), r:3 (`render`)"},
	} {
		rules, err := merge.ParseRules("r", []byte("generated:"+c.rules), "")
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := plan(rules.Generated(), nil, files, true)
		var got []string
		for _, j := range jobs {
			got = append(got, j.by)
		}
		said := strings.Join(got, " ")
		if err != nil {
			said = err.Error()
		}
		if said != c.want {
			t.Errorf("%s: %s, want %s", name, said, c.want)
		}
	}
}

// TestSum holds that a rule which changes in any word is another one.
func TestSum(t *testing.T) {
	seen := map[string]string{}
	for _, rule := range []string{
		"{files: [a], from: [b], by: c}", "{files: [a], from: [b], by: d}", "{files: [a], from: [d], by: c}",
		"{files: [d], from: [b], by: c}", "{files: [a, b], by: c}", "{files: [a], by: c}", "{files: [a], from: [b], by: 'c '}",
	} {
		rules, err := merge.ParseRules("r", []byte("generated: ["+rule+"]"), "")
		if err != nil {
			t.Fatal(err)
		}
		s := sum(rules.Generated()[0])
		if seen[s] != "" {
			t.Errorf("%s is trusted as %s is", rule, seen[s])
		}
		seen[s] = rule
	}
}
