package team

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/schema"
)

const teamFile = `requires: ">=0.1"
crds: [config/crd/*.yaml]
rules:
  - name: releases
    files: [clusters/**]
    kinds: [HelmRelease, example.com/Thing, core/Pod]
    lists:
      spec.values.hosts: {keys: [host]}
      spec.values.*.ports: {keys: [port, protocol], defaults: {protocol: TCP}}
      spec.chain: ordered
      spec.containers: atomic
      "**.finalizers": set
    fields:
      spec.chart.version: highest
      "**.image": theirs
  - lists:
      spec.chain: set
      metadata.annotations."example.com/list": set
      env: {separators: ["="]}
      claims: {keys: [metadata.name]}
      deps: {keys: [alias|name]}
    fields:
      spec.tags: union
`

func parseTeam(t testing.TB, text string) *Rules {
	t.Helper()
	r, err := Parse("team.yaml", []byte(text), "")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTeamLists(t *testing.T) {
	r := parseTeam(t, teamFile)
	for _, c := range []struct{ file, resource, path, want, source string }{
		{"clusters/a.yaml", "x/v1 HelmRelease", "spec.values.hosts", "map host", "team.yaml:8, releases"},
		{"clusters/a.yaml", "x/v1 HelmRelease", "spec.values.a.ports", "map port,protocol=TCP", "team.yaml:9, releases"},
		{"clusters/a.yaml", "example.com/v2 Thing", "spec.chain", "ordered", "team.yaml:10, releases"},
		{"clusters/a.yaml", "other.com/v2 Thing", "spec.chain", "set", "team.yaml:17"},
		{"apps/a.yaml", "x/v1 HelmRelease", "spec.chain", "set", "team.yaml:17"},
		{"clusters/a.yaml", "v1 Pod", "spec.containers", "atomic", "team.yaml:11, releases"},
		{"apps/a.yaml", "v1 Pod", "spec.containers", "map name", "Kubernetes v1 Pod"},
		{"clusters/a.yaml", "x/v1 Pod", "spec.containers", "", ""},
		{"clusters/a.yaml", "v1 Pod", "a.*.finalizers", "set", "team.yaml:12, releases"},
		{"", " ", "env", "map", "team.yaml:19"},
		{"", " ", "claims", "map metadata.name", "team.yaml:20"},
		{"", " ", "other", "", ""},
	} {
		p := place(c.resource, c.path)
		p.File = c.file
		for range 2 { // the second result comes from r.selections
			l, ok := r.DeclaredList(p)
			if got := describe(l, ok); got != c.want || l.Source != c.source {
				t.Errorf("%s %s %s: %q %q", c.file, c.resource, c.path, got, l.Source)
			}
		}
	}
	if l, _ := r.DeclaredList(schema.Place{Path: []string{"metadata", "annotations", "example.com/list"}}); l.Kind != schema.Set {
		t.Error("a quoted name does not match")
	}
}

func TestTeamFields(t *testing.T) {
	r := parseTeam(t, teamFile)
	for _, c := range []struct {
		file, resource, path string
		want                 Policy
		source               string
	}{
		{"clusters/a.yaml", "x/v1 HelmRelease", "spec.chart.version", Highest, "team.yaml:14, releases"},
		{"clusters/a.yaml", "x/v1 HelmRelease", "spec.a.*.image", Theirs, "team.yaml:15, releases"},
		{"clusters/a.yaml", "x/v1 HelmRelease", "spec.chart", NoPolicy, ""},
		{"a.yaml", "x/v1 HelmRelease", "spec.chart.version", NoPolicy, ""},
		{"a.yaml", "x/v1 HelmRelease", "spec.tags", Union, "team.yaml:23"},
	} {
		p := place(c.resource, c.path)
		p.File = c.file
		if got := r.DecisionAt(p); got.Policy != c.want || got.Source != c.source {
			t.Errorf("%s %s %s: %q %q", c.file, c.resource, c.path, got.Policy, got.Source)
		}
	}
	var none *Rules
	if none.DecisionAt(schema.Place{}) != (Decision{}) {
		t.Error("nil rules have a policy")
	}
}

func TestInvalidTeamFiles(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"no YAML", "rules: [", "f:1:1: invalid YAML: did not find expected node content"},
		{"tab", "rules:\n\t- x", "f:2:1: invalid YAML: a tab cannot be used for indentation"},
		{"at", "rules:\n- @x", "f:2:1: invalid YAML: found character that cannot start any token"},
		{"bare star", "rules:\n- lists:\n    **.x: set\n", "f:3:1: invalid YAML: did not find expected alphabetic or numeric character; put a path that starts with * in quotes"},
		{"bare requires", "requires: >=0.1\n", `f:1:1: invalid YAML: did not find expected comment or line break; put the version in quotes, as in requires: ">=0.1"`},
		{"two documents", "rules: []\n---\nrules: []\n", "f:3:1: unexpected second document; expected only one document"},
		{"no mapping", "- a", "f:1:1: the file is a list; expected a mapping"},
		{"field of an entry", "lists: {a: set}", `f:1:1: unknown field "lists"; it belongs in an entry of rules, as in "rules: [{lists: ...}]"`},
		{"unknown field", "rule: []", `f:1:1: unknown field "rule"; did you mean "rules"?`},
		{"field twice", "rules: []\nrules: []", `f:2:1: duplicate field "rules" (first at line 1)`},
		{"requires no version", "requires: latest", `f:1:11: requires is "latest"; expected a minimum version such as ">=0.1"`},
		{"requires a range", `requires: ">=0.1 <2"`, `f:1:11: requires is ">=0.1 <2"; expected a minimum version such as ">=0.1"`},
		{"requires a newer tool", "unknown: 1\nrequires: \">=9.1\"", "f:2:11: requires git-merge-yaml >=9.1, but this is version 1.2.3; install a newer version"},
		{"crds no list", "crds: {a: b}", "f:1:7: crds is a mapping; expected a list of strings"},
		{"crds outside", "crds: [../crds/*.yaml]", `f:1:8: invalid pattern "../crds/*.yaml": . and .. are not allowed in a path from the top of the work tree`},
		{"rules no list", "rules: {}", "f:1:8: rules is a mapping; expected a list of entries"},
		{"rules empty", "rules:", "f:1:7: rules is empty; expected a list of entries"},
		{"entry no mapping", "rules: [a]", `f:1:9: an entry is "a"; expected a mapping`},
		{"entry unknown field", "rules: [{list: {a: set}}]", `f:1:10: unknown field "list"; did you mean "lists"?`},
		{"entry without rule", "rules:\n  - files: [a]", "f:2:5: the entry has no rules; expected lists, oneOf, units, access, images, fields, restarts or deleted"},
		{"deleted of nothing known", "rules:\n  - files: [a]\n    deleted: ours", "f:3:14: unknown policy for deleted files \"ours\"; expected own, upstream or ask"},
		{"deleted without files", "rules:\n  - deleted: own", "f:2:5: deleted applies to whole files; expected files and no kinds"},
		{"deleted by kind", "rules:\n  - files: [a]\n    kinds: [Job]\n    deleted: own", "f:2:5: deleted applies to whole files; expected files and no kinds"},
		{"files negated", "rules: [{files: ['!a'], lists: {a: set}}]", `f:1:18: invalid pattern "!a": a leading ! is not supported`},
		{"files a directory", "rules: [{files: [a/], lists: {a: set}}]", `f:1:18: invalid pattern "a/": a directory does not match files, use a/**`},
		{"files empty", "rules: [{files: [], lists: {a: set}}]", "f:1:17: files is empty; add a value or remove files"},
		{"files a number", "rules: [{files: [1], lists: {a: set}}]", `f:1:18: an item of files is "1"; expected a string`},
		{"kind with version", "rules: [{kinds: apps/v1/Deployment, lists: {a: set}}]", `f:1:17: invalid kind "apps/v1/Deployment"; expected Kind, group/Kind or core/Kind, without a version`},
		{"version as group", "rules: [{kinds: [v1/Pod], lists: {a: set}}]", `f:1:18: invalid kind "v1/Pod"; expected Kind, group/Kind or core/Kind, without a version`},
		{"lists no mapping", "rules: [{lists: [a]}]", "f:1:17: lists is a list; expected a mapping"},
		{"path without name", "rules: [{lists: {a..b: set}}]", `f:1:18: invalid path "a..b": empty name`},
		{"path with an item", "rules: [{lists: {'a[name=x]': set}}]", `f:1:18: invalid path "a[name=x]": "[name=x]" selects a single item; use [*] for all items`},
		{"unknown list", "rules: [{lists: {a: sorted}}]", `f:1:21: unknown kind of list "sorted"; expected ordered, set, atomic, {keys: [..]} or {separators: [..]}`},
		{"list empty", "rules: [{lists: {a: }}]", "f:1:21: the list is empty; expected ordered, set, atomic, {keys: [..]} or {separators: [..]}"},
		{"list a list", "rules: [{lists: {a: [name]}}]", "f:1:21: the list is a list; expected ordered, set, atomic, {keys: [..]} or {separators: [..]}"},
		{"map without keys", "rules: [{lists: {a: map}}]", "f:1:21: a map list needs the keys of an item; expected {keys: [name]}"},
		{"keys empty", "rules: [{lists: {a: {keys: []}}}]", "f:1:28: keys is empty; add a value or remove keys"},
		{"key with star", "rules: [{lists: {a: {keys: [a.*]}}}]", `f:1:29: invalid key "a.*"; expected a field, as in name, metadata.name or alias|name`},
		{"key twice", "rules: [{lists: {a: {keys: [b, b]}}}]", `f:1:32: "b" is repeated in keys`},
		{"keys and separators", "rules: [{lists: {a: {keys: [b], separators: ['=']}}}]", "f:1:21: the list needs either keys or separators; expected ordered, set, atomic, {keys: [..]} or {separators: [..]}"},
		{"after with keys", "rules: [{lists: {a: {keys: [b], after: x}}}]", "f:1:21: after cannot be used with keys; expected {separators: [..], after: ..}"},
		{"separator empty", "rules: [{lists: {a: {separators: ['']}}}]", `f:1:35: empty separator; expected a string such as "="`},
		{"default of no key", "rules: [{lists: {a: {keys: [b], defaults: {c: x}}}}]", `f:1:44: "c" is not one of the keys; expected one of b`},
		{"default without keys", "rules: [{lists: {a: {separators: ['='], defaults: {c: x}}}}]", `f:1:52: "c" is not one of the keys; expected keys: [c]`},
		{"images a mapping", "rules: [{images: {a: b}}]", "f:1:18: images is a mapping; expected a list of strings"},
		{"image without name", "rules: [{images: [a, b..c]}]", `f:1:22: invalid path "b..c": empty name`},
		{"one access field", "rules: [{access: {a: [b]}}]", "f:1:22: access needs at least two fields; use [] for no fields at this path"},
		{"access twice", "rules: [{access: {a: [b, c|b]}}]", `f:1:26: "b" is repeated in access`},
		{"access path", "rules: [{access: {a: [b, c.d*]}}]", `f:1:26: invalid access field "c.d*"; expected field, field=*, -field, from..to, or several joined by |, as in Action|-NotAction`},
		{"access range of three", "rules: [{access: {a: [b, c..d..e]}}]", `f:1:26: invalid access field "c..d..e"; expected field, field=*, -field, from..to, or several joined by |, as in Action|-NotAction`},
		{"access field with two dashes", "rules: [{access: {a: [b, --c]}}]", `f:1:26: invalid access field "--c"; expected field, field=*, -field, from..to, or several joined by |, as in Action|-NotAction`},
		{"access no list", "rules: [{access: {a: {}}}]", "f:1:22: access is a mapping; expected a list of strings"},
		{"unknown policy", "rules: [{fields: {a: newest}}]", `f:1:22: unknown policy "newest"; expected own, upstream, ours, theirs, highest, lowest, next or union`},
		{"restarts a list", "rules: [{restarts: [a]}]", "f:1:20: restarts is a list; expected a mapping"},
		{"counter with a star", "rules: [{restarts: {'*.a': b}}]", `f:1:21: invalid path "*.a": restarts is for single fields; expected names joined by dots, without *`},
		{"counter of two", "rules: [{restarts: {a: [b, b]}}]", `f:1:28: "b" is repeated in restarts`},
		{"counter of none", "rules: [{restarts: {a: []}}]", "f:1:24: restarts is empty; add a value or remove restarts"},
		{"set of rules twice", "extends: [helm, helm]", `f:1:17: "helm" is repeated in extends`},
		{"one field of oneOf", "rules: [{oneOf: {a: [b]}}]", "f:1:21: oneOf needs at least two fields"},
		{"one field of units", "rules: [{units: {a: [b]}}]", "f:1:21: units needs at least two fields; use [] for no fields at this path"},
		{"path in units", "rules: [{units: {a: [b, c.d]}}]", `f:1:25: invalid field "c.d"; expected field, field=default, field/ or from..to`},
		{"range among others in units", "rules: [{units: {a: [b, c..d]}}]", `f:1:25: invalid field "c..d"; expected field, field=default, field/ or from..to`},
		{"only field of oneOf twice", "rules: [{oneOf: {a: [b, b]}}]", `f:1:25: "b" is repeated in oneOf`},
		{"field of oneOf twice", "rules: [{oneOf: {a: [b, c, b]}}]", `f:1:28: "b" is repeated in oneOf`},
		{"unknown set of rules", "extends: helmet", `f:1:10: unknown preset "helmet"; did you mean "helm"?`},
		{"sets of rules no list", "extends: {}", "f:1:10: extends is a mapping; expected a list of strings"},
		{"misspelled policy", "rules: [{fields: {a: higest}}]", `f:1:22: unknown policy "higest"; did you mean "highest"?`},
		{"misspelled files", "rules: [{flies: [a], lists: {a: set}}]", `f:1:10: unknown field "flies"; did you mean "files"?`},
		{"nothing like a field", "extensions: [helm]", `f:1:1: unknown field "extensions"; expected one of requires, crds, extends, rules, generated, check`},
		{"policy a list", "rules: [{fields: {a: [ours]}}]", "f:1:22: the policy is a list; expected own, upstream, ours, theirs, highest, lowest, next or union"},
		{"alias cycle", "rules: &a [*a]", "f:1:8: an entry is a list; expected a mapping"},
		{"name a list", "rules: [{[a]: b}]", "f:1:10: a field name of an entry is a list; expected a string"},
	} {
		_, err := Parse("f", []byte(c.text), "1.2.3")
		if err == nil {
			t.Errorf("%s: taken", c.name)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, err, c.want)
		}
		var e *Error
		if !errors.As(err, &e) || e.File != "f" || e.Line < 1 || e.Column < 1 {
			t.Errorf("%s: no *Error with a position", c.name)
		}
	}
}

