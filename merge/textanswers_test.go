package merge

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/engine"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
)

// asked are formats of files whose merge has one conflict. %[1]d is 1 in base, 2 in ours and 3 in theirs. %[2]d is 2 in
// ours and 1 in the other versions.
var asked = map[string]string{
	"scalar above":      "image: web:%[2]d\na: %[1]d\nz: 0\n",
	"text above":        "run: |\n  one\na: %[1]d\nz: 0\n",
	"folded text above": "run: >-\n  one\n  two\na: %[1]d\nz: 0\n",
	"mapping above":     "m:\n  k: 1\na: %[1]d\nz: 0\n",
	"list above":        "l:\n- k\na: %[1]d\nz: 0\n",
	"nothing above":     "m:\na: %[1]d\nz: 0\n",
	"last":              "m:\n  k: 1\n  a: %[1]d\n",
	"nested":            "m:\n  k: 1\n  a: %[1]d\nn:\n  k: 2\n",
	"in an item":        "l:\n- name: x\n  a: %[1]d\n- name: y\n  k: 1\n",
	"in flow":           "m: {k: 1,\n  a: %[1]d,\n  z: 0}\n",
	"templated":         "{{- if .prod }}\na: %[1]d\nb: 1\n{{- end }}\nc: 1\n",
	"templated branch":  "{{- if .prod }}\nk: 1\n{{- else }}\na: %[1]d\nb: 1\n{{- end }}\nc: 1\n",
	"documents":         "kind: A\nz: 0\na: %[1]d\n",
	"second document":   "kind: A\nz: 0\n---\nkind: B\na: %[1]d\ny: 1\n",
	"anchor":            "k: &k 1\na: %[1]d\nz: *k\n",
	"first":             "a: %[1]d\nz: 0\n",
	"line of a text":    "run: |\n  line %[1]d\n  two\n  three\nz: 0\n",
	"comment":           "k: 1\n# %[1]d\nb: 1\n",
	"item":              "l:\n- x\n- a%[1]d\n- y\n",
	"container":         "kind: Pod\nspec:\n  containers:\n  - name: web\n    image: w\n  - name: log\n    image: %[1]d\n  - name: z\n    image: z\n",
}

func askedVersion(format string, n, ours int) []byte {
	if strings.Contains(format, "%[2]") {
		return fmt.Appendf(nil, format, n, ours)
	}
	return fmt.Appendf(nil, format, n)
}

// askOne returns the Resolution of the case with this name in asked, without answers. If crlf is true, all lines end
// with CRLF. It fails the test at once unless there is exactly one question.
func askOne(t *testing.T, name string, crlf bool) *Resolution {
	t.Helper()
	var v [3][]byte
	for i := range v {
		ours := 1
		if i == 1 {
			ours = 2
		}
		v[i] = askedVersion(asked[name], 1+i, ours)
		if crlf {
			v[i] = bytes.ReplaceAll(v[i], []byte("\n"), []byte("\r\n"))
		}
	}
	x, err := newResolution([3][]byte{v[0], v[1], v[2]}, engine.Options{})
	if err != nil || len(x.Questions()) != 1 {
		t.Fatalf("%s: %v, %d questions", name, err, len(x.Questions()))
	}
	return x
}

