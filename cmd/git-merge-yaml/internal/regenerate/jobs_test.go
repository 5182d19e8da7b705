package regenerate

import (
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
	"github.com/git-merge-yaml/git-merge-yaml/merge/program"
)

func TestPlanJobs(t *testing.T) {
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
`, "the rules generate their files from each other in a cycle: r:2 (`readme`), r:3 (`render`)"},
	} {
		rules, err := merge.ParseRules("r", []byte("generated:"+c.rules), "")
		if err != nil {
			t.Fatal(err)
		}
		jobs, err := planJobs(program.GeneratedRules(rules), nil, files, true)
		var got []string
		for _, j := range jobs {
			got = append(got, j.command)
		}
		result := strings.Join(got, " ")
		if err != nil {
			result = err.Error()
		}
		if result != c.want {
			t.Errorf("%s: %s, want %s", name, result, c.want)
		}
	}
}

// TestRuleHash checks that rules which differ in any word have different hashes.
func TestRuleHash(t *testing.T) {
	ruleOfHash := map[string]string{}
	for _, rule := range []string{
		"{files: [a], from: [b], by: c}", "{files: [a], from: [b], by: d}", "{files: [a], from: [d], by: c}",
		"{files: [d], from: [b], by: c}", "{files: [a, b], by: c}", "{files: [a], by: c}", "{files: [a], from: [b], by: 'c '}",
	} {
		rules, err := merge.ParseRules("r", []byte("generated: ["+rule+"]"), "")
		if err != nil {
			t.Fatal(err)
		}
		hash := ruleHash(program.GeneratedRules(rules)[0])
		if ruleOfHash[hash] != "" {
			t.Errorf("%s is trusted as %s is", rule, ruleOfHash[hash])
		}
		ruleOfHash[hash] = rule
	}
}
