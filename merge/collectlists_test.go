package merge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
)

// TestLists checks which lists Lists finds in a file, and for each of them the line, the path, how it is merged, by
// which keys or separators, and which rule decides that.
func TestLists(t *testing.T) {
	rules, err := team.Parse("team.yaml", []byte(`rules:
- name: ours
  lists:
    zones: set
    steps[*].env: {separators: ["="]}
`), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, path, file, want string }{
		{"built in", "", "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  # the web server\n  - name: web\n    args: [a, b]\n    ports:\n    - containerPort: 80\n",
			"6 spec.containers map name Kubernetes v1 Pod|7 spec.containers[name=web].args ordered  Kubernetes v1 Pod|9 spec.containers[name=web].ports map containerPort,protocol Kubernetes v1 Pod"},
		{"several documents", "", "zones: []\n---\nkind: A\nmetadata: {name: a}\nl: [1]\n",
			"1 document 1: zones set  team.yaml:4, ours|5 A/a: l ordered  no key"},
		{"kind: List", "", "kind: List\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata: {name: s}\n  spec:\n    ports: [{port: 1}]\n",
			"3 items map kind,metadata.namespace,metadata.name resources|7 items[Service/s].spec.ports map port,protocol Kubernetes v1 Service"},
		{"inferred", "", "hosts:\n- name: a\n- name: b\n", "2 hosts map name inference"},
		{"key doubled", "", "hosts:\n- name: a\n- name: a\n", "2 hosts ordered  no key"},
		{"preset, key missing", "Chart.yaml", "maintainers:\n- email: a\n", "2 maintainers ordered  preset Helm chart, but a key is missing or repeated"},
		{"separators", "", "steps:\n- env:\n  - A=1\n", "2 steps ordered  no key|3 steps[0].env map = team.yaml:5, ours"},
		{"list of lists", "", "- - a\n  - b\n", "1  ordered  no key|1 [0] ordered  no key"},
		{"none", "", "a: 1\n", ""},
		{"empty file", "", "", ""},
	} {
		lists, err := Lists([]byte(c.file), FileOptions{Path: c.path, Rules: &Rules{team: rules}})
		var got []string
		for _, l := range lists {
			got = append(got, fmt.Sprintf("%d %s %s %s %s", l.Line, l.Path, l.Kind, strings.Join(append(l.Keys, l.Separators...), ","), l.Source))
		}
		if s := strings.Join(got, "|"); s != c.want || err != nil {
			t.Errorf("%s: %s %v\nwant %s", c.name, s, err, c.want)
		}
	}
	if _, err := Lists([]byte("a: {{ b\n"), FileOptions{}); err == nil {
		t.Error("what is broken has lists")
	}
	if lists, err := Lists([]byte("{{ if .c }}\na:\n- {{ b }}-c\n{{ end }}\n"), FileOptions{}); err != nil || len(lists) != 1 {
		t.Errorf("a template: %v, %v", lists, err)
	}
}