// TestTextAnswers checks that a text is accepted only if it changes nothing but the entry in conflict.
func TestTextAnswers(t *testing.T) {
	for _, c := range []struct {
		in, text string
		ok       bool
	}{
		{"scalar above", "a: 9 # agreed\n", true},
		{"scalar above", "# agreed\na: [9,\n  10]\n", true},
		{"scalar above", "", true},
		{"scalar above", "a:\n  k: 1\n", true},
		{"scalar above", "  -rc1\n", false},
		{"scalar above", "  -rc1\na: 9\n", false},
		{"scalar above", "b: 9\n", false},
		{"scalar above", "a: 9\nprivileged: true\n", false},
		{"scalar above", "a: 9\n---\nkind: ClusterRoleBinding\n", false},
		{"scalar above", "a: 9\n...\n---\n", false},
		{"first", "a: 9\n", true},
		{"first", "? a\n: 9\n", true},
		{"first", "%YAML 1.1\n---\na: 9\n", false},
		{"first", "---\na: 9\n", false},
		{"first", "a: 9\revil: 1\n", false},
		{"first", "a: 9\u2028evil: 1\n", false},
		{"first", "<<: {z: 2}\n", false},
		{"line of a text", "  b\n", true},
		{"line of a text", "", true},
		{"line of a text", " b\n", false},
		{"line of a text", "evil: 1\n", false},
		{"comment", "# c\n", true},
		{"comment", "d: 1\n", false},
		{"comment", "  1\n", false},
		{"item", "- b\n", true},
		{"item", "  b\n", false},
		{"item", "b:\n", false},
		{"container", "    image: 9\n", true},
		{"container", "    image: 9\n  - name: evil\n    image: e\n", false},
		{"container", "    command: [x]\n", false},
		{"text above", "a: |\n  one\n", true},
		{"text above", "  rm -rf /\n", false},
		{"text above", "  rm -rf /\na: 9\n", false},
		{"folded text above", "  three\na: 9\n", false},
		{"mapping above", "  privileged: true\n", false},
		{"mapping above", "  privileged: true\na: 9\n", false},
		{"mapping above", "  a: 9\n", false},
		{"list above", "- x\na: 9\n", false},
		{"list above", "a:\n- x\n", true},
		{"nothing above", "  a: 9\n", false},
		{"nothing above", "- 9\n", false},
		{"last", "  a: 9\n", true},
		{"last", "a: 9\n", false},
		{"last", "  a: 9\nb: 1\n", false},
		{"nested", "  a:\n    b: 1\n", true},
		{"nested", "  a: 9\no:\n  p: 1\n", false},
		{"in an item", "  a: 9\n", true},
		{"in an item", "  a: 9\n- name: evil\n", false},
		{"in an item", "  a:\n  - 9\n", true},
		{"in flow", "  a: 9,\n", true},
		{"in flow", "  a: 9, b: 1,\n", false},
		{"in flow", "  a: 9}\nn: {\n", false},
		{"templated", "a: 9\n", true},
		{"templated", "{{- if .dev }}\na: 9\n{{- else }}\na: 8\n{{- end }}\n", false},
		{"templated", "a: 9\n{{- else }}\n", false},
		{"templated", "a: 9\n{{- end }}\n{{- if .dev }}\n", false},
		{"templated branch", "a: 9\n{{- else if .dev }}\n", false},
		{"documents", "a: 9\n---\nkind: ClusterRoleBinding\n", false},
		{"second document", "a: 9\n", true},
		{"second document", "a: 9\n---\nkind: C\n", false},
		{"anchor", "a: &b 9\n", true},
		{"anchor", "a: &k 9\n", false},
	} {
		for _, crlf := range []bool{false, true} {
			x := askOne(t, c.in, crlf)
			err := x.Decide(0, Answer{Take: TakeText, Text: c.text})
			if (err == nil) != c.ok {
				t.Errorf("%s: %q: %v", c.in, c.text, err)
			}
			y := askOne(t, c.in, crlf) // DecideSome must give the same answer
			if refused := y.DecideSome(map[int]Answer{0: {Take: TakeText, Text: c.text}}); (len(refused) == 0) != c.ok {
				t.Errorf("%s: %q: %v", c.in, c.text, refused)
			}
		}
	}
}

