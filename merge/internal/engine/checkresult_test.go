package engine

import (
	"hash/crc32"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/plan"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/team"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// TestCheck checks the findings for different results of one merge: correct ones, a whole side, and results with one
// defect each.
func TestCheck(t *testing.T) {
	const (
		base   = "# head\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 2\n  paused: false # why\n  containers:\n  - name: web\n    image: web:1\n    tty: true\n  args:\n  - a\n  - b\n"
		ours   = "# head\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 3\n  paused: false # why\n  containers:\n  - name: web\n    image: web:2\n    tty: true\n  args:\n  - a\n  - b\n  - c\n"
		theirs = "# head\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 4\n  paused: true # why\n  containers:\n  - name: web\n    image: web:1\n    tty: true\n    stdin: true\n  - name: side\n    image: side:1\n  args:\n  - a\n  - b\n"
		right  = "# head\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: 7\n  paused: true # why\n  containers:\n  - name: web\n    image: web:2\n    tty: true\n    stdin: true\n  - name: side\n    image: side:1\n  args:\n  - a\n  - b\n  - c\n"
	)
	change := func(old, new string) string {
		if !strings.Contains(right, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(right, old, new, 1)
	}
	for _, c := range []struct{ name, result, want string }{
		{"right, another value where both changed it", right, ""},
		{"ours there", change("replicas: 7", "replicas: 3"), ""},
		{"base there", change("replicas: 7", "replicas: 2"), `spec.replicas: undone: modified by both, but the result still has the value of base: 2`},
		{"deleted there", change("  replicas: 7\n", ""), ""},
		{"ours as a whole", ours, `spec.paused: wrong value: expected true as in theirs, found false|` +
			`spec.containers[name=web].stdin: lost: theirs has true; missing from the result|` +
			`spec.containers[name=side]: lost: theirs has a mapping with 2 fields; missing from the result`},
		{"theirs as a whole", theirs, `spec.containers[name=web].image: wrong value: expected "web:2" as in ours, found "web:1"|` +
			`spec.args[2]: lost: ours has "c"; missing from the result`},
		{"reformatted and reordered", "kind: Deployment\nspec: {args: [a, b, c], paused: true, replicas: 5, containers: [{name: side, image: side:1}, {stdin: true, tty: true, image: 'web:2', name: web}]}\nmetadata:\n    name: web\n# head\n# why\n", ""},
		{"unexpected", change("  args:", "  more: 1\n  args:"), `spec: unexpected: neither ours nor theirs added more: 1`},
		{"comment lost", change(" # why", ""), `spec.paused: wrong comment: occurrences of "# why": 1 in base, 1 in ours, 1 in theirs, 0 in the result`},
		{"key doubled", change("  args:", "  paused: true\n  args:"), `spec.paused: duplicate: the result has more copies than base, ours or theirs`},
		{"markers", change("  replicas: 7\n", "<<<<<<< a\n  replicas: 3\n=======\n  replicas: 4\n>>>>>>> b\n"), `conflict markers: unresolved conflict at line 5`},
		{"no YAML", change("spec:", "spec: {"), `unparsable: `},
		{"everything gone", "", `lost: ours and theirs have a mapping with 3 fields; missing from the result|kind: wrong comment: occurrences of "# head": 1 in base, 1 in ours, 1 in theirs, 0 in the result|spec.paused: wrong comment: occurrences of "# why": 1 in base, 1 in ours, 1 in theirs, 0 in the result`},
	} {
		found, err := Check([]byte(base), []byte(ours), []byte(theirs), []byte(c.result), Options{})
		var got []string
		for _, f := range found {
			got = append(got, f.String())
		}
		if s := strings.Join(got, "|"); err != nil || s != c.want && (c.name != "no YAML" || !strings.HasPrefix(s, c.want)) {
			t.Errorf("%s: %v\n%s\nwant:\n%s", c.name, err, strings.Join(got, "\n"), strings.ReplaceAll(c.want, "|", "\n"))
		}
	}
	for _, prefix := range []string{"", "# head\n", "---\n", "# head\n---\n"} {
		found, err := Check([]byte(prefix+"a: 1\n"), []byte(prefix+"a: 2\n"), []byte(prefix+"a: 3\n"), []byte(prefix+"a: 1\n"), Options{})
		if err != nil || len(found) != 1 || found[0].String() != "a: undone: modified by both, but the result still has the value of base: 1" {
			t.Errorf("a single field after %q: %v, %v", prefix, found, err)
		}
	}
	if found, err := Check([]byte("a: {{ b }}-c"), []byte("a: 1"), []byte("a: 2"), []byte("a: {{ b }}-c"), Options{}); err != nil || len(found) != 1 {
		t.Errorf("a template as base: %v, %v", found, err)
	}
}

// TestCheckAddedInAnotherOrder checks that Check accepts a result in which the user reordered a list that one side
// added, and reports one in which the user changed an item of that list.
func TestCheckAddedInAnotherOrder(t *testing.T) {
	const base, ours, theirs = "image: web:1\n", "image: web:1\nargs: [a, b]\n", "image: web:2\n"
	for result, want := range map[string]string{
		"image: web:2\nargs: [b, a]\n": "",
		"image: web:2\nargs: [b, c]\n": "args[0]: lost: ours has \"a\"; missing from the result",
	} {
		found, err := Check([]byte(base), []byte(ours), []byte(theirs), []byte(result), Options{})
		got := ""
		if len(found) > 0 {
			got = found[0].String()
		}
		if err != nil || got != want {
			t.Errorf("%q: %v, %q, want %q", result, err, found, want)
		}
	}
}

// TestCheckTellsItemsApart checks that the paths of findings name list items as Merge does: by the text before a
// separator, as in environment[X], or by an associative key, as in dependencies[name=a].
func TestCheckTellsItemsApart(t *testing.T) {
	for _, c := range []struct{ path, base, ours, result, want string }{
		{
			"compose.yaml", "services:\n  a:\n    environment:\n    - X=1\n    - Y=1\n", "services:\n  a:\n    environment:\n    - X=2\n    - Y=2\n",
			"services:\n  a:\n    environment:\n    - X=1\n    - Y=1\n", "services.a.environment[X] services.a.environment[Y]",
		},
		{
			"Chart.yaml", "dependencies:\n- name: a\n  version: 1\n", "dependencies:\n- name: a\n  version: 2\n",
			"dependencies:\n- name: a\n  version: 1\n", "dependencies[name=a].version",
		},
	} {
		found, err := Check([]byte(c.base), []byte(c.ours), []byte(c.base+"# more\n"), []byte(c.result+"# more\n"), Options{Path: c.path})
		var paths []string
		for _, f := range found {
			paths = append(paths, f.Path)
		}
		if got := strings.Join(paths, " "); err != nil || got != c.want {
			t.Errorf("%s: %q, %v; want %q", c.path, got, err, c.want)
		}
	}
}

// TestCheckKeyTwice checks that Check reports a result in which one side repeated a key and this hides the other side's
// change of that key, even if the result is git's line merge. It reports nothing if the user removed the duplicate, if
// only one side changed the key, or if the repeated key is a merge key (<<).
func TestCheckKeyTwice(t *testing.T) {
	for _, c := range []struct{ name, base, ours, theirs, result, want string }{
		{"git's", "p: 1\nq: 2\nr: 3\n", "p: 5\nq: 2\nr: 3\n", "p: 1\nq: 2\nr: 3\np: 3\n", "p: 5\nq: 2\nr: 3\np: 3\n", "p: duplicate key"},
		{"sides swapped", "p: 1\nq: 2\nr: 3\n", "p: 1\nq: 2\nr: 3\np: 3\n", "p: 5\nq: 2\nr: 3\n", "p: 5\nq: 2\nr: 3\np: 3\n", "p: duplicate key"},
		{"JSON", "{\n\"p\": 1,\n\"q\": 2,\n\"r\": 3\n}\n", "{\n\"p\": 5,\n\"q\": 2,\n\"r\": 3\n}\n", "{\n\"p\": 1,\n\"q\": 2,\n\"p\": 4,\n\"r\": 3\n}\n",
			"{\n\"p\": 5,\n\"q\": 2,\n\"p\": 4,\n\"r\": 3\n}\n", "p: duplicate key"},
		{"a person chose", "p: 1\nq: 2\nr: 3\n", "p: 5\nq: 2\nr: 3\n", "p: 1\nq: 2\nr: 3\np: 3\n", "p: 5\nq: 2\nr: 3\n", ""},
		{"changed by one side alone", "p: 1\nq: 2\nr: 3\n", "p: 1\nq: 2\nr: 4\n", "p: 1\np: 3\nq: 2\nr: 3\n", "p: 1\np: 3\nq: 2\nr: 4\n", ""},
		{"merge keys", "m: &m {}\nn: &n {}\np:\n  <<: *m\n  q: 1\n", "m: &m {}\nn: &n {}\np:\n  <<: *n\n  q: 1\n", "m: &m {}\nn: &n {}\np:\n  <<: *m\n  q: 1\n  <<: *n\n",
			"m: &m {}\nn: &n {}\np:\n  <<: *n\n  q: 1\n  <<: *n\n", ""},
	} {
		found, err := Check([]byte(c.base), []byte(c.ours), []byte(c.theirs), []byte(c.result), Options{})
		var got []string
		for _, f := range found {
			got = append(got, f.Path+": "+f.Rule)
		}
		if s := strings.Join(got, "|"); err != nil || s != c.want {
			t.Errorf("%s: %v, %q; want %q", c.name, err, s, c.want)
		}
	}
}

// TestCheckOneOf checks that Check reports a result with two fields that exclude each other, if no input has both. The
// example has minAvailable and maxUnavailable.
func TestCheckOneOf(t *testing.T) {
	const head = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec:\n"
	base, ours, theirs := head+"  selector: {}\n", head+"  selector: {}\n  minAvailable: 1\n", head+"  maxUnavailable: 1\n  selector: {}\n"
	for result, want := range map[string]int{ours: 0, theirs: 0, head + "  maxUnavailable: 1\n  selector: {}\n  minAvailable: 1\n": 1} {
		found, err := Check([]byte(base), []byte(ours), []byte(theirs), []byte(result), Options{})
		const text = "spec: exclusive fields: minAvailable added by us, maxUnavailable by them; they exclude each other"
		if err != nil || len(found) != want || want == 1 && found[0].String() != text {
			t.Errorf("%q: %v, %v; want %d", result, found, err, want)
		}
	}
}

// TestCheckAccess checks a rule of a role in which each side widened a different access field. Check reports the merge
// of both if git's line merge was clean there, even if git had a conflict elsewhere in the file. It reports nothing if
// the result has the fields of one side, or if git had a conflict at that rule, since the user then decided it.
func TestCheckAccess(t *testing.T) {
	role := func(name, verbs, more, resources string) []byte {
		return []byte("apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata:\n  name: " + name + "\nrules:\n- resources: [" + resources +
			"]\n  #\n  #\n  #\n  #\n" + more + "  verbs: [" + verbs + "]\n")
	}
	const want = `rules[0]: wider access: verbs widened by us, resources by them; together they grant access that neither side grants`
	for _, c := range []struct {
		name                       string
		base, ours, theirs, result []byte
		want                       string
	}{
		{"clean", role("n", "a", "", "x"), role("n", "a, b", "", "x"), role("n", "a", "", "x, y"), role("n", "a, b", "", "x, y"), want},
		{"a side", role("n", "a", "", "x"), role("n", "a, b", "", "x"), role("n", "a", "", "x, y"), role("n", "a, b", "", "x"), ""},
		{"a conflict elsewhere", role("n", "a", "", "x"), role("o", "a, b", "", "x"), role("t", "a", "", "x, y"), role("o", "a, b", "", "x, y"), want},
		{"a conflict elsewhere, a side", role("n", "a", "", "x"), role("o", "a, b", "", "x"), role("t", "a", "", "x, y"), role("o", "a", "", "x, y"), ""},
		{
			"a conflict there", role("n", "a", "", "x"), role("n", "a, b", "  resourceNames: [o]\n", "x"), role("n", "a", "  resourceNames: [t]\n", "x, y"),
			role("n", "a, b", "  resourceNames: [o]\n", "x, y"), "",
		},
	} {
		found, err := Check(c.base, c.ours, c.theirs, c.result, Options{})
		var got []string
		for _, f := range found {
			got = append(got, f.String())
		}
		if s := strings.Join(got, "|"); err != nil || s != c.want {
			t.Errorf("%s: %v %s\nwant %s", c.name, err, s, c.want)
		}
	}
}

// TestCheckImage checks that a result has to combine both sides' changes of an image reference if one side changed the
// name and the other side the version. The quotes do not matter. If both sides changed the same part, any reference is
// accepted.
func TestCheckImage(t *testing.T) {
	pod := func(ref string) []byte {
		return []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n  - name: web\n    image: " + ref + "\n")
	}
	for _, c := range []struct{ theirs, result, want string }{
		{"app:1.1", "my/app:1.1", ""},
		{"app:1.1", `"my/app:1.1"`, ""},
		{"app:1.1", "my/app:1.0", `spec.containers[name=web].image: wrong value: expected the image "my/app" with the version ":1.1", found "my/app:1.0"`},
		{"app:1.1", "my/app:1.2", `spec.containers[name=web].image: wrong value: expected the image "my/app" with the version ":1.1", found "my/app:1.2"`},
		{"other/app:1.1", "third/app:7", ""},
		{"app@sha256:0a", "my/app@sha256:0a", ""},
	} {
		found, err := Check(pod("app:1.0"), pod("my/app:1.0"), pod(c.theirs), pod(c.result), Options{})
		var got []string
		for _, f := range found {
			got = append(got, f.String())
		}
		if s := strings.Join(got, "|"); err != nil || s != c.want {
			t.Errorf("%s, %s: %v %s\nwant %s", c.theirs, c.result, err, s, c.want)
		}
	}
}

// TestCheckRestarts checks that a counter may start again with a new version, as the team's rules say, or count on, and
// that all other fields are checked as usual.
func TestCheckRestarts(t *testing.T) {
	rules, err := team.Parse("rules", []byte("rules: [{restarts: {epoch: version}}]"), "")
	if err != nil {
		t.Fatal(err)
	}
	const base, ours, theirs = "version: 1\nepoch: 2\na: 1\n", "version: 1\nepoch: 3\na: 2\n", "version: 2\nepoch: 0\na: 1\n"
	for _, c := range []struct{ base, ours, theirs, result, want string }{
		{base, ours, theirs, "version: 2\nepoch: 0\na: 2\n", ""},
		{base, ours, theirs, "version: 2\nepoch: 3\na: 2\n", ""},
		{base, ours, theirs, "version: 2\nepoch: 1\na: 2\n", ""},
		{base, ours, theirs, "version: 2\nepoch: 0\na: 1\n", "a: wrong value: expected 2 as in ours, found 1"},
		{base, ours, theirs, "version: 1\nepoch: 3\na: 2\n", "version: wrong value: expected 2 as in theirs, found 1"},
		{"version: 1\nepoch: 0\n", "version: 1\nepoch: 1\n", "version: 2\nepoch: 0\n", "version: 2\nepoch: 0\n", ""},
		{"version: 1\nepoch: 0\n", "version: 1\nepoch: 1\n", "version: 2\nepoch: 0\n", "version: 2\nepoch: 1\n", ""},
		{"version: 1\n", "version: 1\nepoch: 1\n", "version: 2\n", "version: 2\n", ""},
		{"version: 1\n", "version: 1\nepoch: 1\n", "version: 2\n", "version: 2\nepoch: 1\n", ""},
		{"other: 1\nepoch: 0\n", "other: 1\nepoch: 1\n", "other: 2\nepoch: 0\n", "other: 2\nepoch: 0\n", "epoch: wrong value: expected 1 as in ours, found 0"},
	} {
		for _, swap := range []bool{false, true} {
			ours, theirs, want := c.ours, c.theirs, c.want
			if swap {
				ours, theirs = theirs, ours
				want = strings.NewReplacer("as in ours", "as in theirs", "as in theirs", "as in ours").Replace(want)
			}
			found, err := Check([]byte(c.base), []byte(ours), []byte(theirs), []byte(c.result), Options{Rules: rules})
			var got []string
			for _, f := range found {
				got = append(got, f.String())
			}
			if s := strings.Join(got, "|"); err != nil || s != want {
				t.Errorf("%q %q %q: %v\n%s\nwant:\n%s", ours, theirs, c.result, err, s, want)
			}
		}
	}
}

// TestCheckPolicies checks that the user may choose another value than a policy does, and that all other fields are
// checked as usual. If a version has the policy next and both sides bumped it to the same value, Check reports a result
// that keeps that value, because two releases would have one version.
func TestCheckPolicies(t *testing.T) {
	rules, err := team.Parse("rules", []byte("rules: [{fields: {version: next, tag: highest, mine: own, people: union}}]"), "")
	if err != nil {
		t.Fatal(err)
	}
	const twice = "version: same version: both sides bumped to 1.0.1, so two releases would share a version; the next version is 1.0.2 (policy next (rules:1))"
	for _, c := range []struct{ base, ours, theirs, result, want string }{
		{"tag: 1.0.0\n", "tag: 1.1.0\n", "tag: 1.2.0\n", "tag: 1.2.0\n", ""},
		{"tag: 1.0.0\n", "tag: 1.1.0\n", "tag: 1.2.0\n", "tag: 1.1.0\n", ""},
		{"tag: 1.0.0\nb: 1\n", "tag: 1.1.0\nb: 2\n", "tag: 1.2.0\nb: 1\n", "tag: 1.2.0\nb: 1\n", "b: wrong value: expected 2 as in ours, found 1"},
		{"mine: 1\n", "mine: 2\n", "mine: 3\n", "mine: 2\n", ""},
		{"people: [a]\n", "people: [a, b]\n", "people: [a, c]\n", "people: [a, b, c]\n", ""},
		{"version: 1.0.0\n", "version: 1.1.0\n", "version: 1.0.1\n", "version: 1.1.1\n", ""},
		{"version: 1.0.0\n", "version: 1.0.1\n", "version: 1.0.1\n", "version: 1.0.1\n", twice},
		{"version: 1.0.0\n", "version: 1.0.1\n", "version: 1.0.1\n", "version: 1.0.2\n", ""},
		{"version: 1.0.0\na: 1\n", "version: 1.0.1\na: 1\n", "version: 1.0.1\na: 2\n", "version: 1.0.1\na: 2\n", twice},
		{"version: 1.0.0\na: 1\n", "version: 1.0.1\na: 1\n", "version: 1.0.1\na: 2\n", "version: 2.0.0\na: 2\n", ""},
		{"version: 1.0.0\na: 1\n", "version: 1.0.1\na: 1\n", "version: 1.0.1\na: 2\n", "version: 1.0.0\na: 2\n", `version: undone: modified by both, but the result still has the value of base: "1.0.0"`},
		{"version: 1.0.0\na: 1\n", "version: 1.0.1\na: 1\n", "version: 1.0.1\na: 2\n", "version: 1.0.2\na: 1\n", "a: wrong value: expected 2 as in theirs, found 1"},
	} {
		found, err := Check([]byte(c.base), []byte(c.ours), []byte(c.theirs), []byte(c.result), Options{Rules: rules, Own: three.Some(three.Updated)})
		var got []string
		for _, f := range found {
			got = append(got, f.String())
		}
		if s := strings.Join(got, "|"); err != nil || s != c.want {
			t.Errorf("%q %q %q: %v\n%s\nwant:\n%s", c.ours, c.theirs, c.result, err, s, c.want)
		}
	}
}

// TestCheckBesideConflicts checks that Check finds an edit that the result lost or undid next to a conflict: both sides
// changed one value differently, one side also added or deleted something beside it, and the result takes only the
// value of the other side.
func TestCheckBesideConflicts(t *testing.T) {
	const workflow = ".github/workflows/ci.yml"
	steps := func(version, more string) string {
		return "jobs:\n  test:\n    runs-on: linux\n    steps:\n      - uses: actions/checkout@v4\n      - uses: actions/setup-node@v4\n        with:\n          node-version: \"" + version + "\"\n      - run: npm test\n" + more
	}
	for _, c := range []struct{ name, path, base, ours, theirs, result, lost string }{
		{"a later step", workflow, steps("18", ""), steps("20", ""), steps("22", "      - run: npm run lint\n"), steps("20", ""), "jobs.test.steps[3]: lost: "},
		{"the same, swapped", workflow, steps("18", ""), steps("22", "      - run: npm run lint\n"), steps("20", ""), steps("20", ""), "jobs.test.steps[3]: lost: "},
		{"an item of a list", "", "args:\n- a\n- b\n- c\n", "args:\n- a2\n- b\n- c\n", "args:\n- a3\n- b\n- c\n- d\n", "args:\n- a2\n- b\n- c\n", `"d"`},
		{"an item that one side deleted", "", "args:\n- a\n- b\n- c\n- d\n", "args:\n- a2\n- b\n- c\n", "args:\n- a3\n- b\n- c\n- d\n", "args:\n- a2\n- b\n- c\n- d\n", `args[3]: undone: `},
		{"a line of a text", "", "t: |\n  a\n  b\n  c\n", "t: |\n  a2\n  b\n  c\n", "t: |\n  a3\n  b\n  c\n  d\n", "t: |\n  a2\n  b\n  c\n", `t: lost: `},
		{"a line of a text that one side deleted", "", "t: |\n  a\n  b\n  c\n  d\n", "t: |\n  a2\n  b\n  c\n", "t: |\n  a3\n  b\n  c\n  d\n", "t: |\n  a3\n  b\n  c\n  d\n", `t: undone: `},
		{"a field", "", "a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 3\nb: 1\nc: 1\n", "a: 2\nb: 1\n", "c"},
		{"a comment", "", "a: 1\nb: 1\n", "a: 2\nb: 1\n", "a: 3\nb: 1 # why\n", "a: 2\nb: 1\n", "# why"},
	} {
		found, err := Check([]byte(c.base), []byte(c.ours), []byte(c.theirs), []byte(c.result), Options{Path: c.path})
		var all []string
		for _, f := range found {
			all = append(all, f.String())
		}
		if said := strings.Join(all, "\n"); err != nil || !strings.Contains(said, c.lost) {
			t.Errorf("%s: %v, found %q, want something of %q", c.name, err, said, c.lost)
		}
	}
}

// FuzzCheck checks that Check has no findings for a clean result of Merge.
func FuzzCheck(f *testing.F) {
	addEdits(f)
	f.Fuzz(func(t *testing.T, o, ours, theirs []byte) {
		if raw := [3][]byte{o, applyScript(o, ours), applyScript(o, theirs)}; mergetest.AreSmall(o) {
			checkOwn(t, raw, Options{}, false)
		}
	})
}

// TestCheckOwnMerges checks that Check has no findings for the results of Merge, with either side taken at all
// conflicts. It merges edits of the cases of testdata/merge, and a few other versions.
func TestCheckOwnMerges(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/merge/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	// the scripts edit YAML; in the second case, they make a template in which check finds too much
	files = slices.DeleteFunc(files, func(file string) bool {
		return strings.Contains(file, "template-") || strings.Contains(file, "list-new-at-two-places-host-template")
	})
	for _, file := range files {
		// The name selects the edits, so that a new case does not change those of the others.
		i := int(crc32.ChecksumIEEE([]byte(filepath.Base(file))) % uint32(len(scripts)))
		v := readCase(t, file).Raw
		checkOwn(t, [3][]byte{v[three.Original], applyScript(v[three.Original], scripts[i%len(scripts)]), applyScript(v[three.Original], scripts[(i+1)%len(scripts)])}, Options{}, true)
		checkOwn(t, [3][]byte{v[three.Updated], applyScript(v[three.Updated], scripts[(i+4)%len(scripts)]), applyScript(v[three.Updated], scripts[(i+7)%len(scripts)])}, Options{}, true)
	}
	for _, v := range [][3]string{
		{"# a\na: 1\n", "# a\n", "# a\n# a\na: 1\n"},
		{"kind: A\nmetadata:\n name: a\n---\n", "kind: A\nmetadata:\n---\n", "kind: A\nmetadata:\n name: a # b\n---\n"},
		{"kind: A\nmetadata:\n  name: a\n---\n", "kind: A\nmetadata:\nname: a\n---\n", "kind: B\nmetadata:\n  name: a\n---\n"},
		{"a:\n- name: 1\n", "# c\na:\n- name: 1\n", "- name: 1\n"},
		{"z: 2\nrun: |\n  one\n  two\n  THREE", "z: 2\nrun: |\n  one\n  two\n    THREE", "z: 2\n  one\n  two\nx: |\n  THREE"},
	} {
		checkOwn(t, [3][]byte{[]byte(v[0]), []byte(v[1]), []byte(v[2])}, Options{}, true)
	}
}

// renamedInConflict has a known wrong finding, in a merge that checkOwn skips. Ours dedents the name of a resource, so
// that the resource has none, and theirs changes that name. The name is in a conflict. With theirs' name, Check takes
// the resource in the result for another one, and reports that the resource of ours is lost.
var renamedInConflict = [3]string{
	"kind: A\nmetadata:\n  name: a\nspec: 2\n---\nkind: B\nmetadata:\n  name: b\n",
	"kind: A\nmetadata:\nname: a\nspec: 2\n---\nkind: B\nmetadata:\n  name: b\n",
	"kind: A\nmetadata:\n  name: a0\nspec: 20\n---\nkind: B\nmetadata:\n  name: b\n",
}

// checkOwn merges raw and checks that Check has no findings for the result, with either side taken at all conflicts. If
// conflicts is false, it only checks clean results. It skips versions with duplicate keys, line merges, results
// with a conflict of the kind ConflictRefused, and renamedInConflict.
func checkOwn(t *testing.T, raw [3][]byte, opts Options, conflicts bool) {
	t.Helper()
	if hasDuplicateKey(raw[three.Original]) || hasDuplicateKey(raw[three.Dest]) || hasDuplicateKey(raw[three.Updated]) {
		return // no merge of a mapping with a duplicate key is correct
	}
	if renamedInConflict == [3]string{string(raw[three.Original]), string(raw[three.Dest]), string(raw[three.Updated])} {
		return
	}
	res, err := mergeBy(asMerge, raw, opts)
	if err != nil || res.Method == Delegated || !conflicts && !res.Clean() {
		return
	}
	if slices.ContainsFunc(res.Conflicts, func(c Conflict) bool { return c.Kind == plan.ConflictRefused }) {
		return // such a hunk also has lines that only one side changed
	}
	for _, s := range sidesToTake(res) {
		found, err := Check(raw[three.Original], raw[three.Dest], raw[three.Updated], mergetest.TakeSide(res.Bytes, s), opts)
		if err == nil && len(found) > 0 {
			t.Errorf("with %s at all conflicts of\n%s\nfound: %v\nfor %q", three.Names[s], res.Bytes, found, raw)
		}
	}
}

// sidesToTake returns the sides that can be taken at all conflicts of res, for a different file each: only one if there
// are no conflicts.
func sidesToTake(res Result) []three.Version {
	if res.Clean() {
		return three.Sides[:1]
	}
	return three.Sides[:]
}

// String returns f as one line: path: rule: detail.
func (f Finding) String() string {
	if f.Path == "" {
		return f.Rule + ": " + f.Detail
	}
	return f.Path + ": " + f.Rule + ": " + f.Detail
}

// TestCheckFindsCombinations checks that the combinations of fields which git's clean line merge makes, and which a merge
// refuses, are findings if a person commits them.
func TestCheckFindsCombinations(t *testing.T) {
	for prefix, rules := range map[string][]string{
		"access": {"wider access"}, "env-reference": {"dead reference"}, "one-of": {"exclusive fields"}, "unique": {"duplicate", "repeated value"}, "unit": {"one value"},
	} {
		files, _ := filepath.Glob("../../../testdata/merge/" + prefix + "-*.txtar")
		checked := 0
		for _, file := range files {
			c := readCase(t, file)
			committed, conflicts, err := newMerger(c.Raw, c.opts).runLineMerge(text.Markers{})
			if res, _ := Merge(c.Raw[0], c.Raw[1], c.Raw[2], c.opts); err != nil || conflicts > 0 || res.Clean() {
				continue
			}
			checked++
			found, err := Check(c.Raw[0], c.Raw[1], c.Raw[2], committed, c.opts)
			if err != nil || !slices.ContainsFunc(found, func(f Finding) bool { return slices.Contains(rules, f.Rule) }) {
				t.Errorf("%s: %v (%v), want %s", filepath.Base(file), found, err, rules)
			}
		}
		if checked == 0 {
			t.Errorf("no case of %s has a clean line merge", prefix)
		}
	}
}