// TestMistakesAreLeftOut checks which rules of a file with a mistake still apply. Each file has the rules for which
// TestTeamLists and the like would pass, and one mistake. want lists the policies of the fields a, b and c of x.yaml
// and y.yaml, and the kinds of their lists l and m.
func TestMistakesAreLeftOut(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"none", "rules:\n- files: [x.yaml]\n  fields: {a: ours}\n- lists: {l: set}\n", "x: ours - - set -; y: - - - set -"},
		{"unknown field of the file", "rule: []\nrules:\n- lists: {l: set}\n", "x: - - - set -; y: - - - set -"},
		{"requires", "requires: 0.1\nrules:\n- lists: {l: set}\n", "x: - - - set -; y: - - - set -"},
		{"preset", "extends: [helmet]\nrules:\n- lists: {l: set}\n", "x: - - - set -; y: - - - set -"},
		{"pattern of crds", "crds: ['!a']\nrules:\n- lists: {l: set}\n", "x: - - - set -; y: - - - set -"},
		{"unknown field of an entry", "rules:\n- flies: [x.yaml]\n  fields: {a: ours}\n- lists: {l: set}\n", "x: - - - set -; y: - - - set -"},
		{"pattern of an entry", "rules:\n- files: [x.yaml, '!y']\n  fields: {a: ours}\n- lists: {l: set}\n", "x: - - - set -; y: - - - set -"},
		{"kind of an entry", "rules:\n- kinds: [v1/Pod]\n  fields: {a: ours}\n- lists: {l: set}\n", "x: - - - set -; y: - - - set -"},
		{"files twice", "rules:\n- files: x.yaml\n  files: y.yaml\n  fields: {a: ours}\n- lists: {l: set}\n", "x: - - - set -; y: - - - set -"},
		{"entry", "rules:\n- a\n- lists: {l: set}\n", "x: - - - set -; y: - - - set -"},
		{"policy", "rules:\n- fields: {a: higest, b: ours}\n  lists: {l: set}\n", "x: - ours - set -; y: - ours - set -"},
		{"policy before others", "rules:\n- fields: {a: higest}\n- fields: {'**': ours}\n", "x: - ours ours - -; y: - ours ours - -"},
		{"list", "rules:\n- fields: {a: ours}\n  lists: {l: sett, m: set}\n", "x: ours - - - set; y: ours - - - set"},
		{"keys", "rules:\n- lists: {l: {kesy: [a]}, m: set}\n", "x: - - - - set; y: - - - - set"},
		{"path", "rules:\n- fields: {'a..b': ours, b: ours}\n", "x: - ours - - -; y: - ours - - -"},
		{"path twice", "rules:\n- fields: {a: ours, b: ours, a: theirs}\n", "x: ours ours - - -; y: ours ours - - -"},
		{"not YAML", "rules:\n- fields: {a: ours}\n\t- lists: {l: set}\n", "x: - - - - -; y: - - - - -"},
		{"two documents", "rules:\n- fields: {a: ours}\n---\nrules: []\n", "x: - - - - -; y: - - - - -"},
	} {
		r, err := Parse("f", []byte(c.text), "1.2.3")
		if (err == nil) != (c.name == "none") || r == nil {
			t.Errorf("%s: %v, %v", c.name, r, err)
			continue
		}
		var files []string
		for _, file := range []string{"x", "y"} {
			var all []string
			for _, field := range []string{"a", "b", "c"} {
				all = append(all, cmp.Or(string(r.DecisionAt(schema.Place{File: file + ".yaml", Path: []string{field}}).Policy), "-"))
			}
			for _, list := range []string{"l", "m"} {
				all = append(all, cmp.Or(describe(r.DeclaredList(schema.Place{File: file + ".yaml", Path: []string{list}})), "-"))
			}
			files = append(files, file+": "+strings.Join(all, " "))
		}
		if got := strings.Join(files, "; "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	if r, err := Parse("f", []byte("requires: '>=9'\nrules:\n- lists: {l: set}\n"), "1.2.3"); r != nil || err == nil {
		t.Errorf("a newer version is required: %v, %v", r, err)
	}
	r, err := Parse("f", []byte("rules:\n- files: [x]\n  deleted: onw\n- files: [x]\n  deleted: own\ngenerated:\n- files: [a]\n  form: [b]\n- files: [c]\n"), "")
	if d, _ := r.DeletedPolicy("x"); err == nil || d.Take != Ask || len(r.Generated()) != 1 || !r.Generated()[0].Makes("c") {
		t.Errorf("%v, %v, %v", d, r.Generated(), err)
	}
}

func TestClosestWord(t *testing.T) {
	words := []string{"own", "upstream", "ours", "theirs", "highest", "lowest", "next", "union"}
	for word, want := range map[string]string{
		"higest": "highest", "HIGHEST": "highest", "hihgest": "highest", "thiers": "theirs", "our": "ours", "onw": "own", "uniom": "union",
		"newest": "", "": "", "x": "", "theirs-and-ours": "theirs", "lowestest": "lowest", "owest": "lowest", "nxet": "next", strings.Repeat("o", 100): "",
	} {
		if got := ClosestWord(word, words); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
}

// TestLargeFiles parses files that would take minutes and gigabytes if time or memory were quadratic in their size.
func TestLargeFiles(t *testing.T) {
	many := func(n int, form string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, form, i)
		}
		return b.String()
	}
	const tooMany = "the file has too many items, including those that aliases repeat; the limit is 65536"
	for _, c := range []struct{ name, text, want string }{
		{"keys", "rules: [{lists: {a: {keys: [" + many(60_000, "k%d,") + "]}}}]", ""},
		{"keys and defaults", "rules: [{lists: {a: {keys: [" + many(20_000, "k%d,") + "], defaults: {" + many(20_000, "k%d: x,") + "}}}}]", ""},
		{"defaults of no keys", "rules: [{lists: {a: {keys: [" + many(30_000, "k%d,") + "], defaults: {" + many(15_000, "n%d: x,") + "}}}}]",
			`"n0" is not one of the keys; expected one of k0, k1, k2, k3, k4, k5, k6, k7, k8, k9` + "\n"},
		{"oneOf", "rules: [{oneOf: {a: [" + many(60_000, "k%d,") + "]}}]", ""},
		{"more than may be", "rules: [{oneOf: {a: [" + many(110_000, "k%d,") + "]}}]", tooMany},
		{"extends", "extends: [" + strings.Repeat("helm, ", 60_000) + "]", `"helm" is repeated in extends`},
		{"aliases", "rules: [{lists: {a: &a {keys: [" + many(2_000, "k%d,") + "]}," + many(2_000, "b%d: *a,") + "}}]", tooMany},
		{"brackets", "rules: [{files: ['" + strings.Repeat("[[:", 200_000) + "'], lists: {a: set}}]", "longer than 1900 bytes (git ignores lines of 2,048 or more)"},
	} {
		_, err := Parse("f", []byte(c.text), "")
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.200v", c.name, err)
		}
	}
}

