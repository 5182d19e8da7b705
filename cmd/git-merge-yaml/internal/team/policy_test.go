package team

import (
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge"
)

// TestWithPolicy: a policy joins a file, which keeps its bytes.
func TestWithPolicy(t *testing.T) {
	p := Policy{Take: merge.TakeTheirs, Field: "spec.replicas", Resource: "apps/Deployment"}
	for _, c := range []struct{ name, file, want string }{
		{"none", "", "rules:\n  - kinds: [apps/Deployment]\n    fields:\n      spec.replicas: theirs\n"},
		{"only a comment", "# ours", "# ours\nrules:\n  - kinds: [apps/Deployment]\n    fields:\n      spec.replicas: theirs\n"},
		{"no rules", "# a\nrequires: '>=0.1' # b\n\n# c\n", "# a\nrequires: '>=0.1' # b\nrules:\n  - kinds: [apps/Deployment]\n    fields:\n      spec.replicas: theirs\n\n# c\n"},
		{
			"rules", "rules:\n# first\n- files: [ a ]   # of a\n  fields: {x: ours}\n\n- fields:\n      y: ours\n",
			"rules:\n- kinds: [apps/Deployment]\n  fields:\n      spec.replicas: theirs\n# first\n- files: [ a ]   # of a\n  fields: {x: ours}\n\n- fields:\n      y: ours\n",
		},
		{"line ends", "rules:\r\n- fields: {x: ours}\r\n", "rules:\r\n- kinds: [apps/Deployment]\r\n  fields:\r\n    spec.replicas: theirs\r\n- fields: {x: ours}\r\n"},
		{"flow", "{rules: [{fields: {x: ours}}]}\n", "{rules: [{kinds: [apps/Deployment], fields: {spec.replicas: theirs}}, {fields: {x: ours}}]}\n"},
	} {
		got, err := withPolicy([]byte(c.file), p)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s", c.name, err, got)
		}
		if _, err := merge.ParseRules("team", got, ""); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	commented := Policy{Take: merge.TakeNext, Field: "version", Pattern: "Chart.yaml", Comment: []string{"right: 2 of 3", "see abc"}}
	for file, want := range map[string]string{
		"rules: []\n":                            "rules:\n  # right: 2 of 3\n  # see abc\n  - files: [Chart.yaml]\n    fields:\n      version: next\n",
		"":                                       "rules:\n  # right: 2 of 3\n  # see abc\n  - files: [Chart.yaml]\n    fields:\n      version: next\n",
		"rules:\n# first\n- fields: {x: ours}\n": "rules:\n# right: 2 of 3\n# see abc\n- files: [Chart.yaml]\n  fields:\n    version: next\n# first\n- fields: {x: ours}\n",
	} {
		if got, err := withPolicy([]byte(file), commented); err != nil || string(got) != want {
			t.Errorf("%q: %v\n%s", file, err, got)
		}
	}
	for _, file := range []string{"rules: x\n", "rules: [\n", "<<<<<<< a\n>>>>>>> b\n"} {
		if got, err := withPolicy([]byte(file), p); err == nil {
			t.Errorf("%q: no error\n%s", file, got)
		}
	}
}
