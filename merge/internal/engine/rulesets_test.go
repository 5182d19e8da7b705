package engine

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-merge-yaml/git-merge-yaml/merge/internal/three"
	"golang.org/x/tools/txtar"
)

// TestRuleSets runs the cases of testdata/rulesets, which use a rule set other than the default rules. The file decided of
// a case lists the differences that the rule set resolved, and how. With -update it rewrites the cases.
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
			res, err := c.byRules(c.Raw)
			if *update {
				c.rewriteRules(t, file, res, err)
				return
			}
			if want := c.Section("error"); err != nil || want != nil {
				if got := said(err); got != string(want) {
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
				c.again(t, res)
			}
		})
	}
}

// byRules merges the versions v with the rule set of the case: with Merge2, with Apply, with ApplyAnnotated if the case
// has no file last-applied, or with Merge.
func (c *mergeCase) byRules(v [3][]byte) (Result, error) {
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

// said returns the text of an error with a newline, or "" for nil.
func said(err error) string {
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
	c.Archive.Files = append(c.Archive.Files, txtar.File{Name: "error", Data: []byte(said(err))})
	c.write(t, file)
}

// again checks that merging the result once more, with theirs as base and theirs, gives an identical file.
func (c *mergeCase) again(t *testing.T, res Result) {
	t.Helper()
	twice, err := c.byRules([3][]byte{c.Raw[three.Updated], res.Bytes, c.Raw[three.Updated]})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(twice.Bytes, res.Bytes) {
		t.Errorf("merged once more (%s):\n%s", twice.Reason, twice.Bytes)
	}
}
