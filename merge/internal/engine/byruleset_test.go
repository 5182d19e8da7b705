package engine

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/rulesets"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/mergetest/trees"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/syntax"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/text"
	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"golang.org/x/tools/txtar"
)

// TestRuleSets runs the cases of testdata/rulesets, which use a rule set other than the default rules. The file decided
// of a case lists the differences that the rule set resolved, and how. With -update it rewrites the cases.
func TestRuleSets(t *testing.T) {
	files, err := filepath.Glob("../../../testdata/rulesets/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		t.Run(name, func(t *testing.T) {
			c := readCase(t, file)
			if c.RuleSet == "" || !strings.HasPrefix(name, c.RuleSet+"-") {
				t.Fatalf("the case is of rules %q", c.RuleSet)
			}
			res, err := c.mergeByRuleSet(c.Raw)
			if *update {
				c.rewriteRules(t, file, res, err)
				return
			}
			if want := c.Section("error"); err != nil || want != nil {
				if got := errorText(err); got != string(want) {
					t.Errorf("got the error %swant %s", got, want)
				}
				return
			}
			if !bytes.Equal(res.Bytes, c.Want) {
				t.Errorf("got (%s%s):\n%s\nwant:\n%s", report("how", res), report("decided", res), res.Bytes, c.Want)
			}
			for _, f := range c.Archive.Files {
				if got := report(f.Name, res); got != "" && got != string(f.Data) {
					t.Errorf("%s: got:\n%swant:\n%s", f.Name, got, f.Data)
				}
			}
			if res.Method == Structural {
				c.checkMergedAgain(t, res)
			}
		})
	}
}

// mergeByRuleSet merges the versions v with the rule set of the case: with Merge2, with Apply, with ApplyAnnotated if
// the case has no file last-applied, or with Merge.
func (c *mergeCase) mergeByRuleSet(v [3][]byte) (Result, error) {
	switch {
	case c.RuleSet == "merge2":
		return Merge2(v[three.Updated], v[three.Dest], c.opts)
	case c.RuleSet == "apply" && c.Section("last-applied") == nil:
		return ApplyAnnotated(nil, v[three.Updated], v[three.Dest], c.opts)
	case c.RuleSet == "apply":
		return Apply(v[three.Original], v[three.Updated], v[three.Dest], c.opts)
	}
	return Merge(v[three.Original], v[three.Dest], v[three.Updated], c.opts)
}

// errorText returns the text of an error with a newline, or "" for nil.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error() + "\n"
}

// rewriteRules writes the result of a merge, or its error, into the file of the case.
func (c *mergeCase) rewriteRules(t *testing.T, file string, res Result, err error) {
	t.Helper()
	c.Archive.Files = slices.DeleteFunc(c.Archive.Files, func(f txtar.File) bool {
		return f.Name == "error" || err != nil && f.Name == "want"
	})
	if err == nil {
		c.rewrite(t, file, res)
		return
	}
	c.Archive.Files = append(c.Archive.Files, txtar.File{Name: "error", Data: []byte(errorText(err))})
	c.write(t, file)
}

// checkMergedAgain checks that merging the result once more, with theirs as base and theirs, gives an identical file.
func (c *mergeCase) checkMergedAgain(t *testing.T, res Result) {
	t.Helper()
	twice, err := c.mergeByRuleSet([3][]byte{c.Raw[three.Updated], res.Bytes, c.Raw[three.Updated]})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(twice.Bytes, res.Bytes) {
		t.Errorf("merged once more (%s):\n%s", twice.Reason, twice.Bytes)
	}
}

var ruleTriples = flag.Int("rule-triples", 100, "how many generated merges TestGeneratedRuleSets makes by each rule set")

// TestGeneratedRuleSets merges generated versions with each rule set. It checks that the result has the data of the
// rule set's model and the comments of all entries that remain, and that merging the result again changes nothing. With
// merge2 and apply, the file has to stay identical if its data do.
func TestGeneratedRuleSets(t *testing.T) {
	for _, rules := range rulesets.Names {
		t.Run(rules, func(t *testing.T) {
			failed := 0
			for seed := range *ruleTriples {
				g := rulesets.New(rules, uint64(*from+seed))
				if wrong := wrongRuleSetMerge(rules, g); wrong != "" {
					t.Errorf("-from %d: %s\n%s", *from+seed, wrong, g)
					if failed++; failed == 5 {
						t.FailNow()
					}
				}
			}
		})
	}
}