func TestAllMistakesAreReported(t *testing.T) {
	_, err := Parse("f", []byte("a: 1\nrules:\n- lists: {x: y}\n- fields: {x: y}\n"), "")
	if n := strings.Count(err.Error(), "\n") + 1; n != 3 {
		t.Errorf("%d mistakes:\n%v", n, err)
	}
}

func TestValidTeamFiles(t *testing.T) {
	for _, text := range []string{
		"", "# nothing\n", "---\n", "{}", "rules: []",
		"rules:\n- kinds: Deployment\n  files: a.yaml\n  lists: {a: set}\n",
		"rules:\n- lists: &l {a: set}\n- lists: *l\n",
		`requires: ">= 1"`, `requires: ">=1.2"`, `requires: ">=1.2.3"`,
	} {
		if _, err := Parse("f", []byte(text), "v1.2.3-rc.1+x"); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestUnreleasedVersion checks that a build between two releases, and a build with changed files, satisfy every
// requirement, with a remark.
func TestUnreleasedVersion(t *testing.T) {
	for _, version := range []string{
		"(devel)", "unknown", "0.0.0", "v0.0.0-20261122101112-0123456789ab", "v0.1.1-0.20261122101112-0123456789ab",
		"v0.1.0+dirty", "v0.2.0-rc.1.0.20261122101112-0123456789ab+dirty",
	} {
		r, err := Parse("f", []byte(`requires: ">=99"`), version)
		if err != nil {
			t.Errorf("%s: %v", version, err)
			continue
		}
		want := "f:1:11: requires git-merge-yaml >=99, but this is version " + strings.TrimPrefix(version, "v") +
			"; assuming that an unreleased version is new enough"
		if got := r.Remarks(); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %q", version, got, want)
		}
	}
	if r, err := Parse("f", []byte(`requires: ">=99"`), ""); err != nil || len(r.Remarks()) != 0 {
		t.Errorf("nobody says the version: %v %v", r, err)
	}
}

func TestCRDFiles(t *testing.T) {
	r := parseTeam(t, teamFile)
	if !r.IsCRD("config/crd/a.yaml") || r.IsCRD("config/a.yaml") || len(r.CRDPatterns()) != 1 {
		t.Errorf("%v", r.CRDPatterns())
	}
	none := new(Rules)
	if none.IsCRD("a") || none.CRDPatterns() != nil {
		t.Error("empty rules have CRDs")
	}
}

func FuzzParse(f *testing.F) {
	f.Add(teamFile)
	f.Add("rules: &a [*a]")
	f.Add("rules:\n- &e {lists: {a: {keys: [b], defaults: {b: 1}}}}\n- *e\n")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse("f", []byte(text), "")
		if r == nil && err == nil {
			t.Error("neither rules nor an error")
		}
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Column < 1) {
			t.Errorf("no position: %v", err)
		}
	})
}