// TestTextAnswersByLines checks that a text can resolve a conflict of a line merge too, if the versions are YAML.
func TestTextAnswersByLines(t *testing.T) {
	// The line merge is used if it has fewer lines in conflict than the merge by field, for example if one side rewrote
	// a list. Here the test sets the method itself.
	base := "m:\n  k: 1\na: 1\nz: 0\n"
	x, err := newResolution([3][]byte{[]byte(base), []byte(strings.Replace(base, "a: 1", "a: 2", 1)), []byte(strings.Replace(base, "a: 1", "a: 3", 1))}, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x.draft.Merged.Method = engine.Delegated
	for text, ok := range map[string]bool{"a: 9\n": true, "  evil: 1\n": false, "a: 9\nevil: 1\n": false} {
		if err := x.Decide(0, Answer{Take: TakeText, Text: text}); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// manyQuestions returns a resolution with one question for each of the fields k0 to k(n-1).
func manyQuestions(tb testing.TB, n int) *Resolution {
	var v [3][]byte
	for i := range v {
		for k := range n {
			v[i] = fmt.Appendf(v[i], "k%d: %d\ns%d: 0\n", k, 1+i, k)
		}
	}
	x, err := newResolution([3][]byte{v[0], v[1], v[2]}, engine.Options{})
	if err != nil || len(x.questions) != n {
		tb.Fatalf("%v, %d questions", err, len(x.questions))
	}
	return x
}

// TestDecideSome checks that valid answers are accepted even if a few others are refused.
func TestDecideSome(t *testing.T) {
	const n = 40
	for _, bad := range [][]int{{}, {0}, {39}, {17}, {3, 4, 30}} {
		for _, text := range []string{"k: [\n", "x: 1\n", "  more\n", "<<<<<<< a\n", "s0: 1\ns0: 2\n", "- x\n"} {
			x := manyQuestions(t, n)
			answers := map[int]Answer{}
			for i := range n {
				answers[i] = Answer{Take: TakeText, Text: fmt.Sprintf("k%d: 9\n", i)}
				if i%2 == 0 {
					answers[i] = Answer{Take: TakeTheirs}
				}
			}
			for _, i := range bad {
				answers[i] = Answer{Take: TakeText, Text: text}
			}
			refused := x.DecideSome(answers)
			if got := slices.Sorted(maps.Keys(refused)); !slices.Equal(got, bad) {
				t.Errorf("%q at %v: refused at %v: %v", text, bad, got, refused)
			}
			if left := len(x.result().Conflicts); left != len(bad) {
				t.Errorf("%q at %v: %d conflicts left", text, bad, left)
			}
		}
	}
}

// TestRefusedCostsAsAccepted checks that DecideSome runs at most maxProofs verifications if half or all of the answers
// are refused, and at most three if one answer is.
func TestRefusedCostsAsAccepted(t *testing.T) {
	const n = 64
	for _, every := range []int{n, 2, 1} {
		x := manyQuestions(t, n)
		answers, bad := map[int]Answer{}, 0
		for i := range n {
			answers[i] = Answer{Take: TakeOurs}
			if i%every == every-1 {
				answers[i] = Answer{Take: TakeText, Text: "k: [\n"}
				bad++
			}
		}
		x.proofCount = 0
		refused := x.DecideSome(answers)
		if len(refused) < bad || x.proofCount > maxProofs || every == n && (len(refused) != 1 || x.proofCount > 3) {
			t.Errorf("every %d: %d refused, %d proofs", every, len(refused), x.proofCount)
		}
	}
}

// answerTexts are the answers in the seed corpus.
var answerTexts = []string{
	"a: 9\n", "  -rc1\n", "  rm -rf /\n", "  k: 1\n", "- x\n", "a: 9\n---\nkind: B\n", "a: &a 9\n", "{{- else }}\n", "a: |\n", "a: \"\n", "# c\n", "",
	"    - name: x\n      k: 1\n", "a: {\n", "  a:\n",
}

// FuzzAnswers checks that an accepted text changes only the entry that the question is about. It compares the findings
// of Check for the file with ours at every conflict, and for the same file with the text at one of them. New findings
// must be at or below the entry, or be about comments.
func FuzzAnswers(f *testing.F) {
	for _, format := range asked {
		for _, text := range answerTexts {
			f.Add(askedVersion(format, 1, 1), askedVersion(format, 2, 2), askedVersion(format, 3, 1), byte(0), text)
		}
	}
	for i, v := range mergetest.FuzzVersions(f) {
		f.Add(v[three.Original], v[three.Dest], v[three.Updated], byte(i), answerTexts[i%len(answerTexts)])
	}
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte, n byte, text string) {
		if !mergetest.AreSmall(base, ours, theirs, []byte(text)) {
			return
		}
		x, err := newResolution([3][]byte{base, ours, theirs}, engine.Options{})
		if err != nil || len(x.questions) == 0 || x.draft.Merged.Method != engine.Structural {
			return
		}
		asked := int(n) % len(x.questions)
		all := map[int]Answer{}
		for i := range x.questions {
			all[i] = Answer{Take: TakeOurs}
		}
		if x.DecideAll(all) != nil {
			return // a conflict cannot be resolved to ours
		}
		before := findings(t, x)
		if x.DecideAll(map[int]Answer{asked: {Take: TakeText, Text: text}}) != nil {
			return
		}
		at := x.Questions()[asked].Path
		for finding := range findings(t, x) {
			if !before[finding] && !under(finding.Path, at) && finding.Rule != "wrong comment" {
				t.Fatalf("a text about %q is accepted, but: %v\n%s", at, finding, x.result().Bytes)
			}
		}
	})
}

// findings returns the findings of Check for the result of x. The test fails if the result is not clean, and is skipped
// if Check fails.
func findings(t *testing.T, x *Resolution) map[engine.Finding]bool {
	t.Helper()
	res := x.result()
	if !res.Clean() {
		t.Fatalf("%d conflicts left", len(res.Conflicts))
	}
	raw := x.draft.Inputs.Raw
	found, err := engine.Check(raw[three.Original], raw[three.Dest], raw[three.Updated], res.Bytes, engine.Options{})
	if err != nil {
		t.Skip(err)
	}
	all := map[engine.Finding]bool{}
	for _, f := range found {
		all[f] = true
	}
	return all
}

// under reports whether path is the path at or is inside it.
func under(path, at string) bool {
	rest, ok := strings.CutPrefix(path, at)
	return ok && (at == "" || strings.Trim(cmp.Or(rest, ".")[:1], ".[") == "")
}