// wrongRuleSetMerge merges the versions of a case with a rule set, and merges the result again. It returns a description
// of what is wrong, or "" if the results are right or kubectl refuses the versions, too.
func wrongRuleSetMerge(rules string, g *rulesets.Case) string {
	c := &mergeCase{&mergetest.Case{RuleSet: rules, Raw: g.Raw}, Options{Kustomize: true}}
	c.applied()
	res, err := c.mergeByRuleSet(g.Raw)
	if asked, ok := errors.AsType[*RuleError](err); ok && rules == "apply" &&
		(strings.Contains(asked.Problem, " a list") || strings.Contains(asked.Problem, "not the same resource as in")) {
		return ""
	}
	if err != nil || res.Reason != "" {
		return "refused: " + errorText(err) + res.Reason
	}
	if wrong := g.CheckResult(res.Bytes); wrong != "" {
		return wrong
	}
	twice, err := c.mergeByRuleSet([3][]byte{g.Raw[three.Updated], res.Bytes, g.Raw[three.Updated]})
	if err != nil || !bytes.Equal(twice.Bytes, res.Bytes) {
		return fmt.Sprintf("%s-- got --\n%s-- and once more --\n%s", errorText(err), res.Bytes, twice.Bytes)
	}
	return ""
}

// applied gives the case a file last-applied with the base. With the rule set apply, mergeByRuleSet then calls Apply
// and not ApplyAnnotated.
func (c *mergeCase) applied() {
	c.Archive = &txtar.Archive{Files: []txtar.File{{Name: "last-applied", Data: c.Raw[0]}}}
}

// FuzzRuleSets checks the rule sets with two edits of one file. If only one side changed, the result must have its
// data, except for fields that are null. Merging the result again must not change it. Verification must accept every
// result of the merge by field.
func FuzzRuleSets(f *testing.F) {
	addEdits(f)
	files, err := filepath.Glob("../../../testdata/rulesets/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	for i, file := range files {
		for _, b := range readCase(f, file).Raw {
			f.Add(b, scripts[i%len(scripts)], scripts[(i+1)%len(scripts)])
		}
	}
	f.Fuzz(func(t *testing.T, o, ours, theirs []byte) {
		if !mergetest.AreSmall(o) || hasScalarRoot(o) || hasScalarRoot(applyScript(o, ours)) || hasScalarRoot(applyScript(o, theirs)) {
			return
		}
		for _, rules := range rulesets.Names {
			checkRules(t, rules, [3][]byte{o, applyScript(o, ours), applyScript(o, theirs)})
		}
	})
}

// mergeByRules merges v by a rule set. It returns false if the result cannot be checked further: the merge failed, or
// the input has a known exception or directives.
func mergeByRules(t *testing.T, rules string, v [3][]byte) ([]byte, bool) {
	t.Helper()
	var res Result
	var err error
	switch rules {
	case "merge2":
		res, err = Merge2(v[three.Updated], v[three.Dest], Options{})
	case "apply":
		res, err = Apply(slices.Concat([]byte{}, v[three.Original]), v[three.Updated], v[three.Dest], Options{})
	default:
		res, err = Merge(v[three.Original], v[three.Dest], v[three.Updated], Options{Kustomize: true})
	}
	why := errorText(err) + res.Reason
	all := slices.Concat(v[:]...)
	// The merge can remove the anchor of an alias, and a comment after an empty block scalar can become its text.
	delicate := bytes.ContainsAny(all, "&*") || bytes.ContainsAny(all, "|>") && bytes.ContainsAny(all, "#")
	// A comment after the end of a document is rejected if both sides have one.
	delicate = delicate || bytes.Contains(all, []byte("... #"))
	// The line merge can lose a comment that one side moved into a part that the other side replaces. A value on a line
	// of its own can end up left of its key.
	delicate = delicate || rules == "kustomize" && strings.Contains(why, "wrong comment: ") || strings.Contains(why, "verified: unparsable")
	// A file that SOPS encrypted merges by the default rules. If a side removed the encryption, the second merge does
	// not.
	encrypted := rules == "kustomize" && bytes.Contains(all, []byte("sops:"))
	for _, b := range v { // a key that begins with a byte order mark can become the first of the file
		delicate = delicate || bytes.LastIndex(b, []byte("\ufeff")) > 0
	}
	if strings.Contains(why, "internal error") || strings.Contains(why, "verified") && !delicate {
		t.Errorf("%s: %s\nof\n%s\n---\n%s\n---\n%s", rules, why, v[three.Original], v[three.Dest], v[three.Updated])
	}
	patch := rules == "merge2" && bytes.Contains(all, []byte("$patch")) // a directive is applied, and is not data
	return res.Bytes, why == "" && !delicate && !patch && !encrypted
}