// TestDocumentedExample parses the longest example of docs/rules.md.
func TestDocumentedExample(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(doc), "This example shows how to write")
	_, example, _ = strings.Cut(example, "```yaml\n")
	example, _, _ = strings.Cut(example, "```")
	r := parseTeam(t, example)
	for _, c := range []struct{ file, resource, path, want string }{
		{"clusters/a/b/app.yaml", " ", "services.web.ports", "map port,protocol=TCP"},
		{"x/values-prod.yaml", " ", "pipeline.*.steps", "ordered"},
		{"values-prod.yaml", " ", "a.command", "atomic"},
		{"values.yaml", " ", "a.command", ""},
		{"x.yaml", "apps/v1 Deployment", "spec.values.tolerations", "atomic"},
	} {
		p := place(c.resource, c.path)
		p.File = c.file
		if got := describe(r.DeclaredList(p)); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.file, c.path, got, c.want)
		}
	}
	if len(r.CRDPatterns()) == 0 || len(r.team) != 2 || len(r.team[1].fields) != 3 {
		t.Errorf("%d entries", len(r.team))
	}
}

// TestShadowed lists the lines of rules that never apply, because an earlier rule applies to all that they are for.
func TestShadowed(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"in one entry", "rules:\n- fields:\n    '**.tag': ours\n    image.tag: theirs\n    a: ours\n", "4"},
		{"another field of the entry", "rules:\n- fields: {'**': ours}\n- lists: {a: set}\n", ""},
		{"the narrower first", "rules:\n- fields: {a: ours}\n- fields: {'**': theirs}\n", ""},
		{"other files", "rules:\n- files: [a]\n  fields: {a: ours}\n- files: [b]\n  fields: {a: theirs}\n", ""},
		{"fewer files", "rules:\n- files: [a, b]\n  fields: {a: ours}\n- files: [b]\n  fields: {a: theirs}\n", "5"},
		{"more files", "rules:\n- files: [b]\n  fields: {a: ours}\n- files: [a, b]\n  fields: {a: theirs}\n", ""},
		{"all files after some", "rules:\n- files: [b]\n  fields: {a: ours}\n- fields: {a: theirs}\n", ""},
		{"a group of a kind", "rules:\n- kinds: [Job]\n  fields: {a: ours}\n- kinds: [batch/Job]\n  fields: {a: theirs}\n", "5"},
		{"a kind in any group", "rules:\n- kinds: [batch/Job]\n  fields: {a: ours}\n- kinds: [Job]\n  fields: {a: theirs}\n", ""},
		{"images", "rules:\n- images: ['**']\n- images: [a]\n", ""},
		{"a preset", "extends: helm\nrules:\n- fields: {'**': ours}\n", ""},
	} {
		var lines []string
		for _, s := range parseTeam(t, c.text).Shadowed() {
			lines = append(lines, strings.Split(s, ":")[1])
		}
		if got := strings.Join(lines, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	var b strings.Builder // in quadratic time, not cubic
	b.WriteString("rules:\n")
	for i := range 1500 {
		fmt.Fprintf(&b, "- files: [f%d]\n  fields: {a: ours}\n", i)
	}
	if all := parseTeam(t, b.String()).Shadowed(); len(all) != 0 {
		t.Errorf("%d of rules for different files", len(all))
	}
}