// checkRules merges v (base, ours and theirs) by a rule set and checks these laws. X is theirs and O base:
//
//   - Merging the result once more, with theirs as base and theirs, changes nothing.
//   - merge(O, X, X) has the data of X; with kustomize, merge(O, O, X) and merge(O, X, O) have it as well. This is not
//     checked if O has a null.
//
// It checks nothing if mergeByRules reports false for v.
func checkRules(t *testing.T, rules string, v [3][]byte) {
	t.Helper()
	res, ok := mergeByRules(t, rules, v)
	if !ok {
		return
	}
	if twice, ok := mergeByRules(t, rules, [3][]byte{v[three.Updated], res, v[three.Updated]}); !ok || !bytes.Equal(twice, res) {
		t.Errorf("%s: %q, and once more\n%s\nbecomes\n%s", rules, v, res, twice)
	}
	o, x := v[three.Original], v[three.Updated]
	if hasNull(o) {
		return // a null clears its field, even if the other side changed the field
	}
	for name, v := range map[string][3][]byte{"O O X": {o, o, x}, "O X O": {o, x, o}, "O X X": {o, x, x}} {
		if name != "O X X" && rules != "kustomize" {
			continue // merge2 and apply keep what only the destination has
		}
		got, ok := mergeByRules(t, rules, v)
		if ok && withoutNulls(got) != withoutNulls(x) {
			t.Errorf("%s: merge(%s):\nO=%q\nX=%q\ngot\n%s", rules, name, o, x, got)
		}
	}
}

// withoutNulls returns the data of a file as text without the fields that are null. It returns b itself if b does not
// parse.
func withoutNulls(b []byte) string {
	st, err := syntax.Parse(text.New(b))
	if err != nil {
		return string(b)
	}
	var docs []string
	for _, d := range st.Docs {
		removeNulls(d.Root)
		docs = append(docs, mergetest.NodeData(d.Root))
	}
	slices.Sort(docs)
	return strings.Join(docs, "\n")
}

// hasScalarRoot reports whether a document of b is a scalar.
func hasScalarRoot(b []byte) bool {
	st, err := syntax.Parse(text.New(b))
	return err == nil && slices.ContainsFunc(st.Docs, func(d *syntax.Document) bool {
		return len(d.Root.Entries) == 0 && (!d.Root.Content.Empty() || d.Root.TagText != "")
	})
}

// hasNull reports whether b is valid YAML in which a field is null.
func hasNull(b []byte) bool {
	st, err := syntax.Parse(text.New(b))
	return err == nil && slices.ContainsFunc(st.Docs, func(d *syntax.Document) bool { return hasNullBelow(d.Root) })
}

// hasNullBelow reports whether a field at any depth in n is null.
func hasNullBelow(n *syntax.Node) bool {
	return slices.ContainsFunc(n.Entries, func(e *syntax.Entry) bool {
		return e.Key != nil && e.Value.IsNull() || hasNullBelow(e.Value)
	})
}

// removeNulls removes the fields that are null from n and all nodes in it.
func removeNulls(n *syntax.Node) {
	n.Entries = slices.DeleteFunc(n.Entries, func(e *syntax.Entry) bool { return e.Key != nil && e.Value.IsNull() })
	for _, e := range n.Entries {
		removeNulls(e.Value)
	}
}

// TestRuleError checks that Merge2 returns a RuleError with the file, line and column if a version has several
// documents and one of them has no name to align it by. File is the name given in Options or else a default name.
func TestRuleError(t *testing.T) {
	_, err := Merge2([]byte("kind: A\n---\n# b\nkind: B\n"), nil, Options{})
	e, ok := errors.AsType[*RuleError](err)
	if !ok || e.File != "SRC" || e.Line != 1 || e.Column != 1 || e.Rules != "rules of merge2" {
		t.Errorf("got %v", err)
	}
	_, err = Merge2(nil, []byte("kind: A\n---\n# b\n  {kind: B}\n"), Options{Names: [3]string{"", "d.yaml", "s.yaml"}})
	if e, ok := errors.AsType[*RuleError](err); !ok || e.File != "d.yaml" {
		t.Errorf("got %v", err)
	}
}

func TestReadAnnotations(t *testing.T) {
	note := func(says string) string {
		return "kind: Pod\nmetadata:\n  name: a\n  annotations:\n    " + annotationKey + ": |\n      " + says + "\n"
	}
	item := strings.ReplaceAll(strings.TrimSuffix(note(`{"a":1}`), "\n"), "\n", "\n  ")
	for _, c := range []struct{ live, want string }{
		{"kind: Pod\n", ""},
		{note(`{"a":1}`), "---\n{\"a\":1}\n"},
		{note(`{"a":1}`) + "---\nkind: Pod\n---\n" + note(`{"b":1}`), "---\n{\"a\":1}\n---\n{\"b\":1}\n"},
		{"kind: List\nitems:\n- " + item + "\n- " + item + "\n", "---\n{kind: List, items: [\n{\"a\":1},\n{\"a\":1}\n]}\n"},
	} {
		got, err := readAnnotations(trees.Parse(t, c.live))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v", c.live, got, err)
		}
	}
	_, err := readAnnotations(trees.Parse(t, note(`{"a":`)))
	if p, ok := err.(*three.InputError); !ok || p.Side != three.Dest || !strings.Contains(p.Text, "is not valid JSON") {
		t.Errorf("%v", err)
	}
}

// TestWriteAnnotations checks that writeAnnotations writes the configuration as kubectl would, and that readAnnotations
// reads the same JSON back.
func TestWriteAnnotations(t *testing.T) {
	live := "kind: Pod\nmetadata: {name: a, namespace: m}\n"
	for _, c := range []struct{ config, want string }{
		{"apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec: {b: [1, \"2\"]}\n",
			`{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{},"name":"a","namespace":"m"},"spec":{"b":[1,"2"]}}`},
		{"apiVersion: v1\nkind: Pod\nmetadata: {name: b, annotations: {x: y, " + annotationKey + ": old}}\n",
			`{"apiVersion":"v1","kind":"Pod","metadata":{"annotations":{"x":"y"},"name":"b","namespace":"default"}}`},
		{"apiVersion: v1\nkind: Namespace\nmetadata: {name: n}\n", `{"apiVersion":"v1","kind":"Namespace","metadata":{"annotations":{},"name":"n"}}`},
	} {
		b, err := writeAnnotations(trees.Parse(t, c.config), trees.Parse(t, live))
		if err != nil {
			t.Fatal(err)
		}
		again, err := readAnnotations(trees.Parse(t, string(b)))
		if err != nil || string(again) != "---\n"+c.want+"\n" {
			t.Errorf("%s became\n%swhich says\n%s%v", c.config, b, again, err)
		}
	}
	_, err := writeAnnotations(trees.Parse(t, "kind: Pod\nmetadata: {name: a}\na: &x 1\nb: *x\n"), trees.Parse(t, live))
	if p, ok := err.(*three.InputError); !ok || p.Side != three.Updated || p.Text != "JSON does not support aliases" {
		t.Errorf("%v", err)
	}
}
